import Control

/// The devices that a scan has in sight, by their addresses.
struct ScanList {
  private(set) var devices: [String: JSON] = [:]
  /// What keeps devices from being heard.
  private(set) var advice: String?
  /// Whether an adapter has scanned at all.
  private(set) var hasScanned = false
  /// Whether any device was ever in sight.
  private(set) var hasSeenAny = false

  /// What is worth a line of its own.
  enum News: Equatable {
    case device(JSON)
    case gone(address: String)
    case advice(String)
  }

  /// Takes a report. A signal that has become another one is no news; that there is one, or none any more, is.
  mutating func take(_ report: JSON) -> [News] {
    var news: [News] = []
    let advice = report.text("advice")
    if let advice, advice != self.advice { news.append(.advice(advice)) }
    self.advice = advice
    // An older strapd does not say it.
    if report["scanning"]?.asBool ?? (advice == nil) { hasScanned = true }
    for device in report.list("devices") {
      guard let address = device.text("address") else { continue }
      let old = devices.updateValue(device, forKey: address)
      if old.map(Self.withoutSignal) != Self.withoutSignal(device) { news.append(.device(device)) }
      hasSeenAny = true
    }
    for address in report.list("gone").compactMap(\.asString) where devices.removeValue(forKey: address) != nil {
      news.append(.gone(address: address.printable))
    }
    return news
  }

  /// The strongest first; those without a signal last, of these the connected ones first.
  var sorted: [JSON] {
    devices.sorted { a, b in
      let (x, y) = (Self.weight(a.value), Self.weight(b.value))
      return x == y ? a.key < b.key : x > y
    }.map(\.value)
  }

  private static func weight(_ device: JSON) -> Int64 {
    device.integer("rssi") ?? (device["connected"]?.asBool == true ? -1000 : -2000)
  }

  private static func withoutSignal(_ device: JSON) -> JSON {
    guard case .object(let members) = device else { return device }
    return .object(members.map { $0.name == "rssi" ? .init("rssi", .bool(true)) : $0 })
  }
}

/// A scan's devices for people.
enum ScanText {
  /// One line about a device, by itself.
  static func line(_ device: JSON) -> String {
    ([device.text("address") ?? "?", signal(device), name(device)] + notes(device)).joined(separator: "  ")
  }

  /// The whole list, the advice above it.
  static func table(_ list: ScanList) -> [String] {
    let advice = list.advice.map { [$0] } ?? []
    let devices = list.sorted
    if devices.isEmpty { return advice.isEmpty ? ["scanning, nothing in sight yet; ^C ends"] : advice }
    var table = Table([("signal", .right), ("name", .left), ("address", .left), ("battery", .right), ("state", .left)])
    for device in devices {
      table.add([
        signal(device), name(device), device.text("address") ?? "?",
        device.integer("batteryPercent").map { "\($0) %" } ?? "-",
        states(device).isEmpty ? "-" : states(device).joined(separator: ", "),
      ])
    }
    return advice + table.lines
  }

  /// What to do where nothing was heard.
  static func nothing(all: Bool) -> String {
    all
      ? "nothing was heard: is the adapter's antenna free, and is anything near that advertises?"
      : "no strap was heard: wear it and wet the electrodes; if it is worn, it is probably held by another central "
        + "(a watch, a phone). With --all, devices without heart rate are shown as well"
  }

  private static func signal(_ device: JSON) -> String {
    device.integer("rssi").map { "\($0) dBm" } ?? "-"
  }

  /// In brackets what nobody has given.
  private static func name(_ device: JSON) -> String {
    device.text("givenName") ?? device.text("name").map { "(\($0))" } ?? "-"
  }

  private static func notes(_ device: JSON) -> [String] {
    let battery = device.integer("batteryPercent").map { ["battery \($0) %"] } ?? []
    let notes = battery + states(device)
    return notes.isEmpty ? [] : [notes.joined(separator: ", ")]
  }

  private static func states(_ device: JSON) -> [String] {
    [
      ("known", "known"), ("bonded", "bonded"), ("connected", "connected"),
    ].compactMap { device[$0.0]?.asBool == true ? $0.1 : nil }
      + (device["heartRate"]?.asBool == false ? ["no heart rate"] : [])
  }
}
