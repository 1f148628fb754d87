import Control
import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct FITRoundTripTests {
  private static let seeds = (1...60).map(UInt64.init)

  private static func milliseconds(_ tick: Tick) -> Int64 {
    (tick.nanoseconds + 500_000) / 1_000_000
  }

  private static func milliseconds(_ span: Duration) -> Int64 {
    (span.wholeNanoseconds + 500_000) / 1_000_000
  }

  @Test(arguments: seeds) func aWorkoutComesBackToTheMillisecond(seed: UInt64) throws {
    let workout = RandomWorkout(seed: seed)
    let written = workout.file
    let read = try #require(try WorkoutFile.workouts(fit: written.fit()).first)
    #expect(read.workout.id == written.workout.id)
    #expect(read.workout.start.date == written.workout.start.date)
    #expect(Self.milliseconds(read.workout.end.tick) == Self.milliseconds(written.workout.end.tick))
    #expect(read.workout.activity == written.workout.activity)
    #expect(read.workout.location == written.workout.location)
    #expect(read.workout.title == written.workout.title)
    #expect(read.workout.zones == written.workout.zones)
    #expect(read.device == written.device)
    #expect(read.workout.rrCount == written.workout.rrCount)
    #expect(read.workout.energyKilojoules == written.workout.energyKilojoules)
    let running = written.runningIntervals.map { [Self.milliseconds($0.start), Self.milliseconds($0.end)] }
    #expect(read.runningIntervals.map { [Self.milliseconds($0.start), Self.milliseconds($0.end)] } == running)
    func laps(_ file: WorkoutFile) -> [String] {
      file.workout.laps.map { lap in
        let (start, end) = (Self.milliseconds(lap.interval.start.tick), Self.milliseconds(lap.interval.end.tick))
        return "\(start) \(end) \(lap.interval.label ?? "")"
      }
    }
    #expect(laps(read) == laps(written))
  }

  @Test(arguments: seeds) func samplesComeBackWithTheirTimes(seed: UInt64) throws {
    let workout = RandomWorkout(seed: seed)
    let read = try #require(try WorkoutFile.workouts(fit: workout.file.fit()).first)
    var shown: [RandomWorkout.Sample] = []
    for next in workout.shown.map(\.sample) where next.offset != shown.last?.offset { shown.append(next) }
    let got = read.samples.filter { $0.measurement.heartRate > 0 }
    #expect(got.map { Self.milliseconds($0.tick) } == shown.map { Self.milliseconds($0.offset) })
    #expect(got.map(\.measurement.heartRate) == shown.map(\.heartRate))
    #expect(got.map(\.measurement.contact) == shown.map(\.contact))
  }

  /// To a moment of the second in which they were received.
  @Test(arguments: seeds) func intervalsComeBackInOrderAndNoneIsLost(seed: UInt64) throws {
    let workout = RandomWorkout(seed: seed)
    let read = try #require(try WorkoutFile.workouts(fit: workout.file.fit()).first)
    let got = read.samples.flatMap { sample in
      sample.measurement.rrIntervals.map { (sample.tick, Int($0.milliseconds.rounded())) }
    }
    #expect(got.map(\.1) == workout.intervals)
    let received = workout.counted.filter { $0.contact != .notDetected }.flatMap { sample in
      sample.intervals.filter { $0.ticks1024 > 0 }.map { _ in sample.offset }
    }
    try #require(received.count == got.count)
    let records = workout.shown.map { WallTime(nanoseconds: $0.second * 1_000_000_000) - workout.assembly.start }
    for (interval, offset) in zip(got, received) {
      // Where no heart rate holds for a while, there is no record to tell when it was.
      guard let next = records.first(where: { $0 >= offset }), next <= offset + .seconds(1) else { continue }
      let late = Self.milliseconds(interval.0) - Self.milliseconds(offset)
      #expect((-1001...1001).contains(late), "\(offset)")
    }
  }

  @Test(arguments: seeds) func whatWasReadIsWrittenTheSame(seed: UInt64) throws {
    let once = try #require(try WorkoutFile.workouts(fit: RandomWorkout(seed: seed).file.fit()).first)
    let twice = try #require(try WorkoutFile.workouts(fit: once.fit()).first)
    #expect(twice.samples.map(\.tick) == once.samples.map(\.tick))
    #expect(twice.samples.map(\.payload) == once.samples.map(\.payload))
    #expect(twice.events == once.events)
    #expect(twice.workout == once.workout)
  }

  /// Of heart rates within one second the file tells of the last, so that one may hold longer by no more than a hold.
  @Test func heartRateIsCountedNearlyAsItWas() throws {
    for seed in Self.seeds {
      let written = RandomWorkout(seed: seed, wild: false).file
      let read = try #require(try WorkoutFile.workouts(fit: written.fit()).first)
      let (before, after) = (written.workout.heartRate, read.workout.heartRate)
      guard let before, let after else {
        #expect(before == nil && after == nil, "seed \(seed)")
        continue
      }
      #expect(abs(after.average - before.average) < 0.5, "seed \(seed)")
      #expect(abs(after.covered.inSeconds - before.covered.inSeconds) < 10, "seed \(seed)")
    }
  }
}
