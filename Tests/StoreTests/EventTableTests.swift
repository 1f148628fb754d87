import Measurements
import Testing
import Workout

@testable import Store

@Suite struct EventTableTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
    try store.commit([.session(.example(1)), .session(.example(2))], through: 0)
  }

  private static let everyKind: [EventRecord.What] =
    [
      .transition(Transition(from: .prepared, to: .running, at: .at(-3, isRequested: true), cause: .remote)),
      .linkLost, .recovered(lastAlive: .at(-100)),
    ] + Availability.allCases.map(EventRecord.What.availability)
    + EndReason.allCases.map {
      .transition(Transition(from: .stopped, to: .ended, at: .at(9), cause: .recovered, endReason: $0))
    }
    + TransitionCause.allCases.flatMap { cause in
      WorkoutState.allCases.map { .transition(Transition(from: $0, to: .paused, at: .at(9), cause: cause)) }
    }

  @Test func everyKindComesBackAsItWasWritten() throws {
    let events = Self.everyKind.enumerated().map { index, what in
      EventRecord(
        sequence: Int64(index + 1), session: .number(UInt8(index % 2 + 1)),
        at: .at(Int64(index), isRequested: index % 3 == 0), what: what)
    }
    try store.commit(events.map(Record.event), through: Int64(events.count))
    #expect(try store.events(of: .number(1)) == events.filter { $0.session == .number(1) })
    #expect(try store.events(of: .number(2)) == events.filter { $0.session == .number(2) })
  }

  @Test func rowsAreReadableForOthers() throws {
    let transition = Transition(from: .stopped, to: .ended, at: .at(8), cause: .auto, endReason: .sensorAbsent)
    try store.commit(
      [
        .event(EventRecord(sequence: 4, session: .number(2), at: .at(9), what: .transition(transition))),
        .event(EventRecord(sequence: 5, session: .number(1), at: .at(10), what: .availability(.noContact))),
        .event(EventRecord(sequence: 6, session: .number(1), at: .at(11), what: .recovered(lastAlive: .at(2)))),
      ], through: 6)
    let raw = try directory.raw()
    #expect(
      try raw.rows("SELECT * FROM event ORDER BY sequence") == [
        [
          "4", "2", "transition", "1", "9000000000", "1796025609000000000", "0", "8000000000", "1796025608000000000",
          "0", "stopped", "ended", "auto", "sensorAbsent", "NULL",
        ],
        [
          "5", "1", "availability", "1", "10000000000", "1796025610000000000", "0", "NULL", "NULL", "NULL", "NULL",
          "NULL", "NULL", "NULL", "noContact",
        ],
        [
          "6", "1", "recovered", "1", "11000000000", "1796025611000000000", "0", "2000000000", "1796025602000000000",
          "0", "NULL", "NULL", "NULL", "NULL", "NULL",
        ],
      ])
    #expect(
      try raw.rows("SELECT session, date, kind, to_state FROM event_dated WHERE sequence = 4") == [
        ["00000000-0000-4000-8000-000000000002", "2026-11-30T08:00:08.000Z", "transition", "ended"]
      ])
  }

  @Test func marksAreInTheOrderOfTheirTicksThenOfTheirNumbers() throws {
    func transition(_ sequence: Int64, _ from: WorkoutState, _ to: WorkoutState, _ seconds: Int64) -> Record {
      .event(
        EventRecord(
          sequence: sequence, session: .number(1), at: .at(100),
          what: .transition(Transition(from: from, to: to, at: .at(seconds), cause: .user))))
    }
    try store.commit(
      [
        transition(1, .notStarted, .prepared, 1),
        transition(2, .prepared, .running, 10),
        .event(EventRecord(sequence: 3, session: .number(1), at: .at(30), what: .linkLost)),
        .event(EventRecord(sequence: 4, session: .number(2), at: .at(31), what: .linkLost)),
        transition(5, .running, .paused, 40),
        transition(6, .paused, .running, 40),
        .event(EventRecord(sequence: 7, session: .number(1), at: .at(41), what: .availability(.available))),
        // A stop with a date of its own, before the pause.
        transition(8, .running, .stopped, 35),
        transition(9, .stopped, .ended, 100),
      ], through: 9)
    let marks = try store.marks(of: .number(1))
    #expect(marks.map(\.mark) == [.began, .linkLost, .ended, .paused, .resumed])
    #expect(marks.map(\.tick) == [.at(10), .at(30), .at(35), .at(40), .at(40)])
    #expect(marks.map(\.sequence) == [2, 3, .min, 5, 6])
  }

  @Test func aNumberIsUsedOnce() throws {
    let event = EventRecord(sequence: 1, session: .number(1), at: .at(1), what: .linkLost)
    try store.commit([.event(event)], through: 1)
    var other = event
    other.session = .number(2)
    let error = storeError { try store.commit([.event(other)], through: 1) }
    #expect(error?.text.contains("another event") == true)
    #expect(try store.events(of: .number(2)) == [])
  }
}
