import Control
import Measurements
import Workout

// A live session as clients see it, and as its workout is saved.
extension LiveSession {
  func snapshot(sequence: Int64, at now: Moment) -> SessionSnapshot {
    let tick = builder.end ?? now.tick
    var summary = builder.whole?.summary(at: tick)
    // While it is being computed again, the builder may know of pauses that a past end has left behind it.
    if let whole = summary, rebuild != nil { summary?.elapsed = min(whole.elapsed, whole.wall) }
    var snapshot = SessionSnapshot(
      record: record, sequence: sequence, availability: availability,
      heartRate: availability == .available ? heartRate : nil, countdown: countdown.map { $0.start - now.tick },
      summary: summary ?? IntervalSummary(elapsed: .zero, wall: .zero, heartRate: nil, rrCount: 0),
      mostRecentDate: summary?.heartRate.map { date(of: $0.mostRecentTick, at: now) })
    if machine.state == .running, availability == .available { snapshot.zone = builder.heartRate.zone }
    snapshot.record.end = machine.end.map(dated)
    if strap == nil, wantsStrap { snapshot.trouble = trouble }
    snapshot.isComputing = rebuild != nil
    snapshot.typesToCollect = source.typesToCollect
    snapshot.collectedTypes = CollectedType.allCases.filter(builder.collectedTypes.contains)
    snapshot.lapCount = timeline.laps.count
    if let lap = builder.currentLap, machine.state != .ended {
      let start = (timeline.lastLapEnd ?? machine.start).map { dated($0).date } ?? date(of: lap.start, at: now)
      snapshot.lap = LapSnapshot(number: nil, start: start, end: nil, summary: lap.summary(at: tick))
    }
    snapshot.activityCount = timeline.activities.count
    snapshot.activity = timeline.currentActivity.map { activity($0, at: tick) }
    return snapshot
  }

  /// - Parameter anchor: this boot's clocks.
  func detail(sequence: Int64, _ anchor: Anchor, at now: Moment) -> SessionDetail {
    let tick = builder.end ?? now.tick
    return SessionDetail(
      snapshot(sequence: sequence, at: now), laps: timeline.laps.map { lap($0, at: tick) },
      activities: timeline.activities.map { activity($0, at: tick) }, clientData: clientData,
      anchors: anchors + [anchor])
  }

  func lap(_ lap: WorkoutTimeline.Lap, at tick: Tick) -> LapSnapshot {
    LapSnapshot(
      number: lap.number, start: dated(lap.interval.start).date, end: dated(lap.interval.end).date,
      label: lap.interval.label, summary: builder.laps[lap.number]?.summary(at: tick))
  }

  func activity(_ activity: WorkoutTimeline.Activity, at tick: Tick) -> ActivitySnapshot {
    let current = builder.currentActivity.flatMap { $0.number == activity.number ? $0.statistics : nil }
    let statistics = current ?? builder.activities[activity.number]
    var began = activity.began
    began.start = dated(began.start)
    return ActivitySnapshot(
      number: activity.number, began: began, end: activity.end.map { dated($0).date },
      summary: statistics?.summary(at: tick))
  }

  /// A moment of the session. While it is not known how long the machine was off, all of them have the dates that go with
  /// the first one's: this boot's clock may be years behind the one that the start was dated by.
  func dated(_ moment: DatedTick) -> DatedTick {
    isProvisional ? moment.dated(along: machine.start ?? machine.created) : moment
  }

  private func date(of tick: Tick, at now: Moment) -> WallTime {
    // As it will be told of the workout.
    if let end = machine.end.map(dated) { return end.date + (tick - end.tick) }
    if let lastCounted, lastCounted.tick == tick { return dated(lastCounted).date }
    return dated(DatedTick(tick: tick, date: now.wall(at: tick))).date
  }

  /// The clock by which a client's date is to be read, as it would stand now.
  ///
  /// A date that strapd has told means the very moment that it was told of: the wall clock is slewed, and by it the start
  /// of the workout would now lie some microseconds before itself. While it is not known how long the machine was off, a
  /// date that by this boot's clock lies before the daemon's life, or ahead, is one of those that the session's moments have.
  func clock(reading date: WallTime, at now: Moment) -> Moment {
    if let known = datedMoments.first(where: { $0.date == date || dated($0).date == date }) {
      return Moment(tick: now.tick, wall: date + (now.tick - known.tick))
    }
    guard isProvisional else { return now }
    let own = Moment(tick: now.tick, wall: dated(DatedTick(at: now)).date)
    let isSeen = now.tick(at: date) >= takenUp ?? now.tick && date - now.wall <= DatedTick.mostAhead
    return isSeen || date > own.wall ? now : own
  }

  /// The whole workout, once the session is stopped.
  func finishedWorkout(discarded: Discard?) -> FinishedWorkout? {
    guard let start = machine.start, let end = machine.end else { return nil }
    // Better an empty summary than a workout that cannot end, where the store could not be read.
    let nothing = IntervalSummary(elapsed: .zero, wall: end.tick - start.tick, heartRate: nil, rrCount: 0)
    let summary = builder.whole?.summary(at: end.tick) ?? nothing
    var timeline = timeline.ended(at: end)
    if isProvisional { timeline = timeline.dated(along: start) }
    let laps = timeline.laps.compactMap { lap in
      builder.laps[lap.number].map { statistics in
        FinishedWorkout.Lap(number: lap.number, interval: lap.interval, summary: statistics.summary(at: end.tick))
      }
    }
    let activities = timeline.activities.compactMap { activity in
      builder.activities[activity.number].map { statistics in
        FinishedWorkout.Activity(
          number: activity.number, began: activity.began, end: activity.end,
          summary: statistics.summary(at: end.tick))
      }
    }
    var workout = FinishedWorkout(
      id: id, activity: machine.configuration.activity, location: machine.configuration.location, strap: strap,
      start: start, end: end, endReason: machine.endReason ?? .user, summary: summary, zones: settings.zones,
      athlete: settings.athlete, discarded: discarded, laps: laps, activities: activities)
    workout.isProvisional = isProvisional
    workout.end = dated(end)
    return workout
  }
}
