import Bus

/// Where a link stands; the names go on the wire.
public enum LinkStatus: String, Hashable, Sendable, CaseIterable {
  case standing, waitingForBluetoothd, waitingForAdapter, searching, connecting, resolving, subscribing, streaming
  case backingOff, releasing
}

/// Why a link is not streaming.
public enum LinkTrouble: Hashable, Sendable {
  case connectFailed(BlueZError)
  case subscribeFailed(BlueZError)
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

extension LinkTrouble: CustomStringConvertible {
  /// What happened and what helps, for people.
  public var description: String {
    switch self {
    case .connectFailed(let error): Self.advice(on: error)
    case .subscribeFailed(let error): "switching notifications on: \(Self.advice(on: error))"
    case .notAdvertising:
      "the strap is not advertising: wear it and wet the electrodes; if it is worn, it is probably held by another "
        + "central (a watch, a phone)"
    case .silentWhileConnecting:
      "the strap does not answer: wear it and wet the electrodes; if it is worn, it is probably held by another central "
        + "(a watch, a phone)"
    case .neverResolved: "the strap connected and never told its services"
    case .noHeartRate: "this device has no Heart Rate Service measurement (0x2A37)"
    case .neverSubscribed:
      "the strap does not let its notifications be switched on: if it answers only paired hosts, pair it with "
        + "bluetoothctl"
    case .silentAfterSubscribing: "the strap sends nothing: wear it and wet the electrodes"
    case .wentSilent: "the strap stopped sending: wear it and wet the electrodes"
    case .linkLost: "the connection was lost: out of range, or the strap switched itself off"
    }
  }

  private static func advice(on error: BlueZError) -> String {
    switch error {
    case .accessDenied: "\(error): put the user into group bluetooth, or see D-Bus's bluetooth.conf"
    case .keyMissing: "\(error): remove the pairing on this host and pair again"
    case .notPaired: "\(error): pair it with bluetoothctl"
    case .radioAborted: "\(error): Wi-Fi on the same chip may disturb it"
    case .linkFailed:
      "\(error): wear the strap and wet the electrodes; if it is worn, it is probably held by another central "
        + "(a watch, a phone)"
    case .bluetoothdAbsent, .objectGone, .notReady, .inProgress, .cancelled, .wrongBearer, .notConnected,
      .notifyAcquired, .pairingFailed, .notSupported, .timedOut, .alreadyConnected, .alreadyNotifying, .other:
      error.description
    }
  }
}
