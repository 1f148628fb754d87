import BlueZ
import Bus
import Control
import Measurements
import Workout

/// The straps and the links to them: turns what sessions want into calls of bluetoothd, and its signals into
/// measurements.
struct Roster: Sendable {
  var mirror = Mirror()
  var serials = Serials()
  var links: [StrapAddress: StrapLink] = [:]
  var choices: [Claim: StrapChoice] = [:]
  /// Why those who want any strap have none yet, as far as they were told.
  var searchTroubles: [Claim: SearchTrouble] = [:]
  var discoveries: [ObjectPath: Discovery] = [:]
  /// When a scan was begun, or has last shown something that advertises.
  var lastHeard: [ObjectPath: Tick] = [:]
  /// Calls of bluetoothd that are not answered yet.
  var calls: [UInt32: PendingCall] = [:]
  /// The strap of each characteristic 0x2A37 in the tree.
  var measurementPaths: [ObjectPath: StrapAddress] = [:]
  /// The adapters that claimants have asked for.
  var adapterWishes: [Claim: StrapAddress] = [:]
  /// The adapters when they were last looked at.
  var knownAdapters: [ObjectPath: ObjectTree.Adapter] = [:]
  /// Straps whose links have come to where the adapter may be chosen anew.
  var toLookAt: Set<StrapAddress> = []
  var effects: [RosterEffect] = []
  /// Adapters that it was tried to switch on, which is not tried again before this.
  var nextPowerTries: [ObjectPath: Tick] = [:]
  /// What clients have asked to be paired.
  var pairings: [StrapAddress: PairingRequest] = [:]
  /// As what our agent is registered, while it is.
  var agent: Agent.Capability?
  /// How many times in a row an adapter refused to be switched on.
  var powerRefusals: [ObjectPath: Int] = [:]
  /// A claim was given back: there may be links to straps that were never seen.
  var mayHaveStrangers = false
  var configuration: Configuration
  var known: KnownStraps
  /// Clients that scan.
  var scans: [ClientID: Scan] = [:]
  var scanChanges = ScanChanges()
  /// Why bluetoothd refused to scan, the last time that it did.
  var scanRefusal: BlueZError?
  /// Adapters that were asked to scan and did not begin, the last time.
  var scanFaults: Set<ObjectPath> = []
  /// The bus was tried, and was not there.
  private(set) var hasMissedBus = false
  /// What each adapter was last asked for.
  var scopes: [ObjectPath: DiscoveryScope] = [:]
  /// Straps whose bonds are being removed.
  var forgetting: [StrapAddress: Forgetting] = [:]
  /// Whether links that the daemon's last life has left were looked for.
  var hasLookedForLinks = false
  /// How long the next reading of the tree may take before it is asked for again.
  private(set) var treeWait = Roster.firstTreeWait
  private var seed: UInt64

  static let busRetryInterval = Duration.seconds(2)
  static let firstTreeWait = Duration.seconds(30)
  static let longestTreeWait = Duration.seconds(480)

  init(configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
    self.seed = seed
    known = KnownStraps(configuration.straps)
    if let strap = configuration.strap { addLink(strap) }
  }

  // MARK: What the engine asks

  /// Somebody wants this strap, or (nil) any, by this adapter, or (nil) by any.
  mutating func want(_ claim: Claim, _ strap: StrapAddress?, by adapter: StrapAddress?, at now: Moment)
    -> [RosterEffect]
  {
    adapterWishes[claim] = adapter
    if let strap {
      use(strap, for: claim, at: now)
      turnAway(from: strap, for: claim, at: now)
      // A link that stood already has nothing new to tell, and a session that shares it from now on knows nothing yet.
      if case .session = claim, let availability = links[strap]?.availability {
        effects.append(.event(.availability(strap, availability)))
      }
    } else {
      choices[claim] = StrapChoice()
    }
    reconsider(at: now)
    return takeEffects()
  }

  /// Somebody wants no strap any more.
  mutating func release(_ claim: Claim, at now: Moment) -> [RosterEffect] {
    choices[claim] = nil
    searchTroubles[claim] = nil
    adapterWishes[claim] = nil
    effects.append(.deadline(.choice(claim), nil))
    for strap in links.keys.sorted() { leave(strap, for: claim, at: now) }
    mayHaveStrangers = true
    reconsider(at: now)
    return takeEffects()
  }

  /// The daemon is about to exit: every link of ours is put down.
  mutating func releaseAll(at now: Moment) -> [RosterEffect] {
    for strap in pairings.keys { finishPairing(strap, .error(.shuttingDown), at: now) }
    choices.removeAll()
    searchTroubles.removeAll()
    adapterWishes.removeAll()
    endAllScans()
    for strap in links.keys.sorted() {
      for claim in links[strap]?.claims ?? [] { leave(strap, for: claim, at: now) }
    }
    reconsider(at: now)
    return takeEffects()
  }

  /// Whether nothing is left to be put down.
  var isAtRest: Bool {
    links.values.allSatisfy(\.machine.isAtRest) && calls.values.allSatisfy { !$0.isRelease }
  }

  /// The configuration has been read again.
  mutating func configure(_ configuration: Configuration, at now: Moment) -> [RosterEffect] {
    self.configuration = configuration
    for strap in links.keys { links[strap]?.machine.pairsWhenNeeded = configuration.pairsWhenNeeded }
    known.configure(configuration.straps)
    tellOfNames()
    reconsider(at: now)
    return takeEffects()
  }

  /// Whether it has nothing to do, and nobody wants it to.
  var isIdle: Bool { isAtRest && choices.isEmpty && links.values.allSatisfy(\.claims.isEmpty) }

  // MARK: What happens

  mutating func busConnected(at now: Moment) -> [RosterEffect] {
    effects += mirror.busConnected(&serials).map(RosterEffect.send)
    effects.append(.deadline(.treeRetry, now.tick + treeWait))
    return takeEffects()
  }

  mutating func busLost(at now: Moment) -> [RosterEffect] {
    mirror.busLost()
    hasMissedBus = true
    presenceChanged(at: now)
    effects.append(.deadline(.busRetry, now.tick + Self.busRetryInterval))
    return takeEffects()
  }

  mutating func take(_ message: BusMessage, at now: Moment) -> [RosterEffect] {
    switch message.kind {
    case .reply(let serial):
      if let call = calls.removeValue(forKey: serial) {
        answered(call, nil, message.body, at: now)
        return takeEffects()
      }
    case .error(let serial, let error):
      if let call = calls.removeValue(forKey: serial) {
        answered(call, BlueZError(error), [], at: now)
        return takeEffects()
      }
    case .call(let call):
      answer(message, call, at: now)
      return takeEffects()
    case .signal: break
    }
    let (changes, messages) = mirror.take(message, &serials)
    effects += messages.map(RosterEffect.send)
    for change in changes {
      switch change {
      case .presence: presenceChanged(at: now)
      case .object(let path): objectChanged(path, at: now)
      case .value(let path, let bytes): valueArrived(path, bytes, at: now)
      }
    }
    return takeEffects()
  }

  mutating func deadlinePassed(_ deadline: RosterDeadline, at now: Moment) -> [RosterEffect] {
    switch deadline {
    case .busRetry: effects.append(.openBus)
    case .treeRetry:
      switch mirror.presence {
      case .starting, .refused:
        // A slow bluetoothd gets more time with each try, since a new question makes the old answer void.
        treeWait = min(treeWait * 2, Self.longestTreeWait)
        effects += mirror.readAgain(&serials).map(RosterEffect.send)
        effects.append(.deadline(.treeRetry, now.tick + treeWait))
      case .noBus, .absent, .ready: break
      }
    case .powerRetry: reconsider(at: now)
    case .leftLinks: endLeftLinks(at: now)
    case .discoveryRetry(let adapter): retryDiscovery(adapter, at: now)
    case .link(let strap):
      step(strap, at: now) { $0.deadlinePassed($1, at: now) }
      reconsider(at: now)
    case .freshness(let strap): checkFreshness(strap, at: now)
    case .reading(let strap): readingTimedOut(strap, at: now)
    case .pairing(let strap): pairingTimedOut(strap, at: now)
    case .choice: reconsider(at: now)
    case .adapter(let strap):
      worldMayHaveChanged(strap, at: now)
      reconsider(at: now)
    case .scan: scanDeadlinePassed()
    }
    return takeEffects()
  }

  // MARK: Common to its parts

  @discardableResult
  mutating func send(_ pending: PendingCall, _ message: (UInt32) -> BusMessage) -> UInt32 {
    // An answer to an earlier call of the same kind would be taken for this one's.
    calls = calls.filter { $0.value != pending }
    let serial = serials.next()
    calls[serial] = pending
    var sent = message(serial)
    // To this bluetoothd and no other: one that has been restarted meanwhile knows nothing of what the call is about.
    if let owner = mirror.owner { sent.destination = owner }
    effects.append(.send(sent))
    return serial
  }

  mutating func addLink(_ strap: StrapAddress) {
    guard links[strap] == nil else { return }
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var machine = LinkMachine(strap: strap, seed: seed)
    machine.pairsWhenNeeded = configuration.pairsWhenNeeded
    links[strap] = StrapLink(
      machine: machine, address: strap, world: LinkWorld(mirror, strap: strap, adapter: nil))
    learnQuirks(of: strap)
    chooseAdapter(of: strap, wantedAt: nil)
    let adapter = links[strap]?.choice.adapter
    links[strap]?.worldAdapter = adapter
    links[strap]?.world = LinkWorld(mirror, strap: strap, adapter: adapter)
  }

  private mutating func presenceChanged(at now: Moment) {
    for strap in links.keys { abandonResets(of: strap) }
    abandonForgetting()
    abandonRemovals()
    scanChanges.addEverything()
    calls.removeAll()
    agent = nil
    discoveries.removeAll()
    scanFaults.removeAll()
    measurementPaths.removeAll()
    treeWait = Self.firstTreeWait
    let retry = mirror.presence == .ready ? nil : now.tick + treeWait
    effects.append(.deadline(.treeRetry, retry))
    nextPowerTries.removeAll()
    powerRefusals.removeAll()
    knownAdapters = mirror.tree.adapters
    lookForLeftLinks(at: now)
    for strap in links.keys.sorted() { worldMayHaveChanged(strap, at: now) }
    reconsider(at: now)
  }

  private mutating func answered(_ call: PendingCall, _ error: BlueZError?, _ body: [BusValue], at now: Moment) {
    switch call {
    case .connect(let strap): step(strap, at: now) { $0.connectAnswered(error, $1, at: now) }
    case .disconnect(let strap): step(strap, at: now) { $0.disconnectAnswered($1, at: now) }
    case .startNotify(let strap, let path):
      step(strap, at: now) { $0.notifyAnswered(path, error, $1, at: now) }
      if error == nil { startReading(strap, at: now) }
    case .stopNotify, .readDescriptor: break
    case .read(let strap, let characteristic):
      readAnswered(strap, characteristic, body.first?.asBytes, at: now)
    case .discovery(let adapter): discoveryAnswered(adapter, error, at: now)
    case .power(let adapter): powerAnswered(adapter, error, at: now)
    case .pair(let strap): step(strap, at: now) { $0.pairAnswered(error, $1, at: now) }
    case .cancelPairing: break
    case .removeToPair(let strap): removedToPair(strap, error, at: now)
    case .resetEnergy(let strap, let client): resetAnswered(strap, client, error)
    case .removeDevice(let strap, let path): removeAnswered(strap, path, error)
    }
    reconsider(at: now)
  }

  mutating func takeEffects() -> [RosterEffect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }
}

/// A call of bluetoothd, and whom its answer concerns.
enum PendingCall: Hashable, Sendable {
  case connect(StrapAddress)
  case disconnect(StrapAddress)
  case startNotify(StrapAddress, ObjectPath)
  case stopNotify(StrapAddress)
  case readDescriptor(StrapAddress)
  case read(StrapAddress, BluetoothUUID)
  case discovery(ObjectPath)
  case power(ObjectPath)
  case pair(StrapAddress)
  case cancelPairing(StrapAddress)
  case removeToPair(StrapAddress)
  case resetEnergy(StrapAddress, ClientID)
  case removeDevice(StrapAddress, ObjectPath)

  func startsNotifications(of strap: StrapAddress) -> Bool {
    if case .startNotify(strap, _) = self { true } else { false }
  }

  /// Whether it puts a link down, which an exit waits for.
  var isRelease: Bool {
    switch self {
    case .disconnect, .stopNotify: true
    case .connect, .startNotify, .readDescriptor, .read, .discovery, .power, .pair, .cancelPairing, .removeToPair,
      .resetEnergy,
      .removeDevice:
      false
    }
  }
}

/// The deadlines that are the roster's.
enum RosterDeadline: Hashable, Sendable {
  case busRetry, treeRetry, powerRetry
  case discoveryRetry(ObjectPath)
  case link(StrapAddress)
  case freshness(StrapAddress)
  case reading(StrapAddress)
  case choice(Claim)
  case pairing(StrapAddress)
  /// By which adapter a strap is to be reached.
  case adapter(StrapAddress)
  case scan
  /// Links that the daemon's last life has left are ended, if nobody has wanted them by then.
  case leftLinks
}

enum RosterEffect: Sendable {
  case openBus
  case send(BusMessage)
  case deadline(RosterDeadline, Tick?)
  case record(Record)
  case log(LogEntry)
  case event(RosterEvent)
}

/// What the roster tells the sessions.
enum RosterEvent: Sendable {
  case measured(
    StrapAddress, HeartRateMeasurement, payload: [UInt8], isRepeat: Bool, beats: BeatTimeline.Placement?)
  /// No measurement has come for too long, though the link seems to stand.
  case gap(StrapAddress, since: Tick)
  case availability(StrapAddress, Availability)
  /// A link that had streamed is gone.
  case linkLost(StrapAddress)
  case linkChanged(StrapAddress)
  /// A strap's battery has come down to a threshold.
  case lowBattery(StrapAddress, BatteryLevel, threshold: UInt8)
  /// A strap has got another name, or lost its own.
  case namesChanged
  /// What a client asked of a strap is answered, or it is told how far that has come.
  case answered(ClientID, ControlReply)
  /// It is answered when what was recorded for it is written.
  case promised(Promise)
  /// This strap (nil: none) is being tried for somebody who wants any, or is what a monitor has named.
  case trying(Claim, StrapAddress?)
  /// Somebody who wants any strap has none yet, for another reason than before; nil: for none that is known.
  case searching(Claim, why: String?)
  /// Somebody who wanted any strap has got one, and keeps it.
  case chosen(Claim, StrapAddress)
}
