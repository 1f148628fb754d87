import Measurements
import Testing
import Workout

@Suite struct MarkTests {
  private func event(_ number: Int64, _ what: EventRecord.What) -> EventRecord {
    EventRecord(sequence: number, session: .example, at: .at(100), what: what)
  }

  private func transition(_ from: WorkoutState, _ to: WorkoutState, _ at: DatedTick) -> EventRecord.What {
    .transition(Transition(from: from, to: to, at: at, cause: .user))
  }

  @Test func transitionsMakeMarks() {
    let expected: [(WorkoutState, WorkoutState, Mark?)] = [
      (.notStarted, .prepared, nil), (.notStarted, .running, .began), (.notStarted, .ended, nil),
      (.prepared, .running, .began), (.prepared, .ended, nil), (.running, .paused, .paused),
      (.running, .stopped, .ended), (.paused, .running, .resumed), (.paused, .stopped, .ended), (.stopped, .ended, nil),
    ]
    for (from, to, mark) in expected {
      #expect(Mark(Transition(from: from, to: to, at: .at(1), cause: .user)) == mark, "\(from) to \(to)")
    }
  }

  @Test func eachEventMakesItsMarks() {
    let lap = WorkoutInterval(start: .at(10), end: .at(20))
    let expected: [(EventRecord.What, [DatedMark])] = [
      (transition(.prepared, .running, .at(5)), [DatedMark(.began, at: .at(5), .event(7))]),
      (transition(.prepared, .running, .at(5, isRequested: true)), [DatedMark(.began, at: .at(5), .first)]),
      (transition(.running, .stopped, .at(5)), [DatedMark(.ended, at: .at(5), .first)]),
      (transition(.stopped, .ended, .at(5)), []),
      (.linkLost, [DatedMark(.linkLost, at: .at(100), .event(7))]),
      (.recovered(lastAlive: .at(50), .restart), [DatedMark(.linkLost, at: .at(50), .event(7))]),
      (
        .lap(lap),
        [DatedMark(.lapBegan(7), at: .at(10), .opening), DatedMark(.lapEnded(7), at: .at(20), .closing)]
      ),
      (
        .activityBegan(ActivityStart(activity: .running, location: .indoor, start: .at(3))),
        [DatedMark(.activityBegan(7), at: .at(3), .opening)]
      ),
      (.activityEnded(.at(9)), [DatedMark(.activityEnded, at: .at(9), .closing)]),
      (.types([.heartRate]), [DatedMark(.collects([.heartRate]), at: .at(100), .event(7))]),
      (.segment(lap), []), (.marker(.at(1), label: nil), []), (.availability(.available), []),
      (.gap(since: .at(1)), []), (.pauseOrResumeRequest, []), (.discarded, []), (.restored, []),
      (
        .transition(Transition(from: .prepared, to: .running, at: .at(5), cause: .auto)),
        [DatedMark(.began, at: .at(5), .first)]
      ),
      (.postExerciseEnded, []), (.failed(.sensorAbsent), []), (.host(isWorking: false), []),
    ]
    for (what, marks) in expected { #expect(DatedMark.marks(of: event(7, what)) == marks) }
  }

  @Test func marksOfOneTickAreInTheOrderInWhichABuilderTakesThem() {
    let marks = DatedMark.marks(of: [
      event(1, transition(.prepared, .running, .at(10))),
      event(2, .activityBegan(ActivityStart(activity: .running, location: .indoor, start: .at(10)))),
      event(3, transition(.running, .paused, .at(40))), event(4, .linkLost),
      event(5, transition(.paused, .running, .at(40))),
      event(6, transition(.running, .stopped, .at(40))),
      event(7, .lap(WorkoutInterval(start: .at(20), end: .at(40)))),
      event(8, .lap(WorkoutInterval(start: .at(10), end: .at(20)))), event(9, .activityEnded(.at(40))),
    ])
    #expect(
      marks.map(\.mark) == [
        .began, .activityBegan(2), .lapBegan(8), .lapEnded(8), .lapBegan(7), .lapEnded(7), .activityEnded, .ended,
        .paused, .resumed, .linkLost,
      ])
  }
}
