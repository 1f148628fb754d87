/// Where the sensor is worn, characteristic 0x2A38 (HRS 1.0, section 3.2).
public enum BodySensorLocation: Hashable, Sendable, CustomStringConvertible {
  case chest, wrist, finger, hand, earLobe, foot
  /// 0 ("other") and every value that the specification does not name.
  case other(UInt8)

  /// Decodes the first octet; nil where there is none. Octets behind it are ignored.
  public init?(_ value: [UInt8]) {
    guard let location = value.first else { return nil }
    switch location {
    case 1: self = .chest
    case 2: self = .wrist
    case 3: self = .finger
    case 4: self = .hand
    case 5: self = .earLobe
    case 6: self = .foot
    default: self = .other(location)
    }
  }

  /// The name that goes on the wire.
  public var description: String {
    switch self {
    case .chest: "chest"
    case .wrist: "wrist"
    case .finger: "finger"
    case .hand: "hand"
    case .earLobe: "earLobe"
    case .foot: "foot"
    case .other(let value): "other(\(value))"
    }
  }
}
