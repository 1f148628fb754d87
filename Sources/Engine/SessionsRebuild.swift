import Control
import Measurements
import Workout

// Statistics that are computed anew from the store, and sessions that are taken up from there.
extension Sessions {
  /// Computes the statistics anew from the store, as soon as everything is in it.
  mutating func computeAgain(_ id: SessionID) {
    guard let session = live[id] else { return }
    live[id]?.rebuild = Rebuild(
      session.freshBuilder, isFirst: session.rebuild?.isFirst ?? false, takenUp: session.takenUp)
    live[id]?.rebuild?.fixesGap = session.rebuild?.fixesGap ?? false
  }

  /// Asks the store for the first of what a rebuild needs.
  mutating func askForRebuild(_ id: SessionID) {
    rebuilds += 1
    let asked = RebuildID(session: id, number: rebuilds)
    self[id]?.rebuild?.id = asked
    effects.append(.readEvents(asked))
  }

  // MARK: The store's answers

  mutating func take(_ events: [EventRecord], of id: RebuildID, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    if takeForRevision(events, of: id, &ledger) { return takeEffects() }
    guard var session = self[id.session], session.rebuild?.id == id else { return [] }
    let fixesGap = session.rebuild?.fixesGap == true
    let gaps = session.gaps
    session.rebuild?.take(events)
    if session.rebuild?.isFirst == true || fixesGap { session.takeUp(events) }
    self[id.session] = session
    if fixesGap { tellGaps(id.session, were: gaps, &ledger, now) }
    effects.append(.readSamples(id, after: session.rebuild?.after ?? 0))
    return takeEffects()
  }

  mutating func take(
    _ samples: [HeartRateSample], of id: RebuildID, isLast: Bool, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    if takeForRevision(samples, of: id, isLast: isLast, &ledger, at: now) { return takeEffects() }
    guard var rebuild = self[id.session]?.rebuild, rebuild.id == id else { return [] }
    do {
      try rebuild.take(samples)
      if isLast { try rebuild.finish() }
    } catch {
      return giveUp(rebuild, "\(error)", &ledger, now)
    }
    self[id.session]?.rebuild = rebuild
    guard isLast else { return [.readSamples(id, after: rebuild.after)] }
    if ledger.held != nil {
      // Samples have come meanwhile that could not be written, and so were not read.
      computeAgain(id.session)
    } else {
      self[id.session]?.builder = rebuild.builder
      self[id.session]?.rebuild = nil
      caughtUp(id.session, rebuild, &ledger, now)
    }
    advance(id.session, &ledger, now)
    return takeEffects()
  }

  mutating func rebuildFailed(_ id: RebuildID, _ error: StoreError, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    if revisions.first?.rebuild?.id == id { return revisionFailed(error, &ledger) }
    guard let rebuild = self[id.session]?.rebuild, rebuild.id == id else { return [] }
    return giveUp(rebuild, "\(error)", &ledger, now)
  }

  /// The statistics are what they have come to; better incomplete ones than a workout that cannot end.
  private mutating func giveUp(_ rebuild: Rebuild, _ why: String, _ ledger: inout Ledger, _ now: Moment)
    -> [SessionsEffect]
  {
    guard let id = rebuild.id?.session else { return [] }
    let text = "the statistics of session \(id) could not be computed again from the store: \(why)"
    effects.append(.log(LogEntry(.error, text, session: id)))
    if corrections.removeValue(forKey: id) != nil { return takeEffects() }
    if rebuild.isFirst { live[id]?.builder = rebuild.builder }
    live[id]?.rebuild = nil
    caughtUp(id, rebuild, &ledger, now)
    advance(id, &ledger, now)
    return takeEffects()
  }

  /// The statistics are those of the store again.
  private mutating func caughtUp(_ id: SessionID, _ rebuild: Rebuild, _ ledger: inout Ledger, _ now: Moment) {
    if corrections[id] != nil { return correct(id, &ledger) }
    guard let builder = live[id]?.builder else { return }
    if rebuild.isFirst || rebuild.fixesGap {
      live[id]?.monitor.skip(to: builder.elapsed(at: now.tick))
      publishZone(id, &ledger, now)
    }
    watchAlerts(id, &ledger, now)
    publishSession(id, &ledger, now)
    guard rebuild.isFirst || rebuild.fixesGap else { return }
    live[id]?.past?.lastSample = rebuild.lastSample
    live[id]?.past?.lastGood = rebuild.lastGood
    judge(id, isLate: !rebuild.isFirst, &ledger, now)
  }

  // MARK: Recovery

  /// Takes up the sessions that the daemon's last life has left.
  mutating func recover(
    _ records: [SessionRecord], clientData: [SessionID: ClientData], anchors: [SessionID: [Anchor]] = [:],
    justEnded: [SessionRecord],
    lastAlive: DatedTick?, _ boot: BootReport, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    let lastAlive = lastAlive ?? DatedTick(at: now)
    bootID = boot.id
    let gap = Gap(
      duration: now.tick - lastAlive.tick, isReboot: boot.interruption != .restart,
      isProvisional: boot.interruption == .provisionalReboot)
    for record in records {
      var session = LiveSession(WorkoutSession(record), strap: record.strap, settings: record.settings)
      session.rebuild = Rebuild(session.freshBuilder, isFirst: true, takenUp: now.tick)
      session.clientData = clientData[record.id] ?? ClientData()
      session.isOfUnsureBoot = record.isProvisional
      session.anchors = (anchors[record.id] ?? []).filter { $0.boot != boot.id }
      session.leftAlone = lastAlive
      session.takenUp = now.tick
      live[record.id] = session
      if session.wantsStrap { setWant(record.id, at: now) }
      ledger.record(.session(record))
      ledger.happened(
        .recovered(lastAlive: lastAlive, boot.interruption), .recovered(lastAlive: lastAlive.date, gap: gap),
        session: record.id, strap: record.strap, at: now)
      effects.append(
        .log(LogEntry(.notice, "session \(record.id) recovered in state \(record.state)", session: record.id)))
      goOnCountingDown(record.id, after: gap, &ledger, at: now)
      advance(record.id, &ledger, now)
    }
    recoverPostExercises(justEnded, at: now)
    if !records.isEmpty { ledger.record(.alive(now)) }
    return takeEffects()
  }
}
