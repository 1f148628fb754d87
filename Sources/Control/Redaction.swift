/// What a client may not see while its user's screen is locked: everything that tells of the heart. States, dates,
/// elapsed times and what the link does stay.
enum Redaction {
  /// Members that are taken out wherever they stand.
  private static let members: Set<String> = [
    "heartRate", "statistics", "rrIntervals", "rrTicks", "energyKilojoules", "warnings", "lastBeatDate",
    "beatUncertaintySeconds", "averageHeartRate", "maximumHeartRate", "rrCount", "coveredSeconds", "zone",
    "previousZone", "alert", "active", "goal", "metadata", "blob", "data", "notes",
    "yearOfBirth", "biologicalSex", "massKilograms", "restingHeartRate",
  ]
  /// Lists that are emptied.
  private static let lists: Set<String> = ["samples", "values", "buckets"]
  /// What somebody has set: a threshold is no heart rate.
  private static let settings: Set<String> = ["alerts", "goals", "zones"]

  static func of(_ json: JSON) -> JSON {
    switch json {
    case .object(let members): .object(members.compactMap(of))
    case .array(let elements): .array(elements.map(of))
    case .null, .bool, .integer, .real, .string: json
    case .encoded(let octets): of(encoded: octets)
    }
  }

  private static func of(encoded octets: [UInt8]) -> JSON {
    do { return of(try JSON(parsing: octets)) } catch { return .null }
  }

  private static func of(_ member: JSON.Member) -> JSON.Member? {
    if settings.contains(member.name) { return member }
    if lists.contains(member.name) { return JSON.Member(member.name, .array([])) }
    // A scanned device's "heartRate" says whether it has the service.
    if case .bool = member.value, member.name == "heartRate" { return member }
    return members.contains(member.name) ? nil : JSON.Member(member.name, of(member.value))
  }
}

extension VarlinkReply {
  /// The reply as a client may see it whose user's screen is locked. An error stays as it is.
  public var redacted: VarlinkReply {
    error == nil ? VarlinkReply(Redaction.of(parameters), continues: continues) : self
  }

  /// The same for what a watcher is told, where it says so itself.
  var redactedForWatcher: VarlinkReply {
    guard case .object(let members) = redacted.parameters else { return self }
    return VarlinkReply(.object(members + [JSON.Member("redacted", .bool(true))]), continues: continues)
  }
}
