import Bus
import Measurements

@testable import BlueZ

/// Plays the roster between a link machine and a random world, and keeps the books that the rules are about.
struct RandomPlayer {
  private var machine: LinkMachine
  private var world: RandomWorld
  private var random: SeededRandom
  private var now = Moment(tick: Tick(nanoseconds: 0), wall: WallTime(nanoseconds: 0))
  /// What the machine has been shown.
  private var seen: LinkWorld
  private var incarnation = 0

  /// A Connect that was sent, and neither answered nor made void.
  private var connectIsOut = false
  private var lastConnect = 0
  /// Whether answers to a Connect that was sent before the last are dropped, or given to the machine like the last's.
  private let dropsLateAnswers: Bool
  /// A late one was given: what it knows of a pending Connect is no longer its fault.
  private var isMisled = false
  /// Disconnect was sent since that Connect.
  private var isCancelled = false
  /// StartNotify was sent for it, and it was neither stopped nor refused nor made void.
  private var subscribed: ObjectPath?

  private(set) var faults: [String] = []
  /// The last things that happened, for the report.
  private(set) var story: [String] = []
  /// State and input, and how often they met.
  private(set) var reached: [String: Int] = [:]

  private static let limits: [Duration] = [
    .seconds(30), LinkMachine.silenceLimit, LinkMachine.cancelLimit, LinkMachine.connectLimit, LinkMachine.resolveLimit,
    LinkMachine.firstPayloadLimit, LinkMachine.firstPayloadLimit,
  ]

  static let inputs = [
    "wanted", "released", "world", "payload", "connect yes", "connect no", "disconnect", "notify yes", "notify no",
    "deadline",
  ]

  init(seed: UInt64) {
    random = SeededRandom(seed)
    world = RandomWorld(SeededRandom(seed &+ 1 << 32))
    machine = LinkMachine(strap: Objects.strap, seed: seed)
    dropsLateAnswers = seed % 4 != 0
    seen = world.world
  }

  // MARK: Steps

  mutating func step() {
    switch random.next(below: 20) {
    case 0: want(!machine.isWanted || random.chance(of: 60))
    case 1...8: deliver()
    case 9...11: world.takeCall()
    case 12...17: world.happen(isSearched: machine.wantsDiscovery)
    case 18 where random.chance(of: 15): take(stray())
    default: pass(.milliseconds(random.one(of: [10, 100, 200, 1000, 1000, 5000, 16_000, 31_000])))
    }
  }

  /// Everything becomes well, and the strap must stream within one back-off and each limit once; and go on.
  mutating func getWell() {
    want(true)
    world.becomeWell()
    // Back-off, silence, Disconnect, Connect, services, two first payloads; and what the calls take on their way.
    let limit: Duration = Self.limits.reduce(.seconds(10)) { $0 + $1 }
    let end = now.tick + limit
    while now.tick < end, faults.isEmpty, machine.status != .streaming || hasNews { live() }
    guard machine.status == .streaming else {
      faults.append("\(machine.status), and not streaming \(limit) after the world became well")
      return
    }
    for _ in 0..<60 { live() }
    if machine.status != .streaming { faults.append("\(machine.status), and not streaming on in a well world") }
    if machine.trouble != nil { faults.append("\(String(describing: machine.trouble)) while it streams") }
  }

  private var hasNews: Bool { world.hasCalls || !world.messages.isEmpty }

  private mutating func live() {
    while hasNews, faults.isEmpty {
      while world.hasCalls { world.takeCall() }
      deliver()
    }
    world.liveOn(isSearched: machine.wantsDiscovery)
    pass(.milliseconds(500))
  }

  /// Something that nobody has sent: a value of somebody else's, or an answer that comes long after its call.
  private mutating func stray() -> RandomWorld.Message {
    let path = random.one(of: RandomWorld.paths)
    guard !dropsLateAnswers, random.chance(of: 70) else { return .payload(path) }
    let error = random.chance(of: 50) ? random.one(of: BlueZErrorTests.words.map(\.error)) : nil
    switch random.next(below: 3) {
    case 0: return .connectAnswered(0, error)
    case 1: return .disconnectAnswered
    default: return .notifyAnswered(path, error)
    }
  }

  private mutating func deliver() {
    if let message = world.popMessage() { take(message) }
  }

  private mutating func take(_ message: RandomWorld.Message) {
    switch message {
    case .world(let new, let incarnation):
      self.incarnation = incarnation
      guard new != seen else { return }
      seen = new
      if new.host == .bluetoothdAbsent || new.device == nil {
        connectIsOut = false
        subscribed = nil
      }
      take("world", "\(new)") { $0.worldChanged(new, at: $1) }
    case .connectAnswered(let number, let error):
      if number == lastConnect {
        connectIsOut = false
      } else if dropsLateAnswers {
        return
      } else {
        isMisled = true
      }
      let world = seen
      take(error == nil ? "connect yes" : "connect no", "\(String(describing: error))") {
        $0.connectAnswered(error, world, at: $1)
      }
    case .disconnectAnswered:
      if isCancelled { connectIsOut = false }
      let world = seen
      take("disconnect", "") { $0.disconnectAnswered(world, at: $1) }
    case .notifyAnswered(let path, let error):
      if let error, ![.inProgress, .alreadyNotifying].contains(error), machine.status == .subscribing,
        path == subscribed
      {
        subscribed = nil
      }
      let world = seen
      take(error == nil ? "notify yes" : "notify no", "\(String(describing: error))") {
        $0.notifyAnswered(path, error, world, at: $1)
      }
    case .payload(let path): payload(path)
    }
  }

  private mutating func payload(_ path: ObjectPath) {
    let status = machine.status
    note("payload", "\(path.lastElement)")
    let isAccepted = machine.payloadArrived(path, seen, at: now)
    let isOurs =
      machine.isWanted && seen.device?.isConnected == true && seen.device?.measurement == path && subscribed == path
    if isAccepted != isOurs {
      faults.append("a payload of \(isOurs ? "ours refused" : "others accepted") in \(status)")
    }
    if isAccepted, [.resolving, .subscribing, .streaming, .backingOff].contains(status), machine.status != .streaming {
      faults.append("a payload in \(status), and it does not stream")
    }
    check()
  }

  private mutating func want(_ wanted: Bool) {
    guard wanted != machine.isWanted else { return }
    let world = seen
    take(wanted ? "wanted" : "released", "") { $0.want(wanted, world, at: $1) }
  }

  /// Lets time pass; the machine is woken at each deadline on the way.
  private mutating func pass(_ span: Duration) {
    let end = now.tick + span
    var wakes = 0
    while let deadline = machine.deadline, deadline <= end, faults.isEmpty {
      now.tick = max(deadline, now.tick)
      let world = seen
      take("deadline", "") { $0.deadlinePassed(world, at: $1) }
      wakes += 1
      if let next = machine.deadline, next <= now.tick { faults.append("woken again at once in \(machine.status)") }
      if wakes > 100 { faults.append("woken \(wakes) times in \(span)") }
    }
    now.tick = end
  }

  // MARK: Books

  private mutating func take(_ input: String, _ detail: String, _ body: (inout LinkMachine, Moment) -> [LinkAction]) {
    note(input, detail)
    let actions = body(&machine, now)
    for action in actions { send(action) }
    if actions.count > 4 { faults.append("\(actions.count) actions at once") }
    if !actions.isEmpty { story.append("    → \(actions)") }
    check()
  }

  private mutating func note(_ input: String, _ detail: String) {
    let isCancelling = machine.status == .connecting && isCancelled
    let state = isCancelling ? "cancelling" : machine.status.rawValue
    reached["\(state) × \(input)", default: 0] += 1
    story.append("\(now.tick.nanoseconds / 1_000_000) ms \(state) × \(input) \(detail)")
    if story.count > 40 { story.removeFirst(story.count - 40) }
  }

  private mutating func send(_ action: LinkAction) {
    switch action {
    case .connect:
      if connectIsOut, !isMisled { faults.append("a second Connect beside one that is pending") }
      if seen.device?.isConnected == true { faults.append("Connect on a link that stands") }
      if !machine.isWanted { faults.append("Connect for nobody") }
      connectIsOut = true
      isCancelled = false
      lastConnect += 1
    case .disconnect: isCancelled = true
    case .startNotify(let path):
      if !machine.isWanted { faults.append("StartNotify for nobody") }
      subscribed = path
    case .stopNotify(let path): if subscribed == path { subscribed = nil }
    case .readTree: break
    }
    world.call(action, lastConnect, to: incarnation)
  }

  private mutating func check() {
    if let deadline = machine.deadline, deadline - now.tick > .seconds(30) {
      faults.append("\(machine.status) for \(deadline - now.tick)")
    }
    switch machine.status {
    case .standing:
      if machine.isWanted { faults.append("standing, though it is wanted") }
      if world.isLeftConnecting, !isMisled { faults.append("a Connect was given up and not cancelled") }
      if subscribed != nil { faults.append("a subscription was left behind") }
    case .waitingForBluetoothd, .waitingForAdapter:
      if seen.host == .ready { faults.append("waiting for what is there") }
    case .searching: if seen.device != nil { faults.append("searching for what is known") }
    case .releasing: if machine.isWanted { faults.append("releasing, though it is wanted") }
    case .connecting, .resolving, .subscribing, .streaming, .backingOff:
      if !machine.isWanted { faults.append("\(machine.status) for nobody") }
      if seen.host != .ready { faults.append("\(machine.status) without a host") }
    }
    if machine.status == .streaming, seen.device?.isConnected != true { faults.append("streaming without a link") }
  }
}
