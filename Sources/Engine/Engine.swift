import Bus
import Control
import Measurements
import Workout

/// The daemon's whole policy as a value: an input and a moment in, effects out.
///
/// It only routes between its three parts, which do not know each other, and keeps the deadlines.
public struct Engine: Sendable {
  public let configuration: Configuration
  var roster: Roster
  var sessions: Sessions
  private var subscriptions = Subscriptions()
  private var keepAlive = KeepAlive()
  private var ledger: Ledger
  private var deadlines = DeadlineTable()
  private var effects: [Effect] = []
  /// Effects whose order is fixed: whatever comes later follows them.
  private var settled: [Effect] = []
  /// Calls that are to be performed: one after the other, since the answer to one lets its client's next one come.
  private var calls: [(client: ClientID, call: ControlCall)] = []
  private var isShuttingDown = false
  private var shownStatus = ""
  /// Once for each loss, and not for each try to come back.
  private var isBusLossTold = false

  static let aliveInterval = Duration.seconds(60)
  static let shutdownLimit = Duration.seconds(5)
  /// Random octets that `init` needs at least.
  public static let entropyCount = 512

  /// - Parameters:
  ///   - entropy: `entropyCount` random octets, for ids and jitter.
  ///   - nextSequence: the first event number that was never used.
  public init(configuration: Configuration, entropy: [UInt8], nextSequence: Int64) {
    precondition(entropy.count >= Self.entropyCount, "the engine needs \(Self.entropyCount) random octets")
    self.configuration = configuration
    ledger = Ledger(nextSequence: nextSequence)
    let seed = entropy.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    roster = Roster(configuration: configuration, seed: seed)
    sessions = Sessions(configuration: configuration, entropy: Array(entropy.dropFirst(8)))
  }

  /// The first effects: the sessions that the last life has left are taken up, and the bus is opened.
  ///
  /// - Parameter straps: what the store knows of straps.
  public mutating func start(
    recovering records: [SessionRecord], lastAlive: DatedTick?, straps: [StrapRecord] = [], at now: Moment
  ) -> [Effect] {
    ledger.reserve()
    effects.append(.openBus)
    effects.append(.requestSync)
    route(roster.know(straps), now)
    route(sessions.recover(records, lastAlive: lastAlive, &ledger, at: now), now)
    return takeEffects(now)
  }

  /// When `deadlinePassed` is due.
  public var nextDeadline: Tick? { deadlines.next }

  public mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
    switch input {
    case .busConnected:
      isBusLossTold = false
      route(roster.busConnected(at: now), now)
      route(keepAlive.busConnected(at: now))
    case .busLost(let why):
      if !isBusLossTold {
        isBusLossTold = true
        effects.append(.log(LogEntry(.warning, "the system bus is gone (\(why)); it is tried again every 2 s")))
      }
      route(roster.busLost(at: now), now)
      route(keepAlive.busLost(at: now))
    case .busMessageArrived(let message): take(message, now)
    case .clientConnected(let client): subscriptions.connected(client)
    case .clientSent(let client, let bytes): route(subscriptions.received(bytes, from: client), now)
    case .clientFinishedSending(let client): route(subscriptions.finishedSending(client), now)
    case .clientDrained(let client): route(subscriptions.drained(client), now)
    case .clientGone(let client):
      subscriptions.gone(client)
      route(roster.clientGone(client, at: now), now)
      route(roster.release(.monitor(client), at: now), now)
    case .committed(let commit): committed(commit, now)
    case .commitFailed(let error, let records): commitFailed(error, records, now)
    case .synced(let commit):
      ledger.synced(throughCommit: commit)
      route(sessions.synced(throughCommit: commit, &ledger, at: now), now)
    case .syncFailed(let error):
      let text = "the disk does not keep what is written (\(error)); workouts are saved, and may be lost to a power cut"
      effects.append(.log(LogEntry(.error, text)))
      ledger.syncFailed(error)
      route(sessions.syncFailed(&ledger, at: now), now)
    case .marksRead(let id, let marks): route(sessions.take(marks, of: id), now)
    case .samplesRead(let id, let samples, let isLast):
      route(sessions.take(samples, of: id, isLast: isLast, &ledger, at: now), now)
    case .rebuildFailed(let id, let error): route(sessions.rebuildFailed(id, error, &ledger, at: now), now)
    case .answerRead(let client, let answer): reply(client, reply(for: answer), now)
    case .deadlinePassed:
      while let deadline = deadlines.takeDue(at: now.tick) { passed(deadline, now) }
    case .entropyArrived(let octets): sessions.add(entropy: octets)
    case .terminationRequested: shutDown(now)
    }
    return takeEffects(now)
  }

  /// An event's octets and the clients that they go to, for the effect `publish`. The octets are made once for all.
  public func encode(_ event: Event) -> (bytes: [UInt8], clients: [ClientID])? {
    let clients = subscriptions.watchers(of: event.sequence)
    guard !clients.isEmpty else { return nil }
    return (event.message(held: ledger.held != nil, durableThrough: ledger.durableThrough), clients)
  }

  // MARK: Routing

  private mutating func route(_ effects: [RosterEffect], _ now: Moment) {
    for effect in effects {
      switch effect {
      case .openBus: self.effects.append(.openBus)
      case .send(let message): self.effects.append(.send(message))
      case .deadline(let deadline, let tick): deadlines.set(.roster(deadline), tick)
      case .record(let record): ledger.record(record)
      case .log(let entry): self.effects.append(.log(entry))
      case .event(let event): take(event, now)
      }
    }
  }

  private mutating func take(_ message: BusMessage, _ now: Moment) {
    if let taken = keepAlive.take(message, at: now) { return route(taken) }
    // Of all that is asked, only a lock is a descriptor: others come late, or from strangers.
    for descriptor in message.fileDescriptors { effects.append(.closeDescriptor(descriptor)) }
    route(roster.take(message, at: now), now)
  }

  private mutating func route(_ effects: [KeepAliveEffect]) {
    for effect in effects {
      switch effect {
      case .send(let message): self.effects.append(.send(message))
      case .close(let descriptor): self.effects.append(.closeDescriptor(descriptor))
      case .deadline(let operation, let tick): deadlines.set(.lock(operation), tick)
      case .log(let entry): self.effects.append(.log(entry))
      }
    }
  }

  private mutating func take(_ event: RosterEvent, _ now: Moment) {
    switch event {
    case .measured(let strap, let measurement, let payload, let isRepeat, let beats):
      let availability = roster.links[strap]?.availability ?? .unknown
      sessions.measured(
        strap, measurement, payload: payload, isRepeat: isRepeat, beats: beats, availability: availability, &ledger,
        at: now)
    case .gap(let strap, let since): sessions.gap(strap, since: since, &ledger, at: now)
    case .availability(let strap, let availability):
      sessions.availabilityChanged(strap, availability, &ledger, at: now)
    case .linkLost(let strap):
      guard let link = roster.snapshot(of: strap, at: now) else { return }
      route(sessions.linkChanged(link, isLost: true, &ledger, at: now), now)
    case .linkChanged(let strap):
      guard let link = roster.snapshot(of: strap, at: now) else { return }
      route(sessions.linkChanged(link, isLost: false, &ledger, at: now), now)
    case .lowBattery(let strap, let level, let threshold):
      sessions.batteryLow(strap, level, threshold: threshold, &ledger, at: now)
    case .namesChanged:
      subscriptions.names = roster.known.names
      sessions.defaultStrap = roster.defaultStrap
    case .answered(let client, let answer): reply(client, answer, now)
    case .trying(.session(let session), let strap): sessions.trying(session, strap)
    case .chosen(.session(let session), let strap):
      sessions.chosen(session, strap, &ledger)
      sessions.availabilityChanged(strap, roster.links[strap]?.availability ?? .acquiring, &ledger, at: now)
    case .trying(.monitor(let client), let strap): tell(client, strap, now)
    case .chosen(.monitor, _), .trying(.pairing, _), .chosen(.pairing, _): break
    }
  }

  /// Tells a client which strap it monitors; nil while one is being looked for.
  private mutating func tell(_ client: ClientID, _ strap: StrapAddress?, _ now: Moment) {
    let notice = MonitorNotice(
      strap: strap.flatMap { roster.snapshot(of: $0, at: now) }, advice: strap == nil ? roster.hostAdvice : nil,
      sequence: ledger.sequence, date: now.wall, durableThrough: ledger.durableThrough)
    route(subscriptions.tell(client, notice), now)
    settle()
  }

  private mutating func route(_ effects: [SessionsEffect], _ now: Moment) {
    for effect in effects {
      switch effect {
      case .want(let session, let strap): route(roster.want(.session(session), strap, at: now), now)
      case .release(let session): route(roster.release(.session(session), at: now), now)
      case .reply(let client, let answer): reply(client, answer, now)
      case .read(let client, let question): self.effects.append(.read(client, question))
      case .deadline(let deadline, let tick): deadlines.set(.sessions(deadline), tick)
      case .requestSync: self.effects.append(.requestSync)
      case .readMarks(let id): self.effects.append(.readMarks(id))
      case .readSamples(let id, let after): self.effects.append(.readSamples(id, after: after))
      case .fetchEntropy(let count): self.effects.append(.fetchEntropy(count: count))
      case .log(let entry): self.effects.append(.log(entry))
      }
    }
  }

  private mutating func route(_ effects: [SubscriptionsEffect], _ now: Moment) {
    for effect in effects {
      switch effect {
      case .perform(let client, let call): calls.append((client, call))
      case .write(let client, let bytes): self.effects.append(.write(client, bytes))
      case .tellWhenDrained(let client): self.effects.append(.tellWhenDrained(client))
      case .holdReading(let client, let isHeld): self.effects.append(.holdReading(client, isHeld))
      case .close(let client, let reason):
        self.effects.append(.close(client, reason: reason))
        route(roster.release(.monitor(client), at: now), now)
      }
    }
  }

  // MARK: Calls

  private mutating func perform(_ call: ControlCall, for client: ClientID, _ now: Moment) {
    switch call {
    case .getStatus: reply(client, .status(status(at: now)), now)
    case .watch(let request):
      if isShuttingDown, request != nil { return reply(client, .error(.shuttingDown), now) }
      if request?.wantsAny == true, case .failure(let error) = roster.defaultStrap {
        return reply(client, .error(error), now)
      }
      route(subscriptions.watch(client, from: WatchSnapshot(status(at: now))), now)
      // The events of what it begins come behind the snapshot.
      settle()
      guard let request else { return }
      route(roster.monitor(request, for: client, at: now), now)
    case .listWorkouts(let before, let limit):
      effects.append(.read(client, .workouts(before: before, limit: limit)))
    case .resetEnergy(let strap):
      do { route(try roster.resetEnergy(strap, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .listStraps: reply(client, .straps(roster.knownStraps), now)
    case .nameStrap(let strap, let name, let athlete):
      do { route(try roster.name(strap, name, athlete, for: client), now) } catch { reply(client, .error(error), now) }
    case .forgetStrap(let strap):
      do { route(try roster.forget(strap, for: client), now) } catch { reply(client, .error(error), now) }
    case .pair(let request):
      do { route(try roster.pair(request, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .answerPairing(let strap, let answer):
      do { route(try roster.answerPairing(of: strap, answer, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .getWorkout(let id): effects.append(.read(client, .workout(id)))
    case .create, .prepare, .start, .pause, .resume, .stop, .end:
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      route(sessions.perform(call, for: client, &ledger, at: now), now)
    }
  }

  private mutating func reply(_ client: ClientID, _ answer: ControlReply, _ now: Moment) {
    route(subscriptions.answer(client, answer.reply), now)
  }

  private func reply(for answer: StoredAnswer) -> ControlReply {
    switch answer {
    case .workouts(let workouts, let limit):
      let next = workouts.count < limit ? nil : workouts.last.map { PageToken(start: $0.start.date, id: $0.id) }
      return .workouts(workouts.map(WorkoutSnapshot.init), next: next)
    case .workout(let workout?, _): return .workout(WorkoutSnapshot(workout))
    case .workout(nil, let id): return .error(.noSuchWorkout(id))
    case .session(let record, let workout, let call):
      return sessions.answer(call, record, workout, sequence: ledger.sequence)
    case .failed(let error): return .error(.storeFailed(error))
    }
  }

  private func status(at now: Moment) -> StatusSnapshot {
    StatusSnapshot(
      sequence: ledger.sequence, durableThrough: ledger.durableThrough, date: now.wall, bluetooth: roster.hostName,
      advice: roster.hostAdvice, adapters: roster.adapters,
      straps: roster.links.keys.sorted().compactMap { roster.snapshot(of: $0, at: now) },
      sessions: sessions.live.keys.sorted().compactMap {
        sessions.live[$0]?.snapshot(sequence: ledger.sequence, at: now)
      },
      locks: keepAlive.snapshots, watchers: subscriptions.watchers, oddSignals: roster.mirror.oddSignals,
      held: ledger.held ?? ledger.unsyncable)
  }

  // MARK: The store

  private mutating func committed(_ commit: Int64, _ now: Moment) {
    if ledger.held != nil {
      effects.append(.log(LogEntry(.notice, "the store is written again; nothing was lost")))
    }
    guard ledger.committed(commit) else { return }
    deadlines.set(.flush, nil)
    route(sessions.written(commit: commit, &ledger, at: now), now)
    if ledger.unsyncable != nil { route(sessions.syncFailed(&ledger, at: now), now) }
  }

  private mutating func commitFailed(_ error: StoreError, _ records: [Record], _ now: Moment) {
    if ledger.held == nil {
      let text = "the store cannot be written (\(error)); the workout goes on in memory, and is written when it clears"
      effects.append(.log(LogEntry(.error, text)))
    }
    ledger.commitFailed(error, records)
    deadlines.set(.flush, now.tick + Ledger.flushInterval)
  }

  // MARK: Time and the end

  private mutating func passed(_ deadline: Deadline, _ now: Moment) {
    switch deadline {
    case .roster(let deadline): route(roster.deadlinePassed(deadline, at: now), now)
    case .sessions(let deadline): route(sessions.deadlinePassed(deadline, &ledger, at: now), now)
    case .lock(let operation): route(keepAlive.deadlinePassed(operation, at: now))
    case .flush: ledger.flush()
    case .alive: ledger.record(.alive(now))
    case .shutdown: effects.append(.exit)
    }
  }

  private mutating func shutDown(_ now: Moment) {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    for session in sessions.live.values {
      for client in session.waiting { reply(client, .error(.shuttingDown), now) }
    }
    route(roster.releaseAll(at: now), now)
    deadlines.set(.shutdown, now.tick + (roster.isAtRest ? .zero : Self.shutdownLimit))
  }

  private mutating func performCalls(_ now: Moment) {
    var next = 0
    while next < calls.count {
      perform(calls[next].call, for: calls[next].client, now)
      next += 1
    }
    calls.removeAll(keepingCapacity: true)
  }

  private mutating func takeEffects(_ now: Moment) -> [Effect] {
    performCalls(now)
    roster.forgetStrangers()
    if isShuttingDown, roster.isAtRest, deadlines[.shutdown] != nil { deadlines.set(.shutdown, now.tick) }
    route(keepAlive.want(KeepAlive.isHeld(by: sessions.live.values.map(\.machine.state)), at: now))
    let isAlive = sessions.live.isEmpty ? nil : deadlines[.alive] ?? now.tick + Self.aliveInterval
    deadlines.set(.alive, isAlive)
    settle()
    let line = statusLine
    if line != shownStatus {
      shownStatus = line
      settled.append(.showStatus(line))
    }
    defer { settled.removeAll(keepingCapacity: true) }
    return settled
  }

  private mutating func settle() {
    settled += ledger.takeEffects()
    settled += effects
    effects.removeAll(keepingCapacity: true)
  }

  /// One line for systemctl status, without what changes with each beat.
  private var statusLine: String {
    if isShuttingDown { return "shutting down" }
    let states = sessions.live.values.map { session in
      let strap = session.strap.flatMap { roster.links[$0]?.machine.status.rawValue } ?? "no strap yet"
      return "\(session.machine.configuration.activity) \(session.machine.state) (\(strap))"
    }
    let work = states.isEmpty ? "no session" : states.sorted().joined(separator: ", ")
    let trouble = (ledger.held ?? ledger.unsyncable).map { "; store: \($0)" } ?? ""
    return work + (roster.hostAdvice.map { "; \($0)" } ?? "") + trouble
  }
}
