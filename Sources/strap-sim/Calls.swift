import Bus
import Measurements

/// What clients ask of bluetoothd.
extension World {
  /// How a call is answered.
  enum Answer {
    case values([BusValue])
    case error(BusError)
    /// When something has happened; the caller is remembered.
    case later
  }

  /// Takes a message from the bus: a call, an agent's answer, or the news that a client has left.
  mutating func take(_ message: BusMessage, at now: Tick) {
    switch message.kind {
    case .call(let call):
      let caller = Device.Caller(client: message.sender, serial: message.serial, wantsReply: !call.withoutReply)
      reply(to: caller, answer(call, message.body, caller, at: now))
    case .signal(_, "org.freedesktop.DBus", "NameOwnerChanged"):
      guard message.sender == BusDaemon.name, case .string(let name)? = message.body.first, message.body.count == 3,
        message.body[2] == .string(""), let client = ConnectionName(name)
      else { return }
      clientLeft(client, at: now)
    case .reply(let serial): agentAnswered(serial, by: message.sender, message.body, at: now)
    case .error(let serial, _): agentAnswered(serial, by: message.sender, nil, at: now)
    case .signal: break
    }
  }

  mutating func reply(to caller: Device.Caller, _ answer: Answer) {
    guard caller.wantsReply else { return }
    switch answer {
    case .values(let body):
      send(BusMessage(.reply(to: caller.serial), destination: caller.client, body: body))
    case .error(let error):
      send(BusMessage(.error(to: caller.serial, error), destination: caller.client))
    case .later: break
    }
  }

  /// Discovery and notifications belong to a client and end with it; links stay.
  private mutating func clientLeft(_ client: ConnectionName, at now: Tick) {
    endPairings(of: client)
    removeAgent(of: client)
    adapter?.filters[client] = nil
    if adapter?.discoverers.contains(client) == true { _ = stopDiscovery(client, at: now) }
    for index in straps.indices {
      for service in straps[index].device?.services ?? [] {
        for characteristic in service.characteristics { _ = stopNotify(client, index, service, characteristic) }
      }
    }
  }

  private mutating func answer(
    _ call: BusCall, _ body: [BusValue], _ caller: Device.Caller, at now: Tick
  ) -> Answer {
    guard let node = node(at: call.path) else {
      if call.interface == InterfaceDefinition.introspectable.name, let text = introspection(at: call.path) {
        return .values([.string(text)])
      }
      return .error(.unknown(call, body, isObject: false))
    }
    let own = interfaces(of: node).map(\.definition)
    let definitions = own + [.introspectable, .properties]
    guard let definition = definitions.first(where: { $0.name == call.interface }),
      let method = definition.methods.first(where: { $0.name == call.member }),
      method.takes == BusSignature(body.map(\.type)).description
    else { return .error(.unknown(call, body, isObject: true)) }

    switch definition.name {
    case InterfaceDefinition.introspectable.name:
      return .values([.string(introspection(at: call.path) ?? "")])
    case InterfaceDefinition.properties.name:
      return properties(call.member, body, node, at: now)
    case InterfaceDefinition.objectManager.name:
      return .values([managedObjects])
    case InterfaceDefinition.agentManager.name:
      return ofAgentManager(call.member, body, caller)
    default:
      return answer(call.member, body, node, caller, at: now)
    }
  }

  private mutating func answer(
    _ member: MemberName, _ body: [BusValue], _ node: Node, _ caller: Device.Caller, at now: Tick
  ) -> Answer {
    switch node {
    case .root, .bluez, .service: return .error(.notSupported)
    case .descriptor(let index, _, let characteristic):
      log("CALL \(straps[index].tag) \(member) 2902")
      return ofDescriptor(member, index, characteristic)
    case .adapter(let adapter):
      log("CALL \(adapter.name) \(member)")
      return ofAdapter(member, body, caller, at: now)
    case .device(let index):
      log("CALL \(straps[index].tag) \(member)")
      return ofDevice(member, index, caller, at: now)
    case .characteristic(let index, let service, let characteristic):
      log("CALL \(straps[index].tag) \(member) \(characteristic.shortName)")
      return ofCharacteristic(member, body, index, service, characteristic, caller, at: now)
    }
  }

  // MARK: - Properties

  private mutating func properties(
    _ member: MemberName, _ body: [BusValue], _ node: Node, at now: Tick
  ) -> Answer {
    let name = body.first?.asString ?? ""
    let own = interfaces(of: node)
    guard let (definition, properties) = own.first(where: { $0.definition.name.description == name }) else {
      let isCommon = [InterfaceDefinition.introspectable, .properties].contains { $0.name.description == name }
      return isCommon && member == "GetAll" ? .values([.properties([:])]) : .error(.noInterface(name))
    }
    if member == "GetAll" { return .values([Self.dictionary(properties)]) }
    let key = body.count > 1 ? body[1].asString ?? "" : ""
    guard let property = definition.properties.first(where: { $0.name == key }) else {
      return .error(.noProperty(key))
    }
    if member == "Get" {
      guard let value = properties.first(where: { $0.name == key })?.value else { return .error(.noProperty(key)) }
      return .values([.variant(value)])
    }
    guard property.isWritable else { return .error(.readOnly(key)) }
    guard case .variant(let value)? = body.last, value.type.code == property.type else { return .error(.wrongType) }
    return set(key, to: value, node, at: now)
  }

  private mutating func set(_ key: String, to value: BusValue, _ node: Node, at now: Tick) -> Answer {
    switch (node, key) {
    case (.adapter, "Powered"): return setPowered(value.asBool == true, at: now)
    case (.adapter, "Alias"): adapter?.alias = value.asString ?? ""
    case (.adapter, "Discoverable"): adapter?.isDiscoverable = value.asBool == true
    case (.adapter, "Pairable"): adapter?.isPairable = value.asBool == true
    case (.device(let index), "Alias"): straps[index].device?.alias = value.asString
    case (.device(let index), "Trusted"): straps[index].device?.isTrusted = value.asBool == true
    case (.device(let index), "Blocked"): straps[index].device?.isBlocked = value.asBool == true
    default: return .error(.readOnly(key))
    }
    let definition: InterfaceDefinition = if case .adapter = node { .adapter } else { .device }
    changed(node, definition, [key: value])
    return .values([])
  }
}
