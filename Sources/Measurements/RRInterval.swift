/// The time between two R waves, as the strap sends it: whole ticks of 1/1024 s (HRS 1.0, section 3.1.1.4), 0 to 64 s.
///
/// The ticks are what is stored; other units are for showing and for placing beats.
public struct RRInterval: Hashable, Sendable {
  /// Ticks of 1/1024 s.
  public var ticks1024: UInt16

  public init(ticks1024: UInt16) {
    self.ticks1024 = ticks1024
  }

  /// The interval in milliseconds, exact: a multiple of 125/128 ms fits a Double.
  public var milliseconds: Double {
    Double(ticks1024) * 1000 / 1024
  }

  /// The interval in nanoseconds, rounded down by at most half a nanosecond.
  public var nanoseconds: Int64 {
    Int64(ticks1024) * 1_953_125 / 2
  }
}
