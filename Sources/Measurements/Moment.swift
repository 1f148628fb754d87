/// Both clocks, read once when the loop woke up: the last argument of everything that depends on time.
public struct Moment: Hashable, Sendable {
  /// The boot clock, for order, durations and deadlines.
  public var tick: Tick
  /// The wall clock, for labels.
  public var wall: WallTime

  public init(tick: Tick, wall: WallTime) {
    self.tick = tick
    self.wall = wall
  }

  /// The wall time to write beside another tick of the same boot, by the clock as it is set now.
  public func wall(at other: Tick) -> WallTime {
    wall + (other - tick)
  }

  /// The tick that a wall time means, by the clock as it is set now.
  public func tick(at other: WallTime) -> Tick {
    tick + (other - wall)
  }
}
