import CSQLite
import Measurements
import Workout

/// Deletes what has been in the trash for long enough, and finds what is old enough to go there; in steps, each of which
/// leaves a sound store.
///
/// A workout goes first, in one transaction with everything by which it could come back; what its session has left behind
/// follows some hundred rows at a time. A recording of which another workout is made stays until that goes.
struct Purge {
  private let transaction: Transactions
  private let stamp: Statement
  private let selectOver: Statement
  private let selectAged: Statement
  private let deletion: [Statement]
  private let selectLeft: Statement
  private let clearing: [Statement]
  private let forget: [Statement]

  /// How many rows of a session one step deletes.
  private static let rows = 200

  init(_ connection: Connection, _ transaction: Transactions) throws(StoreError) {
    self.transaction = transaction
    stamp = try Statement(
      connection,
      """
      UPDATE workout SET discarded_date = ?, discarded_is_sure = 1
      WHERE discarded_date IS NOT NULL AND discarded_is_sure = 0
      """)
    let numbered = "SELECT session.id, workout.session FROM workout JOIN session ON session.number = workout.session"
    selectOver = try Statement(
      connection,
      "\(numbered) WHERE discarded_date IS NOT NULL AND discarded_date <= ? ORDER BY workout.start_date LIMIT 1")
    selectAged = try Statement(
      connection,
      """
      \(numbered) WHERE discarded_date IS NULL AND workout.start_date < ? AND workout.end_date < ?
        AND is_provisional = 0 AND is_clock_sure = 1 AND is_restored = 0 ORDER BY workout.start_date LIMIT 1
      """)
    // What it is made of or once was; and what its edits took in, or made and took away again.
    let made = """
      SELECT ?1 UNION SELECT session FROM workout_slice WHERE workout = ?1
      UNION SELECT session FROM workout_slice_before WHERE workout = ?1
      UNION SELECT other.session FROM workout_before AS own JOIN workout_before AS other ON other.edit = own.edit
      WHERE own.session = ?1
      """
    // Something could still be put back that had to do with it.
    let needed = """
      SELECT session FROM workout UNION SELECT session FROM workout_slice
      UNION SELECT session FROM workout_slice_before JOIN workout_edit ON number = edit
        WHERE is_sealed = 0 AND undone_date IS NULL
      UNION SELECT session FROM workout_before JOIN workout_edit ON number = edit
        WHERE is_sealed = 0 AND undone_date IS NULL
      """
    let orphaned = """
      DELETE FROM workout_edit WHERE ?1 IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM workout_before WHERE edit = number)
      """
    deletion = [
      // Nothing is undone by which it would come back, or be in two: neither its edits, nor what was done before those to the
      // workouts that they are of as well. What was done to these since then is theirs alone.
      try Statement(
        connection,
        """
        WITH RECURSIVE sealed (edit) AS (
          SELECT edit FROM workout_before WHERE session = ?1
          UNION SELECT earlier.edit FROM sealed JOIN workout_edit ON number = sealed.edit AND undone_date IS NULL
            JOIN workout_before AS own ON own.edit = sealed.edit
            JOIN workout_before AS earlier ON earlier.session = own.session AND earlier.edit < own.edit)
        UPDATE workout_edit SET is_sealed = 1 WHERE number IN (SELECT edit FROM sealed)
        """),
      try Statement(connection, "INSERT OR IGNORE INTO purge (session) \(made)"),
      try Statement(connection, "DELETE FROM workout_slice_before WHERE workout = ?1"),
      try Statement(connection, "DELETE FROM workout_part_before WHERE session = ?1"),
      try Statement(connection, "DELETE FROM workout_before WHERE session = ?1"),
      try Statement(connection, orphaned),
      try Statement(connection, "DELETE FROM workout WHERE session = ?1"),
      try Statement(connection, "DELETE FROM purge WHERE ?1 IS NOT NULL AND session IN (\(needed))"),
    ]
    selectLeft = try Statement(connection, "SELECT session FROM purge LIMIT 1")
    clearing = try ["sample", "sample_piece", "event"].map { table throws(StoreError) in
      let key = table == "sample_piece" ? "first_sequence" : "sequence"
      return try Statement(
        connection,
        """
        DELETE FROM \(table) WHERE session = ?1 AND \(key) IN
          (SELECT \(key) FROM \(table) WHERE session = ?1 ORDER BY \(key) LIMIT \(Self.rows))
        """)
    }
    // Of its workout, as it was before an edit, nothing is left either; and its number is not given again.
    forget = try [
      "DELETE FROM workout_slice_before WHERE workout = ?1 OR session = ?1",
      "DELETE FROM workout_part_before WHERE session = ?1",
      "DELETE FROM workout_before WHERE session = ?1",
      orphaned,
      "DELETE FROM client_data WHERE session = ?1",
      "DELETE FROM anchor WHERE session = ?1",
      "DELETE FROM imported WHERE session = ?1",
      "DELETE FROM purge WHERE session = ?1",
      SessionTable.rememberingNumber,
      "DELETE FROM session WHERE number = ?1",
    ].map { sql throws(StoreError) in try Statement(connection, sql) }
  }

  /// - Parameters:
  ///   - now: nil where nobody knows how old anything is.
  ///   - retention: how old workouts become before they go to the trash; nil: as old as they like.
  func step(at now: WallTime?, retention: Duration?) throws(StoreError) -> PurgeStep {
    if let left = try selectLeft.rows([], "looking for what is left", { (row: inout Row) in row.integer() }).first {
      try clear(left)
      return .cleared
    }
    guard let now else { return .rest }
    try stamp.run([.integer(now.nanoseconds)], "dating the trash")
    let end = now.before(Discard.keeping)
    if let (id, number) = try first(selectOver, [.integer(end.nanoseconds)]) {
      try transaction.run { () throws(StoreError) in try delete(number) }
      return .deleted(id)
    }
    guard let retention else { return .rest }
    let oldest = SQLValue.integer(now.before(retention).nanoseconds)
    return try first(selectAged, [oldest, oldest]).map { .aged($0.id) } ?? .rest
  }

  /// Deletes the workout of a session, by its number; what that has left behind follows. To be run within a transaction.
  func delete(_ number: Int64) throws(StoreError) {
    for statement in deletion { try statement.run([.integer(number)], "deleting the workout of session \(number)") }
  }

  private func first(_ statement: Statement, _ values: [SQLValue]) throws(StoreError) -> (id: SessionID, Int64)? {
    try statement.rows(values, "looking for old workouts") { (row: inout Row) throws(StoreError) in
      (try row.sessionID(), row.integer())
    }.first
  }

  private func clear(_ session: Int64) throws(StoreError) {
    for statement in clearing where try statement.run([.integer(session)], "deleting what a workout has left") > 0 {
      return
    }
    try transaction.run { () throws(StoreError) in
      for statement in forget { try statement.run([.integer(session)], "deleting a workout's session") }
    }
  }
}

extension WallTime {
  fileprivate func before(_ span: Duration) -> WallTime { WallTime(nanoseconds: nanoseconds - span.wholeNanoseconds) }
}
