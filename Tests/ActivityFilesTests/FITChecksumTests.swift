import Testing

@testable import ActivityFiles

@Suite struct FITChecksumTests {
  @Test func itIsTheOneOfTheCatalogue() {
    // CRC-16/ARC: polynomial 0x8005 reflected, from 0; its check value is that of "123456789".
    #expect(FITChecksum("123456789".utf8).value == 0xBB3D)
    #expect(FITChecksum().value == 0)
  }

  @Test func itGoesOnWhereItWasLeft() {
    var checksum = FITChecksum("1234".utf8)
    checksum.add("56789".utf8)
    #expect(checksum.value == 0xBB3D)
  }

  @Test func withItsOwnOctetsBehindItComesToNothing() {
    #expect(FITChecksum(Array("123456789".utf8) + [0x3D, 0xBB]).value == 0)
  }
}
