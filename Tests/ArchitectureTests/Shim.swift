/// The rules of a cellar's header: functions are `static inline`, and a comment above each says why it is there.
enum Shim {
  static func violations(in text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index -> [String] in
      let line = lines[index]
      // A definition begins in the first column; its parameters may go on in lines of their own.
      guard let first = line.first, first.isLetter || first == "_", !line.hasPrefix("typedef"),
        let body = lines[index...].joined(separator: "\n").firstIndex(where: { ";{".contains($0) }),
        lines[index...].joined(separator: "\n")[body] == "{", line.contains("(")
      else { return [] }
      var found: [String] = []
      if !line.hasPrefix("static inline ") { found.append("\(index + 1): a function that is not static inline") }
      let above = index > 0 ? lines[index - 1].drop { $0 == " " } : ""
      if !above.hasPrefix("//") && !above.hasSuffix("*/") {
        found.append("\(index + 1): a function without its reason")
      }
      return found
    }
  }
}
