import Control
import Controllers

// From the hardware to bluetoothd.
extension Diagnosis {
  /// What the kernel has.
  var controllers: [Finding] {
    let what = "which Bluetooth controllers the kernel has"
    switch facts.kernel {
    case .failed(let why): return [Self.unknown("kernel", what, why)]
    case .timedOut(let limit): return [Self.late("kernel", what, limit)]
    case .found(.absent) where hasAdapter, .found(.present([])) where hasAdapter:
      return [Finding("kernel", .note, "the kernel's controllers are hidden from this process; bluetoothd has one")]
    case .found(.absent):
      return [
        Finding(
          "kernel", .problem, "the kernel has no Bluetooth: not built in, its module not loaded, or shut by a sandbox",
          advice: "load the controller's driver: 'sudo modprobe btusb' (USB) or 'sudo modprobe hci_uart' (boards)")
      ]
    case .found(.present(let controllers)) where controllers.isEmpty:
      return [
        Finding(
          "kernel", .problem, "the kernel has no Bluetooth controller",
          advice: "plug one in; where one is built in, 'sudo dmesg | grep -i bluetooth' tells what its driver misses")
      ]
    case .found(.present(let controllers)):
      let isOneUsable = controllers.contains { $0.isUp && !$0.isTooOld }
      return controllers.map { controller in
        finding(on: controller, isAnotherUsable: isOneUsable, isOnlyOne: controllers.count == 1)
      }
    }
  }

  private func finding(on controller: Controller, isAnotherUsable: Bool, isOnlyOne: Bool) -> Finding {
    let id = "controller.\(controller.name)"
    let version = controller.version.map { ", Bluetooth \($0.specification), \($0.manufacturerName)" } ?? ""
    let text = "\(controller)\(version)"
    if controller.isTooOld {
      return Finding(
        id, isAnotherUsable ? .note : .problem, "\(text): heart-rate straps need Bluetooth 4.0",
        advice: "use an adapter with Bluetooth 4.0 or later")
    }
    if controller.isUp { return Finding(id, .ok, text) }
    return Finding(
      id, isAnotherUsable ? .note : .warning, text,
      advice: Self.switching(isOnlyOne ? nil : controller.address?.description ?? "its address"))
  }

  /// - Parameter adapter: nil for bluetoothctl's default one: for others its commands need them selected, each time anew.
  private static func powerOn(_ adapter: String?) -> String {
    adapter.map { "in bluetoothctl, 'select \($0)', then 'power on'" } ?? "'bluetoothctl power on'"
  }

  private static func switching(_ adapter: String?) -> String {
    "strapd switches it on when a strap is wanted, unless power_adapter = no; by hand: \(powerOn(adapter))"
  }

  /// rfkill.
  var switches: [Finding] {
    switch facts.switches {
    case .failed(let why): return [Self.unknown("rfkill", "whether rfkill blocks Bluetooth", why)]
    case .timedOut(let limit): return [Self.late("rfkill", "whether rfkill blocks Bluetooth", limit)]
    case .found(let switches):
      let blocked = switches.filter { $0.isBlockedBySoftware || $0.isBlockedByHardware }
      guard !blocked.isEmpty else { return [Finding("rfkill", .ok, "rfkill blocks no Bluetooth")] }
      let isEverything = blocked.count == switches.count && !hasPoweredAdapter
      return blocked.map { blocked in
        Finding(
          "rfkill.\(blocked.name)", isEverything ? .problem : .warning,
          blocked.isBlockedByHardware
            ? "Bluetooth is off by a key or switch of the machine (rfkill: \(blocked.name))"
            : "rfkill blocks Bluetooth (\(blocked.name))",
          advice: blocked.isBlockedByHardware
            ? "press the key or move the switch; no command can" : "sudo rfkill unblock bluetooth")
      }
    }
  }

  /// The system bus.
  var bus: Finding {
    switch facts.bus {
    case .found: Finding("bus", .ok, "the system bus answers")
    case .failed(let why):
      Finding("bus", .problem, why, advice: "sudo systemctl start dbus (without systemd: sudo service dbus start)")
    case .timedOut(let limit):
      Finding(
        "bus", .problem, "the system bus does not answer within \(limit.inWords)",
        advice: "'systemctl status dbus' tells more; a restart of the machine is the safest cure")
    }
  }

  /// Whether bluetoothd runs, and which.
  var bluetoothd: [Finding] {
    guard let bus = facts.bus.value else { return [] }
    switch bus.bluetoothd {
    case .absent: return [absentBluetoothd]
    case .silent(let limit):
      return [
        Finding(
          "bluetoothd", .problem, "bluetoothd runs and does not answer within \(limit.inWords)",
          advice: "sudo systemctl restart bluetooth")
      ]
    case .refused(.accessDenied):
      return [Finding("bluetoothd", .ok, "bluetoothd runs")]
    case .refused(let error):
      return [
        Finding(
          "bluetoothd", .problem, "bluetoothd does not show its objects: \(error)",
          advice: "sudo systemctl restart bluetooth")
      ]
    case .present(let adapters): return [running(adapters.compactMap(\.version).first)]
    }
  }

  private var absentBluetoothd: Finding {
    guard case .found(nil) = facts.installed else {
      let version = facts.installed.value?.flatMap(\.version).map { " (\($0) is installed)" } ?? ""
      let isMasked = unit("bluetooth.service")?.load == "masked"
      return Finding(
        "bluetoothd", .problem, "bluetoothd does not run\(version)",
        advice: (isMasked ? "sudo systemctl unmask bluetooth && " : "") + "sudo systemctl enable --now bluetooth")
    }
    return Finding("bluetoothd", .problem, "bluetoothd is not installed", advice: "sudo apt install bluez")
  }

  private func running(_ version: String?) -> Finding {
    let installed = facts.installed.value?.flatMap(\.version)
    guard let version else {
      let other = installed.map { "; \($0) is installed" } ?? ""
      return Finding("bluetoothd", .ok, "bluetoothd runs, and does not tell its version\(other)")
    }
    guard let installed, installed != version else { return Finding("bluetoothd", .ok, "bluetoothd \(version) runs") }
    return Finding(
      "bluetoothd", .note, "bluetoothd \(version) runs, and \(installed) is installed",
      advice: "'sudo systemctl restart bluetooth' takes the new one, when no workout runs")
  }

  /// Whether bluetoothd may be spoken to: by this user, and by strapd.
  var policy: [Finding] {
    guard let bus = facts.bus.value else { return [] }
    let join = "sudo usermod -aG bluetooth strapd && sudo systemctl restart strapd (where there is no group bluetooth: "
    let advice = join + "allow it in /etc/dbus-1/system.d)"
    if status?.text("bluetooth") == "refused" {
      return [
        Finding("policy", .problem, "the D-Bus policy does not let strapd speak to bluetoothd", advice: advice)
      ]
    }
    switch bus.bluetoothd {
    case .absent, .silent: return []
    case .refused(.accessDenied):
      guard status == nil else {
        return [Finding("policy", .note, "the D-Bus policy lets strapd speak to bluetoothd, and not this user")]
      }
      return [
        Finding(
          "policy", .warning,
          "the D-Bus policy does not let this user speak to bluetoothd, and perhaps not strapd either",
          advice: advice)
      ]
    case .refused, .present:
      return [Finding("policy", .ok, "the D-Bus policy lets this user speak to bluetoothd")]
    }
  }

  /// The adapters that bluetoothd has.
  var adapters: [Finding] {
    guard case .present(let adapters)? = facts.bus.value?.bluetoothd else { return [] }
    guard !adapters.isEmpty else {
      // Without a controller there is nothing that it could show, which is a finding of its own.
      guard case .found(.present(let controllers)) = facts.kernel, !controllers.isEmpty else { return [] }
      return [
        Finding(
          "adapters", .problem, "bluetoothd has no adapter, and the kernel has a controller",
          advice: "sudo systemctl restart bluetooth; 'journalctl -u bluetooth' tells why it does not take it")
      ]
    }
    let text = "bluetoothd has " + adapters.map(\.words).joined(separator: "; ")
    if hasPoweredAdapter { return [Finding("adapters", .ok, text)] }
    if adapters.allSatisfy(\.isBlocked) {
      return [Finding("adapters", .problem, text, advice: "sudo rfkill unblock bluetooth")]
    }
    // strapd switches it on when a strap is wanted; where one is and it is off all the same, that has not worked.
    let isWanted = status?.list("sessions").isEmpty == false
    let which = adapters.count == 1 ? nil : "ADDRESS"
    let file = status?.text("configurationFile") ?? Self.usualConfiguration
    return [
      Finding(
        "adapters", isWanted ? .problem : .warning, text,
        advice: isWanted
          ? "\(Self.powerOn(which)); 'power_adapter = yes' in \(file) lets strapd do it" : Self.switching(which))
    ]
  }
}

extension BusAdapter {
  fileprivate var words: String {
    "\(name) \(address.map(\.description) ?? "(no address)"), \(isPowered ? "on" : isBlocked ? "blocked" : "off")"
  }
}

extension Controller {
  /// Bluetooth Low Energy came with 4.0, whose assigned number is 6 (Core Specification, Assigned Numbers).
  var isTooOld: Bool { version.map { $0.hci < 6 } ?? false }
}
