import Measurements
import Workout

// What finished workouts are made of, where people have changed them.
extension Store {
  /// The workout that one has become part of; nil where it is one itself, or never was.
  public func workoutMerged(with id: SessionID) throws(StoreError) -> SessionID? {
    guard try workout(id) == nil else { return nil }
    let merge = try edits(of: id).last { $0.undone == nil && $0.kind == .merge }
    return merge?.workouts.first { $0 != id }
  }

  /// The events of a workout: all of its session, or those of its slices.
  public func events(of workout: FinishedWorkout) throws(StoreError) -> [EventRecord] {
    guard !workout.slices.isEmpty else { return try events(of: workout.id) }
    var found: [EventRecord] = []
    for slice in workout.slices {
      found += try events(of: slice.session).filter { (slice.start.tick...slice.end.tick).contains($0.at.tick) }
    }
    return found
  }

  /// At most `limit` samples of a workout behind a sequence number, in their order: those of its slices where it has some,
  /// else all of its session.
  public func samples(
    of workout: FinishedWorkout, after sequence: Int64, limit: Int
  ) throws(StoreError) -> [HeartRateSample] {
    guard !workout.slices.isEmpty else { return try samples(of: workout.id, after: sequence, limit: limit) }
    var found: [HeartRateSample] = []
    for slice in workout.slices {
      var last = sequence
      while found.count < limit {
        let page = try samples(of: slice.session, after: last, limit: limit)
        found += page.filter { $0.tick >= slice.start.tick && $0.tick < slice.end.tick }.prefix(limit - found.count)
        guard page.count == limit, let end = page.last, end.tick < slice.end.tick else { break }
        last = end.sequence
      }
    }
    return found
  }

  /// What a change of these workouts begins with.
  public func undo(_ id: SessionID) throws(StoreError) -> WorkoutUndo? {
    guard var undo = try undo(of: id) else { return nil }
    for other in undo.edit.workouts where try workout(other)?.discarded != nil { undo.discarded = other }
    return undo
  }
}
