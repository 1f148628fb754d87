import Measurements
import Workout

/// Whether workouts of a strap begin by themselves.
public enum UnattendedMode: String, Hashable, Sendable, CaseIterable {
  case no, yes
  /// It is only said what would happen.
  case dryRun = "dry-run"
}

/// How workouts of a strap begin and end by themselves, and what they are.
public struct UnattendedRule: Hashable, Sendable {
  public var mode = UnattendedMode.no
  /// How long the strap is worn and beats before a workout begins, which then began with the first of those beats.
  public var start = Duration.seconds(30)
  /// How long it is without heart rate before the workout ends, which then ended with the last one.
  public var absence = Duration.seconds(300)
  public var activity = ActivityType.other
  public var location = LocationType.unknown

  public init() {}

  /// The keys, which stand above the sections for all straps that have one, and in a section for its strap.
  static let keys: [Configuration.Key] = [
    Configuration.Key("unattended", default: "no", allows: "yes, no or dry-run"),
    Configuration.Key("unattended_start", default: "30", allows: "seconds, 1 to 600"),
    Configuration.Key("unattended_absence", default: "300", allows: "seconds, 1 to 86400"),
    Configuration.Key(
      "unattended_activity", default: "other", allows: "one of HealthKit's activities, such as running"),
    Configuration.Key("unattended_location", default: "unknown", allows: "unknown, indoor or outdoor"),
  ]

  /// Sets a key.
  ///
  /// - Returns: false where the value is not allowed; nil where the key is not one of these.
  mutating func set(_ key: String, _ value: String) -> Bool? {
    switch key {
    case "unattended":
      guard let mode = UnattendedMode(rawValue: value) else { return false }
      self.mode = mode
    case "unattended_start": return Configuration.set(&start, value, 1...600)
    case "unattended_absence": return Configuration.set(&absence, value, 1...86_400)
    case "unattended_activity":
      guard let activity = ActivityType(rawValue: value) else { return false }
      self.activity = activity
    case "unattended_location":
      guard let location = LocationType(rawValue: value) else { return false }
      self.location = location
    default: return nil
    }
    return true
  }
}

extension Configuration {
  /// How workouts of a strap begin and end by themselves: as its section says, and where it says nothing as is said of all.
  /// A strap without a section has none.
  func rule(of strap: StrapAddress) -> UnattendedRule {
    var rule = unattended
    guard let section = straps[strap] else {
      rule.mode = .no
      return rule
    }
    for (key, value) in section.unattended { _ = rule.set(key, value) }
    return rule
  }

  /// The straps whose workouts begin by themselves, or would.
  var unattendedStraps: [StrapAddress] { straps.keys.filter { rule(of: $0).mode != .no }.sorted() }
}
