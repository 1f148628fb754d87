import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct CallsTests {
  private let properties = "org.freedesktop.DBus.Properties"

  @Test func theTreeOfNothing() throws {
    var stage = try Stage()
    let heard = try stage.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    #expect(
      heard == [
        """
        reply 1 {/org/bluez={org.freedesktop.DBus.Introspectable={} AgentManager1={} org.freedesktop.DBus.Properties={}} \
        hci0={org.freedesktop.DBus.Introspectable={} Adapter1={Address=00:AA:01:00:00:42 AddressType=public \
        Name=strap-sim Alias=strap-sim Class=0 Powered=true PowerState=on Discoverable=false DiscoverableTimeout=180 \
        Pairable=false PairableTimeout=0 Discovering=false UUIDs=[1800 1801] Modalias=usb:v1D6Bp0246d0542 \
        Roles=[central]} org.freedesktop.DBus.Properties={}}}
        """
      ])
  }

  @Test func aDeviceInTheTree() throws {
    var stage = try Stage()
    try stage.subscribe()
    _ = try stage.run("A raw 1648")
    #expect(
      try stage.call("A", properties, "GetAll", [.string("org.bluez.Device1")]) == [
        """
        reply 5 {Address=F0:F1:F2:F3:F4:F5 AddressType=random Name=Demo HR Alias=Demo HR Appearance=833 Paired=false \
        Bonded=false Trusted=false Blocked=false LegacyPairing=false Connected=true UUIDs=[1800 1801 180a 180d 180f] \
        Adapter=hci0 ServicesResolved=true}
        """
      ])
    #expect(
      try stage.call("A/hr", properties, "GetAll", [.string("org.bluez.GattCharacteristic1")]) == [
        "reply 6 {UUID=2a37 Service=A/service000e Value=<1648> Notifying=true Flags=[notify] MTU=517}"
      ])
    #expect(
      try stage.call("A", properties, "GetAll", [.string("org.bluez.Battery1")]) == ["reply 7 {Percentage=87}"])
    #expect(
      try stage.call("A/service000e", properties, "GetAll", [.string("org.bluez.GattService1")]) == [
        "reply 8 {UUID=180d Device=A Primary=true Includes=[]}"
      ])
    #expect(
      try stage.call("A/hr/desc0011", properties, "GetAll", [.string("org.bluez.GattDescriptor1")]) == [
        "reply 9 {UUID=2902 Characteristic=A/hr Value=<>}"
      ])
  }

  @Test func gettingAndSetting() throws {
    var stage = try Stage()
    let adapter = BusValue.string("org.bluez.Adapter1")
    func set(_ name: String, _ value: BusValue) -> [BusValue] { [adapter, .string(name), .variant(value)] }
    let dbus = "org.freedesktop.DBus.Error"
    #expect(try stage.call("hci0", properties, "Get", [adapter, .string("Powered")]) == ["reply 1 true"])
    #expect(
      try stage.call("hci0", properties, "Get", [adapter, .string("Colour")]) == [
        "error 2 \(dbus).InvalidArgs: No such property 'Colour'"
      ])
    #expect(
      try stage.call("hci0", properties, "Get", [.string("a.b"), .string("Powered")]) == [
        "error 3 \(dbus).InvalidArgs: No such interface 'a.b'"
      ])
    #expect(
      try stage.call("hci0", properties, "Set", set("Address", .string("x"))) == [
        "error 4 \(dbus).PropertyReadOnly: Property 'Address' is not writable"
      ])
    #expect(
      try stage.call("hci0", properties, "Set", set("Powered", .string("x"))) == [
        "error 5 \(dbus).InvalidSignature: Invalid argument type"
      ])
    #expect(
      try stage.call("hci0", properties, "Set", set("Alias", .string("x"))) == [
        "hci0 Adapter1 {Alias=x} []", "reply 6",
      ])
    #expect(
      try stage.call("hci0", properties, "Set", set("Powered", .boolean(true))) == [
        "CALL hci0 Powered=true", "reply 7",
      ])
    #expect(try stage.call("hci0", properties, "GetAll", [.string(properties)]) == ["reply 8 {}"])
  }

  @Test func settingOfADevice() throws {
    var stage = try Stage()
    try stage.connect()
    for (name, value, text) in [
      ("Alias", BusValue.string("Mine"), "Mine"), ("Trusted", .boolean(true), "true"),
      ("Blocked", .boolean(true), "true"),
    ] {
      let body: [BusValue] = [.string("org.bluez.Device1"), .string(name), .variant(value)]
      #expect(try stage.call("A", properties, "Set", body).first == "A Device1 {\(name)=\(text)} []")
      #expect(try stage.call("A", properties, "Get", Array(body.prefix(2))).last?.hasSuffix(" \(text)") == true)
    }
  }

  /// libdbus's own answers to what nobody handles.
  @Test func theUnknown() throws {
    var stage = try Stage()
    let dbus = "org.freedesktop.DBus.Error"
    #expect(
      try stage.call("hci0", "Adapter1", "Sing", [.string("x"), .properties([:])]) == [
        """
        error 1 \(dbus).UnknownMethod: \
        Method "Sing" with signature "sa{sv}" on interface "org.bluez.Adapter1" doesn't exist

        """
      ])
    #expect(
      try stage.call("hci0", "Adapter1", "StartDiscovery", [.string("x")]).first?.hasPrefix(
        "error 2 \(dbus).UnknownMethod") == true)
    #expect(
      try stage.call("hci0", "Device1", "Connect").first?.hasPrefix("error 3 \(dbus).UnknownMethod") == true)
    #expect(
      try stage.call("/elsewhere", "Adapter1", "StartDiscovery").first?.hasPrefix("error 4 \(dbus).UnknownObject")
        == true)
  }

  /// Only the bus's own word counts, and only when a name is given up.
  @Test func whoHasNotLeftIsNotForgotten() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    let kind = BusMessage.Kind.signal(
      path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
    let gone: [BusValue] = [.string(":1.7"), .string(":1.7"), .string("")]
    stage.world.take(BusMessage(kind, sender: ":1.9", body: gone), at: stage.now)
    for body in [[], [gone[0]], [gone[0], gone[2], gone[0]], [gone[0], gone[1], .byte(1)]] {
      stage.world.take(BusMessage(kind, sender: BusDaemon.name, body: body), at: stage.now)
    }
    #expect(stage.world.adapter?.discoverers == [":1.7"])
    #expect(stage.leave(":1.7").contains("DISCOVERY off"))
  }
}
