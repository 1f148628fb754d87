import Measurements
import Workout

/// Table `strap`.
struct StrapTable {
  private let upsert: Statement
  private let deleteOne: Statement
  private let selectAll: Statement

  private static let columns = """
    address, name, athlete, device_name, manufacturer, model, firmware, serial, battery_percent, battery_told,
    last_seen_date, awaits_taking_off, dry_run_start_date, dry_run_last_date
    """

  init(_ connection: Connection) throws(StoreError) {
    upsert = try Statement(
      connection, "INSERT OR REPLACE INTO strap (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    deleteOne = try Statement(connection, "DELETE FROM strap WHERE address = ?")
    selectAll = try Statement(connection, "SELECT \(Self.columns) FROM strap ORDER BY address")
  }

  func write(_ strap: StrapRecord) throws(StoreError) {
    let values: [SQLValue] = [
      .text(strap.address.description), .optional(strap.name?.description), .optional(strap.athlete?.description),
      .optional(strap.deviceName), .optional(strap.manufacturer), .optional(strap.model), .optional(strap.firmware),
      .optional(strap.serial), .optional(strap.battery.map { Int64($0.percent) }),
      .optional(strap.lowBattery.told.map { Int64($0) }), .optional(strap.lastSeen?.nanoseconds),
      .flag(strap.awaitsTakingOff), .optional(strap.dryRun?.start.nanoseconds),
      .optional(strap.dryRun?.lastGood.nanoseconds),
    ]
    try upsert.run(values, "writing strap \(strap.address)")
  }

  func delete(_ address: StrapAddress) throws(StoreError) {
    try deleteOne.run([.text(address.description)], "forgetting strap \(address)")
  }

  func all(_ leftOut: (StoreError) -> Void) throws(StoreError) -> [StrapRecord] {
    try selectAll.rows([], "reading the known straps") { (row: inout Row) in
      // One that says what it cannot say, by a bit that has flipped, is no reason to know none of them.
      row.orLeftOut("strap", leftOut, Self.strap)
    }.compactMap { $0 }
  }

  private static func strap(_ row: inout Row) throws(StoreError) -> StrapRecord {
    guard let address = try row.strap() else { throw row.unreadable("a strap without an address") }
    var strap = StrapRecord(address)
    strap.name = try name(&row, StrapName.init)
    strap.athlete = try name(&row, AthleteName.init)
    strap.deviceName = row.optionalText()
    strap.manufacturer = row.optionalText()
    strap.model = row.optionalText()
    strap.firmware = row.optionalText()
    strap.serial = row.optionalText()
    strap.battery = row.optionalInteger().flatMap { BatteryLevel(percent: UInt8(clamping: $0)) }
    strap.lowBattery = LowBattery(told: row.optionalInteger().map { UInt8(clamping: $0) })
    strap.lastSeen = row.optionalInteger().map { WallTime(nanoseconds: $0) }
    strap.awaitsTakingOff = row.flag()
    let (start, last) = (row.optionalInteger(), row.optionalInteger())
    strap.dryRun = start.map { start in
      StrapRecord.DryRun(
        start: WallTime(nanoseconds: start), lastGood: WallTime(nanoseconds: last ?? start))
    }
    return strap
  }

  private static func name<Name>(_ row: inout Row, _ make: (String) -> Name?) throws(StoreError) -> Name? {
    guard let text = row.optionalText() else { return nil }
    guard let name = make(text) else { throw row.unreadable("'\(text)' is no \(Name.self)") }
    return name
  }
}
