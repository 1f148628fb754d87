import Measurements
import Testing

@testable import Workout

@Suite struct HeartRateStatisticsTests {
  @Test func withoutAValueThereIsNothing() {
    let statistics = HeartRateStatistics()
    #expect(statistics.count == 0)
    #expect(statistics.minimum == nil && statistics.maximum == nil && statistics.mostRecent == nil)
    #expect(statistics.average(at: .at(5)) == nil)
    #expect(statistics.covered(at: .at(5)) == .zero)
    #expect(HeartRateSummary(statistics, at: .at(5)) == nil)
  }

  /// An arithmetic mean gives 80, a trapezoid 103.5.
  @Test func theAverageIsWeightedByTime() {
    var statistics = HeartRateStatistics()
    statistics.add(60, at: .at(0))
    statistics.add(60, at: .at(1))
    statistics.add(120, at: .at(10))
    statistics.cut(at: .at(20))
    #expect(statistics.average(at: .at(20)) == 90)
    #expect(
      HeartRateSummary(statistics, at: .at(20))
        == HeartRateSummary(
          count: 3, minimum: 60, maximum: 120, average: 90, mostRecent: 120, mostRecentTick: .at(10),
          covered: .seconds(20)))
  }

  @Test func aValueHoldsForTenSecondsAtMost() {
    var statistics = HeartRateStatistics()
    statistics.add(60, at: .at(0))
    #expect(statistics.covered(at: .at(9)) == .seconds(9))
    #expect(statistics.covered(at: .at(11)) == .seconds(10))
    statistics.add(120, at: .at(30))
    #expect(statistics.covered(at: .at(30)) == .seconds(10))
    #expect(statistics.average(at: .at(30)) == 60, "the new value has held for no time yet")
    #expect(statistics.average(at: .at(35)) == 80)
    #expect(statistics.average(at: .at(1_000)) == 90)
  }

  @Test func aCutEndsTheHoldUntilTheNextValue() {
    var statistics = HeartRateStatistics()
    statistics.add(60, at: .at(0))
    statistics.cut(at: .at(3))
    #expect(statistics.covered(at: .at(9)) == .seconds(3))
    statistics.cut(at: .at(8))
    #expect(statistics.covered(at: .at(9)) == .seconds(3))
    statistics.add(90, at: .at(10))
    #expect(statistics.covered(at: .at(16)) == .seconds(9))
    #expect(statistics.average(at: .at(16)) == 80)
    #expect(statistics.minimum == 60 && statistics.maximum == 90)
    #expect(statistics.mostRecent == HeartRateStatistics.Value(heartRate: 90, tick: .at(10)))
  }

  @Test func atTheMomentOfTheFirstValueTheAverageIsThatValue() {
    var statistics = HeartRateStatistics()
    statistics.add(77, at: .at(5))
    #expect(statistics.average(at: .at(5)) == 77)
    #expect(statistics.average(at: .at(4)) == 77, "an earlier tick covers nothing")
  }

  @Test func theLargestValuesDoNotOverflow() {
    var statistics = HeartRateStatistics()
    var tick = Tick.at(0)
    for _ in 0..<100_000 {
      statistics.add(.max, at: tick)
      tick = tick + .seconds(10)
    }
    #expect(statistics.average(at: tick) == 65_535)
    #expect(statistics.covered(at: tick) == .seconds(1_000_000))
  }
}
