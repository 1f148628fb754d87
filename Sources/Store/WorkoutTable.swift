import Measurements
import Workout

/// Tables `workout` and `workout_part`: the finished ones, with their laps and activities.
struct WorkoutTable {
  private let upsert: Statement
  private let discard: Statement
  private let selectOne: Statement
  private let listed: Pages
  private let trash: Pages
  private let parts: WorkoutPartTable

  private static let columns =
    [
      "activity", "location", "strap", "boot", "start_tick", "start_date", "start_is_requested", "end_tick", "end_date",
      "end_is_requested", "end_reason",
    ] + SummaryColumns.names + ["zones", "athlete", "discarded_date", "discarded_is_sure"]

  /// Lists of workouts, the latest start first, page by page.
  private struct Pages {
    let first: Statement
    /// Those behind a workout.
    let next: Statement

    init(_ connection: Connection, _ select: String, where condition: String) throws(StoreError) {
      let newestFirst = "ORDER BY workout.start_date DESC, workout.session DESC LIMIT ?"
      first = try Statement(connection, "\(select) WHERE \(condition) \(newestFirst)")
      next = try Statement(
        connection,
        """
        \(select) WHERE \(condition) AND (workout.start_date, workout.session) <
          (SELECT start_date, session FROM workout WHERE session = (SELECT number FROM session WHERE id = ?))
        \(newestFirst)
        """)
    }
  }

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
    discard = try Statement(
      connection,
      """
      UPDATE workout SET discarded_date = ?2, discarded_is_sure = ?3
      WHERE session = (SELECT number FROM session WHERE id = ?1)
      """)
    selectOne = try Statement(connection, "\(select) WHERE id = ?")
    listed = try Pages(connection, select, where: "discarded_date IS NULL")
    trash = try Pages(connection, select, where: "discarded_date IS NOT NULL")
    parts = try WorkoutPartTable(connection)
  }

  /// Writes the workout with its laps and activities, in place of what was written of it before. To be run within a
  /// transaction.
  func write(_ workout: FinishedWorkout, boot: Int64) throws(StoreError) {
    let names: [SQLValue] = [
      .text(workout.id.description), .text(workout.activity.rawValue), .text(workout.location.rawValue),
      .optional(workout.strap?.description), .integer(boot),
    ]
    try upsert.run(
      names + .datedTick(workout.start) + .datedTick(workout.end) + [.text(workout.endReason.rawValue)]
        + SummaryColumns.values(workout.summary) + [
          .optional(workout.zones?.text), .optional(workout.athlete?.description),
        ]
        + Self.columns(of: workout.discarded),
      "writing workout \(workout.id)")
    try parts.write(workout)
  }

  /// Puts a workout into the trash, or (nil) takes it out.
  func discard(_ id: SessionID, _ mark: Discard?) throws(StoreError) {
    try discard.run([.text(id.description)] + Self.columns(of: mark), "discarding workout \(id)")
  }

  private static func columns(of mark: Discard?) -> [SQLValue] {
    [.optional(mark?.date.nanoseconds), mark.map { .flag($0.isSure) } ?? .null]
  }

  /// A workout with its laps and activities.
  func workout(_ id: SessionID, on axis: BootAxis) throws(StoreError) -> FinishedWorkout? {
    guard var workout = try read(selectOne, [.text(id.description)], on: axis).first else { return nil }
    (workout.laps, workout.activities) = try parts.parts(of: id, on: axis)
    return workout
  }

  /// Workouts without their laps and activities.
  func newest(
    before id: SessionID?, limit: Int, inTrash: Bool, on axis: BootAxis
  ) throws(StoreError) -> [FinishedWorkout] {
    let pages = inTrash ? trash : listed
    if let id { return try read(pages.next, [.text(id.description), .integer(Int64(limit))], on: axis) }
    return try read(pages.first, [.integer(Int64(limit))], on: axis)
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
      let endReason = try row.name(EndReason.self)
      let summary = try row.intervalSummary(of: boot, on: axis)
      return FinishedWorkout(
        id: id, activity: activity, location: location, strap: strap, start: start, end: end, endReason: endReason,
        summary: summary, zones: try row.parsed("zones") { HeartRateZones(text: $0) },
        athlete: try row.parsed("an athlete") { AthleteName($0) }, discarded: row.discard())
    }
  }
}

extension Row {
  /// The columns discarded_date and discarded_is_sure.
  fileprivate mutating func discard() -> Discard? {
    let date = optionalInteger()
    let isSure = optionalInteger() != 0
    return date.map { Discard(date: WallTime(nanoseconds: $0), isSure: isSure) }
  }
}
