import Control
import Measurements
import Workout

/// A client's change of finished workouts. Those whose samples are to be counted anew are computed one after the other,
/// slice by slice.
struct Revision: Sendable {
  let client: ClientID
  let call: WorkoutRevision
  /// What the workouts are to be, as far as it is known.
  var targets: [FinishedWorkout] = []
  var removed: [SessionID] = []
  /// Sessions that are made with them.
  var sessions: [SessionRecord] = []
  /// How many of the targets are computed, and how many slices of the next one.
  var computed = 0
  var slice = 0
  var rebuild: Rebuild?
  var timeline = WorkoutTimeline()
  /// The workouts that it began with: where one is another one when all is computed, it begins again.
  var base: [FinishedWorkout?] = []
  /// Whether the store is being asked for that.
  var isVerifying = false
  /// What is answered when it is written.
  var reply: ControlReply?

  /// Nothing has been counted of the next target.
  mutating func beginTarget(_ builder: LiveBuilder) {
    slice = 0
    rebuild = Rebuild(builder)
    timeline = WorkoutTimeline()
  }

  var current: WorkoutSlice { targets[computed].slices[slice] }
  var isLastSlice: Bool { slice == targets[computed].slices.count - 1 }
}

// Finished workouts that are changed after the fact. One revision is made at a time, so that each begins with what the one
// before it has left.
extension Sessions {
  mutating func revise(_ call: WorkoutRevision, for client: ClientID, _ ledger: Ledger) throws(ControlError)
    -> [SessionsEffect]
  {
    if let held = ledger.held { throw .storeFailed(held) }
    for id in call.workouts {
      if let state = live[id]?.machine.state {
        throw .workoutNotFinal(id, "its session is \(state): it can be edited when it has ended")
      }
    }
    revisions.append(Revision(client: client, call: call))
    if revisions.count == 1 { askForRevision() }
    return takeEffects()
  }

  private mutating func askForRevision() {
    guard let next = revisions.first else { return }
    effects.append(.read(next.client, .revision(next.call)))
  }

  /// The first one is done, with this answer.
  private mutating func endRevision(_ reply: ControlReply) {
    guard !revisions.isEmpty else { return }
    let done = revisions.removeFirst()
    effects.append(.reply(done.client, reply))
    askForRevision()
  }

  // MARK: What the store answers

  /// Whether the store's answer to this client is for the revision that is being made.
  func isRevising(for client: ClientID) -> Bool {
    revisions.first.map { $0.client == client && ($0.targets.isEmpty || $0.isVerifying) } ?? false
  }

  /// The store could not be read.
  mutating func revisionFailed(_ error: StoreError) -> [SessionsEffect] {
    endRevision(.error(.storeFailed(error)))
    return takeEffects()
  }

  mutating func take(_ base: RevisionBase, _ call: WorkoutRevision, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    guard let revision = revisions.first, revision.call == call else { return takeEffects() }
    if revision.isVerifying {
      if revision.base == base.workouts.map(\.workout), !ledger.isDiscarding(call.workouts) {
        write(revision, &ledger, now)
        return takeEffects()
      }
      // Somebody has discarded one of them meanwhile, or it has become old.
      revisions[0] = Revision(client: revision.client, call: call)
    }
    do { try begin(base, &ledger, now) } catch { endRevision(.error(error)) }
    return takeEffects()
  }

  private mutating func begin(_ base: RevisionBase, _ ledger: inout Ledger, _ now: Moment) throws(ControlError) {
    guard var revision = revisions.first else { return }
    revision.base = base.workouts.map(\.workout)
    if case .undo(let id) = revision.call { return try undo(id, base, &ledger, now) }
    var workouts: [(record: SessionRecord, workout: FinishedWorkout)] = []
    for (id, found) in zip(revision.call.workouts, base.workouts) {
      workouts.append(try Self.final(id, found))
    }
    guard let (record, workout) = workouts.first else { throw .noSuchWorkout(revision.call.workouts[0]) }
    let whole = workout.isWhole(of: record)
    switch revision.call {
    case .undo: return
    case .edit(_, let changes):
      let changed = changes.applied(to: workout)
      if changed == workout { return endRevision(.revised(WorkoutSnapshot(workout))) }
      revision.targets = [changed]
      revision.computed = 1
    case .trim(_, let start, let end):
      let (start, end) = (start?.moment(of: workout), end?.moment(of: workout))
      let trimmed = try whole.cut(from: start ?? workout.start, to: end ?? workout.end)
      if trimmed.start.tick == workout.start.tick, trimmed.end.tick == workout.end.tick {
        return endRevision(.revised(WorkoutSnapshot(workout)))
      }
      revision.targets = [trimmed]
    case .split(_, let place):
      guard let moment = place?.moment(of: workout) else { throw .invalidParameter("date") }
      var second = try whole.cut(from: moment, to: workout.end)
      let first = try whole.cut(from: workout.start, to: moment)
      second.id = takeID()
      var session = record
      (session.id, session.start, session.end) = (second.id, second.start, second.end)
      (session.collection, session.settings.isDiscarded) = (.finished, false)
      revision.sessions = [session]
      revision.targets = [first, second]
    case .merge(let id, let other):
      if id == other { throw .revisionRefused(id, .sameWorkout, start: workout.start.date, end: workout.end.date) }
      guard workouts.count == 2 else { throw .noSuchWorkout(other) }
      revision.targets = [try whole.merged(with: workouts[1].workout.isWhole(of: workouts[1].record))]
      revision.removed = [other]
      revision.targets[0].id = id
    }
    revisions[0] = revision
    goOnRevising(&ledger, now)
  }

  /// A workout that can be changed.
  private static func final(_ id: SessionID, _ found: RevisionBase.Found) throws(ControlError) -> (
    SessionRecord, FinishedWorkout
  ) {
    if let other = found.merged { throw .workoutMerged(id, into: other) }
    guard let record = found.record, let workout = found.workout else { throw .noSuchWorkout(id) }
    if workout.discarded != nil { throw .workoutInTrash(id) }
    if workout.isProvisional {
      throw .workoutNotFinal(id, "how long it lasted is known only when the clock is right")
    }
    return (record, workout)
  }

  private mutating func undo(_ id: SessionID, _ base: RevisionBase, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError)
  {
    guard let undo = base.undo else {
      let isKnown = base.workouts.first.map { $0.workout != nil || $0.merged != nil } ?? false
      throw isKnown ? .nothingToUndo(id) : .noSuchWorkout(id)
    }
    if let other = undo.obstacle { throw .undoOtherFirst(id, other: other) }
    if let discarded = undo.discarded { throw .workoutInTrash(discarded) }
    ledger.record(.editUndone(undo.edit.number, now.wall))
    effects.append(.requestSync)
    effects.append(.log(LogEntry(.info, "the \(undo.edit.kind) of workout \(id) is undone", session: id)))
    revisions[0].reply = .undone(undo.edit, undo.workouts.map(WorkoutSnapshot.init))
  }

  // MARK: Writing

  /// Everything is written that was to be.
  mutating func revisionWritten() {
    if let reply = revisions.first?.reply { endRevision(reply) }
  }

  /// What was to be written could not be: a change of finished workouts is not kept for later, as what is recorded is.
  ///
  /// - Returns: the records that are.
  mutating func revisionNotWritten(_ records: [Record], _ error: StoreError) -> (kept: [Record], [SessionsEffect]) {
    guard let revision = revisions.first, revision.reply != nil else { return (records, []) }
    let made = Set(revision.sessions.map(\.id))
    let kept = records.filter { record in
      switch record {
      case .workoutEdited, .editUndone: false
      case .session(let session): !made.contains(session.id)
      case .event, .sample, .workout, .strap, .strapForgotten, .athlete, .athleteForgotten, .clientData, .discarded,
        .sequenceReserved, .alive, .clockStepped, .clockSynchronised:
        true
      }
    }
    endRevision(.error(.storeFailed(error)))
    return (kept, takeEffects())
  }

  // MARK: Computing

  private mutating func goOnRevising(_ ledger: inout Ledger, _ now: Moment) {
    guard var revision = revisions.first else { return }
    guard revision.computed < revision.targets.count else { return conclude(revision, &ledger, now) }
    if revision.rebuild == nil {
      revision.beginTarget(LiveBuilder(zones: revision.targets[revision.computed].zones))
    } else if let builder = revision.rebuild?.builder {
      revision.rebuild = Rebuild(builder)
    }
    rebuilds += 1
    let asked = RebuildID(session: revision.current.session, number: rebuilds)
    revision.rebuild?.id = asked
    revisions[0] = revision
    effects.append(.readEvents(asked))
  }

  /// - Returns: whether the answer is for a revision.
  mutating func takeForRevision(_ events: [EventRecord], of id: RebuildID, _ ledger: inout Ledger) -> Bool {
    guard var revision = revisions.first, revision.rebuild?.id == id else { return false }
    let slice = revision.current
    var marks = slice.marks(of: events, isFirst: revision.slice == 0, isLast: revision.isLastSlice)
    var timeline = slice.timeline(of: events)
    // A lap that is in two slices of its session is one of each.
    for number in timeline.numbers.intersection(revision.timeline.numbers) {
      let other = ledger.nextSequence()
      timeline.renumber(number, other)
      for index in marks.indices { marks[index].mark.renumber(number, other) }
    }
    revision.rebuild?.take(marks)
    revision.timeline.append(timeline)
    revisions[0] = revision
    effects.append(.readSamples(id, after: 0))
    return true
  }

  mutating func takeForRevision(
    _ samples: [HeartRateSample], of id: RebuildID, isLast: Bool, _ ledger: inout Ledger, at now: Moment
  ) -> Bool {
    guard var revision = revisions.first, var rebuild = revision.rebuild, rebuild.id == id else { return false }
    do {
      try rebuild.take(samples)
      if isLast { try rebuild.finish() }
    } catch {
      let fault = StoreError(operation: .read, code: 0, text: "counting the samples of \(id.session) again: \(error)")
      endRevision(.error(.storeFailed(fault)))
      return true
    }
    revision.rebuild = rebuild
    guard isLast else {
      revisions[0] = revision
      effects.append(.readSamples(id, after: rebuild.after))
      return true
    }
    if revision.isLastSlice {
      revision.targets[revision.computed].count(rebuild.builder, revision.timeline)
      revision.computed += 1
      revision.rebuild = nil
    } else {
      revision.slice += 1
    }
    revisions[0] = revision
    goOnRevising(&ledger, now)
    return true
  }

  private mutating func conclude(_ revision: Revision, _ ledger: inout Ledger, _ now: Moment) {
    // What is only said of it has taken no time.
    if case .edit = revision.call { return write(revision, &ledger, now) }
    revisions[0].isVerifying = true
    effects.append(.read(revision.client, .revision(revision.call)))
  }

  private mutating func write(_ revision: Revision, _ ledger: inout Ledger, _ now: Moment) {
    if let held = ledger.held { return endRevision(.error(.storeFailed(held))) }
    let kind: WorkoutEdit.Kind
    switch revision.call {
    case .edit: kind = .edit
    case .trim: kind = .trim
    case .merge: kind = .merge
    case .split: kind = .split
    case .undo: return
    }
    for session in revision.sessions { ledger.record(.session(session)) }
    let changes = revision.targets.map(WorkoutEdit.Change.saved) + revision.removed.map(WorkoutEdit.Change.removed)
    ledger.record(
      .workoutEdited(
        WorkoutEdit(number: ledger.nextSequence(), kind: kind, date: now.wall, changes: changes)))
    effects.append(.requestSync)
    let id = revision.call.workouts[0]
    effects.append(.log(LogEntry(.info, "workout \(id) is changed by a client (\(kind))", session: id)))
    let snapshots = revision.targets.map(WorkoutSnapshot.init)
    revisions[0].reply = .revised(snapshots[0], second: snapshots.count > 1 ? snapshots[1] : nil)
  }
}

// MARK: - Workouts

extension FinishedWorkout {
  /// The same with what it is made of written out.
  fileprivate func isWhole(of record: SessionRecord) -> FinishedWorkout {
    guard slices.isEmpty else { return self }
    var whole = self
    whole.slices = [WorkoutSlice(session: record.id, start: record.start ?? start, end: record.end ?? end)]
    return whole
  }

  /// What is left of it between two moments.
  fileprivate func cut(from start: DatedTick, to end: DatedTick) throws(ControlError) -> FinishedWorkout {
    func refused(_ why: RevisionError) -> ControlError {
      .revisionRefused(id, why, start: self.start.date, end: self.end.date)
    }
    // Seconds lose some nanoseconds on the way.
    guard start.tick >= self.start.tick + .milliseconds(-1), end.tick <= self.end.tick + .milliseconds(1) else {
      throw refused(.outsideWorkout)
    }
    guard end.tick > start.tick else { throw refused(.endNotAfterStart) }
    var cut = self
    cut.slices = slices.compactMap { slice in
      guard slice.start.tick < end.tick, slice.end.tick > start.tick else { return nil }
      var slice = slice
      if slice.start.tick < start.tick { slice.start = start }
      if slice.end.tick > end.tick { slice.end = end }
      return slice
    }
    // All of it may lie in the pause between two that were merged; a workout neither begins nor ends there.
    guard let first = cut.slices.first, let last = cut.slices.last else { throw refused(.outsideWorkout) }
    // All of it is dated by the clock that its start was dated by, however often that was set since.
    (cut.start, cut.end) = (first.start.dated(along: self.start), last.end.dated(along: self.start))
    return cut
  }

  fileprivate func merged(with other: FinishedWorkout) throws(ControlError) -> FinishedWorkout {
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
  fileprivate mutating func count(_ builder: LiveBuilder, _ timeline: WorkoutTimeline) {
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
