import Measurements
import Workout

/// Whether a strap is worn whose workouts begin by themselves, and what has come of it.
struct Wearing: Hashable, Sendable {
  private(set) var phase = Phase.off
  /// Since when a person has ended a workout of this wearing, so that none begins before the strap was taken off, whoever
  /// uses it meanwhile; nil where that is not so.
  private(set) var awaitsTakingOff: Tick?
  /// What has come since it has been worn, to be of the workout that begins.
  private(set) var recent: [HeartRateSample] = []
  /// How long it has been without heart rate; it runs where that decides something.
  var absence = Absence()
  /// When what would run in a dry run was last given to the store.
  private var kept: Tick?

  enum Phase: Hashable, Sendable {
    /// Not worn, as far as is known. Leaves to: worn, busy, done.
    case off
    /// It beats without interruption since then, and not yet for long enough. Leaves to: off, busy, done, wouldRun.
    case worn(since: DatedTick)
    /// A session uses it. Leaves to: off, done.
    case busy
    /// Nobody uses it, and it waits to be taken off. Leaves to: off, busy.
    case done
    /// In a dry run: a workout would run since then. Leaves to: off, busy, done.
    case wouldRun(since: DatedTick)
  }

  /// More are not kept; a strap that sends them faster than any heart beats has its workout begin with the first of these.
  static let mostRecent = 8192

  /// A measurement came.
  ///
  /// - Parameter isUsed: whether it is a session's.
  /// - Returns: whether something else is known of the wearing.
  mutating func take(_ sample: HeartRateSample, isUsed: Bool, at date: WallTime) -> Bool {
    let before = (phase, awaitsTakingOff)
    let moment = DatedTick(tick: sample.tick, date: date)
    if sample.isGood { absence.end(at: moment) }
    // A strap that says that it touches skin, and has no reading, is worn.
    if !sample.isGood, sample.measurement.contact != .detected { _ = takenOff() }
    if isUsed {
      _ = enter(.busy)
      return before != (phase, awaitsTakingOff)
    }
    switch phase {
    case .off, .busy:
      if awaitsTakingOff != nil {
        _ = enter(.done)
      } else if sample.isGood {
        _ = enter(.worn(since: moment))
        recent = [sample]
      }
    case .worn:
      guard sample.isGood else { return enter(.off) }
      recent.append(sample)
      if recent.count > Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
    case .done, .wouldRun: break
    }
    return before != (phase, awaitsTakingOff)
  }

  /// No measurement comes for the moment. That is not yet a strap that was taken off.
  mutating func interrupted() -> Bool {
    if case .worn = phase { enter(.off) } else { false }
  }

  /// A session has got the strap.
  mutating func beBusy() -> Bool { enter(.busy) }

  /// A person has ended the workout of this wearing.
  mutating func beDone(at tick: Tick) -> Bool {
    let isNew = awaitsTakingOff == nil
    awaitsTakingOff = tick
    return enter(.done) || isNew
  }

  /// Nobody uses it any more.
  mutating func beFree() -> Bool { enter(awaitsTakingOff == nil ? .off : .done) }

  /// It was taken off, and is another wearing when it comes back.
  mutating func takenOff() -> Bool {
    guard awaitsTakingOff != nil else { return false }
    awaitsTakingOff = nil
    if phase == .done { _ = enter(.off) }
    return true
  }

  /// What would have run in a dry run has ended, by an absence or because there is no dry run any more.
  mutating func wouldEnd() -> Bool {
    if case .wouldRun = phase { beFree() } else { false }
  }

  /// In a dry run: a workout would have begun.
  mutating func wouldRun(since start: DatedTick) -> Bool {
    defer { if let last = absence.lastGood { absence.run(true, at: last.tick) } }
    return enter(.wouldRun(since: start))
  }

  /// In a dry run: a workout had begun in an earlier life of the daemon.
  ///
  /// - Parameter spent: how long it had been without heart rate then.
  mutating func recall(runSince start: DatedTick, lastGood: DatedTick, spent: Duration) {
    _ = enter(.wouldRun(since: start))
    absence.recall(lastGood: lastGood, spent: spent)
  }

  /// What would run in a dry run, as it is to be kept.
  var dryRun: StrapRecord.DryRun? {
    guard case .wouldRun(let start) = phase else { return nil }
    return StrapRecord.DryRun(start: start.date, lastGood: absence.lastGood?.date ?? start.date)
  }

  /// Whether that is to be kept again, which is once a second at most.
  mutating func isToBeKept(at tick: Tick) -> Bool {
    guard case .wouldRun = phase, kept.map({ tick - $0 >= .seconds(1) }) ?? true else { return false }
    kept = tick
    return true
  }

  private mutating func enter(_ next: Phase) -> Bool {
    guard next != phase else { return false }
    phase = next
    recent = []
    absence.restart()
    return true
  }

  /// The wall clock was set by so much.
  mutating func clockStepped(by step: Duration) {
    absence.clockStepped(by: step)
    switch phase {
    case .worn(var since):
      since.clockStepped(by: step)
      phase = .worn(since: since)
    case .wouldRun(var since):
      since.clockStepped(by: step)
      phase = .wouldRun(since: since)
    case .off, .busy, .done: break
    }
  }

  /// Whether it matters whether this machine can receive from it.
  var minds: Bool { watchesAbsence || absence.isRunning }

  /// Whether it is to be told that this machine can receive from it, or cannot; nil where that is not known.
  func isNews(_ isWorking: Bool?) -> Bool { absence.isRunning != (watchesAbsence && isWorking == true) }

  /// Whether an absence decides something.
  private var watchesAbsence: Bool {
    switch phase {
    case .done, .wouldRun: true
    case .busy: awaitsTakingOff != nil
    case .off, .worn: false
    }
  }

  mutating func hostIs(_ isWorking: Bool?, at tick: Tick) {
    absence.run(watchesAbsence && isWorking == true, at: tick)
  }

  /// When something is to be decided; nil where only the strap decides.
  func due(_ rule: UnattendedRule) -> Tick? {
    switch phase {
    case .off: nil
    case .worn(let since): since.tick + rule.start
    case .busy, .done, .wouldRun: absence.due(rule.absence)
    }
  }

  /// When nobody knows any more whether it is the same wearing, where nobody looks after it; nil where none awaits anything.
  func forgotten(after limit: Duration) -> Tick? {
    awaitsTakingOff.map { max($0, absence.lastGood?.tick ?? $0) + limit }
  }
}
