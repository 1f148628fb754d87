import Control
import Measurements
import Workout

/// The sessions that have not ended: calls of clients, measurements of straps, and time, turned into transitions,
/// records and events.
struct Sessions: Sendable {
  var live: [SessionID: LiveSession] = [:]
  var effects: [SessionsEffect] = []
  var configuration: Configuration
  /// The strap of sessions that name none; nil leaves the choice to the strongest signal.
  var defaultStrap: Result<StrapAddress?, ControlError>
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
    do {
      if let session = try perform(call, client, &ledger, now) { reply(client, session, ledger, at: now) }
    } catch {
      effects.append(.reply(client, .error(error)))
    }
    return takeEffects()
  }

  /// Answers a call that named a session which is not live, with what the store knows of it.
  func answer(_ call: EndedSessionCall, _ record: SessionRecord?, _ workout: FinishedWorkout?, sequence: Int64)
    -> ControlReply
  {
    guard let record else { return .error(.noSuchSession(call.session)) }
    guard call.call == .end else {
      let allowed = record.state.allowedCalls
      return .error(.refused(record.id, .notAllowed(state: record.state, call: call.call, allowed: allowed)))
    }
    let snapshot = workout.map(WorkoutSnapshot.init)
    return .session(
      SessionSnapshot(
        record: record, sequence: sequence, elapsed: workout?.elapsed ?? .zero, wall: workout?.wall ?? .zero,
        availability: .unknown, heartRate: nil, countdown: nil, statistics: workout?.heartRate,
        mostRecentDate: snapshot?.mostRecentDate, rrCount: workout?.rrCount ?? 0,
        energyKilojoules: workout?.energyKilojoules))
  }

  /// - Returns: the session whose snapshot is the answer; nil where the answer comes later.
  private mutating func perform(_ call: ControlCall, _ client: ClientID, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError) -> SessionID?
  {
    switch call {
    case .create(let configuration): return try create(configuration, &ledger, now)
    case .prepare(nil, let request):
      let waiting = live.values.filter { $0.machine.state == .notStarted }.map(\.id).sorted()
      if waiting.count > 1 { throw .sessionAmbiguous(waiting) }
      guard let id = waiting.first, let session = live[id] else {
        try checkStrap(try strap(request.strap), for: nil)
        let id = try create(request.configuration, &ledger, now)
        return try prepare(id, &ledger, now)
      }
      if let parameter = request.difference(from: session.machine.configuration) { throw .invalidParameter(parameter) }
      return try prepare(id, &ledger, now)
    case .prepare(let named?, _):
      guard let id = try find(named, .prepare, client) else { return nil }
      return try prepare(id, &ledger, now)
    case .start(let named, let date, let countdown):
      guard let id = try find(named, .start, client) else { return nil }
      return try start(id, date: date, countdown: countdown, &ledger, now)
    case .pause(let named):
      guard let id = try find(named, .pause, client) else { return nil }
      try transit(id, &ledger, now) { session throws(SessionError) in try session.pause(at: now) }
      return id
    case .resume(let named):
      guard let id = try find(named, .resume, client) else { return nil }
      try transit(id, &ledger, now) { session throws(SessionError) in try session.resume(at: now) }
      return id
    case .stop(let named, let date):
      guard let id = try find(named, .stop, client) else { return nil }
      try transit(id, &ledger, now) { session throws(SessionError) in try session.stop(date: date, at: now) }
      return id
    case .end(let named):
      guard let id = try find(named, .end, client) else { return nil }
      try end(id, cause: .user, &ledger, now)
      guard live[id]?.machine.state.isLive == true else { return id }
      live[id]?.waiting.append(client)
      return nil
    case .getStatus, .watch, .listWorkouts, .getWorkout, .resetEnergy, .pair, .answerPairing, .listStraps,
      .nameStrap, .forgetStrap, .scan:
      preconditionFailure("the engine answers \(call) itself")
    }
  }

  /// The live session that a call means; nil where it names one that is not live, which the store is asked about.
  private mutating func find(_ named: SessionID?, _ call: SessionCall, _ client: ClientID) throws(ControlError)
    -> SessionID?
  {
    guard let named else {
      let ids = live.keys.sorted()
      guard let only = ids.first else { throw .noSession(call: call) }
      if ids.count > 1 { throw .sessionAmbiguous(ids) }
      return only
    }
    if live[named] != nil { return named }
    effects.append(.read(client, .session(EndedSessionCall(session: named, call: call))))
    return nil
  }

  private mutating func create(_ wanted: WorkoutConfiguration, _ ledger: inout Ledger, _ now: Moment)
    throws(ControlError) -> SessionID
  {
    let strap = try strap(wanted.strap)
    let id = SessionID(randomBytes: Array(entropy.prefix(Self.octetsPerID)))
    entropy.removeFirst(Self.octetsPerID)
    if entropy.count < Self.entropyReserve { effects.append(.fetchEntropy(count: Self.entropyReserve)) }
    let machine = WorkoutSession(id: id, configuration: wanted, at: now)
    let session = LiveSession(machine, strap: strap)
    live[id] = session
    ledger.record(.session(session.record))
    ledger.record(.alive(now))
    effects.append(.requestSync)
    effects.append(.log(LogEntry(.info, "session \(id) made for \(wanted.activity)", session: id)))
    return id
  }

  private mutating func prepare(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) throws(ControlError)
    -> SessionID
  {
    if live[id]?.machine.state == .notStarted { try checkStrap(live[id]?.strap, for: id) }
    try transit(id, &ledger, now) { session throws(SessionError) in try session.prepare(at: now) }
    return id
  }

  private mutating func start(
    _ id: SessionID, date: WallTime?, countdown: Duration?, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> SessionID {
    if live[id]?.machine.state == .notStarted { try checkStrap(live[id]?.strap, for: id) }
    guard let countdown, countdown > .zero, let session = live[id], session.machine.state.allowedCalls.contains(.start)
    else {
      try transit(id, &ledger, now) { session throws(SessionError) in try session.start(date: date, at: now) }
      return id
    }
    // A countdown belongs to prepared: the strap is connected while it runs.
    try transit(id, &ledger, now) { session throws(SessionError) in try session.prepare(at: now) }
    let started = Countdown(start: now.tick + countdown)
    live[id]?.countdown = started
    showCountdown(id, started, &ledger, at: now)
    return id
  }

  /// The strap of a session that names this one, or (nil) none.
  private func strap(_ named: StrapAddress?) throws(ControlError) -> StrapAddress? {
    guard let named else { return try defaultStrap.get() }
    return named
  }

  private func checkStrap(_ strap: StrapAddress?, for id: SessionID?) throws(ControlError) {
    guard let strap,
      let other = live.values.first(where: {
        ($0.strap == strap || $0.tried == strap) && $0.wantsStrap && $0.id != id
      })
    else { return }
    throw .strapInUse(strap, by: other.id)
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
  case stopped(SessionID)
}

enum SessionsEffect: Sendable {
  case want(SessionID, StrapAddress?)
  case release(SessionID)
  case reply(ClientID, ControlReply)
  case read(ClientID, Question)
  case deadline(SessionsDeadline, Tick?)
  case requestSync
  case readEvents(RebuildID)
  case readSamples(RebuildID, after: Int64)
  case fetchEntropy(count: Int)
  case log(LogEntry)
}
