import Measurements
import Workout

// What finished workouts are made of, where people have changed them.
extension Store {
  /// The finished workout of a session, with its laps and activities.
  public func workout(_ id: SessionID) throws(StoreError) -> FinishedWorkout? {
    guard let workout = try workoutTable.workout(id, on: axis) else { return nil }
    // Its row may have been written in a later boot, from where the recording's lay otherwise than it does now.
    var start = workout.slices.first?.start.tick
    if start == nil { start = try session(id)?.start?.tick }
    guard let start, start != workout.start.tick else { return workout }
    return workout.shifted(by: start - workout.start.tick)
  }

  /// Ended sessions whose workout was saved in this boot and is provisional.
  public func provisionalSessions() throws(StoreError) -> [ProvisionalSession] {
    var found: [ProvisionalSession] = []
    for id in try workoutTable.provisional(boot: axis.current) {
      if let record = try sessions.session(id, on: axis), record.state == .ended,
        let workout = try workoutTable.workout(id, on: axis)
      {
        found.append(ProvisionalSession(record: record, wall: workout.wall))
      }
    }
    return found
  }

  /// Writes what a person has changed. To be run within a transaction.
  func write(_ edit: WorkoutEdit) throws(StoreError) {
    try editTable.write(edit)
    // What comes of one that was taken out of the trash is not sent there by its age either.
    let isRestored = try editTable.isOfRestored(edit.number)
    for change in edit.changes {
      switch change {
      case .saved(var workout):
        // One that has gone to the trash meanwhile stays there.
        workout.discarded = nil
        try workoutTable.write(workout, on: axis, isClockSure: clocks.isSynchronised)
        try workoutDates.inherit(workout.id, from: edit.number)
      case .removed(let id): try workoutTable.remove(id)
      }
    }
    if isRestored { try editTable.markRestored(edit.number) }
  }

  /// What people have changed in a workout, oldest first, from a place on: at most `limit` edits, and no more than come to
  /// some 64 KiB on the wire, but one at least.
  public func edits(of workout: SessionID, from place: Int, limit: Int) throws(StoreError) -> WorkoutEdits {
    let edits = try editTable.edits(of: workout, from: place, limit: limit, octets: 1 << 16, on: axis)
    guard let last = edits.last else { return WorkoutEdits(edits: [], after: try self.workout(workout)) }
    let next = try editTable.next(after: last.number, of: workout, on: axis)
    let rest = place + edits.count
    return WorkoutEdits(
      edits: edits, after: next.edit == nil ? try self.workout(workout) : next.workout,
      next: try editTable.hasEdit(of: workout, at: rest) ? rest : nil)
  }

  func slices(of workout: SessionID) throws(StoreError) -> [WorkoutSlice] {
    try workoutTable.slices(of: workout, on: axis)
  }

  /// The workout that one has become part of; nil where it is one itself, or never was.
  public func workoutMerged(with id: SessionID) throws(StoreError) -> SessionID? {
    try workout(id) == nil ? try editTable.merged(id) : nil
  }

  /// Whether a workout is something else than the whole of its own session.
  public func isRevised(_ id: SessionID) throws(StoreError) -> Bool {
    try !slices(of: id).isEmpty
  }

  /// The events of a workout: all of its session, or those of its slices.
  public func events(of workout: FinishedWorkout) throws(StoreError) -> [EventRecord] {
    guard !workout.slices.isEmpty else { return try events(of: workout.id) }
    var found: [EventRecord] = []
    for slice in workout.slices {
      found += try events(of: slice.session).compactMap { $0.happened(in: slice) }
    }
    return found
  }

  /// At most `limit` samples of a workout behind a sequence number, in their order: those of its slices where it has some,
  /// else all of its session; those that came before a tick may be left out.
  public func samples(
    of workout: FinishedWorkout, after sequence: Int64, since tick: Tick? = nil, limit: Int
  ) throws(StoreError) -> [HeartRateSample] {
    guard !workout.slices.isEmpty else { return try samples(of: workout.id, after: sequence, limit: limit) }
    var found: [HeartRateSample] = []
    let place = try place(of: sequence, in: workout)
    for (index, slice) in workout.slices.enumerated().dropFirst(place ?? 0) {
      let start = max(slice.start.tick, tick ?? slice.start.tick)
      if start >= slice.end.tick { continue }
      // Of recordings that were imported the earlier one may have the greater numbers.
      let passed = place.map { $0 < index } ?? false
      var last = max(passed ? 0 : sequence, try self.sequence(of: slice.session, before: start))
      while found.count < limit {
        let page = try samples(of: slice.session, after: last, limit: limit)
        found += page.filter { $0.tick >= start && $0.tick < slice.end.tick }.prefix(limit - found.count)
        guard page.count == limit, let end = page.last, end.tick < slice.end.tick else { break }
        last = end.sequence
      }
    }
    return found
  }

  /// Which of its slices a sample is of; nil where there is no such sample.
  private func place(of sequence: Int64, in workout: FinishedWorkout) throws(StoreError) -> Int? {
    for (index, slice) in workout.slices.enumerated() where sequence > 0 {
      let sample = try samples(of: slice.session, after: sequence - 1, limit: 1).first
      if let sample, sample.sequence == sequence, sample.tick >= slice.start.tick, sample.tick < slice.end.tick {
        return index
      }
    }
    return nil
  }

  /// Where a workout was recorded that was imported, or is part of one that was; nil for others.
  public func origin(of workout: FinishedWorkout) throws(StoreError) -> WorkoutOrigin? {
    try importTable.origin(of: workout.slices.first?.session ?? workout.id)
  }

  /// What is there under the id of a workout that is to come in.
  public func importPlace(_ id: SessionID) throws(StoreError) -> ImportPlace {
    var place = ImportPlace(id: id)
    place.workout = try workout(id)
    place.merged = try workoutMerged(with: id)
    place.isTaken = try session(id) != nil
    place.format = try importTable.origin(of: id)?.format
    place.isEdited = try editTable.isEdited(id)
    return place
  }

  /// To be run within a transaction.
  func replace(_ old: SessionID, by new: SessionID) throws(StoreError) {
    try importTable.replace(old, by: new) { number throws(StoreError) in try purge.delete(number) }
  }

  /// What undoing the last edit of a workout would do; nil where there is none that is not undone and can be.
  public func undo(_ id: SessionID) throws(StoreError) -> WorkoutUndo? {
    guard var undo = try editTable.undo(of: id, on: axis) else { return nil }
    for other in undo.edit.workouts where try workout(other)?.discarded != nil { undo.discarded = other }
    return undo
  }
}

extension Store {
  /// Whether the clock may still come to say that these workouts, or the parts of one, lie otherwise to each other than it
  /// says now: as long as this boot's was never right.
  public func mayMove(_ workouts: [SessionID]) throws(StoreError) -> Bool {
    var boots: [Int64] = []
    for id in workouts {
      let slices = try slices(of: id).map(\.session)
      for session in slices.isEmpty ? [id] : slices { boots += try workoutTable.boots(of: session) }
    }
    return axis.mayMove(boots)
  }

  /// Whether the last edit of a workout that is not undone stays for good.
  public func isSealed(_ id: SessionID) throws(StoreError) -> Bool {
    try editTable.isSealed(id)
  }

  /// Takes a step of emptying the trash, which takes some milliseconds at most; but the last one, when everything of a
  /// workout is deleted, copies the log into the database and empties it, so that nothing of that is left in either file.
  ///
  /// - Parameters:
  ///   - now: by a wall clock that is known to be right; nil: only what is left of deleted workouts, and of imports that
  ///     came to no end, is cleared away.
  ///   - retention: how old workouts become before they go to the trash; nil: as old as they like.
  /// - Throws: what kept the step from being done, of which nothing is left; it may be tried again.
  public func purge(at now: WallTime?, retention: Duration?) throws(StoreError) -> PurgeStep {
    try checkPlace()
    let step = try purge.step(at: now, retention: retention)
    switch step {
    case .deleted, .cleared: keepsDeleted = true
    // While somebody reads in the log it is tried again at the next time.
    case .rest: if keepsDeleted { keepsDeleted = try !emptyLog() }
    case .aged: break
    }
    return step
  }
}
