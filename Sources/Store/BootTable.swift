import Measurements
import Workout

/// Table `boot`: each run of the kernel, with the newest pair of its clocks and whether the wall clock was right; and
/// table `clock_step`.
struct BootTable {
  private let selectAll: Statement
  private let selectOfSession: Statement
  private let selectSteps: Statement
  private let enter: Statement
  private let setClocks: Statement
  private let setAlive: Statement
  private let extend: Statement
  private let insertStep: Statement
  private let upsertAnchor: Statement

  init(_ connection: Connection) throws(StoreError) {
    selectAll = try Statement(
      connection,
      """
      SELECT number, boot_id, tick, wall, is_synchronised, fixed_tick, fixed_wall, sure_tick, sure_wall,
        alive_tick, alive_wall FROM boot
      ORDER BY number
      """)
    selectOfSession = try Statement(
      connection,
      """
      SELECT boot_id, anchor.tick, anchor.wall, anchor.is_synchronised FROM anchor JOIN boot ON boot.number = anchor.boot
      WHERE session = (SELECT number FROM session WHERE id = ?) ORDER BY number
      """)
    selectSteps = try Statement(connection, "SELECT boot, tick, nanoseconds FROM clock_step ORDER BY number")
    enter = try Statement(
      connection,
      """
      INSERT INTO boot (boot_id, tick, wall, is_synchronised) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (boot_id) DO UPDATE SET boot_id = boot_id RETURNING number
      """)
    setClocks = try Statement(
      connection,
      """
      UPDATE boot SET tick = ?2, wall = ?3, is_synchronised = ?4,
        fixed_tick = coalesce(fixed_tick, iif(?4, ?2, NULL)), fixed_wall = coalesce(fixed_wall, iif(?4, ?3, NULL)),
        sure_tick = iif(?4, ?2, sure_tick), sure_wall = iif(?4, ?3, sure_wall) WHERE number = ?1
      """)
    setAlive = try Statement(connection, "UPDATE boot SET alive_tick = ?2, alive_wall = ?3 WHERE number = ?1")
    extend = try Statement(
      connection, "UPDATE boot SET wall = wall + (?2 - tick), tick = ?2 WHERE number = ?1 AND tick < ?2")
    upsertAnchor = try Statement(
      connection,
      """
      INSERT INTO anchor (session, boot, tick, wall, is_synchronised)
      VALUES ((SELECT number FROM session WHERE id = ?), ?, ?, ?, ?)
      ON CONFLICT (session, boot) DO UPDATE SET
        tick = excluded.tick, wall = excluded.wall, is_synchronised = excluded.is_synchronised
      """)
    insertStep = try Statement(connection, "INSERT INTO clock_step (boot, tick, nanoseconds) VALUES (?, ?, ?)")
  }

  /// All boots in their order.
  func all() throws(StoreError) -> [Boot] {
    try selectAll.rows([], "reading the boots") { (row: inout Row) in
      let number = row.integer()
      let id = row.text()
      let clocks = row.clocks()
      let fixed = row.optionalMoment()
      let sure = row.optionalMoment()
      return Boot(number: number, id: id, clocks: clocks, fixed: fixed, sure: sure, alive: row.optionalMoment())
    }
  }

  /// The boots that a session lived in, in their order.
  func anchors(of session: SessionID) throws(StoreError) -> [Anchor] {
    try selectOfSession.rows([.text(session.description)], "reading the boots of \(session)") { (row: inout Row) in
      let boot = row.text()
      return Anchor(boot: boot, clocks: row.clocks())
    }
  }

  /// All settings of wall clocks in their order.
  func steps() throws(StoreError) -> [ClockStep] {
    try selectSteps.rows([], "reading the clock steps") { (row: inout Row) in
      let at = row.bootTick()
      return ClockStep(at: at, size: .nanoseconds(row.integer()))
    }
  }

  /// Writes a new boot; a known one keeps its clocks.
  ///
  /// - Returns: the boot's number.
  func enter(_ id: String, at now: Moment) throws(StoreError) -> Int64 {
    let numbers = try enter.rows([.text(id)] + .clocks(now), for: .open, "entering boot \(id)") { (row: inout Row) in
      row.integer()
    }
    guard let number = numbers.first else {
      throw StoreError(operation: .open, code: 0, text: "entering boot \(id) gave it no number")
    }
    return number
  }

  /// Writes the newest clocks of a boot, which is no sign of life: a daemon that dies while it recovers has done nothing
  /// for its sessions.
  func write(_ clocks: Moment, boot: Int64) throws(StoreError) {
    try setClocks.run([.integer(boot)] + .clocks(clocks), "writing the clocks of boot \(boot)")
  }

  /// An earlier boot lasted until this tick at least. Its newest clocks are from some time before, and later lives will
  /// look for no row of it.
  func extend(_ boot: Int64, through tick: Tick) throws(StoreError) {
    try extend.run([.integer(boot), .integer(tick.nanoseconds)], "writing how long boot \(boot) lasted")
  }

  func alive(_ moment: Moment, boot: Int64) throws(StoreError) {
    try write(moment, boot: boot)
    try setAlive.run(
      [.integer(boot), .integer(moment.tick.nanoseconds), .integer(moment.wall.nanoseconds)],
      "writing that the daemon lives")
  }

  /// Writes a session's anchor in a boot, which it keeps when it has ended.
  func write(_ clocks: Moment, boot: Int64, of session: SessionID) throws(StoreError) {
    try upsertAnchor.run(
      [.text(session.description), .integer(boot)] + .clocks(clocks), "writing the anchor of \(session)")
  }

  func write(_ step: ClockStep) throws(StoreError) {
    try insertStep.run(
      [.integer(step.at.boot), .integer(step.at.tick.nanoseconds), .integer(step.size.wholeNanoseconds)],
      "writing a clock step")
  }
}

extension [SQLValue] {
  /// The columns tick, wall, is_synchronised.
  fileprivate static func clocks(_ moment: Moment) -> [SQLValue] {
    [.integer(moment.tick.nanoseconds), .integer(moment.wall.nanoseconds), .flag(moment.isSynchronised)]
  }
}

extension Row {
  fileprivate mutating func moment() -> Moment {
    let tick = Tick(nanoseconds: integer())
    return Moment(tick: tick, wall: WallTime(nanoseconds: integer()))
  }

  fileprivate mutating func optionalMoment() -> Moment? {
    guard !isNull else {
      skip(2)
      return nil
    }
    return moment()
  }

  fileprivate mutating func clocks() -> Moment {
    var clocks = moment()
    clocks.isSynchronised = flag()
    return clocks
  }
}
