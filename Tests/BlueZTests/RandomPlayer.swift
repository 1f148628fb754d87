import Bus
import Measurements

@testable import BlueZ

/// Plays the roster between a link machine and a random world; what must hold is in `RandomPlayerRules.swift`.
struct RandomPlayer {
  var machine: LinkMachine
  var world: RandomWorld
  var random: SeededRandom
  var now = Moment(tick: Tick(nanoseconds: 0), wall: WallTime(nanoseconds: 0))
  /// What the machine has been shown.
  var seen: LinkWorld
  /// What has been told of each adapter, and of which bluetoothd and object that was.
  private(set) var told: [(world: LinkWorld, incarnation: Int)]
  /// By which adapter the machine is to reach the strap; nil while none is chosen.
  private var way: Int? = 0
  var books = Books()
  /// Whether answers to a Connect or StartNotify that was sent before the last are dropped, as the roster does, or given
  /// to the machine like the last's.
  let dropsLateAnswers: Bool
  /// What is said is heard late, so that a lot happens in between.
  private let isSlow: Bool
  /// The state in which trouble lies in wait for the machine.
  let ambush: RandomState

  var faults: [String] = []
  private let tells: Bool
  /// Everything that happened, if it is to be told.
  private(set) var story: [String] = []
  private(set) var reach = RandomReach()
  private(set) var connectErrors: Set<String> = []
  private(set) var notifyErrors: Set<String> = []
  /// How long the machine took to stream once the world was well.
  private(set) var recovery = Duration.zero

  /// The calls that are out, by what was sent and answered.
  struct Books {
    /// The object of a Connect that was sent, and neither answered nor made void.
    var connect: ObjectPath?
    /// The number of the last call of any kind, of Connect, and of StartNotify.
    var last = 0
    var lastConnect = 0
    var lastNotify = 0
    var lastPair = -1
    var lastDisconnect = 0
    /// The object of a Pair that was sent, and neither answered, cancelled nor made void.
    var pair: ObjectPath?
    /// Disconnect was sent since that Connect.
    var isCancelled = false
    /// The object of the last Disconnect.
    var lastCancelled: ObjectPath?
    /// It was turned to another adapter since then.
    var isLeft = false
    /// A late answer was given to the machine: what it knows of a pending Connect is no longer its fault.
    var isMisled = false
    /// StartNotify was sent for it, and it was neither stopped nor refused nor made void.
    var subscribed: ObjectPath?
  }

  static let steps = 200
  /// Back-off, silence, Disconnect, Connect, services, two first payloads; and what the calls take on their way.
  private static let recoveryLimit: Duration =
    .seconds(30) + LinkMachine.silenceLimit + LinkMachine.cancelLimit + LinkMachine.connectLimit
    + LinkMachine.resolveLimit + LinkMachine.firstPayloadLimit * 2 + .seconds(10)
  /// Before it turns to another adapter, it has tried twice by the one that it has.
  private static let turnLimit = LinkMachine.connectLimit * 2 + LinkMachine.cancelLimit

  init(seed: UInt64, tells: Bool = false) {
    self.tells = tells
    random = SeededRandom(seed)
    world = RandomWorld(
      SeededRandom(seed &+ 1 << 32), sides: seed % 4 < 3 ? 1 : 2, wantsReading: seed % 5 == 2,
      showsDescriptor: seed % 5 < 3)
    (world.isBonded, world.needsBond) = (seed % 7 == 3, seed % 7 == 3)
    machine = LinkMachine(strap: Objects.strap, seed: seed)
    machine.pairsWhenNeeded = seed % 3 != 0
    dropsLateAnswers = seed % 4 != 0
    isSlow = seed % 13 < 5
    ambush = random.one(of: Self.ambushes)
    if ambush == .backingOff { world.makeStubborn() }
    if seed % 11 == 5 {
      // The daemon's last life ended with bluetoothd's, and with a link that stood.
      (world.isRunning, world.hadOurLink) = (false, true)
      machine.mayHaveLeftLink()
    }
    told = world.sides.indices.map { [world] in (world.world($0), 0) }
    seen = told[0].world
  }

  /// Trouble of all kinds; then the world becomes well, and the strap must stream; then nobody wants it any more.
  mutating func play() {
    for _ in 0..<Self.steps where faults.isEmpty { step() }
    getWell()
    // Half of them are released somewhere on the way to streaming, the others from there.
    var rounds = random.chance(of: 50) ? random.next(below: 8) : .max
    while rounds > 0, faults.isEmpty, !streams() { rounds -= 1 }
    for _ in 0..<12 where faults.isEmpty && recovery > .zero { _ = streams() }
    release()
  }

  // MARK: Steps

  private mutating func step() {
    if state == ambush, random.chance(of: 70) { return lieInWait() }
    if lure() { return }
    switch random.next(below: 20) {
    case 0: want(!machine.isWanted || random.chance(of: 60))
    case 1...8: if !isSlow || random.chance(of: 30) { deliver() }
    case 9...11: if !isSlow || random.chance(of: 60) { world.takeCall() }
    case 12...16: world.happen(isSearched: machine.wantsDiscovery)
    case 17: if random.chance(of: 60) { world.happen(isSearched: machine.wantsDiscovery) } else { turn() }
    case 19 where random.chance(of: 20): askToPair()
    case 18 where random.chance(of: 15): take(stray())
    default: pass(.milliseconds(random.one(of: [10, 100, 200, 1000, 1000, 5000, 16_000, 31_000])))
    }
  }

  private mutating func live() {
    while world.hasNews, faults.isEmpty {
      while world.hasCalls { world.takeCall() }
      deliver()
    }
    world.liveOn(isSearched: machine.wantsDiscovery)
    pass(.milliseconds(500))
  }

  /// Something that nobody has sent: a value of somebody else's, or an answer that comes long after its call.
  mutating func stray() -> RandomWorld.Message {
    let number = random.chance(of: 50) ? random.one(of: world.sides).number : random.next(below: 4)
    let path = random.one(of: RandomWorld.measurements[number])
    guard !dropsLateAnswers, random.chance(of: 70) else { return .payload(path) }
    let error = random.chance(of: 50) ? random.one(of: BlueZErrorTests.words.map(\.error)) : nil
    switch random.next(below: 4) {
    case 0: return .connectAnswered(0, error)
    case 1: return .disconnectAnswered(0)
    case 2: return .pairAnswered(0, error)
    default: return .notifyAnswered(0, path, error)
    }
  }

  mutating func want(_ wanted: Bool) {
    guard wanted != machine.isWanted else { return }
    let world = seen
    take(wanted ? .wanted : .released) { $0.want(wanted, world, at: $1) }
  }

  mutating func askToPair() {
    let world = seen
    if machine.pairing != .none, random.chance(of: 30) {
      take(.pairAbandoned) { $0.abandonPairing(world, at: $1) }
    } else {
      take(.pairWanted) { $0.pair(world, at: $1) }
    }
  }

  // MARK: Adapters

  /// What the machine is to see by an adapter; by none, whether there is one that could be used.
  private func world(by way: Int?) -> LinkWorld {
    if let way { return told[way].world }
    let hosts = told.map(\.world.host)
    return LinkWorld(host: hosts.first { $0 == .ready } ?? hosts.first { $0 != .noAdapter } ?? hosts[0], device: nil)
  }

  /// Where the machine may turn, it is turned; not from a link that stands, and in the end to whoever knows the strap.
  private mutating func turn() {
    guard told.count > 1, machine.mayTurn else { return }
    let standing = told.firstIndex { $0.world.host == .ready && $0.world.device?.isConnected == true }
    let knowing = told.firstIndex { $0.world.host == .ready && $0.world.device != nil }
    let wanted = seen.device == nil ? knowing : way
    let next = standing ?? (world.isWell ? wanted : random.one(of: [0, 1, nil]))
    guard next != way else { return }
    let shown = world(by: next)
    way = next
    guard shown != seen else { return }
    let old = seen
    seen = shown
    books.isLeft = books.connect != nil
    books.lastCancelled = nil
    let isDone = !machine.isWanted && old.device?.isConnected == true
    let pending = books.isCancelled || books.isMisled || isDone ? nil : books.connect
    books.lastPair = -1  // it was cancelled long ago
    take(.turned, "\(shown)") { $0.turned(from: old, to: shown, at: $1) }
    if let pending, books.lastCancelled != pending { faults.append("a Connect was left with the adapter") }
    noteVoid()
  }

  mutating func deliver() {
    if let message = world.popMessage() { take(message) }
    if world.isWell, faults.isEmpty { turn() }
  }

  mutating func take(_ message: RandomWorld.Message) {
    let old = seen
    switch message {
    case .world(let new, let side, let incarnation):
      told[side] = (new, incarnation)
      let shown = world(by: way)
      guard shown != old else { return }
      seen = shown
      noteVoid()
      take(RandomInput(from: old, to: shown), "\(shown)") { $0.worldChanged(shown, at: $1) }
    case .connectAnswered(let number, let error):
      if number == books.lastConnect {
        books.connect = nil
      } else if dropsLateAnswers {
        return
      } else {
        books.isMisled = true
      }
      if let error { connectErrors.insert(error.kind) }
      take(error == nil ? .connectDone : .connectFailed, "\(String(describing: error))") {
        $0.connectAnswered(error, old, at: $1)
      }
    case .disconnectAnswered(let number):
      guard number == books.lastDisconnect || number == 0 else { return }
      if books.isCancelled { books.connect = nil }
      take(.disconnectDone) { $0.disconnectAnswered(old, at: $1) }
    case .notifyAnswered(let number, let path, let error):
      guard number == books.lastNotify || !dropsLateAnswers && path != books.subscribed else { return }
      if let error { noteRefusal(path, error) }
      if let error { notifyErrors.insert(error.kind) }
      take(error == nil ? .notifyDone : .notifyFailed, "\(path.lastElement) \(String(describing: error))") {
        $0.notifyAnswered(path, error, old, at: $1)
      }
    case .pairAnswered(let number, let error):
      // While one is pending, no other's answer is taken for its own.
      guard number == 0 ? !machine.pairing.isAsked : number == books.lastPair else { return }
      if number > 0 { books.pair = nil }
      take(error == nil ? .pairDone : .pairFailed, "\(String(describing: error))") {
        $0.pairAnswered(error, old, at: $1)
      }
    case .payload(let path):
      let isOurs = payloadIsOurs(path)
      let status = machine.status
      note(isOurs ? .ownPayload : .strayPayload, "\(path)")
      let isAccepted = machine.payloadArrived(path, seen, at: now)
      if isAccepted, beats.count == 0 || now.tick > beats.last { beats = (beats.count + 1, now.tick) }
      checkPayload(isAccepted: isAccepted, isOurs: isOurs, in: status)
      check()
    }
  }

  /// Lets time pass; the machine is woken at each deadline on the way.
  mutating func pass(_ span: Duration) {
    let end = now.tick + span
    var wakes = 0
    while let deadline = machine.deadline, deadline <= end, faults.isEmpty {
      now.tick = max(deadline, now.tick)
      let world = seen
      take(.deadline) { $0.deadlinePassed(world, at: $1) }
      if self.world.isWell, faults.isEmpty { turn() }
      wakes += 1
      if let next = machine.deadline, next <= now.tick { faults.append("woken again at once in \(machine.status)") }
      if wakes > 100 { faults.append("woken \(wakes) times in \(span)") }
    }
    now.tick = end
  }

  private mutating func take(
    _ input: RandomInput, _ detail: @autoclosure () -> String = "", _ body: (inout LinkMachine, Moment) -> [LinkAction]
  ) {
    note(input, detail())
    let actions = body(&machine, now)
    if tells, !actions.isEmpty { story.append("    → \(actions)") }
    for action in actions {
      books.last += 1
      checkAction(action)
      let side = action.path.map(RandomWorld.side) ?? 0
      world.call(action, number: books.last, side: side, incarnation: told[side].incarnation)
    }
    if actions.count > 4 { faults.append("\(actions.count) actions at once") }
    check()
  }

  var state: RandomState { RandomState(machine.status, isCancelled: books.isCancelled) }

  private mutating func note(_ input: RandomInput, _ detail: @autoclosure () -> String = "") {
    reach[state, input] += 1
    if tells { story.append("\(now.tick.nanoseconds / 1_000_000) ms \(state) × \(input) \(detail())") }
  }

  // MARK: The end

  private mutating func getWell() {
    guard faults.isEmpty else { return }
    note(.well)
    world.becomeWell()
    // Nobody pairs a strap that nobody may pair.
    if !machine.pairsWhenNeeded, !world.sides.allSatisfy(\.isBonded) { world.needsBond = false }
    want(true)
    recoveryStart = now.tick
    beats = (0, now.tick)
  }

  private var recoveryStart = Tick(nanoseconds: 0)
  /// Moments at which measurements were accepted since then; those of the first may be old.
  private var beats: (count: Int, last: Tick) = (0, Tick(nanoseconds: 0))

  /// Lives on for a while.
  private mutating func streams() -> Bool {
    live()
    guard machine.status != .streaming || beats.count < 2 else {
      if recovery == .zero { recovery = now.tick - recoveryStart }
      if machine.trouble != nil { faults.append("\(String(describing: machine.trouble)) while it streams") }
      return true
    }
    if recovery > .zero { faults.append("\(machine.status), and not streaming on in a well world") }
    let spent = now.tick - recoveryStart
    if spent > Self.recoveryLimit + (told.count > 1 ? Self.turnLimit : .zero) {
      faults.append("\(machine.status) \(spent) after the world became well")
    }
    return false
  }

  private mutating func release() {
    guard faults.isEmpty else { return }
    if random.chance(of: 30) { world.lendToOthers() }
    if random.chance(of: 50) { deliver() }
    let isTheirs = books.subscribed == nil && seen.device?.isNotifying == true
    want(false)
    if random.chance(of: 15) { world.restartKeepingTheLink() }
    for _ in 0..<8 where faults.isEmpty { live() }
    if faults.isEmpty { checkRest(isTheirs: isTheirs) }
  }
}
