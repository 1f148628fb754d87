import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct PairingCallsTests {
  private var stage: Stage
  private static let canceled = "org.bluez.Error.AuthenticationCanceled: Authentication Canceled"
  private static let failed = "org.bluez.Error.AuthenticationFailed: Authentication Failed"

  init() throws {
    stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
  }

  @Test mutating func pairingNeedsAnAgent() throws {
    #expect(try stage.call("A", "Device1", "Pair") == ["CALL A Pair"])
    #expect(
      try stage.call("A", "Device1", "Pair", by: ":1.8").last
        == "error 3 org.bluez.Error.InProgress: Operation already in progress")
    #expect(
      stage.advance(.milliseconds(300)) == [
        "A Device1 {Connected=true} []", "CONNECTED A", "error 2 \(Self.failed)",
      ])
    _ = stage.advance(.milliseconds(300))
    try stage.register("NoInputNoOutput")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(
      stage.advance(.milliseconds(300)) == ["ASKS A RequestAuthorization", ":1.7/agent RequestAuthorization A"])
    #expect(stage.answer([]) == ["A Device1 {Bonded=true Paired=true} []", "PAIRED A", "reply 5"])
    #expect(try stage.call("A", "Device1", "Pair").last == "error 6 org.bluez.Error.AlreadyExists: Already Exists")
    _ = try stage.call("hci0", "Adapter1", "StopDiscovery")
    _ = try stage.run("A loss")
    #expect(stage.advance(.seconds(1000)) == [], "what is paired stays")
  }

  @Test mutating func cancelling() throws {
    #expect(
      try stage.call("A", "Device1", "CancelPairing").last == "error 2 org.bluez.Error.DoesNotExist: Does Not Exist")
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(
      try stage.call("A", "Device1", "CancelPairing") == [
        "CALL A CancelPairing", "error 4 \(Self.canceled)", "reply 5",
      ])
    #expect(stage.advance(.seconds(1)) == [])
    // The agent that is being asked is told.
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(
      try stage.call("A", "Device1", "CancelPairing", by: ":1.8") == [
        "CALL A CancelPairing", ":1.7/agent Cancel", "error 6 \(Self.canceled)", "reply 7",
      ])
    #expect(stage.answer([]) == [])
  }

  @Test mutating func theAgentSaysNothing() throws {
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(700))
    #expect(stage.advance(.milliseconds(59_599)) == [])
    #expect(stage.advance(.milliseconds(1)) == [":1.7/agent Cancel", "error 3 \(Self.failed)"])
  }

  @Test mutating func theAgentRefuses() throws {
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(stage.answer(nil) == ["error 3 \(Self.failed)"])
  }

  // What ends a pairing whose agent is being asked, and with what.
  private static let ends: [(line: String, error: String)] = [
    ("A loss", canceled), ("A drop", canceled), ("adapter off", canceled), ("adapter remove", canceled),
  ]

  @Test(arguments: ends)
  mutating func theLinkEndsMeanwhile(line: String, error: String) throws {
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    let heard = try stage.run(line)
    #expect(heard.contains(":1.7/agent Cancel"))
    #expect(heard.contains("error 3 \(error)"))
    #expect(stage.answer([]) == [])
  }

  @Test mutating func aClientEndsTheLinkMeanwhile() throws {
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(try stage.call("A", "Device1", "Disconnect").contains("error 3 \(Self.canceled)"))
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(
      try stage.call("hci0", "Adapter1", "RemoveDevice", [.objectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")])
        .contains("error 5 \(Self.canceled)"))
  }

  @Test mutating func bluetoothdEndsMeanwhile() throws {
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(
      try stage.run("bluetoothd stop") == [
        "DISCOVERY off", "DISCONNECTED A", "stop bluetoothd", "DONE bluetoothd stop",
      ])
    #expect(stage.advance(.seconds(100)) == [])
    _ = try stage.run("bluetoothd start")
    #expect(stage.world.agents == [])
  }

  @Test mutating func whoHasAskedForItGoes() throws {
    try stage.register("", by: ":1.7")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(stage.leave(":1.7").filter { $0.hasPrefix("error") || $0.hasPrefix("reply") } == [])
    try stage.register("", by: ":1.8")
    _ = try stage.call("A", "Device1", "Pair", by: ":1.8")
    #expect(stage.advance(.milliseconds(300)).contains(":1.8/agent RequestAuthorization A"))
  }

  @Test mutating func errorsAndSilenceOfAScript() throws {
    try stage.register("")
    _ = try stage.run("A pair-error AuthenticationRejected Authentication Rejected")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(
      stage.advance(.milliseconds(300)).last
        == "error 3 org.bluez.Error.AuthenticationRejected: Authentication Rejected")
    _ = try stage.run("A pair-error none")
    _ = try stage.run("A pair-hang on")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.seconds(1))
    #expect(stage.advance(.seconds(100)) == [])
    _ = try stage.run("A pair-hang off")
    #expect(stage.advance(.zero).last == ":1.7/agent RequestAuthorization A")
    _ = stage.answer(nil)
    _ = try stage.call("A", "Device1", "Disconnect")
    _ = try stage.run("A loss")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(
      stage.advance(.milliseconds(300)) == ["error 6 org.bluez.Error.ConnectionAttemptFailed: Page Timeout"])
  }

  // MARK: - Notifications for bonded clients

  @Test mutating func withoutABondNotificationsAreNotSwitchedOn() throws {
    _ = try stage.run("A bond-needed on")
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    #expect(try stage.call("A/hr", "GattCharacteristic1", "StartNotify") == ["CALL A StartNotify 2a37"])
    #expect(
      try stage.call("A/hr", "GattCharacteristic1", "StartNotify").last
        == "error 4 org.bluez.Error.InProgress: Operation already in progress")
    #expect(try stage.run("A raw 1648") == ["DONE A raw 1648"])
    // A pairing on this link has to wait for what is under way, which comes to nothing.
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(stage.advance(.milliseconds(34_999)) == [])
    #expect(
      stage.advance(.milliseconds(1)) == [
        "A Device1 {ServicesResolved=false Connected=false} []", "- A Battery1", "DISCONNECTED A",
        "error 6 \(Self.canceled)",
      ], "StartNotify is never answered")
  }

  @Test mutating func aBondLetsNotificationsBeSwitchedOn() throws {
    _ = try stage.run("A bond-needed on")
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify")
    _ = try stage.call("A", "Device1", "Disconnect")
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(!stage.advance(.milliseconds(300)).contains("SUBSCRIBED A"))
    #expect(
      stage.answer([]) == [
        "A Device1 {Bonded=true Paired=true} []", "PAIRED A", "reply 6", "A/hr GattCharacteristic1 {Notifying=true} []",
        "SUBSCRIBED A",
      ], "who has asked before is served now")
    #expect(try stage.run("A raw 1648").contains("SENT A 1648"))
  }

  /// bluetoothd asks again for a client that lives, on each link.
  @Test mutating func aRenewalWithoutABondEndsTheLinkToo() throws {
    _ = try stage.run("A bond-needed on")
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify")
    _ = try stage.run("A drop")
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    #expect(stage.advance(.seconds(34)) == [])
    #expect(stage.advance(.seconds(1)).contains("DISCONNECTED A"))
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    #expect(try stage.call("A/hr", "GattCharacteristic1", "StopNotify").last == "reply 6")
  }

  /// A strap that has streamed before it wanted a bond: what bluetoothd shows and answers says nothing of that.
  @Test mutating func aRenewalOfWhatStreamedShowsNothing() throws {
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify")
    _ = try stage.run("A bond-needed on")
    _ = try stage.run("A drop")
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    #expect(
      try stage.call("A/hr", "GattCharacteristic1", "StartNotify").last
        == "error 5 org.bluez.Error.Failed: Already notifying")
    #expect(try stage.run("A raw 1648") == ["DONE A raw 1648"])
    #expect(stage.advance(.seconds(36)).contains("DISCONNECTED A"))
  }

  // MARK: - Bonds of an earlier life

  @Test mutating func aBondThatTheStrapHasLost() throws {
    _ = try stage.call("hci0", "Adapter1", "StopDiscovery")
    #expect(
      try stage.run("A bond lost") == ["A Device1 {Bonded=true Paired=true} []", "DONE A bond lost"])
    for serial in [3, 4] {
      _ = try stage.call("A", "Device1", "Connect")
      #expect(
        stage.advance(.milliseconds(600)) == [
          "A Device1 {Connected=true} []", "CONNECTED A", "reply \(serial)", "A Device1 {Connected=false} []",
          "DISCONNECTED A",
        ])
    }
    _ = try stage.call(
      "hci0", "Adapter1", "RemoveDevice", [.objectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")])
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(stage.advance(.milliseconds(100)) == ["+ A Device1"])
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(stage.answer([]).contains("PAIRED A"))
    #expect(stage.advance(.seconds(10)).contains("+ A Battery1"), "the new bond holds")
  }

  @Test func bondsThatWereMadeBefore() throws {
    var stage = try Stage()
    #expect(try stage.run("A bond made") == ["+ A Device1", "DONE A bond made"])
    #expect(stage.advance(.seconds(100)) == [], "a bonded device is not forgotten")
    #expect(
      try stage.call(
        "A", "org.freedesktop.DBus.Properties", "Get", [.string("org.bluez.Device1"), .string("Bonded")]) == [
          "reply 1 true"
        ])
    #expect(
      try stage.run("A bond none") == ["A Device1 {Bonded=false Paired=false} []", "DONE A bond none"])
    #expect(try stage.run("A bond none") == ["DONE A bond none"])
    #expect(stage.advance(.seconds(30)) == ["- A Device1"])
    _ = try stage.run("adapter remove")
    #expect(try stage.run("A bond made") == ["DONE A bond made"], "without an adapter nobody has a bond")
  }
}
