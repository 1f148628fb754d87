import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct DeviceCallsTests {
  private var stage: Stage

  init() throws {
    stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
  }

  @Test mutating func aPendingConnectIsAloneAndCanBeCancelled() throws {
    _ = try stage.run("A loss")
    #expect(try stage.call("A", "Device1", "Connect") == ["CALL A Connect"])
    #expect(
      try stage.call("A", "Device1", "Connect", by: ":1.8") == [
        "CALL A Connect", "error 3 org.bluez.Error.InProgress: Operation already in progress",
      ])
    #expect(
      try stage.call("A", "Device1", "Disconnect") == [
        "CALL A Disconnect", "error 2 org.bluez.Error.Failed: br-connection-canceled", "reply 4",
      ])
    #expect(try stage.run("A return") == ["DONE A return"])
    #expect(!stage.advance(.seconds(5)).contains("CONNECTED A"))
  }

  @Test mutating func connectingWhatIsConnectedSucceeds() throws {
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(300))
    #expect(try stage.call("A", "Device1", "Connect") == ["CALL A Connect", "reply 3"])
    _ = stage.advance(.milliseconds(300))
    #expect(try stage.call("A", "Device1", "Connect") == ["CALL A Connect", "reply 4"])
  }

  @Test mutating func disconnectingGoesInSteps() throws {
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(600))
    #expect(
      try stage.call("A", "Device1", "Disconnect") == [
        "CALL A Disconnect", "- A Battery1", "A Device1 {ServicesResolved=false} []", "A Device1 {Connected=false} []",
        "DISCONNECTED A", "reply 3",
      ])
    #expect(
      try stage.call("A", "Device1", "Disconnect").last == "error 4 org.bluez.Error.NotConnected: Not Connected")
  }

  @Test mutating func theNextConnectFailsAsToldAndTheOneAfterNot() throws {
    _ = try stage.run("A connect-error Failed le-connection-abort-by-local")
    _ = try stage.call("A", "Device1", "Connect")
    #expect(
      stage.advance(.milliseconds(300)) == ["error 2 org.bluez.Error.Failed: le-connection-abort-by-local"])
    _ = try stage.call("A", "Device1", "Connect")
    #expect(stage.advance(.milliseconds(300)).last == "reply 3")
  }

  @Test mutating func aConnectThatHangs() throws {
    _ = try stage.run("A connect-hang on")
    _ = try stage.call("A", "Device1", "Connect")
    #expect(stage.advance(.seconds(100)) == [])
    _ = try stage.run("A connect-hang off")
    #expect(stage.advance(.milliseconds(300)).last == "reply 2")
  }

  /// Out of reach in the middle: pending until it is back.
  @Test mutating func lossWhileConnecting() throws {
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(200))
    #expect(try stage.run("A loss") == ["DONE A loss"])
    #expect(stage.advance(.seconds(100)) == [])
    _ = try stage.run("A return")
    #expect(stage.advance(.milliseconds(300)).contains("CONNECTED A"))
  }

  @Test mutating func servicesThatAreNeverResolved() throws {
    _ = try stage.run("A resolve-hang on")
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(300))
    #expect(stage.advance(.seconds(100)) == [])
    _ = try stage.run("A resolve-hang off")
    #expect(stage.advance(.milliseconds(300)).last == "+ A Battery1")
  }

  @Test mutating func aStrapWithoutHeartRate() throws {
    _ = try stage.run("A no-heart-rate on")
    _ = try stage.call("A", "Device1", "Connect")
    let heard = stage.advance(.milliseconds(600))
    #expect(heard.contains("A Device1 {UUIDs=[1800 1801 180a 180f] ServicesResolved=true} []"))
    #expect(!heard.contains { $0.contains("service000e") || $0.contains("A/hr") })
    _ = try stage.run("A no-heart-rate off")
    _ = try stage.run("A drop")
    _ = try stage.call("A", "Device1", "Connect")
    #expect(stage.advance(.milliseconds(600)).contains("+ A/hr GattCharacteristic1"))
  }

  @Test mutating func aCallerThatWantsNoReplyGetsNone() throws {
    let call = BusCall("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5", "org.bluez.Device1", "Connect", withoutReply: true)
    stage.world.take(BusMessage(.call(call), serial: 9, sender: ":1.7"), at: stage.now)
    #expect(stage.advance(.milliseconds(300)) == ["CALL A Connect", "A Device1 {Connected=true} []", "CONNECTED A"])
  }
}
