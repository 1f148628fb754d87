import Workout

/// BEGIN, COMMIT and ROLLBACK, prepared.
struct Transactions {
  private let connection: Connection
  private let begin: Statement
  private let commit: Statement
  private let rollback: Statement

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    // At once for writing, so that another writer is met, and waited for, here and not in the middle.
    begin = try Statement(connection, "BEGIN IMMEDIATE")
    commit = try Statement(connection, "COMMIT")
    rollback = try Statement(connection, "ROLLBACK")
  }

  /// Runs the body as one transaction: all of it or nothing.
  func run(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try begin.run([], "beginning a transaction")
    do {
      try body()
      try commit.run([], "committing")
    } catch {
      // A full disk or an I/O error may have rolled it back already.
      if connection.isInTransaction { try rollback.run([], "undoing a transaction after: \(error)") }
      throw error
    }
  }
}
