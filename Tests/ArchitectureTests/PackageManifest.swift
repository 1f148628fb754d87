/// The targets that a Package.swift declares, read off its text.
struct PackageManifest {
  struct Target: Equatable {
    var name: String
    var isTest: Bool
    var dependencies: [String]
  }

  private(set) var targets: [Target] = []

  init(_ text: String) {
    let declarations = [
      (".target(", false), (".executableTarget(", false), (".systemLibrary(", false), (".plugin(", false),
      (".macro(", false), ("cLibrary(", false), (".testTarget(", true),
    ]
    for (opening, isTest) in declarations {
      for piece in text.ranges(of: opening).map({ text[$0.upperBound...] }) {
        guard let name = Self.name(piece) else { continue }
        let declaration = piece.prefix(Self.length(piece))
        // Programs and libraries that only tests use lie beside them.
        let isForTests = isTest || declaration.contains("path: \"Tests/")
        targets.append(Target(name: name, isTest: isForTests, dependencies: Self.dependencies(declaration)))
      }
    }
  }

  /// The first argument, with or without its label; nil where it is no literal (a parameter of a function).
  private static func name(_ arguments: Substring) -> String? {
    var rest = arguments.drop(while: \.isWhitespace)
    if rest.hasPrefix("name:") { rest = rest.dropFirst(5).drop(while: \.isWhitespace) }
    guard rest.first == "\"" else { return nil }
    return String(rest.dropFirst().prefix { $0 != "\"" })
  }

  /// How far it is to the parenthesis that closes a declaration.
  private static func length(_ arguments: Substring) -> Int {
    var depth = 1
    for (offset, character) in arguments.enumerated() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return offset }
    }
    return arguments.count
  }

  private static func dependencies(_ declaration: Substring) -> [String] {
    guard let label = declaration.firstRange(of: "dependencies:") else { return [] }
    let list = declaration[label.upperBound...].drop { $0 != "[" }.prefix { $0 != "]" }
    return list.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
