import Measurements
import Workout

/// Table `session`.
struct SessionTable {
  private let upsert: Statement
  private let selectLive: Statement
  private let selectOne: Statement

  private static let columns = """
    id, state, activity, location, wanted_strap, wanted_adapter, strap, is_unprepared, end_reason,
    created_boot, created_tick, created_date, created_is_requested,
    start_boot, start_tick, start_date, start_is_requested, end_boot, end_tick, end_date, end_is_requested
    """

  init(_ connection: Connection) throws(StoreError) {
    upsert = try Statement(
      connection,
      """
      INSERT INTO session (\(Self.columns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        state = excluded.state, activity = excluded.activity, location = excluded.location,
        wanted_strap = excluded.wanted_strap, wanted_adapter = excluded.wanted_adapter, strap = excluded.strap, is_unprepared = excluded.is_unprepared,
        end_reason = excluded.end_reason, \(Self.keepingBoot(of: "start")), \(Self.keepingBoot(of: "end"))
      """)
    selectLive = try Statement(
      connection, "SELECT \(Self.columns) FROM session WHERE state <> 'ended' ORDER BY number")
    selectOne = try Statement(connection, "SELECT \(Self.columns) FROM session WHERE id = ?")
  }

  /// A session of an earlier boot comes back with its ticks on this boot's axis. What is on record stays in the boot
  /// that counted it, by its date, which never changes: else each reboot would add the error of its wall clock.
  private static func keepingBoot(of moment: String) -> String {
    let isSame = "\(moment)_date IS excluded.\(moment)_date"
    return """
      \(moment)_boot = CASE WHEN \(isSame) THEN \(moment)_boot ELSE excluded.\(moment)_boot END,
      \(moment)_tick = CASE WHEN \(isSame) THEN \(moment)_tick ELSE excluded.\(moment)_tick END,
      \(moment)_date = excluded.\(moment)_date, \(moment)_is_requested = excluded.\(moment)_is_requested
      """
  }

  func write(_ session: SessionRecord, boot: Int64) throws(StoreError) {
    let values: [SQLValue] = [
      .text(session.id.description), .text(session.state.rawValue), .text(session.configuration.activity.rawValue),
      .text(session.configuration.location.rawValue), .optional(session.configuration.strap?.description),
      .optional(session.configuration.adapter?.description),
      .optional(session.strap?.description), .flag(session.isUnprepared), .optional(session.endReason?.rawValue),
    ]
    let moments = [session.created, session.start, session.end].flatMap { SQLValue.moment($0, boot: boot) }
    try upsert.run(values + moments, "writing session \(session.id)")
  }

  /// All sessions that have not ended, oldest first.
  func live(on axis: BootAxis) throws(StoreError) -> [SessionRecord] {
    try selectLive.rows([], "reading the live sessions") { (row: inout Row) throws(StoreError) in
      try Self.record(&row, on: axis)
    }
  }

  func session(_ id: SessionID, on axis: BootAxis) throws(StoreError) -> SessionRecord? {
    try selectOne.rows([.text(id.description)], "reading session \(id)") { (row: inout Row) throws(StoreError) in
      try Self.record(&row, on: axis)
    }.first
  }

  private static func record(_ row: inout Row, on axis: BootAxis) throws(StoreError) -> SessionRecord {
    let id = try row.sessionID()
    let state = try row.name(WorkoutState.self)
    let configuration = WorkoutConfiguration(
      activity: try row.name(), location: try row.name(), strap: try row.strap(), adapter: try row.strap())
    let strap = try row.strap()
    let isUnprepared = row.flag()
    let endReason = try row.optionalName(EndReason.self)
    return SessionRecord(
      id: id, configuration: configuration, strap: strap, state: state, created: try row.datedTick(on: axis),
      start: try row.optionalDatedTick(on: axis), end: try row.optionalDatedTick(on: axis),
      isUnprepared: isUnprepared, endReason: endReason)
  }
}

extension SQLValue {
  /// The columns boot, tick, date, is_requested.
  fileprivate static func moment(_ moment: DatedTick?, boot: Int64) -> [SQLValue] {
    guard let moment else { return [.null, .null, .null, .null] }
    return [.integer(boot)] + .datedTick(moment)
  }
}

extension [SQLValue] {
  /// The columns tick, date, is_requested, where the boot stands in a column of its own.
  static func datedTick(_ moment: DatedTick?) -> [SQLValue] {
    guard let moment else { return [.null, .null, .null] }
    return [.integer(moment.tick.nanoseconds), .integer(moment.date.nanoseconds), .flag(moment.isRequested)]
  }
}

extension Row {
  fileprivate mutating func optionalDatedTick(on axis: BootAxis) throws(StoreError) -> DatedTick? {
    guard !isNull else {
      skip(4)
      return nil
    }
    return try datedTick(on: axis)
  }
}
