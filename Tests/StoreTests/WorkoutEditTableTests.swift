import Measurements
import Testing
import Workout

@testable import Store

/// What people change in workouts, and take back.
@Suite struct WorkoutEditTableTests {
  let directory: TemporaryDirectory
  let store: Store
  private let mark = Discard(date: .boot + .seconds(500), isSure: true)

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
    try store.commit((1...4).map { .session(.example($0, state: .ended)) }, through: 0)
    for number in UInt8(1)...3 { try store.commit([.workout(.example(number))], through: 0) }
  }

  private func trimmed(_ number: UInt8) -> FinishedWorkout {
    var trimmed = FinishedWorkout.example(number)
    trimmed.slices = [WorkoutSlice(session: .number(number), start: trimmed.start, end: .at(50))]
    trimmed.end = .at(50)
    return trimmed
  }

  private func edit(_ number: Int64, _ kind: WorkoutEdit.Kind, _ changes: [WorkoutEdit.Change]) -> Record {
    .workoutEdited(WorkoutEdit(number: number, kind: kind, date: .boot, changes: changes))
  }

  // MARK: The trash

  /// Every order of a trim, its undoing, a discard and a restore: where the workout is, the last of the two last says.
  @Test func theTrashIsNoMatterOfAnEdit() throws {
    let records: [Record] = [
      edit(9, .trim, [.saved(trimmed(1))]), .editUndone(9, .boot), .discarded(.number(1), mark),
      .discarded(.number(1), nil),
    ]
    for order in permutations(of: 4) {
      let directory = try TemporaryDirectory()
      let store = try directory.open()
      try store.commit([.session(.example(1, state: .ended)), .workout(.example(1))], through: 0)
      for (through, index) in zip(Int64(1)..., order) { try store.commit([records[index]], through: through) }
      let isDiscarded = order.last { $0 >= 2 } == 2
      let isTrimmed = order.last { $0 < 2 } == 0
      var expected = isTrimmed ? trimmed(1) : FinishedWorkout.example(1)
      expected.discarded = isDiscarded ? mark : nil
      // An undo before its edit has nothing to undo.
      #expect(try store.workout(.number(1)) == expected, "\(order)")
      if isTrimmed { try store.commit([.editUndone(9, .boot)], through: 9) }
      #expect(try store.workout(.number(1))?.discarded == expected.discarded, "\(order)")
      #expect(try store.edits(of: .number(1), from: 0, limit: 9).edits.first?.before?.discarded == nil, "\(order)")
    }
  }

  /// Versions before have kept with a workout whether it was in the trash.
  @Test func whatEarlierVersionsHaveKeptOfTheTrash() throws {
    try store.commit([edit(9, .trim, [.saved(trimmed(1))])], through: 1)
    try directory.raw().execute("UPDATE workout_before SET discarded_date = 5, discarded_is_sure = 1")
    #expect(try store.undo(.number(1))?.workouts == [.example(1)])
    try store.commit([.editUndone(9, .boot)], through: 2)
    #expect(try store.workout(.number(1)) == .example(1))
  }

  @Test func whatWasTakenInComesBackIntoTheList() throws {
    var merged = FinishedWorkout.example(1)
    merged.title = WorkoutTitle("both")
    try store.commit([edit(9, .merge, [.saved(merged), .removed(.number(2))])], through: 1)
    #expect(try store.workoutMerged(with: .number(2)) == .number(1))
    try store.commit([.discarded(.number(1), mark), .discarded(.number(2), mark)], through: 2)
    try store.commit([.editUndone(9, .boot)], through: 3)
    #expect(try store.workout(.number(2)) == .example(2))
    #expect(try store.workout(.number(1))?.discarded == mark && (try store.workout(.number(1)))?.title == nil)
    #expect(try store.workoutMerged(with: .number(2)) == nil)
    #expect(try directory.raw().rows("PRAGMA foreign_key_check") == [])
  }

  // MARK: Old ones that were taken out of the trash

  @Test func whatWasRestoredStays() throws {
    let later = WallTime.boot + .seconds(100 * 86_400)
    try store.commit([.discarded(.number(1), mark)], through: 1)
    try store.commit([.discarded(.number(1), nil)], through: 2)
    // Both halves of it are.
    var (first, second) = (trimmed(1), FinishedWorkout.example(4))
    first.start = .at(10)
    second.slices = [WorkoutSlice(session: .number(1), start: .at(50), end: .at(100))]
    try store.commit([edit(9, .split, [.saved(first), .saved(second)])], through: 3)
    // And what is taken out of it again.
    try store.commit([edit(10, .merge, [.saved(first), .removed(.number(2))])], through: 4)
    try store.commit([.editUndone(10, .boot)], through: 5)
    func aged() throws -> [SessionID] {
      var aged: [SessionID] = []
      while case .aged(let id) = try store.purge(at: later, retention: .seconds(86_400)), aged.count < 9 {
        aged.append(id)
        try store.commit([.discarded(id, Discard(date: later, isSure: true))], through: 6)
      }
      return aged
    }
    #expect(try aged() == [.number(3)])
    try store.commit([.discarded(.number(3), nil)], through: 7)
    #expect(try aged() == [])
  }

  // MARK: Many of them

  @Test func manyAreToldInPages() throws {
    var workout = FinishedWorkout.example(1)
    for number in Int64(1)...30 {
      workout.notes = String(repeating: "x", count: 16_000)
      workout.title = WorkoutTitle("\(number)")
      try store.commit([edit(number, .edit, [.saved(workout)])], through: number)
    }
    try store.commit([.editUndone(30, .boot), .editUndone(29, .boot)], through: 31)
    var (all, place): ([WorkoutEditRecord], Int?) = ([], 0)
    while let from = place {
      let page = try store.edits(of: .number(1), from: from, limit: 100)
      #expect((1...4).contains(page.edits.count), "some 64 KiB")
      // What a page led to is what the next one that stands began with.
      let last = try #require(page.edits.last).number
      #expect(page.after?.title?.description == "\(min(last, 28))")
      all += page.edits
      place = page.next
    }
    #expect(all.map(\.number) == Array(1...30))
    #expect(all.map { $0.before?.title?.description } == [nil] + (1...29).map { "\($0)" })
    #expect(all.filter { $0.undone != nil }.map(\.number) == [29, 30])
    #expect(try store.undo(.number(1))?.edit == all[27])
    let page = try store.edits(of: .number(1), from: 3, limit: 1)
    #expect(page.edits == [all[3]] && page.next == 4)
    #expect(try store.edits(of: .number(1), from: 30, limit: 1).edits.isEmpty)
    #expect(try store.edits(of: .number(2), from: 0, limit: 1) == WorkoutEdits(edits: [], after: .example(2)))
  }

  /// None of the others is read for the last one.
  @Test func theLastOneIsFoundByItsIndex() throws {
    let plan = try directory.raw().rows(
      """
      EXPLAIN QUERY PLAN SELECT workout_edit.number, kind, date, undone_date, is_sealed
      FROM workout_before JOIN workout_edit ON workout_edit.number = edit
      WHERE session = (SELECT number FROM session WHERE id = 'x') AND undone_date IS NULL ORDER BY edit DESC LIMIT 1
      """
    ).map { $0[3] }
    #expect(plan.contains { $0.contains("INDEX workout_before_of_session (session=?)") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
  }

  private func permutations(of count: Int) -> [[Int]] {
    if count == 0 { return [[]] }
    return permutations(of: count - 1).flatMap { shorter in
      (0...shorter.count).map { place in
        var longer = shorter
        longer.insert(count - 1, at: place)
        return longer
      }
    }
  }
}
