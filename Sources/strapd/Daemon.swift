import Control
import Engine
import EventLoop
import Measurements
import Store
import Workout

/// The wiring between the engine and its adapters; it decides nothing.
///
/// What happens is queued as inputs. At the end of each turn of the loop they all go through the engine with one time
/// stamp, what is to be written is written in one transaction, and only then do answers, events and bus calls go out.
final class Daemon {
  let loop: EventLoop
  private(set) var store: Store
  let journal: Journal
  private let configurationPath: String?
  var engine: Engine
  var inputs: [Input] = []
  /// Readings of the store that take a turn each.
  var readings: [Reading] = []
  /// Checks the store, while somebody wants that.
  var verifier: ChildProgram?
  /// What clients want read a step a turn: one each at most. They wait while the engine itself has to read.
  var questions: [(client: ClientID, question: Question)] = []
  let clients: Clients
  let bus: BusConnection
  private var timer: DeadlineTimer?
  private var syncWatch: FileWatch?
  private var commits: Int64 = 0
  private var lastSynced: Int64 = 0
  private var syncFailed = false
  private var clockWasSet = false

  enum Reading {
    case events(RebuildID)
    case samples(RebuildID, after: Int64)
    case boots(Moment)
  }

  /// - Parameter configurationPath: where it was read from, and is read again from; nil means the default.
  init(
    _ loop: EventLoop, _ store: Store, _ configuration: Configuration, from configurationPath: String?,
    _ journal: Journal
  ) throws {
    self.configurationPath = configurationPath
    self.loop = loop
    self.store = store
    self.journal = journal
    engine = Engine(
      configuration: configuration, entropy: try EventLoop.randomBytes(Engine.entropyCount),
      nextSequence: store.nextSequence)
    clients = Clients(loop)
    bus = BusConnection(loop)
  }

  func listen(in folder: String) throws {
    if try clients.listen(in: folder, journal, { [unowned self] in inputs.append($0) }) {
      inputs.append(.socketsPassed)
    }
  }

  /// Takes up what the last life has left, and lets the loop's turns go through the engine.
  func start() throws {
    timer = try loop.timer { [unowned self] in inputs.append(.deadlinePassed) }
    try loop.onClockSet { [unowned self] in clockWasSet = true }
    try watchSync()
    // A row that another program, or a bad disk, has made unreadable is no reason not to start.
    let leftOut = { [journal] (error: StoreError) in
      journal.log(.warning, "what cannot be read of the store is left out: \(error.text)")
    }
    let sessions = try store.liveSessions(leftOut)
    var clientData: [SessionID: ClientData] = [:]
    var anchors: [SessionID: [Anchor]] = [:]
    for session in sessions {
      do { clientData[session.id] = try store.clientData(of: session.id) } catch { leftOut(error) }
      anchors[session.id] = try store.anchors(of: session.id)
    }
    settle(
      engine.start(
        recovering: sessions, clientData: clientData, anchors: anchors,
        justEnded: try store.ended(since: loop.now.tick - engine.configuration.postExerciseLength, leftOut),
        lastAlive: store.lastAlive, straps: try store.straps(leftOut), athletes: try store.athletes(leftOut),
        boot: store.bootReport, at: loop.now))
    loop.beforeWaiting { [unowned self] in turn() }
  }

  func signalArrived(_ signal: Signal) {
    switch signal {
    case .terminate, .interrupt: inputs.append(.terminationRequested)
    case .hangUp: reload()
    }
  }

  /// SIGHUP: a configuration that is broken changes nothing.
  private func reload() {
    EventLoop.notify(.reloading)
    do { inputs.append(.configurationRead(try ConfigurationFile.read(configurationPath))) } catch {
      journal.log(.error, "the configuration stays as it was: \(error)")
    }
    EventLoop.notify(.ready)
  }

  // MARK: One turn

  private func turn() {
    let began = EventLoop.tick
    var isBusy = false
    repeat {
      // First of all: what happened in this turn is dated by the clock as it is now.
      if clockWasSet {
        clockWasSet = false
        settle(engine.handle(.clockSet, at: loop.now))
      }
      // What was read is handled before anything else: a sample that came between would be counted twice or not at all.
      if !readings.isEmpty {
        isBusy = true
        if let input = read(readings.removeFirst()) { settle(engine.handle(input, at: loop.now)) }
      } else if !questions.isEmpty {
        isBusy = true
        let (client, question) = questions.removeFirst()
        settle(engine.handle(.answerRead(client, answer(question)), at: loop.now))
      }
      if store.syncedThrough > lastSynced {
        lastSynced = store.syncedThrough
        settle(engine.handle(.synced(throughCommit: lastSynced), at: loop.now))
      }
      if !syncFailed, let failure = store.syncFailure {
        syncFailed = true
        settle(engine.handle(.syncFailed(failure), at: loop.now))
      }
      // The straps go before the clients: what was received before a stop is counted before it.
      var effects: [Effect] = []
      let arrived = bus.drain()
      for input in arrived { effects += engine.handle(input, at: loop.now) }
      let others = inputs
      inputs.removeAll(keepingCapacity: true)
      for input in others { effects += engine.handle(input, at: loop.now) }
      isBusy = isBusy || !arrived.isEmpty || !others.allSatisfy(\.isDeadline)
      settle(effects)
    } while !inputs.isEmpty || bus.needsDraining
    // The last thing that is worth doing: a turn that has had anything else goes without it.
    if !isBusy, readings.isEmpty, questions.isEmpty {
      if engine.wantsBackupStep {
        stepBackup()
      } else if store.wantsClearing {
        store.clear()
      } else if engine.wantsCompaction {
        compact()
      } else if engine.wantsPurge {
        purge()
      }
    }
    checkpoint()
    engine.note(.turn, took: EventLoop.tick - began)
    // Readings go on at once, in a turn of their own, so that nothing else has to wait for all of them.
    let isReading = !readings.isEmpty || !questions.isEmpty
    let goesOn =
      isReading || !inputs.isEmpty || engine.wantsBackupStep || store.wantsClearing || engine.wantsCompaction
      || engine.wantsPurge
    timer?.arm(at: goesOn ? loop.now.tick : engine.nextDeadline)
  }

  /// Writes all that is to be written, then lets everything else out.
  private func settle(_ effects: [Effect]) {
    var released: [Effect] = []
    var waiting = effects
    repeat {
      var records: [Record] = []
      for effect in waiting {
        switch effect.records {
        case nil: released.append(effect)
        case let some? where records.isEmpty: records = some
        case let some?: records += some
        }
      }
      waiting = records.isEmpty ? [] : commit(records)
    } while !waiting.isEmpty
    for effect in released { perform(effect) }
  }

  private func commit(_ records: [Record]) -> [Effect] {
    do {
      try store.commit(records, through: commits + 1)
      commits += 1
      return engine.handle(.committed(commits), at: loop.now)
    } catch {
      return replaceStore(error, records) ?? engine.handle(.commitFailed(error, records), at: loop.now)
    }
  }

  /// - Returns: nil where another store is no answer to this, or cannot be had now.
  private func replaceStore(_ error: StoreError, _ records: [Record]) -> [Effect]? {
    do {
      switch error.kind {
      case .moved:
        try use(try store.backInPlace(at: loop.now))
        journal.log(.error, "\(error.text): all that was in it is there again")
        return [.records(records)]
      case .damaged:
        let (store, setAside) = try store.begunAnew(after: error, at: loop.now)
        try use(store)
        return engine.handle(.storeBegunAnew(records, "\(setAside)"), at: loop.now)
      case .full, .busy, .notWritable, .inUse, .foreign, .newer, .other: return nil
      }
    } catch let failure as StoreError {
      return engine.handle(.commitFailed(failure, records), at: loop.now)
    } catch {
      return nil
    }
  }

  private func use(_ store: Store) throws {
    self.store = store
    (lastSynced, syncFailed) = (commits, false)
    try watchSync()
    store.requestSync()
  }

  private func watchSync() throws {
    syncWatch = try loop.watch(store.wakeDescriptor, for: .readable) { [unowned self] _ in store.acknowledgeWake() }
  }

  private func stepBackup() {
    let input: Input
    do { input = .backupStepped(try store.stepBackup()) } catch { input = .backupFailed(error) }
    settle(engine.handle(input, at: loop.now))
  }

  private func compact() {
    let input: Input
    do { input = .compacted(try store.compact(at: loop.now.tick)) } catch { input = .compactionFailed(error) }
    settle(engine.handle(input, at: loop.now))
  }

  private func purge() {
    let input: Input
    do {
      let now = engine.purgeDate(at: loop.now)
      input = .purged(try store.purge(at: now, retention: engine.configuration.retention))
    } catch {
      input = .purgeFailed(error)
    }
    settle(engine.handle(input, at: loop.now))
  }

  private func checkpoint() {
    do { try store.checkpointIfDue() } catch {
      journal.log(.warning, "copying the store's log into the database failed, it is tried again: \(error)")
    }
  }
}

extension Input {
  fileprivate var isDeadline: Bool {
    if case .deadlinePassed = self { true } else { false }
  }
}
