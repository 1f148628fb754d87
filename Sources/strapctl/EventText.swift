import Control

/// The events of a watch for people, one line each.
///
/// It remembers the straps that it has met, by their addresses, and what they are called: once there are several, each
/// line says which one it is about.
struct EventText {
  let style: TextStyle
  private var straps: [String: String] = [:]
  private var sessions: Set<String> = []
  /// The adapter that a monitor was to use.
  private let adapter: String?

  init(_ style: TextStyle, adapter: String? = nil) {
    (self.style, self.adapter) = (style, adapter)
  }

  mutating func line(_ event: JSON) -> String {
    if let strap = event.text("strap"), straps[strap] == nil { straps[strap] = strap }
    if let session = event.text("session") { sessions.insert(session) }
    for strap in event.list("straps") {
      if let address = strap.text("address") { straps[address] = strap.text("givenName") ?? address }
    }
    for session in event.list("sessions") { sessions.formUnion(session.text("id").map { [$0] } ?? []) }
    var parts = [style.timeWithMilliseconds(event.text("date")) ?? "?", words(event)]
    if straps.count > 1, let strap = event.text("strap") { parts.append(straps[strap] ?? strap) }
    if sessions.count > 1, let session = event.text("session") { parts.append(session) }
    if event["held"]?.asBool == true { parts.append("(not written to the disk yet)") }
    return parts.joined(separator: "  ")
  }

  /// What has happened, without when, and to which strap and session.
  func words(_ event: JSON) -> String {
    switch event.text("kind") {
    case "snapshot": snapshot(event)
    case "transition": transition(event)
    case "heartRate": heartRate(event)
    case "availability": "heart rate \(SessionText.availability(event.text("availability") ?? "unknown"))"
    case "gap":
      "no measurement" + (style.timeWithMilliseconds(event.text("sinceDate")).map { " since \($0)" } ?? "")
    case "link": "strap " + link(event).joined(separator: ", ")
    case "monitoring": monitoring(event)
    case "lagged":
      "\(event.integer("count").map { "\($0)" } ?? "some") measurements are left out: they were not read in time"
    case "battery":
      "battery low" + (event.integer("batteryPercent").map { ": \($0) %" } ?? "")
    case "countdown":
      event["cancelled"]?.asBool == true
        ? "the start is cancelled" : "starts in \(event.integer("remainingSeconds").map { "\($0) s" } ?? "?")"
    case "lap", "segment", "marker", "activityBegan", "activityEnded", "pauseOrResumeRequest", "types", "zone", "alert",
      "goal", "session", "failed", "host", "unattended", "postExerciseEnded", "discarded", "restored":
      NoteText.words(event, style)
    case "recovered":
      ClockText.recovered(event, style)
    case "clockStep", "gapFixed": ClockText.words(event, style)
    // What a later strapd tells is shown as it comes.
    default: event.text.printable
    }
  }

  private func monitoring(_ event: JSON) -> String {
    var parts = [event.text("strap").map { "monitoring \($0)" } ?? "looking for a strap"] + link(event)
    // Whoever uses a strap already is not disturbed by one more who looks on.
    if let adapter, let other = event.text("adapter"), other != adapter {
      parts.append("used by adapter \(other) already")
    }
    return parts.joined(separator: ", ")
  }

  private func snapshot(_ event: JSON) -> String {
    let sessions = event.list("sessions").map { session in
      "\(SessionText.activity(session)) \(session.text("state") ?? "?"), heart rate \(SessionText.heartRate(session, style))"
    }
    let straps = event.list("straps").map { strap in
      "\(strap.text("givenName") ?? strap.text("name") ?? strap.text("address") ?? "?") \(LinkText.words(strap.text("link") ?? "?"))"
    }
    let now = sessions.isEmpty ? ["no session"] : sessions
    let missed = event["missed"]?.asBool == true ? ["strapd does not know everything that happened before"] : []
    return "now: " + (now + straps + missed).joined(separator: "; ")
  }

  private func transition(_ event: JSON) -> String {
    var text = "\(event.text("from") ?? "?") \(style.arrow) \(event.text("to") ?? "?")"
    if let reason = event.text("endReason") {
      text += " (\(reason))"
    } else if let cause = event.text("cause"), cause != "user" {
      text += " (\(cause))"
    }
    if let date = style.dateAndTime(event.text("requestedDate")) { text += ", dated \(date)" }
    return text
  }

  private func heartRate(_ event: JSON) -> String {
    if event["redacted"]?.asBool == true { return "\(style.heart) hidden while your screen is locked" }
    let heartRate = event.integer("heartRate") ?? 0
    // 0 is how a strap says that it has no reading.
    var parts = ["\(style.heart) \(heartRate == 0 ? "--" : String(heartRate)) bpm"]
    let intervals = event.list("rrIntervals").compactMap(\.asReal).map { whole($0) }
    if !intervals.isEmpty { parts.append("RR \(intervals.joined(separator: " ")) ms") }
    if let energy = event.integer("energyKilojoules") { parts.append("\(energy) kJ") }
    if event.text("contact") == "notDetected" { parts.append("no skin contact") }
    if event["repeat"]?.asBool == true { parts.append("repeated") }
    parts += event.list("warnings").compactMap { $0.asString?.printable }
    if let count = event.integer("coalesced") { parts.append("the newest of \(count)") }
    if event["counted"]?.asBool == false, event.text("session") != nil { parts.append("not counted") }
    return parts.joined(separator: "  ")
  }

  private func link(_ event: JSON) -> [String] {
    var parts = event.text("link").map { [LinkText.words($0)] } ?? []
    if let battery = event.integer("batteryPercent") { parts.append(StatusText.battery(battery, event)) }
    if let trouble = event.text("trouble") { parts.append(trouble) }
    return parts
  }

  private func whole(_ milliseconds: Double) -> String {
    Int64(exactly: milliseconds.rounded()).map(String.init) ?? "\(milliseconds)"
  }
}
