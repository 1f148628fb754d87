import Bus
import Control
import Measurements
import Workout

/// The daemon's whole policy as a value: an input and a moment in, effects out.
///
/// It only routes between its three parts, which do not know each other, and keeps the deadlines.
public struct Engine: Sendable {
  public private(set) var configuration: Configuration
  var roster: Roster
  var sessions: Sessions
  var subscriptions: Subscriptions
  var keepAlive = KeepAlive()
  var screenLocks: ScreenLocks
  var ledger: Ledger
  var deadlines = DeadlineTable()
  var clock = WallClock()
  var timeServer = TimeServer()
  var compaction = Compaction()
  var retention = Retention()
  var backup = Backup()
  var verification = Verification()
  /// Calls of GetSamples that are not answered to the end.
  var samplesReadings: [ClientID: SamplesReading] = [:]
  /// Calls for a list of workouts that are not answered.
  var workoutsReadings: [ClientID: WorkoutsReading] = [:]
  /// Calls of GetTotals that are not answered.
  var totalsReadings: [ClientID: TotalsReading] = [:]
  var timings = Timings()
  /// Calls that are not answered, and when they were taken.
  var asked: [ClientID: (method: String, since: Tick)] = [:]
  /// Calls that are answered when what they want is written.
  var promises: [Promise] = []
  /// Clients for whom the store is asked of finished workouts, with how often those had changed before.
  var readings: [ClientID: Int] = [:]
  /// Calls of GetRecording that are not answered to the end.
  var recordingReadings: [ClientID: RecordingReading] = [:]
  /// The clock has come to be right, and how long ago earlier boots were is to be told by it.
  var awaitsLaying = false
  var effects: [Effect] = []
  /// Effects whose order is fixed: whatever comes later follows them.
  private var settled: [Effect] = []
  /// Calls that are to be performed: one after the other, since the answer to one lets its client's next one come.
  var calls: [(client: ClientID, call: ControlCall)] = []
  var isShuttingDown = false
  /// A connection starts the daemon again.
  private var isStartedOnDemand = false
  /// The last wake-up.
  var lastWake: Tick?
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
    subscriptions = Subscriptions(after: nextSequence - 1)
    ledger.mostHeld = configuration.limits.heldRecords
    let seed = entropy.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    roster = Roster(configuration: configuration, seed: seed)
    sessions = Sessions(configuration: configuration, entropy: Array(entropy.dropFirst(8)))
    screenLocks = ScreenLocks(isEnabled: configuration.redactsWhenLocked)
  }

  /// The first effects: the sessions that the last life has left are taken up, and the bus is opened.
  ///
  /// - Parameters:
  ///   - clientData: what clients keep with those sessions.
  ///   - anchors: the boots that those sessions lived in.
  ///   - justEnded: sessions whose series after the exercise may not be over.
  ///   - straps: what the store knows of straps.
  ///   - athletes: what it knows of who wears them.
  ///   - boot: what it knows of this boot.
  public mutating func start(
    recovering records: [SessionRecord], clientData: [SessionID: ClientData] = [:],
    anchors: [SessionID: [Anchor]] = [:], justEnded: [SessionRecord] = [], lastAlive: DatedTick?,
    straps: [StrapRecord] = [], athletes: [AthleteProfile] = [], boot: BootReport = BootReport(), at now: Moment
  ) -> [Effect] {
    clock.start(boot, at: now)
    timeServer.ask()
    tellOfClock()
    ledger.reserve()
    effects.append(.openBus)
    effects.append(.requestSync)
    sessions.people = Athletes(athletes)
    route(roster.know(straps), now)
    let recovered = sessions.recover(
      records, clientData: clientData, anchors: anchors, justEnded: justEnded, lastAlive: lastAlive, boot, &ledger,
      at: clock.anchor(at: now))
    route(recovered, now)
    if let step = boot.step { stepped(step, now) }
    // Workouts that an earlier life has saved as provisional, before the clock was set right.
    if clock.isSure {
      awaitsLaying = true
      layBoots(now)
    }
    recallWearings(of: straps, lastAlive, now)
    compaction.begin()
    retention.begin()
    return takeEffects(now)
  }

  /// Takes up what was known of straps that are worn, or were.
  private mutating func recallWearings(of straps: [StrapRecord], _ lastAlive: DatedTick?, _ now: Moment) {
    // Nobody knows whether it is the same wearing when the daemon was away for long.
    let isLongAgo = lastAlive.map { now.tick - $0.tick >= configuration.limits.recovery } ?? false
    var over: [StrapAddress] = []
    for strap in straps {
      let address = strap.address
      if strap.awaitsTakingOff {
        if isLongAgo {
          route(roster.note(address, awaitsTakingOff: false), now)
        } else {
          sessions.recall(address, at: now)
        }
      } else if let run = strap.dryRun {
        if configuration.rule(of: address).mode == .dryRun {
          sessions.recall(address, run, lastAlive: lastAlive ?? DatedTick(at: now), at: now)
          if isLongAgo { over.append(address) }
        } else {
          route(roster.note(address, dryRun: nil), now)
        }
      }
    }
    route(sessions.lookAfterStraps(at: now, &ledger), now)
    for strap in over { route(sessions.endDryRun(of: strap, &ledger, at: now), now) }
  }

  /// When `deadlinePassed` is due.
  public var nextDeadline: Tick? { deadlines.next }

  public mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
    lookAtClock(now, wasSet: input.isClockSet)
    lookForSleep(now)
    switch input {
    case .busConnected:
      isBusLossTold = false
      timeServer.busConnected()
      route(roster.busConnected(at: now), now)
      route(keepAlive.busConnected(at: now))
      ask(screenLocks.busConnected(at: now), now)
    case .busLost(let why):
      if !isBusLossTold {
        isBusLossTold = true
        effects.append(.log(LogEntry(.warning, "the system bus is gone (\(why)); it is tried again every 2 s")))
      }
      timeServer.busLost()
      route(roster.busLost(at: now), now)
      route(keepAlive.busLost(at: now))
      screenLocks.busLost()
      ask([], now)
    case .busMessageArrived(let message): take(message, now)
    case .clientConnected(let client, let caller):
      ask(screenLocks.clientConnected(client, caller.user, at: now), now)
      subscriptions.connected(client, caller, mayRead: screenLocks.mayRead(caller.user))
    case .clientSent(let client, let bytes): route(subscriptions.received(bytes, from: client), now)
    case .clientFinishedSending(let client): route(subscriptions.finishedSending(client), now)
    case .clientDrained(let client):
      route(subscriptions.drained(client), now)
      if samplesReadings[client]?.isWaiting == true { goOnReading(client) }
      if recordingReadings[client]?.isWaiting == true { goOnRecording(client, now) }
    case .clientGone(let client): gone(client, now)
    case .committed(let commit): committed(commit, now)
    case .commitFailed(let error, let records): commitFailed(error, records, now)
    case .storeBegunAnew(let records, let text): storeBegunAnew(records, text, now)
    case .synced(let commit):
      ledger.synced(throughCommit: commit)
      route(sessions.synced(throughCommit: commit, &ledger, at: now), now)
    case .syncFailed(let error):
      let text = "the disk does not keep what is written (\(error)); workouts are saved, and may be lost to a power cut"
      effects.append(.log(LogEntry(.error, text)))
      ledger.syncFailed(error)
      route(sessions.syncFailed(&ledger, at: now), now)
    case .eventsRead(let id, let events): route(sessions.take(events, of: id, &ledger, at: now), now)
    case .samplesRead(let id, let samples, let isLast):
      route(sessions.take(samples, of: id, isLast: isLast, &ledger, at: now), now)
    case .rebuildFailed(let id, let error): route(sessions.rebuildFailed(id, error, &ledger, at: now), now)
    case .compacted(let step): log(compaction.take(step, isLive: !sessions.live.isEmpty, at: now))
    case .compactionFailed(let error): log(compaction.failed(error, at: now))
    case .purged(let step): take(step, now)
    case .purgeFailed(let error): purgeFailed(error, now)
    case .backupStepped(let step): take(step, now)
    case .backupFailed(let error): backupFailed(error, now)
    case .verificationSaid(let number, let line): verificationSaid(number, line, now)
    case .verificationEnded(let number, let status): verificationEnded(number, status, nil, now)
    case .verificationFailed(let number, let why): verificationEnded(number, nil, why, now)
    case .answerRead(let client, let found): answer(client, found, now)
    case .clockSet: break
    case .bootsLaid(let live, let ended): route(sessions.bootsLaid(live, ended: ended, at: now), now)
    case .deadlinePassed:
      while let deadline = deadlines.takeDue(at: now.tick) { passed(deadline, now) }
    case .entropyArrived(let octets): sessions.add(entropy: octets)
    case .socketsPassed: isStartedOnDemand = true
    case .configurationRead(let configuration): configure(configuration, now)
    case .terminationRequested: shutDown(now)
    }
    return takeEffects(now)
  }

  /// Takes up how long something has taken.
  public mutating func note(_ work: TimedWork, took duration: Duration) { timings.add(work, duration) }

  // MARK: Time and the end

  private mutating func passed(_ deadline: Deadline, _ now: Moment) {
    switch deadline {
    case .roster(let deadline): route(roster.deadlinePassed(deadline, at: now), now)
    case .sessions(let deadline): route(sessions.deadlinePassed(deadline, &ledger, at: now), now)
    case .lock(let operation): route(keepAlive.deadlinePassed(operation, at: now))
    case .screenLock: ask(screenLocks.deadlinePassed(at: now), now)
    case .flush: ledger.flush()
    case .alive:
      ledger.record(.alive(clock.anchor(at: now)))
      timeServer.ask()
    case .clock: timeServer.ask()
    case .compaction: compaction.begin()
    case .retention: retention.begin()
    case .backup: lookAtBackup(now)
    case .watchers: effects.append(.tellDue)
    case .idle:
      effects.append(.log(LogEntry(.info, "nothing to do: strapd exits, and the next connection starts it")))
      shutDown(now)
    case .shutdown:
      if let held = ledger.held {
        let text = "\(ledger.heldCount) samples and events could not be written to the end, and are lost: \(held)"
        effects.append(.log(LogEntry(.error, text)))
      }
      effects.append(.exit)
    }
  }

  private mutating func configure(_ configuration: Configuration, _ now: Moment) {
    let changes = configuration.changes(since: self.configuration)
    let text = changes.isEmpty ? "nothing has changed" : changes.joined(separator: "; ")
    effects.append(.log(LogEntry(.notice, "the configuration is read again: \(text)")))
    self.configuration = configuration
    ask(screenLocks.enable(configuration.redactsWhenLocked, at: now), now)
    route(roster.configure(configuration, at: now), now)
    route(sessions.configure(configuration, &ledger, at: now), now)
    ledger.mostHeld = configuration.limits.heldRecords
    if configuration.compacts { compaction.begin() } else { compaction.end() }
    retention.begin()
    effects.append(.setSyncInterval(configuration.syncInterval))
  }

  /// When it exits for want of anything to do; nil while there is something, or nothing would start it again.
  private func idleDeadline(_ now: Moment) -> Tick? {
    guard isStartedOnDemand, !isShuttingDown, let limit = configuration.idleLimit, sessions.live.isEmpty,
      subscriptions.isEmpty, roster.isIdle, ledger.held == nil, !wantsCompaction, !wantsPurge
    else { return nil }
    return deadlines[.idle] ?? now.tick + limit
  }

  private mutating func shutDown(_ now: Moment) {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    if ledger.held != nil { ledger.flush() }  // the last chance
    for session in sessions.live.values {
      for client in session.waiting + session.waitingForWorkout { reply(client, .error(.shuttingDown), now) }
    }
    for waiting in sessions.superseding { reply(waiting.client, .error(.shuttingDown), now) }
    sessions.superseding.removeAll()
    for revision in sessions.revisions { reply(revision.client, .error(.shuttingDown), now) }
    sessions.revisions.removeAll()
    failBackup(.shuttingDown, now)
    if let client = verification.client {
      endVerification()
      reply(client, .error(.shuttingDown), now)
    }
    sessions.lookAfterNoStrap()
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
    if !sessions.superseding.isEmpty { route(sessions.goOnSuperseding(&ledger, at: now), now) }
    if !sessions.wearings.isEmpty { route(sessions.noteUse(&ledger, at: now), now) }
    watchHost(now)
    askForClock()
    roster.forgetStrangers()
    route(roster.tellScans(at: now), now)
    if isShuttingDown, roster.isAtRest, deadlines[.shutdown] != nil { deadlines.set(.shutdown, now.tick) }
    route(keepAlive.want(KeepAlive.isHeld(by: sessions.live.values.map(\.machine.state)), at: now))
    deadlines.set(.idle, idleDeadline(now))
    deadlines.set(.retention, isShuttingDown ? nil : retention.next)
    deadlines.set(.compaction, configuration.compacts && !isShuttingDown ? compaction.next : nil)
    let isAlive =
      sessions.live.isEmpty && !sessions.remembersAnyWearing
      ? nil : deadlines[.alive] ?? now.tick + Self.aliveInterval
    deadlines.set(.alive, isAlive)
    let look = sessions.live.isEmpty ? nil : clock.nextLook(after: now)
    deadlines.set(.clock, look == nil ? nil : deadlines[.clock] ?? look)
    settle()
    let line = statusLine
    if line != shownStatus {
      shownStatus = line
      settled.append(.showStatus(line))
    }
    defer { settled.removeAll(keepingCapacity: true) }
    return settled
  }

  mutating func settle() {
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
