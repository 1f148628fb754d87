import Testing

@testable import Store

@Suite struct ByteColumnsTests {
  @Test func columnsAreWrittenByPlanes() throws {
    var writer = ColumnWriter()
    writer.number(300)
    writer.column([1, 0x0203, 4])
    writer.column([0, 0])
    writer.append([9])
    #expect(writer.octets == [0xAC, 0x02, 2, 1, 3, 4, 0, 2, 0, 0, 9])
    var reader = ColumnReader(writer.octets)
    #expect(try reader.number() == 300)
    #expect(try reader.column(3) == [1, 0x0203, 4])
    #expect(try reader.column(2) == [0, 0])
    #expect(try Array(reader.octets(1)) == [9])
    #expect(reader.rest.isEmpty)
    #expect(throws: SamplePieceError.self) { try reader.number() }
  }

  @Test func aColumnOfWhichMostIsAlike() throws {
    var numbers = [UInt64](repeating: 22, count: 100)
    (numbers[3], numbers[4], numbers[99]) = (0, 700, .max)
    var writer = ColumnWriter()
    writer.column(numbers)
    writer.column([UInt64](repeating: 5, count: 8))
    #expect(writer.octets.prefix(9) == [9, 22, 3, 3, 0, 94, 0, 0xBC, 0x05])
    #expect(writer.octets.suffix(3) == [9, 5, 0])
    var reader = ColumnReader(writer.octets)
    #expect(try reader.column(100) == numbers)
    #expect(try reader.column(8) == [5, 5, 5, 5, 5, 5, 5, 5])
    #expect(reader.rest.isEmpty)
  }

  @Test(arguments: [Int64.min, .max, -1, 0, 1, 12_345])
  func differencesOfEitherSign(_ difference: Int64) {
    #expect(UInt64(zigzag: difference).difference == difference)
    #expect(UInt64(zigzag: -2) == 3 && UInt64(zigzag: 2) == 4)
  }

  @Test(
    arguments: [
      [0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [],
    ] as [[UInt8]])
  func noNumber(_ octets: [UInt8]) {
    var reader = ColumnReader(octets)
    #expect(throws: SamplePieceError.self) { try reader.number() }
  }

  @Test(
    arguments: [
      [], [9], [10, 1, 1, 1], [1, 0, 0], [8, 1, 2, 3], [9, 1, 4, 0, 0, 0, 0, 1, 1, 1, 1], [9, 1, 1, 3, 1],
      [9, 1, 2, 1, 1, 2, 2], [9, 1, 1, 0],
    ] as [[UInt8]])
  func noColumnOfThree(_ octets: [UInt8]) {
    var reader = ColumnReader(octets)
    #expect(throws: SamplePieceError.self) { try reader.column(3) }
  }
}
