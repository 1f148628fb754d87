import Measurements
import Workout

/// What a section `[strap F0:F1:F2:F3:F4:F5]` of strapd.conf(5) says of one strap.
public struct StrapSection: Hashable, Sendable {
  public let address: StrapAddress
  /// The file that it stands in, and the line that begins it, counted from 1.
  public internal(set) var file: String
  public internal(set) var line: Int
  /// What the strap is called.
  public var name: StrapName?
  /// Who wears it.
  public var athlete: AthleteName?
  /// The zones of who wears it; with an athlete they go for that one's workouts with every strap.
  public var zones: HeartRateZones?
  /// The adapter that reaches it; nil leaves it to what is said of all straps.
  public var adapter: StrapAddress?
  /// What is said of its workouts that begin by themselves, by the keys of `UnattendedRule`; the rest is as for all straps.
  public internal(set) var unattended: [String: String] = [:]

  /// Whether two sections differ in nothing but their place.
  func saysTheSame(as other: StrapSection) -> Bool {
    var moved = other
    moved.file = file
    moved.line = line
    return moved == self
  }

  public init(_ address: StrapAddress, file: String, line: Int) {
    self.address = address
    self.file = file
    self.line = line
  }

  /// Every key, with the text of its default and what is allowed.
  public static let keys: [Configuration.Key] =
    [
      Configuration.Key("name", default: "", allows: "\(StrapName.allowed), or nothing"),
      Configuration.Key("athlete", default: "", allows: "\(AthleteName.allowed), or nothing"),
      Configuration.Key("zones", default: "", allows: Configuration.allowedZones),
      Configuration.Key("adapter", default: "", allows: "a Bluetooth address such as 00:1A:7D:DA:71:13, or nothing"),
    ]
    + UnattendedRule.keys.map { Configuration.Key($0.name, default: "", allows: "\($0.allowed), or nothing") }

  /// Sets a key.
  ///
  /// - Returns: false where the value is not allowed.
  mutating func set(_ key: String, _ value: String) -> Bool {
    switch key {
    case "name":
      if value.isEmpty { return true }
      name = StrapName(value)
      return name != nil
    case "athlete":
      if value.isEmpty { return true }
      athlete = AthleteName(value)
      return athlete != nil
    case "zones":
      if value.isEmpty { return true }
      zones = HeartRateZones(text: value)
      return zones != nil
    case "adapter":
      if value.isEmpty { return true }
      adapter = StrapAddress(device: value)
      return adapter != nil
    default:
      var rule = UnattendedRule()
      if value.isEmpty { return UnattendedRule.keys.contains { $0.name == key } }
      unattended[key] = value
      return rule.set(key, value) ?? false
    }
  }
}
