import Control
import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

/// Whether what is exported as JSON is what config/strapd-workout.schema.json says of it.
@Suite struct WorkoutSchemaTests {
  private func check(_ files: [WorkoutFile]) throws {
    var octets: [UInt8] = []
    for file in files { octets += (octets.isEmpty ? "[" : ",").utf8 + file.json() }
    #expect(try PythonProgram.lines("json_check.py", of: octets + "]".utf8) == ["\(files.count) workouts"])
  }

  @Test func randomWorkouts() throws {
    try check((0..<UInt64(60)).map { RandomWorkout(seed: $0).file })
  }

  @Test func aLapWithoutASampleOfItsOwn() throws {
    var assembly = TCXSamples.assembly([(1, 100), (8, 110)], length: 10)
    assembly.laps = [.init(start: .zero, end: .seconds(2)), .init(start: .seconds(2), end: .seconds(4))]
    let file = TCXSamples.file(assembly)
    #expect(file.workout.laps.map(\.summary.heartRate?.count) == [1, 0])
    try check([file])
  }

  @Test func nothingButAStartAndAnEnd() throws {
    try check([TCXSamples.file(TCXSamples.assembly([], length: 0))])
  }

  @Test func eventsOfEveryKind() throws {
    var file = RandomWorkout(seed: 3).file
    let now = DatedTick(tick: file.workout.start.tick + .seconds(1), date: file.workout.start.date + .seconds(1))
    let asked = DatedTick(tick: now.tick, date: now.date, requested: now.date + .milliseconds(700))
    let later = DatedTick(tick: now.tick + .seconds(2), date: now.date + .seconds(2), requested: now.date + .seconds(3))
    let interval = WorkoutInterval(start: asked, end: later, label: "up")
    let start = ActivityStart(activity: .rowing, location: .indoor, start: asked, label: "boat")
    var all: [EventRecord.What] = [
      .linkLost, .gap(since: asked), .clockStep(.seconds(-3)),
      .gapFixed(was: .seconds(1), now: .seconds(2), isProvisional: true),
      .lap(interval), .segment(interval), .marker(asked, label: "here"), .activityBegan(start), .activityEnded(later),
      .types(CollectedType.allCases), .goal(.duration(.seconds(60))), .pauseOrResumeRequest, .host(isWorking: false),
      .postExerciseEnded,
    ]
    all += Availability.allCases.map { .availability($0) }
    all += EndReason.allCases.map { .failed($0) }
    all += Interruption.allCases.map { .recovered(lastAlive: asked, $0) }
    for cause in TransitionCause.allCases {
      for (from, to) in zip(WorkoutState.allCases, WorkoutState.allCases.dropFirst()) {
        all.append(.transition(Transition(from: from, to: to, at: asked, cause: cause, endReason: .user)))
      }
    }
    file.events = zip(Int64(1)..., all).map { EventRecord(sequence: $0, session: file.workout.id, at: asked, what: $1) }
    file.workout.athlete = AthleteName("Anna")
    file.workout.isProvisional = true
    file.anchors = [Anchor(boot: "b", clocks: Moment(tick: now.tick, wall: now.date, isSynchronised: false))]
    try check(
      [file]
        + EndReason.allCases.map { reason in
          var other = file
          other.workout.endReason = reason
          return other
        })
  }
}
