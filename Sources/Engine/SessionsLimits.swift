import Control
import Measurements
import Workout

// How sessions end that are left alone: in a state, without heart rate, or without the daemon.
extension Sessions {
  /// The configuration has been read again.
  mutating func configure(_ configuration: Configuration, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    self.configuration = configuration
    for id in live.keys.sorted() {
      timeState(id)
      timeAbsence(id)
    }
    return lookAfterStraps(at: now, &ledger)
  }

  // MARK: In a state

  /// Sets the deadline of the state that a session is in.
  mutating func timeState(_ id: SessionID) {
    effects.append(.deadline(.state(id), live[id].flatMap(stateEnd)))
  }

  /// When the limit of its state is reached. A countdown that is on is not cut short.
  private func stateEnd(of session: LiveSession) -> Tick? {
    guard let entered = session.entered, let limit = limit(of: session.machine) else { return nil }
    let countdownEnd = session.countdown.map { $0.start + Self.latestStart + .nanoseconds(1) }
    return max(entered + limit, countdownEnd ?? entered)
  }

  private func limit(of machine: WorkoutSession) -> Duration? {
    switch machine.state {
    case .notStarted, .prepared: configuration.limits.prepare
    case .paused: configuration.limits.pause
    case .stopped: machine.isFinishing ? nil : configuration.limits.stopped
    case .running, .ended: nil
    }
  }

  mutating func stateExpired(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id], let end = stateEnd(of: session), let limit = limit(of: session.machine) else {
      return
    }
    // When it was due, which was a while ago where the machine slept or the daemon was away.
    let due = min(end, now.tick)
    let moment = Moment(tick: due, wall: now.wall(at: due))
    switch session.machine.state {
    case .notStarted, .prepared:
      note(id, "nobody has started it for \(limit.inWords)")
      expire(id, .prepareExpired, .system, at: moment, &ledger, now)
    case .paused:
      note(id, "it was paused for \(limit.inWords)")
      expire(id, .pauseExpired, .system, at: moment, &ledger, now)
    case .stopped: expire(id, .user, .system, at: nil, &ledger, now)
    case .running, .ended: break
    }
  }

  private mutating func note(_ id: SessionID, _ why: String) {
    effects.append(.log(LogEntry(.notice, "session \(id) is ended: \(why)", strap: live[id]?.strap, session: id)))
  }

  private mutating func expire(
    _ id: SessionID, _ reason: EndReason, _ cause: TransitionCause, at moment: Moment?, _ ledger: inout Ledger,
    _ now: Moment
  ) {
    do { try end(id, reason: reason, cause: cause, at: moment, &ledger, now) } catch {
      preconditionFailure("a session refused to end by \(reason): \(error)")
    }
    if live[id]?.machine.state == .ended { live[id] = nil }
  }

  // MARK: Without heart rate

  /// How long a session may be without heart rate; nil: for ever.
  private func absenceLimit(of session: LiveSession) -> Duration? {
    guard session.settings.isUnattended, let strap = session.strap else { return configuration.limits.absence }
    return configuration.rule(of: strap).absence
  }

  /// Whether this machine can receive from the session's strap has changed; nil where that is not known.
  mutating func hostChanged(
    _ id: SessionID, isWorking: Bool?, advice: String?, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    guard let session = live[id], session.machine.state == .running else { return [] }
    if let isWorking, isWorking != session.isHostWorking {
      live[id]?.isHostWorking = isWorking
      ledger.happened(
        .host(isWorking: isWorking), .host(isWorking: isWorking, advice: advice), session: id, strap: session.strap,
        at: now)
    }
    live[id]?.absence.run(isWorking == true, at: now.tick)
    timeAbsence(id)
    return takeEffects()
  }

  /// The machine slept for so long: that nothing came meanwhile is no strap's doing.
  mutating func slept(_ span: Duration, until now: Moment) -> [SessionsEffect] {
    for id in live.keys.sorted() where live[id]?.absence.isRunning == true {
      live[id]?.absence.skip(span, until: now.tick)
      timeAbsence(id)
    }
    for strap in wearings.keys.sorted() where wearings[strap]?.absence.isRunning == true {
      wearings[strap]?.absence.skip(span, until: now.tick)
      timeWearing(strap)
    }
    return takeEffects()
  }

  /// The session runs no more, and what this machine can do is told anew when it does again.
  mutating func stopAbsence(_ id: SessionID, at now: Moment) {
    live[id]?.isHostWorking = true
    live[id]?.absence.run(false, at: now.tick)
    timeAbsence(id)
  }

  mutating func timeAbsence(_ id: SessionID) {
    guard let session = live[id] else { return effects.append(.deadline(.absence(id), nil)) }
    // While it is being taken up, it is not known when the last heart rate came.
    let isKnown = session.rebuild?.isFirst != true
    let due = isKnown ? session.absence.due(absenceLimit(of: session)) : nil
    live[id]?.isAbsenceTimed = due != nil
    effects.append(.deadline(.absence(id), due))
  }

  /// The deadline is not moved with each heart beat, and so comes too early as a rule.
  mutating func absenceMayHaveExpired(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id], session.machine.state == .running, let limit = absenceLimit(of: session),
      let due = session.absence.due(limit)
    else { return }
    guard due <= now.tick else { return timeAbsence(id) }
    note(id, "there was no heart rate for \(limit.inWords)")
    // For one that has begun by itself it is no error, but how it ends.
    let isUnattended = session.settings.isUnattended
    if !isUnattended {
      ledger.happened(.failed(.sensorAbsent), .failed(.sensorAbsent), session: id, strap: session.strap, at: now)
    }
    expire(
      id, .sensorAbsent, isUnattended ? .auto : .system, at: end(of: session, behind: session.absence.lastGood),
      &ledger, now)
  }

  /// The end that lets a sample count and has its date: the nanosecond after it. Without a sample since the start it is the
  /// start.
  private func end(of session: LiveSession, behind sample: DatedTick?) -> Moment? {
    guard let start = session.machine.start else { return nil }
    guard let sample, sample.tick >= start.tick else { return Moment(tick: start.tick, wall: start.date) }
    return Moment(tick: sample.tick + .nanoseconds(1), wall: sample.date)
  }

  // MARK: Without the store

  /// As much is held in memory as may be, and the store cannot be written: the workouts end while what there is of them can
  /// still be kept, and are saved when the store can be written again.
  mutating func storageIsFull(_ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    guard !isStorageFull else { return [] }
    isStorageFull = true
    let text = "the store cannot be written, and no more is kept in memory (hold_limit): no workout goes on"
    effects.append(.log(LogEntry(.error, text)))
    for id in postExercises.keys.sorted() { endPostExercise(id, &ledger, now) }
    for (id, session) in live.sorted(by: { $0.key < $1.key }) {
      let end: Moment?
      switch session.machine.state {
      case .notStarted, .prepared, .paused: end = nil
      case .running: end = self.end(of: session, behind: session.absence.lastGood)
      case .stopped where session.machine.isFinishing, .ended: continue
      case .stopped:
        expire(id, .user, .system, at: nil, &ledger, now)
        continue
      }
      note(id, "it cannot be kept any more")
      ledger.happened(.failed(.storageFull), .failed(.storageFull), session: id, strap: session.strap, at: now)
      expire(id, .storageFull, .system, at: end, &ledger, now)
    }
    return takeEffects()
  }

  // MARK: Without the daemon

  /// Looks at a session that has been taken up: whether it was left alone for too long, and how long its limits still
  /// have, which count from what is on disk.
  ///
  /// - Parameter isLate: it has been taken up for a while, since the clock had to be waited for.
  mutating func judge(_ id: SessionID, isLate: Bool, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id] else { return }
    let past = session.past ?? SessionPast()
    // Where the store could not be read, nothing better is known than when the daemon was last there.
    let lastGood = past.lastGood.map { dated($0, now) } ?? (past.history == nil ? session.leftAlone : nil)
    live[id]?.absence.take(past.history, lastGood: lastGood)
    timeAbsence(id)
    // How long the machine was off rests on a clock that may be wrong: better to keep a session than to end it.
    let awaitsClock = session.isOfUnsureBoot && isClockAwaited
    live[id]?.past?.awaitsClock = awaitsClock
    guard !awaitsClock else { return }
    let state = session.machine.state
    let made = state == .notStarted ? session.record.created.tick : nil
    live[id]?.entered = made ?? past.history?.entry(into: state) ?? session.entered ?? now.tick
    if state == .running, let gap = longestGap(of: past), gap >= configuration.limits.recovery {
      note(id, "strapd was away from it for \(gap.inWords)")
      let last = isLate && session.absence.isOwn ? session.absence.lastGood : past.lastSample.map { dated($0, now) }
      return expire(id, .staleRecovery, .recovered, at: end(of: session, behind: last), &ledger, now)
    }
    timeState(id)
  }

  /// The clock was waited for in vain, and is taken as it is.
  mutating func judgeAll(_ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    for (id, session) in live.sorted(by: { $0.key < $1.key }) where session.past?.awaitsClock == true {
      judge(id, isLate: true, &ledger, now)
    }
    return takeEffects()
  }

  /// By the clock of today: the store keeps a sample's tick.
  private func dated(_ tick: Tick, _ now: Moment) -> DatedTick { DatedTick(tick: tick, date: now.wall(at: tick)) }

  /// How long the session was left alone since its last sample. It may have been taken up before, by a life of the daemon
  /// that ended before it could say so.
  private func longestGap(of past: SessionPast) -> Duration? {
    past.history?.gaps.filter { gap in past.lastSample.map { gap.to > $0 } ?? true }.map { $0.to - $0.from }.max()
  }
}

extension LiveSession {
  /// Whether it is to be told that this machine can receive from its strap, or cannot; nil where that is not known.
  func isNews(_ isWorking: Bool?) -> Bool {
    switch isWorking {
    case true?: !isHostWorking || !absence.isRunning
    case false?: isHostWorking || absence.isRunning
    case nil: absence.isRunning
    }
  }
}

extension Duration {
  /// "30 min", "12 h" or "90 s".
  var inWords: String {
    let seconds = wholeNanoseconds / 1_000_000_000
    if seconds >= 3600, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    if seconds >= 60, seconds % 60 == 0 { return "\(seconds / 60) min" }
    return "\(seconds) s"
  }
}
