import Measurements
import Workout

/// Table `workout_slice`: what trimmed, split and merged workouts are made of.
struct WorkoutSliceTable {
  private let delete: Statement
  private let insert: Statement
  private let select: Statement
  private let selectBoots: Statement

  static let columns = [
    "place", "session", "start_boot", "start_tick", "start_date", "start_is_requested", "end_boot", "end_tick",
    "end_date", "end_is_requested", "unsure_boot",
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
      SELECT session.id, \(Self.columns.dropFirst(2).dropLast().map { "workout_slice.\($0)" }.joined(separator: ", "))
      FROM workout_slice JOIN session ON session.number = workout_slice.session
      WHERE workout = \(number) ORDER BY place
      """)
    // Later anchors tell of no more than that its row was written.
    selectBoots = try Statement(
      connection,
      """
      WITH own AS (SELECT number, start_boot, end_boot FROM session WHERE id = ?)
      SELECT start_boot FROM own WHERE start_boot IS NOT NULL UNION SELECT end_boot FROM own WHERE end_boot IS NOT NULL
      UNION SELECT boot FROM own JOIN anchor ON anchor.session = own.number WHERE boot <= coalesce(end_boot, boot)
      """)
  }

  /// Writes a workout's slices in place of those that were written before.
  func write(_ workout: FinishedWorkout, on axis: BootAxis) throws(StoreError) {
    let id = SQLValue.text(workout.id.description)
    try delete.run([id], "writing what workout \(workout.id) is made of anew")
    for (place, slice) in zip(Int64(1)..., workout.slices) {
      let boots = try boots(of: slice.session)
      try insert.run(
        [id, .integer(place), .text(slice.session.description)]
          + SQLValue.moment(slice.start, at: axis.place(slice.start.tick, among: boots))
          + SQLValue.moment(slice.end, at: axis.place(slice.end.tick, among: boots)) + [.null],
        "writing what workout \(workout.id) is made of")
    }
  }

  func slices(of id: SessionID, on axis: BootAxis) throws(StoreError) -> [WorkoutSlice] {
    try select.rows([.text(id.description)], "reading what workout \(id) is made of") {
      (row: inout Row) throws(StoreError) in
      let session = try row.sessionID()
      let start = try row.datedTick(on: axis)
      let end = try row.datedTick(on: axis)
      guard end.tick >= start.tick else {
        throw row.unreadable("workout \(id) is made of a stretch of session \(session) that ends before it begins")
      }
      return WorkoutSlice(session: session, start: start, end: end)
    }
  }

  /// The boots that a recording lived in.
  func boots(of session: SessionID) throws(StoreError) -> [Int64] {
    try selectBoots.rows([.text(session.description)], "reading the boots of session \(session)") {
      (row: inout Row) in row.integer()
    }
  }
}
