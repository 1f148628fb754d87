import Measurements
import Testing

struct StrapAddressTests {
  @Test func addressesAreReadInEitherCaseAndWrittenUpper() {
    #expect(StrapAddress("F0:F1:F2:F3:F4:F5")?.description == "F0:F1:F2:F3:F4:F5")
    #expect(StrapAddress("f0:f1:f2:f3:f4:f5") == StrapAddress("F0:F1:F2:F3:F4:F5"))
    #expect(StrapAddress("00:0a:00:0B:00:01")?.description == "00:0A:00:0B:00:01")
    #expect(StrapAddress("00:00:00:00:00:00")?.description == "00:00:00:00:00:00")
    #expect(StrapAddress("dev_F0:F1:F2:F3:F4:F5".dropFirst(4))?.description == "F0:F1:F2:F3:F4:F5")
  }

  @Test(arguments: [
    "", "F0", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:F5:", ":F0:F1:F2:F3:F4:F5", "F0-F1-F2-F3-F4-F5", "F0_F1_F2_F3_F4_F5",
    "F0:F1:F2:F3:F4:G5", "F0F1F2F3F4F5", "F:0F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F", "F0:F1:F2:F3:F4:F5 ",
    " F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:é", "F0:F1:F2:F3:F4:+5", "F0 F1 F2 F3 F4 F5",
  ])
  func whatIsNoAddressIsRefused(text: String) {
    #expect(StrapAddress(text) == nil)
  }

  @Test func addressesAreOrderedAsTheirText() throws {
    let texts = [
      "00:00:00:00:00:01", "00:00:00:00:01:00", "0F:FF:FF:FF:FF:FF", "10:00:00:00:00:00", "FF:00:00:00:00:00",
    ]
    let addresses = try texts.map { try #require(StrapAddress($0)) }
    #expect(addresses.reversed().sorted() == addresses)
    #expect(Set(addresses).count == texts.count)
  }

  @Test func seededAddressesComeBack() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<1000 {
      let text = random.octets(6).map { Hex.text([$0], uppercase: true) }.joined(separator: ":")
      #expect(StrapAddress(text)?.description == text)
    }
  }

  /// Nobody has them: they stand for no address, and for an uninitialised one.
  @Test func addressesOfNoDevice() {
    #expect(StrapAddress("00:00:00:00:00:00")?.isDevice == false)
    #expect(StrapAddress("FF:FF:FF:FF:FF:FF")?.isDevice == false)
    #expect(StrapAddress("00:00:00:00:00:01")?.isDevice == true)
    #expect(StrapAddress("FF:FF:FF:FF:FF:FE")?.isDevice == true)
  }
}
