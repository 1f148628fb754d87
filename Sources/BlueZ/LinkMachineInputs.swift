import Bus
import Measurements

// What happens to a link machine.
extension LinkMachine {
  /// Somebody wants the strap's measurements, or nobody does any more.
  public mutating func want(_ wanted: Bool, _ world: LinkWorld, at now: Moment) -> [LinkAction] {
    guard wanted != isWanted else { return [] }
    isWanted = wanted
    if wanted {
      backOff.reset()
      goesOnAtOnce = false
      reconnects = 0
      // Not the early losses: who takes any strap wants it for one link at a time, and a lost bond is never seen in one.
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
      pairing.end(.failed(world.host == .bluetoothdAbsent ? .bluetoothdAbsent : .objectGone))
    }
    noteOwnLink(world, now)
    let isBonded = world.device?.isBonded == true
    if isBonded { bondIsShown(now) }
    if isBonded != wasBonded { (wasBonded, earlyLosses) = (isBonded, 0) }
    guard isWanted else { return releaseGoesOn(world, now) }
    guard world.host == .ready else { return wait(for: world.host) }
    switch state {
    case .standing, .waiting: return begin(world, now)
    case .absent: return world.device == nil ? [] : begin(world, now)
    case .connecting(let until, let isLenient):
      guard let device = world.device, !device.isConnected else { return begin(world, now) }
      if device.isHeard, !isLenient, until < now.tick + Self.heardLimit {
        state = .connecting(until: now.tick + Self.heardLimit, isLenient: true)
      }
      return []
    case .cancelling:
      guard let device = world.device else { return waitAndTryAgain(world, now) }
      return device.isConnected || pendingConnect != nil ? [] : waitAndTryAgain(world, now)
    case .resolving(let isSeen, let until):
      guard let device = world.device else { return lost(world, now) }
      guard device.isConnected else { return isSeen ? lost(world, now) : [] }
      state = .resolving(isSeen: true, until: until)
      guard !pairing.isAsked else { return [] }
      let isWantedNow = pairing.isUnderWay || earlyLosses >= Self.suspiciousEarlyLosses && pairsNow(device)
      guard !isWantedNow else { return pairWhenSettled(device, now) }
      guard device.isResolved else { return [] }
      guard let measurement = device.measurement else {
        // Its object may be announced a little later than that everything is.
        state = .resolving(isSeen: true, until: min(until, now.tick + Self.lateObjectLimit))
        return []
      }
      return subscribe(measurement, of: device, now)
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

  /// The strap is to be reached by another adapter from now on; only where it `mayTurn`. What was begun by the old one is
  /// undone.
  ///
  /// - Parameter old: the world as it was last seen by that one.
  public mutating func turned(from old: LinkWorld, to world: LinkWorld, at now: Moment) -> [LinkAction] {
    var undo = subscribed.map { [LinkAction.stopNotify($0)] } ?? []
    // An adapter that went off may show the link for a while yet, and have it still when it comes on again.
    let link = old.device.flatMap { $0.isConnected ? $0.path : nil }
    // One that is not wanted has been put down, or left to others.
    let isTheirs = link != nil && !isWanted
    if !isTheirs, let path = pendingConnect ?? link { undo.append(.disconnect(path)) }
    (subscribed, pendingConnect, earlyLosses) = (nil, nil, 0)
    if ownLink == .ours { ownLink = .none }
    return undo + worldChanged(world, at: now)
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
      (earlyLosses, isSubscriptionInVain) = (0, false)
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
      .alreadyConnected, .alreadyNotifying, .notConnected, .notPaired, .notifyAcquired, .pairingFailed, .alreadyPaired,
      .notSupported,
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
      if subscriptionAnswer == .none { doubt(after: Self.payloadDoubt, now) }
      subscriptionAnswer = error == nil ? .taken : .renewed
      if error != nil, case .subscribing(characteristic, let isSecondTry, let until) = state {
        // Only a subscription of this link's own can show why nothing comes.
        let limit = min(until, now.tick + Self.payloadDoubt)
        state = .subscribing(characteristic, isSecondTry: isSecondTry, until: limit)
      }
      return []
    }
    switch error {
    case .inProgress, .alreadyNotifying: return []  // the deadline decides whether it has come to anything
    case .notConnected, .bluetoothdAbsent, .accessDenied, .objectGone, .notReady, .cancelled, .radioAborted,
      .linkFailed, .keyMissing, .wrongBearer, .notPaired, .notifyAcquired, .pairingFailed, .alreadyPaired,
      .notSupported, .timedOut,
      .alreadyConnected, .other:
      subscribed = nil
    }
    // Measurements that another client's subscription brings are no proof of ours.
    guard status == .subscribing || status == .streaming else { return [] }
    if pairing.isAsked {
      // What comes next is the answer to Pair.
      state = .resolving(isSeen: true, until: now.tick + Self.pairLimit)
      return []
    }
    guard error != .notifyAcquired else {
      // Whoever has them uses the link: it is left alone, and asked again.
      trouble = .subscribeFailed(error)
      return waitAndTryAgain(world, now)
    }
    guard let device = world.device else { return lost(world, now) }
    if error == .notPaired, device.isConnected, pairsNow(device) { return pair(device, now) }
    noteRefusedSubscription()
    return giveUp(device.path, .subscribeFailed(error), now)
  }

  /// The deadline may have passed; one that has moved on meanwhile is no matter.
  public mutating func deadlinePassed(_ world: LinkWorld, at now: Moment) -> [LinkAction] {
    if let doubt = doubtDeadline, doubt <= now.tick { isDoubtful = true }
    if let limit = pairing.deadline, limit <= now.tick, let device = world.device {
      return pairingIsDue(device, now)
    }
    guard let deadline = stateDeadline, deadline <= now.tick else { return [] }
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
      if subscriptionAnswer == .renewed, let device = world.device {
        // Not stopped and started on this link: if bluetoothd (5.66) is still trying, it may crash.
        return giveUp(device.path, .silentAfterSubscribing, now)
      }
      if subscriptionAnswer == .none, let device = world.device, pairsNow(device) {
        // bluetoothd waits for the strap to encrypt the link, and would not pair it meanwhile: on a new link.
        goesOnAtOnce = true
        return giveUp(device.path, nil, now)
      }
      state = .subscribing(characteristic, isSecondTry: true, until: now.tick + Self.firstPayloadLimit)
      return subscriptionAnswer == .none ? [] : [.stopNotify(characteristic), .startNotify(characteristic)]
    case .subscribing(_, isSecondTry: true, _):
      guard let device = world.device else { return lost(world, now) }
      return giveUp(device.path, subscriptionAnswer == .none ? .neverSubscribed : .silentAfterSubscribing, now)
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
      if subscribed != nil { return standDown() }
      // Still notifying although ours is switched off: another client uses the strap, the link is not ours to end.
      state = .standing
      guard world.device?.isNotifying == true else { return [.disconnect(device)] }
      ownLink = .none
      return []
    }
  }
}
