import CSQLite
import Glibc
import Measurements
import Workout

/// The one connection to the database file, for the loop's thread alone.
final class Connection {
  let path: String
  /// Frames in the write-ahead log after the last commit.
  private(set) var logFrames = 0
  private var handle: OpaquePointer?
  /// The last error of the system within the last call.
  private var systemError: Int32 = 0
  var lastSystemError: Int32 { systemError }

  /// Opens or creates the file.
  ///
  /// Nothing in the file is read or changed yet, so it may still turn out not to be a database.
  init(path: String, busyTimeout: Duration) throws(StoreError) {
    self.path = path
    // Without a mutex, because one thread uses it; with extended result codes from the first error on.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    let code = attempt { sqlite3_open_v2(path, &opened, flags, nil) }
    handle = opened
    guard code == SQLITE_OK else { throw error(.open, "opening", code: code) }
    wait(atMost: busyTimeout)
    // SQLite opens a file without write permission for reading only, and says so at the first write.
    guard sqlite3_db_readonly(handle, "main") == 0 else {
      throw StoreError(.open, sqlite: SQLITE_READONLY, "opening \(path): the file may not be written")
    }
  }

  /// Opens a file that is there, in which nothing is to be changed. It may be one that could be written: of a file that it
  /// opened for reading alone SQLite does not even know the CHECKs (sqlite3AddCheckConstraint in its build.c), and finds
  /// nothing that is against them. It is to be closed with `closeLeavingLog`.
  init(reading path: String, busyTimeout: Duration) throws(StoreError) {
    self.path = path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = attempt { sqlite3_open_v2(path, &opened, flags, nil) }
    handle = opened
    guard code == SQLITE_OK else { throw error(.open, "opening", code: code) }
    wait(atMost: busyTimeout)
    let settings = "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0;"
    try execute(settings, for: .open, "setting up")
  }

  deinit {
    close()
  }

  /// How long a lock of another program in the file is waited for from now on.
  func wait(atMost span: Duration) {
    sqlite3_busy_timeout(handle, Int32(clamping: span.wholeNanoseconds / 1_000_000))
  }

  /// Closes the file; the last one to close it also empties and removes the write-ahead log.
  func close() {
    guard let handle else { return }
    // A statement left open would keep the connection, and its locks, for ever.
    while let statement = sqlite3_next_stmt(handle, nil) { sqlite3_finalize(statement) }
    sqlite3_close(handle)
    self.handle = nil
  }

  /// Closes the file as it is: nothing is copied from the write-ahead log, and the log stays.
  func closeLeavingLog() {
    keepLog(true)
    close()
  }

  /// Whether closing a database, this one or one that is attached, leaves its write-ahead log as it is.
  func keepLog(_ isOn: Bool) {
    _ = strapd_sqlite3_keep_log(handle, isOn ? 1 : 0)
  }

  /// Whether the file that is open is not the one of its name any more: it was moved, removed, or another one put in its
  /// place.
  var hasMoved: Bool {
    guard let handle else { return false }
    var answer: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return answer != 0
  }

  /// Copies all of the database, the log with it, into another file, synced.
  func backUp(into other: Connection) throws(StoreError) {
    let backup = sqlite3_backup_init(other.handle, "main", handle, "main")
    let code = other.attempt { backup.map { sqlite3_backup_step($0, -1) } ?? sqlite3_errcode(other.handle) }
    let finished = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      throw other.error(.open, "copying \(path)", code: code == SQLITE_DONE ? finished : code)
    }
  }

  /// Begins to copy the database into another, empty file, which is to be written by nobody else until that is finished.
  func beginCopying(into other: Connection) throws(StoreError) -> PageCopy {
    guard let copy = sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw other.error(.backup, "copying \(path)", code: sqlite3_extended_errcode(other.handle))
    }
    return PageCopy(copy, of: self, into: other)
  }

  var isOpen: Bool { handle != nil }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Rows that the last INSERT or UPDATE has written.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs statements that need no values and give no rows.
  func execute(
    _ sql: String, for operation: StoreError.Operation, _ doing: @autoclosure () -> String
  ) throws(StoreError) {
    let code = attempt { sqlite3_exec(handle, sql, nil, nil, nil) }
    guard code == SQLITE_OK else { throw error(operation, doing(), code: code) }
  }

  /// The one number, text or nothing that a PRAGMA or SELECT answers; everything as text.
  func answer(to sql: String, for operation: StoreError.Operation) throws(StoreError) -> String {
    let rows = try Statement(self, sql, for: operation).rows([], for: operation, sql) { (row: inout Row) in row.text() }
    return rows.first ?? ""
  }

  func prepare(_ sql: String, for operation: StoreError.Operation) throws(StoreError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = attempt { sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) }
    guard code == SQLITE_OK, let statement else { throw error(operation, "preparing '\(sql)'", code: code) }
    return statement
  }

  /// Counts the frames of the log from now on. It takes the place of SQLite's own hook, which would checkpoint, and so
  /// sync, inside a COMMIT.
  func countLogFrames() {
    let count: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      (context, _, _, frames) in
      if let context { Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logFrames = Int(frames) }
      return SQLITE_OK
    }
    sqlite3_wal_hook(handle, count, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Copies from the log into the database what no reader holds back, waiting for nobody.
  func checkpoint() throws(StoreError) {
    let code = attempt { sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
    // Busy is another program's checkpoint, which does the same work.
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
      throw error(.checkpoint, "copying the log", code: code)
    }
  }

  /// Copies all of the log into the database and empties its file.
  ///
  /// - Returns: false where a reader needs what is in it; it is as it was then.
  func emptyLog() throws(StoreError) -> Bool {
    let code = attempt { sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
    if code & 0xFF == SQLITE_BUSY { return false }
    guard code == SQLITE_OK else { throw error(.checkpoint, "emptying the log", code: code) }
    logFrames = 0
    return true
  }

  /// Makes a call of SQLite and remembers what the system said meanwhile: sqlite3_system_errno is not set when it is the
  /// COMMIT that fails.
  func attempt(_ call: () -> Int32) -> Int32 {
    errno = 0
    let code = call()
    systemError = errno
    return code
  }

  /// The error of the last attempt, said of what was being done.
  func error(_ operation: StoreError.Operation, _ doing: String, code: Int32) -> StoreError {
    let said = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    return StoreError(operation, sqlite: code, systemError: systemError, "\(doing), \(path): \(said)")
  }
}
