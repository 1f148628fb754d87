import BlueZ
import Bus
import Measurements

/// A small bluetoothd with one strap, as far as a link can tell: calls reach it late, what it says comes late and in
/// order, and for as long as it is not well, anything may happen to it (`RandomWorldTroubles.swift`).
struct RandomWorld {
  /// What comes from bluetoothd, in the order in which it was sent.
  enum Message {
    case world(LinkWorld, incarnation: Int)
    case connectAnswered(Int, BlueZError?)
    case disconnectAnswered
    case notifyAnswered(Int, ObjectPath, BlueZError?)
    case pairAnswered(Int, BlueZError?)
    case payload(ObjectPath)
  }

  var messages: [Message] = []
  private var calls: [(action: LinkAction, number: Int, incarnation: Int)] = []
  var random: SeededRandom

  // bluetoothd's own knowledge.
  var isRunning = true
  /// How often it has died or has forgotten the strap.
  var incarnation = 0
  var adapter = LinkWorld.Host.ready
  /// hci0 or hci1: an adapter that comes back may have another number.
  var number = 0
  var isKnown = false
  var isHeard = false
  var isConnected = false
  /// The link was made by a Connect of ours.
  var linkIsOurs = false
  var isResolved = false
  var measurement: ObjectPath?
  /// The number of the Connect that is pending.
  var pendingConnect: Int?
  /// The number of the Pair that is pending.
  var pendingPair: Int?
  var isBonded = false
  /// Survives the link's loss.
  var weNotify = false
  var othersNotify = false
  var othersHaveAcquired = false

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
  /// Connected as far as bluetoothd knows, and nothing comes any more.
  var isZombie = false
  var isWell = false

  /// The strap's object below each adapter, and where its measurement may be.
  static let devices: [ObjectPath] = [Objects.device, "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5"]
  static let measurements: [[ObjectPath]] = [
    [Objects.measurement, Objects.location],
    [
      "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5/service000e/char000f",
      "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5/service000e/char0012",
    ],
  ]

  init(_ random: SeededRandom, wantsReading: Bool, showsDescriptor: Bool) {
    self.random = random
    self.wantsReading = wantsReading
    self.showsDescriptor = showsDescriptor
  }

  var world: LinkWorld {
    guard isRunning else { return LinkWorld(host: .bluetoothdAbsent, device: nil) }
    // A bluetoothd that refuses to show its tree is one whose tree is not known.
    guard isKnown, !isRefusing else { return LinkWorld(host: adapter, device: nil) }
    let device = LinkWorld.Device(
      path: Self.devices[number], isConnected: isConnected, isResolved: isResolved, measurement: measurement,
      isNotifying: measurement != nil && (weNotify || isUsedByOthers), isHeard: isHeard, isBonded: isBonded,
      configuration: showsDescriptor ? measurement.flatMap { ObjectPath("\($0)/desc0011") } : nil)
    return LinkWorld(host: adapter, device: device)
  }

  var isRefusing: Bool { if case .refused = adapter { true } else { false } }
  var isUsedByOthers: Bool { othersNotify || othersHaveAcquired }
  var hasCalls: Bool { !calls.isEmpty }
  var hasNews: Bool { !calls.isEmpty || !messages.isEmpty }

  /// - Parameters:
  ///   - number: what its answer is told by.
  ///   - incarnation: the bluetoothd and the object that it is meant for; later ones do not hear it.
  mutating func call(_ action: LinkAction, number: Int, to incarnation: Int) {
    calls.append((action, number, incarnation))
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
      if error == nil, hangsUp { return hangUp(number, path) }
      if error == nil || error == .alreadyNotifying { weNotify = true }
      if !isLost { messages.append(.notifyAnswered(number, path, error)) }
      if weNotify { show() }
    case .stopNotify:
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
    case .readTree: show()
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
    if adapter != .ready { return .notReady }
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
    if adapter != .ready { return .notReady }
    if pendingPair != nil { return .inProgress }
    return isBonded ? .alreadyPaired : nil
  }

  mutating func answerPair(_ error: BlueZError?) {
    if let pendingPair { messages.append(.pairAnswered(pendingPair, error)) }
    pendingPair = nil
  }

  /// The strap takes the bond, or does not.
  mutating func pairIfAsked() {
    guard pendingPair != nil, isConnected, !isZombie else { return }
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
    (othersNotify, othersHaveAcquired) = (false, false)
    isRunning = true
    adapter = .ready
    show()
  }

  /// What a well world does in half a second or so.
  mutating func liveOn(isSearched: Bool) {
    if isSearched { if isKnown { beHeard() } else { appear() } }
    if pendingConnect != nil, !isConnected { makeLink(ours: true) }
    pairIfAsked()
    if isConnected, !isResolved, !isZombie { resolve() }
    beat()
  }

  mutating func show() {
    messages.append(.world(world, incarnation: incarnation))
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
      measurement = nil
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
