import Measurements
import Workout

// What has become of what was to be written.
extension Engine {
  mutating func committed(_ commit: Int64, _ now: Moment) {
    if ledger.held != nil {
      let lost = sessions.isStorageFull ? "what came behind hold_limit was not kept" : "nothing was lost"
      effects.append(.log(LogEntry(.notice, "the store is written again; \(lost)")))
    }
    guard ledger.committed(commit) else { return }
    deadlines.set(.flush, nil)
    layBoots(now)
    keepPromises(now)
    if let id = sessions.replacedWorkout {
      for client in recordingReadings.keys where recordingReadings[client]?.id == id {
        recordingReadings[client]?.isReplaced = true
      }
    }
    sessions.revisionWritten(&ledger)
    route(sessions.importWritten(), now)
    route(sessions.written(commit: commit, &ledger, at: now), now)
    if ledger.unsyncable != nil { route(sessions.syncFailed(&ledger, at: now), now) }
  }

  mutating func commitFailed(_ error: StoreError, _ records: [Record], _ now: Moment) {
    let (unrevised, failures) = sessions.revisionNotWritten(records, error, &ledger)
    route(failures, now)
    let (rest, refusals) = sessions.importNotWritten(unrevised, error)
    route(refusals, now)
    let kept = breakPromises(rest, error, now)
    if kept.isEmpty, !records.isEmpty {
      let text = "what a client wanted to change could not be written, and is as it was (\(error))"
      effects.append(.log(LogEntry(.error, text)))
      return
    }
    if ledger.held == nil {
      let text = "the store cannot be written (\(error)); the workout goes on in memory, and is written when it clears"
      effects.append(.log(LogEntry(.error, text)))
    }
    ledger.commitFailed(error, kept)
    deadlines.set(.flush, now.tick + ledger.flushInterval)
    if ledger.isFull { route(sessions.storageIsFull(&ledger, at: now), now) }
  }

  /// What lives is written first of all, since the new store may have little or nothing of it.
  mutating func storeBegunAnew(_ records: [Record], _ text: String, _ now: Moment) {
    effects.append(.log(LogEntry(.error, text)))
    let damage = StoreError(operation: .commit, code: 0, text: text, kind: .damaged)
    let (unrevised, failures) = sessions.revisionNotWritten(records, damage, &ledger)
    route(failures, now)
    let (rest, refusals) = sessions.importNotWritten(unrevised, damage)
    route(refusals, now)
    let records = breakPromises(rest, damage, now)
    let live = sessions.live.values.sorted { $0.id < $1.id }
    let seeds: [Record] =
      live.map { .session($0.record) } + live.map { .clientData($0.clientData, session: $0.id) }
      + roster.known.records.values.sorted { $0.address < $1.address }.map { .strap($0) }
      + sessions.people.all.map { .athlete($0) } + [
        .alive(clock.anchor(at: now))
      ]
    ledger.beginAnew(with: seeds, records)
  }
}
