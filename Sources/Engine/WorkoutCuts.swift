import Control
import Measurements
import Workout

// What revisions make of finished workouts.

extension FinishedWorkout {
  /// The same with what it is made of written out.
  func isWhole(of record: SessionRecord) -> FinishedWorkout {
    guard slices.isEmpty else { return self }
    var whole = self
    whole.slices = [WorkoutSlice(session: record.id, start: record.start ?? start, end: record.end ?? end)]
    return whole
  }

  /// What is left of it between two moments.
  func cut(from start: DatedTick, to end: DatedTick) throws(ControlError) -> FinishedWorkout {
    func refused(_ why: RevisionError) -> ControlError {
      .revisionRefused(id, why, start: self.start.date, end: self.end.date)
    }
    // Seconds lose some nanoseconds on the way.
    let (earliest, latest) = (self.start.tick + .milliseconds(-1), self.end.tick + .milliseconds(1))
    for bound in [start, end] where bound.tick < earliest || bound.tick > latest { throw refused(.outsideWorkout) }
    guard end.tick > start.tick else { throw refused(.endNotAfterStart) }
    var cut = self
    cut.slices = slices.compactMap { slice in
      guard slice.start.tick < end.tick, slice.end.tick > start.tick else { return nil }
      var slice = slice
      // By the clock of its own session: between those of two that were merged it may have been set.
      if slice.start.tick < start.tick { slice.start = start.dated(along: slice.start) }
      if slice.end.tick > end.tick { slice.end = end.dated(along: slice.start) }
      return slice
    }
    // All of it may lie in the pause between two that were merged; a workout neither begins nor ends there.
    guard let first = cut.slices.first, let last = cut.slices.last else { throw refused(.outsideWorkout) }
    // All of it is dated by the clock that its start was dated by, however often that was set since.
    (cut.start, cut.end) = (first.start, last.end.dated(along: first.start))
    return cut
  }

  func merged(with other: FinishedWorkout) throws(ControlError) -> FinishedWorkout {
    func refused(_ why: RevisionError) -> ControlError {
      .revisionRefused(id, why, start: start.date, end: end.date)
    }
    if let athlete, let second = other.athlete, athlete != second { throw refused(.athletesDiffer) }
    let (first, last) = start.tick <= other.start.tick ? (self, other) : (other, self)
    guard first.end.tick <= last.start.tick else { throw refused(.overlap) }
    var merged = self
    merged.athlete = athlete ?? other.athlete
    merged.title = title ?? other.title
    merged.notes = notes ?? other.notes
    (merged.start, merged.end) = (first.start, last.end.dated(along: first.start))
    merged.endReason = last.endReason
    merged.slices = first.slices + last.slices
    return merged
  }

  /// Takes what was counted over its slices.
  mutating func count(_ builder: LiveBuilder, _ timeline: WorkoutTimeline) {
    let (end, timeline) = (end, timeline.dated(along: start))
    if let whole = builder.whole { summary = whole.summary(at: end.tick) }
    laps = timeline.laps.compactMap { lap in
      builder.laps[lap.number].map {
        Lap(number: lap.number, interval: lap.interval, summary: $0.summary(at: end.tick))
      }
    }
    activities = timeline.activities.compactMap { activity in
      builder.activities[activity.number].map {
        Activity(
          number: activity.number, began: activity.began, end: activity.end ?? end, summary: $0.summary(at: end.tick))
      }
    }
  }
}
