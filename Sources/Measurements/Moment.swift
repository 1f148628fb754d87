/// Both clocks, read once when the loop woke up: the last argument of everything that depends on time.
public struct Moment: Hashable, Sendable {
  /// The boot clock, for order, durations and deadlines.
  public var tick: Tick
  /// The wall clock, for labels.
  public var wall: WallTime
  /// Whether the kernel takes the wall clock to be right (set by a time server, and not set otherwise since).
  public var isSynchronised: Bool

  public init(tick: Tick, wall: WallTime, isSynchronised: Bool = true) {
    self.tick = tick
    self.wall = wall
    self.isSynchronised = isSynchronised
  }

  /// The wall time to write beside another tick of the same boot, by the clock as it is set now.
  public func wall(at other: Tick) -> WallTime {
    wall + (other - tick)
  }

  /// The tick that a wall time means, by the clock as it is set now.
  public func tick(at other: WallTime) -> Tick {
    tick + (other - wall)
  }

  /// By how much the wall clock has gone farther than the boot clock since another moment of the same boot: what it was
  /// set by, and what it drifts.
  public func drift(since other: Moment) -> Duration {
    (wall - other.wall) - (tick - other.tick)
  }

  /// By how much the wall clock was set since another moment of the same boot; nil where it has only drifted or was
  /// slewed, which no time server does by less than it steps.
  ///
  /// - Parameter wasSet: whether the kernel has said that it was set, or nobody has looked for long. A small step is then
  ///   told from drift (0.1 %, twice what the kernel's own slewing does); else, since chrony slews by up to 8 %, only a
  ///   large one.
  public func step(since other: Moment, wasSet: Bool) -> Duration? {
    let span = max(.zero, tick - other.tick)
    let slack = wasSet ? .milliseconds(50) + span / 1000 : .milliseconds(100) + span / 10
    let drift = drift(since: other)
    return drift > slack || drift < .zero - slack ? drift : nil
  }
}
