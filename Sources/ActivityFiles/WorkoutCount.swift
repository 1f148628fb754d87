import Measurements
import Workout

extension WorkoutFile {
  /// Counts the workout, its laps and its activities anew, as strapd counts what it records.
  ///
  /// - Throws: `BuilderError` where its events are in no order in which they can have happened; nothing has changed then.
  public mutating func count() throws(BuilderError) {
    let all = WorkoutSlice(session: workout.id, start: workout.start, end: workout.end)
    let marks = all.marks(of: events, isFirst: true, isLast: true)
    var builder = LiveBuilder(zones: workout.zones)
    var next = marks.startIndex
    for sample in samples {
      while next < marks.endIndex, marks[next].precedes(sample) {
        try builder.take(marks[next].mark, at: marks[next].tick)
        next += 1
      }
      builder.add(sample)
    }
    for mark in marks[next...] { try builder.take(mark.mark, at: mark.tick) }
    let (end, timeline) = (workout.end, all.timeline(of: events).dated(along: workout.start))
    if let whole = builder.whole { workout.summary = whole.summary(at: end.tick) }
    workout.laps = timeline.laps.compactMap { lap in
      builder.laps[lap.number].map {
        FinishedWorkout.Lap(number: lap.number, interval: lap.interval, summary: $0.summary(at: end.tick))
      }
    }
    workout.activities = timeline.activities.compactMap { activity in
      builder.activities[activity.number].map {
        FinishedWorkout.Activity(
          number: activity.number, began: activity.began, end: activity.end ?? end, summary: $0.summary(at: end.tick))
      }
    }
  }
}
