import Measurements
import Testing

@testable import ActivityFiles

/// Octets worked out by hand from the protocol's tables.
@Suite struct FITDecoderTests {
  /// A whole file around messages.
  static func file(_ messages: [UInt8]) -> [UInt8] {
    FITReaderTests.sealed(
      [14, 0x20, 0x9B, 0x08, 0, 0, 0, 0, 0x2E, 0x46, 0x49, 0x54, 0, 0] + messages, header: 14)
  }

  static let definition: [UInt8] = [
    0x40, 0, 0, 20, 0, 2,  // local 0, little-endian, record, two fields
    253, 4, 0x86, 3, 1, 2,
  ]

  static func messages(_ octets: [UInt8]) throws -> [FITMessage] {
    var decoder = try FITDecoder(octets)
    var messages: [FITMessage] = []
    while let message = try decoder.next() { messages.append(message) }
    return messages
  }

  private func error(_ octets: [UInt8]) -> ActivityFileError? {
    do {
      _ = try Self.messages(octets)
      return nil
    } catch let error as ActivityFileError {
      return error
    } catch {
      return nil
    }
  }

  @Test func aRecordIsRead() throws {
    let messages = try Self.messages(Self.file(Self.definition + [0x00, 0x01, 0x02, 0x03, 0x40, 0x64]))
    let message = try #require(messages.first)
    #expect(messages.count == 1)
    #expect(message.definition.message == 20)
    #expect(message.timestamp == 0x4003_0201)
    #expect(message.whole(3) == 100)
    #expect(message.offset == 26)
    #expect(message.whole(4) == nil)
  }

  @Test func theOrderOfOctetsIsTheDefinitions() throws {
    var big = Self.definition
    big[2] = 1
    (big[3], big[4]) = (0, 20)
    let message = try #require(try Self.messages(Self.file(big + [0x00, 0x40, 0x03, 0x02, 0x01, 0x64])).first)
    #expect(message.timestamp == 0x4003_0201)
  }

  @Test func compressedTimestampsGoOnFromTheLast() throws {
    let compressed: [UInt8] = [0x41, 0, 0, 20, 0, 1, 3, 1, 2]
    let whole: [UInt8] = [0x00, 0x1E, 0, 0, 0x40, 0x64]
    // Local type 1 in bits 5 and 6; the offset in five bits: 31, then 0 and 1, which have rolled over.
    let octets = Self.definition + compressed + whole + [0xBF, 0x65, 0xA0, 0x66, 0xA1, 0x67, 0xA1, 0x68]
    let stamps = try Self.messages(Self.file(octets)).map(\.timestamp)
    #expect(stamps == [0x4000_001E, 0x4000_001F, 0x4000_0020, 0x4000_0021, 0x4000_0021])
  }

  @Test func aTimestampThatIsCompressedNeedsAWholeOne() {
    let octets: [UInt8] = [0x41, 0, 0, 20, 0, 1, 3, 1, 2, 0xBF, 0x65]
    #expect(error(Self.file(octets))?.offset == 23)
  }

  @Test func anErrorTellsTheOctet() {
    #expect(error([])?.offset == 0)
    #expect(error([14, 0x20, 0])?.offset == 0)
    let file = Self.file(Self.definition + [0x00, 0x01, 0x02, 0x03, 0x40, 0x64])
    func changed(_ place: Int, _ octet: UInt8) -> [UInt8] {
      var file = file
      file[place] = octet
      return file
    }
    #expect(error(file) == nil)
    #expect(error(changed(0, 13))?.offset == 0)
    #expect(error(changed(1, 0x30))?.offset == 1)
    #expect(error(changed(4, 200))?.offset == 4)
    #expect(error(changed(4, 200))?.text == "is cut short: it says 216 octets, and there are 34")
    #expect(error(changed(7, 0xFF))?.offset == 4)
    #expect(error(changed(8, 0x2F))?.offset == 8)
    #expect(error(changed(12, file[12] ^ 1))?.offset == 12)
    #expect(error(changed(20, 9))?.offset == 32)
    #expect(error(changed(33, file[33] ^ 1))?.offset == 32)
  }

  @Test func aMessageThatNothingDefinesIsAnError() {
    #expect(error(Self.file(Self.definition + [0x01, 0]))?.offset == 26)
    #expect(error(Self.file([0x00]))?.offset == 14)
    #expect(
      error(Self.file(Self.definition + [0x01, 0]))?.description
        == "as fit, at octet 26: has a message of local type 1, which nothing before it defines")
  }

  @Test func whatEndsInsideIsAnError() {
    #expect(error(Self.file(Array(Self.definition.dropLast())))?.offset == 14)
    #expect(error(Self.file([0x40, 0, 0, 20]))?.offset == 14)
    #expect(error(Self.file(Self.definition + [0x00, 0x01, 0x02]))?.offset == 26)
    #expect(error(Self.file([0x60, 0, 0, 20, 0, 0]))?.offset == 14)
    #expect(error(Self.file([0x60, 0, 0, 20, 0, 0, 1, 5, 4]))?.offset == 14)
    #expect(error(Self.file([0x40, 0, 2, 20, 0, 0]))?.offset == 14)
  }

  @Test func isRecognisedByItsSignature() {
    #expect(ActivityFormat.isFIT(Self.file([])))
    #expect(!ActivityFormat.isFIT([14, 0x20, 0x9B, 0x08, 0, 0, 0, 0, 0x2E, 0x46, 0x49]))
    #expect(!ActivityFormat.isFIT(Array("<?xml version=".utf8)))
    #expect(!ActivityFormat.isFIT([]))
  }
}
