import BlueZ
import Bus
import Control
import Measurements
import Workout

/// A pairing that a client has asked for.
struct PairingRequest: Sendable {
  let client: ClientID
  let call: PairCall
  var phase: Phase
  /// A strap that does not take the bond that needs no person is asked with a person's help, where there is one.
  var capability = Agent.Capability.noInputNoOutput
  /// bluetoothd's question to our agent that the person is to answer.
  var question: BusMessage?
  /// What the client was told last.
  var told: PairingReport.Progress?

  enum Phase: Hashable, Sendable {
    /// The old bond is being removed.
    case removing
    case pairing
  }
}

// Pairings that clients ask for. The link machines make them; this part keeps the agent registered while one does, and
// stands between the agent and the person.
extension Roster {
  /// How long the strap may take to be found and connected.
  static let pairingSearchLimit = Duration.seconds(60)

  mutating func pair(_ call: PairCall, for client: ClientID, at now: Moment) throws(ControlError) -> [RosterEffect] {
    if let busy = pairings.keys.first { throw .pairingBusy(busy) }
    let strap = try strapToPair(call.strap)
    addLink(strap)
    let device = links[strap]?.world.device.flatMap { mirror.tree.devices[$0.path] }
    // Those that have just been found may not have told their services yet.
    if let device, !device.services.isEmpty, !device.services.contains(.heartRateService) { throw .noHeartRate(strap) }
    let isBonded = device?.isBonded == true
    guard !isBonded || call.again else {
      effects.append(.event(.answered(client, .pairing(PairingReport(strap, .paired)))))
      return takeEffects()
    }
    if isBonded, links[strap]?.machine.status == .streaming, let session = sessions(on: strap).first {
      throw .strapInUse(strap, by: session)
    }
    pairings[strap] = PairingRequest(client: client, call: call, phase: isBonded ? .removing : .pairing)
    effects.append(.deadline(.pairing(strap), now.tick + Self.pairingSearchLimit))
    use(strap, for: .pairing(client), at: now)
    if isBonded {
      removeToPair(strap)
    } else {
      step(strap, at: now) { $0.pair($1, at: now) }
    }
    reconsider(at: now)
    return takeEffects()
  }

  private func strapToPair(_ named: StrapAddress?) throws(ControlError) -> StrapAddress {
    if let named { return named }
    if let usual = try defaultStrap.get() { return usual }
    let seen = mirror.tree.devices.values
      .filter { $0.services.contains(.heartRateService) && ($0.rssi != nil || $0.isConnected) }
      .map(\.address).sorted()
    if seen.count > 1 { throw .strapAmbiguous(seen) }
    guard let only = seen.first else { throw .noStrap }
    return only
  }

  func sessions(on strap: StrapAddress) -> [SessionID] {
    (links[strap]?.claims ?? []).compactMap { claim in
      switch claim {
      case .session(let id): id
      case .postExercise, .pairing, .monitor: nil
      }
    }.sorted()
  }

  /// The client is gone, and with it what it wanted.
  mutating func clientGone(_ client: ClientID, at now: Moment) -> [RosterEffect] {
    for (strap, request) in pairings where request.client == client { finishPairing(strap, nil, at: now) }
    endScan(of: client, at: now)
    return takeEffects()
  }

  mutating func pairingTimedOut(_ strap: StrapAddress, at now: Moment) {
    // bluetoothd is at it, and has a limit of its own.
    guard let machine = links[strap]?.machine, !machine.pairing.isAsked else { return }
    let why = hostAdvice ?? machine.trouble?.description ?? "the strap was not found"
    finishPairing(strap, .error(.pairingFailed(strap, why)), at: now)
  }

  // MARK: The old bond

  private mutating func removeToPair(_ strap: StrapAddress) {
    guard let path = links[strap]?.world.device?.path, let adapter = mirror.tree.adapter(ofDevice: path) else { return }
    send(.removeToPair(strap)) { BlueZCall.removeDevice(path, of: adapter, serial: $0) }
  }

  mutating func removedToPair(_ strap: StrapAddress, _ error: BlueZError?, at now: Moment) {
    if let error, error != .objectGone {
      let why = "the old pairing cannot be removed: \(error)"
      return finishPairing(strap, .error(.pairingFailed(strap, why)), at: now)
    }
    pairWhenForgotten(strap, at: now)
  }

  /// The old bond is gone when the tree says so, which may be before or behind the answer.
  mutating func pairWhenForgotten(_ strap: StrapAddress, at now: Moment) {
    guard pairings[strap]?.phase == .removing, links[strap]?.world.device?.isBonded != true else { return }
    pairings[strap]?.phase = .pairing
    step(strap, at: now) { $0.pair($1, at: now) }
  }

  // MARK: How it goes

  /// After each step of a strap's machine.
  mutating func pairingMayHaveChanged(_ strap: StrapAddress, at now: Moment) {
    if agent != nil, !links.values.contains(where: \.machine.pairing.isUnderWay) { unregisterAgent() }
    guard let request = pairings[strap], request.phase == .pairing, let machine = links[strap]?.machine else { return }
    switch machine.pairing {
    case .none: break  // the step that asks for it comes
    case .wanted: report(strap, machine.status == .searching ? .searching : .connecting)
    case .asked, .unproven: if request.question == nil, request.told?.isForPerson != true { report(strap, .pairing) }
    case .done: finishPairing(strap, .pairing(PairingReport(strap, .paired)), at: now)
    case .failed(let error):
      if case .pairingFailed = error, request.call.interactive, request.capability == .noInputNoOutput {
        pairings[strap]?.capability = .keyboardDisplay
        step(strap, at: now) { $0.pair($1, at: now) }
      } else {
        finishPairing(strap, .error(.pairingFailed(strap, error.description)), at: now)
      }
    }
  }

  private mutating func report(_ strap: StrapAddress, _ progress: PairingReport.Progress) {
    guard let request = pairings[strap], request.call.reports, request.told != progress else { return }
    pairings[strap]?.told = progress
    effects.append(.event(.answered(request.client, .pairing(PairingReport(strap, progress)))))
  }

  /// - Parameter answer: nil where the client is gone.
  mutating func finishPairing(_ strap: StrapAddress, _ answer: ControlReply?, at now: Moment) {
    guard let request = pairings.removeValue(forKey: strap) else { return }
    effects.append(.deadline(.pairing(strap), nil))
    if let question = request.question { refuse(question) }
    if let answer {
      effects.append(.event(.answered(request.client, answer)))
      tellJournal(of: strap, answer)
    }
    step(strap, at: now) { $0.abandonPairing($1, at: now) }
    leave(strap, for: .pairing(request.client), at: now)
    reconsider(at: now)
  }

  private mutating func tellJournal(of strap: StrapAddress, _ answer: ControlReply) {
    if case .error(.pairingFailed(_, let why)) = answer {
      effects.append(.log(LogEntry(.notice, "\(name(of: strap)) could not be paired: \(why)", strap: strap)))
    } else if case .pairing = answer {
      effects.append(.log(LogEntry(.notice, "\(name(of: strap)) is paired", strap: strap)))
      remember(strap)
    }
  }

  // MARK: The agent

  /// Calls are taken in the order in which they are sent, so its answer need not be waited for.
  mutating func registerAgent(for strap: StrapAddress) {
    let wanted = pairings[strap]?.capability ?? agent ?? .noInputNoOutput
    if agent == wanted { return }
    if agent != nil { unregisterAgent() }
    agent = wanted
    sendUnasked { BlueZCall.registerAgent(wanted, serial: $0) }
  }

  private mutating func unregisterAgent() {
    agent = nil
    sendUnasked { BlueZCall.unregisterAgent(serial: $0) }
  }

  private mutating func sendUnasked(_ message: (UInt32) -> BusMessage) {
    var sent = message(serials.next())
    if let owner = mirror.owner { sent.destination = owner }
    effects.append(.send(sent))
  }

  /// Somebody calls us: bluetoothd its agent, or anybody anything.
  mutating func answer(_ message: BusMessage, _ call: BusCall, at now: Moment) {
    guard Agent.isMeant(by: call) else {
      if call.interface == "org.freedesktop.DBus.Peer", call.member == "Ping" {
        return send(message.reply(serial: next))
      }
      let text = "strapd has no \(call.member) at \(call.path)"
      return send(message.refusal("org.freedesktop.DBus.Error.UnknownMethod", text, serial: next))
    }
    guard message.sender == mirror.owner else {
      return send(
        message.refusal("org.freedesktop.DBus.Error.AccessDenied", "this agent is bluetoothd's", serial: next))
    }
    do { answer(message, try Agent.request(call, message.body), at: now) } catch {
      switch error {
      case .unknownMethod:
        let text = "the agent has no \(call.member)"
        send(message.refusal("org.freedesktop.DBus.Error.UnknownMethod", text, serial: next))
      case .wrongArguments:
        let text = "\(call.member) takes other arguments"
        send(message.refusal("org.freedesktop.DBus.Error.InvalidArgs", text, serial: next))
      }
    }
  }

  private mutating func answer(_ message: BusMessage, _ request: Agent.Request, at now: Moment) {
    guard let device = request.device else {
      // Cancel and Release: nothing is asked any more.
      for strap in pairings.keys where pairings[strap]?.question != nil {
        pairings[strap]?.question = nil
        report(strap, .pairing)
      }
      return send(message.reply(serial: next))
    }
    // Only about what is being paired by us.
    guard
      let strap = links.first(where: { $0.value.world.device?.path == device && $0.value.machine.pairing.isAsked })?.key
    else { return refuse(message) }
    let hasPerson = pairings[strap]?.capability == .keyboardDisplay
    switch request {
    case .authorization, .service: send(message.reply(serial: next))
    case .confirmation(_, let passkey):
      hasPerson ? ask(strap, .confirmPasskey(passkey), message) : send(message.reply(serial: next))
    case .pinCode: hasPerson ? ask(strap, .enterPinCode, message) : refuse(message)
    case .passkey: hasPerson ? ask(strap, .enterPasskey, message) : refuse(message)
    case .showPinCode(_, let pinCode): hasPerson ? show(strap, .showPinCode(pinCode), message) : refuse(message)
    case .showPasskey(_, let passkey): hasPerson ? show(strap, .showPasskey(passkey), message) : refuse(message)
    case .cancel, .release: send(message.reply(serial: next))
    }
  }

  private mutating func ask(_ strap: StrapAddress, _ progress: PairingReport.Progress, _ message: BusMessage) {
    if let earlier = pairings[strap]?.question { refuse(earlier) }
    pairings[strap]?.question = message
    report(strap, progress)
  }

  private mutating func show(_ strap: StrapAddress, _ progress: PairingReport.Progress, _ message: BusMessage) {
    report(strap, progress)
    send(message.reply(serial: next))
  }

  /// The person has answered.
  mutating func answerPairing(of strap: StrapAddress, _ answer: PairingAnswer, for client: ClientID, at now: Moment)
    throws(ControlError) -> [RosterEffect]
  {
    guard let request = pairings[strap], let question = request.question, let told = request.told else {
      throw .nothingAsked(strap)
    }
    switch (told, answer) {
    case (_, .no): refuse(question)
    case (.confirmPasskey, .yes): send(question.reply(serial: next))
    case (.enterPinCode, .pinCode(let pinCode)): send(question.reply([.string(pinCode)], serial: next))
    case (.enterPasskey, .passkey(let passkey)): send(question.reply([.uint32(passkey)], serial: next))
    case (_, .yes), (_, .pinCode), (_, .passkey): throw .nothingAsked(strap)
    }
    pairings[strap]?.question = nil
    report(strap, .pairing)
    effects.append(.event(.answered(client, .done(strap: strap))))
    return takeEffects()
  }

  private mutating func refuse(_ message: BusMessage) {
    send(message.refusal("org.bluez.Error.Rejected", "not for this device", serial: next))
  }

  private mutating func send(_ answer: BusMessage?) {
    if let answer { effects.append(.send(answer)) }
  }

  private var next: UInt32 {
    mutating get { serials.next() }
  }
}

extension PairingReport.Progress {
  /// It asks a person for something, or shows something to be typed.
  fileprivate var isForPerson: Bool {
    switch self {
    case .enterPinCode, .enterPasskey, .confirmPasskey, .showPinCode, .showPasskey: true
    case .searching, .connecting, .pairing, .paired: false
    }
  }
}
