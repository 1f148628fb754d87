import Foundation
import Measurements
import Testing
import Workout

@testable import Store

/// The trash is emptied, and old workouts go there.
@Suite struct PurgeTests {
  let directory: TemporaryDirectory
  let store: Store
  private static let day = Duration.seconds(86_400)
  /// So long after the examples.
  private let later = WallTime.boot + .seconds(100 * 86_400)

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
    try store.commit((1...4).map { .session(.example($0, state: .ended)) }, through: 0)
    for number in UInt8(1)...3 {
      try store.commit([.workout(.example(number))], through: 0)
      let samples = try (0..<Int64(450)).map { index throws in
        Record.sample(try .example(Int64(number) * 1000 + index), session: .number(number))
      }
      try store.commit(samples, through: 0)
    }
  }

  private func steps(retention: Duration? = nil, at now: WallTime) throws -> [PurgeStep] {
    var steps: [PurgeStep] = []
    while steps.last != .rest, steps.count < 100 {
      steps.append(try store.purge(at: now, retention: retention))
      if case .aged(let id)? = steps.last {
        try store.commit([.discarded(id, Discard(date: now, isSure: true))], through: 0)
      }
    }
    return steps
  }

  private func rows(_ table: String) throws -> Int {
    Int(try directory.raw().rows("SELECT count(*) FROM \(table)")[0][0]) ?? -1
  }

  @Test func whatWasInTheTrashForThirtyDaysIsDeleted() throws {
    try store.commit(
      [
        .discarded(.number(2), Discard(date: later, isSure: true)),
        .clientData(try ClientData(metadata: "{}", blob: nil), session: .number(2)),
        .event(EventRecord(sequence: 9, session: .number(2), at: .at(2), what: .discarded)),
      ], through: 0)
    let limit = later + Discard.keeping
    #expect(try steps(at: WallTime(nanoseconds: limit.nanoseconds - 1)) == [.rest])
    let taken = try steps(at: limit)
    #expect(taken.first == .deleted(.number(2)) && taken.last == .rest)
    #expect(taken.count(where: { $0 == .cleared }) >= 4, "some hundred rows at a time")
    #expect(try store.workout(.number(2)) == nil && (try store.session(.number(2))) == nil)
    #expect(try store.samples(of: .number(2), after: 0, limit: 9) == [])
    #expect(try rows("sample") == 900 && (try rows("event")) == 0 && (try rows("client_data")) == 0)
    #expect(try rows("purge") == 0 && (try rows("anchor")) == 3)
    for number in [1, 3] as [UInt8] {
      #expect(try store.workout(.number(number)) == .example(number))
      #expect(try store.samples(of: .number(number), after: 0, limit: 1000).count == 450)
    }
    #expect(try directory.raw().rows("PRAGMA foreign_key_check") == [])
  }

  /// By a clock that was not right nobody knows since when: the time counts from when it is.
  @Test func whatWentThereByAWrongClockHasItsThirtyDaysFromNowOn() throws {
    try store.commit([.discarded(.number(2), Discard(date: .boot, isSure: false))], through: 0)
    #expect(try steps(at: later) == [.rest])
    #expect(try store.workout(.number(2))?.discarded == Discard(date: later, isSure: true))
    #expect(try steps(at: later + Discard.keeping).first == .deleted(.number(2)))
  }

  @Test func killedInTheMiddleItGoesOn() throws {
    try store.commit([.discarded(.number(2), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try store.purge(at: later, retention: nil) == .deleted(.number(2)))
    #expect(try store.purge(at: later, retention: nil) == .cleared)
    try store.close()
    let again = try directory.open()
    var step = PurgeStep.cleared
    while step == .cleared { step = try again.purge(at: later, retention: nil) }
    #expect(step == .rest)
    #expect(try rows("sample") == 900 && (try again.session(.number(2))) == nil)
  }

  /// Nobody knows how old anything is, and what is left of something needs no age.
  @Test func withoutADateOnlyWhatIsLeftGoes() throws {
    try store.commit([.discarded(.number(2), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try store.purge(at: nil, retention: Self.day) == .rest)
    #expect(try store.workout(.number(2))?.discarded == Discard(date: .boot, isSure: true))
    let origin = WorkoutOrigin(format: "fit", date: later, details: "{}")
    try store.commit([.session(.example(9, state: .ended)), .importBegan(.number(9), origin)], through: 0)
    try store.commit([.importAborted(.number(9))], through: 0)
    #expect(try rows("session") == 5)
    #expect(try store.purge(at: nil, retention: Self.day) == .cleared)
    #expect(try store.purge(at: nil, retention: Self.day) == .rest)
    #expect(try rows("session") == 4 && (try store.workouts(before: nil, limit: 10)).count == 2)
  }

  @Test func oldOnesGoToTheTrash() throws {
    var young = FinishedWorkout.example(3)
    young.start.date = later
    young.end.date = later + .seconds(90)
    try store.commit([.workout(young)], through: 0)
    #expect(try steps(retention: Self.day * 200, at: later + .seconds(100)) == [.rest])
    let taken = try steps(retention: Self.day * 50, at: later + .seconds(100))
    #expect(Set(taken) == [.aged(.number(1)), .aged(.number(2)), .rest])
    #expect(try store.workouts(before: nil, limit: 10).map(\.id) == [.number(3)])
  }

  /// Nor does what was deleted come back by the undoing of something before it.
  @Test func whatIsDeletedDoesNotComeBack() throws {
    let whole = FinishedWorkout.example(1)
    var trimmed = whole
    trimmed.slices = [WorkoutSlice(session: .number(1), start: whole.start, end: .at(90))]
    trimmed.end = .at(90)
    try store.commit(
      [.workoutEdited(WorkoutEdit(number: 6, kind: .trim, date: .boot, changes: [.saved(trimmed)]))], through: 0)
    var (first, second) = (trimmed, FinishedWorkout.example(4))
    first.slices = [WorkoutSlice(session: .number(1), start: whole.start, end: .at(50))]
    (second.start, second.end) = (.at(50), .at(90))
    second.slices = [WorkoutSlice(session: .number(1), start: .at(50), end: .at(90))]
    try store.commit(
      [.workoutEdited(WorkoutEdit(number: 7, kind: .split, date: .boot, changes: [.saved(first), .saved(second)]))],
      through: 0)
    #expect(try store.undo(.number(1))?.edit.number == 7)
    try store.commit([.discarded(.number(4), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try steps(at: later).first == .deleted(.number(4)))
    #expect(try store.undo(.number(1)) == nil, "nor by the trim before it")
    #expect(
      try store.edits(of: .number(1), from: 0, limit: 9).edits.map(\.number) == [6, 7], "they are told of all the same")
    #expect(try store.workout(.number(1)) == first)
  }

  /// A recording of which another workout is made stays until that goes as well.
  @Test func whatAnotherOneIsMadeOfStays() throws {
    let whole = FinishedWorkout.example(1)
    var (first, second) = (whole, FinishedWorkout.example(4))
    first.slices = [WorkoutSlice(session: .number(1), start: whole.start, end: .at(50))]
    (second.start, second.end) = (.at(50), whole.end)
    second.slices = [WorkoutSlice(session: .number(1), start: .at(50), end: whole.end)]
    try store.commit(
      [.workoutEdited(WorkoutEdit(number: 7, kind: .split, date: .boot, changes: [.saved(first), .saved(second)]))],
      through: 0)
    try store.commit([.discarded(.number(1), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try steps(at: later).first == .deleted(.number(1)))
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000).count == 450)
    #expect(try store.workout(.number(4)) == second)
    #expect(try store.undo(.number(4)) == nil, "there is nothing to go back to")
    try store.commit([.discarded(.number(4), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try steps(at: later).first == .deleted(.number(4)))
    #expect(try rows("sample") == 900 && (try rows("session")) == 2)
    #expect(try rows("workout_edit") == 0 && (try rows("workout_slice")) == 0)
  }

  /// A workout that became part of another one is gone with it, whatever it was called before; and so is what it was.
  @Test func whatWasMergedAwayIsDeletedWithIt() throws {
    var named = FinishedWorkout.example(2)
    named.title = WorkoutTitle("Morning")
    named.notes = "with Anna"
    var merged = FinishedWorkout.example(1)
    merged.slices = [1, 2].map { number in
      WorkoutSlice(session: .number(number), start: .at(Int64(number) * 10), end: .at(Int64(number) * 10 + 9))
    }
    var trimmed = merged
    trimmed.slices.removeLast()
    func edit(_ number: Int64, _ kind: WorkoutEdit.Kind, _ changes: [WorkoutEdit.Change]) -> Record {
      .workoutEdited(WorkoutEdit(number: number, kind: kind, date: .boot, changes: changes))
    }
    try store.commit(
      [
        edit(6, .edit, [.saved(named)]), edit(7, .merge, [.saved(merged), .removed(.number(2))]),
        edit(8, .trim, [.saved(trimmed)]),
      ], through: 0)
    try store.commit([.discarded(.number(1), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try steps(at: later).first == .deleted(.number(1)))
    for table in ["workout_before", "workout_part_before", "workout_slice_before", "workout_edit", "purge"] {
      #expect(try rows(table) == 0, "\(table)")
    }
    #expect(try rows("session") == 2 && (try rows("sample")) == 450)
    #expect(try store.edits(of: .number(2), from: 0, limit: 100).edits == [])
    #expect(try store.workout(.number(3)) == .example(3))
  }

  /// What was done to the part that stays, after the other one was split off, is no matter of that one.
  @Test func whatDoesNotTouchItCanBeUndone() throws {
    let whole = FinishedWorkout.example(1)
    var (first, second) = (whole, FinishedWorkout.example(4))
    first.slices = [WorkoutSlice(session: .number(1), start: whole.start, end: .at(50))]
    second.slices = [WorkoutSlice(session: .number(1), start: .at(50), end: whole.end)]
    var (earlier, noted) = (whole, first)
    earlier.title = WorkoutTitle("Hills")
    noted.notes = "muddy"
    let changes: [(WorkoutEdit.Kind, [WorkoutEdit.Change])] = [
      (.edit, [.saved(earlier)]), (.split, [.saved(first), .saved(second)]), (.edit, [.saved(noted)]),
    ]
    for (number, change) in zip(Int64(5)..., changes) {
      let edit = WorkoutEdit(number: number, kind: change.0, date: .boot, changes: change.1)
      try store.commit([.workoutEdited(edit)], through: 0)
    }
    try store.commit([.discarded(.number(4), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try steps(at: later).first == .deleted(.number(4)))
    #expect(try store.edits(of: .number(1), from: 0, limit: 100).edits.map(\.isSealed) == [true, true, false])
    #expect(try store.undo(.number(1))?.edit.number == 7 && (try store.isSealed(.number(1))) == false)
    try store.commit([.editUndone(7, .boot)], through: 0)
    #expect(try store.workout(.number(1)) == first)
    #expect(try store.undo(.number(1)) == nil && (try store.isSealed(.number(1))))
  }

  /// Two that were merged and taken apart again are two.
  @Test func whatIsUndoneBindsNobody() throws {
    var (named, merged) = (FinishedWorkout.example(2), FinishedWorkout.example(1))
    named.title = WorkoutTitle("Morning")
    merged.slices = [1, 2].map { WorkoutSlice(session: .number($0), start: .at(10), end: .at(19)) }
    for (number, changes) in [(6, [.saved(named)]), (7, [.saved(merged), .removed(.number(2))])]
      as [(Int64, [WorkoutEdit.Change])]
    {
      let edit = WorkoutEdit(number: number, kind: .merge, date: .boot, changes: changes)
      try store.commit([.workoutEdited(edit)], through: 0)
    }
    try store.commit(
      [.editUndone(7, .boot), .discarded(.number(1), Discard(date: .boot, isSure: true))], through: 0)
    #expect(try steps(at: later).first == .deleted(.number(1)))
    #expect(
      try store.workout(.number(2)) == named && (try store.samples(of: .number(2), after: 0, limit: 9).count) == 9)
    #expect(try store.undo(.number(2))?.edit.number == 6)
    #expect(try rows("session") == 3)
  }

  /// A number means one session for ever: what still says it does not come to speak of another one.
  @Test func noNumberIsGivenTwice() throws {
    func numbers() throws -> [String] {
      try directory.raw().rows("SELECT number FROM session ORDER BY number").map { $0[0] }
    }
    try store.commit([.workout(.example(4))], through: 0)
    for number in [3, 4] as [UInt8] {
      try store.commit([.discarded(.number(number), Discard(date: .boot, isSure: true))], through: 0)
    }
    _ = try steps(at: later)
    try store.commit([.session(.example(5))], through: 0)
    try store.commit([.session(.example(5, state: .ended)), .session(.example(6))], through: 0)
    #expect(try numbers() == ["1", "2", "5", "6"])
    try store.close()
    let again = try directory.open()
    try again.commit([.session(.example(7))], through: 0)
    #expect(try numbers().last == "7")
  }

  // MARK: The files

  /// Of what is deleted for good neither the database nor its log has anything left, however little else is written.
  @Test func nothingIsLeftInTheFiles() throws {
    let words = ["a title to be forgotten", "notes to be forgotten", "a blob to be forgotten", "a lap to be forgotten"]
    var workout = FinishedWorkout.example(2)
    (workout.title, workout.notes) = (WorkoutTitle(words[0]), String(repeating: words[1] + ", ", count: 300))
    workout.laps = [
      FinishedWorkout.Lap(
        number: 8, interval: WorkoutInterval(start: .at(10), end: .at(40), label: words[3]),
        summary: IntervalSummary(elapsed: .seconds(30), wall: .seconds(30), heartRate: nil, rrCount: 0))
    ]
    let lap = EventRecord(sequence: 8, session: .number(2), at: .at(40), what: .lap(workout.laps[0].interval))
    let edit = WorkoutEdit(number: 9, kind: .edit, date: .boot, changes: [.saved(workout)])
    try store.commit(
      [
        .workout(workout), .event(lap), .workoutEdited(edit),
        .clientData(try ClientData(metadata: nil, blob: words[2]), session: .number(2)),
      ], through: 1)
    // Some of it is in the database already, and some in its log.
    try store.connection.checkpoint()
    workout.summary.rrCount = 5
    try store.commit(
      [.workoutEdited(WorkoutEdit(number: 10, kind: .edit, date: .boot, changes: [.saved(workout)]))], through: 2)
    func left() throws -> [String] {
      let files = try [directory.database, directory.database + "-wal"].map { path in
        try Data(contentsOf: URL(fileURLWithPath: path))
      }
      return words.filter { word in files.contains { $0.range(of: Data(word.utf8)) != nil } }
    }
    #expect(try left() == words)
    try store.commit([.discarded(.number(2), Discard(date: later, isSure: true))], through: 3)
    let limit = later + Discard.keeping
    // Somebody reads in the log: it stays, and goes the next time.
    let reader = try directory.raw()
    try reader.execute("BEGIN; SELECT count(*) FROM session")
    #expect(try steps(at: limit).last == .rest)
    #expect(try !left().isEmpty)
    try reader.execute("COMMIT")
    #expect(try steps(at: limit) == [.rest])
    #expect(try left() == [])
    #expect(try directory.logSize() == 0)
    // And it is written on as before.
    try store.commit([.sample(try .example(990_000), session: .number(4))], through: 4)
    #expect(try store.samples(of: .number(4), after: 0, limit: 9).count == 1)
    #expect(store.syncFailure == nil)
    #expect(try store.workout(.number(3)) == .example(3))
    try store.connection.checkpoint()
    #expect(try left() == [])
  }
}
