import BlueZ
import Testing

@Suite struct LinkStatusTests {
  @Test func namesOnTheWire() {
    #expect(
      LinkStatus.allCases.map(\.rawValue) == [
        "standing", "waitingForBluetoothd", "waitingForAdapter", "searching", "connecting", "resolving", "pairing",
        "subscribing", "streaming", "backingOff", "releasing",
      ])
  }
}

@Suite struct LinkTroubleTests {
  static let words: [(trouble: LinkTrouble, text: String)] = [
    (.linkLost, "the connection was lost: out of range, or the strap switched itself off"),
    (.wentSilent, "the strap stopped sending: wear it and wet the electrodes"),
    (
      .neverSubscribed,
      "the strap does not let its notifications be switched on: if it answers only paired hosts, pair it: "
        + "strapctl pair"
    ),
    (
      .pairFailed(.pairingFailed("org.bluez.Error.AuthenticationFailed")),
      "the strap did not take the pairing (org.bluez.Error.AuthenticationFailed): if it wants a number, pair it by hand: "
        + "strapctl pair; if it is paired with another host, remove that first"
    ),
    (
      .bondLost,
      "the strap ends every connection at once: it has probably lost its pairing with this host; pair it anew: strapctl "
        + "pair --again"
    ),
    (
      .endsEarly,
      "the strap ends every connection before it sends anything: if it answers only paired hosts, pair it: strapctl "
        + "pair; else bring it nearer"
    ),
    (.silentAfterSubscribing, "the strap sends nothing: wear it and wet the electrodes"),
    (
      .noHeartRate,
      "this device has no Heart Rate Service measurement (0x2A37): is it the strap? 'strapctl scan' shows those that are "
        + "near"
    ),
    (
      .neverResolved,
      "the strap connected and never told its services: bring it nearer; if that does not help, take its battery out for a "
        + "minute, and: sudo systemctl restart bluetooth"
    ),
    (
      .notAdvertising,
      "the strap is not advertising: wear it and wet the electrodes; if it is worn, it is probably held by another "
        + "central (a watch, a phone)"
    ),
    (
      .silentWhileConnecting,
      "the strap does not answer: wear it and wet the electrodes; if it is worn, it is probably held by another "
        + "central (a watch, a phone)"
    ),
    (
      .connectFailed(.linkFailed("le-connection-timeout")),
      "the connection failed (le-connection-timeout): wear the strap and wet the electrodes; if it is worn, it is "
        + "probably held by another central (a watch, a phone)"
    ),
    (
      .connectFailed(.accessDenied),
      "the D-Bus policy does not let this user speak to bluetoothd: put the user into group bluetooth, or see D-Bus's "
        + "bluetooth.conf"
    ),
    (
      .connectFailed(.keyMissing),
      "the pairing is known to one side only: pair it anew: strapctl pair --again"
    ),
    (
      .connectFailed(.radioAborted),
      "the connection was lost while it was made: Wi-Fi on the same chip may disturb it"
    ),
    (
      .subscribeFailed(.notPaired),
      "switching notifications on: the strap answers only paired hosts: pair it: strapctl pair"
    ),
    (
      .subscribeFailed(.notifyAcquired),
      "switching notifications on: another program holds the strap's notifications: end that program"
    ),
  ]

  @Test(arguments: words)
  func description(of trouble: LinkTrouble, text: String) {
    #expect(trouble.description == text)
  }

  /// Where there is no advice, the error speaks for itself.
  @Test(arguments: BlueZErrorTests.words)
  func everyError(_ error: BlueZError, _ text: String) {
    #expect(LinkTrouble.connectFailed(error).description.hasPrefix(text))
    #expect(LinkTrouble.subscribeFailed(error).description.hasPrefix("switching notifications on: " + text))
  }
}
