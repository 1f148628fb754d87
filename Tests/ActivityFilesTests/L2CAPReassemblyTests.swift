import Testing

@testable import ActivityFiles

@Suite struct L2CAPReassemblyTests {
  private static func octets(_ array: [UInt8]) -> LittleEndianOctets { LittleEndianOctets(array[...]) }

  @Test(arguments: 1...10) func fragmentsOfAnyLengthAreOnePDU(length: Int) throws {
    var log = HCILogTests.log()
    log.att(0x40, [0x1B, 0x10, 0, 0x16, 72, 0x55, 0x03], fragment: length)
    log.att(0x40, [0x1B, 0x10, 0, 0x16, 73, 0x55, 0x03], fragment: length)
    #expect(try read(log.bytes).map(\.heartRates) == [[72, 73]])
  }

  @Test func connectionsAndDirectionsAreApart() throws {
    var log = HCILogTests.log()
    log.connect(0x41, HCILogTests.other)
    log.discover(0x41, [(handle: 0x10, number: 0x2A37)])
    log.acl(0x40, [5, 0, 4, 0, 0x1B])
    log.acl(0x41, [5, 0, 4, 0, 0x1B])
    log.acl(0x40, [5, 0, 4, 0, 0x12, 0x11], isReceived: false)
    log.acl(0x41, [0x10, 0, 0x06, 61], boundary: 1)
    log.acl(0x40, [0x00, 1, 0], boundary: 1, isReceived: false)
    log.acl(0x40, [0x10, 0, 0x06, 60], boundary: 1)
    #expect(try read(log.bytes).map(\.heartRates).sorted { $0[0] < $1[0] } == [[60], [61]])
  }

  @Test func whatDoesNotFitIsDroppedAndTheNextPDUIsRead() {
    var reassembly = L2CAPReassembly()
    // A fragment of nothing.
    #expect(reassembly.take(Self.octets([1, 2, 3]), isStart: false) == nil)
    // More than the header says, at once and later.
    #expect(reassembly.take(Self.octets([1, 0, 4, 0, 0x0A, 0x0B]), isStart: true) == nil)
    #expect(reassembly.take(Self.octets([3, 0, 4, 0, 0x0A]), isStart: true) == nil)
    #expect(reassembly.take(Self.octets([1, 2, 3]), isStart: false) == nil)
    #expect(reassembly.take(Self.octets([1]), isStart: false) == nil)
    // One begins while another is under way.
    #expect(reassembly.take(Self.octets([3, 0, 4, 0, 0x0A]), isStart: true) == nil)
    #expect(reassembly.take(Self.octets([1, 0, 4, 0, 0x0B]), isStart: true)?.array == [0x0B])
    #expect(reassembly.take(Self.octets([1, 2]), isStart: false) == nil)
  }

  @Test func otherChannelsAndWhatIsTooLongAreNotKept() {
    var reassembly = L2CAPReassembly()
    #expect(reassembly.take(Self.octets([1, 0, 5, 0, 0x0A]), isStart: true) == nil)
    #expect(reassembly.take(Self.octets([2, 0, 5, 0, 0x0A]), isStart: true) == nil)
    #expect(reassembly.take(Self.octets([0x0B]), isStart: false) == nil)
    #expect(
      reassembly.take(Self.octets([0x01, 0x10, 4, 0] + [UInt8](repeating: 0, count: 4096)), isStart: true) == nil)
    #expect(reassembly.take(Self.octets([0]), isStart: false) == nil)
    #expect(reassembly.take(Self.octets([0, 0, 4, 0]), isStart: true)?.array == [])
  }
}
