import Bus
import Control
import Logind
import Measurements
import Testing
import Workout

@testable import Engine

/// The engine in a world of virtual time: a simulated bluetoothd, a store in memory, clients. Nothing waits.
final class World {
  var engine: Engine
  var bluez = SimulatedBlueZ()
  var logind = SimulatedLogind()
  /// Clients whose connections the engine has closed.
  private(set) var closedClients: Set<ClientID> = []
  var now: Moment
  /// What the store holds.
  var records: [Record] = []
  var events: [Event] = []
  var logs: [LogEntry] = []
  var hasExited = false
  var syncInterval: Duration?
  /// Descriptors that were closed.
  var closed: [BusFileDescriptor] = []
  /// What timedated says of the clock; nil where there is none.
  var timedated: Bool?
  /// How often it was asked.
  var questions = 0
  /// While set, commits fail with it.
  var storeFailure: StoreError?
  /// Whether the store syncs at once when asked to.
  var syncs = true
  /// Whether clients take what is written to them.
  var drains = true
  var busIsThere = true
  /// What was written and told is not kept: for workouts of days.
  var forgets = false
  /// How long the store takes for each reading.
  var readingTime = Duration.zero
  /// How long what the store has answered is on its way, one question after the other; again from the first.
  var answerDelays: [Duration] = []
  /// A real store, where one is needed: laying boots is its part.
  let disk: Disk?
  /// How often the store was asked to compact, and whether it is being asked.
  var compactions = 0
  var isCompacting = false
  var isPurging = false
  /// What it answers next, where it is to answer anything but what there is.
  var compactionAnswer: Input?
  /// Whether the store makes a backup, what its steps come to (from the first), and whether a step is due.
  private(set) var isBackingUp = false
  var backupSteps: [Input] = []
  var isSteppingBackup = false
  /// Whether the program runs that checks the store.
  private(set) var isVerifying = false
  /// Clients that take nothing of what they are sent.
  var stalled: Set<ClientID> = []
  /// What was written to those.
  private(set) var unsent: [ClientID: Int] = [:]
  private(set) var commits: Int64 = 0
  /// The number of the last event: whoever comes again by it has missed none before it.
  private var lastTold: Int64 = 0
  private var replies: [ClientID: [JSON]] = [:]
  private var schedule: [(at: Tick, order: Int, action: () -> Void)] = []
  private var order = 0
  private var lastClient: UInt64 = 0

  static let start = Moment(
    tick: Tick(nanoseconds: 1_000_000_000_000), wall: WallTime(rfc3339: "2026-11-30T09:00:00Z")!)
  static let a = StrapAddress("F0:F1:F2:F3:F4:F5")!
  static let b = StrapAddress("F0:F1:F2:F3:F4:F6")!

  init(
    _ configuration: Configuration = World.configured, at now: Moment = World.start, nextSequence: Int64 = 1,
    recovering: [SessionRecord] = [], lastAlive: DatedTick? = nil, records: [Record] = [],
    bluez: SimulatedBlueZ? = nil, readingTime: Duration = .zero, disk: Disk? = nil, boot: BootReport = BootReport()
  ) {
    self.now = now
    self.disk = disk
    self.readingTime = readingTime
    self.records = records
    let entropy = (0..<Engine.entropyCount).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ Int(nextSequence)) }
    engine = Engine(configuration: configuration, entropy: entropy, nextSequence: nextSequence)
    self.bluez = bluez ?? World.straps
    let (straps, athletes) = (knownStraps, knownAthletes)
    let clientData = Dictionary(uniqueKeysWithValues: recovering.map { ($0.id, self.clientData(of: $0.id)) })
    run(
      engine.start(
        recovering: recovering, clientData: clientData, anchors: disk?.anchors ?? [:], justEnded: justEnded,
        lastAlive: lastAlive, straps: straps, athletes: athletes, boot: boot, at: now))
  }

  static var configured: Configuration {
    var configuration = Configuration()
    configuration.strap = a
    configuration.compacts = true
    return configuration
  }

  static var straps: SimulatedBlueZ {
    var bluez = SimulatedBlueZ()
    bluez.straps = [a: .init(name: "Demo HR"), b: .init(name: "Other HR", rssi: -70)]
    return bluez
  }

  /// The world after kill -9 and a new start: the store and bluetoothd are what they were, all else is new.
  ///
  /// - Parameter silent: for how long nothing had been written when it was killed.
  func killed(downFor span: Duration = .seconds(2), silent: Duration = .zero, readingTime: Duration = .zero) -> World {
    var left = bluez
    for strap in left.straps.keys {
      left.straps[strap]?.isNotifying = false  // bluetoothd ends a dead client's subscriptions, and keeps its links
      left.straps[strap]?.pendingConnect = nil
    }
    left.isDiscovering = false
    left.later = []
    let later = Moment(tick: now.tick + span, wall: now.wall + span)
    let last = records.compactMap(\.sequence).max() ?? 0
    return World(
      engine.configuration, at: later, nextSequence: last + 1, recovering: liveRecords,
      lastAlive: DatedTick(tick: now.tick - silent, date: now.wall(at: now.tick - silent)), records: records,
      bluez: left, readingTime: readingTime)
  }

  // MARK: Time

  func at(_ span: Duration, _ action: @escaping () -> Void) {
    order += 1
    schedule.append((now.tick + span, order, action))
  }

  /// Lets time pass; deadlines and what was scheduled happen each at its own tick.
  func advance(_ span: Duration) {
    let end = now.tick + span
    while true {
      let next = schedule.min { ($0.at, $0.order) < ($1.at, $1.order) }
      let deadline = engine.nextDeadline
      guard let tick = [next?.at, deadline].compactMap({ $0 }).min(), tick <= end else { break }
      move(to: max(tick, now.tick))
      if let next, next.at <= tick {
        schedule.removeAll { $0.order == next.order }
        next.action()
      } else {
        input(.deadlinePassed)
      }
    }
    move(to: end)
  }

  private func move(to tick: Tick) {
    now = Moment(tick: tick, wall: now.wall(at: tick), isSynchronised: now.isSynchronised)
  }

  /// The machine sleeps: both clocks go on, and nothing happens until it wakes.
  func sleep(_ span: Duration) {
    move(to: now.tick + span)
    input(.deadlinePassed)
  }

  /// The wall clock is set.
  ///
  /// - Parameter isTold: whether the kernel says so; else it is seen with the next thing that happens.
  func setClock(by step: Duration, isSynchronised: Bool = true, isTold: Bool = true) {
    now = Moment(tick: now.tick, wall: now.wall + step, isSynchronised: isSynchronised)
    if isTold { input(.clockSet) }
  }

  // MARK: Inputs and effects

  func input(_ input: Input) {
    run(engine.handle(input, at: now))
  }

  func arrive(_ messages: [BusMessage]) {
    for message in messages { input(.busMessageArrived(message)) }
    takeLater()
  }

  private func takeLater() {
    let later = bluez.later
    bluez.later = []
    for (span, what) in later {
      at(span) { [unowned self] in arrive(bluez.happen(what)) }
    }
  }

  private func run(_ effects: [Effect]) {
    var released: [Effect] = []
    var waiting = effects
    repeat {
      var batch: [Record] = []
      for effect in waiting {
        if let records = effect.records { batch += records } else { released.append(effect) }
      }
      waiting = batch.isEmpty ? [] : commit(batch)
    } while !waiting.isEmpty
    // What is sent is answered when everything of this wake-up is done, and not in the midst of it.
    for effect in released { if case .send = effect { continue } else { perform(effect) } }
    for effect in released { if case .send = effect { perform(effect) } }
    stepBackup()
    compact()
    purge()
  }

  private func commit(_ batch: [Record]) -> [Effect] {
    if let storeFailure { return engine.handle(.commitFailed(storeFailure, batch), at: now) }
    if !forgets { records += batch }
    commits += 1
    disk?.commit(batch, through: commits)
    return engine.handle(.committed(commits), at: now)
  }

  func sync() {
    input(.synced(throughCommit: commits))
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .record, .records: Issue.record("a record among the released effects")
    case .publish(let event):
      if event.sequence <= lastTold { Issue.record("event \(event.sequence) is told behind \(lastTold)") }
      lastTold = event.sequence
      if !forgets { events.append(event) }
      for effect in engine.publish(event, at: now) { perform(effect) }
    case .beginWatch(let client, let snapshot):
      for effect in engine.beginWatch(client, snapshot, at: now) { perform(effect) }
    case .tellDue: for effect in engine.tellDue(at: now) { perform(effect) }
    case .write(let client, let bytes): written(bytes, client)
    case .timed(let work, let since): engine.note(work, took: now.tick - since)
    case .holdReading: break
    case .tellWhenDrained(let client) where stalled.contains(client): break
    case .tellWhenDrained(let client): if drains { input(.clientDrained(client)) }
    case .drop(let client):
      replies[client] = nil
      closedClients.insert(client)
      input(.clientGone(client))
    case .close(let client, _):
      replies[client] = nil
      closedClients.insert(client)
    case .openBus: input(busIsThere ? .busConnected : .busLost("no bus"))
    case .send(let message) where message.destination == TimedateCall.service:
      questions += 1
      let answer = BusMessage(
        .reply(to: message.serial), sender: ":1.9", body: [.variant(.boolean(timedated ?? false))])
      let error = BusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: "no such name")
      arrive([timedated == nil ? BusMessage(.error(to: message.serial, error), sender: ":1.9") : answer])
    case .send(let message):
      let isForLogind = message.destination == LogindCall.service
      arrive(isForLogind ? logind.take(message) : bluez.take(message))
    case .closeDescriptor(let descriptor): closed.append(descriptor)
    case .setSyncInterval(let interval): syncInterval = interval
    case .requestSync: if syncs { at(.zero) { [unowned self] in sync() } }
    case .readEvents(let id): at(.zero) { [unowned self] in input(.eventsRead(id, events(of: id.session))) }
    case .readSamples(let id, let after):
      at(readingTime) { [unowned self] in
        let samples = samples(of: id.session).filter { $0.sequence > after }
        input(.samplesRead(id, Array(samples.prefix(100)), isLast: samples.count <= 100))
      }
    case .layBoots(let clocks):
      at(.zero) { [unowned self] in
        disk?.layBoots(at: clocks)
        input(.bootsLaid(disk?.liveSessions ?? liveRecords, ended: disk?.provisionalSessions ?? []))
      }
    case .read(let client, let question) where question.isStep:
      at(.zero) { [unowned self] in input(.answerRead(client, answer(question))) }
    case .read(let client, let question):
      let found = answer(question)
      guard !answerDelays.isEmpty else { return input(.answerRead(client, found)) }
      answerDelays.append(answerDelays.removeFirst())
      at(answerDelays[answerDelays.count - 1]) { [unowned self] in input(.answerRead(client, found)) }
    case .beginBackup:
      isBackingUp = true
      if let failure = disk?.beginBackup() { input(.backupFailed(failure)) }
    case .beginVerification: isVerifying = true
    case .endVerification: isVerifying = false
    case .endBackup:
      isBackingUp = false
      disk?.endBackup()
    case .fetchEntropy(let count):
      input(.entropyArrived((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 7 &+ Int(commits)) }))
    case .log(let entry): logs.append(entry)
    case .showStatus: break
    case .exit: hasExited = true
    }
  }

  // MARK: Clients

  func connect(_ caller: Caller = Caller()) -> ClientID {
    lastClient += 1
    let client = ClientID(number: lastClient)
    replies[client] = []
    input(.clientConnected(client, caller))
    return client
  }

  private func written(_ bytes: [UInt8], _ client: ClientID) {
    if stalled.contains(client) { unsent[client, default: 0] += bytes.count }
    for effect in engine.wrote(to: client, unsent: unsent[client] ?? 0) { perform(effect) }
    for message in bytes.split(separator: 0) {
      guard let json = try? JSON(parsing: message) else {
        Issue.record("a reply that is not JSON")
        continue
      }
      replies[client]?.append(json)
    }
  }

  func send(_ client: ClientID, _ call: VarlinkCall) {
    input(.clientSent(client, call.message))
  }

  /// A client that took nothing reads all that it was sent.
  func catchUp(_ client: ClientID) {
    stalled.remove(client)
    unsent[client] = nil
    input(.clientDrained(client))
  }

  /// What a client has been told since it was last asked.
  func take(_ client: ClientID) -> [JSON] {
    defer { replies[client] = [] }
    return replies[client] ?? []
  }

  /// One call on a connection of its own, with its reply.
  @discardableResult
  func call(_ method: String, _ parameters: KeyValuePairs<String, JSON?> = [:]) -> JSON {
    let client = connect()
    send(client, VarlinkCall("io.strapd." + method, .object(parameters)))
    advance(.zero)
    let answer = take(client)
    input(.clientGone(client))
    return answer.first ?? .null
  }

  // MARK: Straps

  /// A strap sends one measurement, with contact detected.
  func beat(_ heartRate: UInt8, _ strap: StrapAddress = World.a, rr: [UInt16] = []) {
    var payload: [UInt8] = [0x06 | (rr.isEmpty ? 0 : 0x10), heartRate]
    for ticks in rr { payload += [UInt8(ticks & 0xFF), UInt8(ticks >> 8)] }
    raw(payload, strap)
  }

  func raw(_ payload: [UInt8], _ strap: StrapAddress = World.a) {
    if let message = bluez.notification(strap, payload) { arrive([message]) }
  }

  /// Beats once a second for a while; the last second is waited out.
  func beats(_ count: Int, _ heartRate: UInt8 = 70, _ strap: StrapAddress = World.a) {
    for index in 0..<count {
      beat(heartRate &+ UInt8(index % 3), strap, rr: [870])
      advance(.seconds(1))
    }
  }

  func lose(_ strap: StrapAddress = World.a) {
    bluez.straps[strap]?.isPresent = false
    arrive(bluez.lose(strap))
  }

  func come(_ strap: StrapAddress = World.a) {
    bluez.come(strap)
    takeLater()
  }

  var status: JSON { call("GetStatus")["parameters"] ?? .null }

  func strap(_ address: StrapAddress = World.a) -> JSON {
    status["straps"]?.asArray?.first { $0["address"]?.asString == address.description } ?? .null
  }

  /// The states that a session went through, by the published transitions.
  var transitions: [String] {
    events.compactMap { event in
      if case .transition(let transition) = event.what { "\(transition.from)>\(transition.to)" } else { nil }
    }
  }
}

extension Record {
  var sequence: Int64? {
    switch self {
    case .event(let event): event.sequence
    case .sample(let sample, _): sample.sequence
    case .sequenceReserved(let through): through
    case .session, .workout, .workoutEdited, .editUndone, .clientData, .discarded, .strap, .strapForgotten, .athlete,
      .athleteForgotten, .importBegan, .importFinished, .importAborted, .importReplaced, .alive,
      .clockStepped,
      .clockSynchronised:
      nil
    }
  }
}
