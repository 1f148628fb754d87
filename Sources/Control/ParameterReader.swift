import Measurements
import Workout

/// Takes parameters by name and type; each may be taken once, and none may be left.
struct ParameterReader {
  private let members: [JSON.Member]
  private let names: StrapNames
  private var taken: [String] = []

  init(_ parameters: JSON, _ names: StrapNames) {
    self.names = names
    if case .object(let members) = parameters { self.members = members } else { members = [] }
  }

  /// A parameter's value; nil where it is absent or null.
  mutating func take<T>(_ name: String, _ read: (JSON) -> T?) throws(ControlError) -> T? {
    taken.append(name)
    guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
    guard !value.hasNUL, let typed = read(value) else { throw .invalidParameter(name) }
    return typed
  }

  mutating func session() throws(ControlError) -> SessionID? {
    try take("session") { $0.asString.flatMap { SessionID($0) } }
  }

  /// The strap that is meant by its address or its name.
  mutating func strap() throws(ControlError) -> StrapAddress? {
    guard let text = try take("strap", \.asString) else { return nil }
    guard let strap = try names.strap(text) else { throw .invalidParameter("strap") }
    return strap
  }

  mutating func activity() throws(ControlError) -> ActivityType? {
    guard let name = try take("activity", \.asString) else { return nil }
    guard let activity = ActivityType(rawValue: name) else { throw .unknownActivity(name) }
    return activity
  }

  mutating func location() throws(ControlError) -> LocationType? {
    try take("location") { $0.asString.flatMap { LocationType(rawValue: $0) } }
  }

  mutating func configuration() throws(ControlError) -> ConfigurationRequest {
    let activity = try activity()
    let location = try location()
    let strap = try strap()
    return ConfigurationRequest(activity: activity, location: location, strap: strap, adapter: try adapter())
  }

  mutating func adapter() throws(ControlError) -> StrapAddress? {
    try take("adapter") { $0.asString.flatMap { StrapAddress($0) } }
  }

  mutating func supersedes() throws(ControlError) -> Bool {
    try take("supersede", \.asBool) ?? false
  }

  /// Which workouts are meant.
  mutating func filter() throws(ControlError) -> WorkoutFilter {
    let filter = WorkoutFilter(
      activity: try activity(), athlete: try take("athlete") { $0.asString.flatMap { AthleteName($0) } },
      strap: try strap(), title: try take("title") { $0.asString.flatMap { $0.isEmpty ? nil : $0 } },
      since: try date("since"), until: try date("until"))
    if let since = filter.since, let until = filter.until, until <= since { throw .invalidParameter("until") }
    return filter
  }

  /// A session or a workout that must be named.
  mutating func id(_ name: String = "id") throws(ControlError) -> SessionID {
    guard let id = try take(name, { $0.asString.flatMap { SessionID($0) } }) else { throw .invalidParameter(name) }
    return id
  }

  /// How many of a list are wanted, 100 where nothing is said.
  mutating func limit() throws(ControlError) -> Int {
    try take("limit") { value in
      value.asInteger.flatMap { (1...Int64(ControlCall.largestPage)).contains($0) ? Int($0) : nil }
    } ?? 100
  }

  /// The place in a list from which on it is told.
  mutating func place() throws(ControlError) -> Int {
    try take("from") { $0.asInteger.flatMap { (0...Int64(Int32.max)).contains($0) ? Int($0) : nil } } ?? 0
  }

  /// Whether a parameter stands there and is not null.
  func isGiven(_ name: String) -> Bool { firstNamed(of: [name]) != nil }

  /// Whether it is a list without anything in it.
  func isEmptyList(_ name: String) -> Bool {
    members.first { $0.name == name }?.value == .array([])
  }

  mutating func requiredStrap() throws(ControlError) -> StrapAddress {
    guard let strap = try strap() else { throw .invalidParameter("strap") }
    return strap
  }

  /// The strap that a text means.
  func strap(called text: String) throws(ControlError) -> StrapAddress? { try names.strap(text) }

  mutating func monitorRequest() throws(ControlError) -> MonitorRequest? {
    let straps = try strapList("straps")
    let wantsAny = try take("anyStrap", \.asBool) ?? false
    let adapter = try adapter()
    if let straps {
      if wantsAny { throw .invalidParameter("anyStrap") }
      return MonitorRequest(straps: straps, adapter: adapter)
    }
    if wantsAny { return MonitorRequest(straps: [], wantsAny: true, adapter: adapter) }
    // Who only watches reaches nothing.
    if adapter != nil { throw .invalidParameter("adapter") }
    return nil
  }

  func firstNamed(of names: [String]) -> String? {
    members.first { names.contains($0.name) && $0.value != .null }?.name
  }

  func refuseOthers() throws(ControlError) {
    if let other = members.first(where: { !taken.contains($0.name) }) { throw .invalidParameter(other.name) }
  }
}
