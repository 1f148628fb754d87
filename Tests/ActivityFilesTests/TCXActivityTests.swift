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
}
