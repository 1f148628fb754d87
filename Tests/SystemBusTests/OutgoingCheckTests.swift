import Bus
import Testing

@testable import SystemBus

@Suite struct OutgoingCheckTests {
  static let badValues: [(value: BusValue, says: String)] = [
    (.string("a\0b"), "NUL"),
    (.variant(.string("\0")), "NUL"),
    (.strings(["", "x\0"]), "NUL"),
    (.properties(["a\0": .byte(1)]), "NUL"),
    (.array(of: .byte, [.string("x")]), "type 's' in 'ay'"),
    (.array(of: .string, [.string("x"), .byte(1)]), "type 'y' in 'as'"),
    (.array(of: .variant, [.byte(1)]), "type 'y' in 'av'"),
    (.array(of: .array(.byte), [.array(of: .string, [])]), "type 'as' in 'aay'"),
    (.array(of: .structure([.byte]), [.structure([.byte(1), .byte(2)])]), "type '(yy)' in 'a(y)'"),
    (.dictionary(key: .string, value: .variant, [.init(.byte(1), .variant(.byte(1)))]), "type 'y' in 'a{sv}'"),
    (.dictionary(key: .string, value: .variant, [.init(.string(""), .byte(1))]), "type 'y' in 'a{sv}'"),
    (.variant(.array(of: .string, [.byte(1)])), "type 'y' in 'as'"),
    (.structure([.variant(.array(of: .string, [.byte(1)]))]), "type 'y' in 'as'"),
    (.structure([]), "no legal signature: ()"),
    (.variant(.structure([])), "no legal signature: ()"),
    (.array(of: .structure([]), []), "no legal signature: a()"),
    (.dictionary(key: .variant, value: .byte, []), "no legal signature: a{vy}"),
    (.dictionary(key: .array(.byte), value: .byte, []), "no legal signature: a{ayy}"),
    (.signature(BusSignature([.structure([])])), "no legal signature: ()"),
    (.signature(BusSignature(Array(repeating: .byte, count: 256))), "no legal signature"),
    (.array(of: nested(.byte, 32) { .array($0) }, []), "no legal signature"),
    (nested(.byte(1), 33) { .structure([$0]) }, "no legal signature"),
    (.structure(Array(repeating: .byte(1), count: 254)), "no legal signature"),
    (nested(.byte(1), 65) { .variant($0) }, "deeper than 64"),
    (.unixFD(BusFileDescriptor(raw: -1)), "Bad file descriptor"),
    (.unixFD(BusFileDescriptor(raw: 1_000_000)), "Bad file descriptor"),
    (.array(of: .unixFD, Array(repeating: .unixFD(BusFileDescriptor(raw: 0)), count: 17)), "17 file descriptors"),
  ]

  @Test(arguments: badValues)
  func refused(value: BusValue, says: String) throws {
    let refusal = Self.refusal(of: BusMessage(.reply(to: 1), body: [value]))
    #expect(refusal?.text.contains(says) == true, "\(refusal?.text ?? "nothing")")
  }

  static let goodValues: [BusValue] = [
    nested(.byte(1), 32) { .structure([$0]) }, nested(.byte(1), 64) { .variant($0) },
    .array(of: nested(.byte, 31) { .array($0) }, []), .structure(Array(repeating: .byte(1), count: 253)),
    .array(of: .unixFD, Array(repeating: .unixFD(BusFileDescriptor(raw: 0)), count: 16)),
    .array(of: .byte, [.byte(1)]),
  ]

  @Test(arguments: goodValues)
  func accepted(value: BusValue) throws {
    _ = try OutgoingCheck(BusMessage(.reply(to: 1), body: [value]))
  }

  @Test func theWholeBodyHas255TypeCodes() throws {
    _ = try OutgoingCheck(BusMessage(.reply(to: 1), body: Array(repeating: .byte(1), count: 255)))
    #expect(throws: Refusal.self) {
      try OutgoingCheck(BusMessage(.reply(to: 1), body: Array(repeating: .byte(1), count: 256)))
    }
    // The error's text is its first argument.
    let error = BusMessage.Kind.error(to: 1, BusError(name: "a.b", text: "x"))
    #expect(throws: Refusal.self) { try OutgoingCheck(BusMessage(error, body: Array(repeating: .byte(1), count: 255))) }
  }

  @Test func size() throws {
    func message(_ count: Int) -> BusMessage {
      BusMessage(.reply(to: 1), body: [.bytes([UInt8](repeating: 0, count: count))])
    }
    _ = try OutgoingCheck(message((32 << 20) - 2048))
    #expect(Self.refusal(of: message(32 << 20))?.code == "org.freedesktop.DBus.Error.LimitsExceeded")
    let path = try #require(ObjectPath("/" + String(repeating: "a", count: 32 << 20)))
    #expect(throws: Refusal.self) {
      try OutgoingCheck(BusMessage(.signal(path: path, interface: "a.b", member: "c")))
    }
  }

  static let badHeaders: [BusMessage] = [
    BusMessage(.call(BusCall("/", nil, "a"))), BusMessage(.reply(to: 0), serial: 1),
    BusMessage(.error(to: 0, BusError(name: "a.b", text: "")), serial: 1),
    BusMessage(.error(to: 1, BusError(name: "a.b", text: "\0")), serial: 1),
    BusMessage(.signal(path: "/org/freedesktop/DBus/Local", interface: "a.b", member: "c")),
    BusMessage(.signal(path: "/", interface: "org.freedesktop.DBus.Local", member: "Disconnected")),
    BusMessage(.call(BusCall("/org/freedesktop/DBus/Local", nil, "a")), serial: 1),
  ]

  @Test(arguments: badHeaders)
  func refusedHeaders(message: BusMessage) {
    #expect(throws: Refusal.self) { try OutgoingCheck(message) }
  }

  private static func refusal(of message: BusMessage) -> Refusal? {
    do throws(Refusal) {
      _ = try OutgoingCheck(message)
      return nil
    } catch {
      return error
    }
  }

  @Test func aCallWithoutReplyNeedsNoSerial() throws {
    _ = try OutgoingCheck(BusMessage(.call(BusCall("/", nil, "a", withoutReply: true))))
  }
}

/// `wrap` applied `count` times.
func nested<Value>(_ inner: Value, _ count: Int, _ wrap: (Value) -> Value) -> Value {
  (0..<count).reduce(inner) { value, _ in wrap(value) }
}
