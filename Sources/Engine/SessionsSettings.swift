import Control
import Measurements
import Workout

// What clients set for a session: zones, goals, alerts, types, metadata; and the calls of all these kinds.
extension Sessions {
  /// - Returns: the session whose snapshot is the answer; nil where the answer comes later, or has been given.
  mutating func perform(
    _ request: BuilderCall, of id: SessionID, for client: ClientID, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> SessionID? {
    do { try live[id]?.machine.check(request.call) } catch { throw .refused(id, error) }
    switch request {
    case .cancelCountdown: cancelWaiting(id, &ledger, now)
    case .beginCollection: break  // it began with the start
    case .endCollection:
      try endCollection(id, for: client, &ledger, now)
      return nil
    case .finish:
      try finish(id, for: client, &ledger, now)
      return nil
    case .discard: return try discard(id, for: client, &ledger, now)
    case .lap(let start, let end, let label): try lap(id, from: start, to: end, label, &ledger, now)
    case .segment(let start, let end, let label): try segment(id, from: start, to: end, label, &ledger, now)
    case .marker(let date, let label): try mark(id, at: date, label, &ledger, now)
    case .beginActivity(let activity, let location, let date, let label):
      try beginActivity(id, activity, location, at: date, label, &ledger, now)
    case .endActivity(let date): try endActivity(id, at: date, &ledger, now)
    case .requestPauseOrResume:
      ledger.happened(.pauseOrResumeRequest, .pauseOrResumeRequest, session: id, strap: live[id]?.strap, at: now)
    case .setMetadata(let metadata, let blob): try keep(metadata, blob, id, &ledger, now)
    case .setZones(let zones): try set(zones, id, &ledger, now)
    case .setGoals(let goals):
      if live[id]?.settings.goals == goals { break }
      live[id]?.settings.goals = goals
      live[id]?.monitor.set(goals: goals)
      changed(id, &ledger, now)
    case .setAlerts(let alerts): try set(alerts, id, &ledger, now)
    case .enableType(let type): tune(id, &ledger, now) { $0.enable(type) }
    case .disableType(let type): tune(id, &ledger, now) { $0.disable(type) }
    }
    return id
  }

  // MARK: Zones, goals, alerts

  private mutating func set(_ zones: HeartRateZones?, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    guard let session = live[id] else { return }
    try check(session.settings.alerts, with: zones)
    if session.settings.zones == zones {
      guard !session.settings.areZonesByHand else { return }
      // The strap that it gets brings no others then.
      live[id]?.settings.areZonesByHand = true
      return recordSettings(id, &ledger)
    }
    live[id]?.settings.areZonesByHand = true
    live[id]?.settings.zones = zones
    // Nothing has been counted yet: a new builder knows as much.
    if let fresh = live[id]?.freshBuilder { live[id]?.builder = fresh }
    take(DatedMark(.collects(session.source.types), at: now.tick, .event(ledger.sequence)), id)
    if session.rebuild != nil { computeAgain(id) }
    changed(id, &ledger, now)
    advance(id, &ledger, now)
  }

  private mutating func set(_ alerts: [WorkoutAlert], _ id: SessionID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    guard let session = live[id], session.settings.alerts != alerts else { return }
    try check(alerts, with: session.settings.zones)
    // Who was told that one is on learns that it is no more.
    for alert in session.monitor.alertsOn where !alerts.contains(alert) {
      ledger.happened(
        .alert(alert, isOn: false), .alert(alert, isOn: false), session: id, strap: session.strap, at: now)
    }
    live[id]?.settings.alerts = alerts
    live[id]?.monitor.set(alerts: alerts, elapsed: session.builder.elapsed(at: now.tick))
    changed(id, &ledger, now)
  }

  /// Refuses zones of which one is missing that an alert names.
  private func check(_ alerts: [WorkoutAlert], with zones: HeartRateZones?) throws(ControlError) {
    for (index, alert) in alerts.enumerated() {
      guard case .outsideZone(let zone) = alert.kind, zone > zones?.count ?? 0 else { continue }
      throw .invalidAlert(index, InvalidAlert(.noSuchZone(zone)))
    }
  }

  // MARK: Types

  private mutating func tune(
    _ id: SessionID, _ ledger: inout Ledger, _ now: Moment, _ change: (inout LiveDataSource) -> Void
  ) {
    guard let session = live[id] else { return }
    var source = session.source
    change(&source)
    guard source != session.source else { return }
    live[id]?.source = source
    live[id]?.settings.typesByHand = source.types
    recordSettings(id, &ledger)
    if source.types != session.source.types { collect(source, id, &ledger, now) }
  }

  /// The activity has changed, and with it what is worth collecting.
  mutating func retune(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id] else { return }
    var source = session.source
    let what = session.pursuit
    source.retune(to: what.activity, at: what.location)
    guard source.types != session.source.types else { return }
    live[id]?.source = source
    collect(source, id, &ledger, now)
  }

  private mutating func collect(_ source: LiveDataSource, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    let types = source.typesToCollect
    ledger.happened(.types(types), .types(types), session: id, strap: live[id]?.strap, at: now)
    take(DatedMark(.collects(source.types), at: now.tick, .event(ledger.sequence)), id)
    if !source.types.contains(.heartRate) { live[id]?.monitor.cut() }
  }

  // MARK: Metadata

  private mutating func keep(
    _ members: [JSON.Member], _ blob: String?, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    guard let old = live[id]?.clientData else { return }
    let new: ClientData
    do {
      let kept = blob ?? old.blob
      new = try ClientData(metadata: old.metadata(with: members), blob: kept == "" ? nil : kept)
    } catch {
      throw .tooLarge(id, error)
    }
    guard new != old else { return }
    live[id]?.clientData = new
    ledger.record(.clientData(new, session: id))
    publishSession(id, &ledger, now)
  }

  // MARK: Common to them

  /// A setting has changed that is in the session's row.
  private mutating func changed(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    recordSettings(id, &ledger)
    publishSession(id, &ledger, now)
    watchAlerts(id, &ledger, now)
  }

  func recordSettings(_ id: SessionID, _ ledger: inout Ledger) {
    if let record = live[id]?.record { ledger.record(.session(record)) }
  }

  /// Tells watchers that something about a session has changed that has no event of its own.
  func publishSession(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let session = live[id] else { return }
    let number = ledger.nextSequence()
    let snapshot = session.snapshot(sequence: number, at: now)
    ledger.publish(
      Event(sequence: number, date: now.wall, what: .session(snapshot), session: id, strap: session.strap))
  }
}
