import Glibc

/// The person at the terminal: prompts on standard error, lines from standard input.
final class Keyboard {
  static let descriptor = STDIN_FILENO

  private let screen = Output(STDERR_FILENO)
  private var typed: [UInt8] = []
  /// A prompt stands, and what comes next belongs on a line of its own.
  private var isPrompting = false

  /// nil where there is nobody: no terminal to type at, or none to see the prompt on.
  init?() {
    guard isatty(Self.descriptor) == 1, screen.isTerminal else { return nil }
  }

  /// Asks. What was typed before the question was seen is no answer to it.
  func ask(_ prompt: String) {
    tcflush(Self.descriptor, TCIFLUSH)
    typed = []
    isPrompting = true
    show(prompt)
  }

  /// Says something on a line of its own.
  func tell(_ text: String) {
    endPrompt()
    show(text + "\n")
  }

  /// The question is answered or void.
  func endPrompt() {
    if isPrompting { show("\n") }
    isPrompting = false
  }

  /// What has been typed, when there is something to be read; the last line is nil where that is the end of the input.
  func lines() -> [String?] {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(Self.descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard count > 0 else { return [nil] }
    typed += chunk[..<count]
    var lines: [String] = []
    while let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: typed[..<end], as: UTF8.self))
      typed.removeSubrange(...end)
    }
    // The terminal has shown the line's end.
    if !lines.isEmpty { isPrompting = false }
    return lines
  }

  /// Where the terminal cannot be written, the person is gone, and the end of the input says so.
  private func show(_ text: String) {
    do { try screen.write(text) } catch {}
  }
}
