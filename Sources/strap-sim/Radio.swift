import Bus
import Measurements

/// What happens between the adapter and the straps, and what bluetoothd says of it.
extension World {
  /// A scan reports a strap.
  mutating func see(_ index: Int, at now: Tick) {
    sightings[index] = nil
    let strap = straps[index]
    guard let adapter, adapter.isDiscovering, strap.isPresent, adapter.reports(strap) else { return }
    guard let device = strap.device else {
      straps[index].device = Device(at: now)
      return added(.device(index))
    }
    guard !device.isConnected else { return }
    straps[index].device?.lastSeen = now
    straps[index].device?.isInScan = true
    changed(.device(index), .device, ["RSSI": .int16(strap.rssi)])
  }

  /// Lets the scan that is running, if one is, find the straps that it has not reported yet.
  mutating func lookAround(at now: Tick) {
    guard adapter?.isDiscovering == true else { return }
    for index in straps.indices where straps[index].device?.isInScan != true {
      sightings[index] = now + Self.sightingDelay
    }
  }

  /// The last scan ended: RSSI goes from every device, then Discovering.
  mutating func scanEnded(at now: Tick) {
    sightings = [:]
    for index in straps.indices where straps[index].device?.isInScan == true {
      straps[index].device?.isInScan = false
      if straps[index].isPresent { straps[index].device?.lastSeen = now }
      changed(.device(index), .device, [:], invalidated: ["RSSI"])
    }
    if let adapter { changed(.adapter(adapter), .adapter, ["Discovering": .boolean(false)]) }
    log("DISCOVERY off")
  }

  /// A Connect comes to its end, one way or the other.
  mutating func finishConnecting(_ index: Int, at now: Tick) {
    guard case .connecting(let caller, _, let failure)? = straps[index].device?.link else { return }
    if let failure {
      straps[index].device?.link = .down
      straps[index].device?.lastSeen = now
      return reply(to: caller, .error(failure))
    }
    linkUp(index, at: now)
    reply(to: caller, .values([]))
  }

  mutating func linkUp(_ index: Int, at now: Tick) {
    let strap = straps[index]
    straps[index].device?.link = .up(
      resolvedAt: strap.faults.resolveHangs ? nil : now + strap.declaration.resolving)
    changed(.device(index), .device, ["Connected": .boolean(true)])
    log("CONNECTED \(strap.tag)")
    // bluetoothd renews living clients' subscriptions by itself, before the services count as resolved.
    renewAll(index, at: now)
  }

  mutating func renewAll(_ index: Int, at now: Tick) {
    guard straps[index].notifies else { return }
    for service in straps[index].device?.services ?? [] {
      for characteristic in service.characteristics { renew(index, service, characteristic, at: now) }
    }
  }

  private mutating func renew(
    _ index: Int, _ service: Service, _ characteristic: Characteristic, at now: Tick
  ) {
    guard let session = straps[index].device?.sessions[characteristic.handle], !session.clients.isEmpty else { return }
    if !session.isNotifying {
      straps[index].device?.sessions[characteristic.handle]?.isNotifying = true
      changed(.characteristic(index, service, characteristic), .characteristic, ["Notifying": .boolean(true)])
    }
    if characteristic.uuid == .heartRateMeasurement { subscribed(index, at: now) }
  }

  /// Somebody hears a strap's heart rate from now on.
  mutating func subscribed(_ index: Int, at now: Tick) {
    log("SUBSCRIBED \(straps[index].tag)")
    straps[index].beginRecording(at: now)
  }

  /// The services are known: objects appear the first time, and stay from then on.
  mutating func resolve(_ index: Int, at now: Tick) {
    guard !straps[index].hangsUpOnEncryption else {
      lose(index, at: now)
      return advertise(index, at: now)
    }
    let known = straps[index].device?.services ?? []
    let found = Service.all(of: straps[index])
    for service in known where !found.contains(service) {
      for node in nodes(of: index, service).reversed() { removed(node) }
      for characteristic in service.characteristics {
        straps[index].device?.sessions[characteristic.handle] = nil
        straps[index].device?.values[characteristic.handle] = nil
      }
    }
    straps[index].device?.services = found
    for service in found where !known.contains(service) {
      for node in nodes(of: index, service) { added(node) }
    }
    straps[index].device?.link = .resolved
    // `Notifying` has stayed true where it was on the link before; that says nothing of this one.
    let isRenewing =
      straps[index].device?.pairing == nil
      && straps[index].device?.sessions.values.contains { !$0.clients.isEmpty } == true
    if isRenewing, !straps[index].notifies { waitForBond(index, at: now) }
    if known == found {
      added(.battery, to: .device(index))
      changed(.device(index), .device, ["ServicesResolved": .boolean(true)])
    } else {
      changed(.device(index), .device, ["UUIDs": uuids(of: straps[index]), "ServicesResolved": .boolean(true)])
      added(.battery, to: .device(index))
    }
  }

  /// The link breaks, or the strap hangs up. Objects and subscriptions stay.
  mutating func lose(_ index: Int, at now: Tick) {
    guard let device = straps[index].device, device.isConnected else { return }
    straps[index].device?.link = .down
    straps[index].device?.lastSeen = now
    if device.isResolved {
      changed(
        .device(index), .device, ["ServicesResolved": .boolean(false), "Connected": .boolean(false)])
      removed(.battery, from: .device(index))
    } else {
      changed(.device(index), .device, ["Connected": .boolean(false)])
    }
    log("DISCONNECTED \(straps[index].tag)")
    linkEnded(index)
  }

  /// What hung on a link that is gone.
  mutating func linkEnded(_ index: Int) {
    straps[index].device?.unbondedUntil = nil
    endPairing(index, .authenticationCanceled)
  }

  /// Notifications are asked for, by a client or for it, and have to wait until the link is encrypted.
  mutating func waitForBond(_ index: Int, at now: Tick) {
    guard straps[index].device?.unbondedUntil == nil else { return }
    straps[index].device?.unbondedUntil = now + Self.unbondedLimit
  }

  /// Notifications were asked for without a bond: nothing came of it but the link's end.
  mutating func dropUnbonded(_ index: Int, at now: Tick) {
    lose(index, at: now)
    advertise(index, at: now)
  }

  mutating func advertise(_ index: Int, at now: Tick) {
    answerConnect(index, at: now)
    if adapter?.isDiscovering == true { sightings[index] = now + Self.sightingDelay }
  }

  /// A strap that is there, and not held up by its script, answers a Connect that waits.
  mutating func answerConnect(_ index: Int, at now: Tick) {
    let strap = straps[index]
    guard case .connecting(let caller, nil, let failure)? = strap.device?.link, strap.isPresent,
      !strap.faults.connectHangs
    else { return }
    straps[index].device?.link = .connecting(caller, at: now + strap.declaration.connecting, failure: failure)
  }

  /// bluetoothd drops the object, and all below it.
  mutating func forget(_ index: Int) {
    endPairing(index, .authenticationCanceled)
    for node in nodes(of: index).reversed() { removed(node) }
    straps[index].device = nil
  }

  // MARK: - Notifications

  /// The strap's own packet is due. Nobody keeps it where nobody has subscribed.
  mutating func sendPacket(of index: Int, at now: Tick) {
    let packet = straps[index].packet(at: now)
    notify(index, .heartRateMeasurement, packet)
    if straps[index].recording != nil, straps[index].nextPacket == nil { log("PLAYED \(straps[index].tag)") }
  }

  /// One signal for each client that has notifications on, as bluetoothd makes them.
  mutating func notify(_ index: Int, _ uuid: BluetoothUUID, _ value: [UInt8]) {
    let strap = straps[index]
    guard let device = strap.device, device.isConnected, !strap.faults.isSilent, strap.notifies,
      let (service, characteristic) = device.characteristic(uuid),
      let session = device.sessions[characteristic.handle], session.isNotifying
    else { return }
    straps[index].device?.values[characteristic.handle] = value
    for _ in 0..<session.clients.count * strap.faults.copies {
      changed(.characteristic(index, service, characteristic), .characteristic, ["Value": .bytes(value)])
      if uuid == .heartRateMeasurement { log("SENT \(strap.tag) \(Hex.text(value))") }
    }
  }
}
