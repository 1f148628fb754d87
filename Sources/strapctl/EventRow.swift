import ActivityFiles
import Control

/// The events of a watch as comma-separated values (RFC 4180, but with the line ends of this system): a heading, and a row
/// for each of them. A field is empty where there is nothing to tell.
struct EventRow {
  static let heading = [
    "date (UTC)", "sequence", "kind", "session", "strap", "heart rate (bpm)", "skin contact", "RR intervals (ms)",
    "energy (kJ)", "availability", "counted", "stands for", "words",
  ].joined(separator: ",")

  /// - Parameter words: what people are told of the event.
  static func text(_ event: JSON, _ words: String) -> String {
    let isMeasurement = event.text("kind") == "heartRate"
    // 0 is how a strap says that it has no reading.
    let heartRate = event.integer("heartRate").flatMap { $0 > 0 ? String($0) : nil }
    let intervals = event.list("rrIntervals").compactMap(\.asReal).map { "\($0)" }
    let fields: [String] = [
      event.text("date") ?? "",
      event.integer("sequence").map { String($0) } ?? "",
      event.text("kind") ?? "",
      event.text("session") ?? "",
      event.text("strap") ?? "",
      heartRate ?? "",
      contact(event),
      intervals.joined(separator: " "),
      event.integer("energyKilojoules").map { String($0) } ?? "",
      event.text("availability") ?? "",
      event["counted"]?.asBool.map { $0 ? "yes" : "no" } ?? "",
      isMeasurement ? String(event.integer("coalesced") ?? 1) : "",
      isMeasurement ? "" : words,
    ]
    return fields.map(CSVField.text).joined(separator: ",")
  }

  /// Empty where the strap cannot tell.
  private static func contact(_ event: JSON) -> String {
    switch event.text("contact") {
    case "detected": "yes"
    case "notDetected": "no"
    default: ""
    }
  }
}
