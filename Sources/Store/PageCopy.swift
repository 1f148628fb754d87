import CSQLite
import Workout

/// A database on its way into another file, some pages at a time.
///
/// What the connection writes meanwhile goes into the pages that are copied already as well, since SQLite knows of both;
/// only another program's commit makes it begin anew.
final class PageCopy {
  private let target: Connection
  private let path: String
  private var handle: OpaquePointer?

  init(_ handle: OpaquePointer, of source: Connection, into target: Connection) {
    (self.handle, path, self.target) = (handle, source.path, target)
  }

  deinit {
    if let handle { sqlite3_backup_finish(handle) }
  }

  /// Copies the next pages.
  ///
  /// - Returns: how many are left of how many; none when it is done, and `finish` is due.
  func step(pages: Int32) throws(StoreError) -> (left: Int, all: Int) {
    let code = target.attempt { sqlite3_backup_step(handle, pages) }
    guard code == SQLITE_OK || code == SQLITE_DONE else { throw error(code) }
    let left = Int(sqlite3_backup_remaining(handle))
    // Before the last page is written out there is always one left.
    return (code == SQLITE_DONE ? 0 : max(left, 1), Int(sqlite3_backup_pagecount(handle)))
  }

  /// Lets go of both databases; one that is not done leaves a file of no use.
  func finish() throws(StoreError) {
    guard let handle else { return }
    self.handle = nil
    let code = target.attempt { sqlite3_backup_finish(handle) }
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> StoreError {
    // Its text is not always the target's last one: what fails in a commit of the source is told by the next step.
    let said = String(cString: sqlite3_errstr(code))
    return StoreError(
      .backup, sqlite: code, systemError: target.lastSystemError, "copying \(path) to \(target.path): \(said)")
  }
}
