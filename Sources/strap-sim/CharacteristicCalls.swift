import Bus
import Measurements

/// org.bluez.GattCharacteristic1.
extension World {
  mutating func ofCharacteristic(
    _ member: MemberName, _ body: [BusValue], _ index: Int, _ service: Service, _ characteristic: Characteristic,
    _ caller: Device.Caller, at now: Tick
  ) -> Answer {
    guard let client = caller.client else { return .error(.invalidArguments) }
    switch member.description {
    case "ReadValue": return read(index, service, characteristic)
    case "WriteValue": return write(body.first?.asBytes ?? [], index, characteristic)
    case "StartNotify": return startNotify(client, index, service, characteristic, at: now)
    case "StopNotify":
      return stopNotify(client, index, service, characteristic)
        ? .values([]) : .error(.failed("No notify session started"))
    // AcquireNotify and AcquireWrite: strapd's way is StartNotify.
    default: return .error(.notSupported)
    }
  }

  /// org.bluez.GattDescriptor1: of the descriptors by which notifications are switched on, which only bluetoothd writes.
  func ofDescriptor(_ member: MemberName, _ index: Int, _ characteristic: Characteristic) -> Answer {
    guard let device = straps[index].device, device.isConnected else { return .error(.failed("Not connected")) }
    guard member == "ReadValue" else { return .error(.notPermitted("Write not permitted")) }
    return .values([.bytes([device.sessions[characteristic.handle]?.isNotifying == true ? 1 : 0, 0])])
  }

  private mutating func read(_ index: Int, _ service: Service, _ characteristic: Characteristic) -> Answer {
    guard straps[index].device?.isConnected == true else { return .error(.failed("Not connected")) }
    guard let value = straps[index].value(of: characteristic) else {
      return .error(.notPermitted("Read not permitted"))
    }
    straps[index].device?.values[characteristic.handle] = value
    changed(.characteristic(index, service, characteristic), .characteristic, ["Value": .bytes(value)])
    return .values([.bytes(value)])
  }

  private mutating func write(_ value: [UInt8], _ index: Int, _ characteristic: Characteristic) -> Answer {
    guard straps[index].device?.isConnected == true else { return .error(.failed("Not connected")) }
    guard characteristic.flags.contains("write") else { return .error(.notPermitted("Write not permitted")) }
    guard characteristic.uuid == .heartRateControlPoint else { return .values([]) }
    guard value == [1] else { return .error(.failed("Operation failed with ATT error: 0x80")) }
    if straps[index].energyKilojoules != nil { straps[index].energyKilojoules = 0 }
    log("ENERGY \(straps[index].tag) reset")
    return .values([])
  }

  private mutating func startNotify(
    _ client: ConnectionName, _ index: Int, _ service: Service, _ characteristic: Characteristic, at now: Tick
  ) -> Answer {
    guard characteristic.notifies, let device = straps[index].device else { return .error(.notSupported) }
    if let error = straps[index].faults.notifyError { return .error(error) }
    var session = device.sessions[characteristic.handle] ?? Device.NotifySession()
    guard !session.clients.contains(client) else {
      return .error(session.isNotifying && device.isConnected ? .failed("Already notifying") : .inProgress)
    }
    session.clients.append(client)
    if device.isConnected, !straps[index].notifies {
      // Never answered: bluetoothd waits for the link to be encrypted, until the link ends.
      straps[index].device?.sessions[characteristic.handle] = session
      waitForBond(index, at: now)
      return .later
    }
    // Without a link this succeeds all the same; the strap is told when it is back.
    let isNew = device.isConnected && !session.isNotifying
    session.isNotifying = session.isNotifying || device.isConnected
    straps[index].device?.sessions[characteristic.handle] = session
    if isNew {
      changed(.characteristic(index, service, characteristic), .characteristic, ["Notifying": .boolean(true)])
      if characteristic.uuid == .heartRateMeasurement { subscribed(index, at: now) }
    }
    return .values([])
  }

  /// Ends a client's notifications; false where it has none.
  mutating func stopNotify(
    _ client: ConnectionName, _ index: Int, _ service: Service, _ characteristic: Characteristic
  ) -> Bool {
    guard let device = straps[index].device, var session = device.sessions[characteristic.handle],
      session.clients.contains(client)
    else { return false }
    session.clients.removeAll { $0 == client }
    let isLast = session.clients.isEmpty && session.isNotifying
    if isLast { session.isNotifying = false }
    straps[index].device?.sessions[characteristic.handle] = session
    if isLast {
      changed(.characteristic(index, service, characteristic), .characteristic, ["Notifying": .boolean(false)])
      if device.isConnected, characteristic.uuid == .heartRateMeasurement { log("UNSUBSCRIBED \(straps[index].tag)") }
    }
    return true
  }
}
