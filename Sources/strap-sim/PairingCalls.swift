import Bus
import Measurements

/// Pair and CancelPairing of org.bluez.Device1, and how a bond is made: never without an agent, as it is with bluetoothd.
extension World {
  /// How long the link stands on which notifications were asked for that are for bonded clients (seen with BlueZ 5.66).
  static let unbondedLimit = Duration.seconds(35)

  mutating func pair(_ index: Int, _ caller: Device.Caller, at now: Tick) -> Answer {
    guard adapter?.isPowered == true else { return .error(.notReady) }
    guard let device = straps[index].device, !device.isPaired else { return .error(.alreadyExists) }
    guard device.pairing == nil else { return .error(.inProgress) }
    let step = Device.Pairing.Step.beginning(at: now + straps[index].declaration.connecting)
    straps[index].device?.pairing = Device.Pairing(caller: caller, step: step)
    return .later
  }

  mutating func cancelPairing(_ index: Int) -> Answer {
    guard straps[index].device?.pairing != nil else { return .error(.doesNotExist) }
    endPairing(index, .authenticationCanceled)
    return .values([])
  }

  /// A step of a pairing has taken its time.
  mutating func goOnPairing(_ index: Int, at now: Tick) {
    switch straps[index].device?.pairing?.step {
    case .beginning: beginPairing(index, at: now)
    case .asked: endPairing(index, .authenticationFailed)
    case .exchanging: bond(index, at: now)
    case nil: break
    }
  }

  private mutating func beginPairing(_ index: Int, at now: Tick) {
    let strap = straps[index]
    guard let device = strap.device, let pairing = device.pairing else { return }
    guard device.isConnected || strap.isPresent else { return endPairing(index, .connectionAttemptFailed) }
    if !device.isConnected { linkUp(index, at: now) }
    // It would be the second time that the link is to be encrypted: the first one decides, and comes to nothing.
    guard device.unbondedUntil == nil, !strap.faults.pairHangs else {
      straps[index].device?.pairing?.step = .beginning(at: nil)
      return
    }
    if let error = strap.faults.pairError { return endPairing(index, error) }
    guard let agent = agent(for: pairing.caller.client), strap.asks.map(agent.capability.suffices) ?? true else {
      return endPairing(index, .authenticationFailed)
    }
    let serial = ask(agent, about: index, strap.asks)
    straps[index].device?.pairing?.step = .asked(agent, serial: serial, until: now + Self.agentTimeout)
  }

  private mutating func bond(_ index: Int, at now: Tick) {
    guard let pairing = straps[index].device?.pairing else { return }
    straps[index].device?.pairing = nil
    setBonded(index, true)
    straps[index].hasLostBond = false
    log("PAIRED \(straps[index].tag)")
    reply(to: pairing.caller, .values([]))
    if straps[index].device?.isConnected == true { renewAll(index, at: now) }
  }

  mutating func setBonded(_ index: Int, _ isBonded: Bool) {
    guard let device = straps[index].device, device.isPaired != isBonded else { return }
    straps[index].device?.isPaired = isBonded
    changed(.device(index), .device, ["Bonded": .boolean(isBonded), "Paired": .boolean(isBonded)])
  }

  /// A pairing comes to nothing; an agent that is still to answer is told.
  mutating func endPairing(_ index: Int, _ error: BusError) {
    guard let pairing = straps[index].device?.pairing else { return }
    straps[index].device?.pairing = nil
    if case .asked(let agent, _, _) = pairing.step { cancel(agent) }
    reply(to: pairing.caller, .error(error))
  }

  /// Whoever has called Pair is gone: nobody waits for the answer.
  mutating func endPairings(of client: ConnectionName) {
    for index in straps.indices {
      guard let pairing = straps[index].device?.pairing else { continue }
      if pairing.caller.client == client {
        straps[index].device?.pairing?.caller = Device.Caller(client: nil, serial: 0, wantsReply: false)
        endPairing(index, .authenticationCanceled)
      } else if case .asked(let agent, _, _) = pairing.step, agent.client == client {
        straps[index].device?.pairing?.step = .beginning(at: nil)  // there is nobody to be told
        endPairing(index, .authenticationFailed)
      }
    }
  }

  // MARK: - Bonds of an earlier life

  /// The host, and where it is not lost the strap, has the keys; or neither has.
  mutating func setBond(_ bond: Bond, _ index: Int, at now: Tick) {
    straps[index].hasLostBond = bond == .lost
    guard bond != .none else { return setBonded(index, false) }
    if straps[index].device == nil, adapter != nil {
      var device = Device(at: now)
      (device.isInScan, device.isPaired) = (false, true)
      straps[index].device = device
      added(.device(index))
    } else {
      setBonded(index, true)
    }
  }
}
