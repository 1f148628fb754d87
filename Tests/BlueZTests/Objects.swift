import Bus
import Measurements

/// bluetoothd's objects as bus values, the way it sends them.
enum Objects {
  static let adapter: ObjectPath = "/org/bluez/hci0"
  static let adapterAddress = StrapAddress("00:AA:01:00:00:42")!
  static let device: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  static let service: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e"
  static let measurement: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f"
  static let location: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char0012"
  static let strap = StrapAddress("F0:F1:F2:F3:F4:F5")!

  /// "a{sa{sv}}"
  static func interfaces(_ interfaces: KeyValuePairs<String, [String: BusValue]>) -> BusValue {
    .dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant),
      interfaces.map { .init(.string($0.key), properties($0.value)) })
  }

  /// "a{sv}"
  static func properties(_ properties: [String: BusValue]) -> BusValue {
    .dictionary(
      key: .string, value: .variant,
      properties.sorted { $0.key < $1.key }.map { .init(.string($0.key), .variant($0.value)) })
  }

  /// "a{oa{sa{sv}}}", the answer to GetManagedObjects.
  static func tree(_ objects: KeyValuePairs<ObjectPath, BusValue>) -> BusValue {
    .dictionary(
      key: .objectPath, value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      objects.map { .init(.objectPath($0.key), $0.value) })
  }

  static func uuid(_ number: UInt16) -> BusValue {
    .string(BluetoothUUID(assigned: number).description)
  }

  static func adapter(
    _ address: String = "00:AA:01:00:00:42", powered: Bool = true, _ more: [String: BusValue] = [:]
  ) -> BusValue {
    let properties: [String: BusValue] = [
      "Address": .string(address), "AddressType": .string("public"), "Powered": .boolean(powered),
      "Discovering": .boolean(false), "Class": .uint32(0), "UUIDs": .strings([]),
    ]
    return interfaces([
      "org.freedesktop.DBus.Introspectable": [:], "org.bluez.Adapter1": properties.merging(more) { $1 },
      "org.bluez.GattManager1": [:], "org.bluez.LEAdvertisingManager1": ["ActiveInstances": .byte(0)],
    ])
  }

  static func device(_ more: [String: BusValue] = [:], address: String = "F0:F1:F2:F3:F4:F5") -> BusValue {
    let properties: [String: BusValue] = [
      "Address": .string(address), "AddressType": .string("random"), "Name": .string("Demo HR"),
      "Alias": .string("Demo HR"), "Appearance": .uint16(833), "Paired": .boolean(false), "Bonded": .boolean(false),
      "Trusted": .boolean(false), "Connected": .boolean(false), "ServicesResolved": .boolean(false),
      "UUIDs": .strings([BluetoothUUID(assigned: 0x180D).description, BluetoothUUID(assigned: 0x180F).description]),
      "Adapter": .objectPath("/org/bluez/hci0"),
    ]
    return interfaces([
      "org.freedesktop.DBus.Introspectable": [:], "org.bluez.Device1": properties.merging(more) { $1 },
      "org.freedesktop.DBus.Properties": [:],
    ])
  }

  static func service(_ number: UInt16, of device: ObjectPath = device, _ more: [String: BusValue] = [:]) -> BusValue {
    let properties: [String: BusValue] = [
      "UUID": uuid(number), "Device": .objectPath(device), "Primary": .boolean(true),
      "Includes": .array(of: .objectPath, []),
    ]
    return interfaces(["org.bluez.GattService1": properties.merging(more) { $1 }])
  }

  static func characteristic(
    _ number: UInt16, of service: ObjectPath = service, _ more: [String: BusValue] = [:]
  ) -> BusValue {
    let properties: [String: BusValue] = [
      "UUID": uuid(number), "Service": .objectPath(service), "Value": .bytes([0x16, 0x48]),
      "Notifying": .boolean(false),
      "Flags": .strings(["notify"]), "MTU": .uint16(517),
    ]
    return interfaces(["org.bluez.GattCharacteristic1": properties.merging(more) { $1 }])
  }

  /// An adapter and a strap that is connected and resolved.
  static let connectedStrap = tree([
    "/": interfaces(["org.freedesktop.DBus.ObjectManager": [:]]),
    "/org/bluez": interfaces(["org.bluez.AgentManager1": [:]]),
    adapter: adapter(), device: device(["Connected": .boolean(true), "ServicesResolved": .boolean(true)]),
    service: service(0x180D), measurement: characteristic(0x2A37), location: characteristic(0x2A38),
  ])

  /// The same as BlueZ 5.82 shows it: the Generic Access service is an object too, there are handles, and properties
  /// of types that occur nowhere else.
  static let connectedStrap582 = tree([
    location: characteristic(0x2A38, ["Handle": .uint16(0x12)]),
    measurement: characteristic(0x2A37, ["Handle": .uint16(0x0F), "NotifyAcquired": .boolean(false)]),
    "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001/char0002":
      characteristic(0x2A00, of: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001", ["Handle": .uint16(2)]),
    "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service0001": service(0x1800, ["Handle": .uint16(1)]),
    service: service(0x180D, ["Handle": .uint16(0x0E)]),
    device: interfaces([
      "org.bluez.Battery1": ["Percentage": .byte(87), "Source": .string("GATT Battery Service")],
      "org.bluez.Device1": [
        "Address": .string("F0:F1:F2:F3:F4:F5"), "Alias": .string("Demo HR"), "Connected": .boolean(true),
        "ServicesResolved": .boolean(true), "AdvertisingFlags": .bytes([6]),
        "AdvertisingData": .dictionary(key: .byte, value: .variant, [.init(.byte(0x19), .variant(.bytes([0x41, 3])))]),
        "Sets": .dictionary(key: .objectPath, value: .dictionary(key: .string, value: .variant), []),
        "UUIDs": .strings([BluetoothUUID(assigned: 0x180D).description]),
      ],
      "org.bluez.Bearer.LE1": ["Connected": .boolean(true)],
    ]),
    adapter: adapter(powered: true, ["Manufacturer": .uint16(2), "ExperimentalFeatures": .strings([])]),
  ])
}
