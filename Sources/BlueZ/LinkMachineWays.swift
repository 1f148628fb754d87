import Bus
import Measurements

// Where a link machine goes.
extension LinkMachine {
  /// Goes to where the world stands now.
  mutating func begin(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    guard world.host == .ready else { return wait(for: world.host) }
    guard let device = world.device else {
      state = .absent(noted: now.tick + Self.advertisingLimit)
      return []
    }
    if device.isConnected {
      state = .resolving(isSeen: true, until: now.tick + Self.resolveLimit)
      doubt(after: Self.resolveDoubt, now)
      return worldChanged(world, at: now)
    }
    if let pendingConnect {
      state = .cancelling(pendingConnect, until: now.tick + Self.cancelLimit)
      return [.disconnect(pendingConnect)]
    }
    // bluetoothd would renew a subscription, and begin to pair by itself.
    let stop = pairing == .wanted || isSubscriptionInVain ? unsubscribe() : []
    isSubscriptionInVain = false
    (pendingConnect, ownLink) = (device.path, .ours)
    state = .connecting(until: now.tick + Self.connectLimit, isLenient: false)
    doubt(after: Self.connectDoubt, now)
    return stop + [.connect(device.path)]
  }

  mutating func wait(for host: LinkWorld.Host) -> [LinkAction] {
    state = .waiting(host)
    // It was the host that ended the link, and not the air.
    if trouble == .linkLost { trouble = nil }
    return cancelPairing(.notReady)
  }

  mutating func subscribe(_ characteristic: ObjectPath, of device: LinkWorld.Device, _ now: Moment) -> [LinkAction] {
    // The measurement has moved: where it was, bluetoothd may yet take a StartNotify of ours, if it moves back meanwhile.
    let stop = subscribed != characteristic ? unsubscribe() : []
    subscribed = characteristic
    subscriptionAnswer = .none
    configuration = device.configuration
    state = .subscribing(characteristic, isSecondTry: false, until: now.tick + Self.firstPayloadLimit)
    doubt(after: Self.subscribeDoubt, now)
    // bluetoothd sends a strap one request after the other: the answer to the reading comes before the writing.
    let read = readsDescriptorFirst ? configuration.map { [LinkAction.readDescriptor($0)] } ?? [] : []
    return stop + read + [.startNotify(characteristic)]
  }

  mutating func doubt(after limit: Duration, _ now: Moment) {
    (doubt, isDoubtful) = (now.tick + limit, false)
  }

  /// A try to subscribe, or bluetoothd's own to renew the subscription, may have ended in a disconnect: the next one is
  /// made in the way that every strap takes.
  mutating func noteRefusedSubscription() {
    guard configuration != nil else { return }
    switch state {
    case .subscribing: readsDescriptorFirst = true
    case .resolving: if subscribed != nil { readsDescriptorFirst = true }
    case .standing, .waiting, .absent, .connecting, .cancelling, .streaming, .backingOff, .releasing: break
    }
  }

  /// Left on, notifications would be switched on by bluetoothd itself as soon as the link stands again, and before
  /// anything can be read.
  private mutating func unsubscribeBeforeReading(_ device: ObjectPath?) -> [LinkAction] {
    guard readsDescriptorFirst, configuration != nil, let device, let subscribed, subscribed.isBelow(device) else {
      return []
    }
    self.subscribed = nil
    return [.stopNotify(subscribed)]
  }

  mutating func lost(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    let cancel = cancelPairing(.notConnected)
    noteEarlyLoss()
    noteRefusedSubscription()
    return cancel + unsubscribeBeforeReading(world.device?.path) + tryAgainAfterLoss(world, now)
  }

  private mutating func tryAgainAfterLoss(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    // The link came and went before Connect was answered: bluetoothd may still be at it.
    if let pendingConnect, world.device != nil { return giveUp(pendingConnect, .linkLost, now) }
    if case .streaming = state { reconnects += 1 }
    trouble = troubleOfLoss
    return waitAndTryAgain(world, now)
  }

  private var troubleOfLoss: LinkTrouble {
    guard earlyLosses >= Self.suspiciousEarlyLosses else { return .linkLost }
    if wasBonded { return .bondLost }
    if case .failed(let error) = pairing { return .pairFailed(error) }
    return .endsEarly
  }

  /// - Parameter why: nil where it is for another try, and what was wrong before stays.
  mutating func giveUp(_ device: ObjectPath, _ why: LinkTrouble?, _ now: Moment) -> [LinkAction] {
    if case .streaming = state { reconnects += 1 }
    if case .subscribing = state { isSubscriptionInVain = true }
    trouble = why ?? trouble
    state = .cancelling(device, until: now.tick + Self.cancelLimit)
    return cancelPairing(.cancelled) + unsubscribeBeforeReading(device) + [.disconnect(device)]
  }

  mutating func waitAndTryAgain(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    if goesOnAtOnce {
      goesOnAtOnce = false
      return begin(world, now)
    }
    let wait = backOff.next()
    guard wait > .zero else { return begin(world, now) }
    state = .backingOff(until: now.tick + wait)
    return []
  }

  mutating func release(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    let cancel = cancelPairing(.cancelled)
    pairing = .none
    return cancel + releaseLink(world, now)
  }

  private mutating func unsubscribe() -> [LinkAction] {
    defer { subscribed = nil }
    return subscribed.map { [.stopNotify($0)] } ?? []
  }

  private mutating func releaseLink(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    if case .subscribing = state, subscriptionAnswer == .none, let device = world.device, !device.isNotifying {
      // bluetoothd (5.66) has been seen to crash where StopNotify met a StartNotify that it had not answered: that one
      // ends with the link.
      state = .releasing(device.path, until: now.tick + Self.cancelLimit)
      return [.disconnect(device.path)]
    }
    // A subscription outlives its link: left standing, bluetoothd would renew it whoever connects the strap.
    let stop = unsubscribe()
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
    // The Connect that Disconnect was to end may have succeeded, and nothing may have come of the Disconnect.
    if case .cancelling = state { ownLink = .left(until: now.tick + Self.remnantLimit) }
    state = .standing
    if device.isConnected {
      guard device.isNotifying else { return [.disconnect(device.path)] }
      // A link that others listen on is theirs.
      ownLink = .none
      return []
    }
    return stop + ((pendingConnect ?? (isComing ? device.path : nil)).map { [.disconnect($0)] } ?? [])
  }

  mutating func releaseGoesOn(_ world: LinkWorld, _ now: Moment) -> [LinkAction] {
    let isReleasing = if case .releasing = state { true } else { false }
    guard let device = world.device, device.isConnected else {
      // Released on a link that stood, and that a slow bluetoothd ended before it took our Connect.
      let disconnect = world.device == nil ? [] : pendingConnect.map { [LinkAction.disconnect($0)] } ?? []
      return (isReleasing ? standDown() : []) + disconnect
    }
    guard isReleasing else { return endRemnant(world) }
    guard subscribed == nil, !device.isNotifying else { return [] }
    state = .standing
    return [.disconnect(device.path)]
  }

  mutating func standDown() -> [LinkAction] {
    state = .standing
    return unsubscribe()
  }
}
