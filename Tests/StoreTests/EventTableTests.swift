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
      .linkLost, .recovered(lastAlive: .at(-100), .restart), .recovered(lastAlive: .at(-100), .provisionalReboot),
      .clockStep(.nanoseconds(-3_600_000_000_001)),
      .gapFixed(was: .seconds(-1), now: .seconds(3600), isProvisional: false),
      .gapFixed(was: .zero, now: .zero, isProvisional: true), .gap(since: .at(7)),
      .lap(WorkoutInterval(start: .at(10), end: .at(20, isRequested: true), label: "hill; \"steep\"")),
      .segment(WorkoutInterval(start: .at(10, isRequested: true), end: .at(20))), .marker(.at(5), label: nil),
      .marker(.at(6, isRequested: true), label: "💧"),
      .marker(DatedTick(tick: .at(6), date: .boot + .seconds(6), requested: .boot + .seconds(7)), label: "ahead"),
      .lap(
        WorkoutInterval(
          start: DatedTick(tick: .at(6), date: .boot + .seconds(6), requested: .boot + .milliseconds(6_500)),
          end: DatedTick(tick: .at(8), date: .boot + .seconds(8), requested: .boot + .milliseconds(8_250)))),
      .activityBegan(ActivityStart(activity: .cycling, location: .indoor, start: .at(3), label: "bike")),
      .activityBegan(ActivityStart(activity: .swimming, location: .unknown, start: .at(-3))),
      .activityEnded(.at(30, isRequested: true)), .types([]), .types(CollectedType.allCases),
      .goal(.duration(.milliseconds(90_500))), .goal(.energy(300)),
      .pauseOrResumeRequest, .postExerciseEnded, .discarded, .restored, .host(isWorking: false), .host(isWorking: true),
    ] + EndReason.allCases.map(EventRecord.What.failed) + alerts
    + Availability.allCases.map(EventRecord.What.availability)
    + EndReason.allCases.map {
      .transition(Transition(from: .stopped, to: .ended, at: .at(9), cause: .recovered, endReason: $0))
    }
    + TransitionCause.allCases.flatMap { cause in
      WorkoutState.allCases.map { .transition(Transition(from: $0, to: .paused, at: .at(9), cause: cause)) }
    }

  private static let alerts: [EventRecord.What] = [
    "above 160 debounce 10 delay 60", "below 90 debounce 0 delay 0", "outsideZone 3 debounce 2.5 delay 0",
    "every 300 debounce 0 delay 600",
  ].compactMap { WorkoutAlert(text: $0) }.flatMap { alert -> [EventRecord.What] in
    [.alert(alert, isOn: true), .alert(alert, isOn: false)]
  }

  @Test func everyKindComesBackAsItWasWritten() throws {
    let events = Self.everyKind.enumerated().map { index, what in
      EventRecord(
        sequence: Int64(index + 1), session: .number(UInt8(index % 2 + 1)),
        at: .at(Int64(index), isRequested: index % 3 == 0), what: what)
    }
    try store.commit(events.map(Record.event), through: Int64(events.count))
    #expect(Self.alerts.count == 8)
    #expect(try store.events(of: .number(1)) == events.filter { $0.session == .number(1) })
    #expect(try store.events(of: .number(2)) == events.filter { $0.session == .number(2) })
  }

  @Test func rowsAreReadableForOthers() throws {
    let transition = Transition(from: .stopped, to: .ended, at: .at(8), cause: .auto, endReason: .sensorAbsent)
    try store.commit(
      [
        .event(EventRecord(sequence: 4, session: .number(2), at: .at(9), what: .transition(transition))),
        .event(EventRecord(sequence: 5, session: .number(1), at: .at(10), what: .availability(.noContact))),
        .event(
          EventRecord(sequence: 6, session: .number(1), at: .at(11), what: .recovered(lastAlive: .at(2), .restart))),
        .event(
          EventRecord(
            sequence: 7, session: .number(1), at: .at(20),
            what: .lap(WorkoutInterval(start: .at(12), end: .at(19), label: "one")))),
        .event(
          EventRecord(
            sequence: 8, session: .number(1), at: .at(20),
            what: .activityBegan(ActivityStart(activity: .running, location: .outdoor, start: .at(20))))),
      ], through: 6)
    let raw = try directory.raw()
    #expect(
      try raw.rows(
        """
        SELECT sequence, session, kind, boot, tick, date, is_requested, about_tick, about_date, about_is_requested,
          until_tick, until_date, until_is_requested, from_state, to_state, cause, end_reason, availability, activity,
          location, detail FROM event WHERE about_boot IS NULL AND until_boot IS NULL ORDER BY sequence
        """) == [
          [
            "4", "2", "transition", "1", "9000000000", "1796025609000000000", "0", "8000000000", "1796025608000000000",
            "0", "NULL", "NULL", "NULL", "stopped", "ended", "auto", "sensorAbsent", "NULL", "NULL", "NULL", "NULL",
          ],
          [
            "5", "1", "availability", "1", "10000000000", "1796025610000000000", "0", "NULL", "NULL", "NULL", "NULL",
            "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "noContact", "NULL", "NULL", "NULL",
          ],
          [
            "6", "1", "recovered", "1", "11000000000", "1796025611000000000", "0", "2000000000", "1796025602000000000",
            "0", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "restart",
          ],
          [
            "7", "1", "lap", "1", "20000000000", "1796025620000000000", "0", "12000000000", "1796025612000000000", "0",
            "19000000000", "1796025619000000000", "0", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "one",
          ],
          [
            "8", "1", "activityBegan", "1", "20000000000", "1796025620000000000", "0", "20000000000",
            "1796025620000000000", "0", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "running",
            "outdoor", "NULL",
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
    let marks = DatedMark.marks(of: try store.events(of: .number(1)))
    #expect(marks.map(\.mark) == [.began, .linkLost, .ended, .paused, .resumed])
    #expect(marks.map(\.tick) == [.at(10), .at(30), .at(35), .at(40), .at(40)])
    #expect(marks.map(\.place) == [.event(2), .event(3), .first, .event(5), .event(6)])
  }

  @Test func aRowThatLacksAValueIsNamed() throws {
    let lap = WorkoutInterval(start: .at(1), end: .at(2))
    try store.commit([.event(EventRecord(sequence: 1, session: .number(1), at: .at(2), what: .lap(lap)))], through: 1)
    try directory.raw().execute("UPDATE event SET until_tick = NULL, until_date = NULL, until_is_requested = NULL")
    let error = storeError { try store.events(of: .number(1)) }
    #expect(error?.operation == .read)
    #expect(error?.text.contains("event 1 of kind lap lacks a value") == true)
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
