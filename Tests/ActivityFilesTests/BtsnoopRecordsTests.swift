import Testing

@testable import ActivityFiles

@Suite struct BtsnoopRecordsTests {
  /// A header and an Open Index record of BlueZ' monitor, octet by octet from the file format's tables.
  static let vector: [UInt8] = [
    0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00, 0, 0, 0, 1, 0, 0, 0x07, 0xD1,  //
    0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 3, 0, 0, 0, 9,  // two octets, an event of hci1, nine drops
    0x00, 0xE3, 0x3F, 0x2C, 0x2E, 0x8C, 0x74, 0xAE, 0xFF, 0x00,
  ]

  static func error(_ bytes: [UInt8]) -> ActivityFileError? {
    var reader = BtsnoopReader()
    do { try reader.take(bytes) } catch { return error }
    return nil
  }

  @Test func aRecordHasItsDateAndItsPacket() throws {
    var records = BtsnoopRecords()
    try records.append(Self.vector)
    let record = try #require(try records.next())
    #expect(record.kind == .event)
    #expect(record.controller == 1)
    #expect(record.drops == 9)
    #expect(record.offset == 16)
    #expect(record.packet.array == [0xFF, 0])
    // 2026-11-30T07:11:45.386670Z, as tshark has it.
    #expect(record.date == 1_796_022_705_386_670)
    #expect(try records.next() == nil)
    #expect(!records.isCutShort)
  }

  @Test func theYear1970IsTheEpochOfTheFormat() throws {
    var bytes = Self.vector
    bytes.replaceSubrange(32..<40, with: [0x00, 0xDC, 0xDD, 0xB3, 0x0F, 0x2F, 0x80, 0x00])
    var records = BtsnoopRecords()
    try records.append(bytes)
    #expect(try records.next()?.date == 0)
  }

  @Test func whatIsNoLogIsRefusedByItsFirstOctets() {
    #expect(Self.error([]) == nil)
    #expect(Self.error([0x62, 0x74]) == nil)
    #expect(Self.error(Array(".FIT".utf8))?.text == "does not begin as a log does")
    #expect(Self.error(Array("btsnoopy".utf8))?.offset == 0)
    let version = ActivityFileError(.btsnoop, at: 8, "is of version 2, not 1")
    #expect(Self.error(Array(Self.vector.prefix(8)) + [0, 0, 0, 2]) == version)
    let serial = ActivityFileError(.btsnoop, at: 12, "has data link type 1004; 1001, 1002 and 2001 are read")
    #expect(Self.error(Array(Self.vector.prefix(14)) + [0x03, 0xEC]) == serial)
  }

  @Test func aRecordThatCannotBeIsAnErrorWithItsOffset() {
    var bytes = Self.vector + Self.vector.dropFirst(16)
    bytes[42 + 7] = 3
    let more = ActivityFileError(.btsnoop, at: 42, "a record of 3 octets of a packet of 2, which cannot be")
    #expect(Self.error(bytes) == more)
    bytes = Self.vector
    bytes.replaceSubrange(16..<20, with: LogWriter.big(65_541))
    let longer = ActivityFileError(.btsnoop, at: 16, "a record of 2 octets of a packet of 65541, which cannot be")
    #expect(Self.error(bytes) == longer)
    bytes.replaceSubrange(16..<20, with: LogWriter.big(65_540))
    #expect(Self.error(bytes) == nil)
    bytes = Self.vector
    bytes[32] = 0x7F
    let date = ActivityFileError(.btsnoop, at: 16, "a record with a date outside of the years 1678 to 2261")
    #expect(Self.error(bytes) == date)
    bytes[32] = 0x80
    #expect(Self.error(bytes) == date)
  }

  @Test func nothingOfALongLogIsKeptButWhatIsUnderWay() throws {
    var reader = BtsnoopReader()
    try reader.take(Array(Self.vector.prefix(16)))
    let megabyte = [[UInt8]](repeating: Array(Self.vector.dropFirst(16)), count: 40_000).flatMap { $0 }
    for _ in 0..<20 { try reader.take(megabyte) }
    #expect(try reader.finish() == [])
    #expect(!reader.isCutShort)
  }
}
