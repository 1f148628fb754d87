import Measurements

/// Which levels of a strap's battery have been told of, so that each is told once on the way down.
public struct LowBattery: Hashable, Sendable {
  /// At or below each of these percentages a strap's battery is worth a word.
  public static let thresholds: [UInt8] = [20, 10, 5]
  /// So many points above a threshold the level has to rise before that threshold is told of again: levels flutter, and
  /// a battery recovers a little while it rests.
  public static let recovery: UInt8 = 5

  /// The lowest threshold that was told of and is not armed again; those above it are not either.
  public private(set) var told: UInt8?

  /// - Parameter told: one of the thresholds; anything else counts as nil.
  public init(told: UInt8? = nil) {
    self.told = told.flatMap { Self.thresholds.contains($0) ? $0 : nil }
  }

  /// Takes a level as it was read, whether or not it is news.
  ///
  /// - Returns: the lowest threshold that it has come down to, if that is to be told: one for a fall through several.
  public mutating func take(_ level: BatteryLevel) -> UInt8? {
    while let lowest = told, level.percent >= lowest + Self.recovery {
      told = Self.thresholds.filter { $0 > lowest }.min()
    }
    guard let reached = Self.thresholds.filter({ level.percent <= $0 }).min(), reached < told ?? .max else {
      return nil
    }
    told = reached
    return reached
  }
}
