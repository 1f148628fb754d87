import BlueZ
import Bus
import Control
import Measurements
import Workout

/// Scanning by one adapter. It belongs to our bus connection, and ends with it or with bluetoothd.
enum Discovery: Hashable, Sendable {
  case filtering, starting, on, stopping
  /// On, while other devices are asked for.
  case refiltering
  /// Refused; not tried again until `discoveryRetry`.
  case resting
  /// StopDiscovery was refused as being in progress; it is sent again at `discoveryRetry`.
  ///
  /// The kernel ends a scan by itself when a connection is made, and rejects a stop behind that. bluetoothd 5.66 then says
  /// InProgress, and for ever after believes that it scans for us while the kernel does not: every StartDiscovery of ours
  /// succeeds, and nothing is heard. Asked again when it knows that the kernel has ended, it forgets us.
  case stopRefused
  case stoppingAgain
}

/// Which devices bluetoothd is asked for.
enum DiscoveryScope: Hashable, Sendable {
  case straps, everything

  var uuid: String? {
    switch self {
    case .straps: BluetoothUUID.heartRateService.description
    case .everything: nil
    }
  }
}

/// The search of somebody who wants any strap.
enum StrapChoice: Hashable, Sendable {
  /// Scanning has not begun.
  case waiting
  /// Scanning; from `decision` on the strongest of those seen is taken.
  case gathering(decision: Tick, tried: Set<StrapAddress>)
  /// This one is being connected.
  case trying(StrapAddress, tried: Set<StrapAddress>)

  init() { self = .waiting }

  /// How long to look around before the strongest is taken.
  static let gathering = Duration.seconds(3)

  var wantsDiscovery: Bool {
    switch self {
    case .waiting, .gathering: true
    case .trying: false
    }
  }
}

extension Roster {
  static let discoveryRetryInterval = Duration.seconds(5)
  static let stopRetryInterval = Duration.seconds(1)
  static let discoveryLimit = Duration.seconds(30)
  /// For how long a scan may show nothing before it is begun anew.
  ///
  /// Seen with BlueZ 5.66 on Linux 6.1: Discovering was true for five minutes, and straps that advertised were not heard. It
  /// came behind connections that were made and ended, which interrupt the kernel's scan; that it is not taken up again is
  /// a guess. One that works pauses for 5 s after each 10 s, so this is two of its rounds.
  static let silentScanLimit = Duration.seconds(30)
  static let powerRetryInterval = Duration.seconds(10)

  /// Looks again at everything that depends on several links: the choices, scanning, the adapters' power.
  mutating func reconsider(at now: Moment) {
    lookAtAdapters(at: now)
    for claim in choices.keys.sorted() { choose(claim, at: now) }
    for (path, adapter) in mirror.tree.adapters where mirror.presence == .ready {
      scan(path, adapter, wanted: wantsScan(by: adapter.address), at: now)
    }
    powerAdapters(at: now)
  }

  // MARK: Scanning

  private func wantsScan(by adapter: StrapAddress?) -> Bool {
    let isForChoice = choices.contains { claim, choice in
      choice.wantsDiscovery && allows(claim, by: adapter)
    }
    let isForScan = scans.values.contains { scan in scan.adapter.map { $0 == adapter } ?? true }
    return isForChoice || isForScan
      || links.contains { strap, link in
        guard link.machine.wantsDiscovery else { return false }
        // While it is being connected, only the radio that does that is helped by its own scan.
        if link.machine.status == .connecting { return link.choice.adapter == adapter }
        return fixedAdapter(of: strap).map { $0 == adapter } ?? true
      }
  }

  private mutating func scan(_ path: ObjectPath, _ adapter: ObjectTree.Adapter, wanted: Bool, at now: Moment) {
    guard adapter.isPowered else {
      discoveries[path] = nil
      return
    }
    switch discoveries[path] {
    case nil where wanted: filter(path, .filtering, at: now)
    case .on where wanted && scopes[path] != discoveryScope: filter(path, .refiltering, at: now)
    case .on where !wanted: stopScanning(path, .stopping, at: now)
    case nil, .filtering, .starting, .on, .refiltering, .stopping, .resting, .stopRefused, .stoppingAgain: break
    }
  }

  private mutating func stopScanning(_ path: ObjectPath, _ phase: Discovery, at now: Moment) {
    discoveries[path] = phase
    send(.discovery(path)) { BlueZCall.stopDiscovery(path, serial: $0) }
    effects.append(.deadline(.discoveryRetry(path), now.tick + Self.discoveryLimit))
  }

  /// What was refused, or not answered, is tried again.
  mutating func retryDiscovery(_ path: ObjectPath, at now: Moment) {
    switch discoveries[path] {
    case .stopRefused: stopScanning(path, .stoppingAgain, at: now)
    case .filtering, .starting:
      scanFaults.insert(path)
      discoveries[path] = nil
    case .on:
      let silence = showsStrangers(path) ? .zero : now.tick - (lastHeard[path] ?? now.tick)
      guard silence < Self.silentScanLimit else { return stopScanning(path, .stopping, at: now) }
      effects.append(.deadline(.discoveryRetry(path), now.tick + (Self.silentScanLimit - silence)))
    case nil, .refiltering, .stopping, .stoppingAgain, .resting: discoveries[path] = nil
    }
    reconsider(at: now)
  }

  /// bluetoothd forgets an unpaired device that it has not heard for half a minute, and signals a strength only if it has
  /// changed by much: one that is still there is still heard.
  private func showsStrangers(_ adapter: ObjectPath) -> Bool {
    mirror.tree.devices.contains { path, device in
      device.rssi != nil && !device.isBonded && !device.isConnected && mirror.tree.adapter(ofDevice: path) == adapter
    }
  }

  /// Something that advertises shows that the scan hears.
  mutating func scanMayHaveShown(_ path: ObjectPath, at now: Moment) {
    guard let device = mirror.tree.devices[path], !device.isConnected, device.rssi != nil,
      let adapter = mirror.tree.adapter(ofDevice: path), discoveries[adapter] != nil
    else { return }
    lastHeard[adapter] = now.tick
  }

  /// A scan is on, and is watched.
  private mutating func scanIsOn(_ path: ObjectPath, at now: Moment) {
    discoveries[path] = .on
    lastHeard[path] = now.tick
    effects.append(.deadline(.discoveryRetry(path), now.tick + Self.silentScanLimit))
  }

  private mutating func filter(_ path: ObjectPath, _ phase: Discovery, at now: Moment) {
    let scope = discoveryScope
    discoveries[path] = phase
    scopes[path] = scope
    send(.discovery(path)) { BlueZCall.setDiscoveryFilter(path, uuid: scope.uuid, serial: $0) }
    effects.append(.deadline(.discoveryRetry(path), now.tick + Self.discoveryLimit))
  }

  mutating func discoveryAnswered(_ path: ObjectPath, _ error: BlueZError?, at now: Moment) {
    switch discoveries[path] {
    case .filtering:
      // A filter that is refused only means that more is seen; each device is looked at again anyway.
      discoveries[path] = .starting
      send(.discovery(path)) { BlueZCall.startDiscovery(path, serial: $0) }
    case .starting:
      guard error == nil || error == .inProgress else {
        discoveries[path] = .resting
        scanFaults.insert(path)
        scanRefusal = error
        effects.append(.deadline(.discoveryRetry(path), now.tick + Self.discoveryRetryInterval))
        return
      }
      scanFaults.remove(path)
      scanIsOn(path, at: now)
    case .stopping where error == .inProgress:
      discoveries[path] = .stopRefused
      effects.append(.deadline(.discoveryRetry(path), now.tick + Self.stopRetryInterval))
    case .stopping, .stoppingAgain:
      discoveries[path] = nil
      effects.append(.deadline(.discoveryRetry(path), nil))
    case .refiltering: scanIsOn(path, at: now)
    case nil, .on, .resting, .stopRefused: break
    }
  }

  // MARK: Choosing

  private mutating func choose(_ claim: Claim, at now: Moment) {
    switch choices[claim] {
    case nil: break
    case .waiting:
      let isScanning = discoveries.contains { path, discovery in
        discovery == .on && allows(claim, by: mirror.tree.adapters[path]?.address)
      }
      guard isScanning else { return noteHost(for: claim) }
      gather(claim, tried: [], at: now)
    case .gathering(let decision, let tried):
      let host = LinkWorld.Host(mirror, adapter: adapterWishes[claim] ?? configuration.adapter)
      guard decision <= now.tick, host == .ready else { return noteHost(for: claim) }
      if let strap = candidates(for: claim, without: tried).first {
        choices[claim] = .trying(strap, tried: tried)
        if searchTroubles[claim]?.kind != .trial { note(claim, nil) }
        effects.append(.event(.trying(claim, strap)))
        use(strap, for: claim, at: now)
        // One that is shared may stream already.
        choose(claim, at: now)
      } else if !tried.isEmpty {
        gather(claim, tried: [], at: now)
      } else if searchTroubles[claim]?.kind != .trial || !links.values.contains(where: \.hasFailedForGood) {
        note(claim, SearchTrouble(text: whyNoneIsFree(for: claim), kind: .sight))
      }
    case .trying(let strap, let tried):
      guard let machine = links[strap]?.machine else { return }
      if machine.status == .streaming {
        choices[claim] = nil
        links[strap]?.trialTrouble = nil
        effects.append(.event(.chosen(claim, strap)))
        note(claim, nil)
      } else if let trouble = machine.trouble, !machine.pairing.isUnderWay {
        links[strap]?.trialTrouble = trouble
        let why = hostAdvice(of: strap) ?? self.trouble(of: strap) ?? "it did not stream"
        note(claim, SearchTrouble(text: "\(name(of: strap)) was tried: \(why)", kind: .trial))
        goOn(claim, from: strap, tried: tried, at: now)
      }
    }
  }

  /// Whoever takes any strap and only tries this one goes on to another one, where it cannot be shared with who wants it by
  /// name.
  mutating func turnAway(from strap: StrapAddress, for claim: Claim, at now: Moment) {
    for (other, choice) in choices.sorted(by: { $0.key < $1.key }) where other != claim && !other.shares(with: claim) {
      guard case .trying(strap, let tried) = choice else { continue }
      goOn(other, from: strap, tried: tried, at: now)
    }
  }

  private mutating func goOn(_ claim: Claim, from strap: StrapAddress, tried: Set<StrapAddress>, at now: Moment) {
    leave(strap, for: claim, at: now)
    effects.append(.event(.trying(claim, nil)))
    choices[claim] = .gathering(decision: now.tick, tried: tried.union([strap]))
    choose(claim, at: now)
  }

  private mutating func gather(_ claim: Claim, tried: Set<StrapAddress>, at now: Moment) {
    let decision = now.tick + StrapChoice.gathering
    choices[claim] = .gathering(decision: decision, tried: tried)
    effects.append(.deadline(.choice(claim), decision))
  }

  /// Straps that nobody uses, or that can be shared with whoever does, the strongest first. bluetoothd forgets an unpaired
  /// device half a minute after it was seen, so one of those is near even where no signal strength is shown; a bonded one
  /// may be anywhere.
  private func candidates(for claim: Claim, without tried: Set<StrapAddress>) -> [StrapAddress] {
    var signals: [StrapAddress: Int16] = [:]
    for (path, device) in mirror.tree.devices
    where device.services.contains(.heartRateService) && !tried.contains(device.address)
      && (device.rssi != nil || device.isConnected || !device.isBonded)
      && allows(
        claim, device.address, by: mirror.tree.adapter(ofDevice: path).flatMap { mirror.tree.adapters[$0]?.address })
      && !links.values.contains(where: { link in
        link.address == device.address && !link.claims.allSatisfy { claim.shares(with: $0) }
      })
    {
      signals[device.address] = max(signals[device.address] ?? .min, signal(of: device))
    }
    return signals.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
  }

  /// A strap that is connected advertises no more: it counts as strong as it was last heard.
  private func signal(of device: ObjectTree.Device) -> Int16 {
    device.rssi ?? links.values.first { $0.address == device.address }?.signal ?? .min
  }

  // MARK: Power

  private mutating func powerAdapters(at now: Moment) {
    guard configuration.powersAdapter, mirror.presence == .ready else { return }
    for (path, adapter) in mirror.tree.adapters.sorted(by: { $0.key < $1.key })
    where !adapter.isPowered && !adapter.isBlocked && isPowerWanted(of: adapter.address) {
      guard nextPowerTries[path].map({ $0 <= now.tick }) ?? true else { continue }
      nextPowerTries[path] = now.tick + Self.powerRetryInterval
      send(.power(path)) { BlueZCall.powerOn(path, serial: $0) }
    }
    guard let next = nextPowerTries.values.filter({ $0 > now.tick }).min() else { return }
    effects.append(.deadline(.powerRetry, next))
  }

  /// Whether somebody has asked for this adapter; where any would do, one that is on is enough.
  private func isPowerWanted(of adapter: StrapAddress?) -> Bool {
    let isAnyOn = LinkWorld.Host(mirror) == .ready
    func isWanted(_ fixed: StrapAddress?) -> Bool { fixed.map { $0 == adapter } ?? !isAnyOn }
    return scans.values.contains { isWanted($0.adapter) }
      || choices.keys.contains { isWanted(adapterWishes[$0] ?? configuration.adapter) }
      || links.contains { $0.value.machine.isWanted && isWanted(fixedAdapter(of: $0.key)) }
  }

  mutating func powerAnswered(_ path: ObjectPath, _ error: BlueZError?, at now: Moment) {
    let before = refusesPower(path)
    switch error {
    case nil: powerRefusals[path] = nil
    // It is being switched by somebody else, or has just gone: neither says that it cannot be switched on.
    case .inProgress, .objectGone, .bluetoothdAbsent: return
    case .accessDenied, .notReady, .cancelled, .radioAborted, .linkFailed, .keyMissing, .wrongBearer,
      .alreadyConnected, .alreadyNotifying, .notConnected, .notPaired, .notifyAcquired, .pairingFailed, .alreadyPaired,
      .notSupported,
      .timedOut, .other:
      powerRefusals[path, default: 0] += 1
    }
    guard refusesPower(path) != before else { return }
    for (strap, link) in links.sorted(by: { $0.key < $1.key }) where link.machine.isWanted {
      effects.append(.event(.linkChanged(strap)))
      log(strap)
    }
  }
}

// MARK: - For people

extension Roster {
  /// A strap as clients see it.
  func snapshot(of strap: StrapAddress, at now: Moment) -> StrapSnapshot? {
    guard let link = links[strap] else { return nil }
    let device = link.world.device.flatMap { mirror.tree.devices[$0.path] }
    var snapshot = StrapSnapshot(address: strap, link: link.machine.status.rawValue)
    snapshot.name = device?.ownName ?? link.name
    snapshot.givenName = known.name(of: strap)
    snapshot.athlete = known.athlete(of: strap)
    snapshot.adapter = link.choice.adapter.flatMap { mirror.tree.adapter($0) == nil ? nil : $0 }
    snapshot.trouble = link.claims.isEmpty && !isTried(link) ? nil : hostAdvice(of: strap) ?? trouble(of: strap)
    snapshot.troubleKind = troubleKind(of: strap)?.rawValue
    snapshot.lastTrouble = link.lastTrouble?.text
    snapshot.lastTroubleDate = link.lastTrouble?.date
    snapshot.availability = link.availability
    snapshot.last = link.last.map {
      .init(heartRate: $0.measurement.heartRate, contact: $0.measurement.contact, age: now.tick - $0.tick)
    }
    snapshot.battery = device?.battery ?? link.battery
    snapshot.location = link.location
    snapshot.information = link.information
    snapshot.quirks = link.quirks.map(\.id)
    snapshot.isBatteryUnreliable = needs(.distrustsBattery, strap)
    snapshot.period = link.freshness.period
    snapshot.jitter = link.freshness.jitter
    snapshot.lostBeats = link.timeline.lostBeats
    snapshot.reconnects = link.machine.reconnects
    snapshot.refusedPackets = link.refusedPackets
    snapshot.repeats = link.repeats
    snapshot.monitors = monitors(of: strap)
    return snapshot
  }

  var adapters: [StatusSnapshot.Adapter] {
    mirror.tree.adapters.sorted { $0.key < $1.key }.map { path, adapter in
      .init(
        name: String(path.lastElement), address: adapter.address, isPowered: adapter.isPowered,
        isDiscovering: adapter.isDiscovering)
    }
  }
}
