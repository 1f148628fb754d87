import Measurements

/// Watches a session's goals and alerts: says what is due at a tick, and when to ask again.
///
/// A heart rate is so for as long as the statistics let it hold. An alert that is on is told once, and goes off when its
/// condition has not been so for as long as it must be so to go on: a heart rate at the limit rings once, not with each
/// beat. While no heart rate holds nothing is known, and the time of a condition begins anew.
public struct AlertMonitor: Hashable, Sendable {
  private var alerts: [Watched] = []
  private var goals: [WatchedGoal] = []
  /// The value that holds, and when it was received.
  private var last: HeartRateStatistics.Value?

  private struct Watched: Hashable, Sendable {
    var alert: WorkoutAlert
    /// Whether its condition was last told to be so.
    var isOn = false
    /// Since when the condition is other than was told, without a break.
    var changingSince: Tick?
    /// For those that come again and again: the running time of the next.
    var next: Duration?
  }

  private struct WatchedGoal: Hashable, Sendable {
    var goal: WorkoutGoal
    var isReached = false
  }

  /// What is to be told.
  public enum Due: Hashable, Sendable {
    case alert(WorkoutAlert, isOn: Bool)
    case goal(WorkoutGoal)
  }

  public init() {}

  /// Watches these goals from now on; those that were watched before keep what they have come to.
  public mutating func set(goals new: [WorkoutGoal]) {
    let reached = goals.filter(\.isReached).map(\.goal)
    goals = new.map { WatchedGoal(goal: $0, isReached: reached.contains($0)) }
  }

  /// Watches these alerts from now on; those that were watched before keep their state.
  public mutating func set(alerts new: [WorkoutAlert], elapsed: Duration) {
    alerts = new.map { alert in
      if let known = alerts.first(where: { $0.alert == alert }) { return known }
      var watched = Watched(alert: alert)
      watched.next = alert.firstDue(after: elapsed)
      return watched
    }
  }

  /// The alerts that are on: told to be so, and not yet to be so no more.
  public var alertsOn: [WorkoutAlert] { alerts.filter(\.isOn).map(\.alert) }

  /// What was told by an earlier life of the daemon is not told again.
  public mutating func wasTold(_ due: Due) {
    switch due {
    case .goal(let goal):
      for index in goals.indices where goals[index].goal == goal { goals[index].isReached = true }
    case .alert(let alert, let isOn):
      for index in alerts.indices where alerts[index].alert == alert { alerts[index].isOn = isOn }
    }
  }

  /// What came again and again in the time of an earlier life is not told now.
  public mutating func skip(to elapsed: Duration) {
    for index in alerts.indices { alerts[index].next = alerts[index].alert.firstDue(after: elapsed) }
  }
}

// MARK: - What happens

extension AlertMonitor {
  /// A value has counted.
  public mutating func take(_ heartRate: UInt16, _ zones: HeartRateZones?, at tick: Tick) {
    if let last, tick - last.tick > HeartRateStatistics.longestHold { cut() }
    last = HeartRateStatistics.Value(heartRate: heartRate, tick: tick)
    for index in alerts.indices {
      guard let isSo = alerts[index].alert.isSo(heartRate, zones) else { continue }
      if isSo == alerts[index].isOn {
        alerts[index].changingSince = nil
      } else if alerts[index].changingSince == nil {
        alerts[index].changingSince = tick
      }
    }
  }

  /// No heart rate holds any more: a pause, lost contact, a disconnect.
  public mutating func cut() {
    last = nil
    for index in alerts.indices { alerts[index].changingSince = nil }
  }

  /// What is due at a tick, each once.
  public mutating func takeDue(_ running: RunningTime, energyKilojoules: Int?, at tick: Tick) -> [Due] {
    guard running.isRunning else { return [] }
    let elapsed = running.elapsed(at: tick)
    var due: [Due] = []
    for index in goals.indices where !goals[index].isReached {
      let isReached =
        switch goals[index].goal {
        case .duration(let span): elapsed >= span
        case .energy(let kilojoules): energyKilojoules.map { $0 >= kilojoules } ?? false
        }
      guard isReached else { continue }
      goals[index].isReached = true
      due.append(.goal(goals[index].goal))
    }
    for index in alerts.indices {
      if let next = alerts[index].next, next <= elapsed {
        due.append(.alert(alerts[index].alert, isOn: true))
        alerts[index].next = alerts[index].alert.firstDue(after: elapsed)
      }
      guard let change = change(of: alerts[index], running), change <= tick else { continue }
      alerts[index].isOn.toggle()
      alerts[index].changingSince = nil
      due.append(.alert(alerts[index].alert, isOn: alerts[index].isOn))
    }
    return due
  }

  /// When something is due next, if nothing else happens.
  public func next(_ running: RunningTime) -> Tick? {
    guard running.isRunning else { return nil }
    let goals = goals.compactMap { watched -> Tick? in
      guard !watched.isReached, case .duration(let span) = watched.goal else { return nil }
      return running.tick(whenElapsed: span)
    }
    let alerts = alerts.flatMap { watched in
      [change(of: watched, running), watched.next.flatMap { running.tick(whenElapsed: $0) }].compactMap { $0 }
    }
    return (goals + alerts).min()
  }

  /// When an alert goes on or off, if the value that holds now is the last one; nil where it does not.
  private func change(of watched: Watched, _ running: RunningTime) -> Tick? {
    guard let since = watched.changingSince, let last,
      let allowed = running.tick(whenElapsed: watched.alert.initialDelay)
    else { return nil }
    let change = max(since + watched.alert.debounce, watched.isOn ? since : allowed)
    return change - last.tick <= HeartRateStatistics.longestHold ? change : nil
  }
}

extension WorkoutAlert {
  /// The running time at which one that comes again and again comes next: whole intervals from the start, and none before
  /// the initial delay.
  fileprivate func firstDue(after elapsed: Duration) -> Duration? {
    guard case .every(let interval) = kind else { return nil }
    let after = max(elapsed, initialDelay - .nanoseconds(1)).wholeNanoseconds
    let span = interval.wholeNanoseconds
    return .nanoseconds((max(after, 0) / span + 1) * span)
  }
}
