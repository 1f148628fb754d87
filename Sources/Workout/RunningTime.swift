import Measurements

/// The sum of a workout's running intervals, exact to the nanosecond, in constant memory however many pauses there are.
public struct RunningTime: Hashable, Sendable {
  private var closed = Duration.zero
  private var runningSince: Tick?

  public init() {}

  public var isRunning: Bool { runningSince != nil }

  public mutating func run(at tick: Tick) {
    if runningSince == nil { runningSince = tick }
  }

  public mutating func halt(at tick: Tick) {
    closed = elapsed(at: tick)
    runningSince = nil
  }

  /// The running time up to a tick.
  public func elapsed(at tick: Tick) -> Duration {
    closed + (runningSince.map { max(.zero, tick - $0) } ?? .zero)
  }

  /// When the running time comes to a span, if it goes on; nil while it does not.
  public func tick(whenElapsed span: Duration) -> Tick? {
    runningSince.map { $0 + max(.zero, span - closed) }
  }
}
