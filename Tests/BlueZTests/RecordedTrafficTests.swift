import BlueZ
import Bus
import Foundation
import Measurements
import Testing

/// The signals of a real bluetoothd (5.66, a heart-rate strap of two notifications a second): found by scanning,
/// connected, resolved, notifying for one client and another, out of range and back, and gone again.
@Suite struct RecordedTrafficTests {
  /// Each message beside what it must mean, and the strap's world where that has changed.
  @Test func traffic() throws {
    var bluez = Bluetoothd(Objects.tree([Objects.adapter: Objects.adapter()]))
    var lines: [String] = []
    var world = LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.adapterAddress)
    for message in try DBusMonitor.messages(try Self.text("dbus-monitor-5.66.txt")) {
      let changes = bluez.take(message)
      lines.append(changes.isEmpty ? "\(message.serial) nothing" : "\(message.serial) " + Self.text(of: changes))
      let now = LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.adapterAddress)
      if now != world { lines.append("    " + Self.text(of: now)) }
      world = now
    }
    let expected = try Self.text("dbus-monitor-5.66.changes").split(separator: "\n").map(String.init)
    #expect(lines.count == expected.count)
    for (line, wanted) in zip(lines, expected) { #expect(line == wanted) }
    // Nothing that bluetoothd says by itself is odd.
    #expect(bluez.mirror.oddSignals == 0)
    let device = try #require(bluez.mirror.tree.devices[Objects.device])
    #expect(device.name == "Spike HR")
    #expect(device.battery == nil)
    #expect(device.services.count == 5)
    #expect(bluez.mirror.tree.devices.count == 2)
  }

  private static func text(of changes: [Mirror.Change]) -> String {
    changes.map { change in
      switch change {
      case .presence: "presence"
      case .object(let path): "object \(path)"
      case .value(let path, let bytes): "value \(path) \(Hex.text(bytes))"
      }
    }.joined(separator: ", ")
  }

  private static func text(of world: LinkWorld) -> String {
    guard let device = world.device else { return "\(world.host)" }
    var words = ["\(world.host)", "known"]
    if device.isHeard { words.append("heard") }
    if device.isConnected { words.append("connected") }
    if device.isResolved { words.append("resolved") }
    if let measurement = device.measurement { words.append("\(measurement.lastElement)") }
    if let configuration = device.configuration { words.append("\(configuration.lastElement)") }
    if device.isNotifying { words.append("notifying") }
    return words.joined(separator: " ")
  }

  private static func text(_ name: String) throws -> String {
    let url = try #require(Bundle.module.url(forResource: "Corpus/" + name, withExtension: nil))
    return try String(contentsOf: url, encoding: .utf8)
  }
}

@Suite struct DBusMonitorTests {
  @Test func reads() throws {
    let text = """
      signal time=1.5 sender=:1.1 -> destination=(null destination) serial=7 path=/a; interface=a.B; member=PropertiesChanged
         string "org.bluez.GattCharacteristic1"
         array [
            dict entry(
               string "Value"
               variant             array of bytes [
                     1e 41 05
                     00
                  ]
            )
            dict entry(
               string "Value"
               variant             array of bytes "W"
            )
            dict entry(
               string "Value"
               variant             array [
                  ]
            )
            dict entry(
               string "UUIDs"
               variant             array [
                     string "a b"
                  ]
            )
            dict entry(
               string "RSSI"
               variant             int16 -50
            )
         ]
         array [
            string "TxPower"
         ]
      """
    let messages = try DBusMonitor.messages(text)
    #expect(
      messages == [
        BusMessage(
          .signal(path: "/a", interface: "a.B", member: "PropertiesChanged"), serial: 7, sender: ":1.1",
          body: [
            .string("org.bluez.GattCharacteristic1"),
            .properties([
              "Value": .bytes([0x1E, 0x41, 5, 0]), "Value": .bytes([0x57]), "Value": .bytes([]),
              "UUIDs": .strings(["a b"]), "RSSI": .int16(-50),
            ]), .strings(["TxPower"]),
          ])
      ])
  }

  @Test(arguments: [
    "method call time=1 sender=:1.1 serial=1", "signal serial=1 path=/; interface=a.B; member=InterfacesRemoved",
    "signal serial=1 path=/; interface=a.B; member=NameLost\n   uint32 1",
    "signal serial=1 path=/; interface=a.B; member=NameLost\n   string \"x\"\n   string \"y\"",
    "signal serial=1 path=/; interface=a.B; member=InterfacesRemoved\n   object path \"/a\"\n   array [",
  ])
  func refuses(_ text: String) {
    #expect(throws: DBusMonitor.Unreadable.self) { try DBusMonitor.messages(text) }
  }
}
