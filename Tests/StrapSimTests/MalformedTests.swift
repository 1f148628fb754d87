import Bus
import Testing

@testable import strap_sim

@Suite struct MalformedTests {
  /// Each kind is one signal and a line of the log, with and without a strap that bluetoothd knows.
  @Test(arguments: MalformedKind.allCases)
  func kind(kind: MalformedKind) throws {
    for isConnected in [false, true] {
      var stage = try Stage()
      if isConnected { try stage.connect() }
      let before = stage.world.nodes
      let heard = try stage.run("malformed \(kind.rawValue)")
      #expect(heard.count == 3)
      #expect(heard.suffix(2) == ["MALFORMED \(kind.rawValue)", "DONE malformed \(kind.rawValue)"])
      #expect(stage.world.nodes == before, "nothing has really happened")
    }
  }

  /// What the signals say, so that none of them is well-formed by accident.
  @Test func theSignals() throws {
    var stage = try Stage()
    try stage.connect()
    let chrc = "GattCharacteristic1"
    #expect(
      try stage.run("malformed all").filter { !$0.hasPrefix("MALFORMED") } == [
        "A/hr \(chrc) {Value=1648} []", "A/hr \(chrc) {} [Value]", "A/hr \(chrc)",
        "A/hr {Value=<1648>} \(chrc) []", "A/hr", "A Device1 {Connected=yes} []", "A Device1 {ServicesResolved=1} []",
        "A Device1 {RSSI=-50} []", "A Battery1 {Percentage=int32 50} []", "A Battery1 {Percentage=200} []",
        "A org.example.Unknown1 {Connected=false} []",
        "/org/bluez/hci9/dev_00_00_00_00_00_00/service0001/char0002 \(chrc) {Value=<1648>} []",
        "signal org.freedesktop.DBus.Properties.PropertiesForgotten", "+ hci0/dev_00_00_00_00_00_01 ",
        "+ hci0/dev_00_00_00_00_00_01 ", "+ /org/example org.example.Unknown1", "+ hci0/dev_00_00_00_00_00_02 Device1",
        "+ hci0/dev_00_00_00_00_00_03 Device1", "+ hci0/dev_00_00_00_00_00_04/service0001 \(chrc)", "- A ", "- A ",
        "- A org.example.Unknown1", "DONE malformed all",
      ])
  }
}
