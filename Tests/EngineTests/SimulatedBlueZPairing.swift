import Bus
import Measurements

// How a simulated bluetoothd pairs: it asks our agent, and the strap takes the answers or not.
extension SimulatedBlueZ {
  /// The strap takes the bond, or asks for a person first.
  mutating func ask(_ address: StrapAddress) -> [BusMessage] {
    guard let strap = straps[address], strap.pendingPair != nil else { return [] }
    // Just Works asks this even so.
    guard let question = strap.asks else { return [agentCall("RequestAuthorization", address, [])] }
    guard agent != nil, strap.agentOfItsLink == "KeyboardDisplay" else { return failPairing(address) }
    switch question {
    case .passkey: return [agentCall("RequestPasskey", address, [])]
    case .pinCode: return [agentCall("RequestPinCode", address, [])]
    case .confirmation(let number): return [agentCall("RequestConfirmation", address, [.uint32(number)])]
    case .shownPasskey(let number): return [agentCall("DisplayPasskey", address, [.uint32(number), .uint16(0)])]
    }
  }

  private mutating func agentCall(_ member: MemberName, _ address: StrapAddress, _ rest: [BusValue]) -> BusMessage {
    serial += 1
    asked[serial] = address
    return BusMessage(
      .call(BusCall("/io/strapd/agent", "org.bluez.Agent1", member)), serial: serial, sender: owner,
      destination: ":1.99", body: [.objectPath(path(address))] + rest)
  }

  /// What our agent says to what was asked.
  mutating func takeAnswer(_ message: BusMessage) -> [BusMessage] {
    switch message.kind {
    case .reply(let serial):
      answers += message.body
      guard let address = asked.removeValue(forKey: serial), let strap = straps[address] else { return [] }
      let right: [BusValue] =
        switch strap.asks {
        case .passkey(let number): [.uint32(number)]
        case .pinCode(let text): [.string(text)]
        case .confirmation, .shownPasskey, nil: []
        }
      guard message.body == right else { return failPairing(address) }
      guard let pending = strap.pendingPair else { return [] }
      straps[address]?.pendingPair = nil
      straps[address]?.isBonded = true
      let changes: KeyValuePairs<String, BusValue> = ["Paired": .boolean(true), "Bonded": .boolean(true)]
      return [
        changed(path(address), "org.bluez.Device1", changes), BusMessage(.reply(to: pending), sender: owner),
      ]
    case .error(let serial, let error):
      answers.append(.string(error.name.description))
      return asked.removeValue(forKey: serial).map { failPairing($0) } ?? []
    case .call, .signal: return []
    }
  }

  private mutating func failPairing(_ address: StrapAddress) -> [BusMessage] {
    guard let pending = straps[address]?.pendingPair else { return [] }
    straps[address]?.pendingPair = nil
    let failure = BusError(name: "org.bluez.Error.AuthenticationFailed", text: "Authentication Failed")
    return [BusMessage(.error(to: pending, failure), sender: owner)]
  }

  /// Somebody who is not bluetoothd calls the agent.
  func strangersCall(_ address: StrapAddress) -> BusMessage {
    BusMessage(
      .call(BusCall("/io/strapd/agent", "org.bluez.Agent1", "RequestAuthorization")), serial: 77, sender: ":1.66",
      destination: ":1.99", body: [.objectPath(path(address))])
  }

  /// bluetoothd asks the agent about this strap, whether or not it is being paired.
  mutating func askAgent(_ address: StrapAddress) -> BusMessage {
    agentCall("RequestAuthorization", address, [])
  }
}
