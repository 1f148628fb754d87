import Bus
import Measurements

/// The one Bluetooth controller.
struct Adapter: Equatable {
  let name: String
  let address = "00:AA:01:00:00:42"
  var alias = "strap-sim"
  var isPowered = true
  /// By rfkill; `isPowered` is false meanwhile and comes back afterwards if this says so.
  var isBlocked = false
  var wasPoweredBeforeBlocking = false
  var isDiscoverable = false
  var isPairable = false
  /// Who scans; one session a client.
  var discoverers: [ConnectionName] = []
  /// What each client has asked for, also before it scans.
  var filters: [ConnectionName: DiscoveryFilter] = [:]

  init(name: String = "hci0") {
    self.name = name
  }

  var isDiscovering: Bool { !discoverers.isEmpty }

  /// Whether a scan reports a strap: the filters of all who scan merge, as they do in bluetoothd.
  func reports(_ strap: Strap) -> Bool {
    discoverers.contains { client in
      guard let filter = filters[client] else { return true }
      return filter.takes(strap)
    }
  }

  var powerState: String {
    if isBlocked { return "off-blocked" }
    return isPowered ? "on" : "off"
  }
}

/// The argument of SetDiscoveryFilter, as far as it matters to a strap.
struct DiscoveryFilter: Equatable {
  private var uuids: [String] = []
  private var takesLowEnergy = true
  private var weakest: Int16?

  /// Nil for a key or a type that bluetoothd refuses.
  init?(_ properties: BusValue) {
    guard let properties = properties.asProperties else { return nil }
    for (key, value) in properties {
      switch key {
      case "UUIDs":
        guard let texts = value.asStrings else { return nil }
        uuids = texts.map { $0.lowercased() }
      case "Transport":
        guard let transport = value.asString, ["auto", "bredr", "le"].contains(transport) else { return nil }
        takesLowEnergy = transport != "bredr"
      case "RSSI":
        guard let rssi = value.asInt16 else { return nil }
        weakest = rssi
      case "Pathloss":
        guard value.asUInt16 != nil else { return nil }
      case "DuplicateData", "Discoverable":
        guard value.asBool != nil else { return nil }
      case "Pattern":
        guard value.asString != nil else { return nil }
      default: return nil
      }
    }
  }

  fileprivate func takes(_ strap: Strap) -> Bool {
    guard takesLowEnergy, strap.rssi >= weakest ?? .min else { return false }
    return uuids.isEmpty || strap.declaration.advertised.contains { uuids.contains($0.description) }
  }
}
