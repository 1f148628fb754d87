import Measurements
import Workout

/// Table `boot`: each run of the kernel, with the newest pair of its clocks.
struct BootTable {
  private let selectAll: Statement
  private let enter: Statement
  private let setAlive: Statement

  init(_ connection: Connection) throws(StoreError) {
    selectAll = try Statement(
      connection, "SELECT number, boot_id, tick, wall, alive_tick, alive_wall FROM boot ORDER BY number")
    enter = try Statement(
      connection,
      """
      INSERT INTO boot (boot_id, tick, wall) VALUES (?1, ?2, ?3)
      ON CONFLICT (boot_id) DO UPDATE SET tick = excluded.tick, wall = excluded.wall RETURNING number
      """)
    setAlive = try Statement(
      connection, "UPDATE boot SET tick = ?2, wall = ?3, alive_tick = ?2, alive_wall = ?3 WHERE number = ?1")
  }

  /// All boots in their order.
  func all() throws(StoreError) -> [Boot] {
    try selectAll.rows([], "reading the boots") { (row: inout Row) in
      let number = row.integer()
      let id = row.text()
      let clocks = row.moment()
      return Boot(number: number, id: id, clocks: clocks, alive: row.isNull ? nil : row.moment())
    }
  }

  /// Writes a new boot, or the newest clocks of a known one, which is no sign of life: a daemon that dies while it
  /// recovers has done nothing for its sessions.
  ///
  /// - Returns: the boot's number.
  func enter(_ id: String, at now: Moment) throws(StoreError) -> Int64 {
    let values: [SQLValue] = [.text(id), .integer(now.tick.nanoseconds), .integer(now.wall.nanoseconds)]
    let numbers = try enter.rows(values, for: .open, "entering boot \(id)") { (row: inout Row) in row.integer() }
    guard let number = numbers.first else {
      throw StoreError(operation: .open, code: 0, text: "entering boot \(id) gave it no number")
    }
    return number
  }

  func alive(_ moment: Moment, boot: Int64) throws(StoreError) {
    try setAlive.run(
      [.integer(boot), .integer(moment.tick.nanoseconds), .integer(moment.wall.nanoseconds)],
      "writing that the daemon lives")
  }
}

extension Row {
  fileprivate mutating func moment() -> Moment {
    let tick = Tick(nanoseconds: integer())
    return Moment(tick: tick, wall: WallTime(nanoseconds: integer()))
  }
}
