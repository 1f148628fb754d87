/// Cuts a varlink interface description into words and signs, and reads types.
struct IDLScanner {
  private var rest: Substring
  /// Whether the last word that `next` gave stood under a comment.
  private(set) var followsComment = false

  init(_ text: String) {
    rest = text[...]
  }

  /// The next word or sign: `->`, `[]`, `[string]`, `?`, `(`, `)`, `:`, `,`.
  mutating func next() -> String? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    for sign in ["->", "[string]", "[]"] where rest.hasPrefix(sign) {
      rest.removeFirst(sign.count)
      return sign
    }
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" }
    rest.removeFirst(max(word.count, 1))
    return word.isEmpty ? String(first) : String(word)
  }

  mutating func expect(_ sign: String) throws {
    let found = next()
    guard found == sign else { throw error("\(found ?? "the end") instead of \(sign)") }
  }

  mutating func word(_ what: String, _ isRight: (String) -> Bool) throws -> String {
    guard let word = next(), isRight(word) else { throw error("no \(what)") }
    return word
  }

  /// `(a: int, b: string)`, `(one, two)` or `()`.
  mutating func parenthesized() throws -> VarlinkIDL.Kind {
    try expect("(")
    if peek() == ")" {
      try expect(")")
      return .structure([])
    }
    let first = try word("field or value") { $0.isVarlinkFieldName }
    guard peek() == ":" else {
      var names = [first]
      while peek() == "," {
        try expect(",")
        names.append(try word("value") { $0.isVarlinkFieldName })
      }
      try expect(")")
      guard Set(names).count == names.count else { throw error("a value stands twice") }
      return .enumeration(names)
    }
    try expect(":")
    var fields = [VarlinkIDL.Field(name: first, kind: try kind())]
    while peek() == "," {
      try expect(",")
      let name = try word("field") { $0.isVarlinkFieldName }
      try expect(":")
      fields.append(.init(name: name, kind: try kind()))
    }
    try expect(")")
    guard Set(fields.map(\.name)).count == fields.count else { throw error("a field stands twice") }
    return .structure(fields)
  }

  /// The parameters of a method or an error.
  mutating func fields() throws -> [VarlinkIDL.Field] {
    guard case .structure(let fields) = try parenthesized() else { throw error("an enumeration instead of fields") }
    return fields
  }

  private mutating func kind() throws -> VarlinkIDL.Kind {
    switch peek() {
    case "?":
      try expect("?")
      let inner = try kind()
      if case .nullable = inner { throw error("a double ?") }
      return .nullable(inner)
    case "[]":
      try expect("[]")
      return .array(try kind())
    case "[string]":
      try expect("[string]")
      return .map(try kind())
    case "(": return try parenthesized()
    case nil, _:
      let name = try word("type") { _ in true }
      switch name {
      case "bool": return .bool
      case "int": return .int
      case "float": return .float
      case "string": return .string
      case "object": return .object
      default:
        guard name.isVarlinkMemberName else { throw error("\(name) is no type") }
        return .named(name)
      }
    }
  }

  private func peek() -> String? {
    var copy = self
    return copy.next()
  }

  private mutating func skipBlanks() {
    followsComment = false
    while let first = rest.first {
      if first == "#" {
        rest = rest.drop { $0 != "\n" }
        followsComment = true
      } else if first == " " || first == "\t" || first == "\n" {
        rest.removeFirst()
        // An empty line parts a comment from what it does not concern.
        if first == "\n", rest.first == "\n" { followsComment = false }
      } else {
        return
      }
    }
  }

  private func error(_ text: String) -> VarlinkIDL.ParseError {
    .init(description: "\(text), before: \(rest.prefix(40))")
  }
}

extension String {
  /// A capital, then letters and digits.
  var isVarlinkMemberName: Bool {
    guard let first, first.isASCII, first.isUppercase else { return false }
    return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// A letter, then letters, digits and single underscores, none of these at the end.
  var isVarlinkFieldName: Bool {
    guard let first, first.isASCII, first.isLetter, last != "_", !contains("__") else { return false }
    return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
