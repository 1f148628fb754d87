/// Heart-rate zones as Apple's: three to nine without a hole between them, the first open below, the last open above.
public struct HeartRateZones: Hashable, Sendable {
  /// Where each zone but the first begins, in beats a minute, rising.
  public let bounds: [UInt16]

  /// How many zones there may be.
  public static let allowedCount = 3...9
  /// Where a zone may begin, in beats a minute.
  public static let allowedBounds: ClosedRange<UInt16> = 20...300

  /// One zone: from `lower`, which is in it, up to `upper`, which is not; in beats a minute, nil where it is open.
  public struct Zone: Hashable, Sendable {
    public var lower: UInt16?
    public var upper: UInt16?

    public init(lower: UInt16?, upper: UInt16?) {
      self.lower = lower
      self.upper = upper
    }
  }

  /// Zones that a client has listed, lowest first.
  ///
  /// - Throws: `HeartRateZonesError` with the zone that does not fit, counted from 1.
  public init(_ zones: [Zone]) throws(HeartRateZonesError) {
    guard Self.allowedCount.contains(zones.count) else { throw .count(zones.count) }
    if zones[0].lower != nil { throw .firstNotOpen }
    if zones[zones.count - 1].upper != nil { throw .lastNotOpen }
    var bounds: [UInt16] = []
    for (number, (zone, next)) in zip(1..., zip(zones, zones.dropFirst())) {
      guard let upper = zone.upper else { throw .open(zone: number) }
      guard let lower = next.lower else { throw .open(zone: number + 1) }
      if lower > upper { throw .hole(zone: number, upper: upper, next: lower) }
      if lower < upper { throw .overlap(zone: number, upper: upper, next: lower) }
      bounds.append(lower)
    }
    try self.init(bounds: bounds)
  }

  /// Zones by where each but the first begins, in beats a minute.
  ///
  /// - Throws: `HeartRateZonesError` where they are too few or too many, do not rise, or lie out of range.
  public init(bounds: [UInt16]) throws(HeartRateZonesError) {
    guard Self.allowedCount.contains(bounds.count + 1) else { throw .count(bounds.count + 1) }
    for (number, bound) in zip(2..., bounds) {
      guard Self.allowedBounds.contains(bound) else { throw .outOfRange(zone: number, bound: Int(bound)) }
      if number > 2, bound <= bounds[number - 3] { throw .notRising(zone: number, bound: bound) }
    }
    self.bounds = bounds
  }

  public var count: Int { bounds.count + 1 }

  /// The zone of a heart rate, counted from 1.
  public func zone(of heartRate: UInt16) -> Int {
    1 + (bounds.firstIndex { heartRate < $0 } ?? bounds.count)
  }

  /// All zones, lowest first.
  public var zones: [Zone] {
    zip([nil] + bounds.map(Optional.some), bounds.map(Optional.some) + [nil]).map(Zone.init)
  }
}

/// Why a list of zones is refused.
public enum HeartRateZonesError: Error, Hashable, Sendable, CustomStringConvertible {
  case count(Int)
  case firstNotOpen
  case lastNotOpen
  /// A zone within the list has no lower or no upper bound.
  case open(zone: Int)
  /// Between a zone's end and the next one's beginning there are heart rates of no zone.
  case hole(zone: Int, upper: UInt16, next: UInt16)
  case overlap(zone: Int, upper: UInt16, next: UInt16)
  case notRising(zone: Int, bound: UInt16)
  case outOfRange(zone: Int, bound: Int)

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .count(let count): "there are \(count) zones"
    case .firstNotOpen: "zone 1 has a lower bound"
    case .lastNotOpen: "the last zone has an upper bound"
    case .open(let zone): "zone \(zone) is open where another zone follows"
    case .hole(let zone, let upper, let next): "zone \(zone) ends at \(upper), and zone \(zone + 1) begins at \(next)"
    case .overlap(let zone, let upper, let next):
      "zone \(zone) ends at \(upper), and zone \(zone + 1) begins before that, at \(next)"
    case .notRising(let zone, let bound): "zone \(zone) begins at \(bound), which is not above the one before it"
    case .outOfRange(let zone, let bound): "zone \(zone) begins at \(bound) beats a minute"
    }
  }

  /// What would be right.
  public static var allowed: String {
    let (count, bounds) = (HeartRateZones.allowedCount, HeartRateZones.allowedBounds)
    return "\(count.lowerBound) to \(count.upperBound) zones, each beginning where the one before it ends, "
      + "the first open below, the last open above, bounds rising from \(bounds.lowerBound) to \(bounds.upperBound)"
  }
}

// MARK: - As text

extension HeartRateZones {
  /// The bounds, parted by blanks: as strapd.conf(5) and the store have them.
  public var text: String { bounds.map(String.init).joined(separator: " ") }

  /// Reads bounds that are parted by blanks or commas; nil where they are no zones.
  public init?(text: String) {
    let words = text.split { $0 == " " || $0 == "," || $0 == "\t" }
    let bounds = words.compactMap { UInt16($0) }
    guard bounds.count == words.count else { return nil }
    do { try self.init(bounds: bounds) } catch { return nil }
  }
}
