import BlueZ
import Bus
import Control
import Measurements

/// A client that scans, and what it was told. It is a claim on the discovery of its adapters, and ends with the client.
struct Scan: Sendable {
  /// Devices without the Heart Rate Service as well.
  let includesAll: Bool
  /// The adapter that scans; nil leaves it to the configuration, or to all.
  let adapter: StrapAddress?
  fileprivate(set) var told: [StrapAddress: Told] = [:]
  fileprivate(set) var advice: String?
  fileprivate(set) var isScanning = false

  struct Told: Sendable {
    var device: ScannedDevice
    var at: Tick
  }

  /// A device's signal changes with each of its advertisements: it is told no more often than so.
  static let signalInterval = Duration.seconds(1)
}

/// Which devices have changed since scanning clients were told.
struct ScanChanges: Sendable {
  fileprivate var isEverything = false
  fileprivate var addresses: Set<StrapAddress> = []
  /// Devices of which only the signal has changed, too soon after the last time.
  fileprivate var early: Set<StrapAddress> = []
  fileprivate var due: Tick?

  mutating func add(_ address: StrapAddress) {
    addresses.insert(address)
  }

  mutating func addEverything() {
    isEverything = true
  }
}

// What clients see who scan.
extension Roster {
  /// A client scans until it is gone; the first report is among the effects.
  mutating func scan(includesAll: Bool, by adapter: StrapAddress?, for client: ClientID, at now: Moment)
    -> [RosterEffect]
  {
    let adapter = adapter ?? configuration.adapter
    scans[client] = Scan(includesAll: includesAll, adapter: adapter)
    reconsider(at: now)
    report(to: client, sight(by: adapter), isFirst: true, at: now)
    return takeEffects()
  }

  /// The client is gone, or may not scan any more.
  mutating func endScan(of client: ClientID, at now: Moment) {
    guard scans.removeValue(forKey: client) != nil else { return }
    reconsider(at: now)
  }

  mutating func endAllScans() {
    for client in scans.keys.sorted() { effects.append(.event(.answered(client, .error(.shuttingDown)))) }
    scans.removeAll()
  }

  /// Which devices are asked for, as long as anybody wants any.
  var discoveryScope: DiscoveryScope { scans.values.contains(where: \.includesAll) ? .everything : .straps }

  /// A change in bluetoothd's tree, as far as scanning clients may see it.
  mutating func scanMayHaveChanged(_ path: ObjectPath) {
    if let device = mirror.tree.devices[path] {
      scanChanges.add(device.address)
    } else if mirror.tree.characteristics[path] == nil {
      scanChanges.addEverything()
    }
  }

  /// Tells scanning clients what has changed within this wake-up.
  mutating func tellScans(at now: Moment) -> [RosterEffect] {
    if scans.isEmpty {
      scanChanges = ScanChanges()
      return takeEffects()
    }
    let isWhole = scanChanges.isEverything
    for (client, scan) in scans.sorted(by: { $0.key < $1.key }) {
      let sight: [StrapAddress: ScannedDevice?]
      if isWhole {
        sight = self.sight(by: scan.adapter)
      } else {
        let changed = scanChanges.addresses.map { ($0, scanned($0, objects(of: $0, by: scan.adapter))) }
        sight = Dictionary(uniqueKeysWithValues: changed)
      }
      let lost = isWhole ? Set(scan.told.keys).subtracting(sight.keys) : []
      report(to: client, sight.merging(lost.map { ($0, nil) }) { old, _ in old }, isFirst: false, at: now)
    }
    scanChanges.isEverything = false
    scanChanges.addresses.removeAll()
    return takeEffects()
  }

  /// Signals that came too early may be due.
  mutating func scanDeadlinePassed() {
    scanChanges.addresses.formUnion(scanChanges.early)
    scanChanges.early.removeAll()
    scanChanges.due = nil
  }

  // MARK: Telling

  private mutating func report(
    to client: ClientID, _ sight: [StrapAddress: ScannedDevice?], isFirst: Bool, at now: Moment
  ) {
    guard var scan = scans[client] else { return }
    let host = hostAdvice(by: scan.adapter)
    var report = ScanReport(
      devices: [], advice: host ?? scanAdvice(by: scan.adapter),
      isScanning: host == nil && isScanning(by: scan.adapter))
    for (address, device) in sight.sorted(by: { $0.key < $1.key }) {
      let told = scan.told[address]
      guard let device, device.hasHeartRate || scan.includesAll else {
        if scan.told.removeValue(forKey: address) != nil { report.gone.append(address) }
        continue
      }
      if let told {
        if told.device == device { continue }
        let next = told.at + Scan.signalInterval
        if device.differsInSignalOnly(from: told.device), now.tick < next {
          wait(for: address, until: next)
          continue
        }
      }
      scan.told[address] = Scan.Told(device: device, at: now.tick)
      report.devices.append(device)
    }
    let isOther = scan.advice != report.advice || scan.isScanning != report.isScanning
    let isNews = !report.devices.isEmpty || !report.gone.isEmpty || isOther
    (scan.advice, scan.isScanning) = (report.advice, report.isScanning)
    scans[client] = scan
    if isFirst || isNews { effects.append(.event(.answered(client, .scan(report)))) }
  }

  private mutating func wait(for address: StrapAddress, until tick: Tick) {
    scanChanges.early.insert(address)
    if let due = scanChanges.due, due <= tick { return }
    scanChanges.due = tick
    effects.append(.deadline(.scan, tick))
  }

  /// What keeps an adapter that is on (nil: all of them) from scanning; nil while nothing does.
  func scanAdvice(by adapter: StrapAddress?) -> String? {
    let powered = mirror.tree.adapters.filter { $0.value.isPowered && (adapter == nil || $0.value.address == adapter) }
    guard !powered.isEmpty, powered.keys.allSatisfy(scanFaults.contains) else { return nil }
    guard powered.keys.contains(where: { discoveries[$0] == .resting }) else {
      return "bluetoothd was asked to scan and does not answer: systemctl restart bluetooth"
    }
    return "bluetoothd does not scan (\(scanRefusal?.description ?? "no reason")); it is asked again every 5 s"
  }

  /// - Parameter adapter: nil means any.
  private func isScanning(by adapter: StrapAddress?) -> Bool {
    discoveries.contains { path, discovery in
      guard adapter == nil || mirror.tree.adapters[path]?.address == adapter else { return false }
      switch discovery {
      case .on, .refiltering: return true
      case .filtering, .starting, .stopping, .resting, .stopRefused, .stoppingAgain: return false
      }
    }
  }

  // MARK: What is in sight

  private func sight(by adapter: StrapAddress?) -> [StrapAddress: ScannedDevice?] {
    Dictionary(grouping: objects(by: adapter), by: \.address).reduce(into: [:]) { sight, found in
      sight[found.key] = scanned(found.key, found.value)
    }
  }

  private func objects(of address: StrapAddress, by adapter: StrapAddress?) -> [ObjectTree.Device] {
    objects(by: adapter).filter { $0.address == address }
  }

  /// - Parameter adapter: nil means all.
  private func objects(by adapter: StrapAddress?) -> [ObjectTree.Device] {
    guard let adapter else { return Array(mirror.tree.devices.values) }
    guard let path = mirror.tree.adapter(adapter) else { return [] }
    return mirror.tree.devices.filter { mirror.tree.adapter(ofDevice: $0.key) == path }.map(\.value)
  }

  private func scanned(_ address: StrapAddress, _ objects: [ObjectTree.Device]) -> ScannedDevice? {
    if objects.isEmpty { return nil }
    // A strap that has changed its private address is known by the first one.
    let strap = links.first { $0.value.address == address }?.key ?? address
    var device = ScannedDevice(address)
    device.name = objects.compactMap(\.ownName).min()
    device.givenName = known.name(of: strap)
    device.rssi = objects.compactMap(\.rssi).max()
    device.hasHeartRate = objects.contains { $0.services.contains(.heartRateService) }
    device.battery = objects.compactMap(\.battery).first ?? known.records[strap]?.battery
    device.isConnected = objects.contains(where: \.isConnected)
    device.isBonded = objects.contains(where: \.isBonded)
    device.isKnown = known.contains(strap) || links[strap] != nil
    return device
  }
}
