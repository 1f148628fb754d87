import Bus
import Measurements

/// org.bluez.Device1.
extension World {
  mutating func ofDevice(_ member: MemberName, _ index: Int, _ caller: Device.Caller, at now: Tick) -> Answer {
    switch member.description {
    case "Connect": return connect(index, caller, at: now)
    case "Disconnect":
      guard let device = straps[index].device, device.link != .down else { return .error(.notConnected) }
      cancelConnect(index, at: now)
      hangUp(index, at: now)
      return .values([])
    case "Pair": return pair(index, caller, at: now)
    case "CancelPairing": return cancelPairing(index)
    default: return .error(.notSupported)
    }
  }

  private mutating func connect(_ index: Int, _ caller: Device.Caller, at now: Tick) -> Answer {
    guard adapter?.isPowered == true else { return .error(.notReady) }
    switch straps[index].device?.link {
    case .up, .resolved: return .values([])
    case .connecting: return .error(.inProgress)
    case .down, nil: break
    }
    let failure = straps[index].faults.connectError
    straps[index].device?.link = .connecting(caller, at: nil, failure: failure)
    straps[index].faults.connectError = nil
    answerConnect(index, at: now)
    return .later
  }

  /// Disconnect during a Connect: the one that waits is told so.
  mutating func cancelConnect(_ index: Int, at now: Tick) {
    guard case .connecting(let caller, _, _)? = straps[index].device?.link else { return }
    straps[index].device?.link = .down
    straps[index].device?.lastSeen = now
    reply(to: caller, .error(.failed("br-connection-canceled")))
  }

  /// The host ends the link: in steps, other than when it breaks.
  mutating func hangUp(_ index: Int, at now: Tick) {
    guard let device = straps[index].device, device.isConnected else { return }
    if device.isResolved {
      removed(.battery, from: .device(index))
      changed(.device(index), .device, ["ServicesResolved": .boolean(false)])
    }
    straps[index].device?.link = .down
    straps[index].device?.lastSeen = now
    changed(.device(index), .device, ["Connected": .boolean(false)])
    log("DISCONNECTED \(straps[index].tag)")
    linkEnded(index)
    if adapter?.isDiscovering == true { sightings[index] = now + Self.sightingDelay }
  }
}
