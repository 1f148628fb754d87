/// How the ticks of samples follow each other.
struct SampleRhythm: Hashable {
  /// From one to the next, in nanoseconds.
  var period: Int64
  /// How far the connection's events are apart, in 1.25 ms; 0 where none are to be seen.
  var spacing: UInt64

  /// What is looked at: connection intervals from 7.5 to 500 ms, by so many differences.
  private static let spacings: ClosedRange<UInt64> = 6...400
  private static let looked = 64

  /// - Parameter samples: one at least.
  /// - Returns: the ways that are worth trying.
  static func candidates(_ samples: [StoredSample]) -> [SampleRhythm] {
    let differences = samples.indices.dropFirst().map { samples[$0].tick &- samples[$0 - 1].tick }.sorted()
    guard !differences.isEmpty else { return [SampleRhythm(period: 0, spacing: 0)] }
    // Gaps and pieces of two boots do not move the middle one.
    let middle = differences[differences.count / 2]
    let usual = differences.filter { $0 > middle / 2 && $0 < middle &+ middle / 2 }
    let plain = SampleRhythm(period: middle, spacing: 0)
    guard let spacing = spacing(usual, middle) else { return [plain] }
    // All differences are multiples of the spacing then, and none of them the period.
    let mean = usual.reduce(0, +) / Int64(usual.count)
    return [plain, SampleRhythm(period: mean, spacing: spacing)]
  }

  /// Of which spacing the differences are multiples, but for some jitter; nil where they are of none.
  private static func spacing(_ sorted: [Int64], _ middle: Int64) -> UInt64? {
    guard sorted.count >= 16, middle > 0, middle < 60_000_000_000 else { return nil }
    let count = min(sorted.count, looked)
    let some = (0..<count).map { sorted[$0 * sorted.count / count] }
    let spread = some.reduce(0) { $0 + abs($1 - middle) } / Int64(count)
    var best: (spacing: UInt64, miss: Int64)?
    for spacing in spacings {
      let length = Int64(spacing) * SamplePiece.spacingUnit
      var miss: Int64 = 0
      for difference in some {
        let rest = difference % length
        miss += min(rest, length - rest)
      }
      miss /= Int64(count)
      // Of any length, a quarter is missed by chance.
      guard miss < length / 8, miss < spread / 2 else { continue }
      // Parts of the spacing miss as little as the whole.
      if best.map({ miss < $0.miss + $0.miss / 4 }) ?? true { best = (spacing, min(miss, best?.miss ?? miss)) }
    }
    return best?.spacing
  }
}
