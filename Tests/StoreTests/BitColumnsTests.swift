import Testing

@testable import Store

@Suite struct BitColumnsTests {
  private func octets(_ columns: [UInt64]...) -> [UInt8] {
    var writer = BitWriter()
    for column in columns { writer.column(column) }
    writer.finish()
    return writer.octets
  }

  /// Counted out with ones below: 3 is 0001 without a parameter, its first octet's lowest bits first.
  @Test func numbersAsBits() {
    #expect(octets([0]) == [0b1])
    #expect(octets([3]) == [0b1000])
    #expect(octets([0, 0, 0]) == [0b111])
    #expect(octets([0], [3]) == [0b1_0001])
  }

  @Test func whateverNumbers() throws {
    var random = SeededRandom(state: 1)
    for _ in 0..<300 {
      let width = UInt64.random(in: 0..<64, using: &random)
      let column = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt64.random(in: 0...UInt64.max, using: &random) >> (Int.random(in: 0..<9, using: &random) == 0 ? 0 : width)
      }
      var reader = BitReader(octets(column, [1, 2, 3])[...])
      #expect(try reader.column(column.count) == column)
      #expect(try reader.column(3) == [1, 2, 3])
      #expect(reader.isAtEnd)
    }
  }

  /// 20 bits of noise take little more than that.
  @Test func noiseTakesItsBits() {
    var random = SeededRandom(state: 2)
    let noise = (0..<256).map { _ in UInt64.random(in: 0..<1 << 20, using: &random) }
    #expect(octets(noise).count < 256 * 22 / 8)
    #expect(octets(noise.map { $0 == noise[50] ? 1 << 60 : $0 }).count < 256 * 23 / 8, "a gap costs little behind it")
  }

  @Test func endsTooSoon() {
    let whole = octets([1 << 40, 5, 1 << 63])
    for count in 0..<whole.count {
      var reader = BitReader(whole.prefix(count))
      #expect(throws: SamplePieceError.contents("ends too soon")) { try reader.column(3) }
    }
  }
}
