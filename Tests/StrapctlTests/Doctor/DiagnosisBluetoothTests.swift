import BlueZ
import Controllers
import Testing

@testable import strapctl

struct DiagnosisBluetoothTests {
  /// The finding with an id after a change; nil where there is none.
  private func finding(_ id: String, _ change: (inout Facts) throws -> Void) throws -> Finding? {
    try Facts.findings(change).first { $0.id == id }
  }

  private func withoutAdapter(_ facts: inout Facts) {
    facts.setBus { $0.bluetoothd = .present([]) }
  }

  private static let switching =
    "strapd switches it on when a strap is wanted, unless power_adapter = no; by hand: 'bluetoothctl power on'"

  // MARK: The kernel

  @Test func theKernelHasNoBluetooth() throws {
    let found = try finding("kernel") { facts in
      facts.kernel = .found(.absent)
      withoutAdapter(&facts)
    }
    #expect(
      found
        == Finding(
          "kernel", .problem, "the kernel has no Bluetooth: not built in, its module not loaded, or shut by a sandbox",
          advice: "load the controller's driver: 'sudo modprobe btusb' (USB) or 'sudo modprobe hci_uart' (boards)"))
  }

  @Test func theKernelHasNoController() throws {
    let found = try finding("kernel") { facts in
      facts.kernel = .found(.present([]))
      withoutAdapter(&facts)
    }
    #expect(
      found
        == Finding(
          "kernel", .problem, "the kernel has no Bluetooth controller",
          advice: "plug one in; where one is built in, 'sudo dmesg | grep -i bluetooth' tells what its driver misses"))
  }

  /// A sandbox hides them from this process, and bluetoothd has one all the same.
  @Test(arguments: [.absent, .present([])] as [KernelBluetooth])
  func theKernelsControllersAreHidden(_ kernel: KernelBluetooth) throws {
    #expect(
      try finding("kernel") { $0.kernel = .found(kernel) }
        == Finding("kernel", .note, "the kernel's controllers are hidden from this process; bluetoothd has one"))
  }

  @Test func aControllerIsDown() throws {
    let down = try finding("controller.hci0") { $0.kernel = .found(.present([.test("hci0", isUp: false)])) }
    #expect(
      down
        == Finding("controller.hci0", .warning, "hci0 DC:A6:32:01:02:03 down, UART", advice: Self.switching))
    let besides = try finding("controller.hci1") {
      $0.kernel = .found(.present([.test("hci0"), .test("hci1", isUp: false)]))
    }
    let select = "in bluetoothctl, 'select DC:A6:32:01:02:03', then 'power on'"
    let switching = Self.switching.replacing("'bluetoothctl power on'", with: select)
    #expect(besides == Finding("controller.hci1", .note, "hci1 DC:A6:32:01:02:03 down, UART", advice: switching))
  }

  @Test func aControllerIsOlderThanLowEnergy() throws {
    let text =
      "hci0 DC:A6:32:01:02:03 up, UART, Bluetooth 3.0, Cypress Semiconductor: heart-rate straps need Bluetooth 4.0"
    #expect(
      try finding("controller.hci0") { $0.kernel = .found(.present([.test("hci0", hci: 5)])) }
        == Finding("controller.hci0", .problem, text, advice: "use an adapter with Bluetooth 4.0 or later"))
    #expect(
      try finding("controller.hci0") { $0.kernel = .found(.present([.test("hci0", hci: 5), .test("hci1", hci: 6)])) }
        == Finding("controller.hci0", .note, text, advice: "use an adapter with Bluetooth 4.0 or later"))
  }

  // MARK: rfkill

  @Test func rfkillBlocks() throws {
    func blocked(_ software: Bool, _ hardware: Bool) -> RadioSwitch {
      RadioSwitch(name: "hci0", isBlockedBySoftware: software, isBlockedByHardware: hardware)
    }
    func off(_ facts: inout Facts) {
      facts.setBus { $0.bluetoothd = .present([.test("hci0", isPowered: false, isBlocked: true)]) }
    }
    let bySoftware = try finding("rfkill.hci0") { facts in
      facts.switches = .found([blocked(true, false)])
      off(&facts)
    }
    #expect(
      bySoftware
        == Finding(
          "rfkill.hci0", .problem, "rfkill blocks Bluetooth (hci0)", advice: "sudo rfkill unblock bluetooth"))
    // A key goes before the software: unblocking would not help.
    let byBoth = try finding("rfkill.hci0") { facts in
      facts.switches = .found([blocked(true, true)])
      off(&facts)
    }
    #expect(
      byBoth
        == Finding(
          "rfkill.hci0", .problem, "Bluetooth is off by a key or switch of the machine (rfkill: hci0)",
          advice: "press the key or move the switch; no command can"))
    // One of two, or one that bluetoothd does not care about.
    #expect(
      try finding("rfkill.hci0") { facts in
        facts.switches = .found([blocked(true, false), RadioSwitch(name: "hci1")])
        off(&facts)
      }?.severity == .warning)
    #expect(try finding("rfkill.hci0") { $0.switches = .found([blocked(true, false)]) }?.severity == .warning)
    #expect(
      try finding("rfkill") { $0.switches = .found([]) } == Finding("rfkill", .ok, "rfkill blocks no Bluetooth"))
  }

  // MARK: The bus and bluetoothd

  @Test func theBusIsAbsent() throws {
    let findings = try Facts.findings { $0.bus = .failed("the system bus cannot be reached") }
    #expect(
      findings.first { $0.id == "bus" }
        == Finding(
          "bus", .problem, "the system bus cannot be reached",
          advice: "sudo systemctl start dbus (without systemd: sudo service dbus start)"))
    // What would have been asked there is passed over.
    #expect(!findings.contains { ["bluetoothd", "policy", "adapters", "service", "boot"].contains($0.id) })
    #expect(
      try finding("bus") { $0.bus = .timedOut(.seconds(12)) }
        == Finding(
          "bus", .problem, "the system bus does not answer within 12 s",
          advice: "'systemctl status dbus' tells more; a restart of the machine is the safest cure"))
  }

  private func bluetoothd(_ state: BusFacts.Bluetoothd, _ installed: InstalledBluetoothd?? = .none) throws -> Finding? {
    try finding("bluetoothd") { facts in
      facts.setBus { $0.bluetoothd = state }
      if let installed { facts.installed = .found(installed) }
    }
  }

  @Test func bluetoothdIsAbsent() throws {
    #expect(
      try bluetoothd(.absent)
        == Finding(
          "bluetoothd", .problem, "bluetoothd does not run (5.82 is installed)",
          advice: "sudo systemctl enable --now bluetooth"))
    #expect(
      try bluetoothd(.absent, InstalledBluetoothd(path: "/b", version: nil))?.text == "bluetoothd does not run")
    #expect(
      try bluetoothd(.absent, .some(nil))
        == Finding("bluetoothd", .problem, "bluetoothd is not installed", advice: "sudo apt install bluez"))
    let masked = try finding("bluetoothd") { facts in
      facts.setBus { $0.bluetoothd = .absent }
      facts.setUnit("bluetooth.service") { $0.load = "masked" }
    }
    #expect(masked?.advice == "sudo systemctl unmask bluetooth && sudo systemctl enable --now bluetooth")
  }

  @Test func bluetoothdDoesNotAnswer() throws {
    #expect(
      try bluetoothd(.silent(.seconds(5)))
        == Finding(
          "bluetoothd", .problem, "bluetoothd runs and does not answer within 5 s",
          advice: "sudo systemctl restart bluetooth"))
    #expect(
      try bluetoothd(.refused(.other("org.bluez.Error.Strange: who knows")))
        == Finding(
          "bluetoothd", .problem, "bluetoothd does not show its objects: org.bluez.Error.Strange: who knows",
          advice: "sudo systemctl restart bluetooth"))
  }

  @Test func bluetoothdTellsItsVersion() throws {
    #expect(
      try bluetoothd(.present([.test("hci0", version: nil)]))
        == Finding("bluetoothd", .ok, "bluetoothd runs, and does not tell its version; 5.82 is installed"))
    #expect(
      try bluetoothd(.present([]), .some(nil))
        == Finding("bluetoothd", .ok, "bluetoothd runs, and does not tell its version"))
    #expect(
      try bluetoothd(.present([.test("hci0", version: "5.66")]))
        == Finding(
          "bluetoothd", .note, "bluetoothd 5.66 runs, and 5.82 is installed",
          advice: "'sudo systemctl restart bluetooth' takes the new one, when no workout runs"))
  }

  // MARK: The policy

  private static let joining =
    "sudo usermod -aG bluetooth strapd && sudo systemctl restart strapd (where there is no group bluetooth: allow it in "
    + "/etc/dbus-1/system.d)"

  @Test func thePolicyRefusesStrapd() throws {
    let found = try finding("policy") { $0.daemon = .status(try Facts.status(#""bluetooth":"refused""#), known: []) }
    #expect(
      found
        == Finding(
          "policy", .problem, "the D-Bus policy does not let strapd speak to bluetoothd", advice: Self.joining))
  }

  @Test func thePolicyRefusesThisUser() throws {
    let running = try Facts.findings { $0.setBus { $0.bluetoothd = .refused(.accessDenied) } }
    #expect(
      running.first { $0.id == "policy" }
        == Finding("policy", .note, "the D-Bus policy lets strapd speak to bluetoothd, and not this user"))
    #expect(running.first { $0.id == "bluetoothd" } == Finding("bluetoothd", .ok, "bluetoothd runs"))
    let stopped = try finding("policy") { facts in
      facts.setBus { $0.bluetoothd = .refused(.accessDenied) }
      facts.daemon = .asleep
    }
    #expect(
      stopped
        == Finding(
          "policy", .warning,
          "the D-Bus policy does not let this user speak to bluetoothd, and perhaps not strapd either",
          advice: Self.joining))
  }

  // MARK: Adapters

  @Test func bluetoothdHasNoAdapter() throws {
    #expect(
      try finding("adapters", withoutAdapter)
        == Finding(
          "adapters", .problem, "bluetoothd has no adapter, and the kernel has a controller",
          advice: "sudo systemctl restart bluetooth; 'journalctl -u bluetooth' tells why it does not take it"))
    let none = try finding("adapters") { facts in
      withoutAdapter(&facts)
      facts.kernel = .found(.present([]))
    }
    #expect(none == nil)
  }

  @Test func everyAdapterIsOff() throws {
    func off(_ facts: inout Facts) {
      facts.setBus { $0.bluetoothd = .present([.test("hci0", isPowered: false), .test("hci1", isPowered: false)]) }
    }
    let text = "bluetoothd has hci0 DC:A6:32:01:02:03, off; hci1 DC:A6:32:01:02:03, off"
    let select = "in bluetoothctl, 'select ADDRESS', then 'power on'"
    #expect(
      try finding("adapters", off)
        == Finding(
          "adapters", .warning, text,
          advice: "strapd switches it on when a strap is wanted, unless power_adapter = no; by hand: " + select))
    let wanted = try finding("adapters") { facts in
      off(&facts)
      facts.daemon = .status(try Facts.status(#""sessions":[{"id":"i"}]"#), known: [])
    }
    #expect(
      wanted
        == Finding(
          "adapters", .problem, text,
          advice: select + "; 'power_adapter = yes' in /etc/strapd/strapd.conf lets strapd do it"))
    let elsewhere = try finding("adapters") { facts in
      facts.setBus { $0.bluetoothd = .present([.test("hci0", isPowered: false)]) }
      let status = try Facts.status(#""sessions":[{"id":"i"}],"configurationFile":"/srv/gym.conf""#)
      facts.daemon = .status(status, known: [])
    }
    #expect(
      elsewhere?.advice == "'bluetoothctl power on'; 'power_adapter = yes' in /srv/gym.conf lets strapd do it")
    let blocked = try finding("adapters") {
      $0.setBus { $0.bluetoothd = .present([.test("hci0", isPowered: false, isBlocked: true)]) }
    }
    #expect(
      blocked
        == Finding(
          "adapters", .problem, "bluetoothd has hci0 DC:A6:32:01:02:03, blocked",
          advice: "sudo rfkill unblock bluetooth"))
    let one = try finding("adapters") {
      $0.setBus { $0.bluetoothd = .present([.test("hci0", isPowered: false), .test("hci1")]) }
    }
    #expect(one?.severity == .ok)
  }
}
