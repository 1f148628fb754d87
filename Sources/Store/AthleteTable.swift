import Measurements
import Workout

/// Table `athlete`.
struct AthleteTable {
  private let upsert: Statement
  private let deleteOne: Statement
  private let selectAll: Statement

  private static let columns =
    "name, year_of_birth, biological_sex, mass_kilograms, resting_heart_rate, maximum_heart_rate, zones, is_default"

  init(_ connection: Connection) throws(StoreError) {
    upsert = try Statement(
      connection, "INSERT OR REPLACE INTO athlete (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    deleteOne = try Statement(connection, "DELETE FROM athlete WHERE name = ?")
    selectAll = try Statement(connection, "SELECT \(Self.columns) FROM athlete ORDER BY name")
  }

  func write(_ athlete: AthleteProfile) throws(StoreError) {
    try upsert.run(
      [
        .text(athlete.name.description), .optional(athlete.yearOfBirth.map { Int64($0) }),
        .optional(athlete.biologicalSex?.rawValue), athlete.massKilograms.map { .real($0) } ?? .null,
        .optional(athlete.restingHeartRate.map { Int64($0) }), .optional(athlete.maximumHeartRate.map { Int64($0) }),
        .optional(athlete.zones?.text), .flag(athlete.isDefault),
      ], "writing athlete \(athlete.name)")
  }

  func delete(_ name: AthleteName) throws(StoreError) {
    try deleteOne.run([.text(name.description)], "forgetting athlete \(name)")
  }

  func all(_ leftOut: (StoreError) -> Void) throws(StoreError) -> [AthleteProfile] {
    try selectAll.rows([], "reading the athletes") { (row: inout Row) in
      row.orLeftOut("athlete", leftOut, Self.athlete)
    }.compactMap { $0 }
  }

  private static func athlete(_ row: inout Row) throws(StoreError) -> AthleteProfile {
    let text = row.text()
    guard let name = AthleteName(text) else { throw row.unreadable("'\(text)' is no AthleteName") }
    var athlete = AthleteProfile(name)
    athlete.yearOfBirth = row.optionalInteger().map { Int($0) }
    athlete.biologicalSex = try row.optionalName(BiologicalSex.self)
    athlete.massKilograms = row.optionalReal()
    athlete.restingHeartRate = row.optionalInteger().map { Int($0) }
    athlete.maximumHeartRate = row.optionalInteger().map { Int($0) }
    athlete.zones = try row.parsed("zones") { HeartRateZones(text: $0) }
    athlete.isDefault = row.flag()
    return athlete
  }
}
