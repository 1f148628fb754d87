import Bus
import Testing

/// Values beside their bytes on the wire (little-endian), worked out by hand from the D-Bus specification.
struct WireVector: Sendable, CustomTestStringConvertible {
  let signature: String
  let body: String
  let values: [BusValue]

  init(_ signature: String, _ body: String, _ values: BusValue...) {
    self.signature = signature
    self.body = body
    self.values = values
  }

  var testDescription: String { "\(signature) \(body)" }

  static let all: [WireVector] = [
    .init("", ""),
    .init("y", "2a", .byte(42)),
    .init("b", "01000000", .boolean(true)),
    .init("b", "00000000", .boolean(false)),
    .init("n", "feff", .int16(-2)),
    .init("q", "3412", .uint16(0x1234)),
    .init("i", "feffffff", .int32(-2)),
    .init("u", "78563412", .uint32(0x1234_5678)),
    .init("x", "feffffffffffffff", .int64(-2)),
    .init("t", "0807060504030201", .uint64(0x0102_0304_0506_0708)),
    .init("d", "000000000000f83f", .double(1.5)),
    .init("s", "0000000000", .string("")),
    .init("s", "0300000068c3a900", .string("hé")),
    .init("s", "04000000f09f9a8000", .string("🚀")),
    .init("o", "020000002f6100", .objectPath("/a")),
    .init("g", "05617b73767d00", .signature(BusSignature([.dictionary(key: .string, value: .variant)]))),
    .init("g", "0000", .signature(BusSignature([]))),
    .init("v", "01790007", .variant(.byte(7))),
    .init("v", "01730000010000007800", .variant(.string("x"))),
    .init("v", "01760001790007", .variant(.variant(.byte(7)))),
    .init("ay", "00000000", .bytes([])),
    .init("ay", "030000000102ff", .bytes([1, 2, 255])),
    .init("aay", "0c000000010000000100000000000000", .array(of: .array(.byte), [.bytes([1]), .bytes([])])),
    .init("as", "0f000000010000006100000002000000626300", .strings(["a", "bc"])),
    .init("ax", "0000000000000000", .array(of: .int64, [])),
    .init("ax", "08000000000000000100000000000000", .array(of: .int64, [.int64(1)])),
    .init("ab", "080000000100000000000000", .array(of: .boolean, [.boolean(true), .boolean(false)])),
    .init("(ys)", "05000000010000006100", .structure([.byte(5), .string("a")])),
    .init(
      "a(yn)", "0c000000000000000100ffff0000000002000300",
      .array(
        of: .structure([.byte, .int16]),
        [.structure([.byte(1), .int16(-1)]), .structure([.byte(2), .int16(3)])])),
    .init("a{sv}", "0000000000000000", .properties([:])),
    .init("a{sv}", "0a0000000000000001000000410001790001", .properties(["A": .byte(1)])),
    .init(
      "a{qay}", "0900000000000000341200000100000007",
      .dictionary(key: .uint16, value: .array(.byte), [.init(.uint16(0x1234), .bytes([7]))])),
    .init("yt", "01000000000000000200000000000000", .byte(1), .uint64(2)),
    .init(
      "sa{sv}as",
      """
      1d0000006f72672e626c75657a2e476174744368617261637465726973746963310000001c0000000500000056616c75650002617900\
      0000080000001e4105008003900300000000
      """,
      .string("org.bluez.GattCharacteristic1"),
      .properties(["Value": .bytes([0x1E, 0x41, 5, 0, 0x80, 3, 0x90, 3])]), .strings([])),
    .init(
      "a{oa{sa{sv}}}",
      """
      7800000000000000020000002f610000580000000000000003000000692e44003600000000000000010000005200016e0000ceff0000\
      00000100000043000162000000000100000001000000550002617300000006000000010000007800000003000000692e450000000000\
      00000000020000002f6200000000000000000000
      """,
      .dictionary(
        key: .objectPath, value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
        [
          .init(
            .objectPath("/a"),
            .dictionary(
              key: .string, value: .dictionary(key: .string, value: .variant),
              [
                .init(
                  .string("i.D"),
                  .properties(["R": .int16(-50), "C": .boolean(true), "U": .strings(["x"])])),
                .init(.string("i.E"), .properties([:])),
              ])),
          .init(
            .objectPath("/b"), .dictionary(key: .string, value: .dictionary(key: .string, value: .variant), [])),
        ])),
  ]
}
