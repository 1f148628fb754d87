import Measurements
import Workout

/// A heart rate for as long as it held: until the next one, at most ten seconds, and not beyond what ends it.
public struct HeldHeartRate: Hashable, Sendable {
  /// Beats a minute, 1 to 65535.
  public var heartRate: UInt16
  public var start: Tick
  /// The first tick at which it holds no more.
  public var end: Tick

  public init(heartRate: UInt16, start: Tick, end: Tick) {
    self.heartRate = heartRate
    self.start = start
    self.end = end
  }
}

/// The heart rate at a moment of a workout; nil where none is fresh.
public struct HeartRatePoint: Hashable, Sendable {
  public var tick: Tick
  /// Beats a minute.
  public var heartRate: UInt16?

  public init(tick: Tick, heartRate: UInt16?) {
    self.tick = tick
    self.heartRate = heartRate
  }
}

extension WorkoutFile {
  /// The heart rates of the running time, ascending and without overlap, each held as the workout's statistics hold it
  /// (`HeartRateStatistics`): a pause, a lost link, lost contact and the end end it.
  public var heldHeartRates: [HeldHeartRate] {
    var holds = HoldReading(end: workout.end.tick)
    var marks = DatedMark.marks(of: events)[...]
    for sample in samples {
      while let mark = marks.first, mark.precedes(sample) { holds.take(marks.removeFirst()) }
      holds.take(sample)
    }
    for mark in marks { holds.take(mark) }
    holds.cut(at: workout.end.tick)
    return holds.done
  }

  /// The heart rate at each whole second of the wall clock while it is fresh, ascending.
  public var heartRateSecondBySecond: [HeartRatePoint] {
    var points: [HeartRatePoint] = []
    for hold in heldHeartRates {
      forEachWholeSecond(from: hold.start, to: hold.end) {
        points.append(HeartRatePoint(tick: $0, heartRate: hold.heartRate))
      }
    }
    return points
  }

  /// The ticks from one on and before another whose dates are whole seconds.
  func forEachWholeSecond(from start: Tick, to end: Tick, _ body: (Tick) -> Void) {
    let perSecond: Int64 = 1_000_000_000
    let remainder = date(of: start).nanoseconds % perSecond
    let past = remainder < 0 ? remainder + perSecond : remainder
    var tick = past == 0 ? start : start + .nanoseconds(perSecond - past)
    while tick < end {
      body(tick)
      tick = tick + .seconds(1)
    }
  }
}

/// Goes through a workout as its builder does, and keeps how long each value held.
private struct HoldReading {
  var done: [HeldHeartRate] = []
  private let end: Tick
  private var open: (heartRate: UInt16, since: Tick)?
  private var isRunning = false
  private var isCollecting = true

  init(end: Tick) {
    self.end = end
  }

  mutating func take(_ sample: HeartRateSample) {
    guard isRunning, isCollecting else { return }
    if sample.measurement.contact == .notDetected { return cut(at: sample.tick) }
    guard sample.hasHeartRate else { return }
    cut(at: sample.tick)
    open = (sample.measurement.heartRate, sample.tick)
  }

  mutating func take(_ mark: DatedMark) {
    switch mark.mark {
    case .began, .resumed: isRunning = true
    case .paused, .ended:
      isRunning = false
      cut(at: mark.tick)
    case .linkLost: cut(at: mark.tick)
    case .collects(let types):
      isCollecting = types.contains(.heartRate)
      if !isCollecting { cut(at: mark.tick) }
    case .lapBegan, .lapEnded, .activityBegan, .activityEnded: break
    }
  }

  mutating func cut(at tick: Tick) {
    guard let value = open else { return }
    open = nil
    let end = min(tick, value.since + HeartRateStatistics.longestHold, end)
    if end > value.since { done.append(HeldHeartRate(heartRate: value.heartRate, start: value.since, end: end)) }
  }
}
