import Measurements
import Testing

@testable import BlueZ

@Suite struct BackOffTests {
  /// Seconds; and then 30 for ever.
  static let waits = [0.0, 1, 2, 5, 15, 30, 30, 30]

  @Test(arguments: [UInt64.min, 1, 2, 0x8000_0000_0000_0000, 0xDEAD_BEEF, UInt64.max])
  func sequence(seed: UInt64) {
    var backOff = BackOff(seed: seed)
    for full in Self.waits {
      let wait = backOff.next().inSeconds
      // Jitter only shortens, by a quarter at most.
      #expect(wait <= full)
      #expect(wait >= full * 0.75)
    }
  }

  @Test func neverAboveThirtySeconds() {
    var backOff = BackOff(seed: 7)
    for _ in 0..<10_000 { #expect(backOff.next() <= .seconds(30)) }
  }

  @Test func resetBeginsAgainAtOnce() {
    var backOff = BackOff(seed: 3)
    for _ in 0..<6 { _ = backOff.next() }
    backOff.reset()
    #expect(backOff.next() == .zero)
    #expect(backOff.next() <= .seconds(1))
  }

  /// Many straps that were lost together do not try in step.
  @Test func seedsDiffer() {
    var thirds: Set<Duration> = []
    for seed in 0..<100 as Range<UInt64> {
      var backOff = BackOff(seed: seed &* 0x9E37_79B9_7F4A_7C15)
      _ = backOff.next()
      _ = backOff.next()
      thirds.insert(backOff.next())
    }
    #expect(thirds.count > 60)
  }

  /// All of the quarter is used, in a second's wait as in one of 30.
  @Test func spread() {
    var backOff = BackOff(seed: 11)
    for _ in 0..<5 { _ = backOff.next() }
    let waits = (0..<2000).map { _ in backOff.next().inSeconds }
    #expect(waits.min().map { $0 < 23 } == true)
    #expect(waits.max().map { $0 > 29.5 } == true)
  }
}
