import CSQLite
import Measurements
import Workout

/// Table `event`: everything that happened to sessions, in the store's one order.
struct EventTable {
  private let insert: Statement
  private let selectOne: Statement
  private let selectOfSession: Statement
  private let selectNewest: Statement

  init(_ connection: Connection) throws(StoreError) {
    insert = try Statement(
      connection,
      """
      INSERT INTO event (sequence, session, boot, tick, date, is_requested, kind, about_tick, about_date,
        about_is_requested, from_state, to_state, cause, end_reason, availability)
      VALUES (?, (SELECT number FROM session WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (sequence) DO NOTHING
      """)
    let select = """
      SELECT sequence, session.id, boot, tick, date, is_requested, kind, about_tick, about_date, about_is_requested,
        from_state, to_state, cause, event.end_reason, availability
      FROM event JOIN session ON session.number = event.session
      """
    selectOne = try Statement(connection, "\(select) WHERE sequence = ?")
    selectOfSession = try Statement(connection, "\(select) WHERE session.id = ? ORDER BY sequence")
    selectNewest = try Statement(
      connection, "SELECT sequence, boot, tick, date FROM event ORDER BY sequence DESC LIMIT 1")
  }

  /// Writes an event; the same event once more changes nothing, so that a commit can be tried again.
  func write(_ event: EventRecord, on axis: BootAxis) throws(StoreError) {
    let values =
      [.integer(event.sequence), .text(event.session.description), .integer(axis.current)] + .datedTick(event.at)
      + Self.details(of: event.what)
    let written = try insert.run(values, "writing event \(event.sequence)")
    if written == 0, try self.event(event.sequence, on: axis) != event {
      throw StoreError(
        .commit, sqlite: SQLITE_CONSTRAINT, "writing event \(event.sequence): another event has that sequence number")
    }
  }

  /// The columns from kind on.
  private static func details(of what: EventRecord.What) -> [SQLValue] {
    switch what {
    case .transition(let transition):
      return [.text(EventKind.transition.rawValue)] + .datedTick(transition.at) + [
        .text(transition.from.rawValue), .text(transition.to.rawValue), .text(transition.cause.rawValue),
        .optional(transition.endReason?.rawValue), .null,
      ]
    case .availability(let availability):
      return [.text(EventKind.availability.rawValue)] + .datedTick(nil) + [
        .null, .null, .null, .null, .text(availability.rawValue),
      ]
    case .linkLost:
      return [.text(EventKind.linkLost.rawValue)] + .datedTick(nil) + [.null, .null, .null, .null, .null]
    case .gap(let since):
      return [.text(EventKind.gap.rawValue)] + .datedTick(since) + [.null, .null, .null, .null, .null]
    case .recovered(let lastAlive):
      return [.text(EventKind.recovered.rawValue)] + .datedTick(lastAlive) + [.null, .null, .null, .null, .null]
    }
  }

  func events(of session: SessionID, on axis: BootAxis) throws(StoreError) -> [EventRecord] {
    try selectOfSession.rows([.text(session.description)], "reading the events of \(session)") {
      (row: inout Row) throws(StoreError) in try row.event(on: axis)
    }
  }

  private func event(_ sequence: Int64, on axis: BootAxis) throws(StoreError) -> EventRecord? {
    try selectOne.rows([.integer(sequence)], "reading event \(sequence)") { (row: inout Row) throws(StoreError) in
      try row.event(on: axis)
    }.first
  }

  /// The event with the highest sequence number.
  func newest() throws(StoreError) -> NewestRow? {
    try selectNewest.rows([], "reading the newest event") { (row: inout Row) in
      let sequence = row.integer()
      let at = row.bootTick()
      return NewestRow(sequence: sequence, at: at, date: WallTime(nanoseconds: row.integer()))
    }.first
  }
}

/// The names of `EventRecord.What` on disk.
private enum EventKind: String {
  case transition, availability, linkLost, gap, recovered
}

extension Row {
  fileprivate mutating func event(on axis: BootAxis) throws(StoreError) -> EventRecord {
    let sequence = integer()
    let session = try sessionID()
    let boot = integer()
    let at = try datedTick(of: boot, on: axis)
    return EventRecord(sequence: sequence, session: session, at: at, what: try what(of: boot, on: axis))
  }

  private mutating func what(of boot: Int64, on axis: BootAxis) throws(StoreError) -> EventRecord.What {
    switch try name(EventKind.self) {
    case .transition:
      let at = try datedTick(of: boot, on: axis)
      return .transition(
        Transition(from: try name(), to: try name(), at: at, cause: try name(), endReason: try optionalName()))
    case .availability:
      skip(7)
      return .availability(try name())
    case .linkLost: return .linkLost
    case .gap: return .gap(since: try datedTick(of: boot, on: axis))
    case .recovered: return .recovered(lastAlive: try datedTick(of: boot, on: axis))
    }
  }
}
