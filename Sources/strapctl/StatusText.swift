import Control
import Controllers

/// GetStatus's reply for people.
struct StatusText {
  let status: JSON
  /// The kernel's own controllers, or why they cannot be told; nil where they were not asked for.
  var kernel: Result<KernelBluetooth, ControllersError>?
  let style: TextStyle

  /// Whether the kernel is to be asked: bluetoothd shows nothing that could explain itself.
  static func wantsKernel(_ status: JSON) -> Bool { status.list("adapters").isEmpty }

  var lines: [String] {
    var fields = Fields()
    fields.add("strapd", "\(status.text("version") ?? "?")\(watchers)")
    fields.add("store", status.text("held").map { "cannot be written, what comes is kept in memory: \($0)" })
    fields.add("Bluetooth", status.text("advice") ?? status.text("bluetooth"))
    for adapter in status.list("adapters") { fields.add("adapter", Self.adapter(adapter)) }
    for line in kernelLines { fields.add("kernel", line) }
    let straps = status.list("straps")
    let sessions = status.list("sessions")
    // A session that takes any strap has none until one is found.
    let isWanted = sessions.contains { $0.text("availability") == "acquiring" }
    if straps.isEmpty { fields.add("strap", isWanted ? "none yet, any one will do" : "none is wanted") }
    for strap in straps {
      fields.add("strap", self.strap(strap))
      fields.add("", strap.text("trouble").map { "trouble: \($0)" })
      fields.add("", Self.measurements(strap))
      fields.add("", strap["unattended"].map { UnattendedText.words($0, style) })
    }
    if sessions.isEmpty { fields.add("session", "none") }
    for session in sessions {
      fields.add("session", "\(session.text("id") ?? "?") \(SessionText.activity(session))")
      fields.add("", self.session(session))
      fields.add("", session.text("trouble").map { "no strap yet: \($0)" })
    }
    fields.add("limits", status["limits"].map(Self.limits))
    for lock in status.list("locks") {
      let what = lock.text("what") ?? "?"
      if let mode = lock.text("mode") { fields.add("lock", "\(what), \(mode)") }
      fields.add("lock", lock.text("trouble").map { "not on \(what): \($0)" })
    }
    return fields.lines
  }

  private static func limits(_ limits: JSON) -> String {
    [
      ("without heart rate", limits.hours("absenceSeconds") ?? "never"), ("prepared", limits.hours("prepareSeconds")),
      ("paused", limits.hours("pauseSeconds")), ("stopped", limits.hours("stoppedSeconds")),
      ("strapd away", limits.hours("recoverySeconds")),
      ("held in memory", limits.integer("heldRecords").map { "\($0) records" }),
    ].compactMap { name, limit in limit.map { "\(name) \($0)" } }.joined(separator: ", ")
  }

  private var watchers: String {
    switch status.integer("watchers") {
    case nil, 0: ""
    case 1: ", 1 watcher"
    case .some(let count): ", \(count) watchers"
    }
  }

  private static func adapter(_ adapter: JSON) -> String {
    let name = [adapter.text("name"), adapter.text("address").map { "(\($0))" }].compactMap { $0 }
    var words = [name.joined(separator: " ")]
    if let isPowered = adapter["powered"]?.asBool { words.append(isPowered ? "on" : "off") }
    if adapter["discovering"]?.asBool == true { words.append("scanning") }
    return words.joined(separator: ", ")
  }

  private var kernelLines: [String] {
    switch kernel {
    case nil: []
    case .failure(let error): ["\(error)"]
    case .success(.absent):
      ["has no Bluetooth: it is not built in, its module is not loaded, or a sandbox shuts it"]
    case .success(.present(let controllers)) where controllers.isEmpty: ["has no Bluetooth controller: plug one in"]
    case .success(.present(let controllers)):
      controllers.map { controller in
        controller.isUp
          ? "has \(controller): 'systemctl status bluetooth' tells why bluetoothd does not show it"
          : "has \(controller): 'rfkill list' tells whether it is blocked"
      }
    }
  }

  private func strap(_ strap: JSON) -> String {
    let own = strap.text("givenName") ?? strap.text("name")
    let name = [own, strap.text("address").map { "(\($0))" }].compactMap { $0 }
    var words = [name.joined(separator: " "), LinkText.words(strap.text("link") ?? "?")]
    words.append("heart rate \(SessionText.heartRate(strap, style))")
    let isSaid = strap.text("availability") == "noContact"
    if strap.text("contact") == "notDetected", !isSaid { words.append("no skin contact") }
    if let battery = strap.integer("batteryPercent") { words.append(Self.battery(battery, strap)) }
    // With one adapter it says nothing.
    let isReached = status.list("adapters").count > 1 && strap.text("link") != "standing"
    if isReached, let adapter = strap.text("adapter") { words.append("by \(adapter)") }
    switch strap.integer("monitors") {
    case nil, 0: break
    case 1: words.append("monitored")
    case .some(let count): words.append("monitored by \(count)")
    }
    if let athlete = strap.text("athlete") { words.append("worn by \(athlete)") }
    return words.joined(separator: ", ")
  }

  /// The level, with a word where it is of a kind of strap that sends a wrong one.
  static func battery(_ percent: Int64, _ strap: JSON) -> String {
    "battery \(percent) %" + (strap["batteryUnreliable"]?.asBool == true ? " (not to be relied on)" : "")
  }

  /// What the measurements are like; nil before there was one.
  private static func measurements(_ strap: JSON) -> String? {
    guard let age = strap.real("ageSeconds") else { return nil }
    var words = ["last measurement \(tenths(age)) s ago"]
    if let period = strap.real("periodSeconds") {
      words.append("every \(tenths(period)) s" + (strap.real("jitterSeconds").map { " ± \(tenths($0)) s" } ?? ""))
    }
    for (name, word) in [
      ("lostBeats", "beats lost"), ("reconnects", "reconnects"), ("refusedPackets", "refused packets"),
      ("repeats", "repeats"),
    ] {
      if let count = strap.integer(name), count > 0 { words.append("\(count) \(word)") }
    }
    return words.joined(separator: ", ")
  }

  private func session(_ session: JSON) -> String {
    var words = [session.text("state") ?? "?"]
    if let countdown = session.real("countdownSeconds") { words.append("starts in \(tenths(countdown)) s") }
    words.append("elapsed \(session.hours("elapsedSeconds") ?? "?")")
    words.append("heart rate \(SessionText.heartRate(session, style))")
    if let average = session["statistics"]?["heartRate"]?.average("average") { words.append("average \(average)") }
    return words.joined(separator: ", ")
  }
}

/// The names of a link's status in words.
enum LinkText {
  static func words(_ link: String) -> String {
    switch link {
    case "standing": "not connected"
    case "waitingForBluetoothd": "waits for bluetoothd"
    case "waitingForAdapter": "waits for the adapter"
    case "backingOff": "waits before it tries again"
    default: link
    }
  }
}
