import Control

/// A measurement for people and spreadsheets.
enum SampleText {
  /// Date, seconds since the start, beats a minute, RR intervals in ms.
  static func line(_ sample: JSON) -> String {
    let intervals = sample.list("rrIntervals").compactMap(\.asReal).map { "\($0)" }.joined(separator: " ")
    let heartRate = sample.integer("heartRate").map(String.init) ?? "?"
    return [sample.text("date") ?? "?", real(sample, "seconds"), heartRate, intervals].joined(separator: "\t")
  }

  /// Date, seconds since the start, value.
  static func value(_ value: JSON) -> String {
    [value.text("date") ?? "?", real(value, "seconds"), real(value, "value")].joined(separator: "\t")
  }

  /// Date and seconds since the start, where it begins, then count, minimum, mean, maximum.
  static func bucket(_ bucket: JSON) -> String {
    let count = bucket.integer("count").map(String.init) ?? "?"
    return
      ([bucket.text("date") ?? "?", real(bucket, "seconds"), count]
      + ["minimum", "mean", "maximum"].map { real(bucket, $0) }).joined(separator: "\t")
  }

  private static func real(_ object: JSON, _ name: String) -> String {
    object.real(name).map { "\($0)" } ?? "?"
  }
}
