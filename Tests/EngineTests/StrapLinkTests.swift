import Measurements
import Testing

@testable import Engine

struct FreshnessTests {
  private func tick(_ milliseconds: Int64) -> Tick { Tick(nanoseconds: milliseconds * 1_000_000) }

  @Test func threeSecondsAtLeast() {
    var freshness = Freshness()
    #expect(freshness.limit == nil)
    for second in Int64(0)..<10 { freshness.refresh(at: tick(second * 1000)) }
    #expect(freshness.limit == tick(12_000))
  }

  @Test func threePeriodsOfASlowStrap() {
    var freshness = Freshness()
    for beat in Int64(0)..<10 { freshness.refresh(at: tick(beat * 2000)) }
    #expect(freshness.limit == tick(18_000 + 6000))
  }

  @Test func aGapSaysNothingOfThePeriod() {
    var freshness = Freshness()
    for second in Int64(0)..<10 { freshness.refresh(at: tick(second * 1000)) }
    freshness.interrupt()
    #expect(freshness.limit == tick(12_000), "a lost link is a gap like any other")
    freshness.refresh(at: tick(500_000))
    #expect(freshness.limit == tick(503_000))
    #expect(freshness.period == .seconds(1))
    #expect(freshness.jitter == .zero)
    freshness.stop()
    #expect(freshness.limit == nil)
  }
}
