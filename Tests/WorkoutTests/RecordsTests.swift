import Measurements
import Testing
import Workout

@Suite struct RecordsTests {
  @Test func aSummaryIsTheStatisticsAtOneMoment() {
    var statistics = HeartRateStatistics()
    statistics.add(100, at: .at(1))
    statistics.add(50, at: .at(3))
    #expect(
      HeartRateSummary(statistics, at: .at(5))
        == HeartRateSummary(
          count: 2, minimum: 50, maximum: 100, average: 75, mostRecent: 50, mostRecentTick: .at(3),
          covered: .seconds(4)))
    #expect(HeartRateSummary(statistics, at: .at(9))?.average == 62.5)
    #expect(HeartRateSummary(HeartRateStatistics(), at: .at(9)) == nil)
  }
}
