import BlueZ
import Bus
import Measurements

// What keeps Bluetooth from being used, for people.
extension Roster {
  /// Whether Bluetooth can be used, by the name that goes on the wire.
  var hostName: String {
    switch LinkWorld.Host(mirror, adapter: configuration.adapter) {
    case .ready: "ready"
    case .bluetoothdAbsent: "bluetoothdAbsent"
    case .refused: "refused"
    case .noAdapter: "noAdapter"
    case .adapterOff: "adapterOff"
    case .adapterBlocked: "adapterBlocked"
    }
  }

  /// What keeps Bluetooth from being used, and what to do; nil while nothing does.
  var hostAdvice: String? { hostAdvice(by: configuration.adapter) }

  /// What keeps a strap from being reached, as far as this machine is concerned.
  func hostAdvice(of strap: StrapAddress) -> String? {
    hostAdvice(by: fixedAdapter(of: strap) ?? links[strap]?.choice.adapter)
  }

  /// - Parameter adapter: nil where any will do.
  private func hostAdvice(by adapter: StrapAddress?) -> String? {
    // With one adapter there is no need to say which.
    let which = adapter.map { mirror.tree.adapters.count > 1 ? " \($0)" : "" } ?? ""
    switch LinkWorld.Host(mirror, adapter: adapter) {
    case .ready: return nil
    case .bluetoothdAbsent:
      return mirror.presence == .noBus
        ? "the system bus cannot be reached: is dbus running?"
        : "bluetoothd is not running: systemctl start bluetooth"
    case .refused(.accessDenied):
      return "the D-Bus policy does not let this user speak to bluetoothd: put the user into group bluetooth"
    case .refused(let error): return "bluetoothd does not show its objects: \(error)"
    case .noAdapter:
      let others = mirror.tree.adapters.values.compactMap(\.address).sorted().map(\.description)
      guard let adapter, !others.isEmpty else {
        return "bluetoothd knows no Bluetooth adapter: is one plugged in?"
      }
      return "bluetoothd knows no Bluetooth adapter \(adapter): plug it in, or choose from "
        + others.joined(separator: ", ")
    case .adapterOff:
      return isPowerRefused(adapter)
        ? "the Bluetooth adapter\(which) is off and does not go on; it may be blocked: rfkill unblock bluetooth"
        : "the Bluetooth adapter\(which) is off: bluetoothctl power on"
    case .adapterBlocked: return "the Bluetooth adapter\(which) is blocked: rfkill unblock bluetooth"
    }
  }

  private func isPowerRefused(_ adapter: StrapAddress?) -> Bool {
    powerRefusals.keys.contains { path in
      refusesPower(path) && (adapter == nil || mirror.tree.adapters[path]?.address == adapter)
    }
  }

  /// BlueZ 5.66 shows no `PowerState`, so there this is all that tells of rfkill. One refusal may be that of an adapter
  /// that is still coming up.
  func refusesPower(_ adapter: ObjectPath) -> Bool {
    powerRefusals[adapter] ?? 0 >= 2
  }
}
