import Control
import Measurements
import Workout

// Workouts that begin by themselves, on straps for which the configuration wants that: when the strap has been worn and
// has beaten for a while. They end like any other, and by their own absence limit.
extension Sessions {
  /// Takes up the straps for which the configuration wants it, and lets go of those for which it does so no more.
  mutating func lookAfterStraps(at now: Moment, _ ledger: inout Ledger) -> [SessionsEffect] {
    let wanted = configuration.unattendedStraps
    for strap in lookedAfter.subtracting(wanted).sorted() {
      lookedAfter.remove(strap)
      change(strap, &ledger, now) { $0.wouldEnd() }
      timeWearing(strap)
      effects.append(.leaveStrap(strap))
      effects.append(.log(LogEntry(.notice, "workouts of \(strap) begin by themselves no more", strap: strap)))
    }
    for strap in wanted {
      let rule = configuration.rule(of: strap)
      let isDryRun = rule.mode == .dryRun
      if lookedAfter.insert(strap).inserted {
        wearings[strap] = wearings[strap] ?? Wearing()
        effects.append(.lookAfterStrap(strap))
        let text = "workouts of \(strap) begin by themselves when it was worn for \(rule.start.inWords)"
        effects.append(.log(LogEntry(.notice, text + (isDryRun ? " (dry run)" : ""), strap: strap)))
      } else if !isDryRun {
        change(strap, &ledger, now) { $0.wouldEnd() }
      }
      timeWearing(strap)
    }
    noteUse(&ledger, now)
    return takeEffects()
  }

  /// A person had ended a workout on it in an earlier life of the daemon, not long ago.
  mutating func recall(_ strap: StrapAddress, at now: Moment) {
    wearings[strap] = wearings[strap] ?? Wearing()
    _ = wearings[strap]?.beDone(at: now.tick)
  }

  /// In a dry run a workout would have run in an earlier life of the daemon.
  mutating func recall(_ strap: StrapAddress, _ run: StrapRecord.DryRun, lastAlive: DatedTick, at now: Moment) {
    func dated(_ date: WallTime) -> DatedTick {
      // A clock that was set back meanwhile puts nothing into the future.
      DatedTick(tick: now.tick - max(.zero, now.wall - date), date: date)
    }
    var wearing = Wearing()
    wearing.recall(
      runSince: dated(run.start), lastGood: dated(run.lastGood), spent: max(.zero, lastAlive.date - run.lastGood))
    wearings[strap] = wearing
  }

  /// Nobody knows any more whether it would still be the same workout: it would have ended with its last heart rate.
  mutating func endDryRun(of strap: StrapAddress, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    change(strap, &ledger, now) { $0.wouldEnd() }
    return takeEffects()
  }

  /// The daemon is about to exit.
  mutating func lookAfterNoStrap() {
    wearings.removeAll()
    lookedAfter.removeAll()
  }

  /// Whether there is anything about a strap that a restart must not make forgotten.
  var remembersAnyWearing: Bool { wearings.values.contains { $0.awaitsTakingOff != nil || $0.dryRun != nil } }

  // MARK: What happens to the strap

  /// A measurement came.
  mutating func lookAfter(_ strap: StrapAddress, _ sample: HeartRateSample, _ ledger: inout Ledger, _ now: Moment) {
    guard wearings[strap] != nil else { return }
    let isUsed = isUsed(strap)
    change(strap, &ledger, now) { $0.take(sample, isUsed: isUsed, at: now.wall) }
    if sample.isGood, wearings[strap]?.isToBeKept(at: now.tick) == true {
      effects.append(.keepDryRun(strap, wearings[strap]?.dryRun))
    }
  }

  /// Its heart rate is available, or is not.
  mutating func lookAfter(
    _ strap: StrapAddress, _ availability: Availability, _ ledger: inout Ledger, _ now: Moment
  ) {
    guard wearings[strap] != nil, availability != .available else { return }
    change(strap, &ledger, now) { $0.interrupted() }
  }

  /// Whether this machine can receive from it has changed, as far as that is known.
  mutating func hostChanged(of strap: StrapAddress, isWorking: Bool?, at now: Moment) -> [SessionsEffect] {
    wearings[strap]?.hostIs(isWorking, at: now.tick)
    timeWearing(strap)
    return takeEffects()
  }

  /// A session has ended: where a person wanted that, none begins by itself before the strap was taken off, also where
  /// none would by today's configuration.
  mutating func lookAfter(_ ended: LiveSession, _ ledger: inout Ledger, _ now: Moment) {
    guard let strap = ended.strap, let reason = ended.machine.endReason else { return }
    switch reason {
    case .user, .cancelled, .superseded, .handedOff:
      wearings[strap] = wearings[strap] ?? Wearing()
      change(strap, &ledger, now) { $0.beDone(at: now.tick) }
    // It was without heart rate, or nobody knows how long ago it was with one.
    case .sensorAbsent, .staleRecovery: change(strap, &ledger, now) { $0.takenOff() }
    case .prepareExpired, .pauseExpired, .storageFull: break
    }
    noteUse(&ledger, now)
  }

  /// Sessions have got straps, will get them, or have let go of them.
  mutating func noteUse(_ ledger: inout Ledger, _ now: Moment) {
    for (strap, wearing) in wearings.sorted(by: { $0.key < $1.key }) {
      let isUsed = isUsed(strap)
      guard isUsed != (wearing.phase == .busy) else { continue }
      change(strap, &ledger, now) { isUsed ? $0.beBusy() : $0.beFree() }
    }
  }

  /// The same, behind what a client has called for, and whatever else may have come of a wake-up.
  mutating func noteUse(_ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    noteUse(&ledger, now)
    return takeEffects()
  }

  /// Whether a session has the strap, or will: also one that is not prepared yet, since a person goes first.
  private func isUsed(_ strap: StrapAddress) -> Bool {
    live.values.contains { $0.machine.state != .ended && ($0.strap == strap || $0.tried == strap) }
  }

  // MARK: What comes of it

  /// Changes what is known of a strap, and does what follows.
  private mutating func change(
    _ strap: StrapAddress, _ ledger: inout Ledger, _ now: Moment, _ body: (inout Wearing) -> Bool
  ) {
    guard var wearing = wearings[strap] else { return }
    let before = wearing
    let isOther = body(&wearing)
    wearings[strap] = wearing
    guard isOther else { return }
    if case .wouldRun(let start) = before.phase, wearing.phase != before.phase {
      let end = wearing.absence.lastGood ?? start
      tellDryRun(strap, { .wouldEnd(start: start.date, end: end.date, athlete: $0) }, &ledger, now)
    }
    if (before.awaitsTakingOff == nil) != (wearing.awaitsTakingOff == nil) {
      effects.append(.awaitTakingOff(strap, wearing.awaitsTakingOff != nil))
    }
    if (before.dryRun == nil) != (wearing.dryRun == nil) { effects.append(.keepDryRun(strap, wearing.dryRun)) }
    timeWearing(strap)
  }

  /// Sets the deadline of what is to be decided; of a strap that nobody looks after nothing is kept once nothing is.
  mutating func timeWearing(_ strap: StrapAddress) {
    guard let wearing = wearings[strap] else { return effects.append(.deadline(.wearing(strap), nil)) }
    if lookedAfter.contains(strap) || wearing.awaitsTakingOff != nil {
      effects.append(.deadline(.wearing(strap), due(strap, wearing)))
    } else {
      wearings[strap] = nil
      effects.append(.deadline(.wearing(strap), nil))
    }
  }

  private func due(_ strap: StrapAddress, _ wearing: Wearing) -> Tick? {
    let due = wearing.due(configuration.rule(of: strap))
    if lookedAfter.contains(strap) { return due }
    let forgotten = wearing.forgotten(after: configuration.limits.recovery)
    return [due, forgotten].compactMap { $0 }.min()
  }

  /// It has been worn for long enough, or was without heart rate for long enough; mostly, since the deadline is not moved
  /// with each heart beat.
  mutating func wearingMayHaveExpired(_ strap: StrapAddress, _ ledger: inout Ledger, _ now: Moment) {
    guard let wearing = wearings[strap], let due = due(strap, wearing) else { return }
    guard due <= now.tick else { return timeWearing(strap) }
    switch wearing.phase {
    case .worn where isStorageFull: effects.append(.deadline(.wearing(strap), now.tick + .seconds(10)))
    case .worn where isUsed(strap): change(strap, &ledger, now) { $0.beBusy() }
    case .worn(let since): begin(on: strap, since, wearing.recent, &ledger, now)
    case .wouldRun: change(strap, &ledger, now) { $0.wouldEnd() }
    case .done, .busy, .off: change(strap, &ledger, now) { $0.takenOff() }
    }
  }

  /// A workout begins, or would.
  private mutating func begin(
    on strap: StrapAddress, _ since: DatedTick, _ samples: [HeartRateSample], _ ledger: inout Ledger, _ now: Moment
  ) {
    guard let first = samples.first else { return }
    let rule = configuration.rule(of: strap)
    let isWhole = first.tick == since.tick
    let start = Moment(tick: first.tick, wall: isWhole ? since.date : now.wall(at: first.tick))
    guard rule.mode == .yes else {
      change(strap, &ledger, now) { $0.wouldRun(since: DatedTick(at: start)) }
      return tellDryRun(strap, { .wouldStart(start.wall, athlete: $0) }, &ledger, now)
    }
    change(strap, &ledger, now) { $0.beBusy() }
    do {
      let wanted = WorkoutConfiguration(activity: rule.activity, location: rule.location, strap: strap)
      let id = try create(wanted, isUnattended: true, &ledger, now)
      let news = Event.What.unattended(.started(start.wall, athlete: athletes[strap]))
      ledger.passing(news, session: id, strap: strap, at: now)
      let text = "a workout has begun by itself: the strap was worn for \(rule.start.inWords)"
      effects.append(.log(LogEntry(.notice, text, strap: strap, session: id)))
      try transit(id, &ledger, now) { session throws(SessionError) in try session.prepare(cause: .auto, at: now) }
      // They were published before there was a session, and count in it from its start on.
      for sample in samples { ledger.record(.sample(sample, session: id)) }
      try transit(id, &ledger, now) { session throws(SessionError) in try session.start(cause: .auto, at: start) }
      guard let last = samples.last, let lastGood = wearings[strap]?.absence.lastGood else { return }
      live[id]?.heartRate = last.measurement.heartRate
      live[id]?.absence.end(at: lastGood)
      live[id]?.absence.run(true, at: lastGood.tick)
      timeAbsence(id)
    } catch {
      preconditionFailure("a session that begins by itself was refused: \(error)")
    }
  }

  private mutating func tellDryRun(
    _ strap: StrapAddress, _ what: (AthleteName?) -> UnattendedNews, _ ledger: inout Ledger, _ now: Moment
  ) {
    let news = what(athletes[strap])
    ledger.passing(.unattended(news), strap: strap, at: now)
    effects.append(.log(LogEntry(.notice, "dry run: \(news)", strap: strap)))
  }

  // MARK: For people

  /// How it stands with a strap whose workouts begin by themselves; nil for others.
  func unattended(_ strap: StrapAddress) -> UnattendedSnapshot? {
    guard lookedAfter.contains(strap), let wearing = wearings[strap] else { return nil }
    let rule = configuration.rule(of: strap)
    var snapshot = UnattendedSnapshot(
      isDryRun: rule.mode == .dryRun, phase: .off, start: rule.start, absence: rule.absence)
    switch wearing.phase {
    case .off: snapshot.phase = .off
    case .worn: snapshot.phase = .worn
    case .busy: snapshot.phase = .busy
    case .done: snapshot.phase = .done
    case .wouldRun(let start):
      snapshot.phase = .wouldRun
      snapshot.since = start.date
    }
    return snapshot
  }
}
