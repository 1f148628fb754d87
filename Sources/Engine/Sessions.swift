import Control
import Measurements
import Workout

/// The sessions that have not ended: calls of clients, measurements of straps, and time, turned into transitions,
/// records and events.
struct Sessions: Sendable {
  var live: [SessionID: LiveSession] = [:]
  /// Of sessions that have ended.
  var postExercises: [SessionID: PostExercise] = [:]
  var effects: [SessionsEffect] = []
  var configuration: Configuration
  /// The strap of sessions that name none; nil leaves the choice to the strongest signal.
  var defaultStrap: Result<StrapAddress?, ControlError>
  /// Straps whose workouts begin by themselves, and others that would have to be taken off before one could.
  var wearings: [StrapAddress: Wearing] = [:]
  /// The first of these.
  var lookedAfter: Set<StrapAddress> = []
  /// Who wears which strap.
  var athletes: [StrapAddress: AthleteName] = [:]
  /// Those of whom more is known.
  var people = Athletes()
  /// Calls that wait for the end of the sessions that they supersede, oldest first.
  var superseding: [SupersedingCall] = []
  /// Ended sessions whose saved workout is being computed again, since the clock was not right when it was saved.
  var corrections: [SessionID: LiveSession] = [:]
  /// The changes of finished workouts, the first of which is being made.
  var revisions: [Revision] = []
  /// A workout that comes in.
  var importing: Importing?
  /// Whether the wall clock is known to be right.
  var isClockSure = false
  /// It is not, and may yet become so: what depends on how long the machine was off waits.
  var isClockAwaited = false
  /// The kernel's name for this boot.
  var bootID = ""
  /// No more can be held in memory, and the store cannot be written: nothing begins, and nothing more is kept.
  var isStorageFull = false
  /// How many rebuilds there have been, by which they are told apart.
  var rebuilds = 0
  /// Random octets for the ids of new sessions.
  private var entropy: [UInt8]

  static let octetsPerID = 16
  static let entropyReserve = 256

  init(configuration: Configuration, entropy: [UInt8]) {
    self.configuration = configuration
    defaultStrap = .success(configuration.strap)
    self.entropy = entropy
  }

  // MARK: Calls

  /// Performs a call of a client; the answer is among the effects, now or later.
  mutating func perform(_ call: ControlCall, for client: ClientID, _ ledger: inout Ledger, at now: Moment)
    -> [SessionsEffect]
  {
    perform(call, for: client, into: &ledger, at: now)
    return takeEffects()
  }

  mutating func perform(_ call: ControlCall, for client: ClientID, into ledger: inout Ledger, at now: Moment) {
    do {
      if let session = try perform(call, client, &ledger, now) { reply(client, session, ledger, at: now) }
    } catch {
      effects.append(.reply(client, .error(error)))
    }
  }

  /// - Returns: the session whose snapshot is the answer; nil where the answer comes later.
  private mutating func perform(_ call: ControlCall, _ client: ClientID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError) -> SessionID?
  {
    switch call {
    case .create(let configuration): return try create(configuration, &ledger, now)
    case .prepare(let target, let request, let supersedes):
      return try prepare(target, request, supersedes, client, &ledger, now)
    case .start(let target, let time, let supersedes):
      guard let id = try find(target, .start, client) else { return nil }
      // What is refused ends no other session.
      if case .at(let date) = time {
        let clock = live[id]?.clock(reading: date, at: now) ?? now
        do { _ = try DatedTick(requested: date, at: clock) } catch { throw .refused(id, error) }
      }
      guard try takeStrap(id, supersedes, call, client, &ledger, now) else { return nil }
      return try start(id, time, &ledger, now)
    case .pause(let target):
      guard let id = try find(target, .pause, client) else { return nil }
      let instant = instant(id, now)
      try transit(id, &ledger, now) { session throws(SessionError) in try session.pause(at: instant) }
      return id
    case .resume(let target):
      guard let id = try find(target, .resume, client) else { return nil }
      let instant = instant(id, now)
      try transit(id, &ledger, now) { session throws(SessionError) in try session.resume(at: instant) }
      return id
    case .stop(let target, let date):
      guard let id = try find(target, .stop, client) else { return nil }
      let moment = date.map { live[id]?.clock(reading: $0, at: now) ?? now } ?? instant(id, now)
      try transit(id, &ledger, now) { session throws(SessionError) in try session.stop(date: date, at: moment) }
      return id
    case .end(let target):
      guard let id = try find(target, .end, client) else { return nil }
      return try end(id, for: client, &ledger, now)
    case .builder(let target, let request):
      guard let id = try find(target, request.call, client) else { return nil }
      return try perform(request, of: id, for: client, &ledger, now)
    case .getSession(let id):
      guard let session = live[id] else { throw .noSuchSession(id) }
      effects.append(.reply(client, .sessionDetail(session.detail(sequence: ledger.sequence, anchor(now), at: now))))
      return nil
    case .getStatus, .watch, .listWorkouts, .getTotals, .getTimings, .getWorkout, .restore, .revise, .listEdits,
      .athlete,
      .importing, .getRecording,
      .listEvents,
      .getPostExercise,
      .getSamples,
      .resetEnergy, .pair,
      .answerPairing,
      .listStraps, .nameStrap, .forgetStrap, .scan, .backup, .verify:
      preconditionFailure("the engine answers \(call) itself")
    }
  }

  /// The live session that a call means; nil where it names one that is not live, which the store is asked about.
  private mutating func find(_ target: SessionTarget, _ call: SessionCall, _ client: ClientID) throws(ControlError)
    -> SessionID?
  {
    let found: SessionID
    if let named = target.session {
      guard live[named] != nil else {
        effects.append(.read(client, .session(EndedSessionCall(session: named, call: call, ifState: target.ifState))))
        return nil
      }
      found = named
    } else {
      let ids = live.keys.sorted()
      guard let only = ids.first else { throw .noSession(call: call) }
      if ids.count > 1 { throw .sessionAmbiguous(ids) }
      found = only
    }
    if let state = live[found]?.machine.state { try target.check(state, of: found) }
    return found
  }

  private mutating func prepare(
    _ target: SessionTarget, _ request: ConfigurationRequest, _ supersedes: Bool, _ client: ClientID,
    _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> SessionID? {
    let call = ControlCall.prepare(target, request, supersedes: supersedes)
    if target.session != nil {
      guard let id = try find(target, .prepare, client) else { return nil }
      return try prepare(id, supersedes, call, client, &ledger, now)
    }
    guard let id = try waiting(for: request) else {
      // A new one is in notStarted.
      if let ifState = target.ifState, !ifState.contains(.notStarted) { throw .noSession(call: .prepare) }
      return try prepareNew(target, request, supersedes, client, &ledger, now)
    }
    try target.check(.notStarted, of: id)
    let named = ControlCall.prepare(
      SessionTarget(id, ifState: target.ifState), ConfigurationRequest(), supersedes: supersedes)
    return try prepare(id, supersedes, named, client, &ledger, now)
  }

  /// The session in notStarted that a prepare means which names none; nil where it is to make its own. One that others
  /// have made with another configuration is no matter of who says what the own one is to be.
  func waiting(for request: ConfigurationRequest) throws(ControlError) -> SessionID? {
    let waiting = live.values.filter { $0.machine.state == .notStarted }
      .filter { request.isMet(by: $0.machine.configuration) }.map(\.id).sorted()
    if waiting.count > 1 {
      if request != ConfigurationRequest() { return nil }
      throw .sessionAmbiguous(waiting)
    }
    return waiting.first
  }

  private mutating func prepareNew(
    _ target: SessionTarget, _ request: ConfigurationRequest, _ supersedes: Bool, _ client: ClientID,
    _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> SessionID? {
    var request = request
    var strap = try strap(request.strap)
    if strap == nil, supersedes {
      strap = try strapToTakeOver()
      request.strap = strap
    }
    let call = ControlCall.prepare(target, request, supersedes: supersedes)
    guard try makeWay(on: strap, for: nil, supersedes, call, client, &ledger, now) else { return nil }
    let id = try create(request.configuration, &ledger, now)
    try transit(id, &ledger, now) { session throws(SessionError) in try session.prepare(at: now) }
    return id
  }

  mutating func create(
    _ wanted: WorkoutConfiguration, isUnattended: Bool = false, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> SessionID {
    let strap = try strap(wanted.strap)
    if isStorageFull, let held = ledger.held { throw .storeFailed(held) }
    let id = takeID()
    let machine = WorkoutSession(id: id, configuration: wanted, at: now)
    var settings = SessionSettings()
    settings.athlete = athlete(of: strap)
    settings.zones = zones(of: strap, settings.athlete)
    settings.isUnattended = isUnattended
    var session = LiveSession(machine, strap: strap, settings: settings)
    session.entered = now.tick
    live[id] = session
    timeState(id)
    ledger.record(.session(session.record))
    ledger.record(.alive(anchor(now).clocks))
    effects.append(.requestSync)
    effects.append(.log(LogEntry(.info, "session \(id) made for \(wanted.activity)", session: id)))
    return id
  }

  /// A new id.
  mutating func takeID() -> SessionID {
    let id = SessionID(randomBytes: Array(entropy.prefix(Self.octetsPerID)))
    entropy.removeFirst(Self.octetsPerID)
    if entropy.count < Self.entropyReserve { effects.append(.fetchEntropy(count: Self.entropyReserve)) }
    return id
  }

  private mutating func prepare(
    _ id: SessionID, _ supersedes: Bool, _ call: ControlCall, _ client: ClientID, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> SessionID? {
    guard try takeStrap(id, supersedes, call, client, &ledger, now) else { return nil }
    try transit(id, &ledger, now) { session throws(SessionError) in try session.prepare(at: now) }
    return id
  }

  /// The strap of a session that names this one, or (nil) none.
  private func strap(_ named: StrapAddress?) throws(ControlError) -> StrapAddress? {
    guard let named else { return try defaultStrap.get() }
    return named
  }

  mutating func add(entropy octets: [UInt8]) {
    entropy += octets
  }

  private mutating func reply(_ client: ClientID, _ session: SessionID, _ ledger: Ledger, at now: Moment) {
    guard let snapshot = live[session]?.snapshot(sequence: ledger.sequence, at: now) else { return }
    effects.append(.reply(client, .session(snapshot)))
    if live[session]?.machine.state == .ended { live[session] = nil }
  }

  mutating func takeEffects() -> [SessionsEffect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }
}

/// The deadlines that are the sessions'.
enum SessionsDeadline: Hashable, Sendable {
  case countdown(SessionID)
  /// How long a session may be in its state.
  case state(SessionID)
  case absence(SessionID)
  /// What becomes of a strap's being worn, or not.
  case wearing(StrapAddress)
  /// A goal or an alert.
  case alerts(SessionID)
  case postExercise(SessionID)
}

enum SessionsEffect: Sendable {
  case want(SessionID, StrapAddress?, by: StrapAddress?)
  case release(SessionID)
  /// Hold a strap for what comes after an exercise, and let go of it.
  case hold(SessionID, StrapAddress)
  case letGo(SessionID)
  /// Hold a strap whose workouts begin by themselves, and let go of it.
  case lookAfterStrap(StrapAddress)
  case leaveStrap(StrapAddress)
  /// Keep it on disk that a strap is to be taken off first, or that it was.
  case awaitTakingOff(StrapAddress, Bool)
  /// Keep it on disk what would run in a dry run, or (nil) that nothing does any more.
  case keepDryRun(StrapAddress, StrapRecord.DryRun?)
  case reply(ClientID, ControlReply)
  case read(ClientID, Question)
  /// What was recorded for it is answered when it is written.
  case promise(Promise)
  case deadline(SessionsDeadline, Tick?)
  case requestSync
  case readEvents(RebuildID)
  case readSamples(RebuildID, after: Int64)
  case fetchEntropy(count: Int)
  case log(LogEntry)
}
