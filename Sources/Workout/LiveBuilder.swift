import Measurements

/// Collects a running workout's samples into statistics (HKLiveWorkoutBuilder).
///
/// It takes marks and samples in the order of their ticks. Fed live or from the store, it comes to the same value;
/// that is how a workout is recovered, and computed again after a start or stop with a past date.
public struct LiveBuilder: Hashable, Sendable {
  public private(set) var heartRate = HeartRateStatistics()
  /// RR intervals that are beats, of counted time and not sent with contact lost.
  public private(set) var rrCount = 0
  public private(set) var energy = EnergyStatistics()
  /// The last sample of counted time.
  public private(set) var lastSample: Tick?
  private var runningTime = RunningTime()
  private var phase = Phase.idle

  private enum Phase: Hashable, Sendable {
    /// Nothing counts yet. Leaves to: collecting.
    case idle
    /// Samples count while the running time runs. Leaves to: ended.
    case collecting(since: Tick)
    /// Nothing counts any more. Leaves to: nothing.
    case ended(since: Tick, at: Tick)
  }

  public init() {}

  /// When collection began, once it has.
  public var start: Tick? {
    switch phase {
    case .idle: nil
    case .collecting(let since): since
    case .ended(let since, _): since
    }
  }

  /// When collection ended, once it has.
  public var end: Tick? {
    if case .ended(_, let tick) = phase { tick } else { nil }
  }

  /// Takes what happened to the session at a tick.
  ///
  /// - Throws: `BuilderError` where the order is wrong; the builder stays as it is and usable.
  public mutating func take(_ mark: Mark, at tick: Tick) throws(BuilderError) {
    switch (mark, phase) {
    case (.began, .idle):
      phase = .collecting(since: tick)
      runningTime.run(at: tick)
    case (.paused, .collecting):
      heartRate.cut(at: tick)
      energy.cut()
      runningTime.halt(at: tick)
    case (.resumed, .collecting):
      runningTime.run(at: tick)
    case (.linkLost, .collecting):
      heartRate.cut(at: tick)
    case (.linkLost, .idle), (.linkLost, .ended):
      break
    case (.ended, .collecting(let since)):
      heartRate.cut(at: tick)
      runningTime.halt(at: tick)
      phase = .ended(since: since, at: tick)
    case (.began, _), (.paused, _), (.resumed, _), (.ended, _):
      throw BuilderError(mark: mark, start: start, end: end)
    }
  }

  /// Counts a sample if it is of counted time; a sample outside is left alone.
  ///
  /// - Returns: whether it was of counted time.
  @discardableResult
  public mutating func add(_ sample: HeartRateSample) -> Bool {
    guard case .collecting(let since) = phase, runningTime.isRunning, sample.tick >= since else { return false }
    lastSample = sample.tick
    if sample.measurement.contact == .notDetected {
      heartRate.cut(at: sample.tick)
      return true
    }
    rrCount += sample.beatCount
    if let reading = sample.measurement.energyKilojoules { energy.add(reading) }
    if sample.hasHeartRate { heartRate.add(sample.measurement.heartRate, at: sample.tick) }
    return true
  }

  /// The running time, pauses left out.
  public func elapsed(at tick: Tick) -> Duration {
    runningTime.elapsed(at: tick)
  }

  /// The time from start to end, or to a tick while there is no end.
  public func wall(at tick: Tick) -> Duration {
    guard let start else { return .zero }
    return max(.zero, (end ?? tick) - start)
  }
}

/// What happens to a session that its statistics depend on.
public enum Mark: String, Hashable, Sendable, CaseIterable {
  case began, paused, resumed, linkLost, ended
}

/// A mark and its place among a session's samples.
public struct DatedMark: Hashable, Sendable {
  public var mark: Mark
  public var tick: Tick
  /// The number of its event, which tells it from samples of the same tick. An end, and a mark whose date a client has
  /// given, go before them all: a sample at such a start counts, one at the end does not.
  public var sequence: Int64

  public init(_ mark: Mark, at tick: Tick, sequence: Int64) {
    self.mark = mark
    self.tick = tick
    self.sequence = sequence
  }

  /// The mark that an event makes, if it makes one.
  public init?(_ event: EventRecord) {
    switch event.what {
    case .transition(let transition):
      guard let mark = Mark(transition) else { return nil }
      let isFirst = transition.at.isRequested || mark == .ended
      self.init(mark, at: transition.at.tick, sequence: isFirst ? .min : event.sequence)
    case .linkLost: self.init(.linkLost, at: event.at.tick, sequence: event.sequence)
    case .recovered(let lastAlive):
      // What the daemon did not live to see is not known: the last value holds until it was last alive, and no longer.
      self.init(.linkLost, at: lastAlive.tick, sequence: event.sequence)
    case .availability, .gap: return nil
    }
  }

  /// Whether it comes before a sample.
  public func precedes(_ sample: HeartRateSample) -> Bool {
    (tick, sequence) < (sample.tick, sample.sequence)
  }
}

extension Mark {
  /// The mark that a transition makes, if it makes one.
  public init?(_ transition: Transition) {
    switch (transition.from, transition.to) {
    case (.paused, .running): self = .resumed
    case (_, .running): self = .began
    case (_, .paused): self = .paused
    case (_, .stopped): self = .ended
    case (_, .notStarted), (_, .prepared), (_, .ended): return nil
    }
  }
}

/// A call to the builder in the wrong order.
public struct BuilderError: Error, Hashable, Sendable, CustomStringConvertible {
  public var mark: Mark
  public var start: Tick?
  public var end: Tick?

  public var description: String {
    let phase = end != nil ? "has ended" : start != nil ? "is under way" : "has not begun"
    return "the workout builder cannot take '\(mark)' while its collection \(phase)"
  }
}
