import CSQLite
import TestSupport

/// The daemon's file as any other program sees it.
final class Database {
  private var connection: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
      throw TestSupportError("cannot open \(path)")
    }
    // A daemon that has just begun looks through the log first.
    sqlite3_busy_timeout(connection, 5_000)
  }

  deinit {
    sqlite3_close(connection)
  }

  /// Changes a file that no daemon has open.
  static func execute(_ sql: String, in path: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw TestSupportError("\(sql): \(String(cString: sqlite3_errmsg(connection)))") }
  }

  /// The first row, its values as numbers; `parameter` is bound to the first parameter.
  func row(_ sql: String, _ parameter: String?) throws -> [Double] {
    try rows(sql, parameter).first ?? []
  }

  /// The first value of each row.
  func column(_ sql: String) throws -> [Double] {
    try rows(sql, nil).map { $0[0] }
  }

  /// The second value of each row by the first.
  func numbers(_ sql: String, _ parameter: String) throws -> [Int64: Int64] {
    let rows = try rows(sql, parameter) { sqlite3_column_int64($0, $1) }
    return Dictionary(rows.map { ($0[0], $0[1]) }) { $1 }
  }

  /// The first value of each row as a text; `parameter` is bound to the first parameter.
  func texts(_ sql: String, _ parameter: String?) throws -> [String] {
    try rows(sql, parameter) { sqlite3_column_text($0, $1).map { String(cString: $0) } ?? "" }.map { $0[0] }
  }

  private func rows(_ sql: String, _ parameter: String?) throws -> [[Double]] {
    try rows(sql, parameter) { sqlite3_column_double($0, $1) }
  }

  private func rows<Value>(_ sql: String, _ parameter: String?, _ value: (OpaquePointer?, Int32) -> Value) throws
    -> [[Value]]
  {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      throw TestSupportError(String(cString: sqlite3_errmsg(connection)))
    }
    defer { sqlite3_finalize(statement) }
    if let parameter {
      sqlite3_bind_text(statement, 1, parameter, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
    var rows: [[Value]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
    }
    return rows
  }
}

/// Another program that writes to the daemon's file and does not come to an end.
final class ForeignWriter {
  private var connection: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw TestSupportError("cannot open \(path)")
    }
    sqlite3_busy_timeout(connection, 5_000)
    guard sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK else {
      throw TestSupportError("BEGIN IMMEDIATE: \(String(cString: sqlite3_errmsg(connection)))")
    }
  }

  /// Lets others write again.
  func end() {
    sqlite3_close(connection)
    connection = nil
  }

  deinit {
    sqlite3_close(connection)
  }
}

/// A workout's statistics from its stored samples and events alone: each counted value holds until the next one, at
/// most ten seconds, and is cut by a pause, lost contact, a lost link and the end.
enum StatisticsSQL {
  /// Count, average, covered nanoseconds, elapsed nanoseconds.
  static let text = """
    WITH own AS (SELECT number FROM session WHERE id = ?1),
    happened AS (
      SELECT tick, sequence, 'sample' AS kind, heart_rate, contact, 0 AS runs
      FROM sample WHERE session = (SELECT number FROM own)
      UNION ALL
      SELECT coalesce(about_tick, tick), sequence, kind, NULL, NULL, (to_state IS 'running') - (from_state IS 'running')
      FROM event WHERE session = (SELECT number FROM own)
        AND (kind IN ('linkLost', 'recovered') OR to_state IN ('running', 'paused', 'stopped'))
    ),
    counted AS (SELECT *, sum(runs) OVER (ORDER BY tick, sequence) AS is_running FROM happened),
    relevant AS (
      SELECT *,
        kind = 'sample' AND is_running AND heart_rate > 0 AND contact <> 'notDetected' AS counts,
        kind <> 'sample' OR (is_running AND contact = 'notDetected') AS cuts
      FROM counted
    ),
    held AS (
      SELECT *, min(lead(tick) OVER (ORDER BY tick, sequence) - tick, 10000000000) AS span
      FROM relevant WHERE counts OR cuts
    )
    SELECT
      (SELECT count(*) FROM held WHERE counts),
      (SELECT sum(heart_rate * span) * 1.0 / sum(span) FROM held WHERE counts),
      (SELECT sum(span) FROM held WHERE counts),
      (SELECT sum(span) FROM (
        SELECT is_running, lead(tick) OVER (ORDER BY tick, sequence) - tick AS span FROM counted
      ) WHERE is_running)
    """
}
