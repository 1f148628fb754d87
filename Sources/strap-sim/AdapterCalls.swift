import Bus
import Measurements

/// org.bluez.Adapter1.
extension World {
  mutating func ofAdapter(
    _ member: MemberName, _ body: [BusValue], _ caller: Device.Caller, at now: Tick
  ) -> Answer {
    guard let client = caller.client else { return .error(.invalidArguments) }
    switch member.description {
    case "StartDiscovery": return startDiscovery(client, at: now)
    case "StopDiscovery": return stopDiscovery(client, at: now)
    case "SetDiscoveryFilter":
      guard let filter = body.first.flatMap(DiscoveryFilter.init) else { return .error(.invalidArguments) }
      adapter?.filters[client] = filter
      lookAround(at: now)
      return .values([])
    case "GetDiscoveryFilters":
      return .values([
        .strings(["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"])
      ])
    case "RemoveDevice": return removeDevice(body, at: now)
    default: return .error(.notSupported)
    }
  }

  private mutating func startDiscovery(_ client: ConnectionName, at now: Tick) -> Answer {
    guard adapter?.isPowered == true else { return .error(.notReady) }
    guard adapter?.discoverers.contains(client) == false else { return .error(.inProgress) }
    let isFirst = adapter?.isDiscovering == false
    adapter?.discoverers.append(client)
    if isFirst, let adapter {
      log("DISCOVERY on")
      changed(.adapter(adapter), .adapter, ["Discovering": .boolean(true)])
    }
    lookAround(at: now)
    return .values([])
  }

  mutating func stopDiscovery(_ client: ConnectionName, at now: Tick) -> Answer {
    guard adapter?.isPowered == true else { return .error(.notReady) }
    guard adapter?.discoverers.contains(client) == true else { return .error(.failed("No discovery started")) }
    adapter?.discoverers.removeAll { $0 == client }
    if adapter?.isDiscovering == false { scanEnded(at: now) }
    return .values([])
  }

  private mutating func removeDevice(_ body: [BusValue], at now: Tick) -> Answer {
    guard let path = body.first?.asObjectPath, case .device(let index)? = node(at: path) else {
      return .error(.doesNotExist)
    }
    cancelConnect(index, at: now)
    hangUp(index, at: now)
    forget(index)
    if adapter?.isDiscovering == true { sightings[index] = now + Self.sightingDelay }
    return .values([])
  }

  mutating func setPowered(_ isOn: Bool, at now: Tick) -> Answer {
    guard let adapter else { return .error(.notReady) }
    if isOn, adapter.isBlocked { return .error(.blocked) }
    log("CALL \(adapter.name) Powered=\(isOn)")
    if isOn != adapter.isPowered { setPower(isOn, at: now) }
    return .values([])
  }
}
