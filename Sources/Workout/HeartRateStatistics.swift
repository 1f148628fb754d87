import Measurements

/// Heart rate over the counted time, each value held until the next, at most ten seconds.
///
/// All sums are whole numbers, so that feeding sample by sample and computing at once give the same bits. The time in
/// each zone is made of the same holds, so that it adds up to the time covered.
public struct HeartRateStatistics: Hashable, Sendable {
  /// How long a value counts at most when nothing follows it.
  public static let longestHold = Duration.seconds(10)

  /// The zones that the time is told by; nil where there are none.
  public let zones: HeartRateZones?
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
  /// The same by zone, lowest first; none without zones.
  private var zoneNanoseconds: [Int64]
  /// The value that still holds.
  private var open: Hold?

  public struct Value: Hashable, Sendable {
    public var heartRate: UInt16
    public var tick: Tick
  }

  /// A value and from when on it counts here: from its receipt, or from the beginning of what these statistics are of.
  private struct Hold: Hashable, Sendable {
    var value: Value
    var since: Tick

    func span(to tick: Tick) -> Int64 {
      let end = min(tick, value.tick + HeartRateStatistics.longestHold)
      return max(.zero, end - since).wholeNanoseconds
    }
  }

  public init(zones: HeartRateZones? = nil) {
    self.zones = zones
    zoneNanoseconds = [Int64](repeating: 0, count: zones?.count ?? 0)
  }

  /// Counts a value, 1 to 65535 beats a minute.
  public mutating func add(_ heartRate: UInt16, at tick: Tick) {
    cut(at: tick)
    let value = Value(heartRate: heartRate, tick: tick)
    count += 1
    extend(to: value)
    open = Hold(value: value, since: tick)
  }

  /// Ends the hold of the last value: a pause, lost contact, a disconnect or the end.
  public mutating func cut(at tick: Tick) {
    guard let hold = open else { return }
    open = nil
    let span = hold.span(to: tick)
    guard span > 0 else { return }
    closedNanoseconds += span
    weightedSum += Int128(span) * Int128(hold.value.heartRate)
    if let zones { zoneNanoseconds[zones.zone(of: hold.value.heartRate) - 1] += span }
    extend(to: hold.value)
  }

  /// Statistics that begin at a tick within these: a value that holds then goes on to hold in them, and has a part in
  /// their average, so that the parts of a workout add up to the whole; it is not counted again.
  public func continued(at tick: Tick) -> HeartRateStatistics {
    var next = HeartRateStatistics(zones: zones)
    if let open, open.value.tick + Self.longestHold > tick { next.open = Hold(value: open.value, since: tick) }
    return next
  }

  private mutating func extend(to value: Value) {
    minimum = min(minimum ?? value.heartRate, value.heartRate)
    maximum = max(maximum ?? value.heartRate, value.heartRate)
    mostRecent = value
  }

  /// The time for which a value held, up to a tick.
  public func covered(at tick: Tick) -> Duration {
    .nanoseconds(closedNanoseconds + (open?.span(to: tick) ?? 0))
  }

  /// The time in each zone, lowest first, up to a tick; none where there are no zones.
  public func timeInZones(at tick: Tick) -> [Duration] {
    var settled = self
    settled.cut(at: tick)
    return settled.zoneNanoseconds.map { .nanoseconds($0) }
  }

  /// The average weighted by time, in beats a minute, up to a tick; nil before the first value. While no time is
  /// covered, at the very moment of the first value, it is that value.
  public func average(at tick: Tick) -> Double? {
    let openSpan = open?.span(to: tick) ?? 0
    let covered = closedNanoseconds + openSpan
    guard covered > 0 else { return mostRecent.map { Double($0.heartRate) } }
    return Double(weightedSum + Int128(openSpan) * Int128(open?.value.heartRate ?? 0)) / Double(covered)
  }

  /// The zone of the last counted value, counted from 1.
  public var zone: Int? {
    mostRecent.flatMap { value in zones?.zone(of: value.heartRate) }
  }
}
