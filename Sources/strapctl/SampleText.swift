import Control

/// A measurement for people and spreadsheets.
enum SampleText {
  /// Date, seconds since the start, beats a minute, RR intervals in ms.
  static func line(_ sample: JSON) -> String {
    let intervals = sample.list("rrIntervals").compactMap(\.asReal).map { "\($0)" }.joined(separator: " ")
    let seconds = sample.real("seconds").map { "\($0)" } ?? "?"
    let heartRate = sample.integer("heartRate").map(String.init) ?? "?"
    return [sample.text("date") ?? "?", seconds, heartRate, intervals].joined(separator: "\t")
  }
}
