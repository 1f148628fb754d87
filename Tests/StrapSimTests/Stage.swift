import Bus
import Measurements
import Testing

@testable import strap_sim

/// A world in virtual time, with what it says in short words: one line an effect.
struct Stage {
  var world = World()
  var now = Tick(nanoseconds: 1_000_000_000_000)
  private var reader: ScriptReader
  private var lastSerial: UInt32 = 0

  /// A world with strap A, mute, so that only what a test does is heard.
  init(_ declaration: String = "strap A F0:F1:F2:F3:F4:F5 name=\"Demo HR\"") throws {
    reader = ScriptReader(file: "test")
    _ = try run(declaration)
    let tag = try #require(world.straps.last?.tag)
    _ = try run("\(tag) mute")
  }

  /// A script's line, at once or on the clock.
  mutating func run(_ line: String) throws -> [String] {
    let read = try #require(try reader.read(line))
    if read.delay == nil { world.run(read, at: now) } else { world.schedule([read], from: now) }
    return heard()
  }

  mutating func advance(_ span: Duration) -> [String] {
    let end = now + span
    world.wake(at: end)
    now = end
    return heard()
  }

  /// A client's call; its serial is one higher than the last.
  mutating func call(
    _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [], by client: ConnectionName = ":1.7"
  ) throws -> [String] {
    lastSerial += 1
    let path = try #require(ObjectPath(Self.long(path)))
    let interface = try #require(InterfaceName(interface.contains(".") ? interface : "org.bluez.\(interface)"))
    let call = BusCall(path, interface, try #require(MemberName(member)))
    world.take(BusMessage(.call(call), serial: lastSerial, sender: client, body: body), at: now)
    return heard()
  }

  /// A client's agent answers what it was asked last; nil is an error.
  mutating func answer(_ body: [BusValue]?, by client: ConnectionName = ":1.7") -> [String] {
    let rejected = BusError(name: "org.bluez.Error.Rejected", text: "")
    let serial = world.lastSerial
    let kind = body == nil ? BusMessage.Kind.error(to: serial, rejected) : .reply(to: serial)
    world.take(BusMessage(kind, serial: 99, sender: client, body: body ?? []), at: now)
    return heard() + advance(.zero)
  }

  /// Registers an agent at /agent.
  mutating func register(_ capability: String, by client: ConnectionName = ":1.7") throws {
    _ = try call(
      "/org/bluez", "AgentManager1", "RegisterAgent", [.objectPath("/agent"), .string(capability)], by: client)
  }

  mutating func leave(_ client: ConnectionName) -> [String] {
    let gone: [BusValue] = [.string(client.description), .string(client.description), .string("")]
    let signal = BusMessage.Kind.signal(
      path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
    world.take(BusMessage(signal, sender: BusDaemon.name, body: gone), at: now)
    return heard()
  }

  /// From nothing to a link with resolved services.
  mutating func connect() throws {
    _ = try call("hci0", "Adapter1", "StartDiscovery")
    _ = advance(.milliseconds(100))
    _ = try call("A", "Device1", "Connect")
    _ = advance(.milliseconds(600))
    _ = try call("hci0", "Adapter1", "StopDiscovery")
  }

  /// And with notifications on.
  mutating func subscribe() throws {
    try connect()
    _ = try call("A/hr", "GattCharacteristic1", "StartNotify")
  }

  private mutating func heard() -> [String] {
    world.takeEffects().map { effect in
      switch effect {
      case .log(let line): line
      case .send(let message): Self.short(message)
      case .startBluetoothd: "start bluetoothd"
      case .stopBluetoothd: "stop bluetoothd"
      case .quit: "quit"
      }
    }
  }

  // MARK: - Short words

  private static let shortPaths = [
    ("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f", "A/hr"),
    ("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5", "A"), ("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F6", "B"),
    ("/org/bluez/hci0", "hci0"),
  ]

  private static func long(_ path: String) -> String {
    for (long, short) in shortPaths where path == short || path.hasPrefix(short + "/") {
      return long + path.dropFirst(short.count)
    }
    return path
  }

  private static func short(_ path: some CustomStringConvertible) -> String {
    let path = path.description
    for (long, short) in shortPaths where path == long || path.hasPrefix(long + "/") {
      return short + path.dropFirst(long.count)
    }
    return path
  }

  private static func short(_ message: BusMessage) -> String {
    switch message.kind {
    case .reply(let serial): return (["reply \(serial)"] + message.body.map(short)).joined(separator: " ")
    case .error(let serial, let error): return "error \(serial) \(error)"
    case .call(let call):
      let destination = message.destination.map { "\($0)" } ?? "?"
      return (["\(destination)\(call.path)", "\(call.member)"] + message.body.map(short)).joined(separator: " ")
    case .signal(let path, _, "PropertiesChanged"):
      return ([short(path)] + message.body.map(short)).joined(separator: " ")
    case .signal(_, _, "InterfacesAdded"):
      let names = message.body.last?.asProperties?.keys.filter { !$0.hasPrefix("org.freedesktop") }.sorted() ?? []
      return "+ \(message.body.first.map(short) ?? "?") \(names.map(withoutPrefix).joined(separator: " "))"
    case .signal(_, _, "InterfacesRemoved"):
      let names = message.body.last?.asStrings?.filter { !$0.hasPrefix("org.freedesktop") } ?? []
      return "- \(message.body.first.map(short) ?? "?") \(names.map(withoutPrefix).joined(separator: " "))"
    case .signal(_, let interface, let member): return "signal \(interface).\(member)"
    }
  }

  static func short(_ value: BusValue) -> String {
    switch value {
    case .string(let text): withoutPrefix(text)
    case .objectPath(let path): short(path)
    case .boolean(let flag): flag ? "true" : "false"
    case .byte(let number): "\(number)"
    case .int16(let number): "\(number)"
    case .uint16(let number): "\(number)"
    case .uint32(let number): "\(number)"
    case .bytes(let bytes): "<\(Hex.text(bytes))>"
    case .variant(let inner): short(inner)
    case .array(_, let elements): "[\(elements.map(short).joined(separator: " "))]"
    case .dictionary(_, _, let entries):
      "{\(entries.map { "\(short($0.key))=\(short($0.value))" }.joined(separator: " "))}"
    case .int32(let number): "int32 \(number)"
    case .int64, .uint64, .double, .signature, .unixFD, .structure: "\(value)"
    }
  }

  private static func withoutPrefix(_ text: String) -> String {
    for prefix in ["org.bluez.", "0000"] where text.hasPrefix(prefix) && text != prefix {
      let rest = text.dropFirst(prefix.count)
      return String(prefix == "0000" ? rest.prefix(4) : rest)
    }
    return text
  }
}
