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
  /// A strap that insists on a person and was asked on a link that stood is asked once more, on a new one: for the kernel
  /// (seen with BlueZ 5.82 on Linux 6.12) our agent can do on a link what it could when the link was made.
  var isLastTry = false
  /// bluetoothd's question to our agent that the person is to answer.
  var question: BusMessage?
  /// What the client was told last.
  var told: PairingReport.Progress?
  var toldAdvice: String?
  /// A link has ended meanwhile, and it is tried on another one.
  var hasLostLink = false

  /// One agent for the whole pairing: one that is registered in the moment in which another one goes makes no bonds with
  /// BlueZ 5.66, and what it can do is asked when the link is made.
  var capability: Agent.Capability { call.interactive ? .keyboardDisplay : .noInputNoOutput }

  enum Phase: Hashable, Sendable {
    /// An old bond stays until the strap is there to make a new one: it may hold, and the strap lie in a drawer.
    case awaiting
    /// The old bond is being removed.
    case removing
    case pairing
  }
}

// Pairings that clients ask for. The link machines make them; this part goes before and behind them.
extension Roster {
  /// How long the strap may take to be found and connected.
  static let pairingSearchLimit = Duration.seconds(60)

  mutating func pair(_ call: PairCall, for client: ClientID, at now: Moment) throws(ControlError) -> [RosterEffect] {
    if let busy = pairings.keys.first { throw .pairingBusy(busy) }
    let strap = try strapToPair(call.strap)
    try checkHeartRate(strap)
    addLink(strap)
    let device = links[strap]?.world.device.flatMap { mirror.tree.devices[$0.path] }
    let isBonded = device?.isBonded == true
    guard !isBonded || call.again else {
      effects.append(.event(.answered(client, .pairing(PairingReport(strap, .paired)))))
      return takeEffects()
    }
    if isBonded, links[strap]?.machine.status == .streaming, let session = sessions(on: strap).first {
      throw .strapInUse(strap, by: session)
    }
    pairings[strap] = PairingRequest(client: client, call: call, phase: call.again ? .awaiting : .pairing)
    effects.append(.deadline(.pairing(strap), now.tick + Self.pairingSearchLimit))
    use(strap, for: .pairing(client), at: now)
    if call.again {
      goOnPairing(strap, at: now)
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
      case .postExercise, .pairing, .monitor, .unattended: nil
      }
    }.sorted()
  }

  /// The client is gone, and with it what it wanted.
  mutating func clientGone(_ client: ClientID, at now: Moment) -> [RosterEffect] {
    for (strap, request) in pairings where request.client == client { finishPairing(strap, nil, at: now) }
    endScan(of: client, at: now)
    return takeEffects() + release(.monitor(client), at: now)
  }

  mutating func pairingTimedOut(_ strap: StrapAddress, at now: Moment) {
    // bluetoothd is at it, and has a limit of its own.
    guard let machine = links[strap]?.machine, !machine.pairing.isAsked else { return }
    let why = pairingAdvice(strap) ?? machine.trouble?.description ?? "the strap was not found"
    finishPairing(strap, .error(.pairingFailed(strap, why)), at: now)
  }

  /// What keeps a strap from being found and connected, as far as it is known.
  private func pairingAdvice(_ strap: StrapAddress) -> String? {
    if isHostUnknown { return nil }
    if let advice = hostAdvice(of: strap) { return advice }
    guard let machine = links[strap]?.machine, let trouble = machine.suspicion ?? machine.trouble else { return nil }
    switch trouble.kind {
    // What a bond is to mend is being mended.
    case .bondLost, .bondNeeded, .pairFailed, .subscribeFailed, .endsEarly, .neverSubscribed, .silentAfterSubscribing,
      .wentSilent, .linkLost, .noHeartRate:
      return nil
    case .bluetoothdAbsent, .refused, .noAdapter, .adapterOff, .adapterBlocked, .connectFailed, .notAdvertising,
      .silentWhileConnecting, .neverResolved:
      break
    }
    let isStranger = !known.contains(strap) && strap != usualStrap && objects(of: strap).isEmpty
    // What the removal of the old bond has cancelled.
    if trouble == .connectFailed(.cancelled) { return nil }
    guard trouble == .notAdvertising, isStranger else { return trouble.description }
    return
      "nothing with this address is heard: check it ('strapctl scan' shows those that are near); if it is right, wear "
      + "the strap and wet its electrodes"
  }

  // MARK: The old bond

  private mutating func removeWhenThere(_ strap: StrapAddress) {
    guard let device = links[strap]?.world.device, device.isConnected || device.isHeard,
      let adapter = mirror.tree.adapter(ofDevice: device.path)
    else { return }
    pairings[strap]?.phase = .removing
    send(.removeToPair(strap)) { BlueZCall.removeDevice(device.path, of: adapter, serial: $0) }
  }

  mutating func removedToPair(_ strap: StrapAddress, _ error: BlueZError?, at now: Moment) {
    if let error, error != .objectGone {
      let why = "the old pairing cannot be removed: \(error)"
      return finishPairing(strap, .error(.pairingFailed(strap, why)), at: now)
    }
    goOnPairing(strap, at: now)
  }

  /// The strap may be there now. The old bond is gone when the tree says so, which may be before or behind the answer.
  mutating func goOnPairing(_ strap: StrapAddress, at now: Moment) {
    switch pairings[strap]?.phase {
    case .awaiting where links[strap]?.world.device?.isBonded == true: removeWhenThere(strap)
    case .removing where links[strap]?.world.device?.isBonded == true: break
    case .awaiting, .removing:
      guard links[strap]?.world.host == .ready else { return }
      pairings[strap]?.phase = .pairing
      step(strap, at: now) { $0.pair($1, at: now) }
    case .pairing, nil: break
    }
  }

  /// bluetoothd is gone, and what it was asked for may not have been done.
  mutating func abandonRemovals() {
    for strap in pairings.keys where pairings[strap]?.phase == .removing { pairings[strap]?.phase = .awaiting }
  }

  // MARK: How it goes

  /// After each step of a strap's machine.
  mutating func pairingMayHaveChanged(_ strap: StrapAddress, at now: Moment) {
    tellHowItGoes(strap, at: now)
    // Behind it, since a pairing that has failed may go on.
    if agent != nil, !links.values.contains(where: \.machine.pairing.isUnderWay) { unregisterAgent() }
  }

  private mutating func tellHowItGoes(_ strap: StrapAddress, at now: Moment) {
    guard let request = pairings[strap], let machine = links[strap]?.machine else { return }
    guard request.phase == .pairing else { return report(strap, .onTheWay(machine.status)) }
    switch machine.pairing {
    case .none: break  // the step that asks for it comes
    case .wanted, .settling: report(strap, .onTheWay(machine.status))
    case .asked, .unproven: if request.question == nil, request.told?.isForPerson != true { report(strap, .pairing) }
    case .done: finishPairing(strap, .pairing(PairingReport(strap, .paired)), at: now)
    case .failed(let error):
      if error.mayWantAPerson, request.call.interactive, !request.isLastTry {
        pairings[strap]?.isLastTry = true
        pairOnceMore(strap, at: now)
      } else if error == .notConnected, !request.hasLostLink {
        // It may have been a link that was being put down when the pairing began.
        pairings[strap]?.hasLostLink = true
        pairOnceMore(strap, at: now)
      } else {
        finishPairing(strap, .error(.pairingFailed(strap, error.description)), at: now)
      }
    }
  }

  private mutating func pairOnceMore(_ strap: StrapAddress, at now: Moment) {
    if let question = pairings[strap]?.question { refuse(question) }
    pairings[strap]?.question = nil
    effects.append(.deadline(.pairing(strap), now.tick + Self.pairingSearchLimit))
    step(strap, at: now) { $0.pair($1, at: now) }
  }

  mutating func report(_ strap: StrapAddress, _ progress: PairingReport.Progress) {
    guard let request = pairings[strap], request.call.reports else { return }
    let advice: String?
    switch progress {
    case .searching, .connecting: advice = pairingAdvice(strap)
    case .pairing, .enterPinCode, .enterPasskey, .confirmPasskey, .showPinCode, .showPasskey, .paired: advice = nil
    }
    guard request.told != progress || request.toldAdvice != advice else { return }
    pairings[strap]?.told = progress
    pairings[strap]?.toldAdvice = advice
    effects.append(.event(.answered(request.client, .pairing(PairingReport(strap, progress, advice: advice)))))
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
}

extension PairingReport.Progress {
  /// What the strap's link is at, until it is paired.
  fileprivate static func onTheWay(_ link: LinkStatus) -> Self {
    switch link {
    case .standing, .waitingForBluetoothd, .waitingForAdapter, .searching: .searching
    case .connecting, .resolving, .pairing, .subscribing, .streaming, .backingOff, .releasing: .connecting
    }
  }

  /// It asks a person for something, or shows something to be typed.
  fileprivate var isForPerson: Bool {
    switch self {
    case .enterPinCode, .enterPasskey, .confirmPasskey, .showPinCode, .showPasskey: true
    case .searching, .connecting, .pairing, .paired: false
    }
  }
}

extension BlueZError {
  /// Whether a strap that insists on a number may have answered Pair so. It ends the link as well, and which of the two
  /// bluetoothd tells first is chance.
  fileprivate var mayWantAPerson: Bool {
    switch self {
    case .pairingFailed, .notConnected: true
    case .bluetoothdAbsent, .accessDenied, .objectGone, .notReady, .inProgress, .cancelled, .radioAborted, .linkFailed,
      .keyMissing, .wrongBearer, .alreadyConnected, .alreadyNotifying, .notPaired, .notifyAcquired, .alreadyPaired,
      .notSupported, .timedOut, .other:
      false
    }
  }
}
