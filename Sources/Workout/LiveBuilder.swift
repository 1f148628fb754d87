import Measurements

/// Collects a running workout's samples into statistics (HKLiveWorkoutBuilder): of the whole, of each lap and of each
/// activity.
///
/// It takes marks and samples in the order of their ticks. Fed live or from the store, it comes to the same value;
/// that is how a workout is recovered, and computed again after a start or stop with a past date.
public struct LiveBuilder: Hashable, Sendable {
  /// The last sample of counted time.
  public private(set) var lastSample: Tick?
  /// The stretch since the last lap's end, or since the start; nil before the start.
  public private(set) var currentLap: IntervalStatistics?
  /// Laps that are closed, by the numbers of their events.
  public private(set) var laps: [Int64: IntervalStatistics] = [:]
  /// The activity that is under way.
  public private(set) var currentActivity: Part?
  /// Activities that have ended, by the numbers of the events that began them.
  public private(set) var activities: [Int64: IntervalStatistics] = [:]
  /// The statistics of the whole workout; nil before the start, with an end once collection has ended.
  public private(set) var whole: IntervalStatistics?
  private let zones: HeartRateZones?
  private var types: Set<CollectedType>
  /// A lap that does not begin where the one before it ends.
  private var separateLap: Part?

  /// A stretch that is not over.
  public struct Part: Hashable, Sendable {
    /// The number of the event that began it.
    public var number: Int64
    public var statistics: IntervalStatistics
  }

  private enum Phase: Hashable, Sendable {
    /// Nothing counts yet. Leaves to: collecting.
    case idle
    /// Samples count while the running time runs. Leaves to: ended.
    case collecting(IntervalStatistics)
    /// Nothing counts any more. Leaves to: nothing.
    case ended(at: Tick)
  }

  private var phase: Phase {
    guard let whole else { return .idle }
    return whole.end.map { .ended(at: $0) } ?? .collecting(whole)
  }

  /// - Parameter types: what is collected, until a mark says otherwise.
  public init(zones: HeartRateZones? = nil, collecting types: Set<CollectedType> = Set(CollectedType.allCases)) {
    self.zones = zones
    self.types = types
  }

  /// When collection began, once it has.
  public var start: Tick? { whole?.start }

  /// When collection ended, once it has.
  public var end: Tick? { whole?.end }

  public var heartRate: HeartRateStatistics { whole?.heartRate ?? HeartRateStatistics(zones: zones) }

  /// RR intervals that are beats, of counted time and not sent with contact lost.
  public var rrCount: Int { whole?.rrCount ?? 0 }

  public var energy: EnergyStatistics { whole?.energy ?? EnergyStatistics() }

  /// The running time, to ask when it will have come to something.
  public var runningTime: RunningTime { whole?.runningTime ?? RunningTime() }

  /// The running time, pauses left out.
  public func elapsed(at tick: Tick) -> Duration {
    runningTime.elapsed(at: tick)
  }

  /// The time from start to end, or to a tick while there is no end.
  public func wall(at tick: Tick) -> Duration {
    guard let whole else { return .zero }
    return max(.zero, (whole.end ?? tick) - whole.start)
  }
}

// MARK: - Feeding

extension LiveBuilder {
  /// Takes what happened to the session at a tick.
  ///
  /// - Throws: `BuilderError` where the order is wrong; the builder stays as it is and usable.
  public mutating func take(_ mark: Mark, at tick: Tick) throws(BuilderError) {
    switch (mark, phase) {
    case (.collects(let types), _): collect(types, at: tick)
    case (.began, .idle):
      whole = IntervalStatistics(start: tick, zones: zones)
      currentLap = whole
    case (.paused, .collecting): onAllOpen { $0.halt(at: tick) }
    case (.resumed, .collecting): onAllOpen { $0.run(at: tick) }
    case (.linkLost, .collecting): onAllOpen { $0.cut(at: tick) }
    case (.linkLost, .idle), (.linkLost, .ended): break
    case (.lapBegan(let number), .collecting(let whole)):
      separateLap = Part(number: number, statistics: whole.continued(at: tick))
    case (.lapEnded(let number), .collecting(let whole)):
      closeLap(number, at: tick)
      currentLap = whole.continued(at: tick)
    case (.activityBegan(let number), .collecting(let whole)):
      closeActivity(at: tick)
      currentActivity = Part(number: number, statistics: whole.continued(at: tick))
    case (.activityEnded, .collecting): closeActivity(at: tick)
    case (.ended, .collecting):
      if let number = separateLap?.number { closeLap(number, at: tick) }
      closeActivity(at: tick)
      onAllOpen { $0.close(at: tick) }
      if currentLap?.start == tick { currentLap = nil }
    case (.lapEnded(let number), .ended(tick)):
      // The stretch from the last lap to the end can be made a lap when the end is known.
      laps[number] = currentLap
      currentLap = nil
    case (.began, _), (.paused, _), (.resumed, _), (.ended, _), (.lapBegan, _), (.lapEnded, _), (.activityBegan, _),
      (.activityEnded, _):
      throw BuilderError(mark: mark, start: start, end: end)
    }
  }

  /// Counts a sample if it is of counted time; a sample outside is left alone.
  ///
  /// - Returns: whether it was of counted time, with its type collected.
  @discardableResult
  public mutating func add(_ sample: HeartRateSample) -> Bool {
    guard let start, runningTime.isRunning, sample.tick >= start else { return false }
    lastSample = sample.tick
    onAllOpen { [types] in $0.add(sample, collecting: types) }
    return types.contains(.heartRate)
  }

  private mutating func collect(_ types: Set<CollectedType>, at tick: Tick) {
    if !types.contains(.heartRate) { onAllOpen { $0.cut(at: tick) } }
    if !types.contains(.activeEnergyBurned) { onAllOpen { $0.cutEnergy() } }
    self.types = types
  }

  private mutating func closeLap(_ number: Int64, at tick: Tick) {
    let isSeparate = separateLap?.number == number
    var lap = isSeparate ? separateLap?.statistics : currentLap
    lap?.close(at: tick)
    laps[number] = lap
    if isSeparate { separateLap = nil }
  }

  private mutating func closeActivity(at tick: Tick) {
    guard var activity = currentActivity else { return }
    activity.statistics.close(at: tick)
    activities[activity.number] = activity.statistics
    currentActivity = nil
  }

  private mutating func onAllOpen(_ change: (inout IntervalStatistics) -> Void) {
    whole.modify(change)
    currentLap.modify(change)
    currentActivity.modify { change(&$0.statistics) }
    separateLap.modify { change(&$0.statistics) }
  }
}

// MARK: - By type

extension LiveBuilder {
  /// The types of which a sample has counted.
  public var collectedTypes: Set<CollectedType> {
    var types: Set<CollectedType> = []
    if heartRate.count > 0 { types.insert(.heartRate) }
    if energy.kilojoules != nil { types.insert(.activeEnergyBurned) }
    return types
  }

  /// The statistics of a type up to a tick; nil where no sample of it has counted.
  public func statistics(for type: CollectedType, at tick: Tick) -> TypeStatistics? {
    switch type {
    case .heartRate: HeartRateSummary(heartRate, at: end ?? tick).map(TypeStatistics.heartRate)
    case .activeEnergyBurned: energy.kilojoules.map(TypeStatistics.energy)
    case .stepCount, .runningSpeed, .distanceWalkingRunning, .cyclingCadence, .cyclingSpeed, .distanceCycling: nil
    }
  }
}

extension Optional {
  /// Changes the value in its place: a copy beside it would have its arrays copied with each sample.
  fileprivate mutating func modify(_ change: (inout Wrapped) -> Void) {
    guard var value = self else { return }
    self = nil
    change(&value)
    self = value
  }
}
