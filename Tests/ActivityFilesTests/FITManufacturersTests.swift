import Testing

@testable import ActivityFiles

/// The numbers themselves are held against the vendor's in FITProfileTests.
@Suite struct FITManufacturersTests {
  @Test func aMakerIsKnownHoweverItsStrapsWriteIt() {
    for name in ["Polar Electro Oy", "POLAR", "polar-electro"] { #expect(FITManufacturers.number(of: name) == 123) }
    for name in ["COOSPO", "CooSpo", "coospo tech"] { #expect(FITManufacturers.number(of: name) == 135) }
  }

  @Test func othersHaveNoNumber() {
    for name in ["", "心率", "Nobody", "P", "Pola"] { #expect(FITManufacturers.number(of: name) == nil) }
    #expect(FITManufacturers.name(of: 255) == nil)
    #expect(FITManufacturers.name(of: 65_536) == nil)
    #expect(FITManufacturers.name(of: 23) == "Suunto")
  }
}
