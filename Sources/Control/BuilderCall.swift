import Measurements
import Workout

/// A call that changes no state by itself: what a session collects, what is noted in it, and what becomes of it.
public enum BuilderCall: Hashable, Sendable {
  case cancelCountdown
  case beginCollection
  case endCollection
  case finish
  case discard
  /// Without a start: since the last lap, or since the workout's start; without an end: until now.
  case lap(start: WallTime?, end: WallTime?, label: String?)
  case segment(start: WallTime, end: WallTime?, label: String?)
  case marker(WallTime?, label: String?)
  /// Without a location: where the workout is.
  case beginActivity(ActivityType, LocationType?, WallTime?, label: String?)
  case endActivity(WallTime?)
  case requestPauseOrResume
  /// Members of an object that are taken in, or (null) taken away, and a blob in place of the one before.
  case setMetadata([JSON.Member], blob: String?)
  case setZones(HeartRateZones?)
  case setGoals([WorkoutGoal])
  case setAlerts([WorkoutAlert])
  case enableType(CollectedType)
  case disableType(CollectedType)

  /// The most octets of a client's own words for a lap, a segment, a marker or an activity.
  public static let longestLabel = 256

  /// Its name among the calls that a state allows.
  public var call: SessionCall {
    switch self {
    case .cancelCountdown: .cancelCountdown
    case .beginCollection: .beginCollection
    case .endCollection: .endCollection
    case .finish: .finish
    case .discard: .discard
    case .lap: .lap
    case .segment: .segment
    case .marker: .marker
    case .beginActivity: .beginActivity
    case .endActivity: .endActivity
    case .requestPauseOrResume: .requestPauseOrResume
    case .setMetadata: .setMetadata
    case .setZones: .setZones
    case .setGoals: .setGoals
    case .setAlerts: .setAlerts
    case .enableType: .enableType
    case .disableType: .disableType
    }
  }
}

extension BuilderCall {
  /// The method's own name on the wire.
  public var method: String {
    switch self {
    case .cancelCountdown: "CancelCountdown"
    case .beginCollection: "BeginCollection"
    case .endCollection: "EndCollection"
    case .finish: "Finish"
    case .discard: "Discard"
    case .lap: "Lap"
    case .segment: "Segment"
    case .marker: "Marker"
    case .beginActivity: "BeginActivity"
    case .endActivity: "EndActivity"
    case .requestPauseOrResume: "RequestPauseOrResume"
    case .setMetadata: "SetMetadata"
    case .setZones: "SetZones"
    case .setGoals: "SetGoals"
    case .setAlerts: "SetAlerts"
    case .enableType: "EnableType"
    case .disableType: "DisableType"
    }
  }
}

// MARK: - Reading

extension BuilderCall {
  /// Reads the parameters of a method; nil where it is another kind of method.
  init?(_ method: Substring, _ reader: inout ParameterReader) throws(ControlError) {
    switch method {
    case "CancelCountdown": self = .cancelCountdown
    case "BeginCollection": self = .beginCollection
    case "EndCollection": self = .endCollection
    case "Finish": self = .finish
    case "Discard": self = .discard
    case "Lap":
      self = .lap(start: try reader.date("startDate"), end: try reader.date("endDate"), label: try reader.label())
    case "Segment":
      guard let start = try reader.date("startDate") else { throw .invalidParameter("startDate") }
      self = .segment(start: start, end: try reader.date("endDate"), label: try reader.label())
    case "Marker": self = .marker(try reader.date("date"), label: try reader.label())
    case "BeginActivity":
      guard let activity = try reader.activity() else { throw .invalidParameter("activity") }
      let location = try reader.location()
      self = .beginActivity(activity, location, try reader.date("date"), label: try reader.label())
    case "EndActivity": self = .endActivity(try reader.date("date"))
    case "RequestPauseOrResume": self = .requestPauseOrResume
    case "SetMetadata":
      let metadata = try reader.take("metadata") { value -> [JSON.Member]? in
        // A real may be too large for the digits that are kept of it.
        do { _ = try JSON(parsing: Array(value.text.utf8)) } catch { return nil }
        return if case .object(let members) = value { members } else { nil }
      }
      self = .setMetadata(metadata ?? [], blob: try reader.take("blob", \.asString))
    case "SetZones": self = .setZones(try reader.zones())
    case "SetGoals": self = .setGoals(try reader.goals())
    case "SetAlerts": self = .setAlerts(try reader.alerts())
    case "EnableType": self = .enableType(try reader.type())
    case "DisableType": self = .disableType(try reader.type())
    default: return nil
    }
  }
}

extension ParameterReader {
  mutating func target() throws(ControlError) -> SessionTarget {
    let session = try session()
    let states = try take("ifState") { value -> [WorkoutState]? in
      guard let names = value.asArray, !names.isEmpty else { return nil }
      let states = names.compactMap { $0.asString.flatMap { WorkoutState(rawValue: $0) } }
      return states.count == names.count ? states : nil
    }
    return SessionTarget(session, ifState: states)
  }

  mutating func date(_ name: String) throws(ControlError) -> WallTime? {
    try take(name) { $0.asString.flatMap { WallTime(rfc3339: $0) } }
  }

  fileprivate mutating func label() throws(ControlError) -> String? {
    try take("label") { $0.asString.flatMap { $0.utf8.count <= BuilderCall.longestLabel ? $0 : nil } }
  }

  fileprivate mutating func type() throws(ControlError) -> CollectedType {
    guard let name = try take("type", \.asString) else { throw .invalidParameter("type") }
    guard let type = CollectedType(rawValue: name) else { throw .unknownType(name) }
    return type
  }

  mutating func zones() throws(ControlError) -> HeartRateZones? {
    guard let list = try take("zones", \.asArray) else { return nil }
    var zones: [HeartRateZones.Zone] = []
    for (number, zone) in zip(1..., list) {
      guard case .object(let members) = zone, members.allSatisfy({ ["lower", "upper"].contains($0.name) }) else {
        throw .invalidParameter("zones")
      }
      let lower = try Self.bound(zone["lower"], whereBegins: number)
      let upper = try Self.bound(zone["upper"], whereBegins: number + 1)
      zones.append(HeartRateZones.Zone(lower: lower, upper: upper))
    }
    do { return try HeartRateZones(zones) } catch { throw .invalidZones(error) }
  }

  /// A bound, which may be absent.
  private static func bound(_ value: JSON?, whereBegins zone: Int) throws(ControlError) -> UInt16? {
    guard let value else { return nil }
    guard let number = value.asInteger else { throw .invalidParameter("zones") }
    guard let bound = UInt16(exactly: number) else { throw .invalidZones(.outOfRange(zone: zone, bound: Int(number))) }
    return bound
  }

  fileprivate mutating func goals() throws(ControlError) -> [WorkoutGoal] {
    guard let list = try take("goals", \.asArray) else { throw .invalidParameter("goals") }
    if list.count > WorkoutAlert.most { throw .invalidGoal(WorkoutAlert.most) }
    var goals: [WorkoutGoal] = []
    for (index, json) in list.enumerated() {
      guard let goal = WorkoutGoal(json) else { throw .invalidGoal(index) }
      goals.append(goal)
    }
    return goals
  }

  fileprivate mutating func alerts() throws(ControlError) -> [WorkoutAlert] {
    guard let list = try take("alerts", \.asArray) else { throw .invalidParameter("alerts") }
    if list.count > WorkoutAlert.most { throw .invalidAlert(WorkoutAlert.most, InvalidAlert(.tooMany)) }
    var alerts: [WorkoutAlert] = []
    for (index, json) in list.enumerated() {
      do { alerts.append(try WorkoutAlert(json)) } catch { throw .invalidAlert(index, error) }
    }
    return alerts
  }
}
