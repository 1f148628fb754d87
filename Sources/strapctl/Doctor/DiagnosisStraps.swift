import Control

// The straps that strapd knows, and what was wrong with them last.
extension Diagnosis {
  var straps: [Finding] {
    guard case .status(let status, let known) = facts.daemon else { return [] }
    let linked = status.list("straps")
    let all = Dictionary(known.map { ($0.text("address") ?? "?", $0) }) { first, _ in first }
    let addresses = Set(linked.compactMap { $0.text("address") })
    let others = known.filter { !addresses.contains($0.text("address") ?? "") }
    guard !linked.isEmpty || !others.isEmpty else {
      return [
        Finding(
          "straps", .note, "strapd knows no strap yet",
          advice: "wear one, wet its electrodes, and run 'strapctl prepare'")
      ]
    }
    return linked.map { finding(on: $0, all[$0.text("address") ?? "?"] ?? .null) } + others.map { finding(onKnown: $0) }
  }

  private func finding(on strap: JSON, _ known: JSON) -> Finding {
    let address = strap.text("address") ?? "?"
    let id = "strap.\(address)"
    let name = Self.name(strap, strap.text("givenName") ?? strap.text("name"))
    if let missing = missingAdapter(known, name, id) { return missing }
    let kind = strap.text("troubleKind")
    switch kind {
    case "bondLost":
      return Finding(
        id, .problem, "\(name) has lost its pairing with this host, and ends every connection",
        advice: "wear it, and 'strapctl pair --again \(address)'")
    case "bondNeeded":
      return Finding(
        id, .problem, "\(name) answers only paired hosts", advice: "wear it, and 'strapctl pair \(address)'")
    case "noHeartRate":
      return Finding(
        id, .problem, "\(name) has no Heart Rate Service",
        advice: "is it the strap? 'strapctl scan' shows those that are near; 'strapctl forget \(address)'")
    default: break
    }
    if let trouble = strap.text("trouble") {
      return Finding(
        id, kind.map(Self.preventing.contains) == true ? .problem : .warning, "\(name): \(trouble)",
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

  /// What keeps a strap that is wanted from recording until a person does something. The rest may be a matter of wearing it,
  /// or is a finding of its own.
  private static let preventing: Set<String> = [
    "refused", "noAdapter", "adapterOff", "adapterBlocked", "pairFailed", "neverSubscribed", "endsEarly",
  ]

  /// The configuration wants a strap reached by an adapter that there is not. Where there is none at all, that is a finding
  /// of its own.
  private func missingAdapter(_ known: JSON, _ name: String, _ id: String) -> Finding? {
    let adapters = status?.list("adapters").compactMap { $0.text("address") } ?? []
    guard let adapter = known.text("adapter"), !adapters.isEmpty, !adapters.contains(adapter) else { return nil }
    let file = known.text("configurationFile") ?? status?.text("configurationFile") ?? Self.usualConfiguration
    return Finding(
      id, .problem,
      "\(name) is to be reached by the Bluetooth adapter \(adapter), which this machine has not; it has "
        + adapters.joined(separator: ", "),
      advice: "plug it in, or change 'adapter' in \(file), and 'sudo systemctl reload strapd'")
  }

  private func finding(onKnown strap: JSON) -> Finding {
    let name = Self.name(strap, strap.text("name") ?? strap.text("deviceName"))
    if let missing = missingAdapter(strap, name, "strap.\(strap.text("address") ?? "?")") { return missing }
    let last = style.dateAndMinute(strap.text("lastSeenDate")).map { "last connected at \($0)" } ?? "never connected"
    var words = [strap["connected"]?.asBool == true ? "connected now" : last]
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
