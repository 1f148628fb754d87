import Testing

@testable import ActivityFiles

@Suite struct FITEncoderTests {
  typealias Field = FITEncoder.Field

  @Test func aFileIsTheseOctets() throws {
    var encoder = FITEncoder()
    encoder.add(20, [Field(253, .uint32, 0x4003_0201), Field(3, .uint8, 100)])
    encoder.add(20, [Field(253, .uint32, 0x4003_0202), Field(3, .uint8, 101)])
    encoder.add(20, [Field(253, .uint32, 0x4003_0203)])
    let octets = try #require(encoder.file())
    let messages: [UInt8] = [
      0x40, 0, 0, 20, 0, 2, 253, 4, 0x86, 3, 1, 2,
      0x00, 0x01, 0x02, 0x03, 0x40, 100,
      0x00, 0x02, 0x02, 0x03, 0x40, 101,
      0x41, 0, 0, 20, 0, 1, 253, 4, 0x86,
      0x01, 0x03, 0x02, 0x03, 0x40,
    ]
    #expect(Array(octets[14..<(octets.count - 2)]) == messages)
    #expect(Array(octets[..<12]) == [14, 0x20, 0xE2, 0x52, 38, 0, 0, 0, 0x2E, 0x46, 0x49, 0x54])
    // What a checksum closes comes to 0.
    #expect(FITChecksum(octets[..<14]).value == 0)
    #expect(FITChecksum(octets).value == 0)
  }

  @Test func developerFieldsStandBehindTheOthers() throws {
    var encoder = FITEncoder()
    encoder.add(78, [Field(0, .uint16, array: [800, 0xFFFF])], developer: [Field(.contact, 1)])
    let octets = try #require(encoder.file())
    #expect(
      Array(octets[14..<(octets.count - 2)])
        == [0x60, 0, 0, 78, 0, 1, 0, 4, 0x84, 1, 6, 1, 0, 0x00, 0x20, 0x03, 0xFF, 0xFF, 1])
  }

  @Test func moreLayoutsThanLocalTypesTakeTheirPlaces() throws {
    var encoder = FITEncoder()
    for round in 0..<3 {
      for number in UInt8(0)..<40 { encoder.add(UInt16(number), [Field(number, .uint8, UInt64(round))]) }
    }
    let messages = try FITDecoderTests.messages(try #require(encoder.file()))
    #expect(messages.map(\.definition.message) == (0..<3).flatMap { _ in Array(UInt16(0)..<40) })
    #expect(messages.map { $0.whole(UInt8($0.definition.message)) } == (0..<120).map { UInt64($0 / 40) })
  }

  @Test func aTextIsCutAtACharacter() {
    let field = Field(1, text: String(repeating: "ü", count: 200))
    #expect(field.octets.count == 255)
    #expect(field.octets.last == 0)
    #expect(String(decoding: field.octets.dropLast(), as: UTF8.self) == String(repeating: "ü", count: 127))
    #expect(Field(1, text: "").octets == [0])
  }
}
