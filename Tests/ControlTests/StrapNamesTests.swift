import Control
import Measurements
import Testing

@Suite struct StrapNamesTests {
  static let a = StrapAddress("F0:F1:F2:F3:F4:F5")!
  static let b = StrapAddress("F0:F1:F2:F3:F4:F6")!
  static let names = StrapNames([a: StrapName("Ben")!, b: StrapName("anna's")!])

  @Test func findsByAddressAndByName() throws {
    for (text, strap) in [
      ("F0:F1:F2:F3:F4:F5", Self.a), ("f0:f1:f2:f3:f4:f6", Self.b), ("Ben", Self.a), ("bEN", Self.a),
      ("ANNA'S", Self.b),
    ] {
      #expect(try Self.names.strap(text) == strap, "\(text)")
    }
    #expect(
      try StrapNames().strap("00:11:22:33:44:55") == StrapAddress("00:11:22:33:44:55"), "an address needs no name")
  }

  @Test(arguments: ["Carl", "Be", "Ben2", "any"])
  func anUnknownNameIsRefusedWithTheKnownOnes(_ text: String) throws {
    let known = [try #require(StrapName("anna's")), try #require(StrapName("Ben"))]
    #expect(throws: ControlError.unknownStrap(text, known: known)) { try Self.names.strap(text) }
    #expect(throws: ControlError.unknownStrap(text, known: [])) { try StrapNames().strap(text) }
  }

  @Test(arguments: ["", " Ben", "F0:F1:F2:F3:F4", "F0-F1-F2-F3-F4-F5", "a\u{1B}"])
  func whatIsNeitherIsNothing(_ text: String) throws {
    #expect(try Self.names.strap(text) == nil)
  }
}
