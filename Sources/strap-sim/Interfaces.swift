import Bus

/// The interfaces of bluetoothd that there are here, as its introspection gives them (BlueZ 5.66).
struct InterfaceDefinition {
  let name: InterfaceName
  var methods: [Method] = []
  var properties: [Property] = []
  var signals: [Signal] = []

  struct Method {
    let name: MemberName
    let takes: String
    let gives: String

    init(_ name: MemberName, _ takes: String = "", _ gives: String = "") {
      self.name = name
      self.takes = takes
      self.gives = gives
    }
  }

  struct Property {
    let name: String
    let type: String
    var isWritable = false

    init(_ name: String, _ type: String, writable: Bool = false) {
      self.name = name
      self.type = type
      isWritable = writable
    }
  }

  struct Signal {
    let name: MemberName
    let carries: String
  }

  static func of(_ name: InterfaceName) -> InterfaceDefinition? {
    all.first { $0.name == name }
  }

  static let introspectable = InterfaceDefinition(
    name: "org.freedesktop.DBus.Introspectable", methods: [Method("Introspect", "", "s")])

  static let properties = InterfaceDefinition(
    name: "org.freedesktop.DBus.Properties",
    methods: [Method("Get", "ss", "v"), Method("Set", "ssv"), Method("GetAll", "s", "a{sv}")],
    signals: [Signal(name: "PropertiesChanged", carries: "sa{sv}as")])

  static let objectManager = InterfaceDefinition(
    name: "org.freedesktop.DBus.ObjectManager", methods: [Method("GetManagedObjects", "", "a{oa{sa{sv}}}")],
    signals: [
      Signal(name: "InterfacesAdded", carries: "oa{sa{sv}}"), Signal(name: "InterfacesRemoved", carries: "oas"),
    ])

  static let agentManager = InterfaceDefinition(
    name: "org.bluez.AgentManager1",
    methods: [Method("RegisterAgent", "os"), Method("UnregisterAgent", "o"), Method("RequestDefaultAgent", "o")])

  static let adapter = InterfaceDefinition(
    name: "org.bluez.Adapter1",
    methods: [
      Method("StartDiscovery"), Method("StopDiscovery"), Method("SetDiscoveryFilter", "a{sv}"),
      Method("GetDiscoveryFilters", "", "as"), Method("RemoveDevice", "o"),
    ],
    properties: [
      Property("Address", "s"), Property("AddressType", "s"), Property("Name", "s"),
      Property("Alias", "s", writable: true), Property("Class", "u"), Property("Powered", "b", writable: true),
      Property("PowerState", "s"), Property("Discoverable", "b", writable: true), Property("DiscoverableTimeout", "u"),
      Property("Pairable", "b", writable: true), Property("PairableTimeout", "u"), Property("Discovering", "b"),
      Property("UUIDs", "as"), Property("Modalias", "s"), Property("Roles", "as"),
    ])

  static let device = InterfaceDefinition(
    name: "org.bluez.Device1",
    methods: [
      Method("Connect"), Method("Disconnect"), Method("ConnectProfile", "s"), Method("DisconnectProfile", "s"),
      Method("Pair"), Method("CancelPairing"),
    ],
    properties: [
      Property("Address", "s"), Property("AddressType", "s"), Property("Name", "s"),
      Property("Alias", "s", writable: true), Property("Appearance", "q"), Property("Paired", "b"),
      Property("Bonded", "b"), Property("Trusted", "b", writable: true), Property("Blocked", "b", writable: true),
      Property("LegacyPairing", "b"), Property("RSSI", "n"), Property("Connected", "b"), Property("UUIDs", "as"),
      Property("Adapter", "o"), Property("ServicesResolved", "b"),
    ])

  static let battery = InterfaceDefinition(name: "org.bluez.Battery1", properties: [Property("Percentage", "y")])

  static let service = InterfaceDefinition(
    name: "org.bluez.GattService1",
    properties: [
      Property("UUID", "s"), Property("Device", "o"), Property("Primary", "b"), Property("Includes", "ao"),
    ])

  static let characteristic = InterfaceDefinition(
    name: "org.bluez.GattCharacteristic1",
    methods: [
      Method("ReadValue", "a{sv}", "ay"), Method("WriteValue", "aya{sv}"), Method("AcquireWrite", "a{sv}", "hq"),
      Method("AcquireNotify", "a{sv}", "hq"), Method("StartNotify"), Method("StopNotify"),
    ],
    properties: [
      Property("UUID", "s"), Property("Service", "o"), Property("Value", "ay"), Property("Notifying", "b"),
      Property("Flags", "as"), Property("MTU", "q"),
    ])

  static let descriptor = InterfaceDefinition(
    name: "org.bluez.GattDescriptor1",
    methods: [Method("ReadValue", "a{sv}", "ay"), Method("WriteValue", "aya{sv}")],
    properties: [Property("UUID", "s"), Property("Characteristic", "o"), Property("Value", "ay")])

  static let all = [
    introspectable, properties, objectManager, agentManager, adapter, device, battery, service, characteristic,
    descriptor,
  ]
}
