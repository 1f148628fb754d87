import Measurements
import Workout

/// Tables `workout` and `workout_part`: the finished ones, with their laps and activities.
struct WorkoutTable {
  private let upsert: Statement
  private let discard: Statement
  private let selectProvisional: Statement
  private let selectOne: Statement
  private let connection: Connection
  private let select: String
  private let parts: WorkoutPartTable
  private let slices: WorkoutSliceTable
  private let delete: Statement

  static let columns =
    [
      "activity", "location", "strap", "boot", "start_tick", "start_date", "start_is_requested", "end_tick", "end_date",
      "end_is_requested", "end_reason",
    ] + SummaryColumns.names + [
      "zones", "athlete", "discarded_date", "discarded_is_sure", "is_provisional", "is_clock_sure",
      "unsure_boot", "title", "notes",
    ]

  init(_ connection: Connection) throws(StoreError) {
    let columns = Self.columns
    upsert = try Statement(
      connection,
      """
      INSERT INTO workout (session, \(columns.joined(separator: ", ")))
      VALUES ((SELECT number FROM session WHERE id = ?)\(String(repeating: ", ?", count: columns.count)))
      ON CONFLICT (session) DO UPDATE SET \(columns.map(Self.renewal).joined(separator: ", "))
      """)
    let select = """
      SELECT id, \(columns.map { "workout.\($0)" }.joined(separator: ", "))
      FROM workout JOIN session ON session.number = workout.session
      """
    discard = try Statement(
      connection,
      """
      UPDATE workout SET discarded_date = ?2, discarded_is_sure = ?3, is_restored = ?2 IS NULL
      WHERE session = (SELECT number FROM session WHERE id = ?1)
      """)
    selectProvisional = try Statement(
      connection,
      "SELECT id FROM workout JOIN session ON session.number = workout.session WHERE boot = ? AND is_provisional = 1")
    selectOne = try Statement(connection, "\(select) WHERE id = ?")
    self.connection = connection
    self.select = select
    parts = try WorkoutPartTable(connection)
    slices = try WorkoutSliceTable(connection)
    delete = try Statement(
      connection, "DELETE FROM workout WHERE session = (SELECT number FROM session WHERE id = ?)")
  }

  /// Writes the workout with its laps and activities, in place of what was written of it before. To be run within a
  /// transaction.
  ///
  /// - Parameter isClockSure: whether its dates are by a wall clock that is known to be right; of one that an edit has made,
  ///   `WorkoutDates` says that.
  func write(_ workout: FinishedWorkout, on axis: BootAxis, isClockSure: Bool) throws(StoreError) {
    let names: [SQLValue] = [
      .text(workout.id.description), .text(workout.activity.rawValue), .text(workout.location.rawValue),
      .optional(workout.strap?.description), .integer(axis.current),
    ]
    try upsert.run(
      names + .datedTick(workout.start) + .datedTick(workout.end) + [.text(workout.endReason.rawValue)]
        + SummaryColumns.values(workout.summary) + [
          .optional(workout.zones?.text), .optional(workout.athlete?.description),
        ]
        + Self.columns(of: workout.discarded) + [
          .flag(workout.isProvisional), .flag(isClockSure), .null, .optional(workout.title?.description),
          .optional(workout.notes),
        ],
      "writing workout \(workout.id)")
    try parts.write(workout)
    try slices.write(workout, on: axis)
  }

  /// What a workout is made of, where that is not the whole of its own session.
  func slices(of id: SessionID, on axis: BootAxis) throws(StoreError) -> [WorkoutSlice] {
    try slices.slices(of: id, on: axis)
  }

  /// The boots that a session's recording lived in.
  func boots(of session: SessionID) throws(StoreError) -> [Int64] { try slices.boots(of: session) }

  /// It is part of another workout, as are its samples. To be run within a transaction.
  func remove(_ id: SessionID) throws(StoreError) {
    try delete.run([.text(id.description)], "removing workout \(id)")
  }

  /// Puts a workout into the trash, or (nil) takes it out.
  func discard(_ id: SessionID, _ mark: Discard?) throws(StoreError) {
    try discard.run([.text(id.description)] + Self.columns(of: mark), "discarding workout \(id)")
  }

  /// The sessions whose workouts were saved in a boot and are provisional.
  func provisional(boot: Int64) throws(StoreError) -> [SessionID] {
    try selectProvisional.rows([.integer(boot)], "reading the provisional workouts") {
      (row: inout Row) throws(StoreError) in try row.sessionID()
    }
  }

  /// Whether a column says that the workout is in the trash.
  static func isOfTheTrash(_ column: String) -> Bool { column.hasPrefix("discarded_") }

  /// A workout that is saved once more stays in the trash, and its dates stay right where they are: they are those that it
  /// had.
  private static func renewal(_ column: String) -> String {
    if isOfTheTrash(column) { return "\(column) = coalesce(excluded.\(column), \(column))" }
    if column == "is_clock_sure" { return "\(column) = max(excluded.\(column), \(column))" }
    return "\(column) = excluded.\(column)"
  }

  private static func columns(of mark: Discard?) -> [SQLValue] {
    [.optional(mark?.date.nanoseconds), mark.map { .flag($0.isSure) } ?? .null]
  }

  /// A workout with its laps and activities.
  func workout(_ id: SessionID, on axis: BootAxis) throws(StoreError) -> FinishedWorkout? {
    guard var workout = try read(selectOne, [.text(id.description)], on: axis).first else { return nil }
    (workout.laps, workout.activities) = try parts.parts(of: id, on: axis)
    workout.slices = try slices.slices(of: id, on: axis)
    return workout
  }

  /// Workouts without their laps and activities, the latest start first.
  func newest(
    before place: ListPlace?, limit: Int, matching filter: WorkoutFilter, on axis: BootAxis
  ) throws(StoreError) -> [FinishedWorkout] {
    var (conditions, values) = Self.conditions(filter)
    if let place {
      conditions.append(
        "(workout.start_date, workout.session) < (?, coalesce((SELECT number FROM session WHERE id = ?), 0))")
      values += [.integer(place.start.nanoseconds), .text(place.id.description)]
    }
    let statement = try Statement(
      connection,
      """
      \(select) WHERE \(conditions.joined(separator: " AND "))
      ORDER BY workout.start_date DESC, workout.session DESC LIMIT ?
      """, for: .read)
    return try read(statement, values + [.integer(Int64(limit))], on: axis)
  }

  /// What at most so many workouts (and those of one date with the last of them) come to, period by period, the latest
  /// first, and before which date the others started; nil where there are none.
  func totals(
    _ period: CalendarPeriod, matching filter: WorkoutFilter, limit: Int
  ) throws(StoreError) -> (totals: [WorkoutTotals], next: WallTime?) {
    let (conditions, values) = Self.conditions(filter)
    let last = try Statement(
      connection,
      """
      SELECT workout.start_date FROM workout WHERE \(conditions.joined(separator: " AND "))
      ORDER BY workout.start_date DESC LIMIT 1 OFFSET ?
      """, for: .read)
    let dates = try last.rows(values + [.integer(Int64(limit - 1))], "summing up workouts") { (row: inout Row) in
      WallTime(nanoseconds: row.integer())
    }
    var part = filter
    if let next = dates.first { part.since = next }
    return (try totals(period, matching: part), dates.first)
  }

  private func totals(
    _ period: CalendarPeriod, matching filter: WorkoutFilter
  ) throws(StoreError) -> [WorkoutTotals] {
    let (conditions, values) = Self.conditions(filter)
    let day = "workout.start_date / 1000000000, 'unixepoch', 'localtime'"
    let firstDay =
      switch period {
      // The Sunday on or behind the day, and six days back.
      case .week: "date(\(day), 'weekday 0', '-6 days')"
      case .month: "date(\(day), 'start of month')"
      case .year: "date(\(day), 'start of year')"
      }
    let statement = try Statement(
      connection,
      """
      SELECT \(firstDay) AS first_day, count(*), sum(elapsed_nanoseconds),
        coalesce(sum(heart_rate_covered_nanoseconds), 0),
        sum(heart_rate_average * heart_rate_covered_nanoseconds) / nullif(sum(heart_rate_covered_nanoseconds), 0),
        max(heart_rate_maximum), sum(rr_count), sum(energy_kilojoules)
      FROM workout WHERE \(conditions.joined(separator: " AND ")) GROUP BY first_day ORDER BY first_day DESC
      """, for: .read)
    return try statement.rows(values, "summing up workouts") { (row: inout Row) in
      WorkoutTotals(
        firstDay: row.text(), workouts: Int(row.integer()), elapsed: .nanoseconds(row.integer()),
        covered: .nanoseconds(row.integer()), average: row.optionalReal(),
        maximum: row.optionalInteger().map { UInt16(clamping: $0) }, rrCount: Int(row.integer()),
        energyKilojoules: row.optionalInteger().map { Int($0) })
    }
  }

  private static func conditions(_ filter: WorkoutFilter) -> (conditions: [String], values: [SQLValue]) {
    var conditions = ["workout.discarded_date IS \(filter.isInTrash ? "NOT NULL" : "NULL")"]
    var values: [SQLValue] = []
    let wanted: [(condition: String, value: SQLValue?)] = [
      ("workout.activity = ?", filter.activity.map { .text($0.rawValue) }),
      ("workout.athlete = ?", filter.athlete.map { .text($0.description) }),
      // Lower case of ASCII's letters alone, as WorkoutTitle has it.
      ("instr(lower(workout.title), lower(?)) > 0", filter.title.map { .text($0) }),
      ("workout.strap = ?", filter.strap.map { .text($0.description) }),
      ("workout.start_date >= ?", filter.since.map { .integer($0.nanoseconds) }),
      ("workout.start_date < ?", filter.until.map { .integer($0.nanoseconds) }),
    ]
    for case (let condition, let value?) in wanted {
      conditions.append(condition)
      values.append(value)
    }
    return (conditions, values)
  }

  private func read(
    _ statement: Statement, _ values: [SQLValue], on axis: BootAxis
  ) throws(StoreError) -> [FinishedWorkout] {
    try statement.rows(values, "reading workouts") { (row: inout Row) throws(StoreError) in
      try Self.workout(try row.sessionID(), &row, on: axis)
    }
  }

  /// Reads `columns` of a row.
  static func workout(_ id: SessionID, _ row: inout Row, on axis: BootAxis) throws(StoreError) -> FinishedWorkout {
    let activity = try row.name(ActivityType.self)
    let location = try row.name(LocationType.self)
    let strap = try row.strap()
    let boot = row.integer()
    let start = try row.datedTick(of: boot, on: axis)
    let end = try row.datedTick(of: boot, on: axis)
    let endReason = try row.name(EndReason.self)
    let summary = try row.intervalSummary(of: boot, on: axis)
    var workout = FinishedWorkout(
      id: id, activity: activity, location: location, strap: strap, start: start, end: end, endReason: endReason,
      summary: summary, zones: try row.parsed("zones") { HeartRateZones(text: $0) },
      athlete: try row.parsed("an athlete") { AthleteName($0) }, discarded: row.discard())
    workout.isProvisional = row.flag()
    row.skip(2)
    workout.title = try row.parsed("a title") { WorkoutTitle($0) }
    workout.notes = row.optionalText()
    return workout
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
