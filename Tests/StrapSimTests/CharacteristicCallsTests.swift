import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct CharacteristicCallsTests {
  private var stage: Stage
  private let chrc = "GattCharacteristic1"

  init() throws {
    stage = try Stage(
      "strap A F0:F1:F2:F3:F4:F5 battery=87 location=1 manufacturer=Maker model=M1 serial=42 firmware=1.0")
    try stage.connect()
  }

  @Test mutating func notificationsBelongToAClient() throws {
    #expect(
      try stage.call("A/hr", chrc, "StartNotify") == [
        "CALL A StartNotify 2a37", "A/hr GattCharacteristic1 {Notifying=true} []", "SUBSCRIBED A", "reply 4",
      ])
    #expect(
      try stage.call("A/hr", chrc, "StartNotify").last == "error 5 org.bluez.Error.Failed: Already notifying")
    #expect(try stage.call("A/hr", chrc, "StartNotify", by: ":1.8") == ["CALL A StartNotify 2a37", "reply 6"])
    #expect(try stage.call("A/hr", chrc, "StopNotify") == ["CALL A StopNotify 2a37", "reply 7"])
    #expect(
      try stage.call("A/hr", chrc, "StopNotify").last == "error 8 org.bluez.Error.Failed: No notify session started")
    #expect(stage.leave(":1.8") == ["A/hr GattCharacteristic1 {Notifying=false} []", "UNSUBSCRIBED A"])
  }

  @Test mutating func theDescriptorTellsWhetherNotificationsAreOn() throws {
    let (path, descriptor) = ("A/hr/desc0011", "GattDescriptor1")
    let arguments: [BusValue] = [.properties([:])]
    #expect(
      try stage.call(path, descriptor, "ReadValue", arguments) == ["CALL A ReadValue 2902", "reply 4 <0000>"])
    _ = try stage.call("A/hr", chrc, "StartNotify")
    #expect(try stage.call(path, descriptor, "ReadValue", arguments).last == "reply 6 <0100>")
    #expect(
      try stage.call(path, descriptor, "WriteValue", [.bytes([1, 0]), .properties([:])]).last
        == "error 7 org.bluez.Error.NotPermitted: Write not permitted")
    _ = try stage.run("A loss")
    #expect(
      try stage.call(path, descriptor, "ReadValue", arguments).last
        == "error 8 org.bluez.Error.Failed: Not connected")
  }

  @Test mutating func theSubscriptionSurvivesTheLinkButNotTheClient() throws {
    _ = try stage.call("A/hr", chrc, "StartNotify")
    _ = try stage.run("A loss")
    #expect(
      try stage.call(
        "A/hr", "org.freedesktop.DBus.Properties", "Get",
        [.string("org.bluez.GattCharacteristic1"), .string("Notifying")]) == ["reply 5 true"])
    #expect(
      try stage.call("A/hr", chrc, "StartNotify").last
        == "error 6 org.bluez.Error.InProgress: Operation already in progress")
    #expect(stage.leave(":1.7") == ["A/hr GattCharacteristic1 {Notifying=false} []"])
    _ = try stage.run("A return")
    _ = try stage.call("A", "Device1", "Connect", by: ":1.8")
    #expect(!stage.advance(.seconds(1)).contains("SUBSCRIBED A"))
  }

  /// Success is not a subscription: that comes with the link.
  @Test mutating func startNotifyWithoutALink() throws {
    _ = try stage.run("A loss")
    #expect(try stage.call("A/hr", chrc, "StartNotify") == ["CALL A StartNotify 2a37", "reply 4"])
    _ = try stage.call("A", "Device1", "Connect")
    _ = try stage.run("A return")
    #expect(
      stage.advance(.milliseconds(300)) == [
        "A Device1 {Connected=true} []", "CONNECTED A", "A/hr GattCharacteristic1 {Notifying=true} []", "SUBSCRIBED A",
        "reply 5",
      ])
  }

  @Test mutating func whatIsToldToGoWrongDoes() throws {
    _ = try stage.run("A notify-error NotPermitted Notify acquired")
    for serial in 4...5 {
      #expect(
        try stage.call("A/hr", chrc, "StartNotify").last
          == "error \(serial) org.bluez.Error.NotPermitted: Notify acquired")
    }
    _ = try stage.run("A notify-error none")
    _ = try stage.run("A notify-silent on")
    #expect(try stage.call("A/hr", chrc, "StartNotify").last == "reply 6")
    #expect(try stage.run("A raw 1648") == ["DONE A raw 1648"])
    _ = try stage.run("A notify-silent off")
    #expect(try stage.run("A raw 1648").count == 3)
  }

  @Test mutating func burst() throws {
    _ = try stage.call("A/hr", chrc, "StartNotify")
    #expect(
      try stage.run("A burst 1648 1649 1648").filter { $0.hasPrefix("SENT") } == [
        "SENT A 1648", "SENT A 1649", "SENT A 1648",
      ])
  }

  static let values: [(path: String, uuid: String, hex: String)] = [
    ("A/service000e/char0012", "2a38", "01"), ("A/service0016/char0017", "2a19", "57"),
    ("A/service001a/char001b", "2a29", "4d616b6572"), ("A/service001a/char001d", "2a24", "4d31"),
    ("A/service001a/char001f", "2a25", "3432"), ("A/service001a/char0021", "2a27", "687731"),
    ("A/service001a/char0023", "2a26", "312e30"), ("A/service001a/char0025", "2a28", "737731"),
  ]

  @Test(arguments: values)
  func reading(path: String, uuid: String, hex: String) throws {
    var stage = stage
    #expect(
      try stage.call(path, chrc, "ReadValue", [.properties([:])]) == [
        "CALL A ReadValue \(uuid)", "\(path) GattCharacteristic1 {Value=<\(hex)>} []", "reply 4 <\(hex)>",
      ])
    _ = try stage.run("A loss")
    #expect(
      try stage.call(path, chrc, "ReadValue", [.properties([:])]).last
        == "error 5 org.bluez.Error.Failed: Not connected")
  }

  @Test mutating func whatCannotBeDone() throws {
    #expect(
      try stage.call("A/hr", chrc, "ReadValue", [.properties([:])]).last
        == "error 4 org.bluez.Error.NotPermitted: Read not permitted")
    #expect(
      try stage.call("A/hr", chrc, "AcquireNotify", [.properties([:])]).last
        == "error 5 org.bluez.Error.NotSupported: Operation is not supported")
    #expect(
      try stage.call("A/service000e/char0012", chrc, "StartNotify").last
        == "error 6 org.bluez.Error.NotSupported: Operation is not supported")
    #expect(
      try stage.call("A/service000e/char0012", chrc, "WriteValue", [.bytes([1]), .properties([:])]).last
        == "error 7 org.bluez.Error.NotPermitted: Write not permitted")
  }

  @Test mutating func theControlPoint() throws {
    _ = try stage.run("A energy 500")
    _ = try stage.run("A beat 0")
    _ = try stage.call("A/hr", chrc, "StartNotify")
    #expect(stage.advance(.seconds(1)).last == "SENT A 0e00f401")
    let path = "A/service000e/char0014"
    for value: [UInt8] in [[5], [], [1, 0], [0]] {
      #expect(
        try stage.call(path, chrc, "WriteValue", [.bytes(value), .properties([:])]).last?.hasSuffix(
          "org.bluez.Error.Failed: Operation failed with ATT error: 0x80") == true)
    }
    #expect(
      try stage.call(path, chrc, "WriteValue", [.bytes([1]), .properties([:])]) == [
        "CALL A WriteValue 2a39", "ENERGY A reset", "reply 9",
      ])
    #expect(stage.advance(.seconds(10)).contains("SENT A 0e000000"))
  }

  @Test mutating func theBatteryIsHeardTwice() throws {
    #expect(try stage.run("A battery 42") == ["A Battery1 {Percentage=42} []", "DONE A battery 42"])
    _ = try stage.call("A/service0016/char0017", chrc, "StartNotify")
    #expect(
      try stage.run("A battery 41") == [
        "A Battery1 {Percentage=41} []", "A/service0016/char0017 GattCharacteristic1 {Value=<29>} []",
        "DONE A battery 41",
      ])
    _ = try stage.run("A loss")
    #expect(try stage.run("A battery 40") == ["DONE A battery 40"])
  }
}
