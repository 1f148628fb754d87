import BlueZ
import Bus
import Control
import Measurements
import Workout

// The roster's links: steps of the machines, and measurements.
extension Roster {
  mutating func use(_ strap: StrapAddress, for claim: Claim, at now: Moment) {
    addLink(strap)
    let isFirst = links[strap]?.claims.isEmpty == true
    links[strap]?.claims.insert(claim)
    links[strap]?.isForgotten = false
    if isFirst { claimed(strap, by: claim) }
    worldMayHaveChanged(strap, at: now)
    guard let link = links[strap], !link.machine.isWanted, !link.isMoving else { return }
    setAvailability(strap, .acquiring)
    step(strap, at: now) { $0.want(true, $1, at: now) }
  }

  mutating func leave(_ strap: StrapAddress, for claim: Claim, at now: Moment) {
    guard links[strap]?.claims.remove(claim) != nil, links[strap]?.claims.isEmpty == true else { return }
    step(strap, at: now) { $0.want(false, $1, at: now) }
    setAvailability(strap, .unknown)
    links[strap]?.freshness.stop()
    links[strap]?.timeline.letGo()
    links[strap]?.isFreshnessTimed = false
    effects.append(.deadline(.freshness(strap), nil))
  }

  /// A strap that was asked for and never seen (a slip in its address, say) leaves nothing behind, nor does one that a
  /// client has had forgotten.
  mutating func forgetStrangers() {
    guard mayHaveStrangers else { return }
    mayHaveStrangers = false
    for (strap, link) in links where link.claims.isEmpty && link.machine.isAtRest && strap != usualStrap {
      guard link.isForgotten || (link.last == nil && link.name == nil) else { continue }
      if let path = link.world.device?.measurement { measurementPaths[path] = nil }
      links[strap] = nil
    }
  }

  /// Lets a strap's machine take one step, and does what it wants done.
  mutating func step(
    _ strap: StrapAddress, at now: Moment, _ body: (inout LinkMachine, LinkWorld) -> [LinkAction]
  ) {
    guard var link = links[strap] else { return }
    let before = (link.machine.status, link.machine.trouble, link.machine.suspicion)
    let wasPairing = link.machine.pairing.isUnderWay
    let actions = body(&link.machine, link.world)
    links[strap] = link
    if link.machine.pairing.needsAgent { registerAgent(for: strap) }
    for action in actions {
      switch action {
      case .connect(let path):
        calls = calls.filter { $0.value != .connect(strap) }  // a late answer would be taken for this one's
        send(.connect(strap)) { BlueZCall.connect(path, serial: $0) }
      case .disconnect(let path): send(.disconnect(strap)) { BlueZCall.disconnect(path, serial: $0) }
      case .startNotify(let path):
        calls = calls.filter { !$0.value.startsNotifications(of: strap) }
        send(.startNotify(strap, path)) { BlueZCall.startNotify(path, serial: $0) }
      case .readDescriptor(let path): send(.readDescriptor(strap)) { BlueZCall.readDescriptor(path, serial: $0) }
      case .stopNotify(let path): send(.stopNotify(strap)) { BlueZCall.stopNotify(path, serial: $0) }
      case .pair(let path):
        send(.pair(strap)) { BlueZCall.pair(path, serial: $0) }
      case .cancelPairing(let path):
        calls = calls.filter { $0.value != .pair(strap) }
        send(.cancelPairing(strap)) { BlueZCall.cancelPairing(path, serial: $0) }
      case .readTree: effects += mirror.readAgain(&serials).map(RosterEffect.send)
      }
    }
    effects.append(.deadline(.link(strap), link.machine.deadline))
    if before != (link.machine.status, link.machine.trouble, link.machine.suspicion) {
      linkChanged(strap, from: before.0, at: now)
    }
    if before.0 != link.machine.status { noteForAdapter(strap, link.machine.status) }
    if wasPairing, links[strap]?.machine.pairing == .done, pairings[strap] == nil {
      let text = "\(name(of: strap)) is paired, since it answers only paired hosts (pair_when_needed)"
      effects.append(.log(LogEntry(.notice, text, strap: strap)))
      remember(strap)
    }
    pairingMayHaveChanged(strap, at: now)
    goOnMoving(strap, at: now)
  }

  private mutating func linkChanged(_ strap: StrapAddress, from before: LinkStatus, at now: Moment) {
    guard let link = links[strap] else { return }
    noteTrouble(of: strap, at: now)
    if ![.subscribing, .streaming].contains(link.machine.status) { stopReading(strap) }
    if link.isForgotten { mayHaveStrangers = true }
    if before == .streaming, link.machine.status != .streaming {
      links[strap]?.freshness.interrupt()
      links[strap]?.timeline.interrupt()
      abandonResets(of: strap)
      effects.append(.event(.linkLost(strap)))
      remember(strap, seen: now.wall(at: link.last?.tick ?? now.tick))
      if link.machine.isWanted { setAvailability(strap, .unavailable) }
    } else {
      effects.append(.event(.linkChanged(strap)))
    }
    // What the host does shows first as the loss of its links: the next step tells the journal what it was.
    if before != .streaming || link.machine.trouble != .linkLost { log(strap) }
    guard link.machine.status == .streaming else { return }
    remember(strap, seen: now.wall)
    startReading(strap, at: now)  // a subscription that bluetoothd has renewed
  }

  /// Tells the journal where the link stands, if that is news.
  mutating func log(_ strap: StrapAddress) {
    guard let link = links[strap] else { return }
    let text: String
    switch link.machine.status {
    case .streaming:
      links[strap]?.hasServed = true
      text = "receiving heart rate from \(name(of: strap))"
    case .standing:
      guard link.hasServed else { return }
      links[strap]?.hasServed = false
      text = "\(name(of: strap)) is released"
    case .waitingForBluetoothd, .waitingForAdapter:
      // The loss of the bus is told by itself, and at the start of the daemon it has only not been tried yet.
      guard mirror.presence != .noBus else { return }
      text = "cannot connect to \(name(of: strap)): \(hostAdvice(of: strap) ?? "Bluetooth is not ready")"
    case .searching, .connecting, .resolving, .pairing, .subscribing, .backingOff, .releasing:
      guard let trouble = trouble(of: strap) else { return }
      text = "\(name(of: strap)): \(trouble)"
    }
    guard text != link.logged else { return }
    links[strap]?.logged = text
    effects.append(.log(LogEntry(link.machine.status == .streaming ? .info : .notice, text, strap: strap)))
  }

  /// A strap's name and address, as far as they are known.
  func name(of strap: StrapAddress) -> String {
    let name = known.name(of: strap)?.description ?? ownName(of: strap)
    return name.map { "\(PrintableText.of($0)) (\(strap))" } ?? strap.description
  }

  /// What a strap calls itself, as far as its link has told.
  func ownName(of strap: StrapAddress) -> String? {
    links[strap]?.name
  }

  // MARK: The world

  mutating func objectChanged(_ path: ObjectPath, at now: Moment) {
    let concernsAll = adaptersHaveChanged() || mirror.tree.adapters[path] != nil
    scanMayHaveChanged(path)
    scanMayHaveShown(path, at: now)
    followPrivateAddress(path)
    for (strap, link) in links.sorted(by: { $0.key < $1.key }) {
      let known = link.world.device?.path
      let isNear = known.map { $0 == path || path.isBelow($0) || $0.isBelow(path) } ?? false
      if concernsAll || isNear || mirror.tree.devices[path]?.address == link.address {
        worldMayHaveChanged(strap, at: now)
      }
    }
    reconsider(at: now)
  }

  /// A strap that hides behind private addresses and is not bonded comes back as a stranger with its name. It is taken for
  /// the strap that is missed, if that is missed, had such an address too, and had the same name.
  private mutating func followPrivateAddress(_ path: ObjectPath) {
    guard let device = mirror.tree.devices[path], device.isRandom, device.address.isResolvablePrivate,
      device.services.contains(.heartRateService), let name = device.ownName,
      !links.values.contains(where: { $0.address == device.address })
    else { return }
    let missed = links.filter { _, link in
      link.machine.isWanted && link.address.isResolvablePrivate && link.name == name
        && [.searching, .connecting, .backingOff].contains(link.machine.status)
    }
    guard let strap = missed.keys.sorted().first, missed.count == 1 else { return }
    links[strap]?.address = device.address
    let text = "\(self.name(of: strap)) has changed its private address to \(device.address)"
    effects.append(.log(LogEntry(.info, text, strap: strap)))
  }

  mutating func worldMayHaveChanged(_ strap: StrapAddress, at now: Moment) {
    guard let address = links[strap]?.address else { return }
    turnIfPossible(strap, at: now)
    let adapter = links[strap]?.choice.adapter
    let world = LinkWorld(mirror, strap: address, adapter: adapter)
    if let name = world.device.flatMap({ mirror.tree.devices[$0.path]?.ownName }) { links[strap]?.name = name }
    batteryRead(strap, world.device.flatMap { mirror.tree.devices[$0.path]?.battery })
    if let signal = world.device.flatMap({ mirror.tree.devices[$0.path]?.rssi }) { links[strap]?.signal = signal }
    if let old = links[strap]?.world.device?.measurement, old != world.device?.measurement {
      measurementPaths[old] = nil
    }
    if let path = world.device?.measurement { measurementPaths[path] = strap }
    let hasTurned = links[strap]?.worldAdapter != adapter
    links[strap]?.worldAdapter = adapter
    guard let old = links[strap]?.world, world != old else { return }
    links[strap]?.world = world
    noteConnection(of: strap, before: old.device, at: now)
    step(strap, at: now) {
      hasTurned ? $0.turned(from: old, to: $1, at: now) : $0.worldChanged($1, at: now)
    }
    goOnPairing(strap, at: now)
    readNext(strap, at: now)  // where measurements came before the services were resolved
  }

  // MARK: Measurements

  mutating func valueArrived(_ path: ObjectPath, _ payload: [UInt8], at now: Moment) {
    guard let strap = measurementPaths[path], let world = links[strap]?.world else { return }
    var isLive = false
    let wasStreaming = links[strap]?.machine.status == .streaming
    if wasStreaming {
      isLive = links[strap]?.machine.payloadArrived(path, world, at: now) ?? false
    } else {
      step(strap, at: now) { machine, world in
        isLive = machine.payloadArrived(path, world, at: now)
        return []
      }
      if isLive { reconsider(at: now) }
    }
    guard isLive, let link = links[strap] else { return }

    var measurement: HeartRateMeasurement
    do { measurement = try HeartRateMeasurement(payload) } catch {
      refuse(strap, error)
      return
    }
    let isRepeat =
      link.last.map { now.tick - $0.tick < StrapLink.repeatWindow } == true && payload == link.lastPayload
    measurement = corrected(strap, measurement, isRepeat: isRepeat, at: now)
    if !isRepeat { links[strap]?.freshness.refresh(at: now.tick) }
    let beats = links[strap]?.timeline.place(measurement.rrIntervals, isRepeat: isRepeat, at: now.tick)
    links[strap]?.last = (measurement, now.tick)
    links[strap]?.lastPayload = payload
    if isRepeat { links[strap]?.repeats += 1 }
    if !link.isFreshnessTimed {
      links[strap]?.isFreshnessTimed = true
      effects.append(.deadline(.freshness(strap), links[strap]?.freshness.limit))
    }
    setAvailability(strap, availability(by: measurement))
    effects.append(.event(.measured(strap, measurement, payload: payload, isRepeat: isRepeat, beats: beats)))
  }

  private mutating func refuse(_ strap: StrapAddress, _ error: HeartRateMeasurementError) {
    links[strap]?.refusedPackets += 1
    guard links[strap]?.refusedPackets == 1 else { return }
    let text = "refused a packet of \(name(of: strap)): \(error); further ones are counted in the status"
    effects.append(.log(LogEntry(.warning, text, strap: strap)))
  }

  mutating func setAvailability(_ strap: StrapAddress, _ availability: Availability) {
    guard links[strap]?.availability != availability else { return }
    links[strap]?.availability = availability
    effects.append(.event(.availability(strap, availability)))
  }

  mutating func checkFreshness(_ strap: StrapAddress, at now: Moment) {
    links[strap]?.isFreshnessTimed = false
    guard let link = links[strap], let limit = link.freshness.limit else { return }
    // The deadline is not moved with each measurement, which would set a timer anew for each beat.
    if limit > now.tick {
      links[strap]?.isFreshnessTimed = true
      effects.append(.deadline(.freshness(strap), limit))
    } else {
      if let last = link.last?.tick { effects.append(.event(.gap(strap, since: last))) }
      setAvailability(strap, .unavailable)
    }
  }
}
