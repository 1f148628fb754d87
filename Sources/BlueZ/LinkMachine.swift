import Bus
import Measurements

/// The link to one strap: from not wanted to streaming, and back to streaming whatever happens in between.
///
/// It looks at the world as it is now, and not at single signals, so that several changes in one signal, signals in
/// another order and links found half-way are all the same to it.
public struct LinkMachine: Equatable, Sendable {
  public let strap: StrapAddress
  public private(set) var isWanted = false
  /// What went wrong last, until measurements flow again.
  public private(set) var trouble: LinkTrouble?
  /// Connections that were lost or given up since the strap was wanted.
  public private(set) var reconnects = 0
  private var state = State.standing
  private var backOff: BackOff
  /// The object whose Connect is with bluetoothd and unanswered; a second one must not be made.
  private var pendingConnect: ObjectPath?
  /// The characteristic that we have switched notifications on for. It survives the loss of the link: bluetoothd
  /// renews the subscription of a living client by itself, and values may come before the services are resolved.
  private var subscribed: ObjectPath?
  /// Whether bluetoothd has answered StartNotify: while a strap wants a bond and has none, it does not.
  private var isSubscriptionAnswered = false
  /// Some controllers connect only while they scan, others only while they do not: after a failure it is the other way.
  private var scansWhileConnecting = false

  private enum State: Equatable, Sendable {
    /// Not wanted. Leaves to: waiting, absent, connecting, cancelling, resolving.
    case standing
    /// The host cannot use Bluetooth now. Leaves to: absent, connecting, cancelling, resolving, standing.
    case waiting(LinkWorld.Host)
    /// bluetoothd does not know the strap; the roster scans. After `noted` the person is told that it does not
    /// advertise. Leaves to: connecting, resolving, waiting, standing.
    case absent(noted: Tick?)
    /// Connect is sent. Leaves to: resolving, cancelling, backingOff, absent, waiting, standing.
    case connecting(until: Tick)
    /// Disconnect is sent, to be done with a Connect or a link that leads nowhere. bluetoothd answers it before the
    /// tree shows the link's end, so it is left only when both are done. Leaves to: backingOff, where a wait of zero
    /// leads, waiting, releasing, standing.
    case cancelling(ObjectPath, until: Tick)
    /// Connected, the services are being read. `isSeen`: the tree has shown the connection, so that its absence
    /// there means a loss. Leaves to: subscribing, streaming, cancelling, backingOff, waiting, releasing, standing.
    case resolving(isSeen: Bool, until: Tick)
    /// StartNotify is sent; only a payload shows that it worked. Leaves to: streaming, resolving, cancelling,
    /// backingOff, waiting, releasing.
    case subscribing(ObjectPath, isSecondTry: Bool, until: Tick)
    /// Measurements flow. `check` is when to look at their age again. Leaves to: cancelling, backingOff, connecting,
    /// resolving, absent, waiting, releasing.
    case streaming(ObjectPath, last: Tick, check: Tick)
    /// Leaves to: connecting, resolving, streaming, absent, cancelling, waiting, releasing, standing.
    case backingOff(until: Tick)
    /// No longer wanted: notifications are switched off, the link follows unless somebody else uses it.
    /// Leaves to: standing, and to where a wanted strap goes.
    case releasing(ObjectPath, until: Tick)
  }

  /// - Parameter seed: random octets for the jitter of the waits, which only shortens them.
  public init(strap: StrapAddress, seed: UInt64) {
    self.strap = strap
    backOff = BackOff(seed: seed)
  }

  /// How long a strap may not be heard before the person is told.
  static let advertisingLimit = Duration.seconds(10)
  /// How long bluetoothd may take to connect.
  static let connectLimit = Duration.seconds(30)
  /// How long the services may take.
  static let resolveLimit = Duration.seconds(30)
  static let lateObjectLimit = Duration.seconds(2)
  /// How long the first payload may take after StartNotify, since success of that is not a subscription.
  static let firstPayloadLimit = Duration.seconds(10)
  /// How old the last payload may be before the link is made anew, whatever `Connected` says.
  static let silenceLimit = Duration.seconds(15)
  static let cancelLimit = Duration.seconds(10)
  /// How long to wait for `Notifying` to fall, which shows that no other client uses the strap.
  static let releaseLimit = Duration.seconds(2)
}

// MARK: - What it shows

extension LinkMachine {
  public var status: LinkStatus {
    switch state {
    case .standing: .standing
    case .waiting(.bluetoothdAbsent), .waiting(.refused): .waitingForBluetoothd
    case .waiting(.noAdapter), .waiting(.adapterOff), .waiting(.adapterBlocked), .waiting(.ready): .waitingForAdapter
    case .absent: .searching
    case .connecting, .cancelling: .connecting
    case .resolving: .resolving
    case .subscribing: .subscribing
    case .streaming: .streaming
    case .backingOff: .backingOff
    case .releasing: .releasing
    }
  }

  /// When it is to be woken by `deadlinePassed`, if nothing happens before.
  public var deadline: Tick? {
    switch state {
    case .standing, .waiting: nil
    case .absent(let noted): noted
    case .connecting(let until), .cancelling(_, let until), .resolving(_, let until), .subscribing(_, _, let until),
      .streaming(_, _, let until), .backingOff(let until), .releasing(_, let until):
      until
    }
  }

  /// Whether the roster should scan: to find the strap, or to keep bluetoothd from forgetting it during a wait.
  public var wantsDiscovery: Bool {
    switch state {
    case .absent, .backingOff: true
    case .connecting: scansWhileConnecting
    case .standing, .waiting, .cancelling, .resolving, .subscribing, .streaming, .releasing: false
    }
  }

  /// Whether nothing is left to be undone.
  public var isAtRest: Bool {
    state == .standing
  }
}

// MARK: - What happens to it

extension LinkMachine {
  /// Somebody wants the strap's measurements, or nobody does any more.
  public mutating func want(_ wanted: Bool, _ world: LinkWorld, at now: Moment) -> [LinkAction] {
    guard wanted != isWanted else { return [] }
    isWanted = wanted
    if wanted {
      backOff.reset()
      reconnects = 0
      trouble = nil
      return isAtRest ? begin(world, now) : worldChanged(world, at: now)
    }
    return release(world, now)
  }

  /// Looks at the world again after anything in it may have changed.
  public mutating func worldChanged(_ world: LinkWorld, at now: Moment) -> [LinkAction] {
    if world.host == .bluetoothdAbsent || world.device == nil {
      // Whoever forgot the device, or died, has forgotten our calls and subscriptions as well.
      subscribed = nil
      pendingConnect = nil
    }
    guard isWanted else { return releaseGoesOn(world, now) }
    guard world.host == .ready else {
      state = .waiting(world.host)
      return []
    }
    switch state {
    case .standing, .waiting: return begin(world, now)
    case .absent: return world.device == nil ? [] : begin(world, now)
    case .connecting:
      guard let device = world.device else { return begin(world, now) }
      return device.isConnected ? begin(world, now) : []
    case .cancelling:
      guard let device = world.device else { return waitAndTryAgain(world, now) }
      return device.isConnected || pendingConnect != nil ? [] : waitAndTryAgain(world, now)
    case .resolving(let isSeen, let until):
      guard let device = world.device else { return lost(world, now) }
      guard device.isConnected else { return isSeen ? lost(world, now) : [] }
      state = .resolving(isSeen: true, until: until)
      guard device.isResolved else { return [] }
      guard let measurement = device.measurement else {
        // Its object may be announced a little later than that everything is.
        state = .resolving(isSeen: true, until: min(until, now.tick + Self.lateObjectLimit))
        return []
      }
      return subscribe(measurement, now)
    case .subscribing(let characteristic, _, _), .streaming(let characteristic, _, _):
      guard let device = world.device, device.isConnected else { return lost(world, now) }
      guard let measurement = device.measurement, measurement == characteristic else {
        state = .resolving(isSeen: true, until: now.tick + Self.resolveLimit)
        return worldChanged(world, at: now)
      }
      return []
    case .backingOff:
      guard let device = world.device else { return [] }
      if !device.isConnected, let pendingConnect { return giveUp(pendingConnect, trouble ?? .linkLost, now) }
      // It was away, and is heard again: there is nothing to wait for.
      let isBack = device.isHeard && (trouble == .linkLost || trouble == .silentWhileConnecting)
      return device.isConnected || isBack ? begin(world, now) : []
    case .releasing: return begin(world, now)
    }
  }

  /// A measurement was signalled.
  ///
  /// - Returns: whether it is of our living subscription; others are old or not ours, and are dropped.
  public mutating func payloadArrived(_ characteristic: ObjectPath, _ world: LinkWorld, at now: Moment) -> Bool {
    guard isWanted, let device = world.device, device.isConnected, characteristic == device.measurement,
      characteristic == subscribed
    else { return false }
    switch state {
    case .resolving, .subscribing, .backingOff:
      trouble = nil
      backOff.reset()
      state = .streaming(characteristic, last: now.tick, check: now.tick + Self.silenceLimit)
    case .streaming(let path, _, let check):
      state = .streaming(path, last: now.tick, check: check)
    case .standing, .waiting, .absent, .connecting, .cancelling, .releasing: break
    }
    return true
  }

  /// Connect was answered: the one that was sent last. An answer to an earlier one would be taken for its own.
  public mutating func connectAnswered(_ error: BlueZError?, _ world: LinkWorld, at now: Moment) -> [LinkAction] {
    pendingConnect = nil
    switch state {
    case .connecting: break
    // The answer to Disconnect follows in .cancelling.
    case .standing, .waiting, .absent, .cancelling, .resolving, .subscribing, .streaming, .backingOff, .releasing:
      return []
    }
    guard let error, error != .alreadyConnected else {
      state = .resolving(isSeen: false, until: now.tick + Self.resolveLimit)
      return worldChanged(world, at: now)
    }
    trouble = .connectFailed(error)
    scansWhileConnecting.toggle()
    switch error {
    case .inProgress:
      guard let device = world.device else { return lost(world, now) }
      return giveUp(device.path, .connectFailed(error), now)
    case .objectGone: return [.readTree] + waitAndTryAgain(world, now)
    case .bluetoothdAbsent, .accessDenied, .notReady, .cancelled, .radioAborted, .linkFailed, .keyMissing, .wrongBearer,
      .alreadyConnected, .alreadyNotifying, .notConnected, .notPaired, .notifyAcquired, .pairingFailed, .notSupported,
      .timedOut, .other:
      return waitAndTryAgain(world, now)
    }
  }

  /// Disconnect was answered; with whatever, a Connect that it was to end is over. A link is over when the tree says so.
  public mutating func disconnectAnswered(_ world: LinkWorld, at now: Moment) -> [LinkAction] {
    switch state {
    case .cancelling:
      pendingConnect = nil
      return worldChanged(world, at: now)
    case .standing, .waiting, .absent, .connecting, .resolving, .subscribing, .streaming, .backingOff, .releasing:
      // A late answer: the link had gone before it came. A Connect that is pending now is a newer one.
      return []
    }
  }

  /// StartNotify was answered: the one that was sent last. A success says little, since bluetoothd may subscribe later.
  public mutating func notifyAnswered(
    _ characteristic: ObjectPath, _ error: BlueZError?, _ world: LinkWorld, at now: Moment
  ) -> [LinkAction] {
    guard characteristic == subscribed else { return [] }
    guard let error, error != .alreadyNotifying else {
      isSubscriptionAnswered = true
      return []
    }
    switch error {
    case .inProgress, .alreadyNotifying: return []  // the deadline decides whether it has come to anything
    case .notConnected, .bluetoothdAbsent, .accessDenied, .objectGone, .notReady, .cancelled, .radioAborted,
      .linkFailed, .keyMissing, .wrongBearer, .notPaired, .notifyAcquired, .pairingFailed, .notSupported, .timedOut,
      .alreadyConnected, .other:
      subscribed = nil
    }
    // Measurements that another client's subscription brings are no proof of ours.
    guard status == .subscribing || status == .streaming else { return [] }
    guard error != .notifyAcquired else {
      // Whoever has them uses the link: it is left alone, and asked again.
      trouble = .subscribeFailed(error)
      return waitAndTryAgain(world, now)
    }
    guard let device = world.device else { return lost(world, now) }
    return giveUp(device.path, .subscribeFailed(error), now)
  }

  /// The deadline may have passed; one that has moved on meanwhile is no matter.
  public mutating func deadlinePassed(_ world: LinkWorld, at now: Moment) -> [LinkAction] {
    guard let deadline, deadline <= now.tick else { return [] }
    switch state {
    case .standing, .waiting: return []
    case .absent:
      state = .absent(noted: nil)
      trouble = .notAdvertising
      return []
    case .connecting:
      guard let device = world.device else { return begin(world, now) }
      scansWhileConnecting.toggle()
      return giveUp(pendingConnect ?? device.path, .silentWhileConnecting, now)
    case .cancelling: return waitAndTryAgain(world, now)
    case .resolving:
      guard let device = world.device else { return lost(world, now) }
      return giveUp(device.path, device.isResolved ? .noHeartRate : .neverResolved, now)
    case .subscribing(let characteristic, isSecondTry: false, _):
      state = .subscribing(characteristic, isSecondTry: true, until: now.tick + Self.firstPayloadLimit)
      return [.stopNotify(characteristic), .startNotify(characteristic)]
    case .subscribing(_, isSecondTry: true, _):
      guard let device = world.device else { return lost(world, now) }
      return giveUp(device.path, isSubscriptionAnswered ? .silentAfterSubscribing : .neverSubscribed, now)
    case .streaming(let characteristic, let last, _):
      let due = last + Self.silenceLimit
      guard due <= now.tick, let device = world.device else {
        // The check is not moved with each payload, which would set a timer anew for each beat.
        state = .streaming(characteristic, last: last, check: max(due, now.tick + .milliseconds(1)))
        return []
      }
      return giveUp(device.path, .wentSilent, now)
    case .backingOff: return begin(world, now)
    case .releasing(let device, _):
      // Still notifying although ours is switched off: another client uses the strap, the link is not ours to end.
      state = .standing
      return world.device?.isNotifying == true ? [] : [.disconnect(device)]
    }
  }
}

// MARK: - Where it goes

extension LinkMachine {
  /// Goes to where the world stands now.
  private mutating func begin(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    guard world.host == .ready else {
      state = .waiting(world.host)
      return []
    }
    guard let device = world.device else {
      state = .absent(noted: now.tick + Self.advertisingLimit)
      return []
    }
    if device.isConnected {
      state = .resolving(isSeen: true, until: now.tick + Self.resolveLimit)
      return worldChanged(world, at: now)
    }
    if let pendingConnect {
      state = .cancelling(pendingConnect, until: now.tick + Self.cancelLimit)
      return [.disconnect(pendingConnect)]
    }
    pendingConnect = device.path
    state = .connecting(until: now.tick + Self.connectLimit)
    return [.connect(device.path)]
  }

  private mutating func subscribe(_ characteristic: ObjectPath, _ now: Moment) -> [LinkAction] {
    subscribed = characteristic
    isSubscriptionAnswered = false
    state = .subscribing(characteristic, isSecondTry: false, until: now.tick + Self.firstPayloadLimit)
    return [.startNotify(characteristic)]
  }

  private mutating func lost(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    // The link came and went before Connect was answered: bluetoothd may still be at it.
    if let pendingConnect, world.device != nil { return giveUp(pendingConnect, .linkLost, now) }
    if case .streaming = state { reconnects += 1 }
    trouble = .linkLost
    return waitAndTryAgain(world, now)
  }

  private mutating func giveUp(_ device: ObjectPath, _ why: LinkTrouble, _ now: Moment) -> [LinkAction] {
    if case .streaming = state { reconnects += 1 }
    trouble = why
    state = .cancelling(device, until: now.tick + Self.cancelLimit)
    return [.disconnect(device)]
  }

  private mutating func waitAndTryAgain(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    let wait = backOff.next()
    guard wait > .zero else { return begin(world, now) }
    state = .backingOff(until: now.tick + wait)
    return []
  }

  private mutating func release(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    // A subscription outlives its link: left standing, bluetoothd would renew it whoever connects the strap.
    let stop = subscribed.map { [LinkAction.stopNotify($0)] } ?? []
    subscribed = nil
    guard let device = world.device else {
      state = .standing
      return []
    }
    if device.isConnected, !stop.isEmpty {
      state = .releasing(device.path, until: now.tick + Self.releaseLimit)
      return stop
    }
    // Connect was answered, and the tree is still to show the link.
    let isComing = if case .resolving(isSeen: false, _) = state { true } else { false }
    state = .standing
    // A link that others listen on is theirs.
    if device.isConnected { return device.isNotifying ? [] : [.disconnect(device.path)] }
    return stop + ((pendingConnect ?? (isComing ? device.path : nil)).map { [.disconnect($0)] } ?? [])
  }

  private mutating func releaseGoesOn(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    let isReleasing = if case .releasing = state { true } else { false }
    guard let device = world.device, device.isConnected else {
      if isReleasing { state = .standing }
      // Released on a link that stood, and that a slow bluetoothd ended before it took our Connect.
      return world.device == nil ? [] : pendingConnect.map { [.disconnect($0)] } ?? []
    }
    guard isReleasing, !device.isNotifying else { return [] }
    state = .standing
    return [.disconnect(device.path)]
  }
}
