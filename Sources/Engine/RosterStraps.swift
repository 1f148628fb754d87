import BlueZ
import Control
import Measurements
import Workout

// What is known of straps beyond one connection and one life of the daemon.
extension Roster {
  /// Takes what the store has kept, once at the start.
  mutating func know(_ records: [StrapRecord]) -> [RosterEffect] {
    for record in records { known.set(record.address, record) }
    for strap in links.keys.sorted() { learnQuirks(of: strap) }
    tellOfNames()
    return takeEffects()
  }

  /// What is wrong with the names, and what they are.
  mutating func tellOfNames() {
    for strap in known.shadowed {
      let name = known.records[strap]?.name?.description ?? ""
      let text = "\(strap) has lost its name '\(name)', which the configuration gives to another strap"
      effects.append(.log(LogEntry(.warning, text, strap: strap)))
    }
    namesChanged()
    if case .failure(let error) = defaultStrap, case .unknownStrap(let name, let names) = error {
      let known = names.isEmpty ? "none has a name" : "known are \(names.map(\.description).joined(separator: ", "))"
      let text =
        "the configuration wants the strap '\(name)', and no strap is called that (\(known)): "
        + "sessions that name no strap are refused until one is"
      effects.append(.log(LogEntry(.warning, text)))
    }
  }

  /// The strap of sessions that name none; nil leaves the choice to the strongest signal. A failure where the
  /// configuration has a name that no strap has.
  var defaultStrap: Result<StrapAddress?, ControlError> {
    guard let name = configuration.strapName else { return .success(configuration.strap) }
    return known.names[name].map { .success($0) } ?? .failure(.unknownStrap(name.description, known: known.names.all))
  }

  /// - Throws: where bluetoothd knows the services of this device, and no heart rate among them.
  func checkHeartRate(_ strap: StrapAddress) throws(ControlError) {
    // What has ever streamed has it, whatever is shown of it now.
    guard known.records[strap].map({ $0.information == DeviceInformation() }) ?? true, links[strap]?.last == nil else {
      return
    }
    let devices = objects(of: strap).compactMap { mirror.tree.devices[$0] }
    // Those that have just been found may not have told their services yet.
    guard !devices.isEmpty, devices.allSatisfy({ !$0.services.isEmpty && !$0.services.contains(.heartRateService) })
    else { return }
    throw .noHeartRate(strap, name: devices.compactMap(\.ownName).first)
  }

  /// `defaultStrap`, as far as it is known.
  var usualStrap: StrapAddress? {
    if case .success(let strap) = defaultStrap { strap } else { nil }
  }

  /// Whoever goes by names is told.
  mutating func namesChanged() {
    // It is shown before anybody wants it, and the one that it was before no more.
    if let strap = usualStrap { addLink(strap) }
    mayHaveStrangers = true
    effects.append(.event(.namesChanged))
    scanChanges.addEverything()
  }

  /// Writes down what the link has told of its strap, if that is news.
  ///
  /// - Parameter seen: when it was last connected, if that is to be noted.
  mutating func remember(_ strap: StrapAddress, seen: WallTime? = nil) {
    guard let link = links[strap] else { return }
    var record = known.records[strap] ?? StrapRecord(strap)
    record.take(link.information)
    record.deviceName = ownName(of: strap) ?? record.deviceName
    record.lastSeen = seen ?? record.lastSeen
    keep(record)
  }

  /// A strap's level was read, or is shown by bluetoothd; most often it is the known one.
  mutating func batteryRead(_ strap: StrapAddress, _ level: BatteryLevel?) {
    // What nobody uses and nobody knows (any more) does not become known by it.
    guard let level, known.records[strap] != nil || links[strap]?.claims.isEmpty == false else { return }
    var record = known.records[strap] ?? StrapRecord(strap)
    let threshold = record.lowBattery.take(level)
    record.battery = level
    keep(record)
    guard let threshold else { return }
    effects.append(.event(.lowBattery(strap, level, threshold: threshold)))
    let text = "the battery of \(name(of: strap)) is low: \(level.percent) %"
    effects.append(.log(LogEntry(.warning, text, strap: strap)))
  }

  /// Takes a strap's changed record and has it written.
  mutating func keep(_ record: StrapRecord) {
    guard known.records[record.address] != record else { return }
    scanChanges.add(links[record.address]?.address ?? record.address)
    known.set(record.address, record)
    if isWorthKeeping(record) { effects.append(.record(.strap(record))) }
  }

  /// A private address is never seen again once it has changed: known for ever, such straps would pile up.
  private func isWorthKeeping(_ record: StrapRecord) -> Bool {
    guard record.name == nil, record.athlete == nil, record.address.isResolvablePrivate,
      let path = links[record.address]?.world.device?.path
    else { return true }
    return mirror.tree.devices[path]?.isRandom != true
  }
}
