import Control
import Measurements
import Workout

// Calls of clients, and their answers.
extension Engine {
  mutating func perform(_ call: ControlCall, for client: ClientID, _ now: Moment) {
    if !call.isReading, !call.isOneOfMany, let caller = subscriptions.caller(client) {
      effects.append(.log(LogEntry(.info, "\(call.method) is called by \(caller)")))
    }
    asked[client] = (call.method, now.tick)
    switch call {
    case .getStatus: reply(client, .status(status(for: client, at: now)), now)
    case .watch(let request, let selection):
      // It may be of another store.
      if let since = selection.since, since > ledger.sequence {
        return reply(client, .error(.invalidParameter("since")), now)
      }
      if isShuttingDown, request != nil { return reply(client, .error(.shuttingDown), now) }
      do {
        try roster.checkAdapter(call.adapter)
        for strap in request?.straps ?? [] { try roster.checkHeartRate(strap) }
      } catch { return reply(client, .error(error), now) }
      if request?.wantsAny == true, case .failure(let error) = roster.defaultStrap {
        return reply(client, .error(error), now)
      }
      let snapshot = WatchSnapshot(selection.narrowed(status(for: client, at: now)))
      route(subscriptions.watch(client, selection, from: snapshot), now)
      // The events of what it begins come behind the snapshot.
      settle()
      guard let request else { return }
      route(roster.monitor(request, for: client, at: now), now)
    case .listWorkouts(let before, let limit, let filter):
      begin(WorkoutsReading(before: before?.place, limit: limit, filter), for: client)
    case .getTimings: reply(client, .timings(timings.snapshot), now)
    case .getTotals(let period, let filter): begin(TotalsReading(period, filter), for: client)
    case .listEvents(let id, let from, let limit):
      effects.append(.read(client, .events(EventsQuestion(session: id, from: from, limit: limit))))
    case .resetEnergy(let strap):
      do { route(try roster.resetEnergy(strap, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .listStraps:
      let straps = roster.knownStraps.map { strap in
        var strap = strap
        strap.unattended = sessions.unattended(strap.record.address)
        return strap
      }
      reply(client, .straps(straps), now)
    case .scan(let includesAll, let adapter):
      if isShuttingDown { return reply(client, .error(.shuttingDown), now) }
      do { try roster.checkAdapter(adapter) } catch { return reply(client, .error(error), now) }
      route(roster.scan(includesAll: includesAll, by: adapter, for: client, at: now), now)
    case .verify: beginVerification(for: client, now)
    case .backup: beginBackup(for: client, now)
    case .nameStrap(let strap, let name, let athlete):
      if let held = ledger.held { return reply(client, .error(.storeFailed(held)), now) }
      do { route(try roster.name(strap, name, athlete, for: client), now) } catch { reply(client, .error(error), now) }
    case .forgetStrap(let strap):
      if let held = ledger.held { return reply(client, .error(.storeFailed(held)), now) }
      do { route(try roster.forget(strap, for: client), now) } catch { reply(client, .error(error), now) }
    case .pair(let request):
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      do { route(try roster.pair(request, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .answerPairing(let strap, let answer):
      do { route(try roster.answerPairing(of: strap, answer, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .getWorkout(let id): effects.append(.read(client, .workout(id)))
    case .getPostExercise(let id): effects.append(.read(client, .postExercise(id)))
    case .getSamples(let request): begin(request, for: client)
    case .revise(let revision):
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      do { route(try sessions.revise(revision, for: client, ledger), now) } catch {
        reply(client, .error(error), now)
      }
    case .athlete(let request):
      do { route(try sessions.perform(request, for: client, &ledger), now) } catch {
        reply(client, .error(error), now)
      }
    case .getRecording(let id): begin(RecordingReading(id), for: client, now)
    case .importing(let request):
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      route(sessions.perform(request, for: client, &ledger, at: now), now)
    case .listEdits(let id, let from, let limit):
      effects.append(.read(client, .edits(id, from: from, limit: limit)))
    case .restore(let id):
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      read(.restore(id), for: client)
    case .create, .prepare, .start, .pause, .resume, .stop, .end, .builder, .getSession:
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      do {
        try roster.checkAdapter(call.adapter)
        if let strap = sessions.strap(wantedBy: call) { try roster.checkHeartRate(strap) }
      } catch { return reply(client, .error(error), now) }
      route(sessions.perform(call, for: client, &ledger, at: now), now)
      route(sessions.noteUse(&ledger, at: now), now)
    }
  }

  mutating func reply(_ client: ClientID, _ answer: ControlReply, _ now: Moment) {
    let reply = answer.reply
    route(subscriptions.answer(client, reply), now)
    if !reply.continues, let (method, since) = asked.removeValue(forKey: client) {
      effects.append(.timed(.call(method: method), since: since))
    }
  }

  /// Answers a client with what the store found.
  mutating func answer(_ client: ClientID, _ answer: StoredAnswer, _ now: Moment) {
    if let question = outdatedQuestion(client, answer) { return read(question, for: client) }
    switch answer {
    case .workouts(let workouts): take(workouts, for: client, now)
    case .totals(let totals, let next): take(totals, before: next, for: client, now)
    case .workout(let workout?, let data, let anchors, let events, _, _):
      // As its laps, they are dated by the clock that its start was dated by: what it was set by since is no matter of theirs.
      let list = WorkoutEvent.list(events, from: workout.start, to: workout.end).map { $0.dated(along: workout.start) }
      let first = Array(list.prefix(ControlCall.largestPage))
      reply(client, .workout(WorkoutSnapshot(workout), data, anchors: anchors, events: first), now)
    case .workout(nil, _, _, _, let other?, let id): reply(client, .error(.workoutMerged(id, into: other)), now)
    case .workout(nil, _, _, _, nil, let id): reply(client, .error(.noSuchWorkout(id)), now)
    case .revision(let base, let call): route(sessions.take(base, call, &ledger, at: now), now)
    case .edits(let edits, let id):
      let isKnown = edits.after != nil || !edits.edits.isEmpty
      reply(client, isKnown ? .edits(edits) : .error(.noSuchWorkout(id)), now)
    case .postExercise(let record, let samples, let over, let id):
      reply(client, postExercise(of: record, samples, over, id, now), now)
    case .samples(let record, let samples, let id): take(record, samples, id, for: client, now)
    case .restore(let workout, let id):
      route(sessions.restore(workout, id, for: client, &ledger, at: now), now)
    case .session(let record, let workout, let call):
      route(sessions.answer(call, record, workout, for: client, &ledger, at: now), now)
    case .events(let record?, let events, let question):
      reply(client, Self.events(of: record, events, question), now)
    case .events(nil, _, let question): reply(client, .error(.noSuchWorkout(question.session)), now)
    case .recording(let base?, _, _): take(base, for: client, now)
    case .recording(nil, let other, let id):
      recordingReadings[client] = nil
      reply(client, .error(other.map { .workoutMerged(id, into: $0) } ?? .noSuchWorkout(id)), now)
    case .recordedEvents(let events): take(recorded: events, for: client, now)
    case .recordedSamples(let samples): take(recorded: samples, for: client, now)
    case .turn: goOnRecording(client, now)
    case .importable(let place): route(sessions.take(place, for: client, &ledger, at: now), now)
    case .failed(let error):
      if sessions.isImporting(for: client) { return route(sessions.importFailed(error, &ledger), now) }
      if sessions.isRevising(for: client) { return route(sessions.revisionFailed(error, &ledger), now) }
      endReadings(for: client)
      reply(client, .error(.storeFailed(error)), now)
    }
  }

  private func postExercise(
    of record: SessionRecord?, _ samples: [HeartRateSample], _ over: Tick?, _ id: SessionID, _ now: Moment
  ) -> ControlReply {
    guard let end = record?.end?.tick else { return .error(.noSuchWorkout(id)) }
    // Of a workout whose end was dated into the past there may be more than was to be kept.
    let limit = min(over.map { $0 - end } ?? configuration.postExerciseLength, PostExercise.longest)
    let series = samples.filter { ($0.tick - end) < limit }
    // Of a workout that was edited the record is that of the session with which it ends.
    let recorded = record?.id ?? id
    let isGoingOn = sessions.live[recorded] != nil || sessions.postExercises[recorded] != nil
    let isComplete = over != nil || !isGoingOn || now.tick - end >= configuration.postExerciseLength
    return .postExercise(PostExerciseSnapshot(end: end, samples: series, isComplete: isComplete))
  }

  private static func events(of record: SessionRecord, _ events: [EventRecord], _ question: EventsQuestion)
    -> ControlReply
  {
    guard let start = record.start else { return .events([], next: nil) }
    var all = WorkoutEvent.list(events, from: start, to: record.end)
    for index in all.indices {
      // The clock may have come to be right while nobody was there to say so.
      // What the clock was set by after the end is no matter of a finished workout.
      if record.isProvisional || record.state == .ended { all[index] = all[index].dated(along: start) }
      if !record.isProvisional { all[index].isProvisional = false }
    }
    let rest = all.dropFirst(question.from)
    let next = rest.count > question.limit ? question.from + question.limit : nil
    return .events(Array(rest.prefix(question.limit)), next: next)
  }

  private func status(for client: ClientID, at now: Moment) -> StatusSnapshot {
    var status = status(at: now)
    status.isRedacted = subscriptions.isRedacted(client)
    return status
  }

  func status(at now: Moment) -> StatusSnapshot {
    var status = StatusSnapshot(
      sequence: ledger.sequence, durableThrough: ledger.durableThrough, date: now.wall, bluetooth: roster.hostName,
      advice: roster.hostAdvice, adapters: roster.adapters,
      straps: roster.links.keys.sorted().compactMap { address in
        var strap = roster.snapshot(of: address, at: now)
        strap?.unattended = sessions.unattended(address)
        return strap
      },
      sessions: sessions.live.keys.sorted().compactMap {
        sessions.live[$0]?.snapshot(sequence: ledger.sequence, at: now)
      },
      locks: keepAlive.snapshots, limits: configuration.limits, watchers: subscriptions.watchers.count,
      oddSignals: roster.mirror.oddSignals,
      held: ledger.held ?? ledger.unsyncable)
    status.isClockSure = clock.isSure
    status.configurationFile = configuration.file
    return status
  }
}
