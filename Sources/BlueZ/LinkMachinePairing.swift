import Bus
import Measurements

/// How far the pairing of a strap has come.
public enum LinkPairing: Equatable, Sendable {
  /// Nobody wants it.
  case none
  /// It is paired as soon as its link stands.
  case wanted
  /// Its link stands, and is given a little time: of one that has just been made Linux (6.1) says at once that it is
  /// paired, and begins only then, when bluetoothd asks no agent any more.
  case settling(until: Tick)
  /// Pair is with bluetoothd, and given up then.
  case asked(ObjectPath, until: Tick)
  /// bluetoothd says that it has paired, and shows no bond. Asked again at `again`, which is answered when what goes on
  /// has ended.
  case unproven(ObjectPath, again: Tick, until: Tick)
  /// It is bonded.
  case done
  case failed(BlueZError)

  /// Whether bluetoothd is at it.
  public var isAsked: Bool {
    switch self {
    case .asked, .unproven: true
    case .none, .wanted, .settling, .done, .failed: false
    }
  }

  /// Whether a pairing is to come of it.
  public var isUnderWay: Bool {
    switch self {
    case .wanted, .settling, .asked, .unproven: true
    case .none, .done, .failed: false
    }
  }

  /// Whether an agent is to be registered. Not before the link stands: bluetoothd (5.66) makes no bonds with an agent
  /// that is registered in the moment in which another one goes.
  public var needsAgent: Bool {
    switch self {
    case .settling, .asked, .unproven: true
    case .none, .wanted, .done, .failed: false
    }
  }

  /// When the link machine is to look at it again.
  var deadline: Tick? {
    switch self {
    case .settling(let until), .asked(_, let until), .unproven(_, let until, _): until
    case .none, .wanted, .done, .failed: nil
    }
  }

  /// What was asked of bluetoothd came to this; what is only wanted is wanted still.
  mutating func end(_ outcome: LinkPairing) {
    if isAsked { self = outcome }
  }
}

// A link machine's pairing. Pair is made on a link that stands: bluetoothd would make one by itself, and its failure would
// say neither whether the strap was there nor whether it refused.
extension LinkMachine {
  /// Somebody asks for the strap to be paired, which is wanted. `pairing` shows what comes of it.
  public mutating func pair(_ world: LinkWorld, at now: Moment) -> [LinkAction] {
    guard isWanted, !pairing.isAsked else { return [] }
    // A person waits for it.
    backOff.reset()
    guard let device = world.device, world.host == .ready else {
      pairing = .wanted
      if case .backingOff = state { return begin(world, now) }
      return []
    }
    guard !device.isBonded else {
      pairing = .done
      return []
    }
    pairing = .wanted
    switch state {
    case .subscribing where subscriptionAnswer != .taken:
      // If it wants a bond, bluetoothd waits for the link to be encrypted, and would not pair it meanwhile: on a new link.
      return giveUp(device.path, nil, now)
    case .resolving(isSeen: true, _), .subscribing, .streaming: return pairWhenSettled(device, now)
    case .backingOff: return begin(world, now)
    case .standing, .waiting, .absent, .connecting, .cancelling, .resolving(isSeen: false, _), .releasing: return []
    }
  }

  /// Whoever asked for it does so no more.
  public mutating func abandonPairing(_ world: LinkWorld, at now: Moment) -> [LinkAction] {
    let wasAsked = pairing.isAsked
    let cancel = cancelPairing(.cancelled)
    pairing = .none
    guard wasAsked, case .resolving = state, let device = world.device else { return cancel }
    return cancel + giveUp(device.path, nil, now)
  }

  /// Pair was answered: the one that was sent last.
  public mutating func pairAnswered(_ error: BlueZError?, _ world: LinkWorld, at now: Moment) -> [LinkAction] {
    guard case .asked(let path, let until) = pairing else { return [] }
    pairing = .unproven(path, again: min(until, now.tick + Self.bondLimit), until: until)
    guard let error else { return worldChanged(world, at: now) }
    if error == .alreadyPaired {
      if world.device?.isBonded == true { return worldChanged(world, at: now) }
      // It pairs for this link alone, and has made no bond. Without the link that is forgotten.
      pairing = .wanted
      return giveUp(path, .pairFailed(error), now)
    }
    pairing = .failed(error)
    guard case .resolving = state else { return [] }
    // After a failed Pair bluetoothd (5.82) keeps the link and never resolves its services.
    guard let device = world.device else { return lost(world, now) }
    return giveUp(device.path, .pairFailed(error), now)
  }

  /// bluetoothd shows the bond. Its answer to Pair says no more, and where it was reading the services meanwhile, it
  /// (5.66) never gives one.
  mutating func bondIsShown(_ now: Moment) {
    if pairing.isUnderWay, trouble?.isOfTheBond == true { trouble = nil }
    switch pairing {
    case .wanted, .settling: pairing = .done
    case .asked, .unproven:
      pairing = .done
      if case .resolving(let isSeen, _) = state {
        state = .resolving(isSeen: isSeen, until: now.tick + Self.resolveLimit)
        doubt(after: Self.resolveDoubt, now)
      }
    case .none, .done, .failed: break
    }
  }

  /// Sends Pair as soon as the link is old enough.
  mutating func pairWhenSettled(_ device: LinkWorld.Device, _ now: Moment) -> [LinkAction] {
    if device.isResolved { return pair(device, now) }
    if pairing == .wanted { pairing = .settling(until: now.tick + Self.settleLimit) }
    return []
  }

  /// Sends Pair. A strap that streams goes on streaming meanwhile; with all others everything else waits for it.
  mutating func pair(_ device: LinkWorld.Device, _ now: Moment) -> [LinkAction] {
    let limit = now.tick + Self.pairLimit
    pairing = .asked(device.path, until: limit)
    if case .streaming = state, subscribed != nil { return [.pair(device.path)] }
    state = .resolving(isSeen: true, until: limit)
    return [.pair(device.path)]
  }

  /// Whether a strap that has shown to want a bond is paired without being asked: on each link, which the back-off keeps
  /// apart, since it may take the pairing the next time.
  mutating func pairsNow(_ device: LinkWorld.Device) -> Bool {
    guard pairsWhenNeeded, !device.isBonded else { return false }
    pairing = .wanted
    return true
  }

  /// The pairing's own deadline has passed.
  mutating func pairingIsDue(_ device: LinkWorld.Device, _ now: Moment) -> [LinkAction] {
    if case .settling = pairing { return pair(device, now) }
    if case .unproven(_, _, let until) = pairing, now.tick < until {
      pairing = .asked(device.path, until: until)
      return [.pair(device.path)]
    }
    let cancel = cancelPairing(.timedOut)
    guard case .resolving = state else { return cancel }
    return cancel + giveUp(device.path, .pairFailed(.timedOut), now)
  }

  mutating func cancelPairing(_ why: BlueZError) -> [LinkAction] {
    if case .settling = pairing { pairing = .wanted }
    defer { pairing.end(.failed(why)) }
    guard case .asked(let device, _) = pairing else { return [] }
    return [.cancelPairing(device)]
  }

  /// A bonded strap that hangs up before it has sent anything cannot encrypt the link: it has lost its keys. One that is
  /// not bonded may want to be.
  mutating func noteEarlyLoss() {
    switch state {
    case .resolving(isSeen: true, _), .subscribing: earlyLosses += 1
    case .standing, .waiting, .absent, .connecting, .cancelling, .resolving(isSeen: false, _), .streaming, .backingOff,
      .releasing:
      break
    }
  }
}
