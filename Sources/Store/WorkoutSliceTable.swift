import Measurements
import Workout

/// Table `workout_slice`: what trimmed, split and merged workouts are made of.
struct WorkoutSliceTable {
  private let delete: Statement
  private let insert: Statement
  private let select: Statement

  static let columns = [
    "place", "session", "start_boot", "start_tick", "start_date", "start_is_requested", "end_boot", "end_tick",
    "end_date", "end_is_requested",
  ]

  init(_ connection: Connection) throws(StoreError) {
    let number = "(SELECT number FROM session WHERE id = ?)"
    delete = try Statement(connection, "DELETE FROM workout_slice WHERE workout = \(number)")
    insert = try Statement(
      connection,
      """
      INSERT INTO workout_slice (workout, \(Self.columns.joined(separator: ", ")))
      VALUES (\(number), ?, \(number)\(String(repeating: ", ?", count: Self.columns.count - 2)))
      """)
    select = try Statement(
      connection,
      """
      SELECT session.id, \(Self.columns.dropFirst(2).map { "workout_slice.\($0)" }.joined(separator: ", "))
      FROM workout_slice JOIN session ON session.number = workout_slice.session
      WHERE workout = \(number) ORDER BY place
      """)
  }

  /// Writes a workout's slices in place of those that were written before.
  func write(_ workout: FinishedWorkout, on axis: BootAxis) throws(StoreError) {
    let id = SQLValue.text(workout.id.description)
    try delete.run([id], "writing what workout \(workout.id) is made of anew")
    for (place, slice) in zip(Int64(1)..., workout.slices) {
      try insert.run(
        [id, .integer(place), .text(slice.session.description)] + SQLValue.moment(slice.start, on: axis)
          + SQLValue.moment(slice.end, on: axis),
        "writing what workout \(workout.id) is made of")
    }
  }

  func slices(of id: SessionID, on axis: BootAxis) throws(StoreError) -> [WorkoutSlice] {
    try select.rows([.text(id.description)], "reading what workout \(id) is made of") {
      (row: inout Row) throws(StoreError) in
      let session = try row.sessionID()
      let start = try row.datedTick(on: axis)
      return WorkoutSlice(session: session, start: start, end: try row.datedTick(on: axis))
    }
  }
}
