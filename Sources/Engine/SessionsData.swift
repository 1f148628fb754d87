import Control
import Measurements
import Workout

// What straps send, as it concerns the sessions on them.
extension Sessions {
  /// A measurement came: it is written and published, and counted where the session runs.
  mutating func measured(
    _ strap: StrapAddress, _ measurement: HeartRateMeasurement, payload: [UInt8], isRepeat: Bool,
    beats: BeatTimeline.Placement?, availability: Availability, _ ledger: inout Ledger, at now: Moment
  ) -> [SessionsEffect] {
    let id = session(on: strap)
    guard ledger.hasNumbers else { return [] }
    if let id {
      startIfWaiting(id, measurement, &ledger, now)
      // One that comes in the same wake-up as a countdown's end, or a late one, is of the workout.
      if let countdown = live[id]?.countdown, countdown.start <= now.tick { countDown(id, &ledger, at: now) }
    }
    let series = isStorageFull ? nil : postExercise(on: strap, at: now.tick)
    let sample = HeartRateSample(
      sequence: ledger.nextSequence(), tick: now.tick, measurement: measurement, payload: payload, isRepeat: isRepeat,
      beats: beats)
    var isOfCountedTime = false
    if let id {
      if !isStorageFull { ledger.record(.sample(sample, session: id)) }
      isOfCountedTime = count(sample, id, &ledger, now)
      live[id]?.lastReceived = sample.tick
      live[id]?.heartRate = measurement.heartRate
      if sample.isGood { live[id]?.absence.end(at: DatedTick(at: now)) }
    }
    if let series, series != id { ledger.record(.sample(sample, session: series)) }
    lookAfter(strap, sample, &ledger, now)
    let counted = isOfCountedTime && sample.hasHeartRate
    let event = Event(
      sequence: sample.sequence, date: now.wall,
      what: .heartRate(sample, availability: availability, counted: counted, postExercise: series),
      session: id, strap: strap)
    ledger.publish(event)
    if let id, isOfCountedTime {
      if counted { live[id]?.lastCounted = DatedTick(at: now) }
      watch(sample, id, &ledger, now)
    }
    return takeEffects()
  }

  /// - Returns: whether it is of counted time, with its type collected; what was sent with contact lost says then that
  ///   nothing counts.
  private mutating func count(_ sample: HeartRateSample, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment) -> Bool
  {
    if let end = live[id]?.machine.end {
      // Received before the stop date and only now handled, it is of the workout, which is computed again with it.
      guard sample.tick < end.tick else { return false }
      computeAgain(id)
      advance(id, &ledger, now)
      return true
    }
    // A session that is being taken up counts it when it comes to it in the store.
    if live[id]?.rebuild?.isFirst == true {
      return live[id]?.machine.state == .running && live[id]?.source.types.contains(.heartRate) == true
    }
    return live[id]?.builder.add(sample) ?? false
  }

  /// No measurement has come for too long.
  func gap(_ strap: StrapAddress, since: Tick, _ ledger: inout Ledger, at now: Moment) {
    let last = DatedTick(tick: since, date: now.wall(at: since))
    if let id = session(on: strap) {
      ledger.happened(.gap(since: last), .gap(since: last.date), session: id, strap: strap, at: now)
    } else {
      ledger.passing(.gap(since: last.date), strap: strap, at: now)
    }
  }

  mutating func availabilityChanged(
    _ strap: StrapAddress, _ availability: Availability, _ ledger: inout Ledger, at now: Moment
  ) {
    lookAfter(strap, availability, &ledger, now)
    guard let id = session(on: strap) else {
      return ledger.passing(.availability(availability), strap: strap, at: now)
    }
    guard live[id]?.availability != availability else { return }
    live[id]?.availability = availability
    ledger.happened(
      .availability(availability), .availability(availability), session: id, strap: strap, at: now)
  }

  /// A strap's link changed; `isLost` where it had streamed and does no more.
  mutating func linkChanged(_ link: StrapSnapshot, isLost: Bool, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    let id = session(on: link.address)
    guard isLost, let id else {
      ledger.passing(.link(link), session: id, strap: link.address, at: now)
      return []
    }
    ledger.happened(.linkLost, .link(link), session: id, strap: link.address, at: now)
    take(DatedMark(.linkLost, at: now.tick, .event(ledger.sequence)), id)
    live[id]?.monitor.cut()
    watchAlerts(id, &ledger, now)
    return takeEffects()
  }

  /// A strap's battery has come down to a threshold.
  func batteryLow(
    _ strap: StrapAddress, _ level: BatteryLevel, threshold: UInt8, isUnreliable: Bool, _ ledger: inout Ledger,
    at now: Moment
  ) {
    let what = Event.What.battery(level, threshold: threshold, isUnreliable: isUnreliable)
    ledger.passing(what, session: session(on: strap), strap: strap, at: now)
  }

  /// A session that wanted any strap has got this one, and keeps it.
  mutating func chosen(_ id: SessionID, _ strap: StrapAddress, _ ledger: inout Ledger) {
    live[id]?.strap = strap
    live[id]?.tried = nil
    let athlete = athlete(of: strap)
    live[id]?.settings.athlete = athlete
    // Its zones are those of who wears the strap, where nobody has set any, or an alert for one of those that go, and
    // nothing is collected yet.
    let zones = zones(of: strap, athlete)
    if let session = live[id], session.machine.start == nil, !session.settings.areZonesByHand,
      session.settings.alerts.allSatisfy({ $0.zone.map { $0 <= zones?.count ?? 0 } ?? true })
    {
      live[id]?.settings.zones = zones
      if let fresh = live[id]?.freshBuilder { live[id]?.builder = fresh }
    }
    if let record = live[id]?.record { ledger.record(.session(record)) }
  }

  /// This strap is being tried for a session that wants any.
  mutating func trying(_ id: SessionID, _ strap: StrapAddress?) {
    live[id]?.tried = strap
  }

  /// Why a session that wants any strap has none yet.
  mutating func searching(_ id: SessionID, why: String?, _ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    live[id]?.trouble = why
    publishSession(id, &ledger, now)
    return takeEffects()
  }

  private func session(on strap: StrapAddress) -> SessionID? {
    live.values.first { $0.strap == strap && $0.wantsStrap }?.id
  }
}
