import CSQLite
import Workout

/// A prepared statement, kept for as long as the connection.
///
/// After each run, good or bad, it is reset: a statement left in the middle would hold a read transaction open, and with
/// it the log, and would fail the next COMMIT.
final class Statement {
  private let connection: Connection
  private let handle: OpaquePointer

  init(_ connection: Connection, _ sql: String, for operation: StoreError.Operation = .open) throws(StoreError) {
    self.connection = connection
    handle = try connection.prepare(sql, for: operation)
  }

  deinit {
    if connection.isOpen { sqlite3_finalize(handle) }
  }

  /// Runs it for its effect.
  ///
  /// - Returns: the rows written.
  @discardableResult
  func run(
    _ values: [SQLValue], for operation: StoreError.Operation = .commit, _ doing: @autoclosure () -> String
  ) throws(StoreError) -> Int {
    try bind(values, for: operation, doing())
    defer { reset() }
    let code = connection.attempt { sqlite3_step(handle) }
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw connection.error(operation, doing(), code: code) }
    return connection.changes
  }

  /// Runs it and reads each row.
  func rows<Value>(
    _ values: [SQLValue], for operation: StoreError.Operation = .read, _ doing: @autoclosure () -> String,
    _ read: (inout Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    try bind(values, for: operation, doing())
    defer { reset() }
    var found: [Value] = []
    while true {
      let code = connection.attempt { sqlite3_step(handle) }
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw connection.error(operation, doing(), code: code) }
        return found
      }
      var row = Row(statement: handle, path: connection.path)
      found.append(try read(&row))
    }
  }

  /// Reads on from where it was left, rows with every octet of them. It stays in their midst, so it is for a database that
  /// nobody else uses.
  ///
  /// - Parameter most: octets after which it is left again.
  /// - Returns: how many octets they were, and whether there are no more.
  func readOn(
    atMost most: Int, for operation: StoreError.Operation, _ doing: @autoclosure () -> String
  ) throws(StoreError) -> (octets: Int, isOver: Bool) {
    var octets = 0
    while octets < most {
      let code = connection.attempt { sqlite3_step(handle) }
      guard code == SQLITE_ROW else {
        defer { reset() }
        guard code == SQLITE_DONE else { throw connection.error(operation, doing(), code: code) }
        return (octets, true)
      }
      for column in 0..<sqlite3_column_count(handle) {
        let type = sqlite3_column_type(handle, column)
        // Only asking for its octets reads those that lie on other pages.
        if type == SQLITE_BLOB || type == SQLITE_TEXT { _ = sqlite3_column_blob(handle, column) }
        octets += type == SQLITE_BLOB || type == SQLITE_TEXT ? Int(sqlite3_column_bytes(handle, column)) : 8
      }
    }
    return (octets, false)
  }

  private func bind(
    _ values: [SQLValue], for operation: StoreError.Operation, _ doing: @autoclosure () -> String
  ) throws(StoreError) {
    guard connection.isOpen else {
      throw StoreError(operation, sqlite: SQLITE_MISUSE, "\(doing()), \(connection.path): the store is closed")
    }
    for (index, value) in values.enumerated() {
      let code = value.bind(to: handle, at: Int32(index + 1))
      guard code == SQLITE_OK else {
        reset()
        throw connection.error(operation, doing(), code: code)
      }
    }
  }

  /// Its code is that of the last step, which has been looked at.
  private func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }
}

/// A value of SQL.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }

  static func optional(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }

  static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null:
      return sqlite3_bind_null(statement, index)
    case .integer(let number):
      return sqlite3_bind_int64(statement, index, number)
    case .real(let number):
      return sqlite3_bind_double(statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          strapd_sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count))
        }
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes { strapd_sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count)) }
    }
  }
}
