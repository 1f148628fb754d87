import Measurements
import Testing

@testable import ActivityFiles

@Suite struct LittleEndianOctetsTests {
  @Test func numbersAreReadWithinTheOctetsOnly() {
    // A part of a longer array counts from its own beginning.
    let octets = LittleEndianOctets(([9, 1, 2, 3, 4, 5, 6, 9] as [UInt8])[1..<7])
    #expect(octets.number16(at: 0) == 0x0201)
    #expect(octets.number16(at: 4) == 0x0605)
    #expect(octets.number16(at: 5) == nil)
    #expect(octets.octet(at: 5) == 6)
    #expect(octets.octet(at: 6) == nil)
    #expect(octets.bigEndian32(at: 2) == 0x0304_0506)
    #expect(octets.bigEndian32(at: 3) == nil)
    #expect(octets.address(at: 0) == StrapAddress("06:05:04:03:02:01"))
    #expect(octets.address(at: 1) == nil)
    #expect(octets.dropping(4).array == [5, 6])
    #expect(octets.dropping(9).count == 0)
    #expect(octets.keeping(2).array == [1, 2])
  }

  @Test func uuidsOfTheBluetoothSIGHaveANumberInBothForms() {
    #expect(LittleEndianOctets([0x37, 0x2A]).assignedNumber == 0x2A37)
    #expect(LittleEndianOctets(AttributeClientTests.long[...]).assignedNumber == 0x2A37)
    #expect(LittleEndianOctets(AttributeClientTests.vendor[...]).assignedNumber == nil)
    #expect(LittleEndianOctets([1, 2, 3]).assignedNumber == nil)
  }
}
