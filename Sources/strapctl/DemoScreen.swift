import Control

/// What the demo shows: on a terminal the live values stay in one line, elsewhere each has its own.
final class DemoScreen {
  private let output: Output?
  private let isTerminal: Bool
  private var text: EventText
  /// Whether the cursor stands in a line of live values.
  private var isInLiveLine = false

  /// - Parameter output: nil shows nothing.
  init(_ output: Output?, _ style: TextStyle, isTerminal: Bool) {
    self.output = output
    self.isTerminal = isTerminal
    text = EventText(style)
  }

  /// A line that stays.
  func say(_ line: String) throws(OutputError) {
    // ESC [ K erases what the longer line before has left.
    try output?.line(isInLiveLine ? "\r\u{1B}[K\(line)" : line)
    isInLiveLine = false
  }

  func show(_ event: JSON) throws(OutputError) {
    let line = text.line(event)
    switch event.text("kind") {
    case "heartRate" where isTerminal, "countdown" where isTerminal:
      try output?.write("\r\(line)\u{1B}[K")
      isInLiveLine = true
    default: try say(line)
    }
  }

  /// Leaves the line of live values as it is.
  func finish() throws(OutputError) {
    if isInLiveLine { try output?.write("\n") }
    isInLiveLine = false
  }
}
