import Testing

@testable import ActivityFiles

@Suite struct FITMessageTests {
  private func values(_ baseType: UInt8, _ octets: [UInt8], isBigEndian: Bool = false) -> FITMessage.Values {
    FITMessage.Values(octets: octets[...], baseType: baseType, isBigEndian: isBigEndian)
  }

  @Test func eachTypeHasItsWidthAndItsWordForNone() {
    let vectors: [(UInt8, [UInt8], UInt64?)] = [
      (0x00, [4], 4), (0x00, [0xFF], nil), (0x01, [0x7E], 126), (0x01, [0x7F], nil), (0x01, [0xFE], nil),
      (0x02, [0xFE], 254), (0x02, [0xFF], nil), (0x0A, [0], nil), (0x0A, [0xFF], 255), (0x0D, [9], 9),
      (0x83, [0x2C, 0x01], 300), (0x83, [0xFF, 0x7F], nil), (0x83, [0xFB, 0xFF], nil),
      (0x84, [0x2C, 0x01], 300), (0x84, [0xFF, 0xFF], nil), (0x8B, [0, 0], nil), (0x8B, [0xFF, 0xFF], 65_535),
      (0x85, [1, 0, 0, 0], 1), (0x85, [0xFF, 0xFF, 0xFF, 0x7F], nil), (0x86, [1, 2, 3, 4], 0x0403_0201),
      (0x86, [0xFF, 0xFF, 0xFF, 0xFF], nil), (0x8C, [0, 0, 0, 0], nil), (0x8C, [7, 0, 0, 0], 7),
      (0x88, [0x00, 0x00, 0x0D, 0x43], 141), (0x88, [0x00, 0x00, 0x80, 0xFF], nil),
      (0x88, [0xFF, 0xFF, 0xFF, 0xFF], nil), (0x89, [0, 0, 0, 0, 0, 0xA0, 0x61, 0x40], 141),
      (0x8E, [5, 0, 0, 0, 0, 0, 0, 0], 5), (0x8E, [0xFB, 255, 255, 255, 255, 255, 255, 255], nil),
      (0x8F, [1, 0, 0, 0, 0, 0, 0, 1], 0x0100_0000_0000_0001), (0x90, [0, 0, 0, 0, 0, 0, 0, 0], nil),
      (0x07, [0x41, 0], nil), (0x55, [3], 3),
    ]
    for (baseType, octets, whole) in vectors {
      #expect(values(baseType, octets).whole == whole, "\(baseType) \(octets)")
      // What stands first in a text stands first in either order.
      let other = baseType == 0x07 ? octets : octets.reversed()
      #expect(values(baseType, other, isBigEndian: true).whole == whole, "\(baseType) \(other)")
    }
  }

  @Test func anArrayHasItsPadding() {
    let octets: [UInt8] = [0x20, 0x03, 0x25, 0x03, 0xFF, 0xFF]
    #expect(values(0x84, octets).wholes == [800, 805, nil])
    #expect(values(0x84, []).wholes.isEmpty)
    #expect(values(0x84, []).whole == nil)
  }

  @Test func ofASizeThatFitsNoTypeTheOctetsAreLeft() {
    #expect(values(0x84, [1, 2, 3]).wholes == [1, 2, 3])
    #expect(values(0x86, [0x90]).whole == 0x90)
  }

  @Test func aTextEndsAtItsNUL() {
    #expect(values(7, Array("Ab\0cd".utf8)).text == "Ab")
    #expect(values(7, Array("Ab".utf8)).text == "Ab")
    #expect(values(7, [0, 0]).text == nil)
    #expect(values(2, Array("Ab".utf8)).text == nil)
    #expect(values(7, [0x41, 0xFF, 0]).text == "A\u{FFFD}")
  }
}
