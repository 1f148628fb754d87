import BlueZ
import Bus
import Control
import Testing

@testable import Engine

/// Every error that Connect and StartNotify are known to answer: what the person is told, to the letter, how often it is
/// tried, and that it streams when the error has passed.
struct LinkErrorScenarioTests {
  private func line(_ world: World) -> String {
    let strap = world.strap()
    return (strap["link"]?.asString ?? "?") + (strap["trouble"]?.asString.map { ": \($0)" } ?? "")
  }

  /// The link failed, in each of BlueZ's words for it.
  static let linkErrors = ["refused", "abort-by-remote", "busy", "concurrent-connection-limit", "unknown"].map {
    (
      "org.bluez.Error.Failed", "le-connection-\($0)",
      "the connection failed (le-connection-\($0)): wear the strap and wet the electrodes; if it is worn, it is probably "
        + "held by another central (a watch, a phone)"
    )
  }

  static let silentBluetoothd = "bluetoothd does not answer: is it running? systemctl status bluetooth"
  static let classic =
    "bluetoothd tried classic Bluetooth: let bluetoothd find it anew: 'strapctl forget' with its address, then 'strapctl "
    + "scan'"

  static let pairingErrors = [
    "AuthenticationCanceled", "AuthenticationRejected", "AuthenticationTimeout", "ConnectionAttemptFailed",
  ].map { ("org.bluez.Error.\($0)", "why", "pairing failed (org.bluez.Error.\($0): why)") }

  @Test(
    arguments: [
      ("org.bluez.Error.NotReady", "", "the Bluetooth adapter is off"),
      ("org.bluez.Error.InProgress", "", "another connection attempt is under way"),
      (
        "org.bluez.Error.Failed", "le-connection-abort-by-local",
        "the connection was lost while it was made: Wi-Fi on the same chip may disturb it"
      ),
      (
        "org.bluez.Error.Failed", "Software caused connection abort",
        "the connection was lost while it was made: Wi-Fi on the same chip may disturb it"
      ),
      (
        "org.bluez.Error.Failed", "le-connection-timeout",
        "the connection failed (le-connection-timeout): wear the strap and wet the electrodes; if it is worn, it is probably "
          + "held by another central (a watch, a phone)"
      ),
      (
        "org.bluez.Error.Failed", "le-connection-key-missing",
        "the pairing is known to one side only: pair it anew: strapctl pair --again"
      ),
      ("org.bluez.Error.NotAvailable", "br-connection-profile-unavailable", Self.classic),
      ("org.bluez.Error.NotConnected", "", "the connection ended"),
      (
        "org.bluez.Error.AuthenticationFailed", "Authentication Failed",
        "pairing failed (org.bluez.Error.AuthenticationFailed: Authentication Failed)"
      ),
      ("org.freedesktop.DBus.Error.NoReply", "", Self.silentBluetoothd),
      (
        "org.freedesktop.DBus.Error.AccessDenied", "",
        "the D-Bus policy does not let this user speak to bluetoothd: put the user into group bluetooth, or see D-Bus's "
          + "bluetooth.conf"
      ),
      ("org.freedesktop.DBus.Error.UnknownObject", "", "bluetoothd does not know the device any more"),
      ("org.freedesktop.DBus.Error.UnknownMethod", "", "bluetoothd does not know the device any more"),
      ("org.freedesktop.DBus.Error.ServiceUnknown", "", Self.silentBluetoothd),
      ("org.freedesktop.DBus.Error.NameHasNoOwner", "", Self.silentBluetoothd),
      ("org.bluez.Error.Failed", "br-connection-unknown", Self.classic),
      ("org.bluez.Error.NotPermitted", "Not paired", "the strap answers only paired hosts: pair it: strapctl pair"),
      (
        "org.bluez.Error.NotPermitted", "Notify acquired",
        "another program holds the strap's notifications: end that program"
      ),
      ("org.bluez.Error.Strange", "who knows", "org.bluez.Error.Strange: who knows"),
    ] + linkErrors + pairingErrors)
  func l12_errorsOfConnect(name: String, text: String, told: String) throws {
    let world = World()
    let error = BusError(name: try #require(InterfaceName(name)), text: text)
    world.bluez.straps[World.a]?.connectError = error
    world.call("Prepare")
    world.advance(.seconds(40))
    #expect(line(world).hasSuffix(": " + told), "\(line(world))")
    let tries = world.bluez.calls.filter { $0 == "Connect" }.count
    #expect((4...8).contains(tries), "0, 1, 2, 5, 15, 30 s apart")
    world.bluez.straps[World.a]?.connectError = nil
    world.beats(45, 70)
    #expect(line(world) == "streaming")
  }

  @Test(
    arguments: [
      ("org.bluez.Error.NotPermitted", "Not paired", "the strap answers only paired hosts: pair it: strapctl pair"),
      (
        "org.bluez.Error.NotPermitted", "Notify acquired",
        "another program holds the strap's notifications: end that program"
      ),
      ("org.bluez.Error.NotConnected", "", "the connection ended"),
      ("org.bluez.Error.NotSupported", "", "not supported"),
      ("org.bluez.Error.Failed", "ATT error: 0x0e", "ATT error: 0x0e"),
      ("org.bluez.Error.NotReady", "", "the Bluetooth adapter is off"),
      (
        "org.bluez.Error.Failed", "le-connection-abort-by-local",
        "the connection was lost while it was made: Wi-Fi on the same chip may disturb it"
      ),
      (
        "org.bluez.Error.Failed", "le-connection-key-missing",
        "the pairing is known to one side only: pair it anew: strapctl pair --again"
      ),
      ("org.freedesktop.DBus.Error.NoReply", "", Self.silentBluetoothd),
      ("org.freedesktop.DBus.Error.ServiceUnknown", "", Self.silentBluetoothd),
      (
        "org.freedesktop.DBus.Error.AccessDenied", "",
        "the D-Bus policy does not let this user speak to bluetoothd: put the user into group bluetooth, or see D-Bus's "
          + "bluetooth.conf"
      ),
      ("org.freedesktop.DBus.Error.UnknownObject", "", "bluetoothd does not know the device any more"),
      ("org.freedesktop.DBus.Error.UnknownMethod", "", "bluetoothd does not know the device any more"),
      ("org.bluez.Error.NotAvailable", "br-connection-profile-unavailable", Self.classic),
      (
        "org.bluez.Error.AuthenticationFailed", "Authentication Failed",
        "pairing failed (org.bluez.Error.AuthenticationFailed: Authentication Failed)"
      ),
    ] + linkErrors + pairingErrors)
  func l13_errorsOfStartNotify(name: String, text: String, told: String) throws {
    let world = World()
    world.bluez.straps[World.a]?.notifyError = BusError(name: try #require(InterfaceName(name)), text: text)
    world.call("Prepare")
    world.advance(.seconds(40))
    #expect(line(world).hasSuffix(": switching notifications on: " + told), "\(line(world))")
    world.bluez.straps[World.a]?.notifyError = nil
    world.beats(45, 70)
    #expect(line(world) == "streaming")
  }

  /// A call that is under way decides nothing: whether measurements come does.
  @Test func l13_startNotifyInProgress() {
    let world = World()
    world.bluez.straps[World.a]?.notifyError = BusError(name: "org.bluez.Error.InProgress", text: "In Progress")
    world.call("Prepare")
    world.advance(.seconds(40))
    #expect(
      line(world).hasSuffix(
        ": the strap does not let its notifications be switched on: if it answers only paired hosts, pair it: strapctl "
          + "pair"), "\(line(world))")
    world.bluez.straps[World.a]?.notifyError = nil
    world.beats(60, 70)
    #expect(line(world) == "streaming")
  }
}
