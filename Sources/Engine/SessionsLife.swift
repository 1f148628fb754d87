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

  /// The moment of what a client does to a session now. A sample that came in the same wake-up has come before it, and was
  /// told to count or not to; so it is the nanosecond after that.
  func instant(_ id: SessionID, _ now: Moment) -> Moment {
    guard live[id]?.lastReceived == now.tick else { return now }
    var later = now
    later.tick = now.tick + .nanoseconds(1)
    later.wall = now.wall + .nanoseconds(1)
    return later
  }

  mutating func entered(_ id: SessionID, _ transition: Transition, _ ledger: inout Ledger, _ now: Moment) {
    if transition.from == .prepared || transition.to == .running { endWaiting(id) }
    live[id]?.entered = now.tick
    guard let session = live[id] else { return }
    ledger.record(.session(session.record))
    ledger.happened(
      .transition(transition), .transition(transition), session: id, strap: session.strap, date: transition.at.date,
      at: now)
    effects.append(.requestSync)
    effects.append(.log(LogEntry(.info, "session \(id) is \(transition.to) (\(transition.cause))", session: id)))
    if let mark = Mark(transition) {
      let isFirst = mark.isFirst(of: transition)
      take(DatedMark(mark, at: transition.at.tick, isFirst ? .first : .event(ledger.sequence)), id)
    }
    let isDated = transition.at.isRequested || transition.to == .stopped || transition.cause == .auto
    let isPast = transition.at.tick < now.tick && isDated
    // A sample of the very tick of the end came in the same wake-up, and does not count any more.
    let isLate = transition.to == .stopped && live[id]?.builder.lastSample == transition.at.tick
    if isPast || isLate { computeAgain(id) }

    if transition.to.wantsStrap != transition.from.wantsStrap { setWant(id, at: now) }
    if transition.to != .running { live[id]?.monitor.cut() }
    watchAlerts(id, &ledger, now)
    if transition.to == .running { endPostExercises(on: session.strap, &ledger, now) }
    if transition.to == .stopped {
      endActivityWithWorkout(id, transition.at, &ledger, now)
      live[id]?.endTimeline()
      retune(id, &ledger, now)
    }
    timeState(id)
    if transition.to != .running { stopAbsence(id, at: now) }
    if transition.to == .ended { lookAfter(session, &ledger, now) }
    advance(id, &ledger, now)
  }

  mutating func setWant(_ id: SessionID, at now: Moment) {
    guard let session = live[id] else { return }
    if session.wantsStrap {
      live[id]?.availability = .acquiring
      effects.append(.want(id, session.strap, by: session.machine.configuration.adapter))
    } else {
      live[id]?.availability = .unknown
      beginPostExercise(id, at: now)
    }
  }

  mutating func take(_ mark: DatedMark, _ id: SessionID) {
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

  // MARK: Time

  mutating func deadlinePassed(_ deadline: SessionsDeadline, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    switch deadline {
    case .countdown(let id): countDown(id, &ledger, at: now)
    case .alerts(let id): watchAlerts(id, &ledger, now)
    case .postExercise(let id): endPostExercise(id, &ledger, now)
    case .state(let id): stateExpired(id, &ledger, now)
    case .absence(let id): absenceMayHaveExpired(id, &ledger, now)
    case .wearing(let strap): wearingMayHaveExpired(strap, &ledger, now)
    }
    return takeEffects()
  }
}
