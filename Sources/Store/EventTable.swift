import CSQLite
import Measurements
import Workout

/// Table `event`: everything that happened to sessions, in the store's one order.
struct EventTable {
  private let insert: Statement
  private let selectOne: Statement
  private let selectOfSession: Statement
  private let selectNewest: Statement

  private static let columns = """
    sequence, session, boot, tick, date, is_requested, kind,
    about_boot, about_tick, about_date, about_is_requested, about_requested,
    until_boot, until_tick, until_date, until_is_requested, until_requested,
    from_state, to_state, cause, end_reason, availability, activity, location, detail
    """

  init(_ connection: Connection) throws(StoreError) {
    insert = try Statement(
      connection,
      """
      INSERT INTO event (\(Self.columns))
      VALUES (?, (SELECT number FROM session WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?)
      ON CONFLICT (sequence) DO NOTHING
      """)
    let select = """
      SELECT sequence, session.id, boot, tick, date, is_requested, kind,
        about_boot, about_tick, about_date, about_is_requested, about_requested,
        until_boot, until_tick, until_date, until_is_requested, until_requested,
        from_state, to_state, cause, event.end_reason, availability, event.activity, event.location, detail
      FROM event JOIN session ON session.number = event.session
      """
    selectOne = try Statement(connection, "\(select) WHERE sequence = ?")
    selectOfSession = try Statement(connection, "\(select) WHERE session.id = ? ORDER BY sequence")
    selectNewest = try Statement(
      connection,
      """
      SELECT sequence, boot, tick, date FROM event
      WHERE session NOT IN (SELECT session FROM imported) ORDER BY sequence DESC LIMIT 1
      """)
  }

  /// Writes an event; the same event once more changes nothing, so that a commit can be tried again.
  func write(_ event: EventRecord, on axis: BootAxis) throws(StoreError) {
    let values =
      [.integer(event.sequence), .text(event.session.description), .integer(axis.current)] + .datedTick(event.at)
      + EventColumns(event.what).values(on: axis)
    let written = try insert.run(values, "writing event \(event.sequence)")
    if written == 0, try self.event(event.sequence, on: axis) != event {
      throw StoreError(
        .commit, sqlite: SQLITE_CONSTRAINT, "writing event \(event.sequence): another event has that sequence number")
    }
  }

  func events(of session: SessionID, on axis: BootAxis) throws(StoreError) -> [EventRecord] {
    try selectOfSession.rows([.text(session.description)], "reading the events of \(session)") {
      (row: inout Row) throws(StoreError) in try row.event(on: axis)
    }
  }

  /// Of which of a session's events there is none to be made, and why.
  func unreadable(of session: SessionID, on axis: BootAxis) throws(StoreError) -> [StoreError] {
    var found: [StoreError] = []
    _ = try selectOfSession.rows([.text(session.description)], "reading the events of \(session)") {
      (row: inout Row) in
      row.orLeftOut("event", { found.append($0) }) { (row: inout Row) throws(StoreError) in
        _ = try row.event(on: axis)
      }
    }
    return found
  }

  private func event(_ sequence: Int64, on axis: BootAxis) throws(StoreError) -> EventRecord? {
    try selectOne.rows([.integer(sequence)], "reading event \(sequence)") { (row: inout Row) throws(StoreError) in
      try row.event(on: axis)
    }.first
  }

  /// The event with the highest sequence number, of those that happened here.
  func newest() throws(StoreError) -> NewestRow? {
    try selectNewest.rows([], "reading the newest event") { (row: inout Row) in
      let sequence = row.integer()
      let at = row.bootTick()
      return NewestRow(sequence: sequence, at: at, date: WallTime(nanoseconds: row.integer()))
    }.first
  }
}

extension Row {
  fileprivate mutating func event(on axis: BootAxis) throws(StoreError) -> EventRecord {
    let sequence = integer()
    let session = try sessionID()
    let written = BootTick(boot: integer(), tick: Tick(nanoseconds: current))
    var at = try datedTick(of: written.boot, on: axis)
    at.date = axis.label(at.date, of: written, written: written)
    let columns = try EventColumns(&self, written: written, on: axis)
    guard let what = columns.what else { throw unreadable("event \(sequence) of kind \(columns.kind) lacks a value") }
    return EventRecord(sequence: sequence, session: session, at: at, what: what)
  }
}
