import CSQLite
import Glibc
import Measurements
import Workout

@testable import Store

/// A directory of its own for one test, with a store file in it.
final class TemporaryDirectory {
  let path: String
  var database: String { path + "/strapd.db" }

  init() throws {
    var template = Array("/tmp/strapd-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    do { try Child.run("rm", "-rf", path) } catch { print("left behind: \(path): \(error)") }
  }

  /// Opens the store in it; no sync happens within a test that does not ask for it.
  func open(
    bootID: String = "boot A", at now: Moment = .at(0), syncInterval: Duration = .seconds(3600),
    limits: Store.Limits = Store.Limits()
  ) throws -> Store {
    try Store(
      try LockFile(for: database), try Connection(path: database, busyTimeout: limits.openTimeout), bootID: bootID,
      at: now, syncInterval: syncInterval, limits: limits)
  }

  /// A copy of the files as they are, as a dead process or a copying person would have them.
  func copy() throws -> TemporaryDirectory {
    let copy = try TemporaryDirectory()
    // Not by reading them here: closing the database file in this process would drop SQLite's locks in it.
    try Child.run("cp", database, database + "-wal", copy.path)
    return copy
  }

  func raw() throws -> RawDatabase { try RawDatabase(database) }

  /// The size of the log in octets.
  func logSize() throws -> Int {
    var status = stat()
    guard stat(database + "-wal", &status) == 0 else { throw SystemError("stat") }
    return Int(status.st_size)
  }
}

/// The file as another program sees it.
final class RawDatabase {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    try check(sqlite3_open(path, &handle))
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit {
    sqlite3_close(handle)
  }

  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Rows of columns as text: NULL for nothing, x'…' for octets.
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      if code != SQLITE_ROW { try check(code) }
      rows.append((0..<sqlite3_column_count(statement)).map { Self.text(statement, $0) })
    }
  }

  private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return "NULL"
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      return "x'\(Hex.text(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))'"
    default: return String(cString: sqlite3_column_text(statement, column))
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw StoreError(operation: .read, code: code, text: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
