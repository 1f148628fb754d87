import CSQLite
import Measurements
import Workout

/// One row of a result, read column by column from the left, so that a column more renumbers nothing.
///
/// The tables are STRICT: a column holds its declared type, or NULL where that is allowed.
struct Row {
  private let statement: OpaquePointer
  private let path: String
  private var column: Int32 = 0

  init(statement: OpaquePointer, path: String) {
    self.statement = statement
    self.path = path
  }

  /// Has SQLite fetch every column, from overflow pages as well.
  mutating func readAll() {
    for column in 0..<sqlite3_column_count(statement) { _ = sqlite3_column_blob(statement, column) }
  }

  mutating func integer() -> Int64 {
    sqlite3_column_int64(statement, advance())
  }

  mutating func flag() -> Bool {
    integer() != 0
  }

  mutating func real() -> Double {
    sqlite3_column_double(statement, advance())
  }

  mutating func text() -> String {
    let index = advance()
    let start = sqlite3_column_text(statement, index)
    return String(
      decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))), as: UTF8.self)
  }

  mutating func optionalInteger() -> Int64? {
    guard !isNull else {
      skip(1)
      return nil
    }
    return integer()
  }

  mutating func optionalReal() -> Double? {
    guard !isNull else {
      skip(1)
      return nil
    }
    return real()
  }

  mutating func optionalText() -> String? {
    guard !isNull else {
      skip(1)
      return nil
    }
    return text()
  }

  mutating func blob() -> [UInt8] {
    let index = advance()
    let start = sqlite3_column_blob(statement, index)
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
  }

  mutating func optionalBlob() -> [UInt8]? {
    guard !isNull else {
      skip(1)
      return nil
    }
    return blob()
  }

  /// Whether the next column is NULL; it stays the next one.
  var isNull: Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  mutating func skip(_ count: Int32) {
    column += count
  }

  /// A value that is on disk by its name.
  mutating func name<Value: RawRepresentable>(
    _ type: Value.Type = Value.self
  ) throws(StoreError) -> Value where Value.RawValue == String {
    let text = text()
    guard let value = Value(rawValue: text) else { throw unreadable("'\(text)' is no \(Value.self)") }
    return value
  }

  mutating func optionalName<Value: RawRepresentable>(
    _ type: Value.Type = Value.self
  ) throws(StoreError) -> Value? where Value.RawValue == String {
    guard !isNull else {
      skip(1)
      return nil
    }
    return try name(type)
  }

  mutating func sessionID() throws(StoreError) -> SessionID {
    let text = text()
    guard let id = SessionID(text) else { throw unreadable("'\(text)' is no session id") }
    return id
  }

  mutating func strap() throws(StoreError) -> StrapAddress? {
    guard !isNull else {
      skip(1)
      return nil
    }
    let text = text()
    guard let address = StrapAddress(text) else { throw unreadable("'\(text)' is no strap address") }
    return address
  }

  /// A boot and a tick of it, as they are.
  mutating func bootTick() -> BootTick {
    let boot = integer()
    return BootTick(boot: boot, tick: Tick(nanoseconds: integer()))
  }

  /// A boot and a tick of it, as a tick of this boot.
  mutating func tick(on axis: BootAxis) throws(StoreError) -> Tick {
    let boot = integer()
    return try tick(of: boot, on: axis)
  }

  /// A tick of a boot that is known from another column.
  mutating func tick(of boot: Int64, on axis: BootAxis) throws(StoreError) -> Tick {
    guard let tick = axis.tick(Tick(nanoseconds: integer()), of: boot) else {
      throw unreadable("there is no boot \(boot)")
    }
    return tick
  }

  /// A boot, a tick of it, the date and whether that was requested.
  mutating func datedTick(on axis: BootAxis) throws(StoreError) -> DatedTick {
    let boot = integer()
    return try datedTick(of: boot, on: axis)
  }

  mutating func datedTick(of boot: Int64, on axis: BootAxis) throws(StoreError) -> DatedTick {
    let tick = try tick(of: boot, on: axis)
    return DatedTick(tick: tick, date: WallTime(nanoseconds: integer()), isRequested: flag())
  }

  /// The columns boot (NULL: that of the row), tick, date, is_requested, requested of a moment that an event is about; nil
  /// where they are NULL. The date is by the clock as it was set later; the client's own stays.
  ///
  /// - Parameter written: when the row was written.
  mutating func optionalDatedTick(written: BootTick, on axis: BootAxis) throws(StoreError) -> DatedTick? {
    let boot = optionalInteger() ?? written.boot
    guard !isNull else {
      skip(4)
      return nil
    }
    let own = BootTick(boot: boot, tick: Tick(nanoseconds: integer()))
    guard let tick = axis.tick(own.tick, of: boot) else { throw unreadable("there is no boot \(boot)") }
    let date = WallTime(nanoseconds: integer())
    skip(1)  // is_requested, which a date of its own says as well
    return DatedTick(
      tick: tick, date: axis.label(date, of: own, written: written),
      requested: optionalInteger().map { WallTime(nanoseconds: $0) })
  }

  /// A text that stands for a value; nil where it is NULL.
  mutating func parsed<Value>(_ name: String, _ read: (String) -> Value?) throws(StoreError) -> Value? {
    guard let text = optionalText() else { return nil }
    guard let value = read(text) else { throw unreadable("'\(text)' are no \(name)") }
    return value
  }

  /// What a row says; nil where it cannot be read, which is told with the row's first column, by which it is known.
  mutating func orLeftOut<Value>(
    _ name: String, _ leftOut: (StoreError) -> Void, _ read: (inout Row) throws(StoreError) -> Value
  ) -> Value? {
    var ahead = self
    let key = ahead.text()
    do { return try read(&self) } catch {
      var error = error
      error.text = "\(name) \(key): \(error.text)"
      leftOut(error)
      return nil
    }
  }

  func unreadable(_ why: String) -> StoreError {
    StoreError(.read, sqlite: SQLITE_MISMATCH, "reading a row that another program must have written, \(path): \(why)")
  }

  /// The column that is read next, read ahead.
  var current: Int64 { sqlite3_column_int64(statement, column) }

  private mutating func advance() -> Int32 {
    defer { column += 1 }
    return column
  }
}
