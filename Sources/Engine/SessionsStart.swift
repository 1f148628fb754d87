import Control
import Measurements
import Workout

// How sessions start: now, at a date, when a countdown has run down, or with the first heart rate.
extension Sessions {
  /// How late a countdown may come to zero, since the machine slept or the daemon was away, and still start the session;
  /// later than that nobody waits for it any more.
  static let latestStart = Duration.seconds(60)

  mutating func start(_ id: SessionID, _ time: StartTime, _ ledger: inout Ledger, _ now: Moment) throws(ControlError)
    -> SessionID
  {
    switch time {
    case .now, .countdown(.zero):
      try transit(id, &ledger, now) { session throws(SessionError) in try session.start(at: now) }
    case .at(let date):
      let clock = live[id]?.clock(reading: date, at: now) ?? now
      try transit(id, &ledger, now) { session throws(SessionError) in try session.start(date: date, at: clock) }
    case .countdown(let span):
      guard try beginWaiting(id, &ledger, now) else { break }
      let end = now.tick + span
      let countdown = Countdown(start: end)
      live[id]?.countdown = countdown
      live[id]?.settings.countdownEnd = DatedTick(tick: end, date: now.wall(at: end))
      recordSettings(id, &ledger)
      timeState(id)
      showCountdown(id, countdown, &ledger, at: now)
    case .firstBeat:
      guard try beginWaiting(id, &ledger, now) else { break }
      live[id]?.settings.startsAtFirstBeat = true
      recordSettings(id, &ledger)
      publishSession(id, &ledger, now)
    }
    return id
  }

  /// Waiting belongs to prepared: the strap is connected meanwhile.
  ///
  /// - Returns: false where the session waits already.
  private mutating func beginWaiting(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) throws(ControlError)
    -> Bool
  {
    guard let session = live[id] else { throw .noSuchSession(id) }
    do { try session.machine.check(.start) } catch { throw .refused(id, error) }
    if session.countdown != nil || session.settings.startsAtFirstBeat { return false }
    try transit(id, &ledger, now) { session throws(SessionError) in try session.prepare(at: now) }
    return true
  }

  /// A client takes its wish back.
  mutating func cancelWaiting(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard endWaiting(id) else { return }
    // From here on nobody starts it.
    live[id]?.entered = now.tick
    timeState(id)
    recordSettings(id, &ledger)
    ledger.passing(.countdown(remaining: nil), session: id, strap: live[id]?.strap, at: now)
  }

  /// - Returns: whether the session waited.
  @discardableResult
  mutating func endWaiting(_ id: SessionID) -> Bool {
    guard let session = live[id], session.countdown != nil || session.settings.startsAtFirstBeat else { return false }
    live[id]?.countdown = nil
    live[id]?.settings.countdownEnd = nil
    live[id]?.settings.startsAtFirstBeat = false
    effects.append(.deadline(.countdown(id), nil))
    return true
  }

  /// A measurement has come; a session that waits for the first heart rate starts with it.
  mutating func startIfWaiting(
    _ id: SessionID, _ measurement: HeartRateMeasurement, _ ledger: inout Ledger, _ now: Moment
  ) {
    guard live[id]?.settings.startsAtFirstBeat == true, live[id]?.machine.state == .prepared,
      measurement.heartRate > 0, measurement.contact != .notDetected
    else { return }
    startOfItself(id, at: now, &ledger, now)
  }

  mutating func countDown(_ id: SessionID, _ ledger: inout Ledger, at now: Moment) {
    guard let countdown = live[id]?.countdown else { return }
    guard countdown.start <= now.tick else { return showCountdown(id, countdown, &ledger, at: now) }
    guard now.tick - countdown.start <= Self.latestStart else {
      let text = "a countdown ran out while nobody was awake to see it: the session stays prepared"
      effects.append(.log(LogEntry(.notice, text, session: id)))
      return cancelWaiting(id, &ledger, now)
    }
    startOfItself(id, at: Moment(tick: countdown.start, wall: now.wall(at: countdown.start)), &ledger, now)
  }

  private mutating func startOfItself(_ id: SessionID, at moment: Moment, _ ledger: inout Ledger, _ now: Moment) {
    do {
      try transit(id, &ledger, now) { session throws(SessionError) in try session.start(at: moment) }
    } catch {
      preconditionFailure("a prepared session refused to start: \(error)")
    }
  }

  /// A session that was counting down when the daemon's last life ended, which was so long ago.
  mutating func goOnCountingDown(_ id: SessionID, after gap: Gap, _ ledger: inout Ledger, at now: Moment) {
    guard let countdown = live[id]?.countdown else { return }
    guard live[id]?.machine.state == .prepared else {
      endWaiting(id)
      return
    }
    if gap.isProvisional {
      let text = "a countdown was on when the machine went off, for who knows how long: the session stays prepared"
      effects.append(.log(LogEntry(.notice, text, session: id)))
      cancelWaiting(id, &ledger, now)
    } else if countdown.start > now.tick {
      showCountdown(id, countdown, &ledger, at: now)
    } else {
      countDown(id, &ledger, at: now)
    }
  }

  private mutating func showCountdown(
    _ id: SessionID, _ countdown: Countdown, _ ledger: inout Ledger, at now: Moment
  ) {
    let remaining = countdown.remaining(at: now.tick)
    ledger.passing(.countdown(remaining: remaining), session: id, strap: live[id]?.strap, at: now)
    effects.append(.deadline(.countdown(id), countdown.next(after: now.tick)))
  }
}
