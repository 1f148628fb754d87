import Control
import Measurements
import Workout

/// A change that can wait, unlike what a strap sends: it is answered when it is written, and where it cannot be, nothing of
/// it is kept.
struct Promise: Sendable {
  let client: ClientID
  let change: Change

  enum Change: Sendable {
    /// The workout as it is in the trash.
    case discarded(SessionRecord, FinishedWorkout)
    /// The workout as it is out of the trash.
    case restored(FinishedWorkout)
    case athletes(before: Athletes)
    case strap(StrapAddress, before: StrapRecord?, ControlReply, LogEntry? = nil)
  }
}

extension Engine {
  /// Everything is written that was to be.
  mutating func keepPromises(_ now: Moment) {
    let kept = promises
    promises.removeAll()
    for promise in kept {
      switch promise.change {
      case .discarded(let record, let workout):
        ledger.happened(.discarded, .discarded, session: record.id, strap: workout.strap, at: now)
        let snapshot = SessionSnapshot(record, workout, sequence: ledger.sequence)
        reply(promise.client, .session(snapshot), now)
      case .restored(let workout):
        ledger.happened(.restored, .restored, session: workout.id, strap: workout.strap, at: now)
        reply(promise.client, .restored(WorkoutSnapshot(workout)), now)
      case .athletes: reply(promise.client, .athletes(sessions.people.all), now)
      case .strap(_, _, let answer, let entry):
        if let entry { effects.append(.log(entry)) }
        reply(promise.client, answer, now)
      }
    }
  }

  /// What was to be written could not be.
  ///
  /// - Returns: the records that are kept for later.
  mutating func breakPromises(_ records: [Record], _ error: StoreError, _ now: Moment) -> [Record] {
    let broken = promises
    promises.removeAll()
    var workouts: Set<SessionID> = []
    var straps: [StrapAddress: StrapRecord?] = [:]
    var areAthletes = false
    // The first one knows how everything was.
    for promise in broken.reversed() {
      switch promise.change {
      case .discarded(_, let workout), .restored(let workout): workouts.insert(workout.id)
      case .athletes(let before):
        areAthletes = true
        sessions.people = before
      case .strap(let strap, let before, _, _):
        straps.updateValue(before, forKey: strap)
        route(roster.takeBack(strap, before), now)
      }
    }
    for promise in broken { reply(promise.client, .error(.storeFailed(error)), now) }
    return records.compactMap { record in
      switch record {
      case .discarded(let id, _): workouts.contains(id) ? nil : record
      case .athlete, .athleteForgotten: areAthletes ? nil : record
      case .strapForgotten(let strap): straps[strap] == nil ? record : nil
      case .strap(let strap):
        if let before = straps[strap.address], before != strap { knownSince(before, strap.address) } else { record }
      case .session, .event, .sample, .workout, .clientData, .workoutEdited, .editUndone, .importBegan, .importFinished,
        .importAborted, .importReplaced, .sequenceReserved, .alive, .clockStepped, .clockSynchronised:
        record
      }
    }
  }
}

extension Engine {
  /// What is to be written of a strap, where something else has come to be known of it as well.
  private func knownSince(_ before: StrapRecord?, _ strap: StrapAddress) -> Record? {
    roster.known.records[strap].flatMap { $0 == before ? nil : .strap($0) }
  }
}

// What is decided by what the store has said of finished workouts.
extension Engine {
  /// Asks the store; `answer(_:_:_:)` asks again where finished workouts have changed before it is taken.
  mutating func read(_ question: Question, for client: ClientID) {
    readings[client] = ledger.workoutChanges
    effects.append(.read(client, question))
  }

  /// The question that is to be asked again, since its answer is older than a change of finished workouts: a discard that
  /// came while it was on its way would be lost otherwise, or come back with an undo.
  mutating func outdatedQuestion(_ client: ClientID, _ answer: StoredAnswer) -> Question? {
    let reading = readings.removeValue(forKey: client)
    guard let question = answer.questionOfChange, reading != ledger.workoutChanges else { return nil }
    return question
  }
}

extension StoredAnswer {
  /// What was asked, where a change of finished workouts depends on it.
  fileprivate var questionOfChange: Question? {
    switch self {
    case .revision(_, let call): .revision(call)
    case .restore(_, let id): .restore(id)
    case .session(_, _, let call): .session(call)
    case .importable(let place): .importable(place.id)
    case .workouts, .totals, .workout, .postExercise, .samples, .edits, .events, .recording, .recordedEvents,
      .recordedSamples, .turn, .failed:
      nil
    }
  }
}

extension Record {
  /// Whether finished workouts are not what they were when it is written.
  var changesWorkouts: Bool {
    switch self {
    case .workout, .discarded, .workoutEdited, .editUndone, .importFinished, .importAborted,
      .importReplaced:
      true
    case .session, .event, .sample, .strap, .strapForgotten, .athlete, .athleteForgotten, .clientData, .importBegan,
      .sequenceReserved, .alive, .clockStepped, .clockSynchronised:
      false
    }
  }
}
