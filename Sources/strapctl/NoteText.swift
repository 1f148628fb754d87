import Control

/// What is noted in a workout, and told of it, for people.
enum NoteText {
  static func words(_ event: JSON, _ style: TextStyle) -> String {
    switch event.text("kind") {
    case "lap": "lap\(label(event["lap"])) \(part(event["lap"]))"
    case "segment":
      "segment\(label(event)) since \(style.time(event.text("startDate")) ?? "?")"
    case "marker": "marked\(label(event))"
    case "activityBegan": "\(activity(event))\(label(event["activity"])) begins"
    case "activityEnded": "\(activity(event))\(label(event["activity"])) ends: \(part(event["activity"]))"
    case "pauseOrResumeRequest": "somebody asks to pause or resume"
    case "types":
      "collecting \(event.list("typesToCollect").compactMap { $0.asString?.printable }.joined(separator: ", "))"
    case "zone": "zone \(event.integer("zone").map(String.init) ?? "?")"
    case "alert": alert(event["alert"] ?? .null, isOn: event["active"]?.asBool ?? true)
    case "goal": "goal reached: \(goal(event["goal"] ?? .null))"
    case "session":
      event["snapshot"]?.text("trouble").map { "no strap yet: \($0)" } ?? "the session's settings have changed"
    case "failed": "the session ends by an error: \(event.text("endReason") ?? "?")"
    case "host":
      event["working"]?.asBool == true
        ? "this machine can receive from the strap again"
        : "this machine cannot receive from the strap" + (event.text("advice").map { ": \($0)" } ?? "")
    case "unattended": unattended(event, style)
    case "postExerciseEnded": "the series after the workout is complete"
    case "discarded": "thrown away; 'strapctl restore' brings it back"
    case "restored": "taken out of the trash"
    default: event.text.printable
    }
  }

  private static func unattended(_ event: JSON, _ style: TextStyle) -> String {
    let athlete = event.text("athlete").map { " of \($0)" } ?? ""
    let start = style.dateAndTime(event.text("startDate")) ?? "?"
    switch event.text("unattended") {
    case "started": return "a workout\(athlete) has begun by itself, at \(start)"
    case "wouldStart": return "dry run: a workout\(athlete) would have begun at \(start)"
    case "wouldEnd":
      let end = style.dateAndTime(event.text("endDate")) ?? "?"
      return "dry run: the workout\(athlete) that would have begun at \(start) would have ended at \(end)"
    default: return event.text.printable
    }
  }

  private static func label(_ object: JSON?) -> String {
    object?.text("label").map { " '\($0)'" } ?? ""
  }

  private static func activity(_ event: JSON) -> String {
    event["activity"].map { SessionText.activity($0) } ?? "?"
  }

  private static func part(_ part: JSON?) -> String {
    guard let elapsed = part?.hours("elapsedSeconds") else { return "(its statistics are being computed)" }
    let average = part?["statistics"]?["heartRate"]?.average("average")
    return elapsed + (average.map { ", \($0) on average" } ?? "")
  }

  private static func alert(_ alert: JSON, isOn: Bool) -> String {
    let limit = alert.integer("heartRate").map { "\($0) bpm" } ?? "?"
    let text =
      switch alert.text("kind") {
      case "above": "heart rate above \(limit)"
      case "below": "heart rate below \(limit)"
      case "outsideZone": "heart rate outside of zone \(alert.integer("zone").map(String.init) ?? "?")"
      case "every": alert.hours("intervalSeconds").map { "another \($0)" } ?? "an interval"
      default: alert.text.printable
      }
    return isOn ? "alert: \(text)" : "no more: \(text)"
  }

  private static func goal(_ goal: JSON) -> String {
    goal.hours("seconds") ?? goal.integer("kilojoules").map { "\($0) kJ" } ?? goal.text.printable
  }
}
