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

  @Test(arguments: seeds) func samplesComeBackWithTheirTimesAndIntervals(seed: UInt64) throws {
    let workout = RandomWorkout(seed: seed)
    let read = try #require(try WorkoutFile.workouts(fit: workout.file.fit()).first)
    let shown = Set(workout.shown.map(\.sample.offset))
    // What is told of by a record or by intervals: else nothing in the file is of it.
    let expected = workout.counted.filter { sample in
      sample.contact != .notDetected
        && (shown.contains(sample.offset) || sample.intervals.contains { $0.ticks1024 > 0 })
    }
    let got = read.samples.filter { $0.measurement.contact != .notDetected }
    #expect(got.map { Self.milliseconds($0.tick) } == expected.map { Self.milliseconds($0.offset) })
    #expect(got.map(\.measurement.heartRate) == expected.map(\.heartRate))
    #expect(got.map(\.measurement.contact) == expected.map(\.contact))
    let intervals = got.map { $0.measurement.rrIntervals.map { Int($0.milliseconds.rounded()) } }
    #expect(
      intervals
        == expected.map { sample in
          sample.intervals.filter { $0.ticks1024 > 0 }.map { Int($0.milliseconds.rounded()) }
        })
  }

  @Test(arguments: seeds) func whatWasReadIsWrittenTheSame(seed: UInt64) throws {
    let once = try #require(try WorkoutFile.workouts(fit: RandomWorkout(seed: seed).file.fit()).first)
    let twice = try #require(try WorkoutFile.workouts(fit: once.fit()).first)
    #expect(twice.samples.map(\.tick) == once.samples.map(\.tick))
    #expect(twice.samples.map(\.payload) == once.samples.map(\.payload))
    #expect(twice.events == once.events)
    #expect(twice.workout == once.workout)
  }

  /// Of two heart rates within one second that came without intervals, the file tells of the later one.
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
      #expect(abs(after.covered.inSeconds - before.covered.inSeconds) < 2, "seed \(seed)")
    }
  }
}
