import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct AdapterCallsTests {
  @Test func discoveryBelongsToAClient() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(
      try stage.call("hci0", "Adapter1", "StartDiscovery").last
        == "error 2 org.bluez.Error.InProgress: Operation already in progress")
    #expect(
      try stage.call("hci0", "Adapter1", "StartDiscovery", by: ":1.8") == ["CALL hci0 StartDiscovery", "reply 3"])
    #expect(
      try stage.call("hci0", "Adapter1", "StopDiscovery", by: ":1.9").last
        == "error 4 org.bluez.Error.Failed: No discovery started")
    #expect(try stage.call("hci0", "Adapter1", "StopDiscovery") == ["CALL hci0 StopDiscovery", "reply 5"])
    #expect(stage.leave(":1.8") == ["hci0 Adapter1 {Discovering=false} []", "DISCOVERY off"])
    #expect(stage.leave(":1.8") == [])
  }

  @Test func filtersOfAllClientsMerge() throws {
    let power = BusValue.properties(["UUIDs": .strings(["00001818-0000-1000-8000-00805f9b34fb"])])
    let heart = BusValue.properties([
      "UUIDs": .strings(["0000180D-0000-1000-8000-00805F9B34FB"]), "Transport": .string("le"),
    ])
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "SetDiscoveryFilter", [power])
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(stage.advance(.seconds(1)) == [])
    _ = try stage.call("hci0", "Adapter1", "SetDiscoveryFilter", [heart], by: ":1.8")
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery", by: ":1.8")
    #expect(stage.advance(.seconds(1)) == ["+ A Device1"])
  }

  /// Of what is no strap nothing is heard where only straps are asked for.
  @Test func aDeviceWithoutHeartRate() throws {
    let heart = BusValue.properties(["UUIDs": .strings(["0000180d-0000-1000-8000-00805f9b34fb"])])
    var stage = try Stage("strap A F0:F1:F2:F3:F4:F5 name=Watch heart-rate=no")
    _ = try stage.call("hci0", "Adapter1", "SetDiscoveryFilter", [heart])
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(stage.advance(.seconds(1)) == [])
    _ = try stage.call("hci0", "Adapter1", "SetDiscoveryFilter", [.properties([:])])
    #expect(stage.advance(.seconds(1)) == ["+ A Device1"])
    let found = try stage.call("A", "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.Device1")])
    #expect(found.last?.contains("UUIDs=[180f]") == true, "\(found)")
    _ = try stage.call("A", "Device1", "Connect")
    let resolved = stage.advance(.seconds(1)).filter { $0.contains("ServicesResolved=true") }
    #expect(resolved.first?.contains("180d") == false)
  }

  static let filters: [(BusValue, finds: Bool)] = [
    (.properties([:]), true), (.properties(["Transport": .string("auto")]), true),
    (.properties(["Transport": .string("bredr")]), false), (.properties(["RSSI": .int16(-60)]), true),
    (.properties(["RSSI": .int16(-40)]), false), (.properties(["UUIDs": .strings([])]), true),
    (.properties(["DuplicateData": .boolean(true), "Pathloss": .uint16(1), "Pattern": .string("")]), true),
  ]

  @Test(arguments: filters)
  func filter(filter: BusValue, finds: Bool) throws {
    var stage = try Stage()
    #expect(try stage.call("hci0", "Adapter1", "SetDiscoveryFilter", [filter]).last == "reply 1")
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(stage.advance(.seconds(1)) == (finds ? ["+ A Device1"] : []))
  }

  @Test(arguments: [
    BusValue.properties(["UUIDs": .string("180d")]), .properties(["Transport": .string("smell")]),
    .properties(["Transport": .byte(1)]), .properties(["RSSI": .int32(1)]), .properties(["Pathloss": .byte(1)]),
    .properties(["Unknown": .byte(1)]), .properties(["DuplicateData": .byte(1)]), .properties(["Pattern": .byte(1)]),
  ])
  func badFilter(filter: BusValue) throws {
    var stage = try Stage()
    #expect(
      try stage.call("hci0", "Adapter1", "SetDiscoveryFilter", [filter]).last
        == "error 1 org.bluez.Error.InvalidArguments: Invalid arguments in method call")
  }

  @Test func anAdapterThatIsOffIsNotReady() throws {
    var stage = try Stage()
    try stage.connect()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
    #expect(
      try stage.call(
        "hci0", "org.freedesktop.DBus.Properties", "Set",
        [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(false))]) == [
          "CALL hci0 Powered=false", "A Device1 {ServicesResolved=false Connected=false} []", "- A Battery1",
          "DISCONNECTED A", "hci0 Adapter1 {Discovering=false} []", "DISCOVERY off",
          "hci0 Adapter1 {Powered=false PowerState=off} []", "reply 5",
        ])
    let notReady = "org.bluez.Error.NotReady: Resource Not Ready"
    #expect(try stage.call("hci0", "Adapter1", "StartDiscovery").last == "error 6 \(notReady)")
    #expect(try stage.call("hci0", "Adapter1", "StopDiscovery").last == "error 7 \(notReady)")
    #expect(try stage.call("A", "Device1", "Connect").last == "error 8 \(notReady)")
    #expect(try stage.call("A", "Device1", "Pair").last == "error 9 \(notReady)")
    #expect(
      try stage.call(
        "hci0", "org.freedesktop.DBus.Properties", "Set",
        [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))]) == [
          "CALL hci0 Powered=true", "hci0 Adapter1 {Powered=true PowerState=on} []", "reply 10",
        ])
  }

  @Test func removingADeviceEndsItsLink() throws {
    var stage = try Stage()
    try stage.connect()
    let heard = try stage.call(
      "hci0", "Adapter1", "RemoveDevice", [.objectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")])
    #expect(
      heard.prefix(5) == [
        "CALL hci0 RemoveDevice", "- A Battery1", "A Device1 {ServicesResolved=false} []",
        "A Device1 {Connected=false} []", "DISCONNECTED A",
      ])
    #expect(heard.suffix(2) == ["- A Device1", "reply 4"])
    #expect(
      try stage.call("hci0", "Adapter1", "RemoveDevice", [.objectPath("/org/bluez/hci0")]).last
        == "error 5 org.bluez.Error.DoesNotExist: Does Not Exist")
  }
}
