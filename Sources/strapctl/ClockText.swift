import Control

/// Events about clocks that were set, and about times in which strapd was away, for people.
enum ClockText {
  static func recovered(_ event: JSON, _ style: TextStyle) -> String {
    var text = "taken up again"
    if let date = style.dateAndTime(event.text("lastAliveDate")) { text += "; strapd was away since \(date)" }
    if event["rebooted"]?.asBool == true { text += ", the machine was started anew" }
    if event["provisional"]?.asBool == true { text += " (for how long is provisional: the clock is not right yet)" }
    return text
  }

  static func words(_ event: JSON, _ style: TextStyle) -> String {
    switch event.text("kind") {
    case "clockStep":
      let step = event.real("stepSeconds") ?? 0
      return "the clock was set \(step < 0 ? "back" : "forward") by \(span(abs(step)))"
    case "gapFixed":
      let was = event.real("previousGapSeconds").map { ", not \(span($0))" } ?? ""
      return "the machine was off for \(span(event.real("gapSeconds") ?? 0))\(was)"
    // What a later strapd tells is shown as it comes.
    default: return event.text.printable
    }
  }

  private static func span(_ seconds: Double) -> String {
    guard let whole = Int64(exactly: seconds.rounded()) else { return "\(seconds) s" }
    if whole < 60 { return "\(seconds) s" }
    return whole < 86_400 ? "\(whole / 3600) h \(whole / 60 % 60) min \(whole % 60) s" : "\(whole / 86_400) days"
  }
}
