import Measurements
import Testing

@testable import Workout

@Suite struct SampleSeriesTests {
  private func sample(_ payload: [UInt8], isRepeat: Bool = false) throws -> HeartRateSample {
    HeartRateSample(
      sequence: 1, tick: Tick(nanoseconds: 0), measurement: try HeartRateMeasurement(payload), payload: payload,
      isRepeat: isRepeat)
  }

  @Test func values() throws {
    // Contact, energy 300 kJ, intervals of 1024 and 512 ticks.
    let full = try sample([0x1E, 120, 0x2C, 0x01, 0x00, 0x04, 0x00, 0x02])
    #expect(SampleSeries.heartRate.values(of: full) == [120])
    #expect(SampleSeries.rrIntervals.values(of: full) == [1000, 500])
    #expect(SampleSeries.energyKilojoules.values(of: full) == [300])
    #expect(SampleSeries.contact.values(of: full) == [1])
    let lost = try sample([0x04, 120])
    #expect(SampleSeries.heartRate.values(of: lost) == [] && SampleSeries.contact.values(of: lost) == [0])
    let bare = try sample([0x00, 0])
    #expect(SampleSeries.allCases.map { $0.values(of: bare) } == [[], [], [], []])
    // The same measurement, signalled twice: its beats are no others.
    let twice = try sample([0x1E, 120, 0x2C, 0x01, 0x00, 0x04], isRepeat: true)
    #expect(SampleSeries.rrIntervals.values(of: twice) == [])
  }

  @Test func buckets() {
    let start = Tick(nanoseconds: 5)
    var buckets = SeriesBuckets(from: start, width: .seconds(10))
    for (second, value) in [(0.0, 60.0), (9.999, 80), (10, 100), (45, 7), (49.9, 9)] {
      buckets.add(value, at: start + .seconds(second))
    }
    #expect(buckets.wholeCount == 2)
    #expect(
      buckets.takeWhole() == [
        SeriesBucket(start: start, count: 2, minimum: 60, mean: 70, maximum: 80),
        SeriesBucket(start: start + .seconds(10), count: 1, minimum: 100, mean: 100, maximum: 100),
      ])
    #expect(
      buckets.takeAll() == [SeriesBucket(start: start + .seconds(40), count: 2, minimum: 7, mean: 8, maximum: 9)],
      "20 and 30 have none")
    #expect(buckets.takeAll() == [])
  }
}
