import Bus
import Testing

@Suite struct BusValueTests {
  static let signature = BusSignature([.array(.byte)])

  static let typed: [(BusValue, String)] = [
    (.byte(1), "y"), (.boolean(true), "b"), (.int16(-1), "n"), (.uint16(1), "q"), (.int32(-1), "i"), (.uint32(1), "u"),
    (.int64(-1), "x"), (.uint64(1), "t"), (.double(0.5), "d"), (.string("a"), "s"), (.objectPath("/a"), "o"),
    (.signature(signature), "g"), (.unixFD(BusFileDescriptor(raw: 0)), "h"), (.bytes([]), "ay"),
    (.array(of: .string, []), "as"), (.structure([.byte(1), .string("")]), "(ys)"),
    (.dictionary(key: .string, value: .variant, []), "a{sv}"), (.variant(.bytes([1])), "v"),
    (.array(of: .dictionary(key: .uint16, value: .array(.byte)), []), "aa{qay}"),
  ]

  @Test(arguments: typed)
  func type(of value: BusValue, code: String) {
    #expect(value.type.code == code)
  }

  @Test func unwrapping() {
    #expect(BusValue.variant(.variant(.byte(7))).unwrapped == .byte(7))
    #expect(BusValue.variant(.byte(7)).asByte == 7)
    #expect(BusValue.byte(7).asByte == 7)
  }

  /// Each reader takes its own type, in a variant or not, and no other.
  @Test func readers() {
    let readers: [(code: String, reads: (BusValue) -> Bool)] = [
      ("y", { $0.asByte != nil }), ("b", { $0.asBool != nil }), ("n", { $0.asInt16 != nil }),
      ("q", { $0.asUInt16 != nil }), ("u", { $0.asUInt32 != nil }), ("s", { $0.asString != nil }),
      ("o", { $0.asObjectPath != nil }), ("ay", { $0.asBytes != nil }), ("as", { $0.asStrings != nil }),
      ("a{sv}", { $0.asProperties != nil }),
    ]
    for (value, code) in Self.typed where code != "v" {
      for reader in readers {
        #expect(reader.reads(value) == (reader.code == code), "\(code) as \(reader.code)")
        #expect(reader.reads(.variant(value)) == (reader.code == code), "variant of \(code) as \(reader.code)")
      }
    }
  }

  @Test func properties() {
    let value = BusValue.properties([
      "Connected": .boolean(true), "Value": .bytes([1, 2]), "Connected": .boolean(false),
    ])
    #expect(
      value
        == .dictionary(
          key: .string, value: .variant,
          [
            .init(.string("Connected"), .variant(.boolean(true))), .init(.string("Value"), .variant(.bytes([1, 2]))),
            .init(.string("Connected"), .variant(.boolean(false))),
          ]))
    #expect(value.asProperties == ["Connected": .boolean(false), "Value": .bytes([1, 2])])
  }

  @Test func strings() {
    #expect(BusValue.strings(["a", ""]) == .array(of: .string, [.string("a"), .string("")]))
    #expect(BusValue.strings(["a", ""]).asStrings == ["a", ""])
    #expect(BusValue.array(of: .objectPath, [.objectPath("/")]).asStrings == nil)
  }

  @Test func fileDescriptors() {
    let descriptors = (3...7).map { BusFileDescriptor(raw: $0) }
    let value = BusValue.structure([
      .unixFD(descriptors[0]), .bytes([9]), .variant(.unixFD(descriptors[1])),
      .array(of: .unixFD, [.unixFD(descriptors[2])]),
      .dictionary(
        key: .unixFD, value: .variant, [.init(.unixFD(descriptors[3]), .variant(.structure([.unixFD(descriptors[4])])))]
      ),
    ])
    #expect(value.fileDescriptors == descriptors)
    let message = BusMessage(.reply(to: 1), body: [.string("a"), value, .unixFD(descriptors[0])])
    #expect(message.fileDescriptors == descriptors + [descriptors[0]])
  }
}
