import BlueZ
import Bus
import Measurements

// What keeps Bluetooth from being used, for people.
extension Roster {
  /// Whether Bluetooth can be used, by the name that goes on the wire.
  var hostName: String {
    LinkWorld.Host(mirror, adapter: configuration.adapter).trouble?.rawValue ?? "ready"
  }

  /// Whether it is not known yet what keeps Bluetooth from being used: bus or bluetoothd are only just being asked.
  var isHostUnknown: Bool {
    switch mirror.presence {
    case .noBus: !hasMissedBus
    case .starting: true
    case .absent, .refused, .ready: false
    }
  }

  /// What keeps Bluetooth from being used, and what to do; nil while nothing does.
  var hostAdvice: String? { hostAdvice(by: configuration.adapter) }

  /// What keeps a strap from being reached, as far as this machine is concerned.
  func hostAdvice(of strap: StrapAddress) -> String? {
    hostAdvice(by: fixedAdapter(of: strap) ?? links[strap]?.choice.adapter)
  }

  func hostTrouble(of strap: StrapAddress) -> TroubleKind? {
    LinkWorld.Host(mirror, adapter: fixedAdapter(of: strap) ?? links[strap]?.choice.adapter).trouble
  }

  /// - Parameter adapter: nil where any will do.
  func hostAdvice(by adapter: StrapAddress?) -> String? {
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
        : "the Bluetooth adapter\(which) is off: \(which.isEmpty ? "bluetoothctl power on" : Self.powerOn(which))"
    case .adapterBlocked: return "the Bluetooth adapter\(which) is blocked: rfkill unblock bluetooth"
    }
  }

  /// bluetoothctl's commands go to the default adapter until another one is selected, and it forgets that when it ends.
  private static func powerOn(_ adapter: String) -> String { "in bluetoothctl, 'select\(adapter)', then 'power on'" }

  // MARK: Whether absence is the strap's

  /// Whether this machine can receive from the strap of a claim, or from any where it has none yet: adapter, bluetoothd
  /// and, while the strap is not connected, the scan. nil while bluetoothd is only just being asked.
  func isWorking(for claim: Claim, _ strap: StrapAddress?) -> Bool? {
    switch mirror.presence {
    case .noBus: return hasMissedBus ? false : nil
    case .starting: return treeWait > Self.firstTreeWait ? false : nil
    case .absent, .refused: return false
    case .ready: break
    }
    let adapter = wantedAdapter(for: claim, strap)
    guard LinkWorld.Host(mirror, adapter: adapter) == .ready else { return false }
    // A strap that is not connected has to be found first.
    if let strap, links[strap]?.world.device?.isConnected == true { return true }
    return mirror.tree.adapters.contains { path, object in
      object.isPowered && (adapter == nil || object.address == adapter) && !scanFaults.contains(path)
    }
  }

  /// Whether somebody holds this strap's link, or tries to, and this machine can receive from it; nil while bluetoothd is
  /// only just being asked.
  func isListening(to strap: StrapAddress) -> Bool? {
    guard let claim = links[strap]?.claims.min() else { return false }
    return isWorking(for: claim, strap)
  }

  /// What to do about it.
  func advice(for claim: Claim, _ strap: StrapAddress?) -> String? {
    let adapter = wantedAdapter(for: claim, strap)
    return hostAdvice(by: adapter) ?? scanAdvice(by: adapter)
  }

  private func wantedAdapter(for claim: Claim, _ strap: StrapAddress?) -> StrapAddress? {
    strap.map { fixedAdapter(of: $0) } ?? (adapterWishes[claim] ?? configuration.adapter)
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
