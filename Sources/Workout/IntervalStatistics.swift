import Measurements

/// What is counted over one stretch of a workout: the whole, a lap, or an activity.
public struct IntervalStatistics: Hashable, Sendable {
  /// When the stretch begins.
  public let start: Tick
  /// When it ended, once it has.
  public private(set) var end: Tick?
  public private(set) var heartRate: HeartRateStatistics
  /// RR intervals that are beats, of counted time and not sent with contact lost.
  public private(set) var rrCount = 0
  public private(set) var energy = EnergyStatistics()
  private(set) var runningTime = RunningTime()

  /// A stretch that begins with the workout itself.
  public init(start: Tick, zones: HeartRateZones? = nil) {
    self.start = start
    heartRate = HeartRateStatistics(zones: zones)
    runningTime.run(at: start)
  }

  /// A stretch that begins at a tick within this one.
  public func continued(at tick: Tick) -> IntervalStatistics {
    var next = IntervalStatistics(start: tick, zones: heartRate.zones)
    next.heartRate = heartRate.continued(at: tick)
    next.energy = energy.continued()
    if !isRunning { next.runningTime = RunningTime() }
    return next
  }

  public var isRunning: Bool { runningTime.isRunning }

  mutating func run(at tick: Tick) {
    runningTime.run(at: tick)
  }

  mutating func halt(at tick: Tick) {
    heartRate.cut(at: tick)
    energy.cut()
    runningTime.halt(at: tick)
  }

  /// Ends the hold of the last heart rate.
  mutating func cut(at tick: Tick) {
    heartRate.cut(at: tick)
  }

  mutating func cutEnergy() {
    energy.cut()
  }

  mutating func close(at tick: Tick) {
    heartRate.cut(at: tick)
    runningTime.halt(at: tick)
    end = tick
  }

  /// Counts a sample of running time, as far as its kinds are collected.
  mutating func add(_ sample: HeartRateSample, collecting types: Set<CollectedType>) {
    if types.contains(.activeEnergyBurned), let reading = sample.measurement.energyKilojoules,
      sample.measurement.contact != .notDetected
    {
      energy.add(reading)
    }
    guard types.contains(.heartRate) else { return }
    if sample.measurement.contact == .notDetected { return heartRate.cut(at: sample.tick) }
    rrCount += sample.beatCount
    if sample.hasHeartRate { heartRate.add(sample.measurement.heartRate, at: sample.tick) }
  }

  /// What has been counted up to a tick, or up to the end where there is one.
  public func summary(at tick: Tick) -> IntervalSummary {
    let tick = end ?? tick
    return IntervalSummary(
      elapsed: runningTime.elapsed(at: tick), wall: max(.zero, tick - start),
      heartRate: HeartRateSummary(heartRate, at: tick), rrCount: rrCount, energyKilojoules: energy.kilojoules)
  }
}

/// What was counted over one stretch of a workout, as it is shown and saved.
public struct IntervalSummary: Hashable, Sendable {
  /// Running time.
  public var elapsed: Duration
  /// Time from start to end.
  public var wall: Duration
  /// nil where no sample counted, and none of before went on to hold.
  public var heartRate: HeartRateSummary?
  public var rrCount: Int
  /// nil where the strap has no counter.
  public var energyKilojoules: Int?

  public init(
    elapsed: Duration, wall: Duration, heartRate: HeartRateSummary?, rrCount: Int, energyKilojoules: Int? = nil
  ) {
    self.elapsed = elapsed
    self.wall = wall
    self.heartRate = heartRate
    self.rrCount = rrCount
    self.energyKilojoules = energyKilojoules
  }
}
