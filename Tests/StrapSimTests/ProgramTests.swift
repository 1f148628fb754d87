import Bus
import Glibc
import SystemBus
import TestSupport
import Testing

/// The real program on a real bus, with `SystemBus` as its client.
@Suite struct ProgramTests {
  private static let device: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let measurement: ObjectPath =
    "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f"

  @Test func fromTheScanToTheReturn() throws {
    let bus = try PrivateBus()
    let folder = try TemporaryFolder()
    let script = try folder.write(
      """
      strap A F0:F1:F2:F3:F4:F5 name="Demo HR" connect-ms=20 resolve-ms=20   # in a hurry
      A mute
      at 0 A rssi -61
      """, to: "test.script")
    let program = try start(bus, ["--script", script, "--stdin"])
    #expect(try program.line("DONE") == "DONE strap A F0:F1:F2:F3:F4:F5 name=Demo HR connect-ms=20 resolve-ms=20")
    #expect(try program.line("DONE") == "DONE A mute")
    try program.line("READY")
    try program.line("DONE A rssi -61")

    let client = try BusClient(bus.address)
    try client.addMatch("type='signal',sender='org.bluez'")
    try call(client, "/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery")
    try program.line("DISCOVERY on")
    let added = try signal(client, "InterfacesAdded")
    #expect(added.body.first == .objectPath(Self.device))
    #expect(added.body.last?.asProperties?["org.bluez.Device1"]?.asProperties?["RSSI"] == .int16(-61))

    try call(client, Self.device, "org.bluez.Device1", "Connect")
    try program.line("CONNECTED A")
    try change(client, Self.device, "Connected", .boolean(true))
    try change(client, Self.device, "ServicesResolved", .boolean(true))
    let tree = try call(client, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    guard case .dictionary(_, _, let objects)? = tree.first else {
      Issue.record("no tree: \(tree)")
      return
    }
    #expect(objects.count == 23)

    try call(client, Self.measurement, "org.bluez.GattCharacteristic1", "StartNotify")
    try program.line("SUBSCRIBED A")
    try program.write(line: "A raw 172c012a00")
    try program.line("SENT A 172c012a00")
    try change(client, Self.measurement, "Value", .bytes([0x17, 0x2C, 0x01, 0x2A, 0x00]))
    try program.write(line: "A beat 60 50")
    let beat = try program.line("SENT A")
    #expect(beat.hasPrefix("SENT A 063c") || beat.hasPrefix("SENT A 163c"), "\(beat)")
    try program.write(line: "A mute")
    try program.line("DONE A mute")

    try program.write(line: "A loss")
    try program.line("DISCONNECTED A")
    let lost = try change(client, Self.device, "Connected", .boolean(false))
    #expect(lost["ServicesResolved"] == .boolean(false))
    #expect(try signal(client, "InterfacesRemoved").body.last == .strings(["org.bluez.Battery1"]))
    let pending = try client.start("org.bluez", Self.device, "org.bluez.Device1", "Connect")
    try program.line("CALL A Connect")
    try program.write(line: "A return")
    try program.line("SUBSCRIBED A")
    #expect(try client.reply(to: pending).body == [])
    try change(client, Self.device, "ServicesResolved", .boolean(true))
    try program.write(line: "A raw 1648")
    try change(client, Self.measurement, "Value", .bytes([0x16, 0x48]))

    // Another program on the bus sees the same; it is gone at once, and its scan with it.
    let tool = try ChildProcess(
      "dbus-send",
      [
        "--bus=\(bus.address)", "--print-reply=literal", "--dest=org.bluez", Self.device.description,
        "org.freedesktop.DBus.Properties.Get", "string:org.bluez.Device1", "string:Name",
      ])
    #expect(try tool.outputText().split(separator: " ").joined(separator: " ").contains("variant Demo HR"))

    client.bus.close()
    try program.line("UNSUBSCRIBED A")
    program.signal(SIGTERM)
    #expect(try program.wait() == .exited(0))
  }

  @Test func bluetoothdGoesAndComes() throws {
    let bus = try PrivateBus()
    let program = try start(bus, ["--stdin"])
    try program.line("READY")
    let client = try BusClient(bus.address)
    try client.addMatch("type='signal',sender='org.bluez'")
    let first = try owner(client)
    try call(client, "/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery")
    try program.write(line: "A connect-hang on")
    try program.line("DONE A connect-hang on")
    #expect(try signal(client, "InterfacesAdded").body.first == .objectPath(Self.device))
    let pending = try client.start("org.bluez", Self.device, "org.bluez.Device1", "Connect")
    try program.line("CALL A Connect")
    try program.write(line: "bluetoothd stop")
    try program.line("DONE bluetoothd stop")
    // As when a process ends: the bus itself answers what was pending.
    if case .error(_, let error) = try client.reply(to: pending).kind {
      #expect(error.name == "org.freedesktop.DBus.Error.NoReply")
    } else {
      Issue.record("bluetoothd has answered")
    }
    #expect(throws: BusError.self) { try owner(client) }
    try program.write(line: "bluetoothd start")
    try program.line("READY")
    #expect(try owner(client) != first)
    #expect(try tree(client) == ["/org/bluez", "/org/bluez/hci0"])
    try program.write(line: "quit")
    try program.line("DONE quit")
    #expect(try program.wait() == .exited(0))
  }

  /// The log that another test reads, recorded by btmon.
  @Test func itPlaysALogAsItsStrap() throws {
    let tests = #filePath.dropLast("StrapSimTests/ProgramTests.swift".count)
    let log = "\(tests)ActivityFilesTests/Data/btmon.btsnoop"
    let bus = try PrivateBus()
    let program = try start(bus, ["--btsnoop", log, "--speed", "20"])
    try program.line("READY")
    let client = try BusClient(bus.address)
    try client.addMatch("type='signal',sender='org.bluez'")
    try call(client, "/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery")
    let added = try signal(client, "InterfacesAdded")
    #expect(added.body.last?.asProperties?["org.bluez.Device1"]?.asProperties?["Name"] == .string("Spike HR"))
    try call(client, Self.device, "org.bluez.Device1", "Connect")
    try change(client, Self.device, "ServicesResolved", .boolean(true))
    try call(client, Self.measurement, "org.bluez.GattCharacteristic1", "StartNotify")
    let payloads = [
      "1e41050080039003", "172c012a00", "1e43070080039003", "1e44080080039003", "1e45090080039003",
      "1e460a0080039003", "1e4a020080039003",
    ]
    for payload in payloads { #expect(try program.line("SENT A") == "SENT A \(payload)") }
    try program.line("PLAYED A")
    program.signal(SIGTERM)
    #expect(try program.wait() == .exited(0))
  }

  @Test func aLogThatCannotBePlayedEndsIt() throws {
    let bus = try PrivateBus()
    let folder = try TemporaryFolder()
    let file = try folder.write("btsnoop", to: "short.btsnoop")
    let program = try start(bus, ["--btsnoop", file])
    #expect(try program.wait() == .exited(64))
    let text = "strap-sim: cannot play \(file): as btsnoop, at octet 7: ends inside its header\n"
    #expect(try program.errorText() == text)
  }

  /// Who leaves before the answer is no error of bluetoothd's.
  @Test func whoAsksAndLeavesHarmsNobody() throws {
    let bus = try PrivateBus()
    let program = try start(bus, [])
    try program.line("READY")
    program.signal(SIGSTOP)
    for _ in 0..<5 {
      let hasty = try BusClient(bus.address)
      _ = try hasty.start("org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
      hasty.bus.close()
    }
    let client = try BusClient(bus.address)
    program.signal(SIGCONT)
    // What the bus complains of has come before the second one.
    for _ in 0..<2 { #expect(try tree(client) == ["/org/bluez", "/org/bluez/hci0"]) }
  }

  @Test func theEndOfItsInputEndsNothing() throws {
    let bus = try PrivateBus()
    let program = try start(bus, ["--stdin"])
    try program.line("READY")
    try program.write(line: "A explode")
    try program.line("REFUSED A explode")
    try program.write(line: "A copies 2")
    program.closeInput()
    try program.line("DONE A copies 2")
    let client = try BusClient(bus.address)
    #expect(try tree(client) == ["/org/bluez", "/org/bluez/hci0"])
    program.signal(SIGINT)
    #expect(try program.wait() == .exited(0))
    #expect(
      try program.errorText().hasPrefix("strap-sim: stdin:1: 'explode' does not happen to a strap; allowed: beat"))
  }

  @Test func badScriptsAndWrongUse() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("strap A F0:F1:F2:F3:F4:F5\nA beat fast\n", to: "bad.script")
    let cases: [([String], String)] = [
      (["--script", script], "strap-sim: \(script):2: 'fast' is not a heart rate; allowed: 0 to 300\n"),
      (
        ["--script", folder.file("none")],
        "strap-sim: cannot read \(folder.file("none")): No such file or directory\n"
      ),
      (
        ["--loud"],
        "strap-sim: unknown argument '--loud'\n"
          + "usage: strap-sim [--btsnoop FILE [--speed N]] [--script FILE] [--stdin] [--sent FILE]\n"
      ),
    ]
    for (arguments, text) in cases {
      let program = try ChildProcess(try BuildFolder.program("strap-sim"), arguments)
      #expect(try program.errorText() == text)
      #expect(try program.wait() == .exited(64))
    }
  }

  @Test func withoutABusOrWithTheNameTaken() throws {
    let absent = try ChildProcess(
      try BuildFolder.program("strap-sim"), environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
    #expect(try absent.errorText().hasPrefix("strap-sim: cannot open the message bus at unix:path=/nonexistent/bus"))
    #expect(try absent.wait() == .exited(1))

    let bus = try PrivateBus()
    let first = try start(bus, [])
    try first.line("READY")
    let second = try start(bus, [])
    #expect(try second.errorText() == "strap-sim: org.bluez has an owner on this bus already\n")
    #expect(try second.wait() == .exited(1))
    bus.daemon.signal(SIGKILL)
    #expect(try first.errorText() == "strap-sim: the bus is gone\n")
    #expect(try first.wait() == .exited(1))
  }

  // MARK: -

  private func start(_ bus: PrivateBus, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(try BuildFolder.program("strap-sim"), arguments, environment: bus.environment)
  }

  @discardableResult
  private func call(
    _ client: BusClient, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName
  ) throws -> [BusValue] {
    try client.call("org.bluez", path, interface, member)
  }

  private func owner(_ client: BusClient) throws -> BusValue? {
    try client.call(BusDaemon.name, BusDaemon.path, BusDaemon.interface, "GetNameOwner", [.string("org.bluez")]).first
  }

  private func tree(_ client: BusClient) throws -> [ObjectPath] {
    let tree = try call(client, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    guard case .dictionary(_, _, let objects)? = tree.first else { throw TestSupportError("no tree: \(tree)") }
    return objects.compactMap(\.key.asObjectPath)
  }

  private func signal(_ client: BusClient, _ member: MemberName) throws -> BusMessage {
    try client.wait(for: "\(member)") {
      if case .signal(_, _, member) = $0.kind { true } else { false }
    }
  }

  /// Waits for a property to become what it should, and returns what changed with it.
  @discardableResult
  private func change(
    _ client: BusClient, _ path: ObjectPath, _ property: String, _ value: BusValue
  ) throws -> [String: BusValue] {
    let signal = try client.wait(for: "\(path) \(property)=\(value)") {
      guard case .signal(path, _, "PropertiesChanged") = $0.kind, $0.body.count == 3 else { return false }
      return $0.body[1].asProperties?[property] == value
    }
    return signal.body[1].asProperties ?? [:]
  }
}
