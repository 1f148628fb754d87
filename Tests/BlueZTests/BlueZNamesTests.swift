import BlueZ
import Bus
import Testing

/// The calls of bluetoothd, word for word.
@Suite struct BlueZNamesTests {
  static let device: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  static let characteristic: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f"
  static let adapter: ObjectPath = "/org/bluez/hci0"

  static let calls:
    [(message: BusMessage, path: ObjectPath, interface: InterfaceName, member: MemberName, body: [BusValue])] = [
      (BlueZCall.getManagedObjects(serial: 7), "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", []),
      (BlueZCall.connect(device, serial: 7), device, "org.bluez.Device1", "Connect", []),
      (BlueZCall.disconnect(device, serial: 7), device, "org.bluez.Device1", "Disconnect", []),
      (
        BlueZCall.startNotify(characteristic, serial: 7), characteristic, "org.bluez.GattCharacteristic1",
        "StartNotify",
        []
      ),
      (
        BlueZCall.stopNotify(characteristic, serial: 7), characteristic, "org.bluez.GattCharacteristic1", "StopNotify",
        []
      ),
      (
        BlueZCall.readValue(characteristic, serial: 7), characteristic, "org.bluez.GattCharacteristic1", "ReadValue",
        [.dictionary(key: .string, value: .variant, [])]
      ),
      (
        BlueZCall.readDescriptor("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f/desc0011", serial: 7),
        "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f/desc0011", "org.bluez.GattDescriptor1", "ReadValue",
        [.dictionary(key: .string, value: .variant, [])]
      ),
      (
        BlueZCall.setDiscoveryFilter(adapter, uuid: "0000180d-0000-1000-8000-00805f9b34fb", serial: 7), adapter,
        "org.bluez.Adapter1", "SetDiscoveryFilter",
        [
          .dictionary(
            key: .string, value: .variant,
            [
              .init(
                .string("UUIDs"), .variant(.array(of: .string, [.string("0000180d-0000-1000-8000-00805f9b34fb")]))),
              .init(.string("Transport"), .variant(.string("le"))),
            ])
        ]
      ),
      (BlueZCall.startDiscovery(adapter, serial: 7), adapter, "org.bluez.Adapter1", "StartDiscovery", []),
      (BlueZCall.stopDiscovery(adapter, serial: 7), adapter, "org.bluez.Adapter1", "StopDiscovery", []),
      (
        BlueZCall.powerOn(adapter, serial: 7), adapter, "org.freedesktop.DBus.Properties", "Set",
        [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))]
      ),
    ]

  @Test(arguments: calls.indices)
  func call(_ index: Int) {
    let (message, path, interface, member, body) = Self.calls[index]
    #expect(
      message
        == BusMessage(
          .call(BusCall(path, interface, member, withoutActivation: true)), serial: 7, destination: "org.bluez",
          body: body))
  }
}
