import Measurements
import Workout

/// Whether a strap is worn whose workouts begin by themselves, and what has come of it.
struct Wearing: Hashable, Sendable {
  private(set) var phase = Phase.off
  /// What has come since it has been worn, to be of the workout that begins.
  private(set) var recent: [HeartRateSample] = []
  /// How long it has been without heart rate; it runs where that decides something.
  var absence = Absence()

  enum Phase: Hashable, Sendable {
    /// Not worn, as far as is known. Leaves to: worn, busy.
    case off
    /// It beats without interruption since then, and not yet for long enough. Leaves to: off, busy, wouldRun.
    case worn(since: DatedTick)
    /// A session uses it. Leaves to: off, done.
    case busy
    /// A person has ended the workout of this wearing, and none begins before the strap was taken off.
    /// Leaves to: off, busy.
    case done
    /// In a dry run: a workout would run since then. Leaves to: off, busy.
    case wouldRun(since: DatedTick)
  }

  /// More are not kept; a strap that sends them faster than any heart beats has its workout begin with the first of these.
  static let mostRecent = 8192

  /// A measurement came that is no session's.
  ///
  /// - Returns: whether the phase is another one.
  mutating func take(_ sample: HeartRateSample, at date: WallTime) -> Bool {
    let before = phase
    let moment = DatedTick(tick: sample.tick, date: date)
    if sample.isGood { absence.end(at: moment) }
    switch phase {
    case .off, .busy:
      if sample.isGood {
        _ = enter(.worn(since: moment))
        recent = [sample]
      }
    case .worn:
      guard sample.isGood else { return enter(.off) }
      recent.append(sample)
      if recent.count > Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
    case .done:
      // A strap that says that it touches skin, and has no reading, is worn.
      if !sample.isGood, sample.measurement.contact != .detected { return enter(.off) }
    case .wouldRun: break
    }
    return phase != before
  }

  /// No measurement comes for the moment. That is not yet a strap that was taken off.
  mutating func interrupted() -> Bool {
    if case .worn = phase { enter(.off) } else { false }
  }

  /// A session has got the strap.
  mutating func beBusy() -> Bool { enter(.busy) }

  /// A person has ended the workout of this wearing.
  mutating func beDone() -> Bool { enter(.done) }

  /// It was taken off, or begins anew for another reason.
  mutating func beOff() -> Bool { enter(.off) }

  /// In a dry run: a workout would have begun.
  mutating func wouldRun(since start: DatedTick) -> Bool {
    defer { if let last = absence.lastGood { absence.run(true, at: last.tick) } }
    return enter(.wouldRun(since: start))
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
    case .off, .worn, .busy: false
    }
  }

  mutating func hostIs(_ isWorking: Bool?, at tick: Tick) {
    absence.run(watchesAbsence && isWorking == true, at: tick)
  }

  /// When something is to be decided; nil where only the strap decides.
  func due(_ rule: UnattendedRule) -> Tick? {
    switch phase {
    case .off, .busy: nil
    case .worn(let since): since.tick + rule.start
    case .done, .wouldRun: absence.due(rule.absence)
    }
  }
}
