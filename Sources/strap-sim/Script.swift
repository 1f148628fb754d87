import Measurements

/// One line of a script: what to do, and when.
struct ScriptLine: Equatable {
  /// After READY; nil at once.
  var delay: Duration?
  var command: Command
  /// The command as it was written, for the log's DONE.
  var text: String
}

/// Reads lines, whether of a file or live; knows the straps that have been declared so far.
struct ScriptReader {
  private let file: String
  private var lineNumber = 0
  private(set) var tags: Set<String>

  init(file: String, tags: Set<String> = []) {
    self.file = file
    self.tags = tags
  }

  /// Reads a whole script.
  ///
  /// - Parameter tags: the straps that there are besides those that it declares.
  static func read(_ text: String, file: String, tags: Set<String> = []) throws(ScriptError) -> [ScriptLine] {
    var reader = ScriptReader(file: file, tags: tags)
    var lines: [ScriptLine] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let read = try reader.read(String(line)) { lines.append(read) }
    }
    return lines
  }

  /// Reads the next line; nil for an empty one or a comment.
  mutating func read(_ line: String) throws(ScriptError) -> ScriptLine? {
    lineNumber += 1
    do throws(ScriptError) {
      var words = try Words(line)
      guard !words.isEmpty else { return nil }
      let delay = try Self.delay(&words)
      let text = words.rest.joined(separator: " ")
      let command = try CommandParser(tags: tags).command(&words)
      if case .strap(let declaration) = command { tags.insert(declaration.tag) }
      return ScriptLine(delay: delay, command: command, text: text)
    } catch {
      var located = error
      located.file = file
      located.line = lineNumber
      throw located
    }
  }

  private static func delay(_ words: inout Words) throws(ScriptError) -> Duration? {
    guard words.rest.first == "at" else { return nil }
    _ = words.next()
    let allowed = "at SECONDS COMMAND, such as at 2.5 A loss"
    let word = try words.next("the time", allowed: allowed)
    guard let seconds = Double(word), (0...1e6).contains(seconds) else {
      throw ScriptError("'\(word)' is no number of seconds", allowed: allowed)
    }
    return .nanoseconds(Int64(seconds * 1e9))
  }
}
