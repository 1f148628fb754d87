import Control

/// A session's snapshot for people: what every call on a session answers with.
struct SessionText {
  let snapshot: JSON
  let style: TextStyle

  var lines: [String] {
    var fields = Fields()
    fields.add("session", snapshot.text("id"))
    fields.add("state", state)
    fields.add("activity", Self.activity(snapshot))
    fields.add("athlete", snapshot.text("athlete"))
    fields.add("strap", snapshot.text("strap"))
    fields.add("trouble", snapshot.text("trouble").map { "no strap yet: \($0)" })
    fields.add("start", style.dateAndTime(snapshot.text("startDate")))
    fields.add("end", style.dateAndTime(snapshot.text("endDate")))
    if snapshot.text("startDate") != nil { fields.add("elapsed", snapshot.hours("elapsedSeconds")) }
    if snapshot.text("state") != "ended" { fields.add("heart rate", Self.heartRate(snapshot, style)) }
    fields.add("average", average)
    fields.add("zone", snapshot.integer("zone").map { "\($0) of \(snapshot.list("zones").count)" })
    if let laps = snapshot.integer("lapCount"), laps > 0 { fields.add("laps", String(laps)) }
    fields.add("activity now", snapshot["currentActivity"].map { Self.activity($0) })
    return fields.lines
  }

  private var state: String {
    let state = snapshot.text("state") ?? "?"
    if let seconds = snapshot.real("countdownSeconds") { return "\(state), starts in \(tenths(seconds)) s" }
    if snapshot["startsAtFirstBeat"]?.asBool == true { return "\(state), starts with the first heart rate" }
    return snapshot.text("endReason").map { "\(state) (\($0))" } ?? state
  }

  private var average: String? {
    guard let heartRate = snapshot["statistics"]?["heartRate"], let average = heartRate.average("average") else {
      return nil
    }
    guard let minimum = heartRate.integer("minimum"), let maximum = heartRate.integer("maximum") else { return average }
    return "\(average), \(minimum) to \(maximum)"
  }

  /// "running, outdoor" of a session or a workout.
  static func activity(_ object: JSON) -> String {
    let activity = object.text("activity") ?? "?"
    guard let location = object.text("location"), location != "unknown" else { return activity }
    return "\(activity), \(location)"
  }

  /// The heart rate of a session or a strap while there is one, else why there is none.
  static func heartRate(_ object: JSON, _ style: TextStyle) -> String {
    if let heartRate = object.integer("heartRate") { return "\(style.heart) \(heartRate) bpm" }
    if object.text("availability") == "available" {
      // A session whose first heart rate has not come yet has statistics all the same; what is hidden has none.
      let isAwaited = object["statistics"] != nil
      return isAwaited ? "awaited" : "hidden while your screen is locked"
    }
    return availability(object.text("availability") ?? "unknown")
  }

  static func availability(_ name: String) -> String {
    switch name {
    case "acquiring": "awaited"
    case "unavailable": "none"
    case "noContact": "none (no skin contact)"
    default: name
    }
  }
}
