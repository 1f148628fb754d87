import BlueZ
import Bus
import Control
import Measurements
import Workout

/// A strap that a client wants forgotten, while bluetoothd removes the bond.
struct Forgetting: Hashable, Sendable {
  var client: ClientID
  /// The objects of the strap, one at each adapter that is bonded to it, whose removal is not answered yet.
  var waiting: Set<ObjectPath>
  /// The first refusal.
  var failure: BlueZError?
}

// What clients ask about known straps: a list of them, other names, and to forget one.
extension Roster {
  var knownStraps: [KnownStrapSnapshot] {
    Set(known.all).union(links.keys).sorted().map(knownStrap)
  }

  private func knownStrap(_ strap: StrapAddress) -> KnownStrapSnapshot {
    let link = links[strap]
    var snapshot = KnownStrapSnapshot(
      known.records[strap] ?? StrapRecord(strap), link: (link?.machine.status ?? .standing).rawValue)
    snapshot.name = known.name(of: strap)
    snapshot.athlete = known.athlete(of: strap)
    snapshot.isBatteryUnreliable = Quirk.all(of: snapshot.record.information).contains {
      $0.remedy == .distrustsBattery
    }
    snapshot.configurationFile = known.sections[strap]?.file
    snapshot.adapter = configuration.adapter(of: strap)
    let devices = objects(of: strap).compactMap { mirror.tree.devices[$0] }
    snapshot.record.deviceName = ownName(of: strap) ?? devices.compactMap(\.ownName).first ?? snapshot.record.deviceName
    snapshot.rssi = devices.compactMap(\.rssi).max()
    snapshot.isConnected = devices.contains(where: \.isConnected)
    if mirror.presence == .ready { snapshot.isBonded = devices.contains(where: \.isBonded) }
    for claim in link?.claims ?? [] {
      switch claim {
      case .session(let session): snapshot.session = session
      case .postExercise, .unattended: break
      case .pairing, .monitor: snapshot.clients += 1
      }
    }
    return snapshot
  }

  /// Says what a strap is called and who wears it; the answer is among the effects.
  mutating func name(
    _ strap: StrapAddress, _ name: Setting<StrapName>, _ athlete: Setting<AthleteName>, for client: ClientID
  ) throws(ControlError) -> [RosterEffect] {
    let section = known.sections[strap]
    if let section, section.name != nil, name != .keep {
      throw .setInConfiguration(strap, parameter: "name", file: section.file)
    }
    if let section, section.athlete != nil, athlete != .keep {
      throw .setInConfiguration(strap, parameter: "athlete", file: section.file)
    }
    if case .set(let wanted) = name, let owner = known.names[wanted], owner != strap {
      throw .nameTaken(wanted, by: owner)
    }
    let before = known.records[strap]
    let old = before ?? StrapRecord(strap)
    var record = old
    record.name = name.applied(to: record.name)
    record.athlete = athlete.applied(to: record.athlete)
    if record == StrapRecord(strap) {
      // Nothing is left to be known of a strap that was named and never seen.
      if known.records[strap] != nil { drop(strap) }
    } else {
      keep(record)
    }
    if record.name != old.name || record.athlete != old.athlete { namesChanged() }
    promise(.named(knownStrap(strap)), of: strap, before, for: client)
    return takeEffects()
  }

  /// Answers a client when what it has said of a strap is written.
  private mutating func promise(
    _ answer: ControlReply, of strap: StrapAddress, _ before: StrapRecord?, for client: ClientID,
    _ entry: LogEntry? = nil
  ) {
    let isWritten = effects.contains { if case .record = $0 { true } else { false } }
    if isWritten {
      let change = Promise.Change.strap(strap, before: before, answer, entry)
      effects.append(.event(.promised(Promise(client: client, change: change))))
    } else {
      if let entry { effects.append(.log(entry)) }
      effects.append(.event(.answered(client, answer)))
    }
  }

  /// What a client has said of a strap could not be written, and is as it was before.
  mutating func takeBack(_ strap: StrapAddress, _ before: StrapRecord?) -> [RosterEffect] {
    if let before {
      var record = known.records[strap] ?? before
      (record.name, record.athlete) = (before.name, before.athlete)
      known.set(strap, record)
    } else {
      // What else has come to be known of it since will be once more.
      known.set(strap, nil)
    }
    links[strap]?.isForgotten = false
    namesChanged()
    return takeEffects()
  }

  /// Whether the strap waits to be taken off is to survive a restart.
  mutating func note(_ strap: StrapAddress, awaitsTakingOff: Bool) -> [RosterEffect] {
    // A strap that was forgotten meanwhile does not become known again by having been taken off.
    guard awaitsTakingOff || known.records[strap] != nil else { return [] }
    var record = known.records[strap] ?? StrapRecord(strap)
    record.awaitsTakingOff = awaitsTakingOff
    keep(record)
    return takeEffects()
  }

  /// What would run in a dry run is to survive a restart.
  mutating func note(_ strap: StrapAddress, dryRun: StrapRecord.DryRun?) -> [RosterEffect] {
    guard dryRun != nil || known.records[strap] != nil else { return [] }
    var record = known.records[strap] ?? StrapRecord(strap)
    record.dryRun = dryRun
    keep(record)
    return takeEffects()
  }

  // MARK: Forgetting

  /// Forgets a strap and has its bonds removed; the answer is among the effects, now or later.
  mutating func forget(_ strap: StrapAddress, for client: ClientID) throws(ControlError) -> [RosterEffect] {
    try checkUnused(strap)
    let objects = objects(of: strap)
    guard known.all.contains(strap) || !objects.isEmpty else {
      throw .unknownStrap(strap.description, known: known.names.all)
    }
    if forgetting[strap] != nil { throw .strapHeld(strap, by: .forgetting, file: nil) }
    let bonded = objects.filter { mirror.tree.devices[$0]?.isBonded == true }
    for device in bonded {
      guard let adapter = mirror.tree.adapter(ofDevice: device) else { continue }
      send(.removeDevice(strap, device)) { BlueZCall.removeDevice(device, of: adapter, serial: $0) }
      forgetting[strap, default: Forgetting(client: client, waiting: [])].waiting.insert(device)
    }
    if forgetting[strap] == nil {
      forgotten(strap, for: client, isBondRemoved: mirror.presence == .ready ? false : nil)
    }
    return takeEffects()
  }

  private func checkUnused(_ strap: StrapAddress) throws(ControlError) {
    for claim in links[strap]?.claims.sorted() ?? [] {
      switch claim {
      case .session(let session): throw .strapInUse(strap, by: session)
      case .postExercise: throw .strapHeld(strap, by: .postExercise, file: nil)
      case .pairing: throw .strapHeld(strap, by: .pairing, file: nil)
      case .monitor: throw .strapHeld(strap, by: .monitor, file: nil)
      case .unattended: throw .strapHeld(strap, by: .unattended, file: known.sections[strap]?.file)
      }
    }
  }

  mutating func removeAnswered(_ strap: StrapAddress, _ device: ObjectPath, _ error: BlueZError?) {
    guard var waiting = forgetting[strap], waiting.waiting.remove(device) != nil else { return }
    // What is gone already need not be removed.
    if let error, error != .objectGone { waiting.failure = waiting.failure ?? error }
    forgetting[strap] = waiting.waiting.isEmpty ? nil : waiting
    guard waiting.waiting.isEmpty else { return }
    if let failure = waiting.failure {
      refuseToForget(strap, for: waiting.client, "its bond could not be removed: \(failure)")
    } else {
      forgotten(strap, for: waiting.client, isBondRemoved: true)
    }
  }

  /// bluetoothd is gone, and its answers with it.
  mutating func abandonForgetting() {
    for (strap, waiting) in forgetting.sorted(by: { $0.key < $1.key }) {
      refuseToForget(strap, for: waiting.client, "bluetoothd went away while it removed the bond")
    }
    forgetting.removeAll()
  }

  private mutating func refuseToForget(_ strap: StrapAddress, for client: ClientID, _ why: String) {
    effects.append(.event(.answered(client, .error(.strapFailed(strap, why)))))
  }

  private mutating func forgotten(_ strap: StrapAddress, for client: ClientID, isBondRemoved: Bool?) {
    let bond = isBondRemoved == true ? ", and the bond with it is removed" : ""
    let entry = LogEntry(.notice, "\(name(of: strap)) is forgotten\(bond)", strap: strap)
    let before = known.records[strap]
    drop(strap)
    if links[strap]?.claims.isEmpty == true {
      links[strap]?.isForgotten = true
      mayHaveStrangers = true
    }
    namesChanged()
    let file = known.sections[strap]?.file
    let answer = ForgottenStrap(strap, isBondRemoved: isBondRemoved, configurationFile: file)
    promise(.forgotten(answer), of: strap, before, for: client, entry)
  }

  private mutating func drop(_ strap: StrapAddress) {
    known.set(strap, nil)
    scanChanges.addEverything()
    effects.append(.record(.strapForgotten(strap)))
  }

  /// The strap's objects in bluetoothd's tree, one for each adapter that knows it.
  func objects(of strap: StrapAddress) -> [ObjectPath] {
    let address = links[strap]?.address ?? strap
    return mirror.tree.devices.filter { $0.value.address == address }.keys.sorted()
  }
}

extension Setting {
  fileprivate func applied(to old: Value?) -> Value? {
    switch self {
    case .keep: old
    case .remove: nil
    case .set(let new): new
    }
  }
}
