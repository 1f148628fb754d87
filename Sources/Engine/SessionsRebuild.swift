import Control
import Measurements
import Workout

// Statistics that are computed anew from the store, and sessions that are taken up from there.
extension Sessions {
  /// Computes the statistics anew from the store, as soon as everything is in it.
  mutating func computeAgain(_ id: SessionID) {
    guard let session = live[id] else { return }
    live[id]?.rebuild = Rebuild(session.freshBuilder, takenUp: session.rebuild?.takenUp)
  }

  // MARK: The store's answers

  mutating func take(_ events: [EventRecord], of id: RebuildID) -> [SessionsEffect] {
    guard var session = live[id.session], session.rebuild?.id == id else { return [] }
    session.rebuild?.take(events)
    if session.rebuild?.isFirst == true { session.takeUp(events) }
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
      caughtUp(rebuild, id.session, &ledger, now)
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
    caughtUp(rebuild, id, &ledger, now)
    advance(id, &ledger, now)
    return takeEffects()
  }

  /// The statistics are those of the store again.
  private mutating func caughtUp(_ rebuild: Rebuild, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let builder = live[id]?.builder else { return }
    if rebuild.isFirst {
      live[id]?.monitor.skip(to: builder.elapsed(at: now.tick))
      publishZone(id, &ledger, now)
    }
    watchAlerts(id, &ledger, now)
    if rebuild.isFirst { judge(id, by: rebuild, isClockSure: true, &ledger, now) }
  }

  // MARK: Recovery

  /// Takes up the sessions that the daemon's last life has left.
  mutating func recover(
    _ records: [SessionRecord], clientData: [SessionID: ClientData], justEnded: [SessionRecord],
    lastAlive: DatedTick?, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    for record in records {
      var session = LiveSession(WorkoutSession(record), strap: record.strap, settings: record.settings)
      session.rebuild = Rebuild(session.freshBuilder, takenUp: now.tick)
      session.clientData = clientData[record.id] ?? ClientData()
      session.leftAlone = lastAlive
      if session.machine.state == .notStarted { session.entered = record.created.tick }
      live[record.id] = session
      timeState(record.id)
      if session.wantsStrap { setWant(record.id, at: now) }
      ledger.record(.session(record))
      ledger.happened(
        .recovered(lastAlive: lastAlive ?? DatedTick(at: now)), .recovered(lastAlive: lastAlive?.date),
        session: record.id, strap: record.strap, at: now)
      effects.append(
        .log(LogEntry(.notice, "session \(record.id) recovered in state \(record.state)", session: record.id)))
      goOnCountingDown(record.id, &ledger, at: now)
      advance(record.id, &ledger, now)
    }
    recoverPostExercises(justEnded, at: now)
    if !records.isEmpty { ledger.record(.alive(now)) }
    return takeEffects()
  }
}
