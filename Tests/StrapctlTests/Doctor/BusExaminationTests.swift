import BlueZ
import Bus
import Measurements
import TestSupport
import Testing

@testable import strapctl

/// The look at the bus, on a real dbus-daemon.
struct BusExaminationTests {
  private static func examine(_ bus: PrivateBus, _ limit: Duration = .seconds(30)) -> Probe<BusFacts> {
    Probe(within: .seconds(60)) { [address = bus.address] in try BusExamination(address: address).facts(limit) }
  }

  @Test func nobodyIsThere() throws {
    let bus = try PrivateBus()
    let found = Self.examine(bus).result()
    withExtendedLifetime(bus) {}
    #expect(found == .found(BusFacts(bluetoothd: .absent, systemd: .absent)))
  }

  @Test func theBusIsAbsent() throws {
    let folder = try TemporaryFolder()
    let address = "unix:path=\(folder.file("none"))"
    let probe = Probe(within: .seconds(30)) { try BusExamination(address: address).facts(.seconds(5)) }
    guard case .failed(let why) = probe.result() else {
      Issue.record("a bus was found")
      return
    }
    #expect(why.hasPrefix("the system bus cannot be reached at \(address): "))
  }

  @Test func aSimulatedBluetoothdShowsItsAdapter() throws {
    let bus = try PrivateBus()
    let straps = try ChildProcess(try BuildFolder.program("strap-sim"), [], environment: bus.environment)
    try straps.line("READY")
    guard case .found(let facts) = Self.examine(bus).result(), case .present(let adapters) = facts.bluetoothd else {
      Issue.record("no bluetoothd was found")
      return
    }
    #expect(adapters.map(\.name) == ["hci0"])
    #expect(adapters.first?.isPowered == true && adapters.first?.isBlocked == false)
    #expect(adapters.first?.address != nil)
  }

  /// Plays a program that owns a name: it answers each call by what is given, until the probe is done.
  private static func play(
    _ name: ConnectionName, on bus: PrivateBus, _ limit: Duration = .seconds(30),
    calls: Int, answer: (BusMessage, BusCall) -> BusMessage?
  ) throws -> BusFacts? {
    let owner = try BusClient(bus.address)
    try owner.requestName(name)
    let probe = examine(bus, limit)
    for _ in 0..<calls {
      let message = try owner.wait(for: "a call") { if case .call = $0.kind { true } else { false } }
      guard case .call(let call) = message.kind else { continue }
      #expect(call.withoutActivation)
      if let answer = answer(message, call) { try owner.bus.send(answer) }
      owner.pump()
    }
    return probe.result().value
  }

  private static func reply(_ message: BusMessage, _ body: [BusValue]) -> BusMessage {
    BusMessage(.reply(to: message.serial), serial: 100 + message.serial, destination: message.sender, body: body)
  }

  private static func error(_ message: BusMessage, _ name: InterfaceName, _ text: String = "") -> BusMessage {
    BusMessage(
      .error(to: message.serial, BusError(name: name, text: text)), serial: 100 + message.serial,
      destination: message.sender, body: [.string(text)])
  }

  // MARK: bluetoothd

  @Test func thePolicyRefuses() throws {
    let facts = try Self.play("org.bluez", on: try PrivateBus(), calls: 1) { message, _ in
      Self.error(message, "org.freedesktop.DBus.Error.AccessDenied")
    }
    #expect(facts?.bluetoothd == .refused(.accessDenied))
  }

  @Test func bluetoothdIsSilent() throws {
    let limit = Duration.milliseconds(300)
    let facts = try Self.play("org.bluez", on: try PrivateBus(), limit, calls: 1) { _, _ in nil }
    #expect(facts?.bluetoothd == .silent(limit))
    #expect(facts?.systemd == .absent)
  }

  @Test func adaptersAreReadWithTheirVersion() throws {
    func object(_ path: ObjectPath, _ interface: String, _ properties: KeyValuePairs<String, BusValue>)
      -> BusValue.Entry
    {
      BusValue.Entry(
        .objectPath(path),
        .dictionary(
          key: .string, value: .dictionary(key: .string, value: .variant),
          [.init(.string(interface), .properties(properties))]))
    }
    let tree = BusValue.dictionary(
      key: .objectPath, value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      [
        object("/org/bluez/hci10", "org.bluez.Adapter1", ["PowerState": .string("off-blocked")]),
        object(
          "/org/bluez/hci2", "org.bluez.Adapter1",
          [
            "Address": .string("DC:A6:32:01:02:03"), "Powered": .boolean(true), "PowerState": .string("on"),
            "Modalias": .string("usb:v1D6Bp0246d0552"),
          ]),
        object("/org/bluez", "org.bluez.AgentManager1", [:]),
      ])
    let facts = try Self.play("org.bluez", on: try PrivateBus(), calls: 1) { message, call in
      #expect(call.member == "GetManagedObjects" && call.path == "/")
      return Self.reply(message, [tree])
    }
    #expect(
      facts?.bluetoothd
        == .present([
          BusAdapter(
            name: "hci2", address: StrapAddress("DC:A6:32:01:02:03"), isPowered: true, isBlocked: false,
            version: "5.82"),
          BusAdapter(name: "hci10", address: nil, isPowered: false, isBlocked: true, version: nil),
        ]))
  }

  @Test(arguments: [
    ("usb:v1D6Bp0246d0552", "5.82"), ("usb:v1D6Bp0246d0542", "5.66"), ("usb:v1D6Bp0246d0505", "5.05"),
    ("usb:v1D6Bp0246d0000", nil), ("usb:v1D6Bp0247d0552", nil), ("bluetooth:v1D6Bp0246d0552", nil),
    ("usb:v1D6Bp0246d055", nil), ("usb:v1D6Bp0246d055Z", nil), ("usb:v1D6Bp0246d+552", nil), ("", nil),
  ])
  func readsBlueZsVersion(_ modalias: String, _ version: String?) {
    #expect(BusAdapter.version(ofModalias: modalias) == version)
  }

  // MARK: systemd

  private static func unit(_ name: String, _ load: String, _ active: String, _ sub: String) -> BusValue {
    .structure([
      .string(name), .string("what it is"), .string(load), .string(active), .string(sub), .string(""),
      .objectPath("/org/freedesktop/systemd1/unit/x"), .uint32(0), .string(""), .objectPath("/"),
    ])
  }

  @Test func systemdTellsOfTheUnits() throws {
    let units = [
      Self.unit("strapd.service", "loaded", "inactive", "dead"),
      Self.unit("strapd.socket", "loaded", "active", "listening"),
      Self.unit("bluetooth.service", "not-found", "inactive", "dead"),
    ]
    let type = units[0].type
    let facts = try Self.play("org.freedesktop.systemd1", on: try PrivateBus(), calls: 4) { message, call in
      #expect(call.path == "/org/freedesktop/systemd1" && call.interface == "org.freedesktop.systemd1.Manager")
      switch (call.member.description, message.body.first?.asString) {
      case ("ListUnitsByNames", _):
        #expect(message.body == [.strings(["strapd.service", "strapd.socket", "bluetooth.service"])])
        return Self.reply(message, [.array(of: type, units)])
      case ("GetUnitFileState", "strapd.service"?): return Self.reply(message, [.string("disabled")])
      case ("GetUnitFileState", "strapd.socket"?): return Self.reply(message, [.string("enabled")])
      default: return Self.error(message, "org.freedesktop.DBus.Error.FileNotFound", "No such file or directory")
      }
    }
    #expect(
      facts?.systemd
        == .units([
          Unit(name: "strapd.service", load: "loaded", active: "inactive", sub: "dead", file: "disabled"),
          Unit(name: "strapd.socket", load: "loaded", active: "active", sub: "listening", file: "enabled"),
          Unit(name: "bluetooth.service", load: "not-found", active: "inactive", sub: "dead", file: nil),
        ]))
    #expect(facts?.bluetoothd == .absent)
  }

  @Test func systemdRefusesOrTalksOtherwise() throws {
    let refused = try Self.play("org.freedesktop.systemd1", on: try PrivateBus(), calls: 4) { message, _ in
      Self.error(message, "org.freedesktop.DBus.Error.AccessDenied", "no")
    }
    #expect(refused?.systemd == .failed("org.freedesktop.DBus.Error.AccessDenied: no"))
    let strange = try Self.play("org.freedesktop.systemd1", on: try PrivateBus(), calls: 4) { message, _ in
      Self.reply(message, [.string("hello")])
    }
    #expect(strange?.systemd == .failed("its list of units is not understood"))
    let limit = Duration.milliseconds(300)
    let silent = try Self.play("org.freedesktop.systemd1", on: try PrivateBus(), limit, calls: 4) { _, _ in nil }
    #expect(silent?.systemd == .failed("systemd does not answer within 0.3 s"))
  }
}
