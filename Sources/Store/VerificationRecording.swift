import Measurements
import Workout

/// A session with its workout, as they are read.
struct ReadSession {
  var number: Int64
  var record: SessionRecord
  /// By their numbers; nil where one of them cannot be read.
  var events: [EventRecord]?
  /// nil where it cannot be read, and nil within that where there is none.
  var workout: FinishedWorkout??
}

/// What else there is of a session.
private struct Traces {
  /// Its workout was deleted for good, or its import taken back: it is being cleared away.
  var isCleared: Bool
  var isComingIn: Bool
  /// A split has made it, and it has no recording of its own.
  var isPart: Bool
  /// Its workout was changed, merged perhaps.
  var isEdited: Bool
  /// Another workout is made of it.
  var isUsed: Bool
  var hasAnchor: Bool
  /// Its workout's stretches lie each within a boot: their lengths do not change when boots are laid anew.
  var isWithinBoots: Bool
}

// What a session and its workout say, against what has happened in it.
extension Verification {
  mutating func check(_ read: ReadSession, _ readers: Readers) throws(StoreError) {
    let record = read.record
    guard let traces = try traces(of: read.number, record.id), !traces.isCleared, !traces.isComingIn else { return }
    if !traces.hasAnchor { found("session \(record.id): the clocks of no boot are there that it lived in") }
    guard record.state == .ended, record.start != nil else { return }
    if record.end == nil { return found("session \(record.id): it has ended, and its end is not there") }
    if traces.isPart {
      if case .some(.some(let workout)) = read.workout, workout.slices.isEmpty {
        found("workout \(record.id): a split has made it, and what it is made of is not there")
      }
    } else {
      let isFollowable = checkTransitions(read)
      if case .some(nil) = read.workout, !traces.isEdited, !traces.isUsed, try !wasUsed(read.number, record.id) {
        found("session \(record.id): it has ended, and its workout is not there")
      }
      if !isFollowable { return }
    }
    guard case .some(.some(let workout)) = read.workout else { return }
    try checkSlices(workout, readers)
    guard traces.isWithinBoots, !workout.isProvisional else { return }
    try recount(workout, read, readers)
  }

  private func traces(of number: Int64, _ id: SessionID) throws(StoreError) -> Traces? {
    try rows(
      """
      SELECT EXISTS (SELECT 1 FROM purge WHERE session = ?1),
        EXISTS (SELECT 1 FROM imported WHERE session = ?1 AND is_open = 1),
        EXISTS (SELECT 1 FROM workout_before WHERE session = ?1 AND existed = 0),
        EXISTS (SELECT 1 FROM workout_before WHERE session = ?1 AND existed = 1),
        EXISTS (SELECT 1 FROM workout_slice WHERE session = ?1),
        EXISTS (SELECT 1 FROM anchor WHERE session = ?1),
        NOT EXISTS (SELECT 1 FROM session WHERE number = ?1 AND start_boot <> end_boot)
          AND NOT EXISTS (SELECT 1 FROM workout_slice WHERE workout = ?1 AND start_boot <> end_boot)
      """, with: [.integer(number)], "looking for what there is of session \(id)"
    ) { (row: inout Row) in
      Traces(
        isCleared: row.flag(), isComingIn: row.flag(), isPart: row.flag(), isEdited: row.flag(), isUsed: row.flag(),
        hasAnchor: row.flag(), isWithinBoots: row.flag())
    }.first
  }

  /// Whether something can still be put back that was made of it; there is no index for that.
  private func wasUsed(_ number: Int64, _ id: SessionID) throws(StoreError) -> Bool {
    try !rows(
      "SELECT 1 FROM workout_slice_before WHERE session = ? LIMIT 1", with: [.integer(number)],
      "looking for what was made of session \(id)"
    ) { (row: inout Row) in row.integer() }.isEmpty
  }

  /// - Returns: whether they are all there.
  private mutating func checkTransitions(_ read: ReadSession) -> Bool {
    guard let events = read.events else { return false }
    let transitions = events.compactMap { event -> Transition? in
      if case .transition(let transition) = event.what { transition } else { nil }
    }
    let id = read.record.id
    guard transitions.last?.to == .ended else {
      found("session \(id): it has ended, and the event of that is not there")
      return false
    }
    for (one, next) in zip(transitions, transitions.dropFirst()) where one.to != next.from {
      found("session \(id): between '\(one.to)' and '\(next.from)' an event is missing")
      return false
    }
    return true
  }

  /// What a workout is made of lies within the sessions of that.
  private mutating func checkSlices(_ workout: FinishedWorkout, _ readers: Readers) throws(StoreError) {
    for slice in workout.slices {
      guard let record = try readers.session(slice.session), let start = record.start, let end = record.end else {
        continue
      }
      if slice.start.tick < start.tick || slice.end.tick > end.tick {
        found("workout \(workout.id): it is made of more than there is of session \(slice.session)")
      }
    }
  }

  /// How long a workout lasted, how long of that it ran, and what laps and activities it has, by the events of what it is made
  /// of.
  private mutating func recount(
    _ workout: FinishedWorkout, _ read: ReadSession, _ readers: Readers
  ) throws(StoreError) {
    guard let start = read.record.start, let end = read.record.end else { return }
    let isWhole = workout.slices.isEmpty
    let slices = isWhole ? [WorkoutSlice(session: workout.id, start: start, end: end)] : workout.slices
    var builder = LiveBuilder()
    var timeline = WorkoutTimeline()
    var other: Int64 = 0
    for (index, slice) in slices.enumerated() {
      // Where they cannot be read, that is a finding of their session.
      guard let events = try isWhole ? read.events : readers.readableEvents(of: slice.session) else { return }
      var marks =
        isWhole
        ? DatedMark.marks(of: events)
        : slice.marks(of: events, isFirst: index == 0, isLast: index == slices.count - 1)
      var part = slice.timeline(of: events)
      for number in part.numbers.intersection(timeline.numbers) {
        other -= 1
        part.renumber(number, other)
        for index in marks.indices { marks[index].mark.renumber(number, other) }
      }
      do { for mark in marks { try builder.take(mark.mark, at: mark.tick) } } catch { return }
      timeline.append(part)
    }
    guard let last = slices.last, let first = slices.first else { return }
    let wall = last.end.tick - first.start.tick
    let elapsed = builder.elapsed(at: last.end.tick)
    if !workout.wall.isAbout(wall) || !(workout.end.tick - workout.start.tick).isAbout(wall) {
      found("workout \(workout.id): it lasts \(workout.wall), and what it is made of \(wall)")
    } else if !workout.elapsed.isAbout(elapsed) {
      found("workout \(workout.id): it ran for \(workout.elapsed), and by its events for \(elapsed)")
    }
    let laps = timeline.laps.count { builder.laps[$0.number] != nil }
    if laps != workout.laps.count {
      found("workout \(workout.id): it has \(workout.laps.count) laps, and by its events \(laps)")
    }
    let activities = timeline.activities.count { builder.activities[$0.number] != nil }
    if activities != workout.activities.count {
      found("workout \(workout.id): it has \(workout.activities.count) activities, and by its events \(activities)")
    }
  }
}

extension Duration {
  fileprivate func isAbout(_ other: Duration) -> Bool {
    self - other <= .milliseconds(1) && other - self <= .milliseconds(1)
  }
}
