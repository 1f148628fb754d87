import Bus
import Measurements
import Testing

@testable import BlueZ

@Suite struct ObjectTreeTests {
  // MARK: What is there

  @Test(arguments: [Objects.connectedStrap, Objects.connectedStrap582])
  func strap(_ objects: BusValue) throws {
    let tree = try Self.tree(objects)
    #expect(tree.devices(Objects.strap) == [Objects.device])
    #expect(tree.adapter(ofDevice: Objects.device) == Objects.adapter)
    #expect(tree.characteristic(.heartRateMeasurement, of: Objects.device) == Objects.measurement)
    #expect(tree.characteristic(.bodySensorLocation, of: Objects.device) == Objects.location)
    #expect(tree.characteristic(.batteryLevel, of: Objects.device) == nil)
    #expect(tree.device(ofCharacteristic: Objects.measurement) == Objects.device)
    #expect(tree.device(ofCharacteristic: Objects.service) == nil)
    let device = try #require(tree.devices[Objects.device])
    #expect(device.isConnected && device.isResolved && !device.isBonded)
    #expect(device.name == "Demo HR")
    #expect(device.services.contains(.heartRateService))
    #expect(device.rssi == nil)
    let adapter = try #require(tree.adapters[Objects.adapter])
    #expect(adapter.address == StrapAddress("00:AA:01:00:00:42"))
    #expect(adapter.isPowered && !adapter.isBlocked && !adapter.isDiscovering)
    #expect(tree.characteristics[Objects.measurement]?.isNotifying == false)
  }

  @Test func batteryOf582() throws {
    let tree = try Self.tree(Objects.connectedStrap582)
    #expect(tree.devices[Objects.device]?.battery == BatteryLevel(percent: 87))
    #expect(tree.characteristics.count == 3)
  }

  @Test func otherObjectsArePassedOver() {
    var tree = ObjectTree()
    let passed: [(ObjectPath, BusValue)] = [
      ("/org/bluez", Objects.interfaces(["org.bluez.ProfileManager1": [:], "org.bluez.AgentManager1": [:]])),
      ("/org/bluez/hci0/dev_F0/player0", Objects.interfaces(["org.bluez.MediaPlayer1": ["Position": .uint32(3)]])),
      (
        "/org/bluez/hci0/dev_F0/service000e/char000f/desc0011",
        Objects.interfaces(["org.bluez.GattDescriptor1": ["UUID": Objects.uuid(0x2902)]])
      ),
      ("/x", Objects.interfaces([:])),
    ]
    for (path, interfaces) in passed { #expect(tree.add(path, interfaces) == true) }
    #expect(tree == ObjectTree())
  }

  @Test func descriptors() {
    let path: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f/desc0011"
    func descriptor(_ number: UInt16, of characteristic: ObjectPath) -> BusValue {
      Objects.interfaces([
        "org.bluez.GattDescriptor1": ["UUID": Objects.uuid(number), "Characteristic": .objectPath(characteristic)]
      ])
    }
    var tree = ObjectTree()
    #expect(tree.add(path, descriptor(0x2901, of: Objects.measurement)) == true)
    #expect(tree.configuration(of: Objects.measurement) == nil)
    #expect(tree.add(path, descriptor(0x2902, of: Objects.measurement)) == true)
    #expect(tree.configuration(of: Objects.measurement) == path)
    #expect(tree.configuration(of: Objects.location) == nil)
    var without = tree
    without.remove(path, ["org.bluez.GattDescriptor1"])
    #expect(without == ObjectTree())
    // It goes with its device.
    tree.remove(Objects.device, ["org.bluez.Device1"])
    #expect(tree == ObjectTree())
    let wrong = Objects.interfaces(["org.bluez.GattDescriptor1": ["Characteristic": .string("/a")]])
    #expect(tree.add(path, wrong) == false)
  }

  // MARK: One address on several adapters

  @Test func oneAddressOnSeveralAdapters() throws {
    var tree = ObjectTree()
    let first: ObjectPath = "/org/bluez/hci0/dev_A"
    let second: ObjectPath = "/org/bluez/hci1/dev_A"
    #expect(tree.add("/org/bluez/hci0", Objects.adapter()) == true)
    #expect(tree.add("/org/bluez/hci1", Objects.adapter("00:AA:01:00:00:43")) == true)
    #expect(tree.add(first, Objects.device()) == true)
    #expect(tree.add(second, Objects.device(["Adapter": .objectPath("/org/bluez/hci1")])) == true)
    #expect(
      tree.add("/org/bluez/hci1/dev_B", Objects.device(["Connected": .boolean(true)], address: "F0:F1:F2:F3:F4:F6"))
        == true)
    #expect(tree.devices(Objects.strap) == [first, second])
    #expect(tree.device(Objects.strap, of: "/org/bluez/hci0") == first)
    #expect(tree.device(Objects.strap, of: "/org/bluez/hci1") == second)
    #expect(tree.device(Objects.strap, of: "/org/bluez/hci2") == nil)
    #expect(tree.adapter(ofDevice: second) == "/org/bluez/hci1")
    #expect(tree.adapter(try #require(StrapAddress("00:AA:01:00:00:43"))) == "/org/bluez/hci1")
    #expect(tree.adapter(Objects.strap) == nil)
  }

  /// Where the path says something else than the property, the property counts.
  @Test func theAdapterOfADeviceIsAProperty() {
    var tree = ObjectTree()
    #expect(tree.add("/org/bluez/hci3", Objects.adapter()) == true)
    #expect(tree.add(Objects.device, Objects.device(["Adapter": .objectPath("/org/bluez/hci3")])) == true)
    #expect(tree.adapter(ofDevice: Objects.device) == "/org/bluez/hci3")
    #expect(tree.device(Objects.strap, of: "/org/bluez/hci3") == Objects.device)
    tree.remove("/org/bluez/hci3", ["org.bluez.Adapter1"])
    #expect(tree.devices.isEmpty)
  }

  @Test func characteristicsBelongByTheirService() {
    var tree = ObjectTree()
    // The characteristic stands before its service in the message, and has the lowest path of all.
    #expect(tree.add("/a", Objects.characteristic(0x2A37, of: Objects.service)) == true)
    #expect(tree.characteristic(.heartRateMeasurement, of: Objects.device) == nil)
    #expect(tree.add(Objects.service, Objects.service(0x180D)) == true)
    #expect(tree.characteristic(.heartRateMeasurement, of: Objects.device) == "/a")
    #expect(tree.characteristic(.heartRateMeasurement, of: "/org/bluez/hci0/dev_X") == nil)
  }

  // MARK: Names

  @Test func aliasIsTheName() {
    var tree = ObjectTree()
    #expect(tree.add(Objects.device, Objects.device(["Name": .string("Demo HR"), "Alias": .string("Mine")])) == true)
    #expect(tree.devices[Objects.device]?.name == "Mine")
    // From the tree or by a signal, the name is the same.
    #expect(change(&tree, ["Name": .string("Demo HR 2")]))
    #expect(tree.devices[Objects.device]?.name == "Mine")
    #expect(change(&tree, ["Alias": .string("Yours"), "Name": .string("Demo HR 3")]))
    #expect(tree.devices[Objects.device]?.name == "Yours")
  }

  @Test func nameWithoutAlias() {
    var tree = ObjectTree()
    let properties: [String: BusValue] = ["Address": .string("F0:F1:F2:F3:F4:F5"), "Name": .string("Demo HR")]
    #expect(tree.add(Objects.device, Objects.interfaces(["org.bluez.Device1": properties])) == true)
    #expect(tree.devices[Objects.device]?.name == "Demo HR")
  }

  // MARK: Changes

  @Test func changes() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    #expect(change(&tree, ["RSSI": .int16(-50)]))
    #expect(tree.devices[Objects.device]?.rssi == -50)
    #expect(tree.change(Objects.device, "org.bluez.Device1", [:], ["RSSI", "TxPower"]) == true)
    #expect(tree.devices[Objects.device]?.rssi == nil)
    #expect(
      change(&tree, ["Connected": .boolean(false), "ServicesResolved": .boolean(false), "Bonded": .boolean(true)]))
    let device = try #require(tree.devices[Objects.device])
    #expect(!device.isConnected && !device.isResolved && device.isBonded)
    #expect(change(&tree, ["UUIDs": .strings(["0000180a-0000-1000-8000-00805f9b34fb", "no uuid"])]))
    #expect(tree.devices[Objects.device]?.services == [.deviceInformationService])
    #expect(
      tree.change(
        Objects.measurement, "org.bluez.GattCharacteristic1",
        ["Notifying": .boolean(true), "NotifyAcquired": .boolean(true)], []) == true)
    #expect(tree.characteristics[Objects.measurement]?.isNotifying == true)
    #expect(tree.characteristics[Objects.measurement]?.isAcquired == true)
    #expect(
      tree.change(
        Objects.adapter, "org.bluez.Adapter1",
        ["Powered": .boolean(false), "PowerState": .string("off-blocked"), "Discovering": .boolean(true)], []) == true)
    let adapter = try #require(tree.adapters[Objects.adapter])
    #expect(!adapter.isPowered && adapter.isBlocked && adapter.isDiscovering)
    #expect(tree.change(Objects.adapter, "org.bluez.Adapter1", ["PowerState": .string("off")], []) == true)
    #expect(tree.adapters[Objects.adapter]?.isBlocked == false)
  }

  @Test func battery() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    #expect(tree.add(Objects.device, Objects.interfaces(["org.bluez.Battery1": ["Percentage": .byte(87)]])) == true)
    #expect(tree.devices[Objects.device]?.battery == BatteryLevel(percent: 87))
    #expect(tree.devices[Objects.device]?.isConnected == true)
    #expect(tree.change(Objects.device, "org.bluez.Battery1", ["Percentage": .byte(86)], []) == true)
    #expect(tree.devices[Objects.device]?.battery == BatteryLevel(percent: 86))
    tree.remove(Objects.device, ["org.bluez.Battery1"])
    #expect(tree.devices[Objects.device]?.battery == nil)
    #expect(tree.devices[Objects.device]?.isConnected == true)
  }

  @Test func changesOfWhatIsUnknown() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    let before = tree
    let other: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F6"
    #expect(tree.change(other, "org.bluez.Device1", ["Connected": .boolean(true)], []) == false)
    #expect(tree.change(other, "org.bluez.Device1", ["Address": .string("F0:F1:F2:F3:F4:F6")], []) == false)
    #expect(tree.change(other, "org.bluez.Battery1", ["Percentage": .byte(1)], []) == false)
    #expect(tree.change("/org/bluez/hci9", "org.bluez.Adapter1", ["Powered": .boolean(true)], []) == false)
    #expect(tree.change(Objects.device, "org.bluez.GattService1", ["UUID": Objects.uuid(0x180D)], []) == false)
    #expect(tree.change(Objects.service, "org.bluez.GattCharacteristic1", ["Notifying": .boolean(true)], []) == false)
    #expect(tree.change(Objects.device, "com.example.Device1", ["Connected": .boolean(false)], []) == false)
    #expect(tree == before)
    // BlueZ's own that are of no use here are no fault.
    #expect(tree.change(Objects.device, "org.bluez.MediaControl1", ["Connected": .boolean(false)], []) == true)
    #expect(
      tree.change(Objects.service, "org.bluez.GattService1", ["Includes": .array(of: .objectPath, [])], []) == true)
    #expect(tree == before)
  }

  // MARK: Wrong types

  @Test(arguments: [
    ("org.bluez.Device1", ["Connected": BusValue.string("yes")]), ("org.bluez.Device1", ["RSSI": .uint16(50)]),
    ("org.bluez.Device1", ["UUIDs": .string("x")]), ("org.bluez.Device1", ["Alias": .bytes([65])]),
    ("org.bluez.Device1", ["Address": .uint64(1)]), ("org.bluez.Device1", ["ServicesResolved": .uint32(1)]),
    ("org.bluez.Battery1", ["Percentage": .uint16(50)]),
  ])
  func wrongTypes(_ interface: String, _ properties: [String: BusValue]) throws {
    var tree = try Self.tree(Objects.connectedStrap)
    let before = tree
    #expect(tree.change(Objects.device, interface, properties, []) == false)
    #expect(tree == before)
    // What is right beside it is taken.
    _ = tree.change(Objects.device, interface, properties.merging(["Bonded": .boolean(true)]) { $1 }, [])
    #expect(tree.devices[Objects.device]?.isBonded == (interface == "org.bluez.Device1"))
  }

  @Test func wrongTypesElsewhere() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    let before = tree
    #expect(tree.change(Objects.adapter, "org.bluez.Adapter1", ["Powered": .string("on")], []) == false)
    #expect(tree.change(Objects.adapter, "org.bluez.Adapter1", ["PowerState": .boolean(true)], []) == false)
    #expect(tree.change(Objects.measurement, "org.bluez.GattCharacteristic1", ["Notifying": .byte(1)], []) == false)
    #expect(tree.change(Objects.measurement, "org.bluez.GattCharacteristic1", ["UUID": .objectPath("/")], []) == false)
    #expect(tree == before)
  }

  @Test func objectsThatLackWhatTheyNeed() {
    var tree = ObjectTree()
    let incomplete: [(interface: String, properties: [String: BusValue])] = [
      ("org.bluez.Device1", [:]), ("org.bluez.Device1", ["Connected": .boolean(true)]),
      ("org.bluez.Device1", ["Address": .string("F0:F1")]), ("org.bluez.Device1", ["Address": .bytes([1])]),
      ("org.bluez.GattService1", ["UUID": Objects.uuid(0x180D)]),
      ("org.bluez.GattService1", ["Device": .objectPath(Objects.device)]),
      ("org.bluez.GattService1", ["UUID": .string("180d"), "Device": .objectPath(Objects.device)]),
      ("org.bluez.GattService1", ["UUID": Objects.uuid(0x180D), "Device": .string("/a")]),
      ("org.bluez.GattCharacteristic1", ["UUID": Objects.uuid(0x2A37)]),
      ("org.bluez.GattCharacteristic1", ["Service": .objectPath(Objects.service)]),
      ("org.bluez.GattCharacteristic1", ["UUID": .uint16(0x2A37), "Service": .objectPath(Objects.service)]),
      ("com.example.Thing", [:]),
    ]
    for (interface, properties) in incomplete {
      #expect(tree.add("/a", Objects.interfaces([interface: properties])) == false, "\(interface) \(properties)")
    }
    #expect(tree == ObjectTree())
  }

  @Test(arguments: [
    BusValue.string("x"), .array(of: .string, []), .properties(["org.bluez.Device1": .string("x")]),
    .dictionary(key: .objectPath, value: .variant, []), .variant(.byte(1)),
  ])
  func otherShapes(_ value: BusValue) {
    var tree = ObjectTree()
    #expect(tree.add(Objects.device, value) == false)
    #expect(tree == ObjectTree())
  }

  @Test func oneBadInterfaceDoesNotSpoilTheOthers() {
    var tree = ObjectTree()
    let value = BusValue.dictionary(
      key: .string, value: .variant,
      [
        .init(.string("org.bluez.Battery1"), .string("?")),
        .init(.string("org.bluez.Device1"), Objects.properties(["Address": .string("F0:F1:F2:F3:F4:F5")])),
      ])
    #expect(tree.add(Objects.device, value) == false)
    #expect(tree.devices(Objects.strap) == [Objects.device])
  }

  // MARK: What goes

  @Test func deviceGoesWithItsServices() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    tree.remove(Objects.device, ["org.bluez.Device1", "org.freedesktop.DBus.Properties"])
    #expect(tree.devices(Objects.strap) == [])
    #expect(tree.characteristics.isEmpty)
    // A new object of the same strap does not inherit them.
    #expect(tree.add(Objects.device, Objects.device()) == true)
    #expect(tree.characteristic(.heartRateMeasurement, of: Objects.device) == nil)
    #expect(tree.devices[Objects.device]?.isConnected == false)
  }

  @Test func adapterGoesWithItsDevices() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    #expect(tree.add("/org/bluez/hci1", Objects.adapter("00:AA:01:00:00:43")) == true)
    #expect(
      tree.add(
        "/org/bluez/hci1/dev_B",
        Objects.device(["Adapter": .objectPath("/org/bluez/hci1")], address: "F0:F1:F2:F3:F4:F6")) == true)
    tree.remove(Objects.adapter, ["org.bluez.Adapter1"])
    #expect(tree.adapters.keys.map(\.description) == ["/org/bluez/hci1"])
    #expect(tree.devices.keys.map(\.description) == ["/org/bluez/hci1/dev_B"])
    #expect(tree.characteristics.isEmpty)
  }

  @Test func servicesAndCharacteristicsGo() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    tree.remove(Objects.measurement, ["org.bluez.GattCharacteristic1"])
    #expect(tree.characteristic(.heartRateMeasurement, of: Objects.device) == nil)
    #expect(tree.characteristic(.bodySensorLocation, of: Objects.device) == Objects.location)
    tree.remove(Objects.service, ["org.bluez.GattService1"])
    #expect(tree.characteristic(.bodySensorLocation, of: Objects.device) == nil)
  }

  @Test func removingWhatIsNotThere() throws {
    var tree = try Self.tree(Objects.connectedStrap)
    let before = tree
    tree.remove("/nowhere", ["org.bluez.Device1", "org.bluez.Adapter1", "org.bluez.Battery1"])
    tree.remove(Objects.device, ["org.bluez.GattService1", "com.example.Thing", ""])
    tree.remove(Objects.device, [])
    #expect(tree == before)
  }

  static func tree(_ objects: BusValue) throws -> ObjectTree {
    var tree = ObjectTree()
    guard case .dictionary(_, _, let entries) = objects else { return tree }
    for entry in entries { #expect(tree.add(try #require(entry.key.asObjectPath), entry.value) == true) }
    return tree
  }

  private func change(_ tree: inout ObjectTree, _ properties: [String: BusValue]) -> Bool {
    tree.change(Objects.device, "org.bluez.Device1", properties, [])
  }
}
