import Control
import Measurements
import Workout

// How sessions end: collection, the saved workout, the trash.
extension Sessions {
  /// A client ends a session.
  ///
  /// - Returns: nil where the answer comes when the workout is saved.
  mutating func end(_ id: SessionID, for client: ClientID, _ ledger: inout Ledger, _ now: Moment) throws(ControlError)
    -> SessionID?
  {
    live[id]?.waiting.append(client)
    do { try end(id, cause: .user, &ledger, now) } catch {
      live[id]?.waiting.removeLast()
      throw error
    }
    return live[id]?.machine.state == .ended ? id : nil
  }

  /// - Parameter moment: when it is to have ended, at the latest now; nil means now.
  mutating func end(
    _ id: SessionID, reason: EndReason = .user, cause: TransitionCause, at moment: Moment? = nil,
    _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    if live[id]?.machine.isFinishing == false { live[id]?.endCause = cause }
    let moment = moment ?? instant(id, now)
    try transit(id, &ledger, now) { session throws(SessionError) in
      try session.end(reason: reason, cause: cause, at: moment)
    }
    if let session = live[id], session.machine.isFinishing { ledger.record(.session(session.record)) }
    advance(id, &ledger, now)
  }

  mutating func endCollection(_ id: SessionID, for client: ClientID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    guard var session = live[id] else { throw .noSuchSession(id) }
    let isNew: Bool
    do { isNew = try session.machine.endCollection() } catch { throw .refused(id, error) }
    live[id] = session
    if isNew {
      recordSettings(id, &ledger)
      publishSession(id, &ledger, now)
    }
    // What has been asked for already is given when it is there.
    if session.machine.isFinishing || session.isFinishAsked {
      live[id]?.waitingForWorkout.append(client)
      answerSaved(id, ledger, now)
    } else {
      effects.append(.reply(client, .collected(session.snapshot(sequence: ledger.sequence, at: now), nil)))
    }
  }

  mutating func finish(_ id: SessionID, for client: ClientID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    guard let session = live[id] else { throw .noSuchSession(id) }
    do { try session.machine.check(.finish) } catch { throw .refused(id, error) }
    live[id]?.isFinishAsked = true
    live[id]?.waitingForWorkout.append(client)
    advance(id, &ledger, now)
    answerSaved(id, ledger, now)
  }

  mutating func discard(_ id: SessionID, for client: ClientID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError) -> SessionID?
  {
    live[id]?.settings.isDiscarded = true
    return try end(id, for: client, &ledger, now)
  }

  // MARK: Saving

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
    guard session.machine.isFinishing || session.isFinishAsked,
      let workout = session.finishedWorkout(discarded: discardMark(of: session, now))
    else { return }
    switch session.save {
    case .none: break
    case .offered, .written: return
    case .saved(let saved):
      // What was saved before the end may have another reason, or go to the trash now.
      if workout.isSame(as: saved) { return conclude(id, &ledger, now) }
    }
    live[id]?.save = .offered(workout)
    ledger.record(.workout(workout))
  }

  private func discardMark(of session: LiveSession, _ now: Moment) -> Discard? {
    session.settings.isDiscarded ? Discard(date: now.wall, isSure: isClockSure) : nil
  }

  /// Everything that was recorded is written, by this commit.
  mutating func written(commit: Int64, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    isStorageFull = false
    for (id, session) in live.sorted(by: { $0.key < $1.key }) {
      if case .offered(let workout) = session.save {
        live[id]?.save = .written(workout, commit: commit)
        effects.append(.requestSync)
      }
      advance(id, &ledger, now)
    }
    return takeEffects()
  }

  /// Nothing will be known to be on the disk any more: sessions whose workout is written end without that, since a
  /// workout that cannot end would help nobody.
  mutating func syncFailed(_ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    synced(throughCommit: .max, &ledger, at: now)
  }

  /// Commits up to this one are on the disk itself: sessions whose workout is among them are finished, and end where they
  /// are to.
  mutating func synced(throughCommit commit: Int64, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    for (id, session) in live.sorted(by: { $0.key < $1.key }) {
      guard case .written(let workout, let own) = session.save, own <= commit else { continue }
      live[id]?.save = .saved(workout)
      live[id]?.machine.saved()
      recordSettings(id, &ledger)
      if !session.machine.isFinishing { publishSession(id, &ledger, now) }
      answerSaved(id, ledger, now)
      advance(id, &ledger, now)
    }
    return takeEffects()
  }

  /// The workout is saved as it is to be: a session that waits for that ends.
  private mutating func conclude(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard var session = live[id], session.machine.isFinishing else { return }
    let transition = session.machine.finished(cause: session.endCause, at: now)
    live[id] = session
    entered(id, transition, &ledger, now)
    if session.settings.isDiscarded {
      ledger.happened(.discarded, .discarded, session: id, strap: session.strap, at: now)
    }
    if let snapshot = live[id]?.snapshot(sequence: ledger.sequence, at: now) {
      effects += session.waiting.map { .reply($0, .session(snapshot)) }
    }
    live[id] = nil
  }

  /// Answers those who wait for the saved workout, once it is saved.
  private mutating func answerSaved(_ id: SessionID, _ ledger: Ledger, _ now: Moment) {
    guard let session = live[id], case .saved(let workout) = session.save else { return }
    let snapshot = session.snapshot(sequence: ledger.sequence, at: now)
    effects += session.waitingForWorkout.map { .reply($0, .collected(snapshot, WorkoutSnapshot(workout))) }
    live[id]?.waitingForWorkout = []
  }

  // MARK: Sessions that are not live

  /// Answers a call that named a session which is not live, with what the store knows of it.
  mutating func answer(
    _ call: EndedSessionCall, _ record: SessionRecord?, _ workout: FinishedWorkout?, for client: ClientID,
    _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    do {
      if let reply = try answer(call, record, workout, for: client, &ledger, now) {
        effects.append(.reply(client, reply))
      }
    } catch {
      effects.append(.reply(client, .error(error)))
    }
    return takeEffects()
  }

  /// - Returns: nil where it is answered when it is written.
  private mutating func answer(
    _ call: EndedSessionCall, _ record: SessionRecord?, _ workout: FinishedWorkout?, for client: ClientID,
    _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> ControlReply? {
    guard let record else { throw .noSuchSession(call.session) }
    try SessionTarget(record.id, ifState: call.ifState).check(record.state, of: record.id)
    do { try WorkoutSession(record).check(call.call) } catch { throw .refused(record.id, error) }
    if call.call == .end { return .session(SessionSnapshot(record, workout, sequence: ledger.sequence)) }
    guard var workout else {
      // One that was discarded before it had started has left nothing to discard once more.
      guard call.call == .discard, record.settings.isDiscarded else { throw .noSuchWorkout(record.id) }
      return .session(SessionSnapshot(record, nil, sequence: ledger.sequence))
    }
    if call.call == .discard {
      if workout.discarded == nil {
        if let held = ledger.held { throw .storeFailed(held) }
        workout.discarded = Discard(date: now.wall, isSure: isClockSure)
        ledger.record(.discarded(record.id, workout.discarded))
        effects.append(.promise(Promise(client: client, change: .discarded(record, workout))))
        return nil
      }
      return .session(SessionSnapshot(record, workout, sequence: ledger.sequence))
    }
    return .collected(SessionSnapshot(record, workout, sequence: ledger.sequence), WorkoutSnapshot(workout))
  }

  /// Takes a workout out of the trash.
  mutating func restore(
    _ workout: FinishedWorkout?, _ id: SessionID, for client: ClientID, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    guard var workout else { return [.reply(client, .error(.noSuchWorkout(id)))] }
    if workout.discarded != nil {
      if let held = ledger.held { return [.reply(client, .error(.storeFailed(held)))] }
      workout.discarded = nil
      ledger.record(.discarded(id, nil))
      return [.promise(Promise(client: client, change: .restored(workout)))]
    }
    return [.reply(client, .restored(WorkoutSnapshot(workout)))]
  }
}

extension FinishedWorkout {
  /// Whether it would be saved alike: the moment of a discard is the first one's.
  fileprivate func isSame(as other: FinishedWorkout) -> Bool {
    var copy = self
    if discarded != nil, other.discarded != nil { copy.discarded = other.discarded }
    return copy == other
  }
}

extension SessionSnapshot {
  /// A session that is not live any more.
  init(_ record: SessionRecord, _ workout: FinishedWorkout?, sequence: Int64) {
    let nothing = IntervalSummary(elapsed: .zero, wall: .zero, heartRate: nil, rrCount: 0)
    self.init(
      record: record, sequence: sequence, availability: .unknown, heartRate: nil, countdown: nil,
      summary: workout?.summary ?? nothing, mostRecentDate: workout.flatMap { WorkoutSnapshot($0).mostRecentDate })
    self.record.isProvisional = workout?.isProvisional ?? false
    let configuration = record.configuration
    // What was being done at the end, as while it was live.
    let last = workout.flatMap { workout in workout.activities.last { $0.end?.tick == workout.end.tick } }
    let usual = LiveDataSource(
      activity: last?.began.activity ?? configuration.activity, location: last?.began.location ?? configuration.location
    )
    typesToCollect = (record.settings.typesByHand.map { LiveDataSource(byHand: $0) } ?? usual).typesToCollect
    if workout?.heartRate?.count ?? 0 > 0 { collectedTypes.append(.heartRate) }
    if workout?.energyKilojoules != nil { collectedTypes.append(.activeEnergyBurned) }
    lapCount = workout?.laps.count ?? 0
    activityCount = workout?.activities.count ?? 0
  }
}
