import Measurements
import Workout

/// Table `workout_edit`, and those that keep workouts as they were before an edit.
struct WorkoutEditTable {
  private let insert: Statement
  private let keep: [Statement]
  private let keepAbsence: Statement
  private let undone: Statement
  private let remove: Statement
  private let bringBack: [Statement]
  private let selectWorkouts: Statement
  private let selectEdits: Statement
  private let selectBefore: Statement
  private let selectObstacle: Statement

  /// The tables whose rows make a workout, with the column that says which, and the others.
  private static let tables: [(name: String, key: String, columns: [String])] = [
    ("workout", "session", WorkoutTable.columns),
    ("workout_part", "session", WorkoutPartTable.columns),
    ("workout_slice", "workout", WorkoutSliceTable.columns),
  ]

  init(_ connection: Connection) throws(StoreError) {
    let number = "(SELECT number FROM session WHERE id = ?2)"
    insert = try Statement(
      connection,
      "INSERT INTO workout_edit (number, kind, date) VALUES (?, ?, ?) ON CONFLICT (number) DO NOTHING")
    var keep: [Statement] = []
    var bringBack: [Statement] = []
    for (name, key, columns) in Self.tables {
      let list = ([key] + columns).joined(separator: ", ")
      let (mark, one) = name == "workout" ? ("existed, ", "1, ") : ("", "")
      keep.append(
        try Statement(
          connection,
          "INSERT INTO \(name)_before (edit, \(mark)\(list)) SELECT ?1, \(one)\(list) FROM \(name) WHERE \(key) = \(number)"
        ))
      let existed = name == "workout" ? " AND existed = 1" : ""
      bringBack.append(
        try Statement(
          connection,
          "INSERT INTO \(name) (\(list)) SELECT \(list) FROM \(name)_before WHERE edit = ?1 AND \(key) = \(number)\(existed)"
        ))
    }
    (self.keep, self.bringBack) = (keep, bringBack)
    keepAbsence = try Statement(
      connection,
      "INSERT INTO workout_before (edit, session, existed) VALUES (?1, \(number), 0) ON CONFLICT DO NOTHING")
    undone = try Statement(
      connection, "UPDATE workout_edit SET undone_date = ?2 WHERE number = ?1 AND undone_date IS NULL")
    remove = try Statement(
      connection, "DELETE FROM workout WHERE session = (SELECT number FROM session WHERE id = ?)")
    selectWorkouts = try Statement(
      connection,
      "SELECT id FROM workout_before JOIN session ON session.number = workout_before.session WHERE edit = ? ORDER BY id"
    )
    selectEdits = try Statement(
      connection,
      """
      SELECT workout_edit.number, kind, date, undone_date, is_sealed
      FROM workout_before JOIN workout_edit ON workout_edit.number = edit
      WHERE session = (SELECT number FROM session WHERE id = ?) ORDER BY edit
      """)
    selectBefore = try Statement(
      connection,
      """
      SELECT \(WorkoutTable.columns.joined(separator: ", ")) FROM workout_before
      WHERE edit = ?1 AND session = \(number) AND existed = 1
      """)
    selectObstacle = try Statement(
      connection,
      """
      SELECT id FROM workout_before AS own
        JOIN workout_before AS later ON later.session = own.session AND later.edit > own.edit
        JOIN workout_edit ON workout_edit.number = later.edit AND undone_date IS NULL
        JOIN session ON session.number = own.session
      WHERE own.edit = ? ORDER BY later.edit DESC LIMIT 1
      """)
  }

  /// Keeps the edit's workouts as they are, before they are changed. To be run within a transaction.
  func write(_ edit: WorkoutEdit) throws(StoreError) {
    let number = SQLValue.integer(edit.number)
    let isNew = try insert.run(
      [number, .text(edit.kind.rawValue), .integer(edit.date.nanoseconds)], "writing edit \(edit.number)")
    // Committed once more, its workouts are not what they were before it.
    guard isNew > 0 else { return }
    for id in edit.changes.map(\.workout) {
      for statement in keep {
        try statement.run([number, .text(id.description)], "keeping workout \(id) as it is")
      }
      try keepAbsence.run([number, .text(id.description)], "keeping that there was no workout \(id)")
    }
  }

  /// Puts the workouts of an edit back as they were. To be run within a transaction.
  func undo(_ number: Int64, at date: WallTime) throws(StoreError) {
    let isNew = try undone.run([.integer(number), .integer(date.nanoseconds)], "undoing edit \(number)")
    guard isNew > 0 else { return }
    for id in try workouts(of: number) {
      try remove.run([.text(id.description)], "taking workout \(id) back")
      for statement in bringBack {
        try statement.run([.integer(number), .text(id.description)], "putting workout \(id) back")
      }
    }
  }

  /// The edits that a workout was part of, oldest first.
  func edits(of id: SessionID, on axis: BootAxis) throws(StoreError) -> [WorkoutEditRecord] {
    let found = try selectEdits.rows([.text(id.description)], "reading the edits of \(id)") {
      (row: inout Row) throws(StoreError) in
      let number = row.integer()
      let kind = try row.name(WorkoutEdit.Kind.self)
      let date = WallTime(nanoseconds: row.integer())
      var edit = WorkoutEditRecord(
        number: number, kind: kind, date: date, undone: row.optionalInteger().map { WallTime(nanoseconds: $0) },
        workouts: [])
      edit.isSealed = row.flag()
      return edit
    }
    return try found.map { edit throws(StoreError) in
      var edit = edit
      edit.workouts = try workouts(of: edit.number)
      edit.before = try before(edit.number, id, on: axis)
      return edit
    }
  }

  /// What undoing the last edit of a workout would do; nil where there is none that is not undone.
  func undo(of id: SessionID, on axis: BootAxis) throws(StoreError) -> WorkoutUndo? {
    guard let edit = try edits(of: id, on: axis).last(where: { $0.undone == nil }), !edit.isSealed else { return nil }
    let obstacle = try selectObstacle.rows([.integer(edit.number)], "looking for later edits") {
      (row: inout Row) throws(StoreError) in try row.sessionID()
    }.first
    let workouts = try edit.workouts.map { other throws(StoreError) in try before(edit.number, other, on: axis) }
    return WorkoutUndo(edit: edit, workouts: workouts.compactMap { $0 }, obstacle: obstacle)
  }

  private func workouts(of number: Int64) throws(StoreError) -> [SessionID] {
    try selectWorkouts.rows([.integer(number)], "reading the workouts of edit \(number)") {
      (row: inout Row) throws(StoreError) in try row.sessionID()
    }
  }

  private func before(_ number: Int64, _ id: SessionID, on axis: BootAxis) throws(StoreError) -> FinishedWorkout? {
    try selectBefore.rows([.integer(number), .text(id.description)], "reading workout \(id) as it was") {
      (row: inout Row) throws(StoreError) in try WorkoutTable.workout(id, &row, on: axis)
    }.first
  }
}
