import Control

/// How long the daemon takes, for people.
enum TimingsText {
  static func lines(_ timings: JSON) -> [String] {
    var table = Table([
      ("", .left), ("count", .right), ("median", .right), ("99 in 100", .right), ("longest", .right),
    ])
    table.add(row("heart rates", timings["heartRates"]))
    table.add(row("turns", timings["turns"]))
    for call in timings.list("calls") { table.add(row(call.text("method") ?? "?", call)) }
    return table.lines
  }

  private static func row(_ name: String, _ timing: JSON?) -> [String] {
    let times = ["medianSeconds", "p99Seconds", "longestSeconds"].map { timing?.real($0).map(milliseconds) ?? "-" }
    return [name, timing?.integer("count").map(String.init) ?? "?"] + times
  }

  private static func milliseconds(_ seconds: Double) -> String {
    let microseconds = Int((seconds * 1e6).rounded())
    let rest = String(microseconds % 1000)
    return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - rest.count) + rest) ms"
  }
}
