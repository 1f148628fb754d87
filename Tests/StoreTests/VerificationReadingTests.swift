import Measurements
import Testing
import Workout

@testable import Store

/// What the daemon could not read is found, and keeps it from nothing but from telling of it.
@Suite struct VerificationReadingTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func findings() throws -> [String] {
    var findings: [String] = []
    _ = try Verification.run(path: directory.database) { findings.append($0) }
    return findings
  }

  /// Session 1 has ended, with a workout that was named, cut and named again; session 2 lives.
  private func fill() throws -> Store {
    let store = try directory.open()
    var workout = FinishedWorkout.example(1, start: .at(2))
    (workout.summary.wall, workout.summary.elapsed) = (.seconds(98), .seconds(88))
    (workout.summary.heartRate, workout.summary.rrCount) = (nil, 0)
    workout.laps = [
      FinishedWorkout.Lap(
        number: 3, interval: WorkoutInterval(start: .at(10), end: .at(40)),
        summary: IntervalSummary(elapsed: .seconds(30), wall: .seconds(30), heartRate: nil, rrCount: 0))
    ]
    let lap = WorkoutInterval(start: .at(10), end: .at(40))
    let events: [EventRecord.What] = [.linkLost, .pauseOrResumeRequest, .lap(lap), .postExerciseEnded]
    try store.commit(
      [.session(.ended(at: 100)), .workout(workout), .session(.example(2))]
        + events.enumerated().map { index, what in
          .event(EventRecord(sequence: Int64(index) + 1, session: .number(1), at: .at(90), what: what))
        } + SessionRecord.transitions(from: 10, endedAt: 100, paused: (50, 60)) + [
          .sequenceReserved(through: 2_000_000),
          .clientData(try ClientData(metadata: "{}", blob: nil), session: .number(1)),
          .strap(StrapRecord(StrapAddress("F0:F1:F2:F3:F4:F5")!)), .athlete(AthleteProfile(AthleteName("Anna")!)),
          .importBegan(.number(1), WorkoutOrigin(format: "fit", date: .boot, details: "{}")),
          .importFinished(.number(1)),
        ], through: 1)
    workout.start = .at(10)
    (workout.summary.wall, workout.summary.elapsed) = (.seconds(90), .seconds(80))
    for (number, title) in [(4, "a"), (5, "b")] as [(Int64, String)] {
      workout.title = WorkoutTitle(title)
      workout.slices = [
        WorkoutSlice(session: .number(1), start: .at(10), end: .at(50)),
        WorkoutSlice(session: .number(1), start: .at(50), end: .at(100)),
      ]
      let edit = WorkoutEdit(number: number, kind: .edit, date: .boot, changes: [.saved(workout)])
      try store.commit([.workoutEdited(edit)], through: number)
    }
    return store
  }

  @Test func nothingIsWrong() throws {
    let store = try fill()
    #expect(try findings() == [])
    try store.close()
    #expect(try findings() == [])
  }

  private static let one = "\(SessionID.number(1))"

  /// What another program or a bad disk has done, and what is said.
  private static let damages: [(sql: String, text: String)] = [
    // What no row may say, by the tables themselves.
    ("UPDATE session SET state = 'endet' WHERE number = 1", "CHECK constraint failed in session"),
    ("UPDATE workout_edit SET kind = 'edat' WHERE number = 4", "CHECK constraint failed in workout_edit"),
    ("UPDATE workout_edit SET kind = 'edat' WHERE number = 4", "edits of workout \(one): "),
    // What strapd cannot read.
    ("UPDATE session SET activity = 'runnhng' WHERE number = 1", "session \(one): "),
    ("UPDATE session SET goals = 'run far' WHERE number = 2", "session \(SessionID.number(2)): "),
    ("UPDATE session SET id = 'x' WHERE number = 1", "session 'x': that is no id"),
    ("UPDATE event SET kind = 'linkLast' WHERE sequence = 1", "session \(one), event 1: "),
    ("UPDATE event SET kind = 'marker' WHERE sequence = 2", "session \(one), event 2: "),
    ("UPDATE workout SET activity = 'zzz'", "workout \(one): "),
    ("UPDATE workout SET zones = '1x0 130'", "workout \(one): "),
    ("UPDATE workout SET title = char(10)", "workout \(one): "),
    ("UPDATE workout_part SET activity = 'zzz'", "workout \(one): "),
    ("UPDATE workout_before SET activity = 'zzz' WHERE edit = 5", "edits of workout \(one): "),
    ("UPDATE strap SET name = char(10)", "strap F0:F1:F2:F3:F4:F5: "),
    ("UPDATE athlete SET zones = '9 0 x'", "athlete Anna: "),
    ("UPDATE client_data SET blob = printf('%.1000000c', 'x')", "client data of session \(one): "),
    // What cannot be.
    ("UPDATE workout SET end_tick = start_tick - 1", "workout \(one): it ends before it begins"),
    ("UPDATE workout SET elapsed_nanoseconds = -5", "workout \(one): it lasts less than no time"),
    (
      "UPDATE workout SET elapsed_nanoseconds = wall_nanoseconds + 1",
      "workout \(one): it lasts longer than from its start to its end"
    ),
    ("UPDATE workout SET rr_count = -1", "workout \(one): it counts less than nothing"),
    (
      """
      UPDATE workout SET heart_rate_count = 7, heart_rate_minimum = 60, heart_rate_maximum = 90, heart_rate_average = 70,
        heart_rate_most_recent = 70, heart_rate_most_recent_tick = 0, heart_rate_covered_nanoseconds = 1
      """, "workout \(one): it counts 7 heart rates, and 0 samples are there"
    ),
    ("UPDATE workout_part SET end_tick = start_tick - 1", "workout \(one): lap 3: it ends before it begins"),
    ("UPDATE workout_before SET wall_nanoseconds = -1 WHERE edit = 5", "workout \(one) before edit 5: it lasts less"),
    (
      "UPDATE workout_slice SET end_tick = start_tick - 1 WHERE place = 1", "that ends before it begins"
    ),
    (
      "UPDATE workout_slice SET start_tick = start_tick - 9 WHERE place = 2",
      "workout \(one): stretches of which it is made overlap"
    ),
    ("UPDATE workout_before SET session = 9 WHERE edit = 4", "1 rows of table workout_before refer to rows of session"),
  ]

  @Test(arguments: damages.indices) func isFound(_ index: Int) throws {
    try fill().close()
    let (sql, text) = Self.damages[index]
    try directory.raw().execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; \(sql)")
    let found = try findings()
    #expect(found.contains { $0.contains(text) }, "\(found)")
    #expect(found.count <= 3, "\(found)")
  }

  /// A lap in which no value came, and the one of before holds.
  @Test func aStretchMayCountNone() throws {
    try fill().close()
    try directory.raw().execute(
      """
      UPDATE workout_part SET heart_rate_count = 0, heart_rate_minimum = 60, heart_rate_maximum = 60,
        heart_rate_average = 60, heart_rate_most_recent = 60, heart_rate_most_recent_tick = 0,
        heart_rate_covered_nanoseconds = 1, zone_nanoseconds = NULL
      """)
    #expect(try findings() == [])
  }

  /// Nothing in the file is changed by looking, and its log stays.
  @Test func nothingIsWritten() throws {
    let store = try fill()
    let before = try directory.logSize()
    _ = try findings()
    #expect(try directory.logSize() == before)
    try store.commit([.session(.example(2, state: .paused))], through: 9)
    #expect(try store.liveSessions().map(\.state) == [.paused])
  }

  // MARK: The daemon

  /// One text in one row is no damage to the file, for which all of it would be set aside.
  @Test func whatNoRowMaySayIsNoDamage() throws {
    try fill().close()
    try directory.raw().execute(
      "PRAGMA ignore_check_constraints = ON; UPDATE session SET state = 'endet' WHERE number = 1")
    let (store, setAside) = try Store.open(
      path: directory.database, bootID: "boot A", at: .at(150), syncInterval: .seconds(3600))
    #expect(setAside == nil)
    var leftOut: [StoreError] = []
    #expect(try store.liveSessions { leftOut.append($0) }.map(\.id) == [.number(2)])
    #expect(leftOut.count == 1)
    #expect(try store.workouts(before: nil, limit: 9).count == 1)
    let error = storeError { try store.connection.execute("UPDATE session SET state = 'x'", for: .commit, "trying") }
    #expect(error?.text.contains("CHECK constraint failed") == true, "nothing else is written that no row may say")
  }

  /// Rows that cannot be read, and of which table that is told.
  private static let unreadable: [(sql: String, text: String)] = [
    ("UPDATE session SET activity = 'runnhng' WHERE number = 1", "session \(one): "),
    ("UPDATE session SET goals = 'run far' WHERE number = 2", "session \(SessionID.number(2)): "),
    ("UPDATE strap SET name = char(10)", "strap F0:F1:F2:F3:F4:F5: "),
    ("UPDATE athlete SET zones = '9 0 x'", "athlete Anna: "),
  ]

  /// One row is no reason not to start: it is left out, and told of.
  @Test(arguments: unreadable.indices) func itStartsAllTheSame(_ index: Int) throws {
    try fill().close()
    let (sql, text) = Self.unreadable[index]
    // Its series after the exercise goes on, so that it is looked at.
    try directory.raw().execute("DELETE FROM event; DELETE FROM imported; \(sql)")
    let store = try directory.open(at: .at(150))
    var leftOut: [StoreError] = []
    let live = try store.liveSessions { leftOut.append($0) }
    let ended = try store.ended(since: .at(60)) { leftOut.append($0) }
    let straps = try store.straps { leftOut.append($0) }
    let athletes = try store.athletes { leftOut.append($0) }
    #expect(leftOut.count == 1 && leftOut.first?.text.hasPrefix(text) == true, "\(leftOut)")
    #expect(live.count + ended.count + straps.count + athletes.count == 3)
  }

  /// Read all the same, a stretch that is turned round is an error and no trap.
  @Test func aStretchThatEndsBeforeItBegins() throws {
    let store = try fill()
    try directory.raw().execute("UPDATE workout_slice SET end_tick = start_tick - 1 WHERE place = 1")
    let error = storeError { try store.workout(.number(1)) }
    #expect(error?.text.contains("that ends before it begins") == true)
    #expect(try store.workouts(before: nil, limit: 9).count == 1, "it is listed")
  }
}
