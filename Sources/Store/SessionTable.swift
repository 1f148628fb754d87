import Measurements
import Workout

/// Table `session`.
struct SessionTable {
  private let upsert: Statement
  private let selectLive: Statement
  private let selectOne: Statement
  private let selectNewest: Statement

  /// The key of the highest number that a session has had which is deleted.
  private static let last = "lastSession"

  /// Keeps the number of session ?1, which is about to be deleted, from being given again: whatever still says it, in a file
  /// that is restored perhaps, is not to mean another one.
  static let rememberingNumber = """
    INSERT INTO meta (key, value) VALUES ('\(last)', ?1) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)
    """

  private static let columns = """
    id, state, activity, location, wanted_strap, wanted_adapter, strap, is_unprepared, end_reason,
    created_boot, created_tick, created_date, created_is_requested,
    start_boot, start_tick, start_date, start_is_requested, end_boot, end_tick, end_date, end_is_requested,
    collection, zones, types_by_hand, goals, alerts, countdown_boot, countdown_tick, countdown_date,
    countdown_is_requested, starts_at_first_beat, is_discarded, athlete, is_unattended, are_zones_by_hand,
    start_requested, end_requested
    """
  /// In the order in which they are read: a session's columns, and the boots that it lived in.
  private static let selected = """
    \(columns), (SELECT group_concat(boot) FROM anchor WHERE anchor.session = session.number)
    """
  private static let settings = [
    "collection", "zones", "types_by_hand", "goals", "alerts", "starts_at_first_beat", "is_discarded",
    "athlete", "is_unattended", "are_zones_by_hand", "start_requested", "end_requested",
  ]

  init(_ connection: Connection) throws(StoreError) {
    upsert = try Statement(
      connection,
      """
      INSERT INTO session (number, \(Self.columns))
      VALUES (
        1 + max(coalesce((SELECT max(number) FROM session), 0), coalesce((SELECT value FROM meta WHERE key = '\(Self.last)'), 0)),
        ?\(String(repeating: ", ?", count: Self.columns.count { $0 == "," })))
      ON CONFLICT (id) DO UPDATE SET
        state = excluded.state, activity = excluded.activity, location = excluded.location,
        wanted_strap = excluded.wanted_strap, wanted_adapter = excluded.wanted_adapter, strap = excluded.strap,
        is_unprepared = excluded.is_unprepared, created_date = excluded.created_date,
        end_reason = excluded.end_reason, \(Self.keepingBoot(of: "start")), \(Self.keepingBoot(of: "end")),
        \(Self.keepingBoot(of: "countdown")), \(Self.settings.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """)
    selectLive = try Statement(
      connection, "SELECT \(Self.selected) FROM session WHERE state <> 'ended' ORDER BY number")
    selectOne = try Statement(connection, "SELECT \(Self.selected) FROM session WHERE id = ?")
    selectNewest = try Statement(
      connection,
      """
      SELECT \(Self.selected) FROM session WHERE state = 'ended' AND end_tick IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM event WHERE session = session.number AND kind = 'postExerciseEnded')
        AND number NOT IN (SELECT session FROM imported)
      ORDER BY number DESC LIMIT 50
      """)
  }

  /// A session of an earlier boot comes back with its ticks on this boot's axis. What is on record stays in the boot
  /// that counted it, as it never changes but for its date: else each reboot would add the error of its wall clock.
  private static func keepingBoot(of moment: String) -> String {
    let isGone = "excluded.\(moment)_tick IS NULL"
    return """
      \(moment)_boot = CASE WHEN \(isGone) THEN NULL ELSE coalesce(\(moment)_boot, excluded.\(moment)_boot) END,
      \(moment)_tick = CASE WHEN \(isGone) THEN NULL ELSE coalesce(\(moment)_tick, excluded.\(moment)_tick) END,
      \(moment)_date = excluded.\(moment)_date, \(moment)_is_requested = excluded.\(moment)_is_requested
      """
  }

  func write(_ session: SessionRecord, on axis: BootAxis) throws(StoreError) {
    let values: [SQLValue] = [
      .text(session.id.description), .text(session.state.rawValue), .text(session.configuration.activity.rawValue),
      .text(session.configuration.location.rawValue), .optional(session.configuration.strap?.description),
      .optional(session.configuration.adapter?.description),
      .optional(session.strap?.description), .flag(session.isUnprepared), .optional(session.endReason?.rawValue),
    ]
    let moments = [session.created, session.start, session.end].flatMap { SQLValue.moment($0, on: axis) }
    let settings = session.settings
    let texts: [SQLValue] = [
      .text(session.collection.rawValue), .optional(settings.zones?.text),
      .optional(settings.typesByHand.map { CollectedType.allCases.filter($0.contains).text }),
      .optional(Self.lines(settings.goals.map(\.text))), .optional(Self.lines(settings.alerts.map(\.text))),
    ]
    let countdown = SQLValue.moment(settings.countdownEnd, on: axis)
    let requested = [session.start, session.end].map { SQLValue.optional($0?.requested?.nanoseconds) }
    try upsert.run(
      values + moments + texts + countdown + [
        .flag(settings.startsAtFirstBeat), .flag(settings.isDiscarded), .optional(settings.athlete?.description),
        .flag(settings.isUnattended), .flag(settings.areZonesByHand),
      ] + requested,
      "writing session \(session.id)")
  }

  /// All sessions that have not ended, oldest first.
  func live(on axis: BootAxis) throws(StoreError) -> [SessionRecord] {
    try selectLive.rows([], "reading the live sessions") { (row: inout Row) throws(StoreError) in
      try Self.record(&row, on: axis)
    }
  }

  func live(on axis: BootAxis, _ leftOut: (StoreError) -> Void) throws(StoreError) -> [SessionRecord] {
    try selectLive.rows([], "reading the live sessions") { (row: inout Row) in
      row.orLeftOut("session", leftOut) { (row: inout Row) throws(StoreError) in try Self.record(&row, on: axis) }
    }.compactMap { $0 }
  }

  /// Ended sessions whose end is not before this tick and whose series after it was not ended, of the newest ones.
  func ended(
    since tick: Tick, on axis: BootAxis, _ leftOut: (StoreError) -> Void
  ) throws(StoreError) -> [SessionRecord] {
    try selectNewest.rows([], "reading the sessions that have just ended") { (row: inout Row) in
      row.orLeftOut("session", leftOut) { (row: inout Row) throws(StoreError) in try Self.record(&row, on: axis) }
    }.compactMap { $0 }.filter { $0.end.map { $0.tick >= tick } == true }
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
    var boot = row.current
    let created = try row.datedTick(on: axis)
    if !row.isNull { boot = row.current }
    var record = SessionRecord(
      id: id, configuration: configuration, strap: strap, state: state, created: created,
      start: try row.optionalDatedTick(on: axis), end: try row.optionalDatedTick(on: axis),
      isUnprepared: isUnprepared, endReason: endReason, collection: try row.name(), settings: try row.settings(on: axis)
    )
    // Read first: an assignment to what is nil would leave the columns unread.
    let requested = [row.optionalInteger(), row.optionalInteger()].map { $0.map { WallTime(nanoseconds: $0) } }
    record.start?.requested = requested[0]
    record.end?.requested = requested[1]
    let lived = (row.optionalText() ?? "").split(separator: ",").compactMap { Int64($0) }.filter { $0 >= boot }
    record.isProvisional = ([boot] + lived).contains { !axis.isSettled($0) }
    return record
  }

  /// One a line; nil for none.
  private static func lines(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: "\n")
  }
}

extension SQLValue {
  /// The columns boot, tick, date, is_requested.
  static func moment(_ moment: DatedTick?, on axis: BootAxis) -> [SQLValue] {
    guard let moment else { return [.null, .null, .null, .null] }
    return self.moment(moment, at: axis.place(moment.tick))
  }

  /// The same of a moment whose place is known.
  static func moment(_ moment: DatedTick, at place: BootTick) -> [SQLValue] {
    [.integer(place.boot)] + .datedTick(moment, tick: place.tick)
  }
}

extension [SQLValue] {
  /// The columns tick, date, is_requested, where the boot stands in a column of its own.
  static func datedTick(_ moment: DatedTick?, tick: Tick? = nil) -> [SQLValue] {
    guard let moment else { return [.null, .null, .null] }
    return [
      .integer((tick ?? moment.tick).nanoseconds), .integer(moment.date.nanoseconds), .flag(moment.isRequested),
    ]
  }

  /// The columns boot (NULL for this one), tick, date, is_requested, requested of a moment that an event is about. The date
  /// is written as it is now, since what the clock was set by is added when it is read.
  static func moment(_ moment: DatedTick?, on axis: BootAxis) -> [SQLValue] {
    guard let moment else { return [.null, .null, .null, .null, .null] }
    let place = axis.place(moment.tick)
    return [place.boot == axis.current ? .null : .integer(place.boot)] + .datedTick(moment, tick: place.tick)
      + [.optional(moment.requested?.nanoseconds)]
  }
}

extension Row {
  fileprivate mutating func settings(on axis: BootAxis) throws(StoreError) -> SessionSettings {
    var settings = SessionSettings()
    settings.zones = try parsed("zones") { HeartRateZones(text: $0) }
    settings.typesByHand = try parsed("types") { [CollectedType](text: $0).map { Set($0) } }
    settings.goals = try lines("a goal") { WorkoutGoal(text: $0) }
    settings.alerts = try lines("an alert") { WorkoutAlert(text: $0) }
    settings.countdownEnd = try optionalDatedTick(on: axis)
    settings.startsAtFirstBeat = flag()
    settings.isDiscarded = flag()
    settings.athlete = try parsed("an athlete") { AthleteName($0) }
    settings.isUnattended = flag()
    settings.areZonesByHand = flag()
    return settings
  }

  private mutating func lines<Value>(_ name: String, _ read: (String) -> Value?) throws(StoreError) -> [Value] {
    var values: [Value] = []
    for line in (optionalText() ?? "").split(separator: "\n") {
      guard let value = read(String(line)) else { throw unreadable("'\(line)' is not \(name)") }
      values.append(value)
    }
    return values
  }

  fileprivate mutating func optionalDatedTick(on axis: BootAxis) throws(StoreError) -> DatedTick? {
    guard !isNull else {
      skip(4)
      return nil
    }
    return try datedTick(on: axis)
  }
}
