import Bus

/// What an error reply to a call of org.bluez means: every name and text that BlueZ is known to send, in one place.
public enum BlueZError: Error, Hashable, Sendable {
  /// bluetoothd is not on the bus, or hangs.
  case bluetoothdAbsent
  /// The bus's policy forbids it.
  case accessDenied
  /// The object went: a time-out of the device, a restart, adapters that changed numbers.
  case objectGone
  /// The adapter is off.
  case notReady
  /// A Connect, scan or GATT call is under way.
  case inProgress
  /// The pending Connect was cancelled, which Disconnect does.
  case cancelled
  /// The radio gave up at once; trying again at once helps.
  case radioAborted
  /// The link failed; the text is BlueZ's.
  case linkFailed(String)
  /// One side has lost the bond.
  case keyMissing
  /// bluetoothd tried the classic bearer of a dual-mode device.
  case wrongBearer
  /// Connect found the link standing.
  case alreadyConnected
  /// StartNotify found our notifications on: bluetoothd had renewed them with the link.
  case alreadyNotifying
  /// The link ended meanwhile.
  case notConnected
  /// The strap answers bonded clients only.
  case notPaired
  /// Another client holds the notifications by AcquireNotify.
  case notifyAcquired
  /// Pairing failed, as BlueZ calls it.
  case pairingFailed(String)
  /// Pair found the bond standing.
  case alreadyPaired
  /// The operation does not exist there.
  case notSupported
  /// No answer within our own deadline.
  case timedOut
  /// Anything else, by name and text.
  case other(String)

  public init(_ error: BusError) {
    let text = Self.code(in: error.text)
    switch error.name.description {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected",
      "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut":
      self = .bluetoothdAbsent
    case "org.freedesktop.DBus.Error.AccessDenied": self = .accessDenied
    case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
      "org.freedesktop.DBus.Error.UnknownInterface", "org.bluez.Error.DoesNotExist":
      self = .objectGone
    case "org.bluez.Error.NotReady": self = .notReady
    case "org.bluez.Error.InProgress": self = .inProgress
    case "org.bluez.Error.NotConnected": self = .notConnected
    case "org.bluez.Error.AlreadyConnected": self = .alreadyConnected
    case "org.bluez.Error.AlreadyExists": self = .alreadyPaired
    case "org.bluez.Error.NotSupported": self = .notSupported
    case "org.bluez.Error.NotAvailable":
      self = text.hasPrefix("br-connection") ? .wrongBearer : .other(error.description)
    case "org.bluez.Error.NotPermitted": self = Self.notPermitted(text) ?? .other(error.description)
    case "org.bluez.Error.AuthenticationFailed", "org.bluez.Error.AuthenticationCanceled",
      "org.bluez.Error.AuthenticationRejected", "org.bluez.Error.AuthenticationTimeout",
      "org.bluez.Error.ConnectionAttemptFailed":
      self = .pairingFailed(error.description)
    case "org.bluez.Error.Failed": self = Self.failed(text)
    default: self = .other(error.description)
    }
  }

  /// The code of a text; since 2025 BlueZ may write ":code:words for people".
  private static func code(in text: String) -> String {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].isEmpty ? String(parts[1]) : text
  }

  private static func notPermitted(_ text: String) -> BlueZError? {
    switch text {
    case "Not paired": .notPaired
    case "Notify acquired": .notifyAcquired
    default: nil
    }
  }

  /// "Failed" says everything in its text (BlueZ's error.h).
  private static func failed(_ text: String) -> BlueZError {
    switch text {
    case "le-connection-abort-by-local", "Software caused connection abort": .radioAborted
    // The second is what a dual-mode device's Connect is answered by, whatever the bearer.
    case "le-connection-key-missing", "br-connection-key-missing": .keyMissing
    case "br-connection-canceled", "le-connection-canceled": .cancelled
    case "le-connection-already-connected": .alreadyConnected
    case "le-connection-adapter-not-powered", "br-connection-adapter-not-powered": .notReady
    case "Operation already in progress": .inProgress
    case "Already notifying": .alreadyNotifying
    case "Not connected": .notConnected
    default:
      if text.hasPrefix("le-connection-") {
        .linkFailed(text)
      } else if text.hasPrefix("br-connection-") {
        .wrongBearer
      } else {
        .other(text.isEmpty ? "org.bluez.Error.Failed" : text)
      }
    }
  }
}

extension BlueZError: CustomStringConvertible {
  /// What it means, for people.
  public var description: String {
    switch self {
    case .bluetoothdAbsent: "bluetoothd does not answer"
    case .accessDenied: "the D-Bus policy does not let this user speak to bluetoothd"
    case .objectGone: "bluetoothd does not know the device any more"
    case .notReady: "the Bluetooth adapter is off"
    case .inProgress: "another connection attempt is under way"
    case .cancelled: "the connection attempt was cancelled"
    case .radioAborted: "the connection was lost while it was made"
    case .linkFailed(let text): "the connection failed (\(text))"
    case .keyMissing: "the pairing is known to one side only"
    case .wrongBearer: "bluetoothd tried classic Bluetooth"
    case .alreadyConnected: "the connection stands already"
    case .alreadyNotifying: "the notifications are on already"
    case .notConnected: "the connection ended"
    case .notPaired: "the strap answers only paired hosts"
    case .notifyAcquired: "another program holds the strap's notifications"
    case .pairingFailed(let text): "pairing failed (\(text))"
    case .alreadyPaired: "the strap is paired already"
    case .notSupported: "not supported"
    case .timedOut: "no answer in time"
    case .other(let text): text
    }
  }
}
