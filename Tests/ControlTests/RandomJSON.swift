import Control

/// SplitMix64: the same numbers for a seed on every run and machine.
struct SeededRandom {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }
}

/// Values that survive writing and reading: no NUL in texts, reals of few digits, names that differ.
enum RandomJSON {
  static func value(depth: Int, from random: inout SeededRandom) -> JSON {
    switch random.next(below: depth >= 5 ? 5 : 7) {
    case 0: .null
    case 1: .bool(random.next(below: 2) == 1)
    case 2: .integer(Int64(random.next(below: .max)) - Int64(random.next(below: .max)))
    case 3: .real(Double(random.next(below: 2_000_000) - 1_000_000) / 128)
    case 4: .string(text(from: &random))
    case 5: .array((0..<random.next(below: 5)).map { _ in value(depth: depth + 1, from: &random) })
    default:
      .object(
        (0..<random.next(below: 5)).map { .init("\($0)\(text(from: &random))", value(depth: depth + 1, from: &random)) }
      )
    }
  }

  private static let scalars: [Unicode.Scalar] = [
    "a", "Z", "\"", "\\", "/", "\n", "\u{1}", "é", "\u{2028}", "\u{FFFD}", "😀",
  ]

  private static func text(from random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<random.next(below: 8) { text.append(scalars[random.next(below: scalars.count)]) }
    return String(text)
  }
}
