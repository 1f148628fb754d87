import Measurements
import Testing
import Workout

@Suite struct HeartRateSampleTests {
  @Test func aHeartRateCountsUnlessContactIsLostOrThereIsNoReading() {
    #expect(HeartRateSample.example(60, at: .at(1), contact: .detected).hasHeartRate)
    #expect(HeartRateSample.example(60, at: .at(1), contact: .unknown).hasHeartRate)
    #expect(!HeartRateSample.example(60, at: .at(1), contact: .notDetected).hasHeartRate)
    #expect(!HeartRateSample.example(0, at: .at(1), contact: .detected).hasHeartRate)
  }

  @Test func intervalsAreBeatsUnlessTheyAreZeroOrRepeated() {
    #expect(HeartRateSample.example(60, at: .at(1)).beatCount == 0)
    #expect(HeartRateSample.example(60, at: .at(1), rr: [1_000, 0, 1_024]).beatCount == 2)
    #expect(HeartRateSample.example(60, at: .at(1), rr: [1_000], isRepeat: true).beatCount == 0)
  }
}
