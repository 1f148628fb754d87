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

  // A client may send the year 1678, 348 years back: no arithmetic on ticks or dates may trap on what 64 bits cannot say.

  public static func + (tick: Tick, span: Duration) -> Tick {
    Tick(nanoseconds: (.nanoseconds(tick.nanoseconds) + span).wholeNanoseconds)
  }

  public static func - (tick: Tick, span: Duration) -> Tick {
    tick + (.zero - span)
  }

  public static func - (a: Tick, b: Tick) -> Duration {
    .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero and held within what 64 bits can say (292 years).
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    if carried { return seconds < 0 ? .min : .max }
    return sum
  }

  /// The duration in seconds, as a fraction.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
