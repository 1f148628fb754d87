/// What the house forbids in source text, found token by token.
enum Rules {
  /// Every violation in a source file of a room, each with its line.
  static func violations(in source: String, of room: Room) -> [String] {
    let swift = SwiftTokens(source)
    var found: [String] = []
    for (line, module) in imports(swift.tokens) {
      if let refusal = House.refusal(of: module, in: room) { found.append("\(line): \(refusal)") }
    }
    var isPure = false
    if case .pure = room.kind { isPure = true }
    let readsClocks = room.name == "EventLoop" || room.name == "strapctl"
    for (index, token) in swift.tokens.enumerated() {
      let around = Around(tokens: swift.tokens, index: index)
      var refusal = everywhere(token, around)
      if refusal == nil && !readsClocks && clocks.contains(token.text) { refusal = "\(token.text) reads a clock" }
      if refusal == nil && isPure { refusal = pure(token, around) }
      if let refusal { found.append("\(token.line): \(refusal)") }
    }
    for (line, comment) in swift.comments {
      for mark in ["TODO", "FIXME"] where comment.contains(mark) { found.append("\(line): \(mark)") }
    }
    return found
  }

  /// The modules that are imported, in whichever way it is written.
  static func imports(_ tokens: [Token]) -> [(line: Int, module: String)] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index == 0 || tokens[index - 1].text != "." else { return nil }
      let rest = tokens[(index + 1)...].drop { kinds.contains($0.text) }
      return rest.first.map { (tokens[index].line, $0.text) }
    }
  }

  private struct Around {
    var tokens: [Token]
    var index: Int

    func text(_ offset: Int) -> String? {
      tokens.indices.contains(index + offset) ? tokens[index + offset].text : nil
    }

    func isGlued(_ offset: Int) -> Bool {
      tokens.indices.contains(index + offset) && tokens[index + offset].isGlued
    }
  }

  private static func everywhere(_ token: Token, _ around: Around) -> String? {
    switch token.text {
    case "try" where around.isGlued(1) && ["?", "!"].contains(around.text(1)): return "try\(around.text(1) ?? "")"
    case "fatalError": return "fatalError"
    case "unchecked" where around.text(-1) == "@": return "@unchecked"
    case "preconcurrency" where around.text(-1) == "@": return "@preconcurrency"
    case "unsafe" where around.text(-1) == "(" && around.text(-2) == "nonisolated": return "nonisolated(unsafe)"
    case "Task", "TaskGroup", "async", "await": return "\(token.text): there is one loop"
    case "TODO", "FIXME": return token.text
    case "!" where token.isGlued && !(around.isGlued(1) && around.text(1) == "="):
      let before = around.text(-1) ?? ""
      if before == "try" { return nil }
      let isValue = [")", "]", "}", ">", "?"].contains(before) || Token(text: before, line: 0, isGlued: false).isWord
      return isValue || before == "\"" ? "a value is unwrapped by force: \(before)!" : nil
    default: return nil
    }
  }

  private static let clocks: Set = [
    "clock_gettime", "gettimeofday", "ContinuousClock", "SuspendingClock", "timespec_get", "Date",
  ]

  private static func pure(_ token: Token, _ around: Around) -> String? {
    switch token.text {
    case "Clock": return "\(token.text): the moment is an argument"
    case "SystemRandomNumberGenerator", "RandomNumberGenerator", "randomElement", "shuffled", "shuffle":
      return "\(token.text): random octets arrive in an input"
    case "random" where around.text(-1) == "." && around.text(1) == "(":
      return ".random(: random octets arrive in an input"
    default: return nil
    }
  }
}
