import Bus
import Measurements

@testable import BlueZ

// What must hold of a link machine, whatever happens to it.
extension RandomPlayer {
  // MARK: Calls

  mutating func checkAction(_ action: LinkAction) {
    switch action {
    case .connect(let path):
      // One that was cancelled when its adapter was left is behind us: bluetoothd takes calls in their order.
      if books.connect != nil, !books.isLeft, !books.isMisled {
        faults.append("a second Connect beside one that is pending")
      }
      if seen.device?.isConnected == true { faults.append("Connect on a link that stands") }
      if !machine.isWanted { faults.append("Connect for nobody") }
      if seen.host != .ready { faults.append("Connect without a host") }
      checkExists(path, action)
      books.connect = path
      (books.isCancelled, books.isLeft) = (false, false)
      books.lastConnect = books.last
    case .disconnect(let path):
      checkExists(path, action)
      if !books.isLeft, books.connect.map({ $0 != path }) == true {
        faults.append("\(action), and Connect is pending on another")
      }
      // Ours are switched off first.
      let device = told.compactMap(\.world.device).first { $0.path == path }
      if !machine.isWanted, device?.isConnected == true, device?.isNotifying == true {
        faults.append("ends a link that others listen on")
      }
      books.isCancelled = true
      books.lastDisconnect = books.last
      books.lastCancelled = path
    case .startNotify(let path):
      if !machine.isWanted { faults.append("StartNotify for nobody") }
      if seen.device?.isConnected != true { faults.append("StartNotify without a link") }
      checkExists(path, action)
      books.subscribed = path
      books.lastNotify = books.last
    case .readDescriptor(let path):
      if !machine.isWanted { faults.append("a descriptor is read for nobody") }
      if seen.device?.isConnected != true { faults.append("a descriptor is read without a link") }
      checkExists(path, action)
    case .stopNotify(let path):
      checkExists(path, action)
      if books.subscribed == path { books.subscribed = nil }
    case .pair(let path):
      if books.pair != nil { faults.append("a second Pair beside one that is pending") }
      if seen.device?.isConnected != true { faults.append("Pair without a link") }
      if seen.device?.isBonded == true { faults.append("Pair for a strap that is bonded") }
      if !machine.isWanted { faults.append("Pair for nobody") }
      checkExists(path, action)
      books.pair = path
      books.lastPair = books.last
    case .cancelPairing(let path):
      if books.pair != path { faults.append("a Pair is cancelled that is not pending") }
      books.pair = nil
      // Its answer is dropped from here on, as the roster does.
      if dropsLateAnswers { books.lastPair = -1 }
    case .readTree: break
    }
  }

  /// Of the services, those count that the strap has below this object, whether or not they are known yet.
  private mutating func checkExists(_ path: ObjectPath, _ action: LinkAction) {
    let devices = told.compactMap(\.world.device?.path)
    guard devices.contains(where: { path == $0 || path.isBelow($0) }) else {
      faults.append("\(action) names nothing in the tree")
      return
    }
  }

  /// Whoever forgot the device, or died, has forgotten the calls as well; and whoever shows a bond has paired.
  mutating func noteVoid() {
    if seen.device?.isBonded == true { books.pair = nil }
    guard seen.host == .bluetoothdAbsent || seen.device == nil else { return }
    books.connect = nil
    books.subscribed = nil
    books.pair = nil
  }

  mutating func noteRefusal(_ path: ObjectPath, _ error: BlueZError) {
    guard path == books.subscribed else { return }
    switch error {
    case .inProgress, .alreadyNotifying: break
    case .bluetoothdAbsent, .accessDenied, .objectGone, .notReady, .cancelled, .radioAborted, .linkFailed, .keyMissing,
      .wrongBearer, .alreadyConnected, .notConnected, .notPaired, .notifyAcquired, .pairingFailed, .alreadyPaired,
      .notSupported,
      .timedOut, .other:
      books.subscribed = nil
    }
  }

  // MARK: Payloads

  func payloadIsOurs(_ path: ObjectPath) -> Bool {
    guard machine.isWanted, let device = seen.device else { return false }
    return device.isConnected && device.measurement == path && books.subscribed == path
  }

  mutating func checkPayload(isAccepted: Bool, isOurs: Bool, in status: LinkStatus) {
    if isAccepted != isOurs {
      faults.append("a payload of \(isOurs ? "ours refused" : "others accepted") in \(status)")
    }
    if isAccepted, [.resolving, .subscribing, .streaming, .backingOff].contains(status), machine.status != .streaming {
      faults.append("a payload in \(status), and it does not stream")
    }
  }

  // MARK: States

  /// After each input.
  mutating func check() {
    if books.pair != nil, !machine.pairing.isAsked { faults.append("a Pair was given up and not cancelled") }
    if machine.pairing.isAsked, ![.pairing, .streaming].contains(machine.status) {
      faults.append("\(machine.status), and Pair is pending")
    }
    let longest = machine.status == .pairing ? LinkMachine.pairLimit : .seconds(30)
    if let deadline = machine.deadline, deadline - now.tick > longest {
      faults.append("\(machine.status) for \(deadline - now.tick)")
    }
    checkGivenUp()
    let device = seen.device
    switch machine.status {
    case .standing:
      if machine.isWanted { faults.append("standing, though it is wanted") }
      if books.subscribed != nil { faults.append("a subscription was left behind") }
    case .waitingForBluetoothd, .waitingForAdapter:
      if seen.host == .ready { faults.append("waiting for what is there") }
    case .searching: if device != nil { faults.append("searching for what is known") }
    case .releasing:
      if machine.isWanted { faults.append("releasing, though it is wanted") }
      if machine.deadline == nil { faults.append("releasing without a deadline") }
    case .connecting, .resolving, .pairing, .subscribing, .streaming, .backingOff:
      if !machine.isWanted { faults.append("\(machine.status) for nobody") }
      if seen.host != .ready { faults.append("\(machine.status) without a host") }
      if machine.deadline == nil { faults.append("\(machine.status) without a deadline") }
    }
    if machine.status == .streaming || machine.status == .subscribing {
      if device?.isConnected != true { faults.append("\(machine.status) without a link") }
      if books.subscribed != device?.measurement { faults.append("\(machine.status), and not subscribed") }
    }
  }

  /// A Connect that is pending, and that nobody waits for, must have been cancelled. Where the link came up before its
  /// answer, the answer comes when bluetoothd likes; and an adapter that is off can do nothing.
  private mutating func checkGivenUp() {
    guard books.connect != nil, !books.isCancelled, !books.isMisled, seen.host == .ready,
      seen.device?.isConnected == false
    else { return }
    switch machine.status {
    case .connecting: break
    case .standing, .waitingForBluetoothd, .waitingForAdapter, .searching, .resolving, .pairing, .subscribing,
      .streaming,
      .backingOff, .releasing:
      faults.append("\(machine.status), and a Connect was given up and not cancelled")
    }
  }

  /// Nobody wants it, and everything has been done and told.
  ///
  /// - Parameter isTheirs: others were shown to listen when it was released: the link was left to them then.
  mutating func checkRest(isTheirs: Bool) {
    if !machine.isAtRest { faults.append("\(machine.status), and nobody has wanted it for long") }
    if machine.wantsDiscovery { faults.append("scans for nobody") }
    if machine.deadline != nil { faults.append("woken for nobody") }
    if !books.isMisled { world.checkLeft(isTheirs: isTheirs, &faults) }
  }
}

extension RandomWorld {
  mutating func lendToOthers() {
    side = sides.firstIndex { $0.isConnected } ?? 0
    othersNotify = true
    show()
  }

  /// What a client that rests must not have left, by whichever adapter.
  func checkLeft(isTheirs: Bool, _ faults: inout [String]) {
    for side in sides {
      if side.pendingPair != nil { faults.append("a Pair was left behind") }
      if side.pendingConnect != nil, !side.isConnected { faults.append("a Connect was left behind") }
      if side.weNotify { faults.append("notifications were left on") }
      let isUsedByOthers = side.othersNotify || side.othersHaveAcquired
      if side.isConnected, side.linkIsOurs, !isUsedByOthers, !isTheirs { faults.append("a link of ours was left up") }
    }
  }
}

extension LinkAction {
  /// The object that it is about.
  var path: ObjectPath? {
    switch self {
    case .connect(let path), .disconnect(let path), .startNotify(let path), .stopNotify(let path), .pair(let path),
      .cancelPairing(let path), .readDescriptor(let path):
      path
    case .readTree: nil
    }
  }
}

extension BlueZError {
  /// The case's name.
  var kind: String {
    switch self {
    case .linkFailed: "linkFailed"
    case .pairingFailed: "pairingFailed"
    case .other: "other"
    case .bluetoothdAbsent, .accessDenied, .objectGone, .notReady, .inProgress, .cancelled, .radioAborted, .keyMissing,
      .wrongBearer, .alreadyConnected, .alreadyNotifying, .notConnected, .notPaired, .notifyAcquired, .alreadyPaired,
      .notSupported,
      .timedOut:
      "\(self)"
    }
  }
}
