import Measurements
import Testing
import Workout

@testable import Store

@Suite struct WorkoutTableTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
    try store.commit((1...20).map { .session(.example($0, state: .ended)) }, through: 0)
  }

  @Test func comesBackAsItWasWritten() throws {
    var bare = FinishedWorkout.example(2, start: .at(-1_000, isRequested: true))
    bare.heartRate = nil
    bare.strap = nil
    bare.energyKilojoules = nil
    bare.endReason = .staleRecovery
    try store.commit([.workout(.example(1)), .workout(bare)], through: 0)
    #expect(try store.workout(.number(1)) == .example(1))
    #expect(try store.workout(.number(2)) == bare)
    #expect(try store.workout(.number(3)) == nil)
  }

  @Test func writtenAgainItIsReplaced() throws {
    try store.commit([.workout(.example())], through: 0)
    var other = FinishedWorkout.example()
    other.heartRate = nil
    other.rrCount = 17
    other.end = .at(120)
    try store.commit([.workout(other)], through: 0)
    #expect(try store.workouts(before: nil, limit: 10) == [other])
  }

  @Test func rowsAreReadableForOthers() throws {
    var workout = FinishedWorkout.example(3)
    workout.heartRate?.average = 90.5
    try store.commit([.workout(workout)], through: 0)
    let raw = try directory.raw()
    #expect(
      try raw.rows("SELECT * FROM workout") == [
        [
          "3", "cycling", "indoor", "F0:F1:F2:F3:F4:F5", "1", "10000000000", "1796025610000000000", "0",
          "100000000000", "1796025700000000000", "1", "80000000000", "90000000000", "user", "4", "310", "3", "60",
          "120",
          "90.5", "120", "99000000000", "12345000000",
        ]
      ])
    #expect(
      try raw.rows("SELECT session, start, \"end\", elapsed_seconds, covered_seconds FROM workout_dated") == [
        [
          "00000000-0000-4000-8000-000000000003", "2026-11-30T08:00:10.000Z", "2026-11-30T08:01:40.000Z", "80.0",
          "12.345",
        ]
      ])
  }

  @Test func pagesAreNewestFirstAndStable() throws {
    // Three starts on the same moment; the later session comes first there.
    let starts: [(UInt8, Int64)] = [(1, 10), (2, 50), (3, 30), (4, 30), (5, 30), (6, 20)]
    for (number, start) in starts { try store.commit([.workout(.example(number, start: .at(start)))], through: 0) }
    let expected: [SessionID] = [2, 5, 4, 3, 6, 1].map(SessionID.number)
    #expect(try store.workouts(before: nil, limit: 100).map(\.id) == expected)
    for limit in 1...4 {
      var pages: [SessionID] = []
      while pages.count < 10 {
        let page = try store.workouts(before: pages.last, limit: limit)
        if page.isEmpty { break }
        pages += page.map(\.id)
      }
      #expect(pages == expected)
    }
    let page = try store.workouts(before: nil, limit: 2)
    try store.commit([.workout(.example(7, start: .at(60)))], through: 0)
    #expect(try store.workouts(before: page[1].id, limit: 2).map(\.id) == [.number(4), .number(3)])
    #expect(try store.workouts(before: .number(19), limit: 2) == [], "there is no such workout")
  }

  @Test func pagesAreReadFromTheIndex() throws {
    let plan = try directory.raw().rows(
      """
      EXPLAIN QUERY PLAN SELECT * FROM workout JOIN session ON session.number = workout.session
      WHERE (workout.start_date, workout.session) <
        (SELECT start_date, session FROM workout WHERE session = (SELECT number FROM session WHERE id = 'x'))
      ORDER BY workout.start_date DESC, workout.session DESC LIMIT 5
      """
    ).map { $0[3] }
    #expect(plan.first?.hasPrefix("SEARCH workout USING INDEX workout_by_start") == true, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }
}
