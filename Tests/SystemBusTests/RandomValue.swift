import Bus

/// Seeded: the same trees on every run and machine.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func next(below bound: UInt64) -> UInt64 {
    next() % bound
  }
}

enum RandomValue {
  static func any(depth: Int, from random: inout SplitMix64) -> BusValue {
    value(of: type(depth: depth, from: &random), depth: depth, from: &random)
  }

  private static let basic: [BusType] = [
    .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
  ]

  private static func type(depth: Int, from random: inout SplitMix64) -> BusType {
    switch depth >= 4 ? 0 : random.next(below: 8) {
    case 4: .array(type(depth: depth + 1, from: &random))
    case 5: .structure((0...random.next(below: 2)).map { _ in type(depth: depth + 1, from: &random) })
    case 6: .dictionary(key: basicType(&random), value: type(depth: depth + 1, from: &random))
    case 7: .variant
    default: basicType(&random)
    }
  }

  private static func basicType(_ random: inout SplitMix64) -> BusType {
    basic[Int(random.next(below: UInt64(basic.count)))]
  }

  private static func value(of type: BusType, depth: Int, from random: inout SplitMix64) -> BusValue {
    let count = Int(random.next(below: 4))
    switch type {
    case .byte: return .byte(UInt8(truncatingIfNeeded: random.next()))
    case .boolean: return .boolean(random.next(below: 2) == 1)
    case .int16: return .int16(Int16(truncatingIfNeeded: random.next()))
    case .uint16: return .uint16(UInt16(truncatingIfNeeded: random.next()))
    case .int32: return .int32(Int32(truncatingIfNeeded: random.next()))
    case .uint32: return .uint32(UInt32(truncatingIfNeeded: random.next()))
    case .int64: return .int64(Int64(truncatingIfNeeded: random.next()))
    case .uint64: return .uint64(random.next())
    case .double: return .double(Double(Int64(truncatingIfNeeded: random.next())) / 1024)
    case .string: return .string(String((0..<count).map { _ in scalar(&random) }))
    case .objectPath: return .objectPath(["/", "/a", "/a/b_1", "/org/bluez/hci0/dev_F0"][count])
    case .signature: return .signature(BusSignature((0..<count).map { _ in self.type(depth: 2, from: &random) }))
    case .unixFD: preconditionFailure("descriptors have tests of their own")
    case .variant: return .variant(any(depth: depth + 1, from: &random))
    case .array(.byte): return .bytes((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case .array(let element):
      return .array(of: element, (0..<count).map { _ in value(of: element, depth: depth + 1, from: &random) })
    case .structure(let fields):
      return .structure(fields.map { value(of: $0, depth: depth + 1, from: &random) })
    case .dictionary(let key, let content):
      return .dictionary(
        key: key, value: content,
        (0..<count).map { _ in
          .init(
            value(of: key, depth: depth + 1, from: &random), value(of: content, depth: depth + 1, from: &random))
        })
    }
  }

  /// Letters of every length in UTF-8, no NUL.
  private static func scalar(_ random: inout SplitMix64) -> Character {
    ["a", "\u{1}", "\u{7F}", "é", "€", "\u{FFFE}", "🚀", "\u{10FFFF}"][Int(random.next(below: 8))]
  }
}
