import Testing

@testable import EventLoop

struct OutputBufferTests {
  /// Takes at most so many octets off the front.
  private func take(_ most: Int, from buffer: inout OutputBuffer) -> [UInt8] {
    var taken: [UInt8] = []
    buffer.send {
      taken = Array($0.prefix(most))
      return taken.count
    }
    return taken
  }

  @Test func octetsComeOutInTheirOrder() {
    var buffer = OutputBuffer(limit: 10)
    #expect(buffer.isEmpty)
    buffer.append([1, 2, 3])
    buffer.append([4, 5][...])
    #expect(buffer.count == 5)
    #expect(take(2, from: &buffer) == [1, 2])
    buffer.append([6])
    #expect(take(0, from: &buffer) == [])
    #expect(take(2, from: &buffer) == [3, 4])
    buffer.append([7])
    #expect(buffer.count == 3)
    #expect(take(9, from: &buffer) == [5, 6, 7])
    #expect(buffer.isEmpty)
  }

  @Test func roomIsCountedByWhatWaits() {
    var buffer = OutputBuffer(limit: 4)
    #expect(buffer.hasRoom(for: 4))
    #expect(!buffer.hasRoom(for: 5))
    buffer.append([1, 2, 3])
    #expect(buffer.hasRoom(for: 1))
    #expect(!buffer.hasRoom(for: 2))
    _ = take(2, from: &buffer)
    #expect(buffer.hasRoom(for: 3))
    #expect(!buffer.hasRoom(for: .max))
  }

  @Test func aFailedSendTakesNothing() {
    var buffer = OutputBuffer(limit: 4)
    buffer.append([1, 2])
    buffer.send { _ in -1 }
    #expect(buffer.count == 2)
    buffer.clear()
    #expect(buffer.isEmpty)
    #expect(buffer.count == 0)
  }

  @Test func aLongRunOfUnevenPiecesIsKeptWhole() {
    var buffer = OutputBuffer(limit: 1 << 20)
    var state: UInt64 = 42
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var (written, read): ([UInt8], [UInt8]) = ([], [])
    for _ in 0..<5000 {
      let piece = (0..<next(40)).map { _ in UInt8(truncatingIfNeeded: next(256)) }
      written += piece
      buffer.append(piece[...])
      read += take(next(40), from: &buffer)
      #expect(buffer.count == written.count - read.count)
    }
    read += take(.max, from: &buffer)
    #expect(read == written)
  }
}
