import Measurements
import Workout

/// Table `workout_edit`, and those that keep workouts as they were before an edit.
struct WorkoutEditTable {
  private let insert: Statement
  private let keep: [Statement]
  private let keepAbsence: Statement
  private let undone: Statement
  private let remove: Statement
  private let clear: [Statement]
  private let bringBack: [Statement]
  private let selectRestored: Statement
  private let markRestored: Statement
  private let selectWorkouts: Statement
  private let selectEdits: Statement
  private let selectStanding: Statement
  private let selectNext: Statement
  private let selectMerge: Statement
  private let selectBefore: Statement
  private let selectObstacle: Statement

  /// The tables whose rows make a workout, with the column that says which, and the others. Whether a workout is in the trash
  /// is no matter of an edit: it stays so, or comes back, whatever is changed and undone meanwhile.
  private static let tables: [(name: String, key: String, columns: [String])] = [
    ("workout", "session", WorkoutTable.columns.filter { !WorkoutTable.isOfTheTrash($0) }),
    ("workout_part", "session", WorkoutPartTable.columns),
    ("workout_slice", "workout", WorkoutSliceTable.columns),
  ]

  init(_ connection: Connection) throws(StoreError) {
    let number = "(SELECT number FROM session WHERE id = ?2)"
    insert = try Statement(
      connection,
      "INSERT INTO workout_edit (number, kind, date) VALUES (?, ?, ?) ON CONFLICT (number) DO NOTHING")
    var keep: [Statement] = []
    var clear: [Statement] = []
    var bringBack: [Statement] = []
    for (name, key, columns) in Self.tables {
      let list = ([key] + columns).joined(separator: ", ")
      let isWorkout = name == "workout"
      let (mark, one) = isWorkout ? ("existed, ", "1, ") : ("", "")
      keep.append(
        try Statement(
          connection,
          "INSERT INTO \(name)_before (edit, \(mark)\(list)) SELECT ?1, \(one)\(list) FROM \(name) WHERE \(key) = \(number)"
        ))
      let renewal = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      let existed = isWorkout ? " AND existed = 1 ON CONFLICT (session) DO UPDATE SET \(renewal)" : ""
      bringBack.append(
        try Statement(
          connection,
          "INSERT INTO \(name) (\(list)) SELECT \(list) FROM \(name)_before WHERE edit = ?1 AND \(key) = \(number)\(existed)"
        ))
      if isWorkout { continue }
      clear.append(
        try Statement(connection, "DELETE FROM \(name) WHERE \(key) = (SELECT number FROM session WHERE id = ?)"))
    }
    (self.keep, self.clear, self.bringBack) = (keep, clear, bringBack)
    keepAbsence = try Statement(
      connection,
      "INSERT INTO workout_before (edit, session, existed) VALUES (?1, \(number), 0) ON CONFLICT DO NOTHING")
    undone = try Statement(
      connection, "UPDATE workout_edit SET undone_date = ?2 WHERE number = ?1 AND undone_date IS NULL")
    remove = try Statement(
      connection,
      """
      DELETE FROM workout WHERE session = \(number)
        AND NOT EXISTS (SELECT 1 FROM workout_before AS old WHERE edit = ?1 AND old.session = workout.session AND existed = 1)
      """)
    selectRestored = try Statement(
      connection, "SELECT 1 FROM workout_before JOIN workout USING (session) WHERE edit = ? AND is_restored = 1 LIMIT 1"
    )
    markRestored = try Statement(
      connection,
      "UPDATE workout SET is_restored = 1 WHERE session IN (SELECT session FROM workout_before WHERE edit = ?)")
    selectWorkouts = try Statement(
      connection,
      "SELECT id FROM workout_before JOIN session ON session.number = workout_before.session WHERE edit = ? ORDER BY id"
    )
    let edits = """
      SELECT workout_edit.number, kind, date, undone_date, is_sealed
      FROM workout_before JOIN workout_edit ON workout_edit.number = edit
      WHERE session = (SELECT number FROM session WHERE id = ?1)
      """
    selectEdits = try Statement(connection, "\(edits) ORDER BY edit LIMIT ?2 OFFSET ?3")
    selectStanding = try Statement(connection, "\(edits) AND undone_date IS NULL ORDER BY edit DESC LIMIT 1")
    selectNext = try Statement(connection, "\(edits) AND undone_date IS NULL AND edit > ?2 ORDER BY edit LIMIT 1")
    selectMerge = try Statement(
      connection, "\(edits) AND undone_date IS NULL AND kind = 'merge' ORDER BY edit DESC LIMIT 1")
    selectBefore = try Statement(
      connection,
      """
      SELECT \(WorkoutTable.columns.map { WorkoutTable.isOfTheTrash($0) ? "NULL" : $0 }.joined(separator: ", "))
      FROM workout_before
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

  /// Whether one of the workouts of an edit was taken out of the trash.
  func isOfRestored(_ number: Int64) throws(StoreError) -> Bool {
    try !selectRestored.rows([.integer(number)], "looking for what was in the trash") { (row: inout Row) in
      row.integer()
    }
    .isEmpty
  }

  /// Age sends none of the workouts of an edit to the trash. To be run within a transaction.
  func markRestored(_ number: Int64) throws(StoreError) {
    try markRestored.run([.integer(number)], "keeping workouts out of the trash")
  }

  /// Puts the workouts of an edit back as they were. To be run within a transaction.
  func undo(_ number: Int64, at date: WallTime) throws(StoreError) {
    let isNew = try undone.run([.integer(number), .integer(date.nanoseconds)], "undoing edit \(number)")
    guard isNew > 0 else { return }
    let isRestored = try isOfRestored(number)
    for id in try workouts(of: number) {
      try remove.run([.integer(number), .text(id.description)], "taking workout \(id) back")
      for statement in clear { try statement.run([.text(id.description)], "taking back what workout \(id) is made of") }
      for statement in bringBack {
        try statement.run([.integer(number), .text(id.description)], "putting workout \(id) back")
      }
    }
    if isRestored { try markRestored(number) }
  }

  /// Of the edits that a workout was part of, oldest first, those from a place on: at most `limit`, and no more behind the
  /// one with which they come to `octets`.
  func edits(
    of id: SessionID, from place: Int, limit: Int, octets: Int, on axis: BootAxis
  ) throws(StoreError) -> [WorkoutEditRecord] {
    let values: [SQLValue] = [.text(id.description), .integer(Int64(limit)), .integer(Int64(place))]
    var edits: [WorkoutEditRecord] = []
    var sum = 0
    for var edit in try read(selectEdits, values, id) where sum < octets {
      edit.workouts = try workouts(of: edit.number)
      edit.before = try before(edit.number, id, on: axis)
      sum += edit.octets
      edits.append(edit)
    }
    return edits
  }

  /// The last edit of a workout that is not undone.
  private func standing(_ id: SessionID) throws(StoreError) -> WorkoutEditRecord? {
    try read(selectStanding, [.text(id.description)], id).first
  }

  /// Whether one stands.
  func isEdited(_ id: SessionID) throws(StoreError) -> Bool { try standing(id) != nil }

  /// Whether that stays for good.
  func isSealed(_ id: SessionID) throws(StoreError) -> Bool { try standing(id)?.isSealed ?? false }

  func hasEdit(of id: SessionID, at place: Int) throws(StoreError) -> Bool {
    try !read(selectEdits, [.text(id.description), .integer(1), .integer(Int64(place))], id).isEmpty
  }

  /// The workout as the next edit that stands found it; `edit` is nil where there is none.
  func next(
    after number: Int64, of id: SessionID, on axis: BootAxis
  ) throws(StoreError) -> (edit: Int64?, workout: FinishedWorkout?) {
    guard let next = try read(selectNext, [.text(id.description), .integer(number)], id).first else {
      return (nil, nil)
    }
    return (next.number, try before(next.number, id, on: axis))
  }

  /// The workout that the last merge that stands has made of this one and itself.
  func merged(_ id: SessionID) throws(StoreError) -> SessionID? {
    guard let merge = try read(selectMerge, [.text(id.description)], id).first else { return nil }
    return try workouts(of: merge.number).first { $0 != id }
  }

  /// What undoing the last edit of a workout would do; nil where there is none that is not undone.
  func undo(of id: SessionID, on axis: BootAxis) throws(StoreError) -> WorkoutUndo? {
    guard var edit = try standing(id), !edit.isSealed else { return nil }
    edit.workouts = try workouts(of: edit.number)
    edit.before = try before(edit.number, id, on: axis)
    let obstacle = try selectObstacle.rows([.integer(edit.number)], "looking for later edits") {
      (row: inout Row) throws(StoreError) in try row.sessionID()
    }.first
    let workouts = try edit.workouts.map { other throws(StoreError) in try before(edit.number, other, on: axis) }
    return WorkoutUndo(edit: edit, workouts: workouts.compactMap { $0 }, obstacle: obstacle)
  }

  /// Edits without what they are about.
  private func read(
    _ statement: Statement, _ values: [SQLValue], _ id: SessionID
  ) throws(StoreError) -> [WorkoutEditRecord] {
    try statement.rows(values, "reading the edits of \(id)") { (row: inout Row) throws(StoreError) in
      let number = row.integer()
      let kind = try row.name(WorkoutEdit.Kind.self)
      let date = WallTime(nanoseconds: row.integer())
      let undone = row.optionalInteger().map { WallTime(nanoseconds: $0) }
      var edit = WorkoutEditRecord(number: number, kind: kind, date: date, undone: undone, workouts: [])
      edit.isSealed = row.flag()
      return edit
    }
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

extension WorkoutEditRecord {
  /// About as many as it has on the wire, where the workout stands as it was before and after.
  fileprivate var octets: Int { 2 * (1000 + (before?.notes?.utf8.count ?? 0)) }
}
