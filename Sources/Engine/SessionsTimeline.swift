import Control
import Measurements
import Workout

// What clients note in a workout: laps, segments, markers, activities.
extension Sessions {
  mutating func lap(
    _ id: SessionID, from start: WallTime?, to end: WallTime?, _ label: String?, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    let (session, bounds) = try timeline(id, .lap, ledger)
    let from = try start.map { date throws(ControlError) in try dated(date, id, now) }
    let until =
      try end.map { date throws(ControlError) in try dated(date, id, now) } ?? bounds.end
      ?? DatedTick(at: instant(id, now))
    let interval: WorkoutInterval
    do { interval = try session.timeline.lap(from: from, to: until, label: label, in: bounds) } catch {
      throw .timeline(id, .lap, error)
    }
    let event = event(.lap(interval), id, &ledger, now)
    live[id]?.timeline.take(event)
    // One that goes from the last lap's end to here is closed as it stands; any other is computed from the store.
    let isHere = start == nil && end == nil
    if isHere { take(DatedMark(.lapEnded(event.sequence), at: until.tick, .closing), id) } else { computeAgain(id) }
    let snapshot = live[id].flatMap { session in
      session.timeline.laps.first { $0.number == event.sequence }.map { session.lap($0, at: until.tick) }
    }
    if let snapshot { ledger.happened(event, .lap(snapshot), strap: session.strap) }
    advance(id, &ledger, now)
  }

  mutating func segment(
    _ id: SessionID, from start: WallTime, to end: WallTime?, _ label: String?, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    let (session, bounds) = try timeline(id, .segment, ledger)
    let from = try dated(start, id, now)
    let until =
      try end.map { date throws(ControlError) in try dated(date, id, now) } ?? bounds.end
      ?? DatedTick(at: instant(id, now))
    let segment: WorkoutInterval
    do { segment = try session.timeline.segment(from: from, to: until, label: label, in: bounds) } catch {
      throw .timeline(id, .segment, error)
    }
    ledger.happened(event(.segment(segment), id, &ledger, now), .segment(segment), strap: session.strap)
  }

  mutating func mark(
    _ id: SessionID, at date: WallTime?, _ label: String?, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    let (session, bounds) = try timeline(id, .marker, ledger)
    let wanted =
      try date.map { date throws(ControlError) in try dated(date, id, now) } ?? bounds.end
      ?? DatedTick(at: instant(id, now))
    let moment: DatedTick
    do { moment = try session.timeline.moment(wanted, in: bounds) } catch { throw .timeline(id, .marker, error) }
    ledger.happened(
      event(.marker(moment, label: label), id, &ledger, now), .marker(moment, label: label), strap: session.strap)
  }

  // MARK: Activities

  mutating func beginActivity(
    _ id: SessionID, _ activity: ActivityType, _ location: LocationType?, at date: WallTime?, _ label: String?,
    _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    let (session, bounds) = try timeline(id, .beginActivity, ledger)
    let start =
      try date.map { date throws(ControlError) in try dated(date, id, now) } ?? DatedTick(at: instant(id, now))
    let began: ActivityStart
    do {
      let place = location ?? session.machine.configuration.location
      let wanted = ActivityStart(activity: activity, location: place, start: start, label: label)
      began = try session.timeline.activityStart(wanted, in: bounds)
    } catch {
      throw .timeline(id, .beginActivity, error)
    }
    if session.timeline.currentActivity != nil { closeActivity(id, start, isHere: date == nil, &ledger, now) }
    let event = event(.activityBegan(began), id, &ledger, now)
    live[id]?.timeline.take(event)
    takeActivityMark(.activityBegan(event.sequence), id, start, .opening, isHere: date == nil)
    let snapshot = live[id].flatMap { session in
      session.timeline.currentActivity.map { session.activity($0, at: now.tick) }
    }
    if let snapshot { ledger.happened(event, .activityBegan(snapshot), strap: session.strap) }
    retune(id, &ledger, now)
    advance(id, &ledger, now)
  }

  mutating func endActivity(_ id: SessionID, at date: WallTime?, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    let (session, bounds) = try timeline(id, .endActivity, ledger)
    let wanted =
      try date.map { date throws(ControlError) in try dated(date, id, now) } ?? DatedTick(at: instant(id, now))
    let end: DatedTick?
    do { end = try session.timeline.activityEnd(wanted, in: bounds) } catch { throw .timeline(id, .endActivity, error) }
    guard let end else { return }
    closeActivity(id, end, isHere: date == nil, &ledger, now)
    retune(id, &ledger, now)
    advance(id, &ledger, now)
  }

  /// The workout has come to its end, and with it the activity that is under way.
  mutating func endActivityWithWorkout(_ id: SessionID, _ end: DatedTick, _ ledger: inout Ledger, _ now: Moment) {
    guard let current = live[id]?.timeline.currentActivity, current.began.start.tick < end.tick else { return }
    let event = event(.activityEnded(end), id, &ledger, now)
    live[id]?.timeline.take(event)
    publishEnd(of: current.number, id, event, &ledger)
  }

  private mutating func closeActivity(
    _ id: SessionID, _ end: DatedTick, isHere: Bool, _ ledger: inout Ledger, _ now: Moment
  ) {
    guard let current = live[id]?.timeline.currentActivity else { return }
    let event = event(.activityEnded(end), id, &ledger, now)
    live[id]?.timeline.take(event)
    takeActivityMark(.activityEnded, id, end, .closing, isHere: isHere)
    publishEnd(of: current.number, id, event, &ledger)
  }

  private mutating func takeActivityMark(
    _ mark: Mark, _ id: SessionID, _ moment: DatedTick, _ place: DatedMark.Place, isHere: Bool
  ) {
    if isHere {
      take(DatedMark(mark, at: moment.tick, place), id)
    } else {
      computeAgain(id)
    }
  }

  private func publishEnd(of number: Int64, _ id: SessionID, _ event: EventRecord, _ ledger: inout Ledger) {
    guard let session = live[id], let activity = session.timeline.activities.first(where: { $0.number == number })
    else { return }
    let snapshot = session.activity(activity, at: activity.end?.tick ?? event.at.tick)
    ledger.happened(event, .activityEnded(snapshot), strap: session.strap)
  }

  // MARK: Common to them

  /// A session that allows the call, and the bounds of its workout.
  private func timeline(_ id: SessionID, _ call: SessionCall, _ ledger: Ledger) throws(ControlError) -> (
    LiveSession, WorkoutTimeline.Bounds
  ) {
    guard let session = live[id] else { throw .noSuchSession(id) }
    do { try session.machine.check(call) } catch { throw .refused(id, error) }
    guard let start = session.machine.start else {
      preconditionFailure("a session allows \(call) and has no start: \(session.machine.state)")
    }
    if let rebuild = session.rebuild, rebuild.isFirst, !rebuild.hasEvents, let held = ledger.held {
      throw .storeFailed(held)  // what has been noted so far cannot be read
    }
    return (session, WorkoutTimeline.Bounds(start: start, end: session.machine.end))
  }

  /// What a client's date means.
  private func dated(_ date: WallTime, _ id: SessionID, _ now: Moment) throws(ControlError) -> DatedTick {
    let clock = live[id]?.clock(reading: date, at: now) ?? now
    do { return try DatedTick(requested: date, at: clock) } catch { throw .refused(id, error) }
  }

  private func event(_ what: EventRecord.What, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment) -> EventRecord {
    EventRecord(sequence: ledger.nextSequence(), session: id, at: DatedTick(at: now), what: what)
  }
}
