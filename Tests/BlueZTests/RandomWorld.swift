import BlueZ
import Bus
import Measurements

/// A small bluetoothd with one strap and one adapter or two, as far as a link can tell: calls reach it late, what it says
/// comes late and in order, and for as long as it is not well, anything may happen to it (`RandomWorldTroubles.swift`).
struct RandomWorld {
  /// What comes from bluetoothd, in the order in which it was sent.
  enum Message {
    case world(LinkWorld, side: Int, incarnation: Int)
    case connectAnswered(Int, BlueZError?)
    case disconnectAnswered(Int)
    case notifyAnswered(Int, ObjectPath, BlueZError?)
    case pairAnswered(Int, BlueZError?)
    case payload(ObjectPath)
  }

  var messages: [Message] = []
  private var calls: [(action: LinkAction, number: Int, side: Int, incarnation: Int)] = []
  var random: SeededRandom

  // bluetoothd's own knowledge.
  var isRunning = true
  /// It runs, and does not show its tree.
  var isRefusing = false
  /// By one adapter, or by each of two.
  var sides: [RandomSide]
  /// On which of them something is happening.
  var side = 0

  // The strap's and the radio's.
  var isInRange = true
  var beats = true
  var resolves = true
  var hasHeartRate = true
  /// Its notifications are for bonded clients.
  var needsBond = false
  /// It hangs up when notifications are switched on before their descriptor was read on this link.
  let wantsReading: Bool
  /// bluetoothd shows the descriptor.
  let showsDescriptor: Bool
  var hasRead = false
  /// It takes no bond.
  var refusesBond = false
  var isWell = false
  var temper: RandomTemper

  /// The strap's object below each adapter by each of its numbers, and where its measurement may be.
  static let devices: [ObjectPath] = [
    Objects.device, "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5", "/org/bluez/hci2/dev_F0_F1_F2_F3_F4_F5",
    "/org/bluez/hci3/dev_F0_F1_F2_F3_F4_F5",
  ]
  static let measurements: [[ObjectPath]] = devices.map { device in
    ["char000f", "char0012"].compactMap { ObjectPath("\(device)/service000e/\($0)") }
  }

  init(_ random: SeededRandom, sides count: Int, wantsReading: Bool, showsDescriptor: Bool) {
    var random = random
    temper = RandomTemper(&random)
    self.random = random
    self.wantsReading = wantsReading
    self.showsDescriptor = showsDescriptor
    sides = (0..<count).map { RandomSide(number: $0 * 2) }
  }

  /// What is to be seen by one adapter.
  func world(_ side: Int) -> LinkWorld {
    guard isRunning else { return LinkWorld(host: .bluetoothdAbsent, device: nil) }
    // A bluetoothd that refuses to show its tree is one whose tree is not known.
    guard !isRefusing else { return LinkWorld(host: .refused(.accessDenied), device: nil) }
    let known = sides[side]
    guard known.isKnown else { return LinkWorld(host: known.adapter, device: nil) }
    let isNotifying = known.weNotify || known.othersNotify || known.othersHaveAcquired
    let device = LinkWorld.Device(
      path: Self.devices[known.number], isConnected: known.isConnected, isResolved: known.isResolved,
      measurement: known.measurement, isNotifying: known.measurement != nil && isNotifying, isHeard: known.isHeard,
      isBonded: known.isBonded,
      configuration: showsDescriptor ? known.measurement.flatMap { ObjectPath("\($0)/desc0011") } : nil)
    return LinkWorld(host: known.adapter, device: device)
  }

  /// The side of an object; its path may be from before a re-plug.
  static func side(of path: ObjectPath) -> Int {
    (devices.firstIndex { $0 == path || path.isBelow($0) } ?? 0) / 2
  }

  var isReady: Bool { isRunning && !isRefusing && adapter == .ready }
  /// A strap has one link, by whichever adapter.
  var isConnectedElsewhere: Bool {
    sides.indices.contains { $0 != side && sides[$0].isConnected && !sides[$0].isZombie }
  }
  var isUsedByOthers: Bool { othersNotify || othersHaveAcquired }
  var hasCalls: Bool { !calls.isEmpty }
  var hasNews: Bool { !calls.isEmpty || !messages.isEmpty }

  /// - Parameters:
  ///   - number: what its answer is told by.
  ///   - incarnation: the bluetoothd and the object that it is meant for; later ones do not hear it.
  mutating func call(_ action: LinkAction, number: Int, side: Int, incarnation: Int) {
    calls.append((action, number, side, incarnation))
  }

  mutating func popMessage() -> Message? {
    messages.isEmpty ? nil : messages.removeFirst()
  }

  // MARK: Calls

  mutating func takeCall() {
    guard !calls.isEmpty else { return }
    let (call, number, meantSide, meant) = calls.removeFirst()
    side = meantSide
    guard isRunning, meant == incarnation else { return }
    // A call that is never answered.
    let isLost = !isWell && random.chance(of: temper.lostAnswers)
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
      answerPair(.pairingFailed("org.bluez.Error.AuthenticationCanceled"))
      if !isLost { messages.append(.disconnectAnswered(number)) }
      // Sometimes answered, and nothing comes of it; but an adapter that is off has no links, and one that was left for
      // another is looked at no more.
      let isDone = isWell || adapter != .ready || sides.count > 1 || !random.chance(of: temper.idleDisconnects)
      if isConnected, isDone { loseLink() }
    case .startNotify(let path):
      let error = notifyError(path)
      if error == nil, hangsUp { return hangUp(number, path) }
      if error == nil || error == .alreadyNotifying { weNotify = true }
      if !isLost { messages.append(.notifyAnswered(number, path, error)) }
      if weNotify { show() }
    case .stopNotify(let path):
      guard path == measurement else { return }
      weNotify = false
      show()
    case .pair:
      if let error = pairError() {
        if !isLost { messages.append(.pairAnswered(number, error)) }
      } else {
        pendingPair = number
      }
    case .cancelPairing: answerPair(.pairingFailed("org.bluez.Error.AuthenticationCanceled"))
    case .readDescriptor: if isConnected, isResolved { hasRead = true }
    case .readTree: showAll()
    }
  }

  private var hangsUp: Bool { wantsReading && !hasRead && isConnected && isResolved }

  /// The strap hangs up on StartNotify, which bluetoothd answers or not, before or after it shows the link's end.
  private mutating func hangUp(_ number: Int, _ path: ObjectPath) {
    let isRefused = random.chance(of: 50)
    weNotify = !isRefused
    let isShownFirst = random.chance(of: 50)
    if isShownFirst { loseLink() }
    if isRefused { messages.append(.notifyAnswered(number, path, .notConnected)) }
    if !isShownFirst { loseLink() }
  }

  private mutating func connectError() -> BlueZError? {
    if !isKnown { return .objectGone }
    if !isReady { return .notReady }
    if pendingConnect != nil { return .inProgress }
    if isWell || isConnected { return nil }
    return random.chance(of: 25) ? random.one(of: Self.errors) : nil
  }

  private mutating func notifyError(_ path: ObjectPath) -> BlueZError? {
    if !isKnown || path != measurement { return .objectGone }
    if othersHaveAcquired { return .notifyAcquired }
    if weNotify { return .alreadyNotifying }
    if needsBond, !isBonded { return .notPaired }
    if isWell { return nil }
    return random.chance(of: 15) ? random.one(of: Self.errors) : nil
  }

  private func pairError() -> BlueZError? {
    if !isKnown { return .objectGone }
    if !isReady { return .notReady }
    if pendingPair != nil { return .inProgress }
    return isBonded ? .alreadyPaired : nil
  }

  mutating func answerPair(_ error: BlueZError?) {
    if let pendingPair { messages.append(.pairAnswered(pendingPair, error)) }
    pendingPair = nil
  }

  /// The strap takes the bond, or does not.
  mutating func pairIfAsked() {
    guard pendingPair != nil, isConnected, !isZombie, isReady else { return }
    guard !refusesBond else { return answerPair(.pairingFailed("org.bluez.Error.AuthenticationFailed")) }
    isBonded = true
    show()
    answerPair(nil)
  }

  private static let errors = BlueZErrorTests.words.map(\.error)

  mutating func answerConnect(_ error: BlueZError?) {
    if let pendingConnect { messages.append(.connectAnswered(pendingConnect, error)) }
    pendingConnect = nil
  }

  // MARK: What a healthy one does

  /// Everything is well from now on: nothing breaks any more, and the strap is there and beats.
  mutating func becomeWell() {
    isWell = true
    (isInRange, beats, resolves, hasHeartRate, refusesBond) = (true, true, true, true, false)
    (isRunning, isRefusing) = (true, false)
    for index in sides.indices {
      side = index
      (othersNotify, othersHaveAcquired) = (false, false)
      adapter = .ready
      // A link that nothing comes over any more is no link to the strap.
      if isZombie, isConnectedElsewhere { loseLink() }
      show()
    }
  }

  /// What a well world does in half a second or so.
  mutating func liveOn(isSearched: Bool) {
    for index in sides.indices {
      side = index
      if isSearched, !isConnectedElsewhere { if isKnown { beHeard() } else { appear() } }
      if pendingConnect != nil, !isConnected, !isConnectedElsewhere { makeLink(ours: true) }
      pairIfAsked()
      // Without a link bluetoothd makes one for it, which comes to an end by itself.
      if !isConnected { answerPair(.pairingFailed("org.bluez.Error.ConnectionAttemptFailed")) }
      if isConnected, !isResolved, !isZombie { resolve() }
      beat()
    }
  }

  mutating func show() {
    messages.append(.world(world(side), side: side, incarnation: incarnation))
  }

  mutating func appear() {
    (isKnown, isHeard) = (true, true)
    show()
  }

  mutating func beHeard() {
    guard !isHeard else { return }
    isHeard = true
    show()
  }

  mutating func makeLink(ours: Bool) {
    (isConnected, linkIsOurs, isZombie, isHeard) = (true, ours, false, false)
    if !isWell, random.chance(of: 10) { answerConnect(nil) }
    // Sometimes everything is there at once.
    if resolves, random.chance(of: 20) { resolve() } else { show() }
  }

  mutating func resolve() {
    if hasHeartRate {
      measurement = measurement ?? random.one(of: Self.measurements[number])
    } else {
      (measurement, weNotify) = (nil, false)
    }
    isResolved = true
    // bluetoothd renews our subscription by itself.
    if weNotify, hangsUp { return loseLink() }
    if let late = measurement, random.chance(of: 10) {
      // The object of the measurement is announced after that all services are resolved.
      measurement = nil
      show()
      measurement = late
    }
    switch isWell ? 9 : random.next(below: 10) {
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

  mutating func loseLink() {
    // The tree may show it first.
    let isShownFirst = random.chance(of: 50)
    (isConnected, isResolved, isZombie, hasRead) = (false, false, false, false)
    answerPair(.pairingFailed("org.bluez.Error.AuthenticationFailed"))
    if isShownFirst { show() }
    answerConnect(.cancelled)
    if !isShownFirst { show() }
  }

  mutating func beat() {
    guard isRunning, isConnected, beats, isInRange, !isZombie, let measurement, weNotify || othersNotify else { return }
    if needsBond, !isBonded { return }
    messages.append(.payload(measurement))
  }
}
