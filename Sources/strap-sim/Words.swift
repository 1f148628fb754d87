/// The words of a script line: separated by blanks, `"…"` keeps blanks together (also behind `key=`), `#` begins a comment.
struct Words {
  private(set) var rest: [String] = []

  init(_ line: String) throws(ScriptError) {
    var word: String?
    var isQuoted = false
    for character in line {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case "#" where !isQuoted && word == nil:
        return
      case " ", "\t", "\r":
        if isQuoted {
          word?.append(character)
        } else if let whole = word {
          rest.append(whole)
          word = nil
        }
      default:
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else { throw ScriptError("a quotation mark is not closed", allowed: "\"text\"") }
    if let word { rest.append(word) }
  }

  var isEmpty: Bool { rest.isEmpty }

  mutating func next() -> String? {
    rest.isEmpty ? nil : rest.removeFirst()
  }

  /// The next word, which has to be there.
  mutating func next(_ what: String, allowed: String) throws(ScriptError) -> String {
    guard let word = next() else { throw ScriptError("\(what) is missing", allowed: allowed) }
    return word
  }

  /// All that is left, as one text.
  mutating func remainder() -> String {
    defer { rest = [] }
    return rest.joined(separator: " ")
  }

  func checkEnd(allowed: String) throws(ScriptError) {
    if let word = rest.first { throw ScriptError("'\(word)' is one word too many", allowed: allowed) }
  }
}

/// What is wrong with a line of a script, where, and what could stand there.
struct ScriptError: Error, Equatable, CustomStringConvertible {
  var file = "script"
  var line = 0
  var text: String
  var allowed: String

  init(_ text: String, allowed: String) {
    self.text = text
    self.allowed = allowed
  }

  var description: String {
    "\(file):\(line): \(text); allowed: \(allowed)"
  }
}
