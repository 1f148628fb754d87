import Measurements

/// Heart rate over the counted time, each value held until the next, at most ten seconds.
///
/// All sums are whole numbers, so that feeding sample by sample and computing at once give the same bits.
public struct HeartRateStatistics: Hashable, Sendable {
  /// How long a value counts at most when nothing follows it.
  public static let longestHold = Duration.seconds(10)

  /// Counted values.
  public private(set) var count = 0
  /// Beats a minute.
  public private(set) var minimum: UInt16?
  /// Beats a minute.
  public private(set) var maximum: UInt16?
  /// The last counted value and when it was received.
  public private(set) var mostRecent: Value?
  /// Beats a minute times nanoseconds, of the holds that are closed.
  private var weightedSum: Int128 = 0
  /// Nanoseconds, of the holds that are closed.
  private var closedNanoseconds: Int64 = 0
  /// Whether the most recent value still holds.
  private var isOpen = false

  public struct Value: Hashable, Sendable {
    public var heartRate: UInt16
    public var tick: Tick
  }

  public init() {}

  /// Counts a value, 1 to 65535 beats a minute.
  public mutating func add(_ heartRate: UInt16, at tick: Tick) {
    cut(at: tick)
    count += 1
    minimum = min(minimum ?? heartRate, heartRate)
    maximum = max(maximum ?? heartRate, heartRate)
    mostRecent = Value(heartRate: heartRate, tick: tick)
    isOpen = true
  }

  /// Ends the hold of the last value: a pause, lost contact, a disconnect or the end.
  public mutating func cut(at tick: Tick) {
    let held = openHold(at: tick)
    closedNanoseconds += held
    weightedSum += Int128(held) * Int128(mostRecent?.heartRate ?? 0)
    isOpen = false
  }

  /// The time for which a value held, up to a tick.
  public func covered(at tick: Tick) -> Duration {
    .nanoseconds(closedNanoseconds + openHold(at: tick))
  }

  /// The average weighted by time, in beats a minute, up to a tick; nil before the first value. While no time is
  /// covered, at the very moment of the first value, it is that value.
  public func average(at tick: Tick) -> Double? {
    guard let mostRecent else { return nil }
    let open = openHold(at: tick)
    let covered = closedNanoseconds + open
    guard covered > 0 else { return Double(mostRecent.heartRate) }
    return Double(weightedSum + Int128(open) * Int128(mostRecent.heartRate)) / Double(covered)
  }

  private func openHold(at tick: Tick) -> Int64 {
    guard isOpen, let mostRecent else { return 0 }
    return min(max(.zero, tick - mostRecent.tick), Self.longestHold).wholeNanoseconds
  }
}
