import Control
import Measurements
import Workout

/// A client's change of finished workouts. Those whose samples are to be counted anew are computed one after the other,
/// slice by slice.
struct Revision: Sendable {
  let client: ClientID
  /// nil where a workout that has come in is counted for the first time.
  let call: WorkoutRevision?
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

  /// Counts a workout that has come in, when its turn comes.
  mutating func count(_ workout: FinishedWorkout, for client: ClientID) {
    revisions.append(Revision(client: client, call: nil, targets: [workout]))
    if revisions.count == 1 { askForRevision() }
  }

  /// - Returns: whether the workout that this client brings in is counted no more; false where it is being written.
  mutating func leaveImport(of client: ClientID) -> Bool {
    guard let place = revisions.firstIndex(where: { $0.call == nil && $0.client == client }) else { return true }
    if revisions[place].reply != nil { return false }
    revisions.remove(at: place)
    if place == 0 { askForRevision() }
    return true
  }

  private mutating func askForRevision() {
    guard let next = revisions.first else { return }
    if let call = next.call { effects.append(.read(next.client, .revision(call))) } else { countNext() }
  }

  /// The first one is done, with this answer.
  private mutating func endRevision(_ reply: ControlReply, _ ledger: inout Ledger) {
    guard !revisions.isEmpty else { return }
    let done = revisions.removeFirst()
    if done.call == nil {
      if case .imported = reply { endImport(saved: true, &ledger) } else { endImport(&ledger) }
    }
    effects.append(.reply(done.client, reply))
    askForRevision()
  }

  // MARK: What the store answers

  /// Whether the store's answer to this client is for the revision that is being made.
  func isRevising(for client: ClientID) -> Bool {
    revisions.first.map { $0.client == client && ($0.targets.isEmpty || $0.isVerifying) } ?? false
  }

  /// The store could not be read.
  mutating func revisionFailed(_ error: StoreError, _ ledger: inout Ledger) -> [SessionsEffect] {
    endRevision(.error(.storeFailed(error)), &ledger)
    return takeEffects()
  }

  mutating func take(_ base: RevisionBase, _ call: WorkoutRevision, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    guard let revision = revisions.first, revision.call == call else { return takeEffects() }
    if revision.isVerifying {
      if revision.base == base.workouts.map(\.workout) {
        write(revision, &ledger, now)
        return takeEffects()
      }
      // Somebody has discarded one of them meanwhile, or it has become old.
      revisions[0] = Revision(client: revision.client, call: call)
    }
    do { try begin(base, &ledger, now) } catch { endRevision(.error(error), &ledger) }
    return takeEffects()
  }

  private mutating func begin(_ base: RevisionBase, _ ledger: inout Ledger, _ now: Moment) throws(ControlError) {
    guard var revision = revisions.first, let call = revision.call else { return }
    revision.base = base.workouts.map(\.workout)
    if case .undo(let id) = call { return try undo(id, base, &ledger, now) }
    var workouts: [(record: SessionRecord, workout: FinishedWorkout)] = []
    for (id, found) in zip(call.workouts, base.workouts) {
      workouts.append(try Self.final(id, found))
    }
    guard let (record, workout) = workouts.first else { throw .noSuchWorkout(call.workouts[0]) }
    if base.mayMove, call.isOfMoments {
      throw .workoutNotFinal(record.id, "how far apart its parts are is known only when the clock is right")
    }
    let whole = workout.isWhole(of: record)
    switch call {
    case .undo: return
    case .edit(_, let changes):
      let changed = changes.applied(to: workout)
      if changed == workout { return endRevision(.revised(WorkoutSnapshot(workout)), &ledger) }
      revision.targets = [changed]
      revision.computed = 1
    case .trim(_, let start, let end):
      let (start, end) = (start?.moment(of: workout), end?.moment(of: workout))
      let trimmed = try whole.cut(from: start ?? workout.start, to: end ?? workout.end)
      if trimmed.start.tick == workout.start.tick, trimmed.end.tick == workout.end.tick {
        return endRevision(.revised(WorkoutSnapshot(workout)), &ledger)
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
      if isKnown, base.isSealed { throw .editSealed(id) }
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
  mutating func revisionWritten(_ ledger: inout Ledger) {
    if let reply = revisions.first?.reply { endRevision(reply, &ledger) }
  }

  /// What was to be written could not be: a change of finished workouts is not kept for later, as what is recorded is.
  ///
  /// - Returns: the records that are.
  mutating func revisionNotWritten(
    _ records: [Record], _ error: StoreError, _ ledger: inout Ledger
  ) -> (kept: [Record], [SessionsEffect]) {
    // One that has come in is not kept either, and more than this of it is to be taken back.
    guard let revision = revisions.first, revision.reply != nil, revision.call != nil else { return (records, []) }
    let made = Set(revision.sessions.map(\.id))
    let kept = records.filter { record in
      switch record {
      case .workoutEdited, .editUndone: false
      case .session(let session): !made.contains(session.id)
      case .event, .sample, .workout, .strap, .strapForgotten, .athlete, .athleteForgotten, .clientData, .discarded,
        .importBegan, .importFinished, .importAborted, .importReplaced, .sequenceReserved, .alive, .clockStepped,
        .clockSynchronised:
        true
      }
    }
    endRevision(.error(.storeFailed(error)), &ledger)
    return (kept, takeEffects())
  }

  // MARK: Computing

  private mutating func goOnRevising(_ ledger: inout Ledger, _ now: Moment) {
    guard let revision = revisions.first else { return }
    guard revision.computed < revision.targets.count else { return conclude(revision, &ledger, now) }
    countNext()
  }

  /// Asks for what the next slice is counted from.
  private mutating func countNext() {
    guard var revision = revisions.first else { return }
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
      // Of what was recorded here, that is a fault; of what has come in, it is what came.
      let refused = ControlError.importRefused("its events are in no order in which they can have happened: \(error)")
      endRevision(.error(revision.call == nil ? refused : .storeFailed(fault)), &ledger)
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
    guard let call = revision.call else {
      guard let replaced = importing?.replaced else { return save(revision, &ledger) }
      revisions[0].isVerifying = true
      effects.append(.read(revision.client, .importable(replaced.id)))
      return
    }
    if case .edit = call { return write(revision, &ledger, now) }
    revisions[0].isVerifying = true
    effects.append(.read(revision.client, .revision(call)))
  }

  private mutating func write(_ revision: Revision, _ ledger: inout Ledger, _ now: Moment) {
    guard let call = revision.call else { return }
    if let held = ledger.held { return endRevision(.error(.storeFailed(held)), &ledger) }
    let kind: WorkoutEdit.Kind
    switch call {
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
    let id = call.workouts[0]
    effects.append(.log(LogEntry(.info, "workout \(id) is changed by a client (\(kind))", session: id)))
    let snapshots = revision.targets.map(WorkoutSnapshot.init)
    revisions[0].reply = .revised(snapshots[0], second: snapshots.count > 1 ? snapshots[1] : nil)
  }

  /// What the store says of the workout whose place is to be taken, when all of the one that takes it has come.
  mutating func takeForRevision(_ place: ImportPlace, _ request: ImportedWorkout, _ ledger: inout Ledger) {
    guard let revision = revisions.first, revision.call == nil, revision.isVerifying else { return }
    if request.takesPlace(of: place) { return save(revision, &ledger) }
    // Somebody has discarded or edited it meanwhile.
    endRevision(.error(.workoutExists(place)), &ledger)
  }

  /// What has come in is a workout from now on.
  private mutating func save(_ revision: Revision, _ ledger: inout Ledger) {
    if let held = ledger.held { return endRevision(.error(.storeFailed(held)), &ledger) }
    for var workout in revision.targets {
      workout.slices = []
      ledger.record(.workout(workout))
      ledger.record(.importFinished(workout.id))
      if let replaced = importing?.replaced {
        ledger.record(.importReplaced(replaced.id, by: workout.id))
        workout.id = replaced.id
      }
      effects.append(.log(LogEntry(.info, "workout \(workout.id) is imported by a client", session: workout.id)))
      revisions[0].reply = .imported(WorkoutSnapshot(workout))
    }
    effects.append(.requestSync)
  }
}
