import Control
import Engine
import EventLoop
import Measurements
import Store
import Workout

// What the engine wants done, handed to the adapters.
extension Daemon {
  func perform(_ effect: Effect) {
    switch effect {
    case .record, .records: preconditionFailure("records are written before anything is released")
    case .publish(let event):
      for effect in engine.publish(event, at: loop.now) { perform(effect) }
      if case .heartRate(let sample, _, _, _) = event.what {
        engine.note(.heartRate, took: EventLoop.tick - sample.tick)
      }
    case .beginWatch(let client, let snapshot):
      for effect in engine.beginWatch(client, snapshot, at: loop.now) { perform(effect) }
    case .tellDue: for effect in engine.tellDue(at: loop.now) { perform(effect) }
    case .write(let client, let bytes): write(bytes, to: client)
    case .timed(let work, let since): engine.note(work, took: EventLoop.tick - since)
    case .holdReading(let client, let isHeld): clients.holdReading(client, isHeld)
    case .tellWhenDrained(let client):
      if clients.tellWhenDrained(client) { inputs.append(.clientDrained(client)) }
    case .drop(let client): drop(client)
    case .close(let client, let reason):
      if let reason { journal.log(.notice, "closing a client of the control socket: \(reason)") }
      clients.close(client)
    case .openBus: inputs.append(bus.open())
    case .send(let message):
      do { try bus.send(message) } catch {
        journal.log(.error, "\(error)")
      }
    case .closeDescriptor(let descriptor): bus.close(descriptor)
    case .requestSync: store.requestSync()
    case .setSyncInterval(let interval): store.setSyncInterval(interval)
    case .readEvents(let id): readings.append(.events(id))
    case .readSamples(let id, let after): readings.append(.samples(id, after: after))
    case .layBoots(let clocks): readings.append(.boots(clocks))
    case .read(let client, let question) where question.isStep: questions.append((client, question))
    case .read(let client, let question): inputs.append(.answerRead(client, answer(question)))
    case .beginBackup: do { try store.beginBackup() } catch { inputs.append(.backupFailed(error)) }
    case .beginVerification(let number): inputs += startVerifier(number)
    case .endVerification:
      verifier?.stop()
      verifier = nil
    case .endBackup: store.endBackup()
    case .fetchEntropy(let count):
      do { inputs.append(.entropyArrived(try EventLoop.randomBytes(count))) } catch {
        journal.log(.error, "\(error)")
      }
    case .log(let entry): log(entry)
    case .showStatus(let line): EventLoop.notify(.status(line))
    case .exit: loop.stop(0)
    }
  }

  /// - Returns: why it could not be started, if so.
  private func startVerifier(_ number: Int) -> [Input] {
    do {
      verifier = try ChildProgram(loop, "/proc/self/exe", ["strapd", "--verify"]) { [unowned self] event in
        switch event {
        case .line(let line): inputs.append(.verificationSaid(number, line))
        case .ended(let status): inputs.append(.verificationEnded(number, status))
        }
      }
      return []
    } catch {
      return [.verificationFailed(number, "\(error)")]
    }
  }

  /// The straps never wait for a client, nor do others.
  private func write(_ bytes: [UInt8], to client: ClientID) {
    switch clients.write(bytes, to: client) {
    case .taken(let unsent): for effect in engine.wrote(to: client, unsent: unsent) { perform(effect) }
    case .refused:
      let who = engine.caller(client).map { " (\($0))" } ?? ""
      journal.log(.notice, "closing a client of the control socket\(who): it does not read what it asked for")
      drop(client)
    case .noClient: break
    }
  }

  private func drop(_ client: ClientID) {
    clients.drop(client)
    inputs.append(.clientGone(client))
  }

  private func log(_ entry: LogEntry) {
    let priority: Journal.Priority =
      switch entry.priority {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      }
    switch (entry.strap, entry.session) {
    case (nil, nil): journal.log(priority, entry.text)
    case (let strap?, nil): journal.log(priority, entry.text, fields: ["STRAP": strap.description])
    case (nil, let session?): journal.log(priority, entry.text, fields: ["SESSION": session.description])
    case (let strap?, let session?):
      journal.log(priority, entry.text, fields: ["STRAP": strap.description, "SESSION": session.description])
    }
  }

  // MARK: Reading the store

  private static let samplesPerReading = 500

  func read(_ reading: Reading) -> Input? {
    switch reading {
    case .boots(let clocks):
      store.layBoots(at: clocks)
      do {
        // What cannot be read was told of at the start.
        return .bootsLaid(try store.liveSessions { _ in }, ended: try store.provisionalSessions())
      } catch {
        journal.log(.error, "how long the machine was off stays provisional: \(error)")
        return nil
      }
    case .events(let id):
      do {
        return .eventsRead(id, try store.events(of: id.session))
      } catch {
        return .rebuildFailed(id, error)
      }
    case .samples(let id, let after):
      do {
        let samples = try store.samples(of: id.session, after: after, limit: Self.samplesPerReading)
        return .samplesRead(id, samples, isLast: samples.count < Self.samplesPerReading)
      } catch {
        return .rebuildFailed(id, error)
      }
    }
  }

  /// A workout that people have trimmed, split or merged, and its session with the workout's bounds; nil for any other.
  private func revised(_ id: SessionID) throws(StoreError) -> (SessionRecord, FinishedWorkout)? {
    guard try store.isRevised(id), var record = try store.session(id), let workout = try store.workout(id) else {
      return nil
    }
    (record.start, record.end) = (workout.start, workout.end)
    return (record, workout)
  }

  /// The series after the end of such a workout: that of the session with whose end it ends, and none for one that ends
  /// before.
  private func seriesBehind(_ workout: FinishedWorkout, _ record: SessionRecord) throws(StoreError) -> StoredAnswer {
    guard let last = workout.slices.last, let recorded = try store.session(last.session), let end = recorded.end,
      end.tick == last.end.tick
    else {
      return .postExercise(record, [], over: record.end?.tick, id: workout.id)
    }
    let over = try store.events(of: last.session).last { $0.what == .postExerciseEnded }
    return .postExercise(
      recorded, try store.samples(of: last.session, since: end.tick), over: over?.at.tick, id: workout.id)
  }

  private func recording(_ id: SessionID) throws(StoreError) -> StoredAnswer {
    guard let workout = try store.workout(id) else {
      return .recording(nil, merged: try store.workoutMerged(with: id), id: id)
    }
    let strap = try store.straps().first { $0.address == workout.strap }
    let last = try workout.slices.last.flatMap { slice throws(StoreError) in try store.session(slice.session)?.end?.tick
    }
    let base = RecordingBase(
      workout, try store.clientData(of: id), anchors: try store.anchors(of: workout.slices.first?.session ?? id),
      strap: strap, origin: try store.origin(of: workout), endsWithSession: last == workout.end.tick)
    return .recording(base, merged: nil, id: id)
  }

  func answer(_ question: Question) -> StoredAnswer {
    do {
      switch question {
      case .workouts(let before, let limit, let filter):
        return .workouts(try store.workouts(before: before, limit: limit, matching: filter))
      case .totals(let period, let filter, let limit):
        let (totals, next) = try store.totals(period, matching: filter, limit: limit)
        return .totals(totals, next: next)
      case .workout(let id):
        guard let workout = try store.workout(id) else {
          return .workout(nil, ClientData(), merged: try store.workoutMerged(with: id), id: id)
        }
        // The clocks of this machine have not led to the dates of a workout that was recorded elsewhere.
        let origin = try store.origin(of: workout).flatMap { RecordedOrigin($0.details) }
        let anchors = try store.anchors(of: id)
        return .workout(
          workout, try store.clientData(of: id), anchors: origin?.anchors ?? anchors,
          events: try store.events(of: workout), id: id)
      case .revision(let call):
        let workouts = try call.workouts.map { id throws(StoreError) in
          RevisionBase.Found(
            record: try store.session(id), workout: try store.workout(id), merged: try store.workoutMerged(with: id))
        }
        guard case .undo(let id) = call else {
          return .revision(RevisionBase(workouts: workouts, mayMove: try store.mayMove(call.workouts)), call)
        }
        let (undo, isSealed) = (try store.undo(id), try store.isSealed(id))
        return .revision(RevisionBase(workouts: workouts, undo: undo, isSealed: isSealed), call)
      case .edits(let id, let from, let limit):
        return .edits(try store.edits(of: id, from: from, limit: limit), id: id)
      case .restore(let id): return .restore(try store.workout(id), id: id)
      case .postExercise(let id):
        if let (record, workout) = try revised(id) { return try seriesBehind(workout, record) }
        let record = try store.session(id)
        let samples = try record?.end.map { end throws(StoreError) in try store.samples(of: id, since: end.tick) }
        let over = try store.events(of: id).last { $0.what == .postExerciseEnded }
        return .postExercise(record, samples ?? [], over: over?.at.tick, id: id)
      case .samples(let id, let after, let since, let limit):
        guard let (record, workout) = try revised(id) else {
          let begin = try since.map { tick throws(StoreError) in try store.sequence(of: id, before: tick) } ?? 0
          return .samples(
            try store.session(id), try store.samples(of: id, after: max(after, begin), limit: limit), id: id)
        }
        return .samples(record, try store.samples(of: workout, after: after, since: since, limit: limit), id: id)
      case .events(let question):
        guard let (record, workout) = try revised(question.session) else {
          return .events(try store.session(question.session), try store.events(of: question.session), question)
        }
        return .events(record, try store.events(of: workout), question)
      case .recording(let id): return try recording(id)
      case .recordedEvents(let id): return .recordedEvents(try store.events(of: id))
      case .recordedSamples(let id, let after, let limit):
        return .recordedSamples(try store.samples(of: id, after: after, limit: limit))
      case .importable(let id):
        return .importable(try store.importPlace(id))
      case .turn: return .turn
      case .session(let call):
        return .session(try store.session(call.session), try store.workout(call.session), call)
      }
    } catch {
      if error.kind == .damaged { journal.log(.error, "a client's question met damage in the store: \(error)") }
      return .failed(error)
    }
  }
}
