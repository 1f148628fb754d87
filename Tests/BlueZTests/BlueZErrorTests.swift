import BlueZ
import Bus
import Testing

@Suite struct BlueZErrorTests {
  /// Every name and text that is known, as it comes over the bus.
  static let known: [(name: String, text: String, error: BlueZError)] = [
    (
      "org.freedesktop.DBus.Error.ServiceUnknown", "The name org.bluez was not provided by any .service files",
      .bluetoothdAbsent
    ),
    (
      "org.freedesktop.DBus.Error.NameHasNoOwner", "Could not get owner of name 'org.bluez': no such name",
      .bluetoothdAbsent
    ),
    (
      "org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected from message bus without replying",
      .bluetoothdAbsent
    ),
    ("org.freedesktop.DBus.Error.Disconnected", "", .bluetoothdAbsent),
    ("org.freedesktop.DBus.Error.Timeout", "", .bluetoothdAbsent),
    ("org.freedesktop.DBus.Error.TimedOut", "", .bluetoothdAbsent),
    (
      "org.freedesktop.DBus.Error.AccessDenied", "Rejected send message, 2 matched rules; type=\"method_call\"",
      .accessDenied
    ),
    ("org.freedesktop.DBus.Error.UnknownObject", "", .objectGone),
    (
      "org.freedesktop.DBus.Error.UnknownMethod",
      "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist", .objectGone
    ),
    ("org.freedesktop.DBus.Error.UnknownInterface", "", .objectGone),
    ("org.bluez.Error.DoesNotExist", "Does Not Exist", .objectGone),
    ("org.bluez.Error.NotReady", "Resource Not Ready", .notReady),
    ("org.bluez.Error.NotReady", "br-connection-adapter-not-powered", .notReady),
    ("org.bluez.Error.Failed", "le-connection-adapter-not-powered", .notReady),
    ("org.bluez.Error.Failed", "br-connection-adapter-not-powered", .notReady),
    ("org.bluez.Error.InProgress", "In Progress", .inProgress),
    ("org.bluez.Error.InProgress", "Operation already in progress", .inProgress),
    ("org.bluez.Error.InProgress", "br-connection-busy", .inProgress),
    ("org.bluez.Error.Failed", "Operation already in progress", .inProgress),
    ("org.bluez.Error.Failed", "br-connection-canceled", .cancelled),
    ("org.bluez.Error.Failed", "le-connection-canceled", .cancelled),
    ("org.bluez.Error.Failed", "le-connection-abort-by-local", .radioAborted),
    ("org.bluez.Error.Failed", "Software caused connection abort", .radioAborted),
    ("org.bluez.Error.Failed", "le-connection-timeout", .linkFailed("le-connection-timeout")),
    ("org.bluez.Error.Failed", "le-connection-refused", .linkFailed("le-connection-refused")),
    ("org.bluez.Error.Failed", "le-connection-abort-by-remote", .linkFailed("le-connection-abort-by-remote")),
    ("org.bluez.Error.Failed", "le-connection-busy", .linkFailed("le-connection-busy")),
    (
      "org.bluez.Error.Failed", "le-connection-concurrent-connection-limit",
      .linkFailed("le-connection-concurrent-connection-limit")
    ),
    ("org.bluez.Error.Failed", "le-connection-unknown", .linkFailed("le-connection-unknown")),
    ("org.bluez.Error.Failed", "le-connection-gatt-browsing", .linkFailed("le-connection-gatt-browsing")),
    (
      "org.bluez.Error.Failed", "le-connection-link-layer-protocol-error",
      .linkFailed("le-connection-link-layer-protocol-error")
    ),
    ("org.bluez.Error.Failed", "le-connection-key-missing", .keyMissing),
    ("org.bluez.Error.Failed", "br-connection-key-missing", .keyMissing),
    ("org.bluez.Error.Failed", "br-connection-page-timeout", .wrongBearer),
    ("org.bluez.Error.Failed", "br-connection-profile-unavailable", .wrongBearer),
    ("org.bluez.Error.Failed", "br-connection-unknown", .wrongBearer),
    ("org.bluez.Error.NotAvailable", "br-connection-profile-unavailable", .wrongBearer),
    (
      "org.bluez.Error.NotAvailable", "Operation currently not available",
      .other("org.bluez.Error.NotAvailable: Operation currently not available")
    ),
    ("org.bluez.Error.NotConnected", "Not Connected", .notConnected),
    ("org.bluez.Error.Failed", "Not connected", .notConnected),
    ("org.bluez.Error.AlreadyConnected", "Already Connected", .alreadyConnected),
    ("org.bluez.Error.Failed", "le-connection-already-connected", .alreadyConnected),
    ("org.bluez.Error.Failed", "Already notifying", .alreadyNotifying),
    ("org.bluez.Error.NotPermitted", "Not paired", .notPaired),
    ("org.bluez.Error.NotPermitted", "Notify acquired", .notifyAcquired),
    // Neither pairing nor waiting for somebody helps against these.
    ("org.bluez.Error.NotPermitted", "Read not permitted", .other("org.bluez.Error.NotPermitted: Read not permitted")),
    ("org.bluez.Error.NotPermitted", "Write acquired", .other("org.bluez.Error.NotPermitted: Write acquired")),
    ("org.bluez.Error.AlreadyExists", "Already Exists", .alreadyPaired),
    ("org.bluez.Error.NotSupported", "Operation is not supported", .notSupported),
    // The strap's own refusal, not the bus's: no group of the host changes it.
    (
      "org.bluez.Error.NotAuthorized", "Operation Not Authorized",
      .other("org.bluez.Error.NotAuthorized: Operation Not Authorized")
    ),
    (
      "org.bluez.Error.AuthenticationFailed", "Authentication Failed",
      .pairingFailed("org.bluez.Error.AuthenticationFailed: Authentication Failed")
    ),
    (
      "org.bluez.Error.AuthenticationCanceled", "Authentication Canceled",
      .pairingFailed("org.bluez.Error.AuthenticationCanceled: Authentication Canceled")
    ),
    (
      "org.bluez.Error.AuthenticationRejected", "Authentication Rejected",
      .pairingFailed("org.bluez.Error.AuthenticationRejected: Authentication Rejected")
    ),
    (
      "org.bluez.Error.AuthenticationTimeout", "Authentication Timeout",
      .pairingFailed("org.bluez.Error.AuthenticationTimeout: Authentication Timeout")
    ),
    (
      "org.bluez.Error.ConnectionAttemptFailed", "Page Timeout",
      .pairingFailed("org.bluez.Error.ConnectionAttemptFailed: Page Timeout")
    ),
    (
      "org.bluez.Error.Failed", "Operation failed with ATT error: 0x80", .other("Operation failed with ATT error: 0x80")
    ),
    ("org.bluez.Error.Failed", "Host is down", .other("Host is down")),
    ("org.bluez.Error.Failed", "", .other("org.bluez.Error.Failed")),
    ("org.bluez.Error.InvalidArguments", "Invalid Length", .other("org.bluez.Error.InvalidArguments: Invalid Length")),
    ("com.example.Broken", "", .other("com.example.Broken")),
    // A code with words for people behind it, as newer versions write.
    ("org.bluez.Error.Failed", ":le-connection-abort-by-local:Aborted by this host", .radioAborted),
    ("org.bluez.Error.Failed", ":le-connection-timeout:No answer: out of range?", .linkFailed("le-connection-timeout")),
    ("org.bluez.Error.NotAvailable", ":br-connection-profile-unavailable:No profile", .wrongBearer),
    ("org.bluez.Error.Failed", ": odd", .other(": odd")),
    ("org.bluez.Error.Failed", "a:b:c", .other("a:b:c")),
  ]

  @Test(arguments: known)
  func reads(_ name: String, _ text: String, _ error: BlueZError) throws {
    let name = try #require(InterfaceName(name))
    #expect(BlueZError(BusError(name: name, text: text)) == error)
  }

  /// Each error's words for people.
  static let words: [(error: BlueZError, text: String)] = [
    (.bluetoothdAbsent, "bluetoothd does not answer"),
    (.accessDenied, "the D-Bus policy does not let this user speak to bluetoothd"),
    (.objectGone, "bluetoothd does not know the device any more"), (.notReady, "the Bluetooth adapter is off"),
    (.inProgress, "another connection attempt is under way"), (.cancelled, "the connection attempt was cancelled"),
    (.radioAborted, "the connection was lost while it was made"),
    (.linkFailed("le-connection-timeout"), "the connection failed (le-connection-timeout)"),
    (.keyMissing, "the pairing is known to one side only"), (.wrongBearer, "bluetoothd tried classic Bluetooth"),
    (.alreadyConnected, "the connection stands already"), (.notConnected, "the connection ended"),
    (.notPaired, "the strap answers only paired hosts"),
    (.notifyAcquired, "another program holds the strap's notifications"),
    (.pairingFailed("AuthenticationFailed"), "pairing failed (AuthenticationFailed)"),
    (.alreadyNotifying, "the notifications are on already"), (.notSupported, "not supported"),
    (.alreadyPaired, "the strap is paired already"), (.timedOut, "no answer in time"), (.other("x"), "x"),
  ]

  @Test(arguments: words)
  func description(of error: BlueZError, text: String) {
    #expect(error.description == text)
  }

  @Test func wordsOfEveryError() {
    var numbers: Set<Int> = []
    for (error, _) in Self.words {
      let number =
        switch error {
        case .bluetoothdAbsent: 0
        case .accessDenied: 1
        case .objectGone: 2
        case .notReady: 3
        case .inProgress: 4
        case .cancelled: 5
        case .radioAborted: 6
        case .linkFailed: 7
        case .keyMissing: 8
        case .wrongBearer: 9
        case .alreadyConnected: 10
        case .notConnected: 11
        case .notPaired: 12
        case .notifyAcquired: 13
        case .pairingFailed: 14
        case .notSupported: 15
        case .timedOut: 16
        case .alreadyPaired: 19
        case .other: 17
        case .alreadyNotifying: 18
        }
      numbers.insert(number)
    }
    #expect(numbers == Set(0...19))
  }
}
