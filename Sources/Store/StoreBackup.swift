import CSQLite
import Workout

// A copy of the store, while it is in use.
extension Store {
  /// Begins a copy of the store, in place of one that was begun before.
  ///
  /// - Throws: with kind `full` where the copy would leave too little room; nothing is left of it.
  public func beginBackup() throws(StoreError) {
    endBackup()
    guard connection.isOpen else { throw StoreError(.backup, sqlite: SQLITE_MISUSE, "the store is closed") }
    backup = try Backup(of: connection, limits.backup)
  }

  /// Does the next step of the copy, which takes 2 ms at most on a small board. What is committed before the last page is
  /// copied is in it.
  ///
  /// - Throws: what keeps the copy from being finished; nothing is left of it. Also where none was begun, or this is not the
  ///   store any more of which it was.
  public func stepBackup() throws(StoreError) -> BackupStep {
    guard let backup else {
      throw StoreError(
        operation: .backup, code: SQLITE_ABORT, text: "another store has come in the place of the one copied")
    }
    do {
      return try backup.step()
    } catch {
      endBackup()
      throw error
    }
  }

  /// Ends the copy, finished or not; nothing of it has a name any more.
  public func endBackup() {
    if let remains = backup?.end() { self.remains.append(remains) }
    backup = nil
  }

  /// Whether the file system is to be given back what copies have taken.
  public var wantsClearing: Bool { !remains.isEmpty }

  /// Gives some of it back, in no more than 2 ms.
  public func clear() {
    if let last = remains.last, !last.shrink() { remains.removeLast() }
  }
}
