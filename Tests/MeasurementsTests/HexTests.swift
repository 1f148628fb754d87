import Measurements
import Testing

struct HexTests {
  @Test func octetsAreTwoDigitsEach() {
    #expect(Hex.text([UInt8]()) == "")
    #expect(Hex.text([0, 1, 0x0A, 0x10, 0xAB, 0xFF] as [UInt8]) == "00010a10abff")
    #expect(Hex.text([0xAB, 0xCD] as [UInt8], uppercase: true) == "ABCD")
    #expect(Hex.text(([1, 2, 3] as [UInt8])[1...]) == "0203")
  }

  @Test func digitsOfEitherCaseAreRead() {
    #expect(Hex.bytes("") == [])
    #expect(Hex.bytes("00010a10abFF") == [0, 1, 0x0A, 0x10, 0xAB, 0xFF])
    #expect(Hex.bytes("aBCd".dropFirst(2)) == [0xCD])
  }

  @Test(arguments: [
    "0", "000", "0g", "g0", "0x00", " 00", "00 ", "0:0", "-1", "+1", "é", "00\0\0", "٠٠", "@@", "``", "//", "::",
  ])
  func whatIsNoHexIsRefused(text: String) {
    #expect(Hex.bytes(text) == nil)
  }

  @Test func everyOctetComesBack() {
    let all = Array(UInt8.min...UInt8.max)
    #expect(Hex.bytes(Hex.text(all)) == all)
    #expect(Hex.bytes(Hex.text(all, uppercase: true)) == all)
  }
}
