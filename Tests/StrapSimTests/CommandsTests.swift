import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct CommandsTests {
  @Test func linesAreDoneWhenTheirTimeHasCome() throws {
    var stage = try Stage()
    #expect(try stage.run("at 2 A copies 2") == [])
    #expect(try stage.run("at 1 A copies 3") == [])
    #expect(try stage.run("at 2 quit") == [])
    #expect(stage.advance(.milliseconds(999)) == [])
    #expect(stage.advance(.milliseconds(1)) == ["DONE A copies 3"])
    #expect(stage.advance(.seconds(5)) == ["DONE A copies 2", "quit", "DONE quit"])
  }

  @Test func aSecondStrapIsFoundBySomebodyWhoScans() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
    _ = try stage.run("strap B F0:F1:F2:F3:F4:F6")
    #expect(stage.advance(.milliseconds(100)) == ["+ B Device1"])
    #expect(try stage.run("A loss") == ["DONE A loss"])
    #expect(stage.world.straps.map(\.isPresent) == [false, true])
  }

  @Test func theAdapterIsBlocked() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    #expect(
      try stage.run("adapter block") == [
        "hci0 Adapter1 {Discovering=false} []", "DISCOVERY off",
        "hci0 Adapter1 {Powered=false PowerState=off-blocked} []",
        "DONE adapter block",
      ])
    #expect(
      try stage.call(
        "hci0", "org.freedesktop.DBus.Properties", "Set",
        [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))]) == [
          "error 2 org.bluez.Error.Blocked: Blocked through rfkill"
        ])
    #expect(try stage.run("adapter on") == ["DONE adapter on"], "not even from outside")
    #expect(try stage.run("adapter block") == ["DONE adapter block"])
    #expect(
      try stage.run("adapter unblock") == ["hci0 Adapter1 {Powered=true PowerState=on} []", "DONE adapter unblock"])
    _ = try stage.run("adapter off")
    _ = try stage.run("adapter block")
    #expect(
      try stage.run("adapter unblock") == ["hci0 Adapter1 {Powered=false PowerState=off} []", "DONE adapter unblock"])
  }

  @Test func powerOffCancelsAConnect() throws {
    var stage = try Stage()
    _ = try stage.call("hci0", "Adapter1", "StartDiscovery")
    _ = stage.advance(.milliseconds(100))
    _ = try stage.run("A loss")
    _ = try stage.call("A", "Device1", "Connect")
    #expect(
      try stage.run("adapter off").first == "error 2 org.bluez.Error.Failed: le-connection-abort-by-local")
  }

  /// Adapters renumber when they are plugged in again.
  @Test func theAdapterGoesAndComesUnderAnotherNumber() throws {
    var stage = try Stage()
    try stage.connect()
    let heard = try stage.run("adapter remove")
    #expect(
      heard.prefix(3) == ["A Device1 {ServicesResolved=false Connected=false} []", "- A Battery1", "DISCONNECTED A"])
    #expect(heard.suffix(3) == ["- A Device1", "- hci0 Adapter1", "DONE adapter remove"])
    #expect(
      try stage.call("hci0", "Adapter1", "StartDiscovery").last?.hasPrefix(
        "error 4 org.freedesktop.DBus.Error.UnknownObject") == true)
    #expect(try stage.run("adapter remove") == ["DONE adapter remove"])
    #expect(try stage.run("adapter off") == ["DONE adapter off"])
    #expect(try stage.run("adapter add hci1") == ["+ /org/bluez/hci1 Adapter1", "DONE adapter add hci1"])
    _ = try stage.call("/org/bluez/hci1", "Adapter1", "StartDiscovery")
    #expect(stage.advance(.milliseconds(100)) == ["+ /org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5 Device1"])
  }

  @Test func bluetoothdForgetsEverythingButTheStraps() throws {
    var stage = try Stage()
    try stage.subscribe()
    #expect(try stage.run("bluetoothd stop") == ["DISCONNECTED A", "stop bluetoothd", "DONE bluetoothd stop"])
    #expect(try stage.run("bluetoothd stop") == ["DONE bluetoothd stop"])
    #expect(try stage.run("A raw 1648") == ["DONE A raw 1648"])
    #expect(stage.advance(.seconds(100)) == [])
    #expect(try stage.run("bluetoothd start") == ["start bluetoothd", "DONE bluetoothd start"])
    #expect(stage.world.nodes.count == 3)
    try stage.subscribe()
    #expect(try stage.run("A raw 1648").count == 3)
  }

  @Test func bondsOutliveBluetoothd() throws {
    var stage = try Stage()
    try stage.connect()
    try stage.register("")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.seconds(1))
    #expect(stage.answer([]).contains("PAIRED A"))
    _ = try stage.run("bluetoothd stop")
    _ = try stage.run("bluetoothd start")
    #expect(
      try stage.call(
        "A", "org.freedesktop.DBus.Properties", "Get", [.string("org.bluez.Device1"), .string("Paired")]) == [
          "reply 6 true"
        ])
  }
}
