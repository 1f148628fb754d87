/// A moment on this machine's boot clock, in nanoseconds (CLOCK_BOOTTIME: suspend included, see clock_gettime(2)).
///
/// All order, durations and deadlines are made of ticks. A tick may be negative: it then names a moment before
/// this boot, laid onto its axis by way of the wall clock.
public struct Tick: Hashable, Comparable, Sendable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (a: Tick, b: Tick) -> Bool {
    a.nanoseconds < b.nanoseconds
  }

  /// Held within what 64 bits can say: a date of the year 1700, sent by a client, must not end the daemon.
  public static func + (tick: Tick, span: Duration) -> Tick {
    Tick(nanoseconds: tick.nanoseconds.addingHeld(span.wholeNanoseconds))
  }

  /// Held within what 64 bits can say.
  public static func - (tick: Tick, span: Duration) -> Tick {
    Tick(nanoseconds: tick.nanoseconds.subtractingHeld(span.wholeNanoseconds))
  }

  /// Exact, however far apart the two are.
  public static func - (a: Tick, b: Tick) -> Duration {
    .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
  }
}

extension Int64 {
  /// The sum, or the nearest that 64 bits can say.
  func addingHeld(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest that 64 bits can say.
  func subtractingHeld(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero and held within what 64 bits can say (292 years).
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return product.addingHeld(attoseconds / 1_000_000_000)
  }

  /// The duration in seconds, as a fraction.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
