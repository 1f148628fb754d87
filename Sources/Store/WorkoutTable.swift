import Measurements
import Workout

/// Table `workout`: the finished ones.
struct WorkoutTable {
  private let upsert: Statement
  private let selectOne: Statement
  private let selectNewest: Statement
  private let selectBefore: Statement

  private static let columns = [
    "activity", "location", "strap", "boot", "start_tick", "start_date", "start_is_requested", "end_tick", "end_date",
    "end_is_requested", "elapsed_nanoseconds", "wall_nanoseconds", "end_reason", "rr_count", "energy_kilojoules",
    "heart_rate_count",
    "heart_rate_minimum", "heart_rate_maximum", "heart_rate_average", "heart_rate_most_recent",
    "heart_rate_most_recent_tick", "heart_rate_covered_nanoseconds",
  ]

  init(_ connection: Connection) throws(StoreError) {
    let columns = Self.columns
    upsert = try Statement(
      connection,
      """
      INSERT INTO workout (session, \(columns.joined(separator: ", ")))
      VALUES ((SELECT number FROM session WHERE id = ?)\(String(repeating: ", ?", count: columns.count)))
      ON CONFLICT (session) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """)
    let select = """
      SELECT id, \(columns.map { "workout.\($0)" }.joined(separator: ", "))
      FROM workout JOIN session ON session.number = workout.session
      """
    let newestFirst = "ORDER BY workout.start_date DESC, workout.session DESC LIMIT"
    selectOne = try Statement(connection, "\(select) WHERE id = ?")
    selectNewest = try Statement(connection, "\(select) \(newestFirst) ?")
    selectBefore = try Statement(
      connection,
      """
      \(select) WHERE (workout.start_date, workout.session) <
        (SELECT start_date, session FROM workout WHERE session = (SELECT number FROM session WHERE id = ?))
      \(newestFirst) ?
      """)
  }

  func write(_ workout: FinishedWorkout, boot: Int64) throws(StoreError) {
    let heartRate = workout.heartRate
    let names: [SQLValue] = [
      .text(workout.id.description), .text(workout.activity.rawValue), .text(workout.location.rawValue),
      .optional(workout.strap?.description), .integer(boot),
    ]
    let totals: [SQLValue] = [
      .integer(workout.elapsed.wholeNanoseconds), .integer(workout.wall.wholeNanoseconds),
      .text(workout.endReason.rawValue), .integer(Int64(workout.rrCount)),
      .optional(workout.energyKilojoules.map(Int64.init)),
    ]
    let statistics: [SQLValue] = [
      .optional(heartRate.map { Int64($0.count) }), .optional(heartRate.map { Int64($0.minimum) }),
      .optional(heartRate.map { Int64($0.maximum) }), heartRate.map { .real($0.average) } ?? .null,
      .optional(heartRate.map { Int64($0.mostRecent) }), .optional(heartRate?.mostRecentTick.nanoseconds),
      .optional(heartRate?.covered.wholeNanoseconds),
    ]
    try upsert.run(
      names + .datedTick(workout.start) + .datedTick(workout.end) + totals + statistics,
      "writing workout \(workout.id)")
  }

  func workout(_ id: SessionID, on axis: BootAxis) throws(StoreError) -> FinishedWorkout? {
    try read(selectOne, [.text(id.description)], on: axis).first
  }

  func newest(before id: SessionID?, limit: Int, on axis: BootAxis) throws(StoreError) -> [FinishedWorkout] {
    if let id {
      try read(selectBefore, [.text(id.description), .integer(Int64(limit))], on: axis)
    } else {
      try read(selectNewest, [.integer(Int64(limit))], on: axis)
    }
  }

  private func read(
    _ statement: Statement, _ values: [SQLValue], on axis: BootAxis
  ) throws(StoreError) -> [FinishedWorkout] {
    try statement.rows(values, "reading workouts") { (row: inout Row) throws(StoreError) in
      let id = try row.sessionID()
      let activity = try row.name(ActivityType.self)
      let location = try row.name(LocationType.self)
      let strap = try row.strap()
      let boot = row.integer()
      let start = try row.datedTick(of: boot, on: axis)
      let end = try row.datedTick(of: boot, on: axis)
      let elapsed = Duration.nanoseconds(row.integer())
      let wall = Duration.nanoseconds(row.integer())
      let endReason = try row.name(EndReason.self)
      let rrCount = Int(row.integer())
      let energy = row.isNull ? nil : Int(row.integer())
      if energy == nil { row.skip(1) }
      return FinishedWorkout(
        id: id, activity: activity, location: location, strap: strap, start: start, end: end, elapsed: elapsed,
        wall: wall, endReason: endReason, heartRate: try row.heartRateSummary(of: boot, on: axis), rrCount: rrCount,
        energyKilojoules: energy)
    }
  }
}

extension Row {
  fileprivate mutating func heartRateSummary(
    of boot: Int64, on axis: BootAxis
  ) throws(StoreError) -> HeartRateSummary? {
    guard !isNull else { return nil }
    let count = Int(integer())
    let minimum = UInt16(clamping: integer())
    let maximum = UInt16(clamping: integer())
    let average = real()
    let mostRecent = UInt16(clamping: integer())
    let mostRecentTick = try tick(of: boot, on: axis)
    return HeartRateSummary(
      count: count, minimum: minimum, maximum: maximum, average: average, mostRecent: mostRecent,
      mostRecentTick: mostRecentTick, covered: .nanoseconds(integer()))
  }
}
