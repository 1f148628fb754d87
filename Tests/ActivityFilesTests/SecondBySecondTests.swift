import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct SecondBySecondTests {
  @Test func secondsAreOfTheWallClock() {
    var assembly = WorkoutAssembly(start: TCXSamples.start + .milliseconds(250), length: .seconds(3))
    assembly.add(heartRate: 100, at: .zero)
    let file = TCXSamples.file(assembly)
    #expect(file.heldHeartRates.map(\.end.nanoseconds) == [3_000_000_000])
    #expect(
      file.heartRateSecondBySecond.map(\.tick.nanoseconds) == [750_000_000, 1_750_000_000, 2_750_000_000])
    // Before 1970 the remainder is negative.
    assembly.start = WallTime(nanoseconds: -1_250_000_000)
    #expect(
      TCXSamples.file(assembly).heartRateSecondBySecond.map(\.tick.nanoseconds)
        == [250_000_000, 1_250_000_000, 2_250_000_000])
  }

  @Test func holdsAreTheStatistics() {
    let file = TCXSamples.long()
    let holds = file.heldHeartRates
    var covered = Duration.zero
    var weighted = 0.0
    for hold in holds {
      covered += hold.end - hold.start
      weighted += Double(hold.heartRate) * (hold.end - hold.start).inSeconds
    }
    #expect(covered == file.workout.heartRate?.covered)
    let average = file.workout.heartRate?.average ?? 0
    #expect(abs(weighted / covered.inSeconds - average) < 1e-9)
    for (a, b) in zip(holds, holds.dropFirst()) { #expect(a.end <= b.start) }
    #expect(holds.allSatisfy { $0.end - $0.start <= HeartRateStatistics.longestHold && $0.end > $0.start })
  }

  @Test func whatIsNotCollectedDoesNotHold() {
    var file = TCXSamples.file(TCXSamples.assembly([(1, 100), (4, 110), (7, 120)], length: 9))
    func types(_ types: [CollectedType], at second: Int64) -> EventRecord {
      let tick = Tick(nanoseconds: second * 1_000_000_000)
      return EventRecord(
        sequence: 100 + second, session: file.workout.id, at: DatedTick(tick: tick, date: file.date(of: tick)),
        what: .types(types))
    }
    file.events += [types([], at: 3), types([.heartRate], at: 6)]
    #expect(file.heldHeartRates.map(\.heartRate) == [100, 120])
    #expect(file.heldHeartRates.map(\.end.nanoseconds) == [3_000_000_000, 9_000_000_000])
  }

  @Test func theEndsOfTimeAreHeld() {
    var file = TCXSamples.file(TCXSamples.assembly([(1, 100)], length: 9))
    var count = 0
    file.forEachWholeSecond(from: Tick(nanoseconds: .max - 1_500_000_000), to: Tick(nanoseconds: .max)) { _ in
      count += 1
    }
    #expect((1...2).contains(count))
    file.workout.start.date = WallTime(nanoseconds: .max)
    file.forEachWholeSecond(from: Tick(nanoseconds: 5), to: Tick(nanoseconds: 1_000_000_005)) { _ in count += 1 }
    #expect((2...3).contains(count))
  }
}
