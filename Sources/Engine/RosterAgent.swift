import BlueZ
import Bus
import Control
import Measurements

// Our pairing agent, which stands between bluetoothd and the person.
extension Roster {
  /// Calls are taken in the order in which they are sent, so its answer need not be waited for.
  mutating func registerAgent(for strap: StrapAddress) {
    let wanted = pairings[strap]?.capability ?? agent ?? .noInputNoOutput
    if agent == wanted { return }
    if agent != nil { unregisterAgent() }
    agent = wanted
    sendUnasked { BlueZCall.registerAgent(wanted, serial: $0) }
  }

  mutating func unregisterAgent() {
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
    pairings[strap]?.isLastTry = true
    report(strap, progress)
  }

  private mutating func show(_ strap: StrapAddress, _ progress: PairingReport.Progress, _ message: BusMessage) {
    pairings[strap]?.isLastTry = true
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

  mutating func refuse(_ message: BusMessage) {
    send(message.refusal("org.bluez.Error.Rejected", "not for this device", serial: next))
  }

  private mutating func send(_ answer: BusMessage?) {
    if let answer { effects.append(.send(answer)) }
  }

  private var next: UInt32 {
    mutating get { serials.next() }
  }
}
