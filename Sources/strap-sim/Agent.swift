import Bus
import Measurements

/// A client's pairing agent, as it has registered it (org.bluez.AgentManager(5)).
struct Agent: Equatable {
  let client: ConnectionName
  let path: ObjectPath
  let capability: Capability

  enum Capability: String {
    case displayOnly = "DisplayOnly"
    case displayYesNo = "DisplayYesNo"
    case keyboardOnly = "KeyboardOnly"
    case noInputNoOutput = "NoInputNoOutput"
    case keyboardDisplay = "KeyboardDisplay"

    /// Nil for a name that bluetoothd refuses.
    init?(named name: String) {
      if name.isEmpty { self = .keyboardDisplay } else { self.init(rawValue: name) }
    }

    /// Whether a person behind such an agent can do what a strap insists on.
    func suffices(for question: Question) -> Bool {
      switch question {
      case .passkey, .pin: self == .keyboardOnly || self == .keyboardDisplay
      case .confirm: self == .displayYesNo || self == .keyboardDisplay
      case .show, .showPin: self == .displayOnly || self == .displayYesNo || self == .keyboardDisplay
      }
    }
  }
}

/// What a strap insists on of a person.
enum Question: Equatable {
  /// The strap shows it, the person types it here.
  case passkey(UInt32)
  case pin(String)
  /// Both sides show it, and the person says whether it is the same.
  case confirm(UInt32)
  /// It is shown here, the person types it on the strap.
  case show(UInt32)
  case showPin(String)

  /// How the agent is asked (org.bluez.Agent(5)); behind the device's path come further arguments.
  fileprivate var call: (member: MemberName, arguments: [BusValue]) {
    switch self {
    case .passkey: ("RequestPasskey", [])
    case .pin: ("RequestPinCode", [])
    case .confirm(let number): ("RequestConfirmation", [.uint32(number)])
    case .show(let number): ("DisplayPasskey", [.uint32(number), .uint16(0)])
    case .showPin(let text): ("DisplayPinCode", [.string(text)])
    }
  }

  /// What the agent has to answer.
  fileprivate var rightAnswer: [BusValue] {
    switch self {
    case .passkey(let number): [.uint32(number)]
    case .pin(let text): [.string(text)]
    case .confirm, .show, .showPin: []
    }
  }

  /// Whether the person is busy on the strap after the agent has answered.
  fileprivate var isTypedOnStrap: Bool {
    switch self {
    case .show, .showPin: true
    case .passkey, .pin, .confirm: false
    }
  }
}

/// org.bluez.AgentManager1, and what agents are asked.
extension World {
  /// How long bluetoothd waits for an agent's reply (REQUEST_TIMEOUT in BlueZ's src/agent.c).
  static let agentTimeout = Duration.seconds(60)

  mutating func ofAgentManager(_ member: MemberName, _ body: [BusValue], _ caller: Device.Caller) -> Answer {
    guard let client = caller.client, let path = body.first?.asObjectPath else { return .error(.invalidArguments) }
    let own = agents.first { $0.client == client }
    switch member.description {
    case "RegisterAgent":
      guard own == nil else { return .error(.alreadyExists) }
      guard let capability = body.last?.asString.flatMap(Agent.Capability.init(named:)) else {
        return .error(.invalidArguments)
      }
      agents.append(Agent(client: client, path: path, capability: capability))
      log("AGENT \(capability.rawValue)")
    case "UnregisterAgent":
      guard own?.path == path else { return .error(.doesNotExist) }
      removeAgent(of: client)
    default:
      guard own?.path == path else { return .error(.doesNotExist) }
      defaultAgents.removeAll { $0 == client }
      defaultAgents.insert(client, at: 0)
    }
    return .values([])
  }

  /// A request that the agent is still to answer stays with it.
  mutating func removeAgent(of client: ConnectionName) {
    guard agents.contains(where: { $0.client == client }) else { return }
    agents.removeAll { $0.client == client }
    defaultAgents.removeAll { $0 == client }
    log("AGENT none")
  }

  /// The agent that is asked about a client's Pair: its own, else the default one.
  func agent(for client: ConnectionName?) -> Agent? {
    agents.first { $0.client == client } ?? defaultAgents.first.flatMap { first in agents.first { $0.client == first } }
  }

  /// Asks an agent about a strap; without a question, what is asked even where nobody need be asked.
  mutating func ask(_ agent: Agent, about index: Int, _ question: Question?) -> UInt32 {
    let (member, arguments) = question?.call ?? ("RequestAuthorization", [])
    log("ASKS \(straps[index].tag) \(member)")
    return call(agent, member, [.objectPath(path(of: .device(index)))] + arguments)
  }

  /// Tells an agent that what it was asked is void.
  mutating func cancel(_ agent: Agent) {
    _ = call(agent, "Cancel", [], withoutReply: true)
  }

  private mutating func call(
    _ agent: Agent, _ member: MemberName, _ body: [BusValue], withoutReply: Bool = false
  ) -> UInt32 {
    lastSerial += 1
    let call = BusCall(agent.path, "org.bluez.Agent1", member, withoutReply: withoutReply)
    send(BusMessage(.call(call), serial: lastSerial, destination: agent.client, body: body))
    return lastSerial
  }

  /// A reply or an error, which an agent may have given: nil for an error.
  mutating func agentAnswered(_ serial: UInt32, by sender: ConnectionName?, _ body: [BusValue]?, at now: Tick) {
    for index in straps.indices {
      guard case .asked(let agent, serial, _)? = straps[index].device?.pairing?.step,
        sender == agent.client || sender == BusDaemon.name
      else { continue }
      let question = straps[index].asks
      let typing = question?.isTypedOnStrap == true ? straps[index].declaration.connecting : .zero
      straps[index].device?.pairing?.step = .exchanging(until: now + typing)
      if body != question?.rightAnswer ?? [] { endPairing(index, .authenticationFailed) }
    }
  }
}
