/// Numbers of which most are about as large as those before them, as bits (Golomb-Rice codes, whose parameter follows the
/// numbers as in ITU-T T.87): noise is packed by this better than by any table, which would be as large as it.
struct RiceParameter {
  private var sum: UInt64 = 0
  private var count: UInt64 = 1

  /// Bits of a number that are written as they are; the rest is counted out.
  var bits: UInt64 {
    var bits: UInt64 = 0
    while bits < 56, count << bits < sum { bits += 1 }
    return bits
  }

  mutating func take(_ number: UInt64) {
    // A gap in the series is no reason to expect more of them.
    let most = count < Self.trial ? Self.mostCounted : min(Self.mostCounted, (sum / count) << 4 + Self.trial)
    sum += min(number, most)
    count += 1
    if count == Self.memory {
      sum /= 2
      count /= 2
    }
  }

  private static let trial: UInt64 = 8
  private static let memory: UInt64 = 64
  private static let mostCounted: UInt64 = 1 << 50
  /// So much is counted out at most; then the number follows as it is, in 64 bits.
  static let longestCount: UInt64 = 20
}

struct BitWriter {
  private(set) var octets: [UInt8] = []
  /// The bits that are no octet yet, the first one lowest.
  private var open: UInt64 = 0
  private var openCount: UInt64 = 0

  mutating func column(_ numbers: [UInt64]) {
    var parameter = RiceParameter()
    for number in numbers {
      let bits = parameter.bits
      if number >> bits < RiceParameter.longestCount {
        write(1 << (number >> bits), (number >> bits) + 1)
        write(number & ((1 << bits) - 1), bits)
      } else {
        write(0, RiceParameter.longestCount)
        write(number, 64)
      }
      parameter.take(number)
    }
  }

  /// Fills the last octet.
  mutating func finish() {
    if openCount > 0 { octets.append(UInt8(truncatingIfNeeded: open)) }
    (open, openCount) = (0, 0)
  }

  private mutating func write(_ bits: UInt64, _ count: UInt64) {
    // Less than eight are open.
    if count > 32 {
      write(bits & 0xFFFF_FFFF, 32)
      return write(bits >> 32, count - 32)
    }
    open |= bits << openCount
    openCount += count
    while openCount >= 8 {
      octets.append(UInt8(truncatingIfNeeded: open))
      open >>= 8
      openCount -= 8
    }
  }
}

struct BitReader {
  private let octets: ArraySlice<UInt8>
  private var next: Int
  private var open: UInt64 = 0
  private var openCount: UInt64 = 0

  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
    next = octets.startIndex
  }

  mutating func column(_ count: Int) throws(SamplePieceError) -> [UInt64] {
    var parameter = RiceParameter()
    var numbers: [UInt64] = []
    numbers.reserveCapacity(count)
    for _ in 0..<count {
      let bits = parameter.bits
      var number: UInt64 = 0
      while number < RiceParameter.longestCount, try read(1) == 0 { number += 1 }
      number = number < RiceParameter.longestCount ? number << bits | (try read(bits)) : try read(64)
      parameter.take(number)
      numbers.append(number)
    }
    return numbers
  }

  /// Whether less than an octet is left, and nothing in it.
  var isAtEnd: Bool { next == octets.endIndex && openCount < 8 && open == 0 }

  private mutating func read(_ count: UInt64) throws(SamplePieceError) -> UInt64 {
    if count > 32 {
      let low = try read(32)
      return try low | read(count - 32) << 32
    }
    while openCount < count {
      guard next < octets.endIndex else { throw .contents("ends too soon") }
      open |= UInt64(octets[next]) << openCount
      next += 1
      openCount += 8
    }
    defer {
      open >>= count
      openCount -= count
    }
    return open & ((1 << count) - 1)
  }
}
