import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct TCXActivityTests {
  @Test func aPauseIsWhatTheTotalDoesNotTellOf() throws {
    let rate = { (minute: Int) in (0..<10).map { TCXReaderTests.point("09:0\(minute):0\($0)", 100 + $0) } }
    // 69 s, of which 19.5 ran: the pause ends where the second Track begins.
    let file = try TCXReaderTests.one(TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", "19.5", rate(0), rate(1))))
    #expect(file.workout.wall == .seconds(69))
    #expect(file.workout.elapsed == .milliseconds(19_500))
    #expect(file.runningIntervals.map(\.start.nanoseconds) == [0, 60_000_000_000])
    #expect(file.runningIntervals.map(\.end.nanoseconds) == [10_500_000_000, 69_000_000_000])
    #expect(file.workout.laps.isEmpty)
    // The same where the watch goes on with the same Track, and where the total is that of all of it.
    let same = try TCXReaderTests.one(
      TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", "19.5", rate(0) + rate(1))))
    #expect(same.workout.elapsed == .milliseconds(19_500))
    let whole = try TCXReaderTests.one(TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", "69", rate(0), rate(1))))
    #expect(whole.workout.elapsed == .seconds(69))
    // Without a total, and with one that is not known.
    for total in [nil, "0"] {
      let file = try TCXReaderTests.one(
        TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", total, rate(0), rate(1))))
      #expect(file.workout.elapsed == .seconds(18))
    }
  }

  @Test func aPauseBetweenLaps() throws {
    let file = try TCXReaderTests.one(
      TCXReaderTests.activity(
        TCXReaderTests.lap("09:00:00", "5", (0..<5).map { TCXReaderTests.point("09:00:0\($0)", 100) }),
        TCXReaderTests.lap("09:02:00", "5", (0..<5).map { TCXReaderTests.point("09:02:0\($0)", 100) })))
    #expect(file.workout.elapsed == .seconds(10))
    #expect(file.workout.laps.map(\.summary.elapsed) == [.seconds(5), .seconds(5)])
    #expect(file.runningIntervals.map(\.end.nanoseconds) == [5_000_000_000, 125_000_000_000])
  }

  @Test func timesOutOfOrderAreSorted() throws {
    let file = try TCXReaderTests.one(
      TCXReaderTests.activity(
        TCXReaderTests.lap(
          "09:00:10", "3", ["12", "10", "11", "11"].map { TCXReaderTests.point("09:00:\($0)", Int($0)) }),
        TCXReaderTests.lap(
          "09:00:00", "10", ["01", "00"].map { TCXReaderTests.point("09:00:\($0)", 100 + (Int($0) ?? 0)) })))
    #expect(file.samples.map(\.measurement.heartRate) == [100, 101, 10, 11, 12])
    #expect(file.workout.laps.map(\.summary.elapsed) == [.seconds(10), .seconds(3)])
    #expect(file.workout.elapsed == .seconds(13))
  }

  private func covered(_ points: [String]) throws -> Duration {
    let file = try TCXReaderTests.one(TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", nil, points)))
    return try #require(file.workout.heartRate).covered
  }

  @Test func aTrackpointWithoutAHeartRateEndsTheOneBeforeIt() throws {
    let rates = (0..<10).map { TCXReaderTests.point("09:00:0\($0)", 100 + $0) }
    let behind = ["50", "51"].map { TCXReaderTests.point("09:00:\($0)", 90) } + [TCXReaderTests.point("09:00:52", nil)]
    #expect(try covered(rates + behind) == .seconds(9 + 10 + 2))
    #expect(try covered(rates + [TCXReaderTests.point("09:00:13", nil)] + behind) == .seconds(9 + 4 + 2))
    // Another of its time has one.
    let twice = [TCXReaderTests.point("09:00:09", nil), TCXReaderTests.point("09:00:08", nil)]
    #expect(try covered(rates + twice + behind) == .seconds(9 + 10 + 2))
  }

  /// Places between the heart rates are no losses.
  @Test func everyOtherTrackpointIsAPlace() throws {
    let points = (0..<58).map {
      TCXReaderTests.point($0 < 10 ? "09:00:0\($0)" : "09:00:\($0)", $0 % 2 == 0 ? 100 : nil)
    }
    #expect(try covered(points) == .seconds(57))
  }

  /// What was written of a workout with gaps covers no more of it when it is read.
  @Test(arguments: 0..<20) func gapsComeBack(seed: UInt64) throws {
    let file = RandomWorkout(seed: seed, wild: false).file
    guard let before = file.workout.heartRate?.covered, let read = try? WorkoutFile.readTCX(file.tcx()).first else {
      return
    }
    let after = try #require(read.workout.heartRate).covered
    // A value begins at the next whole second, and so no earlier than it did.
    #expect(after <= before + .seconds(1), "\(after) of \(before)")
  }
}
