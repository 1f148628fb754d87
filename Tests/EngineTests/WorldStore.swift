import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// The store in memory: what a real one would read back.
extension World {
  func events(of session: SessionID) -> [EventRecord] {
    if let disk { return disk.events(of: session) }
    return records.compactMap { if case .event(let event) = $0, event.session == session { event } else { nil } }
  }

  func samples(of session: SessionID) -> [HeartRateSample] {
    if let disk { return disk.samples(of: session) }
    return records.compactMap { if case .sample(let sample, session) = $0 { sample } else { nil } }
  }

  /// Every workout that was written, one that was written again as often.
  var workouts: [FinishedWorkout] {
    records.compactMap { if case .workout(let workout) = $0 { workout } else { nil } }
  }

  /// The finished workouts as they stand now, in the order in which they came.
  var savedWorkouts: [FinishedWorkout] {
    var saved: [FinishedWorkout] = []
    for record in records {
      switch record {
      case .workout(let workout):
        saved.removeAll { $0.id == workout.id }
        saved.append(workout)
      case .discarded(let id, let mark):
        if let index = saved.firstIndex(where: { $0.id == id }) { saved[index].discarded = mark }
      case .workoutEdited, .editUndone, .session, .event, .sample, .clientData, .strap, .strapForgotten, .athlete,
        .athleteForgotten, .importBegan, .importFinished, .importAborted, .importReplaced, .sequenceReserved, .alive,
        .clockStepped,
        .clockSynchronised:
        break
      }
    }
    return saved
  }

  func savedWorkout(_ id: SessionID) -> FinishedWorkout? {
    if let disk { return disk.workout(id) }
    return savedWorkouts.first { $0.id == id }
  }

  func importPlace(_ id: SessionID) -> ImportPlace {
    if let disk { return disk.importPlace(id) }
    var place = ImportPlace(id: id)
    place.workout = savedWorkout(id)
    place.isTaken = session(id) != nil
    return place
  }

  func clientData(of session: SessionID) -> ClientData {
    records.compactMap { if case .clientData(let data, session) = $0 { data } else { nil } }.last ?? ClientData()
  }

  func session(_ id: SessionID) -> SessionRecord? {
    if let disk { return disk.session(id) }
    return records.compactMap { if case .session(let record) = $0, record.id == id { record } else { nil } }.last
  }

  var liveRecords: [SessionRecord] { disk?.liveSessions ?? sessionRecords.filter(\.state.isLive) }

  /// Those whose series after the exercise may go on.
  var justEnded: [SessionRecord] {
    sessionRecords.filter { record in
      record.end.map { $0.tick >= now.tick - engine.configuration.postExerciseLength } == true && record.state == .ended
        && !events(of: record.id).contains { $0.what == .postExerciseEnded }
    }
  }

  private var sessionRecords: [SessionRecord] {
    var sessions: [SessionID: SessionRecord] = [:]
    for case .session(let record) in records { sessions[record.id] = record }
    return sessions.values.sorted { $0.id < $1.id }
  }

  private func samples(of id: SessionID, after: Int64, since: Tick?, limit: Int) -> [HeartRateSample] {
    if let disk { return disk.samples(of: id, after: after, since: since, limit: limit) }
    return Array(samples(of: id).filter { $0.sequence > after && $0.tick >= since ?? $0.tick }.prefix(limit))
  }

  func answer(_ question: Question) -> StoredAnswer {
    switch question {
    case .workouts(let place, let limit, let filter):
      .workouts(
        disk?.workouts(before: place, matching: filter, limit: limit)
          ?? Array(
            savedWorkouts.filter(filter.takes).reversed().drop { workout in
              place.map { $0.id != workout.id } ?? false
            }.dropFirst(place == nil ? 0 : 1).prefix(limit)))
    case .totals(let period, let filter, let limit):
      disk.map { $0.totals(period, matching: filter, limit: limit) } ?? .totals([], next: nil)
    case .workout(let id):
      .workout(
        savedWorkout(id), clientData(of: id), anchors: disk?.recording(of: id)?.anchors ?? [],
        events: savedWorkout(id).flatMap { disk?.events(of: $0) } ?? events(of: id), merged: disk?.merged(id), id: id)
    // Only a real store knows what workouts were before.
    case .revision(let call):
      .revision(
        RevisionBase(
          workouts: call.workouts.map { id in
            RevisionBase.Found(record: session(id), workout: savedWorkout(id), merged: disk?.merged(id))
          }, mayMove: disk?.mayMove(call.workouts) ?? false,
          undo: call.method == "UndoEdit" ? disk?.undo(call.workouts[0]) : nil,
          isSealed: disk?.isSealed(call.workouts[0]) ?? false), call)
    case .edits(let id, let from, let limit):
      .edits(disk?.edits(of: id, from: from, limit: limit) ?? WorkoutEdits(edits: [], after: savedWorkout(id)), id: id)
    case .restore(let id): .restore(savedWorkout(id), id: id)
    case .samples(let id, let after, let since, let limit):
      .samples(session(id), samples(of: id, after: after, since: since, limit: limit), id: id)
    case .postExercise(let id):
      revised(id).map { seriesBehind($0.workout, $0.record) }
        ?? .postExercise(
          session(id), samples(of: id).filter { $0.tick >= session(id)?.end?.tick ?? now.tick },
          over: events(of: id).last { $0.what == .postExerciseEnded }?.at.tick, id: id)
    case .events(let question):
      revised(question.session).map { .events($0.record, disk?.events(of: $0.workout) ?? [], question) }
        ?? .events(session(question.session), events(of: question.session), question)
    case .session(let call): .session(session(call.session), savedWorkout(call.session), call)
    case .recording(let id): .recording(disk?.recording(of: id), merged: disk?.merged(id), id: id)
    case .recordedEvents(let id): .recordedEvents(events(of: id))
    case .recordedSamples(let id, let after, let limit):
      .recordedSamples(Array(samples(of: id).filter { $0.sequence > after }.prefix(limit)))
    case .importable(let id):
      .importable(importPlace(id))
    case .turn: .turn
    }
  }

  /// The series after the end of such a workout.
  private func seriesBehind(_ workout: FinishedWorkout, _ record: SessionRecord) -> StoredAnswer {
    guard let last = workout.slices.last, let recorded = session(last.session), let end = recorded.end,
      end.tick == last.end.tick
    else {
      return .postExercise(record, [], over: record.end?.tick, id: workout.id)
    }
    let over = events(of: last.session).last { $0.what == .postExerciseEnded }
    return .postExercise(
      recorded, samples(of: last.session).filter { $0.tick >= end.tick }, over: over?.at.tick, id: workout.id)
  }

  /// A workout that was trimmed, split or merged, and its session with its bounds.
  private func revised(_ id: SessionID) -> (record: SessionRecord, workout: FinishedWorkout)? {
    guard let workout = disk?.workout(id), !workout.slices.isEmpty, var record = session(id) else { return nil }
    (record.start, record.end) = (workout.start, workout.end)
    return (record, workout)
  }

  /// The straps that the store knows.
  var knownStraps: [StrapRecord] {
    var straps: [StrapAddress: StrapRecord] = [:]
    for record in records {
      if case .strap(let strap) = record { straps[strap.address] = strap }
      if case .strapForgotten(let address) = record { straps[address] = nil }
    }
    return straps.values.sorted { $0.address < $1.address }
  }

  /// The athletes that the store knows.
  var knownAthletes: [AthleteProfile] {
    var athletes: [AthleteName: AthleteProfile] = [:]
    for record in records {
      if case .athlete(let athlete) = record { athletes[athlete.name] = athlete }
      if case .athleteForgotten(let name) = record { athletes[name] = nil }
    }
    return athletes.values.sorted { $0.name.description < $1.name.description }
  }

  /// Empties the trash as the daemon does, a step at a time.
  func purge() {
    guard engine.wantsPurge, !isPurging else { return }
    isPurging = true
    at(.zero) { [unowned self] in
      isPurging = false
      guard engine.wantsPurge else { return }
      let date = engine.purgeDate(at: now)
      input(disk?.purge(at: date, retention: engine.configuration.retention) ?? .purged(.rest))
    }
  }

  func stepBackup() {
    guard engine.wantsBackupStep, !isSteppingBackup else { return }
    isSteppingBackup = true
    at(.zero) { [unowned self] in
      isSteppingBackup = false
      guard engine.wantsBackupStep else { return }
      #expect(isBackingUp)
      if let disk { return input(disk.stepBackup()) }
      input(backupSteps.isEmpty ? .backupStepped(.over) : backupSteps.removeFirst())
    }
  }

  func compact() {
    guard engine.wantsCompaction, !isCompacting else { return }
    isCompacting = true
    at(.zero) { [unowned self] in
      isCompacting = false
      guard engine.wantsCompaction else { return }
      compactions += 1
      let answer = compactionAnswer ?? disk?.compact(at: now.tick) ?? .compacted(.rest(until: nil))
      compactionAnswer = nil
      input(answer)
    }
  }
}
