import Measurements

/// The sum of a workout's running intervals, exact to the nanosecond, in constant memory however many pauses there are.
public struct RunningTime: Hashable, Sendable {
  private var closedNanoseconds: Int64 = 0
  private var runningSince: Tick?

  public init() {}

  public var isRunning: Bool { runningSince != nil }

  public mutating func run(at tick: Tick) {
    if runningSince == nil { runningSince = tick }
  }

  public mutating func halt(at tick: Tick) {
    closedNanoseconds = elapsed(at: tick).wholeNanoseconds
    runningSince = nil
  }

  /// The running time up to a tick.
  public func elapsed(at tick: Tick) -> Duration {
    let open = runningSince.map { max(0, tick.nanoseconds - $0.nanoseconds) } ?? 0
    return .nanoseconds(closedNanoseconds + open)
  }
}
