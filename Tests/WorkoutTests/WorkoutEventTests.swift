import Measurements
import Testing
import Workout

@Suite struct WorkoutEventTests {
  private func event(_ number: Int64, _ what: EventRecord.What, at seconds: Int64 = 99) -> EventRecord {
    EventRecord(sequence: number, session: .example, at: .at(seconds), what: what)
  }

  private func transition(_ from: WorkoutState, _ to: WorkoutState, _ seconds: Int64) -> EventRecord.What {
    .transition(Transition(from: from, to: to, at: .at(seconds), cause: .user))
  }

  @Test func namesAreHealthKitsAndOurs() {
    #expect(
      WorkoutEvent.Kind.allCases.map(\.rawValue) == [
        "pause", "resume", "lap", "marker", "segment", "motionPaused", "motionResumed", "pauseOrResumeRequest", "gap",
        "clockStep", "recovered", "sensorSwitched",
      ])
  }

  @Test func theyAscendAndOnlyLapsAndSegmentsLast() {
    let list = WorkoutEvent.list(
      [
        event(1, transition(.notStarted, .prepared, 1)), event(2, transition(.prepared, .running, 10)),
        event(3, transition(.running, .paused, 30)), event(4, .availability(.noContact)),
        event(5, transition(.paused, .running, 40)), event(6, .gap(since: .at(41)), at: 45),
        event(7, .lap(WorkoutInterval(start: .at(20), end: .at(50), label: "one"))), event(8, .linkLost),
        event(9, .segment(WorkoutInterval(start: .at(20), end: .at(200)))), event(10, .marker(.at(15), label: "hill")),
        event(11, .recovered(lastAlive: .at(60), .restart), at: 70), event(12, transition(.running, .stopped, 90)),
        event(13, .marker(.at(95), label: nil)), event(14, .types([])), event(15, transition(.stopped, .ended, 96)),
        event(16, .pauseOrResumeRequest, at: 80), event(17, .discarded, at: 85), event(18, .goal(.energy(5)), at: 20),
      ], from: .at(10), to: .at(90))
    var recovered = WorkoutEvent(kind: .recovered, number: 11, start: .at(70))
    recovered.away = .seconds(10)
    #expect(
      list == [
        WorkoutEvent(kind: .marker, number: 10, start: .at(15), label: "hill"),
        WorkoutEvent(kind: .lap, number: 7, start: .at(20), end: .at(50), label: "one"),
        WorkoutEvent(kind: .segment, number: 9, start: .at(20), end: .at(90)),
        WorkoutEvent(kind: .pause, number: 3, start: .at(30)),
        WorkoutEvent(kind: .resume, number: 5, start: .at(40)),
        WorkoutEvent(kind: .gap, number: 6, start: .at(45)),
        recovered,
        WorkoutEvent(kind: .pauseOrResumeRequest, number: 16, start: .at(80)),
      ])
  }

  @Test func theFirstIsNeverAResume() {
    let events = [
      event(1, transition(.running, .paused, 5)), event(2, transition(.paused, .running, 20)),
      event(3, .marker(.at(15), label: nil)), event(4, transition(.running, .paused, 30)),
      event(5, transition(.paused, .running, 40)),
    ]
    #expect(WorkoutEvent.list(events, from: .at(10), to: nil).map(\.kind) == [.marker, .pause, .resume])
    #expect(
      WorkoutEvent.list(events, from: .at(1), to: nil).map(\.kind) == [.pause, .marker, .resume, .pause, .resume])
    #expect(WorkoutEvent.list([], from: .at(1), to: nil) == [])
  }

  @Test func aGapIsProvisionalUntilItIsFixed() {
    func gap(_ fix: EventRecord.What?) -> [WorkoutEvent] {
      var events = [
        event(1, .recovered(lastAlive: .at(60), .provisionalReboot), at: 70),
        event(2, .clockStep(.seconds(-5)), at: 71),
      ]
      if let fix { events.append(event(3, fix, at: 72)) }
      return WorkoutEvent.list(events, from: .at(1), to: nil)
    }
    #expect(gap(nil).map(\.kind) == [.recovered, .clockStep])
    #expect(gap(nil).map(\.isProvisional) == [true, false])
    #expect(gap(nil).map(\.step) == [nil, .seconds(-5)])
    #expect(gap(.gapFixed(was: .zero, now: .zero, isProvisional: true)).first?.isProvisional == true)
    #expect(gap(.gapFixed(was: .zero, now: .zero, isProvisional: false)).first?.isProvisional == false)
  }
}
