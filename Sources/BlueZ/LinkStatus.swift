import Bus

/// Where a link stands; the names go on the wire.
public enum LinkStatus: String, Hashable, Sendable, CaseIterable {
  case standing, waitingForBluetoothd, waitingForAdapter, searching, connecting, resolving, pairing, subscribing,
    streaming
  case backingOff, releasing
}

/// Why a link is not streaming.
public enum LinkTrouble: Hashable, Sendable {
  case connectFailed(BlueZError)
  case subscribeFailed(BlueZError)
  case pairFailed(BlueZError)
  /// A bonded strap ends each link before its first measurement.
  case bondLost
  /// A strap that is not bonded does so.
  case endsEarly
  /// The scan does not hear it.
  case notAdvertising
  /// No answer to Connect.
  case silentWhileConnecting
  /// Connected, and the services never came.
  case neverResolved
  /// The services came, and there is no Heart Rate Measurement among them.
  case noHeartRate
  /// No answer to StartNotify.
  case neverSubscribed
  /// Subscribed, and nothing came.
  case silentAfterSubscribing
  /// Measurements stopped while the link seemed to stand.
  case wentSilent
  case linkLost
}

/// What keeps a strap from streaming, by names that go on the wire: a link's trouble, or that of this machine.
public enum TroubleKind: String, Hashable, Sendable, CaseIterable {
  case bluetoothdAbsent, refused, noAdapter, adapterOff, adapterBlocked
  case bondLost, bondNeeded, pairFailed, noHeartRate
  case connectFailed, subscribeFailed, endsEarly, notAdvertising, silentWhileConnecting, neverResolved, neverSubscribed
  case silentAfterSubscribing, wentSilent, linkLost

  /// Whether it is of the strap itself or its bond, and stays until somebody does something about it.
  public var isLasting: Bool {
    switch self {
    case .bondLost, .bondNeeded, .noHeartRate: true
    case .bluetoothdAbsent, .refused, .noAdapter, .adapterOff, .adapterBlocked, .pairFailed, .connectFailed,
      .subscribeFailed, .endsEarly, .notAdvertising, .silentWhileConnecting, .neverResolved, .neverSubscribed,
      .silentAfterSubscribing, .wentSilent, .linkLost:
      false
    }
  }
}

extension LinkTrouble {
  /// Whether a new bond is the end of it.
  var isOfTheBond: Bool {
    switch self {
    case .bondLost, .endsEarly, .pairFailed, .neverSubscribed, .connectFailed(.keyMissing),
      .subscribeFailed(.notPaired),
      .subscribeFailed(.keyMissing):
      true
    case .connectFailed, .subscribeFailed, .notAdvertising, .silentWhileConnecting, .neverResolved, .noHeartRate,
      .silentAfterSubscribing, .wentSilent, .linkLost:
      false
    }
  }

  public var kind: TroubleKind {
    switch self {
    case .bondLost, .connectFailed(.keyMissing), .pairFailed(.keyMissing): .bondLost
    case .connectFailed(.accessDenied), .subscribeFailed(.accessDenied), .pairFailed(.accessDenied): .refused
    case .connectFailed: .connectFailed
    case .subscribeFailed(.notPaired): .bondNeeded
    case .subscribeFailed: .subscribeFailed
    case .pairFailed: .pairFailed
    case .endsEarly: .endsEarly
    case .notAdvertising: .notAdvertising
    case .silentWhileConnecting: .silentWhileConnecting
    case .neverResolved: .neverResolved
    case .noHeartRate: .noHeartRate
    case .neverSubscribed: .neverSubscribed
    case .silentAfterSubscribing: .silentAfterSubscribing
    case .wentSilent: .wentSilent
    case .linkLost: .linkLost
    }
  }
}

extension LinkTrouble: CustomStringConvertible {
  /// What happened and what helps, for people.
  public var description: String {
    switch self {
    case .connectFailed(let error): Self.advice(on: error)
    case .subscribeFailed(let error): "switching notifications on: \(Self.advice(on: error))"
    case .pairFailed(let error): Self.adviceOnPairing(error)
    case .bondLost:
      "the strap ends every connection at once: it has probably lost its pairing with this host; pair it anew: strapctl "
        + "pair --again"
    case .endsEarly:
      "the strap ends every connection before it sends anything: if it answers only paired hosts, pair it: strapctl pair; "
        + "else bring it nearer"
    case .notAdvertising:
      "the strap is not advertising: wear it and wet the electrodes; if it is worn, it is probably held by another "
        + "central (a watch, a phone)"
    case .silentWhileConnecting:
      "the strap does not answer: wear it and wet the electrodes; if it is worn, it is probably held by another central "
        + "(a watch, a phone)"
    case .neverResolved:
      "the strap connected and never told its services: bring it nearer; if that does not help, take its battery out for a "
        + "minute, and: sudo systemctl restart bluetooth"
    case .noHeartRate:
      "this device has no Heart Rate Service measurement (0x2A37): is it the strap? 'strapctl scan' shows those that are "
        + "near"
    case .neverSubscribed:
      "the strap does not let its notifications be switched on: if it answers only paired hosts, pair it: "
        + "strapctl pair"
    case .silentAfterSubscribing: "the strap sends nothing: wear it and wet the electrodes"
    case .wentSilent: "the strap stopped sending: wear it and wet the electrodes"
    case .linkLost: "the connection was lost: out of range, or the strap switched itself off"
    }
  }

  private static func adviceOnPairing(_ error: BlueZError) -> String {
    switch error {
    case .pairingFailed(let text):
      "the strap did not take the pairing (\(text)): if it wants a number, pair it by hand: strapctl pair; if it is "
        + "paired with another host, remove that first"
    case .notConnected:
      "the strap ended the connection instead of pairing: if it wants a number, pair it by hand: strapctl pair; else "
        + "bring it nearer"
    case .timedOut: "the strap did not answer the pairing: bring it nearer, and pair it by hand: strapctl pair"
    case .bluetoothdAbsent, .accessDenied, .objectGone, .notReady, .inProgress, .cancelled, .radioAborted, .linkFailed,
      .keyMissing, .wrongBearer, .notPaired, .notifyAcquired, .alreadyPaired, .notSupported,
      .alreadyConnected, .alreadyNotifying, .other:
      "pairing: \(advice(on: error))"
    }
  }

  private static func advice(on error: BlueZError) -> String {
    switch error {
    case .accessDenied: "\(error): put the user into group bluetooth, or see D-Bus's bluetooth.conf"
    case .keyMissing: "\(error): pair it anew: strapctl pair --again"
    case .notPaired: "\(error): pair it: strapctl pair"
    case .radioAborted: "\(error): Wi-Fi on the same chip may disturb it"
    case .notifyAcquired: "\(error): end that program"
    case .wrongBearer:
      "\(error): let bluetoothd find it anew: 'strapctl forget' with its address, then 'strapctl scan'"
    case .bluetoothdAbsent: "\(error): is it running? systemctl status bluetooth"
    case .linkFailed:
      "\(error): wear the strap and wet the electrodes; if it is worn, it is probably held by another central "
        + "(a watch, a phone)"
    case .objectGone, .notReady, .inProgress, .cancelled, .notConnected, .pairingFailed, .alreadyPaired, .notSupported,
      .timedOut, .alreadyConnected, .alreadyNotifying, .other:
      error.description
    }
  }
}
