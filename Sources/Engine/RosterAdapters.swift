import BlueZ
import Bus
import Control
import Measurements

// By which adapter each strap is reached: by the one that somebody has asked for, else by the choice of its link.
extension Roster {
  /// - Throws: where bluetoothd shows its adapters, and this is none of them.
  func checkAdapter(_ adapter: StrapAddress?) throws(ControlError) {
    guard let adapter, mirror.presence == .ready, mirror.tree.adapter(adapter) == nil else { return }
    throw .noSuchAdapter(adapter, existing: mirror.tree.adapters.values.compactMap(\.address).sorted())
  }

  /// The adapter that is asked for; nil leaves it to the choice. Who only looks on moves no session's link, though that
  /// has asked for none.
  func fixedAdapter(of strap: StrapAddress) -> StrapAddress? {
    let claims = links[strap]?.claims.sorted() ?? []
    let wishes = claims.prefix { $0.rank == claims[0].rank }.compactMap { adapterWishes[$0] }
    return wishes.first ?? configuration.adapter(of: strap)
  }

  /// Whether somebody who wants any strap would take this one of this adapter's.
  func allows(_ claim: Claim, _ strap: StrapAddress, by adapter: StrapAddress?) -> Bool {
    (adapterWishes[claim] ?? configuration.adapter(of: strap)).map { $0 == adapter } ?? true
  }

  /// Whether an adapter is to look for straps for somebody who wants any.
  func allows(_ claim: Claim, by adapter: StrapAddress?) -> Bool {
    if let wish = adapterWishes[claim] { return wish == adapter }
    return configuration.adapter.map { $0 == adapter } ?? true
      || configuration.straps.values.contains { $0.adapter != nil && $0.adapter == adapter }
  }

  mutating func chooseAdapter(of strap: StrapAddress, wantedAt now: Tick?) {
    guard let link = links[strap] else { return }
    if let adapter = fixedAdapter(of: strap) {
      links[strap]?.choice.fix(adapter)
    } else {
      let candidates = candidates(for: link.address)
      links[strap]?.choice.choose(among: candidates, wantedAt: now)
    }
    let decision = links[strap]?.choice.decision
    if decision != link.choice.decision { effects.append(.deadline(.adapter(strap), decision)) }
  }

  private func candidates(for strap: StrapAddress) -> [AdapterChoice.Candidate] {
    mirror.tree.adapters.sorted { $0.key < $1.key }.compactMap { path, adapter in
      guard let address = adapter.address else { return nil }
      let device = mirror.tree.device(strap, of: path).flatMap { mirror.tree.devices[$0] }
      return AdapterChoice.Candidate(
        adapter: address, isPowered: adapter.isPowered, isKnowing: device != nil,
        isConnected: device?.isConnected ?? false, isBonded: device?.isBonded ?? false, signal: device?.rssi)
    }
  }

  /// Whoever hears a strap best when it begins to be wanted gets it; one that is being paired has its bond with one.
  mutating func claimed(_ strap: StrapAddress, by claim: Claim) {
    guard links[strap]?.machine.isAtRest == true else { return }
    switch claim {
    case .session, .postExercise, .monitor, .unattended: links[strap]?.choice.begin()
    case .pairing: break
    }
  }

  // MARK: Turning from one to another

  /// Chooses the adapter anew, if nothing is under way by the one that it has; where somebody has asked for another one,
  /// what is under way is ended.
  mutating func turnIfPossible(_ strap: StrapAddress, at now: Moment) {
    guard let link = links[strap], !link.isMoving else { return }
    if link.machine.mayTurn {
      chooseAdapter(of: strap, wantedAt: link.claims.isEmpty ? nil : now.tick)
    } else if let adapter = fixedAdapter(of: strap), adapter != link.choice.adapter, !link.claims.isEmpty {
      links[strap]?.isMoving = true
      setAvailability(strap, .acquiring)
      step(strap, at: now) { $0.want(false, $1, at: now) }
    }
  }

  /// After each step: what was to be ended is ended.
  mutating func goOnMoving(_ strap: StrapAddress, at now: Moment) {
    guard let link = links[strap], link.isMoving, link.machine.isAtRest else { return }
    links[strap]?.isMoving = false
    worldMayHaveChanged(strap, at: now)
    if !link.claims.isEmpty { step(strap, at: now) { $0.want(true, $1, at: now) } }
  }

  /// A link has come to another state.
  mutating func noteForAdapter(_ strap: StrapAddress, _ status: LinkStatus) {
    switch status {
    case .streaming: links[strap]?.choice.succeed()
    case .backingOff:
      links[strap]?.choice.fail()
      toLookAt.insert(strap)
    case .standing, .waitingForBluetoothd, .waitingForAdapter, .searching: toLookAt.insert(strap)
    case .connecting, .resolving, .pairing, .subscribing, .releasing: break
    }
  }

  /// Looks again at the straps whose links may turn.
  mutating func lookAtAdapters(at now: Moment) {
    guard !toLookAt.isEmpty else { return }
    let straps = toLookAt.sorted()
    toLookAt.removeAll()
    for strap in straps { worldMayHaveChanged(strap, at: now) }
  }

  /// Whether an adapter came, went, or was switched; what is known of it is void then.
  mutating func adaptersHaveChanged() -> Bool {
    let old = knownAdapters
    knownAdapters = mirror.tree.adapters
    guard old != knownAdapters else { return false }
    for (path, adapter) in old {
      let new = knownAdapters[path]
      if new == nil { discoveries[path] = nil }
      guard new?.isPowered != adapter.isPowered || new?.isBlocked != adapter.isBlocked else { continue }
      nextPowerTries[path] = nil
      powerRefusals[path] = nil
    }
    return true
  }
}
