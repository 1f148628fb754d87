import Measurements
import Workout

/// Table `imported`: sessions that were recorded elsewhere, and what came with them.
///
/// The rows of one that is coming in are written as a live session's are. Until all of it is there it has no workout and
/// is seen by nobody; what is left of one that never came to its end is cleared away as a deleted workout's recording is.
struct ImportTable {
  private let transaction: Transactions
  private let begin: Statement
  private let finish: [Statement]
  private let abort: [Statement]
  private let abortOpen: [Statement]
  private let select: Statement
  private let selectOpen: Statement
  private let selectNumber: Statement
  private let takeOver: [Statement]
  private let rename: [Statement]

  init(_ connection: Connection, _ transaction: Transactions) throws(StoreError) {
    self.transaction = transaction
    let number = "(SELECT number FROM session WHERE id = ?1)"
    begin = try Statement(
      connection, "INSERT INTO imported (session, format, date, details, is_open) VALUES (\(number), ?, ?, ?, 1)")
    // Its dates are those of its file, whatever the clock is set to.
    finish = [
      try Statement(connection, "UPDATE imported SET is_open = 0 WHERE session = \(number)"),
      try Statement(connection, "UPDATE workout SET is_clock_sure = 1 WHERE session = \(number)"),
    ]
    // Another import may bring the same workout before the rows are cleared away: the id is free at once.
    let id = """
      lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
      """
    func aborting(_ which: String) throws(StoreError) -> [Statement] {
      [
        try Statement(connection, "INSERT OR IGNORE INTO purge (session) SELECT session FROM imported WHERE \(which)"),
        try Statement(
          connection, "UPDATE session SET id = \(id) WHERE number IN (SELECT session FROM imported WHERE \(which))"),
        try Statement(connection, "DELETE FROM imported WHERE \(which)"),
      ]
    }
    abortOpen = try aborting("is_open = 1")
    abort = try aborting("is_open = 1 AND session = ?1")
    selectNumber = try Statement(connection, "SELECT number FROM session WHERE id = ?1")
    // What somebody has done with the old one that is no edit of it.
    takeOver = [
      try Statement(
        connection,
        """
        UPDATE client_data SET session = ?2
        WHERE session = ?1 AND NOT EXISTS (SELECT 1 FROM client_data WHERE session = ?2)
        """),
      try Statement(
        connection,
        "UPDATE workout SET is_restored = (SELECT is_restored FROM workout WHERE session = ?1) WHERE session = ?2"),
    ]
    rename = [
      try Statement(connection, "UPDATE session SET id = \(id) WHERE number = ?1 AND ?2 IS NOT NULL"),
      try Statement(connection, "UPDATE session SET id = ?2 WHERE number = ?1"),
    ]
    selectOpen = try Statement(
      connection, "SELECT session FROM imported WHERE is_open = 1 AND session = \(number)")
    select = try Statement(
      connection, "SELECT format, date, details FROM imported WHERE is_open = 0 AND session = \(number)")
  }

  func begin(_ id: SessionID, _ origin: WorkoutOrigin) throws(StoreError) {
    let values: [SQLValue] = [
      .text(id.description), .text(origin.format), .integer(origin.date.nanoseconds), .text(origin.details),
    ]
    try begin.run(values, "beginning the import of \(id)")
  }

  func finish(_ id: SessionID) throws(StoreError) {
    for statement in finish { try statement.run([.text(id.description)], "finishing the import of \(id)") }
  }

  /// To be run within a transaction.
  func abort(_ id: SessionID) throws(StoreError) {
    guard let number = try open(id) else { return }
    for statement in abort { try statement.run([.integer(number)], "taking back the import of \(id)") }
  }

  /// Takes back what a life of the daemon has left.
  func abortAll() throws(StoreError) {
    try transaction.run { () throws(StoreError) in
      for statement in abortOpen { try statement.run([], "taking back imports that came to no end") }
    }
  }

  /// Gives a workout the id of one that it takes the place of. To be run within a transaction, with the old one still there.
  ///
  /// - Parameter delete: deletes the workout of a session, by its number.
  func replace(
    _ old: SessionID, by new: SessionID, delete: (Int64) throws(StoreError) -> Void
  ) throws(StoreError) {
    let doing = "putting the import \(new) in the place of \(old)"
    guard let number = try self.number(new) else { return }
    if let other = try self.number(old) {
      let both: [SQLValue] = [.integer(other), .integer(number)]
      for statement in takeOver { try statement.run(both, doing) }
      try delete(other)
      try rename[0].run(both, doing)
    }
    try rename[1].run([.integer(number), .text(old.description)], doing)
  }

  private func number(_ id: SessionID) throws(StoreError) -> Int64? {
    try selectNumber.rows([.text(id.description)], "looking for \(id)") { (row: inout Row) in row.integer() }.first
  }

  func isOpen(_ id: SessionID) throws(StoreError) -> Bool { try open(id) != nil }

  func origin(of id: SessionID) throws(StoreError) -> WorkoutOrigin? {
    try select.rows([.text(id.description)], "reading where \(id) was recorded") { (row: inout Row) in
      let format = row.text()
      let date = WallTime(nanoseconds: row.integer())
      return WorkoutOrigin(format: format, date: date, details: row.text())
    }.first
  }

  private func open(_ id: SessionID) throws(StoreError) -> Int64? {
    try selectOpen.rows([.text(id.description)], "reading whether \(id) is coming in") { (row: inout Row) in
      row.integer()
    }.first
  }
}
