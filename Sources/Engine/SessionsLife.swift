import Control
import Measurements
import Workout

// Transitions and what follows from them, up to the saved workout.
extension Sessions {
  /// Takes one call to a session's machine, and does what its transition entails.
  mutating func transit(
    _ id: SessionID, _ ledger: inout Ledger, _ now: Moment,
    _ call: (inout WorkoutSession) throws(SessionError) -> Transition?
  ) throws(ControlError) {
    guard var session = live[id] else { throw .noSuchSession(id) }
    let transition: Transition?
    do { transition = try call(&session.machine) } catch { throw .refused(id, error) }
    live[id] = session
    if let transition { entered(id, transition, &ledger, now) }
  }

  private mutating func entered(_ id: SessionID, _ transition: Transition, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id] else { return }
    ledger.record(.session(session.record))
    ledger.happened(
      .transition(transition), .transition(transition), session: id, strap: session.strap, date: transition.at.date,
      at: now)
    effects.append(.requestSync)
    effects.append(.log(LogEntry(.info, "session \(id) is \(transition.to) (\(transition.cause))", session: id)))
    if let mark = Mark(transition) {
      let isFirst = transition.at.isRequested || mark == .ended
      take(DatedMark(mark, at: transition.at.tick, isFirst ? .first : .event(ledger.sequence)), id)
    }
    let isPast = transition.at.isRequested && transition.at.tick < now.tick
    // A sample of the very tick of the end came in the same wake-up, and does not count any more.
    let isLate = transition.to == .stopped && live[id]?.builder.lastSample == transition.at.tick
    if isPast || isLate { computeAgain(id) }

    if transition.to.wantsStrap != transition.from.wantsStrap { setWant(id) }
    if transition.from == .prepared || transition.to == .running { cancelCountdown(id) }
    switch transition.to {
    case .stopped:
      effects.append(.deadline(.stopped(id), now.tick + configuration.stoppedLimit))
    case .ended:
      effects.append(.deadline(.stopped(id), nil))
    case .notStarted, .prepared, .running, .paused: break
    }
    advance(id, &ledger, now)
  }

  private mutating func setWant(_ id: SessionID) {
    guard let session = live[id] else { return }
    if session.wantsStrap {
      live[id]?.availability = .acquiring
      effects.append(.want(id, session.strap))
    } else {
      live[id]?.availability = .unknown
      effects.append(.release(id))
    }
  }

  private mutating func take(_ mark: DatedMark, _ id: SessionID) {
    live[id]?.rebuild?.append(mark)
    // The builder of a session that is being taken up knows nothing yet, and takes nothing before it is replaced.
    if live[id]?.rebuild?.isFirst == true { return }
    do { try live[id]?.builder.take(mark.mark, at: mark.tick) } catch {
      // The machine allows marks in the right order only, so this is a fault of ours; the samples are in the store,
      // and the statistics are computed again from there.
      effects.append(.log(LogEntry(.error, "\(error)", session: id)))
      computeAgain(id)
    }
  }

  /// Computes the statistics anew from the store, as soon as everything is in it.
  private mutating func computeAgain(_ id: SessionID) {
    guard let session = live[id] else { return }
    live[id]?.rebuild = Rebuild(session.freshBuilder, isFirst: session.rebuild?.isFirst ?? false)
  }

  mutating func end(_ id: SessionID, cause: TransitionCause, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    live[id]?.endCause = cause
    try transit(id, &ledger, now) { session throws(SessionError) in try session.end(cause: cause, at: now) }
    if let session = live[id], session.machine.isFinishing { ledger.record(.session(session.record)) }
    advance(id, &ledger, now)
  }

  /// Goes as far as it can with statistics that are to be computed anew, and with the saving of a finished workout.
  mutating func advance(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id] else { return }
    if let rebuild = session.rebuild {
      // Only when everything is in the store can it be computed from there.
      guard rebuild.id == nil, ledger.held == nil else { return }
      rebuilds += 1
      let asked = RebuildID(session: id, number: rebuilds)
      live[id]?.rebuild?.id = asked
      effects.append(.readEvents(asked))
      return
    }
    guard session.machine.isFinishing, session.save == .none, let workout = session.finishedWorkout() else { return }
    live[id]?.save = .offered
    ledger.record(.workout(workout))
    effects.append(.requestSync)
  }

  // MARK: The store's answers

  /// Everything that was recorded is written, by this commit.
  mutating func written(commit: Int64, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    for (id, session) in live.sorted(by: { $0.key < $1.key }) {
      if session.save == .offered { live[id]?.save = .written(commit: commit) }
      advance(id, &ledger, now)
    }
    return takeEffects()
  }

  /// Nothing will be known to be on the disk any more: sessions whose workout is written end without that, since a
  /// workout that cannot end would help nobody.
  mutating func syncFailed(_ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    synced(throughCommit: .max, &ledger, at: now)
  }

  /// Commits up to this one are on the disk itself: sessions whose workout is among them end.
  mutating func synced(throughCommit commit: Int64, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    for (id, session) in live.sorted(by: { $0.key < $1.key }) {
      guard case .written(let own) = session.save, own <= commit, var ending = live[id] else { continue }
      let transition = ending.machine.finished(cause: ending.endCause, at: now)
      ending.save = .none
      live[id] = ending
      entered(id, transition, &ledger, now)
      if let snapshot = live[id]?.snapshot(sequence: ledger.sequence, at: now) {
        effects += ending.waiting.map { .reply($0, .session(snapshot)) }
      }
      live[id] = nil
    }
    return takeEffects()
  }

  mutating func take(_ events: [EventRecord], of id: RebuildID) -> [SessionsEffect] {
    guard var session = live[id.session], session.rebuild?.id == id else { return [] }
    session.rebuild?.take(events)
    if session.rebuild?.isFirst == true {
      session.timeline = WorkoutTimeline()
      for event in events { session.timeline.take(event) }
    }
    live[id.session] = session
    return [.readSamples(id, after: session.rebuild?.after ?? 0)]
  }

  mutating func take(
    _ samples: [HeartRateSample], of id: RebuildID, isLast: Bool, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    guard var rebuild = live[id.session]?.rebuild, rebuild.id == id else { return [] }
    do {
      try rebuild.take(samples)
      if isLast { try rebuild.finish() }
    } catch {
      return giveUp(rebuild, "\(error)", &ledger, now)
    }
    live[id.session]?.rebuild = rebuild
    guard isLast else { return [.readSamples(id, after: rebuild.after)] }
    if ledger.held != nil {
      // Samples have come meanwhile that could not be written, and so were not read.
      computeAgain(id.session)
    } else {
      live[id.session]?.builder = rebuild.builder
      live[id.session]?.rebuild = nil
    }
    advance(id.session, &ledger, now)
    return takeEffects()
  }

  mutating func rebuildFailed(_ id: RebuildID, _ error: StoreError, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    guard let rebuild = live[id.session]?.rebuild, rebuild.id == id else { return [] }
    return giveUp(rebuild, "\(error)", &ledger, now)
  }

  /// The statistics are what they have come to; better incomplete ones than a workout that cannot end.
  private mutating func giveUp(_ rebuild: Rebuild, _ why: String, _ ledger: inout Ledger, _ now: Moment)
    -> [SessionsEffect]
  {
    guard let id = rebuild.id?.session else { return [] }
    let text = "the statistics of session \(id) could not be computed again from the store: \(why)"
    effects.append(.log(LogEntry(.error, text, session: id)))
    if rebuild.isFirst { live[id]?.builder = rebuild.builder }
    live[id]?.rebuild = nil
    advance(id, &ledger, now)
    return takeEffects()
  }

  // MARK: Recovery

  /// Takes up the sessions that the daemon's last life has left.
  mutating func recover(
    _ records: [SessionRecord], lastAlive: DatedTick?, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    for record in records {
      var session = LiveSession(WorkoutSession(record), strap: record.strap, settings: record.settings)
      session.rebuild = Rebuild(session.freshBuilder, isFirst: true)
      live[record.id] = session
      if session.wantsStrap { setWant(record.id) }
      if session.machine.state == .stopped {
        effects.append(.deadline(.stopped(record.id), now.tick + configuration.stoppedLimit))
      }
      ledger.record(.session(record))
      ledger.happened(
        .recovered(lastAlive: lastAlive ?? DatedTick(at: now)), .recovered(lastAlive: lastAlive?.date),
        session: record.id, strap: record.strap, at: now)
      effects.append(
        .log(LogEntry(.notice, "session \(record.id) recovered in state \(record.state)", session: record.id)))
      advance(record.id, &ledger, now)
    }
    if !records.isEmpty { ledger.record(.alive(now)) }
    return takeEffects()
  }

  // MARK: Time

  mutating func deadlinePassed(_ deadline: SessionsDeadline, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    switch deadline {
    case .countdown(let id): countDown(id, &ledger, at: now)
    case .stopped(let id):
      guard let session = live[id], session.machine.state == .stopped, !session.machine.isFinishing else { break }
      do { try end(id, cause: .system, &ledger, now) } catch {
        preconditionFailure("a stopped session refused to end: \(error)")
      }
    }
    return takeEffects()
  }

  func showCountdownDeadline(_ id: SessionID, _ countdown: Countdown, at now: Moment) -> SessionsEffect {
    .deadline(.countdown(id), countdown.next(after: now.tick))
  }

  mutating func showCountdown(_ id: SessionID, _ countdown: Countdown, _ ledger: inout Ledger, at now: Moment) {
    let remaining = countdown.remaining(at: now.tick)
    ledger.passing(.countdown(remaining: remaining), session: id, strap: live[id]?.strap, at: now)
    effects.append(showCountdownDeadline(id, countdown, at: now))
  }

  private mutating func countDown(_ id: SessionID, _ ledger: inout Ledger, at now: Moment) {
    guard let countdown = live[id]?.countdown else { return }
    guard countdown.start <= now.tick else { return showCountdown(id, countdown, &ledger, at: now) }
    let zero = Moment(tick: countdown.start, wall: now.wall(at: countdown.start))
    do {
      try transit(id, &ledger, now) { session throws(SessionError) in try session.start(at: zero) }
    } catch {
      preconditionFailure("a prepared session refused to start: \(error)")
    }
  }

  private mutating func cancelCountdown(_ id: SessionID) {
    guard live[id]?.countdown != nil else { return }
    live[id]?.countdown = nil
    effects.append(.deadline(.countdown(id), nil))
  }
}
