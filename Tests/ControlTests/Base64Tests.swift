import Control
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10, and what has the last two digits.
  @Test(arguments: [
    ([], ""), ([0x66], "Zg=="), ([0x66, 0x6F], "Zm8="), ([0x66, 0x6F, 0x6F], "Zm9v"),
    ([0x66, 0x6F, 0x6F, 0x62], "Zm9vYg=="), ([0x66, 0x6F, 0x6F, 0x62, 0x61], "Zm9vYmE="),
    ([0x66, 0x6F, 0x6F, 0x62, 0x61, 0x72], "Zm9vYmFy"), ([0xFB, 0xFF, 0xBF], "+/+/"), ([0, 0, 0, 0], "AAAAAA=="),
  ])
  func vectors(_ octets: [UInt8], _ text: String) {
    #expect(Base64.text(of: octets) == text)
    #expect(Base64.octets(of: text) == octets)
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "=", "====", "Zm8", "Zm8=Zm8=", "Zm 8", "Zm8\n", "Zm-_", "Zh==", "Zm9=", "Zgü=", "Z===",
  ])
  func whatIsNone(_ text: String) {
    #expect(Base64.octets(of: text) == nil)
  }

  @Test func everyLength() {
    for count in 0..<300 {
      let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
      #expect(Base64.octets(of: Base64.text(of: octets)) == octets)
    }
  }
}
