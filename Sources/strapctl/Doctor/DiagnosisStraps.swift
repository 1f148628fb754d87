import Control

// The straps that strapd knows, and what was wrong with them last.
extension Diagnosis {
  var straps: [Finding] {
    guard case .status(let status, let known) = facts.daemon else { return [] }
    let linked = status.list("straps")
    let addresses = Set(linked.compactMap { $0.text("address") })
    let others = known.filter { !addresses.contains($0.text("address") ?? "") }
    guard !linked.isEmpty || !others.isEmpty else {
      return [
        Finding(
          "straps", .note, "strapd knows no strap yet",
          advice: "wear one, wet its electrodes, and run 'strapctl prepare'")
      ]
    }
    return linked.map { finding(on: $0) } + others.map { finding(onKnown: $0) }
  }

  private func finding(on strap: JSON) -> Finding {
    let id = "strap.\(strap.text("address") ?? "?")"
    let name = Self.name(strap, strap.text("givenName") ?? strap.text("name"))
    if let trouble = strap.text("trouble") {
      return Finding(
        id, .warning, "\(name): \(trouble)",
        advice: "'strapctl watch' shows whether it helps, and 'journalctl -u strapd' what has been tried")
    }
    var words = [LinkText.words(strap.text("link") ?? "?")]
    if let battery = strap.integer("batteryPercent") { words.append(StatusText.battery(battery, strap)) }
    if let count = strap.integer("refusedPackets"), count > 0 { words.append("\(count) packets refused") }
    if let last = strap.text("lastTrouble") {
      let date = style.dateAndTime(strap.text("lastTroubleDate")).map { " at \($0)" } ?? ""
      words.append("last trouble\(date): \(last)")
    }
    return withBattery(strap, id, "\(name): \(words.joined(separator: ", "))")
  }

  private func finding(onKnown strap: JSON) -> Finding {
    let name = Self.name(strap, strap.text("name") ?? strap.text("deviceName"))
    var words = [style.dateAndMinute(strap.text("lastSeenDate")).map { "last connected at \($0)" } ?? "never connected"]
    if let battery = strap.integer("batteryPercent") { words.append(StatusText.battery(battery, strap)) }
    return withBattery(strap, "strap.\(strap.text("address") ?? "?")", "\(name): \(words.joined(separator: ", "))")
  }

  /// Below this a workout may outlast the battery: the lowest but one of the levels that strapd tells of.
  private static let lowBattery: Int64 = 10

  private func withBattery(_ strap: JSON, _ id: String, _ text: String) -> Finding {
    let isKnownWrong = strap["batteryUnreliable"]?.asBool == true
    guard let battery = strap.integer("batteryPercent"), battery <= Self.lowBattery, !isKnownWrong else {
      return Finding(id, .ok, text)
    }
    return Finding(id, .warning, text, advice: "put a new battery into it, or charge it, before the next workout")
  }

  private static func name(_ strap: JSON, _ name: String?) -> String {
    let address = strap.text("address") ?? "?"
    return name.map { "\($0) (\(address))" } ?? address
  }
}
