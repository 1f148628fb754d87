import BlueZ
import Bus
import Measurements

/// SplitMix64: the same numbers for a seed on every run and machine.
struct SeededRandom {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }

  mutating func chance(of percent: Int) -> Bool {
    next(below: 100) < percent
  }

  mutating func one<T>(of choices: [T]) -> T {
    choices[next(below: choices.count)]
  }
}

/// A small bluetoothd with one strap, as far as a link can tell: calls reach it late, what it says comes late and in
/// order, and for as long as it is not well, anything may happen to it.
struct RandomWorld {
  /// What comes from bluetoothd, in the order in which it was sent.
  enum Message {
    case world(LinkWorld, incarnation: Int)
    case connectAnswered(Int, BlueZError?)
    case disconnectAnswered
    case notifyAnswered(ObjectPath, BlueZError?)
    case payload(ObjectPath)
  }

  private(set) var messages: [Message] = []
  private var calls: [(action: LinkAction, connect: Int, incarnation: Int)] = []
  private var random: SeededRandom

  // bluetoothd's own knowledge.
  private var isRunning = true
  /// How often it has died or has forgotten the strap.
  private var incarnation = 0
  private var adapter = LinkWorld.Host.ready
  private var isKnown = false
  /// It has been heard in the scan that goes on.
  private var isHeard = false
  private var isConnected = false
  private var isResolved = false
  private var measurement: ObjectPath?
  /// The number of the Connect that is pending.
  private var pendingConnect: Int?
  private var weNotify = false
  private var othersNotify = false
  private var othersHaveAcquired = false

  // The strap's and the radio's.
  private var isInRange = true
  private var beats = true
  private var resolves = true
  private var hasHeartRate = true
  /// Connected as far as bluetoothd knows, and nothing comes any more.
  private var isZombie = false
  private var isWell = false

  static let paths: [ObjectPath] = [Objects.measurement, Objects.location]

  init(_ random: SeededRandom) {
    self.random = random
  }

  var world: LinkWorld {
    guard isRunning else { return LinkWorld(host: .bluetoothdAbsent, device: nil) }
    let device = LinkWorld.Device(
      path: Objects.device, isConnected: isConnected, isResolved: isResolved, measurement: measurement,
      isNotifying: measurement != nil && (weNotify || othersNotify || othersHaveAcquired), isHeard: isHeard)
    return LinkWorld(host: adapter, device: isKnown && adapter != .noAdapter ? device : nil)
  }

  var hasCalls: Bool { !calls.isEmpty }

  /// Everything asked for has been done and told, and bluetoothd is still to connect the strap.
  var isLeftConnecting: Bool {
    calls.isEmpty && messages.isEmpty && pendingConnect != nil && !isConnected
  }

  /// - Parameters:
  ///   - connect: the number of the Connect, if it is one.
  ///   - incarnation: the bluetoothd and the object that it is meant for; later ones do not hear it.
  mutating func call(_ action: LinkAction, _ connect: Int, to incarnation: Int) {
    calls.append((action, connect, incarnation))
  }

  mutating func popMessage() -> Message? {
    messages.isEmpty ? nil : messages.removeFirst()
  }

  // MARK: Calls

  mutating func takeCall() {
    guard !calls.isEmpty else { return }
    let (call, number, meant) = calls.removeFirst()
    guard isRunning, meant == incarnation else { return }
    // A call that is never answered.
    let isLost = !isWell && random.chance(of: 4)
    switch call {
    case .connect:
      if let error = connectError() {
        if !isLost { messages.append(.connectAnswered(number, error)) }
      } else if isConnected {
        messages.append(.connectAnswered(number, nil))
      } else {
        pendingConnect = number
      }
    case .disconnect:
      if isKnown, !isLost { answerConnect(.cancelled) }
      pendingConnect = nil
      if !isLost { messages.append(.disconnectAnswered) }
      // Sometimes answered, and nothing comes of it.
      if isConnected, isWell || random.chance(of: 90) { loseLink() }
    case .startNotify(let path):
      let error = notifyError(path)
      if error == nil { weNotify = true }
      if !isLost { messages.append(.notifyAnswered(path, error)) }
      if error == nil { show() }
    case .stopNotify:
      weNotify = false
      show()
    case .readTree: show()
    }
  }

  private mutating func connectError() -> BlueZError? {
    if !isKnown || adapter == .noAdapter { return .objectGone }
    if adapter != .ready { return .notReady }
    if pendingConnect != nil { return .inProgress }
    if isWell || isConnected { return nil }
    return random.chance(of: 25) ? random.one(of: BlueZErrorTests.words.map(\.error)) : nil
  }

  private mutating func notifyError(_ path: ObjectPath) -> BlueZError? {
    if !isKnown || path != measurement { return .objectGone }
    if othersHaveAcquired { return .notifyAcquired }
    if isWell { return nil }
    return random.chance(of: 15) ? random.one(of: BlueZErrorTests.words.map(\.error)) : nil
  }

  private mutating func answerConnect(_ error: BlueZError?) {
    if let pendingConnect { messages.append(.connectAnswered(pendingConnect, error)) }
    pendingConnect = nil
  }

  // MARK: What happens by itself

  /// Everything is well from now on: nothing breaks any more, and the strap is there and beats.
  mutating func becomeWell() {
    isWell = true
    (isInRange, beats, resolves, hasHeartRate) = (true, true, true, true)
    (othersNotify, othersHaveAcquired) = (false, false)
    isRunning = true
    adapter = .ready
    show()
  }

  /// What a well world does in a second or so.
  mutating func liveOn(isSearched: Bool) {
    if !isKnown, isSearched { appear() }
    listen(isSearched)
    if pendingConnect != nil, !isConnected { makeLink() }
    if isConnected, !isResolved, !isZombie { resolve() }
    beat()
  }

  mutating func happen(isSearched: Bool) {
    let isReady = isRunning && adapter == .ready
    switch random.next(below: 40) {
    case 0...7: if isInRange, isReady, pendingConnect != nil, !isConnected { makeLink() }
    case 8...13: if isConnected, !isResolved, resolves { resolve() }
    case 14...24: beat()
    case 25...27: if isInRange, isReady, isSearched, !isKnown { appear() }
    case 28...29: listen(isSearched)
    default: if random.chance(of: 50) { breakSomething() }
    }
  }

  private mutating func breakSomething() {
    switch random.next(below: 16) {
    case 0...1:
      isInRange.toggle()
      if !isInRange, isConnected { loseLink() }
    case 2: if isConnected { loseLink() }
    case 3: if isKnown, !isConnected { forget() }
    case 4: switchAdapter()
    case 5: restart()
    case 6...7: beats.toggle()
    case 8: resolves.toggle()
    case 9: hasHeartRate.toggle()
    case 10...11:
      othersNotify.toggle()
      show()
    case 12:
      othersHaveAcquired.toggle()
      show()
    case 13: if isConnected { isZombie.toggle() }
    // Somebody else connects the strap.
    case 14: if isInRange, isKnown, isRunning, adapter == .ready, !isConnected { makeLink() }
    default: if isResolved, measurement != nil { moveServices() }
    }
    // What is broken is mended after a while, or nothing would ever go well.
    if random.chance(of: 50) { (isInRange, beats, resolves, hasHeartRate) = (true, true, true, true) }
    if random.chance(of: 30), isRunning, adapter != .ready { switchAdapter() }
    if random.chance(of: 30), !isRunning { restart() }
  }

  private mutating func show() {
    messages.append(.world(world, incarnation: incarnation))
  }

  private mutating func listen(_ isSearched: Bool) {
    let isHeard = isRunning && adapter == .ready && isKnown && isSearched && isInRange && !isConnected
    guard isHeard != self.isHeard else { return }
    self.isHeard = isHeard
    show()
  }

  private mutating func appear() {
    (isKnown, isHeard) = (true, true)
    show()
  }

  private mutating func forget() {
    answerConnect(.objectGone)
    incarnation += 1
    (isKnown, isHeard, isConnected, isResolved, weNotify) = (false, false, false, false, false)
    measurement = nil
    show()
  }

  private mutating func makeLink() {
    isConnected = true
    isZombie = false
    if !isWell, random.chance(of: 10) { answerConnect(nil) }
    // Sometimes everything is there at once.
    if resolves, random.chance(of: 20) { resolve() } else { show() }
  }

  private mutating func resolve() {
    if hasHeartRate { measurement = measurement ?? random.one(of: Self.paths) } else { measurement = nil }
    isResolved = true
    switch isWell ? 0 : random.next(below: 10) {
    // Connect is answered before the tree shows why, or not at all, or by an error on a link that stands.
    case 1...2:
      answerConnect(nil)
      show()
    case 3: show()
    case 4:
      show()
      answerConnect(.linkFailed("le-connection-unknown"))
    default:
      show()
      answerConnect(nil)
    }
  }

  private mutating func loseLink() {
    answerConnect(.cancelled)
    (isConnected, isResolved, isZombie) = (false, false, false)
    show()
  }

  private mutating func moveServices() {
    measurement = measurement == Self.paths[0] ? Self.paths[1] : Self.paths[0]
    weNotify = false
    show()
  }

  private mutating func beat() {
    guard isRunning, isConnected, beats, isInRange, !isZombie, let measurement, weNotify || othersNotify else { return }
    messages.append(.payload(measurement))
  }

  private mutating func switchAdapter() {
    guard isRunning else { return }
    if adapter == .ready {
      adapter = random.one(of: [.adapterOff, .adapterOff, .adapterBlocked, .noAdapter, .refused(.accessDenied)])
      if adapter == .noAdapter { return forget() }
      guard adapter == .adapterOff || adapter == .adapterBlocked else { return show() }
      // bluetoothd need not answer the Connect that is pending.
      if random.chance(of: 50) { answerConnect(.notReady) }
      if isConnected { loseLink() } else { show() }
    } else {
      adapter = .ready
      show()
    }
  }

  private mutating func restart() {
    if isRunning {
      // The bus answers for the dead, before it says that he is.
      if random.chance(of: 50) { answerConnect(.bluetoothdAbsent) }
      isRunning = false
      incarnation += 1
      (isKnown, isHeard, isConnected, isResolved, weNotify) = (false, false, false, false, false)
      (measurement, pendingConnect) = (nil, nil)
    } else {
      isRunning = true
      adapter = random.one(of: [.ready, .ready, .adapterOff])
      isKnown = random.chance(of: 50)
    }
    show()
  }
}
