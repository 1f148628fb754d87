import Control
import Measurements
import Workout

/// A workout that a client brings in.
struct Importing: Sendable {
  let client: ClientID
  let request: ImportedWorkout
  /// What it is known by here, until it takes the place of another one.
  var id: SessionID
  /// That one, whose id it came with.
  var replaced: FinishedWorkout?
  /// Its bounds, before this boot if they have to be.
  let start: DatedTick
  let end: DatedTick
  var phase = Phase.asking
  /// What is answered when it is written.
  var reply: ControlReply?
  var order = RecordingOrder()

  enum Phase: Sendable {
    /// Whether there is such a workout. Leaves to: open.
    case asking
    /// Events and samples come in. Leaves to: counting.
    case open
    /// The statistics are computed, or the workout is being written.
    case counting
  }

  init(_ request: ImportedWorkout, for client: ClientID, at now: Moment) {
    self.client = client
    self.request = request
    id = request.id
    start = DatedTick(tick: now.tick(at: request.start), date: request.start)
    end = start.later(by: request.end - request.start)
  }
}

extension DatedTick {
  fileprivate func later(by span: Duration) -> DatedTick { DatedTick(tick: tick + span, date: date + span) }
}

/// Whether events and samples follow each other as those of a session do.
struct RecordingOrder: Sendable {
  private(set) var count = 0
  private var samples = 0
  private var last: Int64 = 0
  private var lastTick: Tick?
  private var state: WorkoutState?

  static let mostSamples = 1_000_000
  static let mostEvents = 100_000

  /// Whether the session has come to its end.
  var isComplete: Bool { state == .ended }

  mutating func take(_ number: Int64) throws(RecordingError) {
    if number <= last { throw RecordingError(number, "comes behind number \(last)") }
    last = number
    count += 1
  }

  mutating func take(_ sample: HeartRateSample) throws(RecordingError) {
    if let lastTick, sample.tick < lastTick {
      throw RecordingError(sample.sequence, "was received before the sample before it")
    }
    lastTick = sample.tick
    samples += 1
    if samples > Self.mostSamples {
      throw RecordingError(sample.sequence, "is one sample more than \(Self.mostSamples)")
    }
  }

  mutating func take(_ event: EventRecord, from start: Tick, to end: Tick) throws(RecordingError) {
    if count - samples > Self.mostEvents {
      throw RecordingError(event.sequence, "is one event more than \(Self.mostEvents)")
    }
    guard case .transition(let transition) = event.what else { return }
    if let state, transition.from != state { throw RecordingError(event.sequence, "leaves a state that it is not in") }
    state = transition.to
    switch (transition.from, transition.to) {
    case (.notStarted, .prepared), (.running, .paused), (.paused, .running), (.stopped, .ended): return
    case (.notStarted, .running), (.prepared, .running):
      if transition.at.tick != start {
        throw RecordingError(event.sequence, "is a start at another date than startDate")
      }
    case (.running, .stopped), (.paused, .stopped):
      if transition.at.tick != end { throw RecordingError(event.sequence, "is a stop at another date than endDate") }
    case (_, .notStarted), (_, .prepared), (_, .running), (_, .paused), (_, .stopped), (_, .ended):
      throw RecordingError(event.sequence, "is no transition of a workout's session")
    }
  }
}

// Workouts that were recorded elsewhere. One comes in at a time, and what has come is written as a live session's is; nobody
// sees it before all of it is there.
extension Sessions {
  mutating func perform(_ call: ImportCall, for client: ClientID, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    do { try take(call, for: client, &ledger, now) } catch { effects.append(.reply(client, .error(error))) }
    return takeEffects()
  }

  private mutating func take(
    _ call: ImportCall, for client: ClientID, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) {
    switch call {
    case .begin(let request): try begin(request, for: client, ledger, now)
    case .append(let events, let samples): try append(events, samples, for: client, &ledger)
    case .commit: try commitImport(for: client, &ledger)
    case .abort:
      guard let importing, importing.client == client else { throw .noImport }
      _ = leaveImport(of: client)
      endImport(&ledger)
      effects.append(.reply(client, .importTaken(importing.order.count)))
    }
  }

  private mutating func begin(
    _ request: ImportedWorkout, for client: ClientID, _ ledger: Ledger, _ now: Moment
  ) throws(ControlError) {
    if let held = ledger.held { throw .storeFailed(held) }
    if importing != nil { throw .importBusy }
    if live[request.id] != nil { throw .workoutExists(ImportPlace(id: request.id)) }
    importing = Importing(request, for: client, at: now)
    effects.append(.read(client, .importable(request.id)))
  }

  /// What the store says of the id.
  mutating func take(_ place: ImportPlace, for client: ClientID, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    guard let importing, importing.client == client, importing.request.id == place.id else { return takeEffects() }
    switch importing.phase {
    case .asking: begin(importing, in: place, &ledger, now)
    case .open: break
    case .counting: takeForRevision(place, importing.request, &ledger)
    }
    return takeEffects()
  }

  private mutating func begin(_ asked: Importing, in place: ImportPlace, _ ledger: inout Ledger, _ now: Moment) {
    var begun = asked
    begun.replaced = begun.request.takesPlace(of: place) ? place.workout : nil
    guard begun.replaced != nil || place.workout == nil && place.merged == nil else {
      importing = nil
      effects.append(.reply(begun.client, .error(.workoutExists(place))))
      return
    }
    if place.isTaken { begun.id = takeID() }
    begun.phase = .open
    begun.reply = .importBegun(begun.replaced?.id ?? begun.id, replacing: begun.replaced == nil ? nil : place.format)
    importing = begun
    let request = begun.request
    let session = begun.session(athlete: athlete(of: begun))
    ledger.record(.session(session))
    ledger.record(
      .importBegan(begun.id, WorkoutOrigin(format: request.format, date: now.wall, details: request.origin)))
    if !request.clientData.isEmpty { ledger.record(.clientData(request.clientData, session: begun.id)) }
  }

  private func athlete(of importing: Importing) -> AthleteName? {
    switch importing.request.athlete {
    case .keep: importing.replaced.map(\.athlete) ?? athlete(of: importing.request.strap)
    case .remove: nil
    case .set(let name): name
    }
  }

  private mutating func append(
    _ events: [JSON], _ samples: [JSON], for client: ClientID, _ ledger: inout Ledger
  ) throws(ControlError) {
    guard var open = importing, open.client == client, case .open = open.phase else { throw .noImport }
    if let held = ledger.held {
      endImport(&ledger)
      throw .storeFailed(held)
    }
    do {
      for record in try open.take(events, samples, numbers: { ledger.nextSequence() }) { ledger.record(record) }
    } catch {
      endImport(&ledger)
      throw .importRefused(error.description)
    }
    open.reply = .importTaken(open.order.count)
    importing = open
  }

  private mutating func commitImport(for client: ClientID, _ ledger: inout Ledger) throws(ControlError) {
    guard let open = importing, open.client == client, case .open = open.phase else { throw .noImport }
    guard open.order.isComplete else {
      endImport(&ledger)
      throw .importRefused("it has not come to its end: there is no transition to ended")
    }
    importing?.phase = .counting
    let athlete = athlete(of: open)
    let zones: HeartRateZones? =
      switch open.request.zones {
      case .keep: zones(of: open.request.strap, athlete)
      case .remove: nil
      case .set(let zones): zones
      }
    count(open.workout(athlete: athlete, zones), for: client)
  }

  /// The workout whose place is taken by what is being written.
  var replacedWorkout: SessionID? {
    let isWriting = revisions.first.map { $0.call == nil && $0.reply != nil } ?? false
    return isWriting ? importing?.replaced?.id : nil
  }

  // MARK: Its end

  /// Nothing more is to come; what has come is taken back unless it was saved.
  mutating func endImport(saved: Bool = false, _ ledger: inout Ledger) {
    guard let ended = importing else { return }
    importing = nil
    if case .asking = ended.phase { return }
    if !saved { ledger.record(.importAborted(ended.id)) }
  }

  mutating func importerGone(_ client: ClientID, _ ledger: inout Ledger) -> [SessionsEffect] {
    guard let gone = importing, gone.client == client else { return takeEffects() }
    // What is on its way to the disk is saved.
    guard leaveImport(of: client) else { return takeEffects() }
    endImport(&ledger)
    return takeEffects()
  }

  /// Whether the store's failure to answer is about the workout that this client brings in.
  func isImporting(for client: ClientID) -> Bool {
    importing.map { if case .asking = $0.phase { $0.client == client } else { false } } ?? false
  }

  mutating func importFailed(_ error: StoreError, _ ledger: inout Ledger) -> [SessionsEffect] {
    guard let failed = importing else { return takeEffects() }
    endImport(&ledger)
    effects.append(.reply(failed.client, .error(.storeFailed(error))))
    return takeEffects()
  }

  /// Everything is written that was to be.
  mutating func importWritten() -> [SessionsEffect] {
    guard let written = importing, let reply = written.reply else { return takeEffects() }
    importing?.reply = nil
    effects.append(.reply(written.client, reply))
    return takeEffects()
  }

  /// What was to be written could not be: a workout from elsewhere can be brought in again, and is not kept for later.
  ///
  /// - Returns: the records that are.
  mutating func importNotWritten(_ records: [Record], _ error: StoreError) -> (kept: [Record], [SessionsEffect]) {
    guard let failed = importing else { return (records, takeEffects()) }
    if case .asking = failed.phase { return (records, takeEffects()) }
    _ = leaveImport(of: failed.client)
    importing = nil
    // Of what was written before, nothing is to be left; that can wait until the store is written again.
    let kept = records.filter { !$0.isOf(failed.id) } + [.importAborted(failed.id)]
    effects.append(.reply(failed.client, .error(.storeFailed(error))))
    return (kept, takeEffects())
  }
}

extension Importing {
  fileprivate func session(athlete: AthleteName?) -> SessionRecord {
    var settings = SessionSettings()
    settings.athlete = athlete
    let configuration = WorkoutConfiguration(activity: request.activity, location: request.location, strap: nil)
    return SessionRecord(
      id: id, configuration: configuration, strap: request.strap, state: .ended, created: start, start: start, end: end,
      isUnprepared: false, endReason: request.endReason, collection: .finished, settings: settings)
  }

  /// Nothing is counted of it yet.
  fileprivate func workout(athlete: AthleteName?, _ zones: HeartRateZones?) -> FinishedWorkout {
    var workout = FinishedWorkout(
      id: id, activity: request.activity, location: request.location, strap: request.strap, start: start, end: end,
      endReason: request.endReason,
      summary: IntervalSummary(elapsed: .zero, wall: .zero, heartRate: nil, rrCount: 0), zones: zones, athlete: athlete)
    (workout.title, workout.notes) = (replaced?.title, replaced?.notes)
    request.title.apply(to: &workout.title)
    request.notes.apply(to: &workout.notes)
    workout.slices = [WorkoutSlice(session: id, start: start, end: end)]
    return workout
  }

  /// Takes what has come, in its order.
  ///
  /// - Returns: what is to be written.
  fileprivate mutating func take(
    _ events: [JSON], _ samples: [JSON], numbers: () -> Int64
  ) throws(RecordingError) -> [Record] {
    var happened: [EventRecord] = []
    for event in events { happened.append(try EventRecord(recorded: event, of: id, along: start)) }
    var measured: [HeartRateSample] = []
    for sample in samples { measured.append(try HeartRateSample(recorded: sample, along: start)) }
    var records: [Record] = []
    var (events, samples) = (happened[...], measured[...])
    while events.first != nil || samples.first != nil {
      let isEvent = events.first?.sequence ?? .max < samples.first?.sequence ?? .max
      if isEvent, var event = events.popFirst() {
        try check(event.at.tick, event.sequence)
        try order.take(event.sequence)
        try order.take(event, from: start.tick, to: end.tick)
        event.sequence = numbers()
        records.append(.event(event))
      } else if var sample = samples.popFirst() {
        try check(sample.tick, sample.sequence)
        try order.take(sample.sequence)
        try order.take(sample)
        sample.sequence = numbers()
        records.append(.sample(sample, session: id))
      }
    }
    return records
  }

  private func check(_ tick: Tick, _ number: Int64) throws(RecordingError) {
    let outside = ImportCall.mostOutside
    guard tick >= start.tick - outside, tick <= end.tick + outside else {
      throw RecordingError(number, "lies more than a day outside of the workout")
    }
  }
}

extension ImportedWorkout {
  /// Whether what is there came in by a file that says less, and nobody has changed it since or thrown it away.
  func takesPlace(of place: ImportPlace) -> Bool {
    guard let workout = place.workout, let format = place.format else { return false }
    return workout.discarded == nil && !place.isEdited && replaces.contains(format)
  }
}

extension Record {
  /// Whether it is of the session of this id.
  fileprivate func isOf(_ id: SessionID) -> Bool {
    switch self {
    case .session(let session): session.id == id
    case .event(let event): event.session == id
    case .sample(_, let session), .clientData(_, let session): session == id
    case .workout(let workout): workout.id == id
    case .importBegan(let session, _), .importFinished(let session), .importAborted(let session),
      .importReplaced(_, by: let session):
      session == id
    case .strap, .strapForgotten, .athlete, .athleteForgotten, .discarded, .workoutEdited, .editUndone,
      .sequenceReserved, .alive, .clockStepped, .clockSynchronised:
      false
    }
  }
}
