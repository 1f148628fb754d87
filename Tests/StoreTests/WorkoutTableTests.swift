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
    bare.summary.heartRate = nil
    bare.strap = nil
    bare.summary.energyKilojoules = nil
    bare.endReason = .staleRecovery
    try store.commit([.workout(.example(1)), .workout(bare)], through: 0)
    #expect(try store.workout(.number(1)) == .example(1))
    #expect(try store.workout(.number(2)) == bare)
    #expect(try store.workout(.number(3)) == nil)
  }

  private func withParts() throws -> FinishedWorkout {
    var workout = FinishedWorkout.example()
    workout.zones = try HeartRateZones(bounds: [100, 120])
    workout.summary.heartRate?.timeInZones = [.seconds(2), .zero, .nanoseconds(7)]
    var summary = workout.summary
    summary.elapsed = .seconds(30)
    let bare = IntervalSummary(elapsed: .zero, wall: .seconds(3), heartRate: nil, rrCount: 0)
    workout.laps = [
      .init(number: 7, interval: WorkoutInterval(start: .at(10), end: .at(40), label: "up"), summary: summary),
      .init(number: 5, interval: WorkoutInterval(start: .at(41, isRequested: true), end: .at(44)), summary: bare),
    ]
    workout.activities = [
      .init(
        number: 4, began: ActivityStart(activity: .swimming, location: .outdoor, start: .at(10), label: "sea"),
        end: .at(20), summary: bare),
      .init(
        number: 9, began: ActivityStart(activity: .running, location: .indoor, start: .at(20)),
        end: .at(100, isRequested: true), summary: summary),
    ]
    return workout
  }

  @Test func lapsAndActivitiesComeBackAsTheyWereWritten() throws {
    let workout = try withParts()
    try store.commit([.workout(workout)], through: 0)
    #expect(try store.workout(.number(1)) == workout)
    var listed = workout
    (listed.laps, listed.activities) = ([], [])
    #expect(try store.workouts(before: nil, limit: 10) == [listed])
    #expect(
      try directory.raw().rows(
        "SELECT kind, event, activity, location, label, start_tick, end_date, zone_nanoseconds FROM workout_part "
          + "ORDER BY event") == [
          ["activity", "4", "swimming", "outdoor", "sea", "10000000000", "1796025620000000000", "NULL"],
          ["lap", "5", "NULL", "NULL", "NULL", "41000000000", "1796025644000000000", "NULL"],
          ["lap", "7", "NULL", "NULL", "up", "10000000000", "1796025640000000000", "2000000000 0 7"],
          ["activity", "9", "running", "indoor", "NULL", "20000000000", "1796025700000000000", "2000000000 0 7"],
        ])
  }

  @Test func theWholeWorkoutIsWrittenOrNothingOfIt() throws {
    try directory.raw().execute(
      "CREATE TRIGGER no_nine BEFORE INSERT ON workout_part WHEN NEW.event = 9 BEGIN SELECT RAISE(FAIL, 'nine'); END")
    let workout = try withParts()
    #expect(storeError { try store.commit([.workout(workout)], through: 0) } != nil)
    #expect(try store.workout(.number(1)) == nil)
    try directory.raw().execute("DROP TRIGGER no_nine")
    try store.commit([.workout(workout)], through: 0)
    #expect(try store.workout(.number(1)) == workout)
  }

  @Test func writtenAgainItsLapsAreReplaced() throws {
    var workout = try withParts()
    try store.commit([.workout(workout)], through: 0)
    workout.laps.removeFirst()
    workout.activities = []
    try store.commit([.workout(workout)], through: 0)
    #expect(try store.workout(.number(1)) == workout)
  }

  @Test func writtenAgainItIsReplaced() throws {
    try store.commit([.workout(.example())], through: 0)
    var other = FinishedWorkout.example()
    other.summary.heartRate = nil
    other.summary.rrCount = 17
    other.end = .at(120)
    try store.commit([.workout(other)], through: 0)
    #expect(try store.workouts(before: nil, limit: 10) == [other])
  }

  @Test func rowsAreReadableForOthers() throws {
    var workout = FinishedWorkout.example(3)
    workout.summary.heartRate?.average = 90.5
    workout.athlete = AthleteName("Anna")
    (workout.title, workout.notes) = (WorkoutTitle("Hill repeats"), "windy")
    try store.commit([.workout(workout)], through: 0)
    let raw = try directory.raw()
    #expect(
      try raw.rows("SELECT * FROM workout") == [
        [
          "3", "cycling", "indoor", "F0:F1:F2:F3:F4:F5", "1", "10000000000", "1796025610000000000", "0",
          "100000000000", "1796025700000000000", "1", "user", "80000000000", "90000000000", "4", "310", "3", "60",
          "120", "90.5", "120", "99000000000", "12345000000", "NULL", "NULL", "NULL", "NULL", "0", "1", "Anna",
          "Hill repeats", "windy", "0", "NULL",
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
      var pages: [FinishedWorkout] = []
      while pages.count < 10 {
        let page = try store.workouts(before: pages.last.map(ListPlace.init), limit: limit)
        if page.isEmpty { break }
        pages += page
      }
      #expect(pages.map(\.id) == expected)
    }
    let page = try store.workouts(before: nil, limit: 2)
    try store.commit([.workout(.example(7, start: .at(60)))], through: 0)
    #expect(try store.workouts(before: ListPlace(page[1]), limit: 2).map(\.id) == [.number(4), .number(3)])
    // A list goes on behind a workout that is none any more, or has got another start.
    try store.commit([.workout(.example(5, start: .at(5)))], through: 0)
    #expect(try store.workouts(before: ListPlace(page[1]), limit: 2).map(\.id) == [.number(4), .number(3)])
    let unknown = ListPlace(start: page[1].start.date, id: .number(99))
    #expect(try store.workouts(before: unknown, limit: 2).map(\.id) == [.number(6), .number(1)])
  }

  private static let trash = WorkoutFilter(isInTrash: true)

  /// Three athletes, two straps, two activities, all combinations over some weeks.
  private func fillHistory() throws -> [FinishedWorkout] {
    let straps = [StrapAddress("F0:F1:F2:F3:F4:F5"), StrapAddress("F0:F1:F2:F3:F4:F6"), nil]
    let all = (UInt8(1)...36).map { number in
      var workout = FinishedWorkout.example(number, start: .at(Int64(number) * 86_400))
      workout.activity = number % 2 == 0 ? .running : .rowing
      workout.athlete = number % 3 == 0 ? nil : AthleteName("athlete \(number % 3)")
      workout.strap = straps[Int(number / 4 % 3)]
      if number % 10 == 0 { workout.discarded = Discard(date: .boot, isSure: true) }
      return workout
    }
    for workout in all {
      try store.commit([.session(.example(UInt8(workout.id.description.suffix(2), radix: 16) ?? 0))], through: 0)
      try store.commit([.workout(workout)], through: 0)
    }
    return all.reversed()
  }

  @Test func aFilterTakesWhatItSays() throws {
    let all = try fillHistory()
    let day = { (number: Int64) in WallTime.boot + .seconds(number * 86_400) }
    var filters: [WorkoutFilter] = []
    for activity in [nil, ActivityType.running, .swimming] {
      for athlete in [nil, AthleteName("athlete 1")] {
        for strap in [nil, StrapAddress("F0:F1:F2:F3:F4:F6")] {
          for (since, until) in [(nil, nil), (day(5), nil), (nil, day(30)), (day(7), day(19))] {
            for isInTrash in [false, true] {
              filters.append(
                WorkoutFilter(
                  activity: activity, athlete: athlete, strap: strap, since: since, until: until, isInTrash: isInTrash))
            }
          }
        }
      }
    }
    #expect(Set(filters.map(\.digest)).count == filters.count)
    for filter in filters {
      let expected = all.filter(filter.takes).map(\.id)
      #expect(try store.workouts(before: nil, limit: 100, matching: filter).map(\.id) == expected)
      // Page by page.
      var paged: [FinishedWorkout] = []
      while true {
        let page = try store.workouts(before: paged.last.map(ListPlace.init), limit: 3, matching: filter)
        paged += page
        if page.count < 3 { break }
      }
      #expect(paged.map(\.id) == expected)
      for period in CalendarPeriod.allCases {
        let (totals, next) = try store.totals(period, matching: filter, limit: 1000)
        #expect(next == nil)
        #expect(Self.isSame(try stepped(period, filter, limit: 3), totals))
        let these = all.filter(filter.takes)
        #expect(totals.map(\.workouts).reduce(0, +) == these.count)
        #expect(totals.map(\.elapsed).reduce(.zero, +) == these.map(\.summary.elapsed).reduce(.zero, +))
        #expect(totals.map(\.firstDay) == totals.map(\.firstDay).sorted(by: >))
        #expect(Set(totals.map(\.firstDay)).count == totals.count)
      }
    }
  }

  /// Averages but for the last bits, since they are added up in another order.
  private static func isSame(_ some: [WorkoutTotals], _ others: [WorkoutTotals]) -> Bool {
    some.count == others.count
      && zip(some, others).allSatisfy { one, other in
        var (one, other) = (one, other)
        guard (one.average == nil) == (other.average == nil), abs((one.average ?? 0) - (other.average ?? 0)) < 1e-9
        else { return false }
        (one.average, other.average) = (nil, nil)
        return one == other
      }
  }

  /// The totals as they are put together of steps.
  private func stepped(_ period: CalendarPeriod, _ filter: WorkoutFilter, limit: Int) throws -> [WorkoutTotals] {
    var (part, all) = (filter, [WorkoutTotals]())
    while true {
      let (totals, next) = try store.totals(period, matching: part, limit: limit)
      for total in totals {
        if all.last?.firstDay == total.firstDay { all[all.count - 1].add(total) } else { all.append(total) }
      }
      guard let next else { return all }
      part.until = next
    }
  }

  /// The test's zone is that of the machine; only the time of day is chosen so that no zone makes another day of it.
  @Test func totalsByTheCalendar() throws {
    // Thursday the 31st of December 2026, Friday, Sunday, Monday the 4th of January, each at noon.
    for (number, day) in [(UInt8(1), "2026-12-31"), (2, "2027-01-01"), (3, "2027-01-03"), (4, "2027-01-04")] {
      let noon = try #require(WallTime(rfc3339: day + "T12:00:00Z"))
      var workout = FinishedWorkout.example(number)
      workout.start.date = noon
      try store.commit([.session(.example(number)), .workout(workout)], through: 0)
    }
    func days(_ period: CalendarPeriod) throws -> [String] {
      try store.totals(period, matching: WorkoutFilter(), limit: 9).totals.map { "\($0.firstDay) \($0.workouts)" }
    }
    #expect(try days(.week) == ["2027-01-04 1", "2026-12-28 3"])
    #expect(try days(.month) == ["2027-01-01 3", "2026-12-01 1"])
    #expect(try days(.year) == ["2027-01-01 3", "2026-01-01 1"])
    let one = FinishedWorkout.example(1)
    let total = try #require(try store.totals(.year, matching: WorkoutFilter(), limit: 9).totals.last)
    #expect(total.average == one.heartRate?.average && total.maximum == one.heartRate?.maximum)
    #expect(total.covered == one.heartRate?.covered && total.rrCount == one.summary.rrCount)
    #expect(total.energyKilojoules == one.summary.energyKilojoules)
  }

  /// Of ten years of workouts none is read for a total, and for a page only those that are on it.
  @Test func listsAndTotalsAreFoundInOneIndex() throws {
    func plan(_ sql: String) throws -> [String] { try directory.raw().rows("EXPLAIN QUERY PLAN " + sql).map { $0[3] } }
    let totals = try plan(
      """
      SELECT count(*), sum(elapsed_nanoseconds), sum(heart_rate_average * heart_rate_covered_nanoseconds),
        max(heart_rate_maximum), sum(rr_count), sum(energy_kilojoules)
      FROM workout WHERE discarded_date IS NULL AND start_date >= 5 AND activity = 'running' AND athlete = 'Anna'
      """)
    #expect(totals == ["SEARCH workout USING COVERING INDEX workout_by_start (start_date>?)"])
    let page = try plan(
      """
      SELECT end_reason FROM workout WHERE discarded_date IS NULL AND strap = 'x' AND (start_date, session) < (7, 8)
      ORDER BY start_date DESC, session DESC LIMIT 100
      """)
    #expect(page.count == 1 && page[0].hasPrefix("SEARCH workout USING INDEX workout_by_start"), "\(page)")
  }

  @Test func theTrashIsAListOfItsOwn() throws {
    for number in UInt8(1)...4 {
      try store.commit([.workout(.example(number, start: .at(Int64(number) * 10)))], through: 0)
    }
    let mark = Discard(date: .boot + .seconds(500), isSure: false)
    try store.commit([.discarded(.number(2), mark), .discarded(.number(4), mark)], through: 1)
    #expect(try store.workouts(before: nil, limit: 10).map(\.id) == [.number(3), .number(1)])
    #expect(try store.workouts(before: nil, limit: 10, matching: Self.trash).map(\.id) == [.number(4), .number(2)])
    let first = try store.workouts(before: nil, limit: 1, matching: Self.trash).first.map(ListPlace.init)
    #expect(try store.workouts(before: first, limit: 10, matching: Self.trash).map(\.id) == [.number(2)])
    #expect(try store.workout(.number(2))?.discarded == mark)
    try store.commit([.discarded(.number(2), nil)], through: 2)
    #expect(try store.workout(.number(2)) == .example(2, start: .at(20)))
    #expect(try store.workouts(before: nil, limit: 10).map(\.id) == [.number(3), .number(2), .number(1)])
    // One that is discarded before it is saved goes there at once.
    var workout = FinishedWorkout.example(5)
    workout.discarded = Discard(date: .boot, isSure: true)
    try store.commit([.workout(workout)], through: 3)
    #expect(try store.workouts(before: nil, limit: 10, matching: Self.trash).map(\.id) == [.number(4), .number(5)])
    #expect(try store.workout(.number(5)) == workout)
  }

  @Test func pagesAreReadFromTheIndex() throws {
    let plan = try directory.raw().rows(
      """
      EXPLAIN QUERY PLAN SELECT * FROM workout JOIN session ON session.number = workout.session
      WHERE discarded_date IS NULL AND (workout.start_date, workout.session) <
        (SELECT start_date, session FROM workout WHERE session = (SELECT number FROM session WHERE id = 'x'))
      ORDER BY workout.start_date DESC, workout.session DESC LIMIT 5
      """
    ).map { $0[3] }
    #expect(plan.first?.hasPrefix("SEARCH workout USING INDEX workout_by_start") == true, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }
}
