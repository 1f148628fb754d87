import Bus
import CDBus
import Measurements
import Testing

@testable import SystemBus

/// Both directions against literal bytes; libdbus's own marshaller stands between.
@Suite struct MessageCodecTests {
  @Test(arguments: WireVector.all)
  func bytesBecomeValues(vector: WireVector) throws {
    let message = try #require(Self.demarshal(Self.reply(signature: vector.signature, body: vector.body)))
    defer { dbus_message_unref(message) }
    let decoded = try MessageDecoder.decode(message)
    #expect(decoded == BusMessage(.reply(to: 9), serial: 7, body: vector.values))
  }

  @Test(arguments: WireVector.all)
  func valuesBecomeBytes(vector: WireVector) throws {
    let message = BusMessage(.reply(to: 9), serial: 7, body: vector.values)
    let check = try OutgoingCheck(message)
    #expect(check.bodySize == vector.body.utf8.count / 2)
    let encoded = try MessageEncoder.encode(message)
    defer { dbus_message_unref(encoded) }
    #expect(String(cString: dbus_message_get_signature(encoded)) == vector.signature)
    #expect(Hex.text(try #require(Self.marshal(encoded)).suffix(vector.body.utf8.count / 2)) == vector.body)
  }

  static let headers: [BusMessage] = [
    BusMessage(
      .call(BusCall("/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery")), serial: 5, destination: "org.bluez"),
    BusMessage(.call(BusCall("/", nil, "Ping", withoutActivation: true)), serial: 6, destination: ":1.7"),
    BusMessage(.call(BusCall("/", "a.b", "c", withoutReply: true)), serial: 7),
    BusMessage(.reply(to: 4_000_000_000), serial: 8, destination: ":1.7", body: [.byte(1)]),
    BusMessage(.error(to: 3, BusError(name: "a.b", text: "")), serial: 9),
    BusMessage(.error(to: 3, BusError(name: "a.b", text: "no")), serial: 10),
    BusMessage(.error(to: 3, BusError(name: "a.b", text: "no")), serial: 11, body: [.uint32(5), .string("x")]),
    BusMessage(.error(to: 3, BusError(name: "a.b", text: "")), serial: 12, body: [.uint32(5)]),
    BusMessage(.signal(path: "/a", interface: "a.b", member: "c"), serial: 13),
  ]

  @Test(arguments: headers)
  func headersSurvive(message: BusMessage) throws {
    _ = try OutgoingCheck(message)
    let encoded = try MessageEncoder.encode(message)
    defer { dbus_message_unref(encoded) }
    #expect(try MessageDecoder.decode(encoded) == message)
  }

  /// The flags' byte: 1 is NO_REPLY_EXPECTED, 2 NO_AUTO_START.
  @Test func flags() throws {
    let flags = try Self.headers.map { message in
      let encoded = try MessageEncoder.encode(message)
      defer { dbus_message_unref(encoded) }
      return try #require(Self.marshal(encoded))[2]
    }
    #expect(flags == [0, 2, 1, 1, 1, 1, 1, 1, 1])
  }

  /// libdbus takes array types of any depth between structures, the specification 32 in all: such a message is counted.
  @Test func deeperThanTheSpecificationIsNoValue() throws {
    let deep = String(repeating: "(aa", count: 20) + "y" + String(repeating: ")", count: 20)
    let message = try #require(Self.demarshal(Self.reply(signature: "a" + deep, body: "0000000000000000")))
    defer { dbus_message_unref(message) }
    #expect(throws: Undecodable.self) { try MessageDecoder.decode(message) }
  }

  /// A method return to serial 9 with serial 7 (D-Bus specification, "Message Format").
  private static func reply(signature: String, body: String) -> [UInt8] {
    let body = Hex.bytes(body) ?? []
    var fields: [UInt8] = [5, 1, 0x75, 0, 9, 0, 0, 0]
    if !signature.isEmpty { fields += [8, 1, 0x67, 0, UInt8(signature.utf8.count)] + signature.utf8 + [0] }
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    var bytes: [UInt8] = [0x6C, 2, 1, 1] + number(body.count) + number(7) + number(fields.count) + fields
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes + body
  }

  private static func demarshal(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
      dbus_message_demarshal($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), nil)
    }
  }

  private static func marshal(_ message: OpaquePointer) -> [UInt8]? {
    var start: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(message, &start, &count) != 0, let start else { return nil }
    defer { dbus_free(start) }
    return UnsafeBufferPointer(start: start, count: Int(count)).map { UInt8(bitPattern: $0) }
  }
}
