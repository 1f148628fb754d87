import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct LapStretchesTests {
  @Test func lapsAndWhatLiesBetweenThem() throws {
    let file = TCXSamples.long()
    let stretches = file.lapStretches
    #expect(stretches.map(\.isLap) == [false, true, true, false, true, false])
    #expect(stretches.first?.interval.start.tick == file.workout.start.tick)
    #expect(stretches.last?.interval.end.tick == file.workout.end.tick)
    for (a, b) in zip(stretches, stretches.dropFirst()) { #expect(a.interval.end.tick == b.interval.start.tick) }
    #expect(stretches.filter(\.isLap).map(\.summary) == file.workout.laps.map(\.summary))
    let sum = stretches.map(\.summary.elapsed).reduce(.zero, +)
    #expect(sum == file.workout.elapsed)
    #expect(stretches[0].summary.elapsed == .seconds(10))
    #expect(stretches[0].summary.heartRate?.count == 10)
    #expect(stretches[0].summary.heartRate?.maximum == 153)
    #expect(stretches.compactMap(\.summary.heartRate?.count).reduce(0, +) == file.workout.heartRate?.count)
    #expect(stretches.compactMap(\.summary.heartRate?.covered).reduce(.zero, +) == file.workout.heartRate?.covered)
  }

  @Test func withoutLapsItIsTheWhole() {
    let file = TCXSamples.file(TCXSamples.assembly([(0.5, 100), (1.5, 120)], length: 3))
    #expect(file.lapStretches.map(\.summary) == [file.workout.summary])
    #expect(file.lapStretches.map(\.isLap) == [false])
  }

  @Test func lapsBeyondTheWorkoutAreCutAndWhatOverlapsIsPassedOver() {
    var file = TCXSamples.file(TCXSamples.assembly([(0.5, 100)], length: 10))
    func lap(_ start: Int64, _ end: Int64) -> FinishedWorkout.Lap {
      func moment(_ second: Int64) -> DatedTick {
        DatedTick(tick: Tick(nanoseconds: second * 1_000_000_000), date: TCXSamples.start + .seconds(second))
      }
      return FinishedWorkout.Lap(
        number: start, interval: WorkoutInterval(start: moment(start), end: moment(end)), summary: file.workout.summary)
    }
    file.workout.laps = [lap(8, 12), lap(-2, 3), lap(2, 5), lap(3, 4), lap(11, 12)]
    let seconds = file.lapStretches.map { ($0.interval.start.tick.nanoseconds, $0.interval.end.tick.nanoseconds) }
    #expect(seconds.map { $0.0 / 1_000_000_000 } == [0, 3, 5, 8])
    #expect(seconds.map { $0.1 / 1_000_000_000 } == [3, 5, 8, 10])
    #expect(file.lapStretches.map(\.isLap) == [true, true, false, true])
  }
}
