import BlueZ
import Bus
import Measurements
import Testing

@Suite struct LinkWorldTests {
  @Test(arguments: [Objects.connectedStrap, Objects.connectedStrap582])
  func connected(_ tree: BusValue) {
    let bluez = Bluetoothd(tree)
    #expect(
      LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.adapterAddress)
        == LinkWorld(
          host: .ready,
          device: .init(
            path: Objects.device, isConnected: true, isResolved: true, measurement: Objects.measurement,
            isNotifying: false)))
  }

  @Test func unknown() throws {
    let bluez = Bluetoothd(Objects.connectedStrap)
    let other = try #require(StrapAddress("F0:F1:F2:F3:F4:F6"))
    #expect(
      LinkWorld(bluez.mirror, strap: other, adapter: Objects.adapterAddress) == LinkWorld(host: .ready, device: nil))
  }

  /// Whoever has notifications on uses the strap, in whichever of the two ways.
  @Test(arguments: ["Notifying", "NotifyAcquired"])
  func notifying(_ property: String) {
    var bluez = Bluetoothd(Objects.connectedStrap)
    bluez.changed(Objects.measurement, "org.bluez.GattCharacteristic1", [property: .boolean(true)])
    #expect(LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.adapterAddress).device?.isNotifying == true)
    bluez.changed(Objects.measurement, "org.bluez.GattCharacteristic1", [property: .boolean(false)])
    #expect(LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.adapterAddress).device?.isNotifying == false)
  }

  @Test func hosts() {
    var bluez = Bluetoothd(Objects.tree([:]))
    #expect(LinkWorld.Host(bluez.mirror) == .noAdapter)
    bluez.added(Objects.adapter, Objects.adapter(powered: false))
    #expect(LinkWorld.Host(bluez.mirror) == .adapterOff)
    bluez.changed(Objects.adapter, "org.bluez.Adapter1", ["PowerState": .string("off-blocked")])
    #expect(LinkWorld.Host(bluez.mirror) == .adapterBlocked)
    // A second one that could be switched on.
    bluez.added("/org/bluez/hci1", Objects.adapter("00:AA:01:00:00:43", powered: false))
    #expect(LinkWorld.Host(bluez.mirror) == .adapterOff)
    bluez.changed("/org/bluez/hci1", "org.bluez.Adapter1", ["Powered": .boolean(true)])
    #expect(LinkWorld.Host(bluez.mirror) == .ready)
    bluez.removed("/org/bluez/hci1", ["org.bluez.Adapter1"])
    #expect(LinkWorld.Host(bluez.mirror) == .adapterBlocked)
    bluez.ownerChanged(from: ":1.1", to: "")
    #expect(LinkWorld.Host(bluez.mirror) == .bluetoothdAbsent)
  }

  /// One strap that two adapters know.
  @Test func byOneAdapter() throws {
    let other = try #require(StrapAddress("00:AA:01:00:00:43"))
    let path: ObjectPath = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5"
    var bluez = Bluetoothd(Objects.connectedStrap)
    bluez.added("/org/bluez/hci1", Objects.adapter("00:AA:01:00:00:43", powered: false))
    bluez.added(path, Objects.device(["Adapter": .objectPath("/org/bluez/hci1"), "RSSI": .int16(-70)]))
    let first = LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.adapterAddress)
    #expect(first.host == .ready)
    #expect(first.device?.path == Objects.device)
    #expect(first.device?.isConnected == true)
    let second = LinkWorld(bluez.mirror, strap: Objects.strap, adapter: other)
    #expect(
      second
        == LinkWorld(
          host: .adapterOff,
          device: .init(
            path: path, isConnected: false, isResolved: false, measurement: nil, isNotifying: false, isHeard: true)))
    // None is chosen: whether there is any that could be is all that is to be seen.
    #expect(LinkWorld(bluez.mirror, strap: Objects.strap, adapter: nil) == LinkWorld(host: .ready, device: nil))
    #expect(
      LinkWorld(bluez.mirror, strap: Objects.strap, adapter: Objects.strap) == LinkWorld(host: .noAdapter, device: nil))
    // It comes back under another number.
    bluez.removed("/org/bluez/hci1", ["org.bluez.Adapter1"])
    #expect(LinkWorld(bluez.mirror, strap: Objects.strap, adapter: other) == LinkWorld(host: .noAdapter, device: nil))
    bluez.added("/org/bluez/hci7", Objects.adapter("00:AA:01:00:00:43"))
    #expect(LinkWorld(bluez.mirror, strap: Objects.strap, adapter: other) == LinkWorld(host: .ready, device: nil))
  }

  @Test func hostsBeforeTheTree() {
    #expect(LinkWorld.Host(Mirror()) == .bluetoothdAbsent)
    var bluez = Bluetoothd()
    #expect(LinkWorld.Host(bluez.mirror) == .bluetoothdAbsent)
    bluez.answerOwner(":1.1")
    #expect(LinkWorld.Host(bluez.mirror) == .bluetoothdAbsent)
    bluez.refuseTree("org.freedesktop.DBus.Error.AccessDenied")
    #expect(LinkWorld.Host(bluez.mirror) == .refused(.accessDenied))
  }
}
