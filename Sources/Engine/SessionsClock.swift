import Control
import Measurements
import Workout

// Sessions across settings of the wall clock, and across reboots.
extension Sessions {
  /// The wall clock was set by so much. Nothing lasts longer or shorter for that; it is told, and dates move with it.
  mutating func clockStepped(by step: Duration, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    for id in live.keys.sorted() {
      live[id]?.clockStepped(by: step)
      guard let session = live[id] else { continue }
      ledger.record(.session(session.record))
      ledger.happened(.clockStep(step), .clockStep(step), session: id, strap: session.strap, at: now)
    }
    for strap in wearings.keys.sorted() {
      wearings[strap]?.clockStepped(by: step)
      if let run = wearings[strap]?.dryRun { effects.append(.keepDryRun(strap, run)) }
    }
    return takeEffects()
  }

  /// The clock is right, and the ticks of earlier boots are known by it: what was computed with them is computed again.
  ///
  /// - Parameters:
  ///   - records: the live sessions as they are now; but for the ticks of earlier boots as they were.
  ///   - ended: ended sessions whose saved workout was provisional.
  mutating func bootsLaid(_ records: [SessionRecord], ended: [ProvisionalSession], at now: Moment) -> [SessionsEffect] {
    for record in records where live[record.id]?.isOfUnsureBoot == true {
      live[record.id]?.machine = WorkoutSession(record)
      live[record.id]?.settings.countdownEnd = record.settings.countdownEnd
      live[record.id]?.isOfUnsureBoot = record.isProvisional
      computeAgain(record.id)
      live[record.id]?.rebuild?.fixesGap = true
      askForRebuild(record.id)
    }
    for provisional in ended where corrections[provisional.record.id] == nil {
      let record = provisional.record
      var session = LiveSession(WorkoutSession(record), strap: record.strap, settings: record.settings)
      session.isOfUnsureBoot = record.isProvisional
      session.rebuild = Rebuild(session.freshBuilder, isFirst: true)
      session.rebuild?.fixesGap = true
      if let start = record.start, let end = record.end { session.gapFix = (end.tick - start.tick) - provisional.wall }
      corrections[record.id] = session
      askForRebuild(record.id)
    }
    return takeEffects()
  }

  /// The events of a session are read by the right clock: its gaps are what they are.
  ///
  /// - Parameter old: what they were taken to be, oldest first; empty where the session had ended, of which only the whole
  ///   is known.
  mutating func tellGaps(_ id: SessionID, were old: [Duration], _ ledger: inout Ledger, _ now: Moment) {
    guard let session = self[id] else { return }
    let isProvisional = session.isProvisional
    let last = session.gaps.count - 1
    let gaps = session.gaps.enumerated().map { index, gap in
      let fix = index == last ? session.gapFix ?? .zero : .zero
      return (was: index < old.count ? old[index] : gap - fix, now: gap)
    }
    // What has not changed is told all the same, as the last one: that its length is sure now.
    let changed = gaps.filter { $0.was != $0.now }
    for (was, gap) in changed.isEmpty ? Array(gaps.suffix(1)) : changed {
      ledger.happened(
        .gapFixed(was: was, now: gap, isProvisional: isProvisional),
        .gapFixed(was: was, now: gap, isProvisional: isProvisional), session: id, strap: session.strap, at: now)
      let text = "the time that the machine was off is \(gap) by the right clock; it was taken to be \(was)"
      effects.append(.log(LogEntry(.notice, text, session: id)))
    }
  }

  /// The workout of an ended session is computed by the right clock: it is saved in place of the provisional one.
  mutating func correct(_ id: SessionID, _ ledger: inout Ledger) {
    guard let session = corrections.removeValue(forKey: id),
      let workout = session.finishedWorkout(discarded: nil)
    else { return }
    ledger.record(.workout(workout))
    effects.append(.requestSync)
  }

  /// This boot's clocks.
  func anchor(_ now: Moment) -> Anchor {
    Anchor(boot: bootID, clocks: Moment(tick: now.tick, wall: now.wall, isSynchronised: isClockSure))
  }

  /// A session that is live, or whose workout is being corrected.
  subscript(id: SessionID) -> LiveSession? {
    get { live[id] ?? corrections[id] }
    set {
      if corrections[id] != nil { corrections[id] = newValue } else { live[id] = newValue }
    }
  }
}

extension LiveSession {
  /// The wall clock of this boot was set by so much.
  fileprivate mutating func clockStepped(by step: Duration) {
    machine.clockStepped(by: step)
    settings.countdownEnd?.clockStepped(by: step)
    timeline.clockStepped(by: step)
    absence.clockStepped(by: step)
    lastCounted?.clockStepped(by: step)
  }
}
