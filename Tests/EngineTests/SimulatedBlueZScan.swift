import Bus
import Measurements

// How a simulated bluetoothd scans: it makes an object of whatever advertises, and tells services and signal only of what
// the filter asks for (update_found_devices in BlueZ's adapter.c).
extension SimulatedBlueZ {
  mutating func discover(_ member: String, _ message: BusMessage) -> [BusMessage] {
    switch member {
    case "SetDiscoveryFilter":
      filter = message.body.first?.asProperties?["UUIDs"]?.asStrings
      filters.append(filter?.joined(separator: ",") ?? "everything")
      if isDiscovering { lookAround() }
      return [reply(message, [])]
    case "StartDiscovery":
      if let discoveryError { return [BusMessage(.error(to: message.serial, discoveryError), sender: owner)] }
      // bluetoothd believes that it scans already.
      if hasDeadScan { return [reply(message, [])] }
      isDiscovering = true
      lookAround()
      return [reply(message, [])]
    default:
      isDiscovering = false
      isScanInterrupted = false
      // The kernel has ended the scan by itself; the second time bluetoothd knows.
      hasDeadScan = endsScanByItself && !hasDeadScan
      endsScanByItself = false
      guard !hasDeadScan else { return [error(message, "org.bluez.Error.InProgress")] }
      return [reply(message, [])]
    }
  }

  private mutating func lookAround() {
    for (address, strap) in straps where strap.isPresent && !strap.isConnected {
      later.append((.milliseconds(100), .seen(address)))
    }
  }

  func matches(_ strap: Strap) -> Bool { filter == nil || strap.advertisesHeartRate }

  /// A scan has heard a device.
  mutating func see(_ address: StrapAddress) -> [BusMessage] {
    guard isDiscovering, !isScanInterrupted, let strap = straps[address], strap.isPresent, !isConnectedByOther(address)
    else { return [] }
    guard strap.isKnown else {
      straps[address]?.isKnown = true
      return [added(path(address), device(address))]
    }
    guard matches(strap) else { return [] }
    let changes: KeyValuePairs<String, BusValue> = ["RSSI": .int16(strap.rssi), "UUIDs": .strings(strap.advertised)]
    return [changed(path(address), "org.bluez.Device1", changes)]
  }

  /// Its signal is another one, and the scan tells so.
  mutating func signal(_ address: StrapAddress, _ rssi: Int16) -> [BusMessage] {
    straps[address]?.rssi = rssi
    return [changed(path(address), "org.bluez.Device1", ["RSSI": .int16(rssi)])]
  }
}

extension SimulatedBlueZ.Strap {
  var advertised: [String] {
    (advertisesHeartRate ? [.heartRateService] : otherServices).map(\.description)
  }
}
