import Control

/// What the facts mean: every finding, from the hardware upwards.
struct Diagnosis {
  /// What strapd reads where it does not say otherwise.
  static let usualConfiguration = "/etc/strapd/strapd.conf"

  let facts: Facts
  /// The socket that strapd was looked for at.
  let socket: String
  let style: TextStyle

  init(_ facts: Facts, socket: String = Place.defaultPath, _ style: TextStyle) {
    self.facts = facts
    self.socket = socket
    self.style = style
  }

  var findings: [Finding] {
    let bluetooth = [controllers, switches, [bus], bluetoothd, policy, adapters]
    let daemon = [service, atBoot, [strapd], version, ability, store, signals]
    let host = [socketFile, group, state, [disk], [clock]]
    return (bluetooth + daemon + host + [straps]).flatMap { $0 }
  }

  /// GetStatus's reply, where there is one.
  var status: JSON? {
    if case .status(let status, _) = facts.daemon { status } else { nil }
  }

  /// Whether bluetoothd has an adapter that is on: then whatever else is odd about the hardware does not matter.
  /// Whether bluetoothd has an adapter, on or off.
  var hasAdapter: Bool {
    guard case .present(let adapters)? = facts.bus.value?.bluetoothd else { return false }
    return !adapters.isEmpty
  }

  var hasPoweredAdapter: Bool {
    guard case .present(let adapters)? = facts.bus.value?.bluetoothd else { return false }
    return adapters.contains(where: \.isPowered)
  }

  func unit(_ name: String) -> Unit? {
    guard case .units(let units)? = facts.bus.value?.systemd else { return nil }
    return units.first { $0.name == name }
  }

  /// The finding where a probe came to nothing; that is no proof that anything is wrong.
  static func unknown(_ id: String, _ what: String, _ why: String) -> Finding {
    Finding(id, .warning, "\(what) cannot be told: \(why)", advice: "try again as root: 'sudo strapctl doctor'")
  }

  static func late(_ id: String, _ what: String, _ limit: Duration) -> Finding {
    Finding(
      id, .warning, "\(what) cannot be told: no answer within \(limit.inWords)",
      advice: "see 'dmesg' for what the machine hangs at")
  }
}

extension [Finding] {
  /// Whether something keeps workouts from being recorded.
  var preventRecording: Bool { contains { $0.severity == .problem } }
}
