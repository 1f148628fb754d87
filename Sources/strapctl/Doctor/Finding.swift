import Control

/// One thing that doctor has looked at: what it is like, and what to do about it.
struct Finding: Equatable {
  enum Severity: String, CaseIterable {
    /// As it should be.
    case ok
    /// Worth knowing, and in nobody's way.
    case note
    /// Something goes worse than it could, or will.
    case warning
    /// Keeps workouts from being recorded.
    case problem
  }

  /// What was looked at, by a name that stays: "bluetoothd", "controller.hci0".
  var id: String
  var severity: Severity
  /// One line.
  var text: String
  /// One line of what to do; nil where there is nothing to be done.
  var advice: String?

  init(_ id: String, _ severity: Severity, _ text: String, advice: String? = nil) {
    self.id = id
    self.severity = severity
    self.text = text.oneLine
    self.advice = advice?.oneLine
  }

  var json: JSON {
    .object([
      "id": .string(id), "severity": .string(severity.rawValue), "text": .string(text),
      "advice": advice.map(JSON.string),
    ])
  }
}

extension String {
  /// Texts of others may have several lines, and control characters.
  fileprivate var oneLine: String {
    split(whereSeparator: \.isNewline).joined(separator: " ").printable
  }
}
