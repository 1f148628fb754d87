import Measurements
import Workout

/// Table `workout_part`: the laps and activities of finished workouts.
struct WorkoutPartTable {
  private let delete: Statement
  private let insert: Statement
  private let select: Statement

  private enum Kind: String {
    case lap, activity
  }

  static let columns =
    [
      "kind", "event", "activity", "location", "label", "start_tick", "start_date", "start_is_requested", "end_tick",
      "end_date", "end_is_requested",
    ] + SummaryColumns.names

  init(_ connection: Connection) throws(StoreError) {
    let columns = Self.columns
    let session = "(SELECT number FROM session WHERE id = ?)"
    delete = try Statement(connection, "DELETE FROM workout_part WHERE session = \(session)")
    insert = try Statement(
      connection,
      """
      INSERT INTO workout_part (session, \(columns.joined(separator: ", ")))
      VALUES (\(session)\(String(repeating: ", ?", count: columns.count)))
      """)
    select = try Statement(
      connection,
      """
      SELECT boot, \(columns.map { "workout_part.\($0)" }.joined(separator: ", "))
      FROM workout_part JOIN workout USING (session)
      WHERE session = \(session) ORDER BY workout_part.start_tick, event
      """)
  }

  /// Writes a workout's laps and activities in place of those that were written before.
  func write(_ workout: FinishedWorkout) throws(StoreError) {
    let id = workout.id
    try delete.run([.text(id.description)], "writing the laps of \(id) anew")
    for lap in workout.laps {
      let interval = lap.interval
      try write(id, .lap, lap.number, nil, interval.label, interval.start, interval.end, lap.summary)
    }
    for activity in workout.activities {
      // Once the workout is finished no activity is under way.
      let (began, end) = (activity.began, activity.end ?? workout.end)
      try write(id, .activity, activity.number, began, began.label, began.start, end, activity.summary)
    }
  }

  private func write(
    _ id: SessionID, _ kind: Kind, _ number: Int64, _ activity: ActivityStart?, _ label: String?, _ start: DatedTick,
    _ end: DatedTick, _ summary: IntervalSummary
  ) throws(StoreError) {
    let names: [SQLValue] = [
      .text(id.description), .text(kind.rawValue), .integer(number), .optional(activity?.activity.rawValue),
      .optional(activity?.location.rawValue), .optional(label),
    ]
    try insert.run(
      names + .datedTick(start) + .datedTick(end) + SummaryColumns.values(summary), "writing \(kind) \(number) of \(id)"
    )
  }

  func parts(of id: SessionID, on axis: BootAxis) throws(StoreError) -> (
    laps: [FinishedWorkout.Lap], activities: [FinishedWorkout.Activity]
  ) {
    var laps: [FinishedWorkout.Lap] = []
    var activities: [FinishedWorkout.Activity] = []
    _ = try select.rows([.text(id.description)], "reading the laps of \(id)") { (row: inout Row) throws(StoreError) in
      switch try Self.part(&row, on: axis) {
      case .lap(let lap): laps.append(lap)
      case .activity(let activity): activities.append(activity)
      }
    }
    return (laps, activities)
  }

  enum Part {
    case lap(FinishedWorkout.Lap)
    case activity(FinishedWorkout.Activity)
  }

  /// Reads the boot of the ticks, and then `columns`.
  static func part(_ row: inout Row, on axis: BootAxis) throws(StoreError) -> Part {
    let boot = row.integer()
    let kind = try row.name(Kind.self)
    let number = row.integer()
    let activity = try row.optionalName(ActivityType.self)
    let location = try row.optionalName(LocationType.self)
    let label = row.optionalText()
    let start = try row.datedTick(of: boot, on: axis)
    let end = try row.datedTick(of: boot, on: axis)
    let summary = try row.intervalSummary(of: boot, on: axis)
    switch kind {
    case .lap:
      let interval = WorkoutInterval(start: start, end: end, label: label)
      return .lap(FinishedWorkout.Lap(number: number, interval: interval, summary: summary))
    case .activity:
      let began = ActivityStart(
        activity: activity ?? .other, location: location ?? .unknown, start: start, label: label)
      return .activity(FinishedWorkout.Activity(number: number, began: began, end: end, summary: summary))
    }
  }
}
