import Bus
import Measurements
import Testing

@testable import strap_sim

/// The order of what is said is that of a recorded bluetoothd 5.66.
@Suite struct RadioTests {
  @Test func aScanFindsTheStrapAndForgetsIt() throws {
    var stage = try Stage()
    #expect(
      try stage.call("hci0", "Adapter1", "StartDiscovery") == [
        "CALL hci0 StartDiscovery", "DISCOVERY on", "hci0 Adapter1 {Discovering=true} []", "reply 1",
      ])
    #expect(stage.advance(.milliseconds(99)) == [])
    #expect(stage.advance(.milliseconds(1)) == ["+ A Device1"])
    #expect(stage.advance(.seconds(60)) == [], "what is in reach stays while somebody scans")
    #expect(try stage.run("A rssi -70") == ["A Device1 {RSSI=-70} []", "DONE A rssi -70"])
    #expect(
      try stage.call("hci0", "Adapter1", "StopDiscovery") == [
        "CALL hci0 StopDiscovery", "A Device1 {} [RSSI]", "hci0 Adapter1 {Discovering=false} []", "DISCOVERY off",
        "reply 2",
      ])
    #expect(stage.advance(.milliseconds(29_999)) == [])
    #expect(stage.advance(.milliseconds(1)) == ["- A Device1"])
    #expect(
      try stage.call("A", "Device1", "Connect") == [
        """
        error 3 org.freedesktop.DBus.Error.UnknownObject: \
        Method "Connect" with signature "" on interface "org.bluez.Device1" doesn't exist

        """
      ])
    #expect(stage.world.nextDeadline == nil)
  }

  @Test func aKnownStrapIsReportedByItsSignal() throws {
    var stage = try Stage()
    try stage.connect()
    _ = try stage.call("A", "Device1", "Disconnect")
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(stage.advance(.milliseconds(100)) == ["A Device1 {RSSI=-50} []"])
  }

  @Test func theFirstConnectionMakesTheObjects() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
    #expect(try stage.call("A", "Device1", "Connect") == ["CALL A Connect"])
    #expect(stage.advance(.milliseconds(299)) == [])
    #expect(
      stage.advance(.milliseconds(1)) == ["A Device1 {Connected=true} []", "CONNECTED A", "reply 2"])
    #expect(stage.advance(.milliseconds(299)) == [])
    let heard = stage.advance(.milliseconds(1))
    let hr = "A/service000e"
    #expect(
      heard == [
        "+ A/service0006 GattService1", "+ A/service0006/char0007 GattCharacteristic1",
        "+ A/service0006/char0007/desc0009 GattDescriptor1", "+ A/service0006/char000a GattCharacteristic1",
        "+ A/service0006/char000c GattCharacteristic1", "+ \(hr) GattService1", "+ A/hr GattCharacteristic1",
        "+ A/hr/desc0011 GattDescriptor1", "+ \(hr)/char0012 GattCharacteristic1",
        "+ \(hr)/char0014 GattCharacteristic1", "+ A/service0016 GattService1",
        "+ A/service0016/char0017 GattCharacteristic1", "+ A/service0016/char0017/desc0019 GattDescriptor1",
        "+ A/service001a GattService1", "+ A/service001a/char001b GattCharacteristic1",
        "+ A/service001a/char001d GattCharacteristic1", "+ A/service001a/char001f GattCharacteristic1",
        "+ A/service001a/char0021 GattCharacteristic1", "+ A/service001a/char0023 GattCharacteristic1",
        "+ A/service001a/char0025 GattCharacteristic1",
        "A Device1 {UUIDs=[1800 1801 180a 180d 180f] ServicesResolved=true} []", "+ A Battery1",
      ])
  }

  @Test func lossAndReturn() throws {
    var stage = try Stage()
    try stage.subscribe()
    #expect(
      try stage.run("A loss") == [
        "A Device1 {ServicesResolved=false Connected=false} []", "- A Battery1", "DISCONNECTED A", "DONE A loss",
      ])
    #expect(try stage.call("A", "Device1", "Connect") == ["CALL A Connect"])
    #expect(stage.advance(.seconds(120)) == [], "the call stays pending, and the object with it")
    #expect(try stage.run("A return") == ["DONE A return"])
    #expect(
      stage.advance(.milliseconds(300)) == [
        "A Device1 {Connected=true} []", "CONNECTED A", "SUBSCRIBED A", "reply 5",
      ])
    // A value before ServicesResolved: the subscription was renewed by itself.
    #expect(
      try stage.run("A raw 1648") == ["A/hr GattCharacteristic1 {Value=<1648>} []", "SENT A 1648", "DONE A raw 1648"])
    #expect(stage.advance(.milliseconds(300)) == ["+ A Battery1", "A Device1 {ServicesResolved=true} []"])
  }

  @Test func aLinkThatWasNotResolvedYet() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
    _ = try stage.call("A", "Device1", "Connect")
    _ = stage.advance(.milliseconds(300))
    #expect(
      try stage.run("A drop") == ["A Device1 {Connected=false} []", "DISCONNECTED A", "DONE A drop"])
    #expect(stage.advance(.milliseconds(100)) == ["A Device1 {RSSI=-50} []"], "it advertises again")
    #expect(stage.advance(.seconds(1)) == [], "nothing is left of the resolving")
  }

  @Test func theObjectGoesHalfAMinuteAfterTheLink() throws {
    var stage = try Stage()
    try stage.connect()
    #expect(stage.advance(.seconds(300)) == [])
    _ = try stage.run("A loss")
    #expect(stage.advance(.milliseconds(29_999)) == [])
    let heard = stage.advance(.milliseconds(1))
    #expect(heard.count == 21)
    #expect(heard.first == "- A/service001a/char0025 GattCharacteristic1")
    #expect(heard.last == "- A Device1")
  }

  @Test func everyClientWithNotificationsMakesOneSignal() throws {
    var stage = try Stage()
    try stage.subscribe()
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify", by: ":1.8")
    let one = ["A/hr GattCharacteristic1 {Value=<1648>} []", "SENT A 1648"]
    #expect(try stage.run("A raw 1648") == one + one + ["DONE A raw 1648"])
    _ = try stage.run("A copies 2")
    #expect(try stage.run("A raw 1648") == one + one + one + one + ["DONE A raw 1648"])
  }

  @Test func theHeartIsHeardWhileSomebodyListens() throws {
    var stage = try Stage()
    try stage.connect()
    _ = try stage.run("A beat 60")
    #expect(stage.advance(.seconds(3)) == [])
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify")
    #expect(
      stage.advance(.seconds(2)) == [
        "A/hr GattCharacteristic1 {Value=<163c0004>} []", "SENT A 163c0004",
        "A/hr GattCharacteristic1 {Value=<163c0004>} []", "SENT A 163c0004",
      ])
    _ = try stage.run("A mute")
    #expect(stage.advance(.seconds(10)) == [])
    _ = try stage.run("A beat 120 2")
    #expect(stage.advance(.seconds(1)).filter { $0.hasPrefix("SENT") } == ["SENT A 16780002", "SENT A 16780002"])
  }
}
