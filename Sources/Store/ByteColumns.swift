/// Numbers to octets, column by column, most of them all alike.
///
/// A column is split into planes: the less significant octets of all its numbers together, then the next. One of which
/// hardly any number is another than the rest is written as where they are and what: a bit a number is what zstd makes of it
/// at best.
struct ColumnWriter {
  /// What stands in place of a width where a column is sparse.
  static let sparse: UInt8 = 9
  private static let rare = 6
  private(set) var octets: [UInt8] = []

  /// A number by itself, seven bits an octet.
  mutating func number(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    octets.append(UInt8(rest))
  }

  /// A column, its width before it.
  mutating func column(_ numbers: [UInt64]) {
    let usual = numbers.first.map { first in numbers.count { $0 == first } * 2 > numbers.count ? first : 0 } ?? 0
    let others = numbers.indices.filter { numbers[$0] != usual }
    // Zeros alone are a width of 0.
    if usual != 0 || !others.isEmpty, others.count * Self.rare < numbers.count {
      return sparse(numbers, usual, others)
    }
    let all = numbers.reduce(0, |)
    let width = (UInt64.bitWidth - all.leadingZeroBitCount + 7) / 8
    octets.append(UInt8(width))
    for plane in 0..<UInt64(width) {
      for number in numbers { octets.append(UInt8(truncatingIfNeeded: number >> (8 * plane))) }
    }
  }

  /// The usual number, how many are others, how far each of them is behind the one before, and what they are.
  private mutating func sparse(_ numbers: [UInt64], _ usual: UInt64, _ others: [Int]) {
    octets.append(Self.sparse)
    number(usual)
    number(UInt64(others.count))
    var next = 0
    for index in others {
      number(UInt64(index - next))
      next = index + 1
    }
    for index in others { number(numbers[index]) }
  }

  mutating func append(_ more: [UInt8]) {
    octets += more
  }
}

/// The way back; how many numbers a column has is known from those before it.
struct ColumnReader {
  private var octets: ArraySlice<UInt8>

  init(_ octets: [UInt8]) {
    self.octets = octets[...]
  }

  /// What is not read yet.
  var rest: ArraySlice<UInt8> { octets }

  mutating func octets(_ count: Int) throws(SamplePieceError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= octets.count else { throw .contents("ends too soon") }
    defer { octets = octets.dropFirst(count) }
    return octets.prefix(count)
  }

  mutating func number() throws(SamplePieceError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let octet = octets.popFirst() else { throw .contents("ends too soon") }
      number |= UInt64(octet & 0x7F) << shift
      if octet & 0x80 == 0 { return number }
    }
    throw .contents("has a number of more than 64 bits")
  }

  mutating func column(_ count: Int) throws(SamplePieceError) -> [UInt64] {
    guard let width = octets.popFirst(), width <= ColumnWriter.sparse else {
      throw .contents("has no width of a column")
    }
    if width == ColumnWriter.sparse { return try sparse(count) }
    var numbers = [UInt64](repeating: 0, count: count)
    for plane in 0..<UInt64(width) {
      var index = 0
      for octet in try octets(count) {
        numbers[index] |= UInt64(octet) << (8 * plane)
        index += 1
      }
    }
    return numbers
  }

  private mutating func sparse(_ count: Int) throws(SamplePieceError) -> [UInt64] {
    var numbers = [UInt64](repeating: try number(), count: count)
    let others = try number()
    guard others <= count else { throw .contents("has \(others) others in a column of \(count)") }
    var indices: [Int] = []
    var next = 0
    for _ in 0..<others {
      let gap = try number()
      guard gap < UInt64(count - next) else { throw .contents("has more numbers than its column") }
      indices.append(next + Int(gap))
      next += Int(gap) + 1
    }
    for index in indices { numbers[index] = try number() }
    return numbers
  }
}

extension UInt64 {
  /// A difference of either sign as a number that is small where it is.
  init(zigzag difference: Int64) {
    self = UInt64(bitPattern: difference << 1 ^ difference >> 63)
  }

  /// The difference that it stands for.
  var difference: Int64 { Int64(bitPattern: self >> 1) ^ -Int64(bitPattern: self & 1) }
}
