import Bus

/// The names of BlueZ's D-Bus API that strapd speaks (org.bluez.Adapter(5), org.bluez.Device(5), …).
enum BlueZNames {
  static let service: ConnectionName = "org.bluez"
  static let root: ObjectPath = "/"

  static let adapter: InterfaceName = "org.bluez.Adapter1"
  static let device: InterfaceName = "org.bluez.Device1"
  static let agentManager: InterfaceName = "org.bluez.AgentManager1"
  static let agentManagerPath: ObjectPath = "/org/bluez"
  static let agent: InterfaceName = "org.bluez.Agent1"
  static let battery: InterfaceName = "org.bluez.Battery1"
  static let gattService: InterfaceName = "org.bluez.GattService1"
  static let gattCharacteristic: InterfaceName = "org.bluez.GattCharacteristic1"
  static let gattDescriptor: InterfaceName = "org.bluez.GattDescriptor1"
  static let objectManager: InterfaceName = "org.freedesktop.DBus.ObjectManager"
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
}

/// BlueZ's methods as messages. None of them starts bluetoothd by activation: its absence is to be seen, and starting
/// it is systemd's business.
public enum BlueZCall {
  public static func getManagedObjects(serial: UInt32) -> BusMessage {
    call(BlueZNames.root, BlueZNames.objectManager, "GetManagedObjects", serial: serial)
  }

  public static func connect(_ device: ObjectPath, serial: UInt32) -> BusMessage {
    call(device, BlueZNames.device, "Connect", serial: serial)
  }

  /// Ends the link, and also cancels a Connect that is pending.
  public static func disconnect(_ device: ObjectPath, serial: UInt32) -> BusMessage {
    call(device, BlueZNames.device, "Disconnect", serial: serial)
  }

  /// Makes a bond; bluetoothd asks our agent what it cannot decide.
  public static func pair(_ device: ObjectPath, serial: UInt32) -> BusMessage {
    call(device, BlueZNames.device, "Pair", serial: serial)
  }

  public static func cancelPairing(_ device: ObjectPath, serial: UInt32) -> BusMessage {
    call(device, BlueZNames.device, "CancelPairing", serial: serial)
  }

  /// Forgets a device with its bond; its link ends and its object goes.
  public static func removeDevice(_ device: ObjectPath, of adapter: ObjectPath, serial: UInt32) -> BusMessage {
    call(adapter, BlueZNames.adapter, "RemoveDevice", [.objectPath(device)], serial: serial)
  }

  /// Makes our agent the one that is asked about the pairings that we begin. It is not made the default agent, which
  /// would be asked about everybody's.
  public static func registerAgent(_ capability: Agent.Capability, serial: UInt32) -> BusMessage {
    let arguments: [BusValue] = [.objectPath(Agent.path), .string(capability.rawValue)]
    return call(BlueZNames.agentManagerPath, BlueZNames.agentManager, "RegisterAgent", arguments, serial: serial)
  }

  public static func unregisterAgent(serial: UInt32) -> BusMessage {
    call(
      BlueZNames.agentManagerPath, BlueZNames.agentManager, "UnregisterAgent", [.objectPath(Agent.path)], serial: serial
    )
  }

  public static func startNotify(_ characteristic: ObjectPath, serial: UInt32) -> BusMessage {
    call(characteristic, BlueZNames.gattCharacteristic, "StartNotify", serial: serial)
  }

  public static func stopNotify(_ characteristic: ObjectPath, serial: UInt32) -> BusMessage {
    call(characteristic, BlueZNames.gattCharacteristic, "StopNotify", serial: serial)
  }

  public static func readValue(_ characteristic: ObjectPath, serial: UInt32) -> BusMessage {
    call(characteristic, BlueZNames.gattCharacteristic, "ReadValue", [.properties([:])], serial: serial)
  }

  public static func readDescriptor(_ descriptor: ObjectPath, serial: UInt32) -> BusMessage {
    call(descriptor, BlueZNames.gattDescriptor, "ReadValue", [.properties([:])], serial: serial)
  }

  /// Writes with the strap's answer (a write request, not a command).
  public static func writeValue(_ characteristic: ObjectPath, _ value: [UInt8], serial: UInt32) -> BusMessage {
    let arguments: [BusValue] = [.bytes(value), .properties(["type": .string("request")])]
    return call(characteristic, BlueZNames.gattCharacteristic, "WriteValue", arguments, serial: serial)
  }

  /// Asks for LE devices with a service only, or (nil) for all of them. Others are seen all the same: the filters of all
  /// clients of bluetoothd merge, and it makes an object of whatever advertises, though without services and signal where
  /// the filter does not match.
  public static func setDiscoveryFilter(_ adapter: ObjectPath, uuid: String?, serial: UInt32) -> BusMessage {
    let filter =
      uuid.map { BusValue.properties(["UUIDs": .strings([$0]), "Transport": .string("le")]) }
      ?? .properties(["Transport": .string("le")])
    return call(adapter, BlueZNames.adapter, "SetDiscoveryFilter", [filter], serial: serial)
  }

  public static func startDiscovery(_ adapter: ObjectPath, serial: UInt32) -> BusMessage {
    call(adapter, BlueZNames.adapter, "StartDiscovery", serial: serial)
  }

  public static func stopDiscovery(_ adapter: ObjectPath, serial: UInt32) -> BusMessage {
    call(adapter, BlueZNames.adapter, "StopDiscovery", serial: serial)
  }

  public static func powerOn(_ adapter: ObjectPath, serial: UInt32) -> BusMessage {
    let arguments: [BusValue] = [
      .string(BlueZNames.adapter.description), .string("Powered"), .variant(.boolean(true)),
    ]
    return call(adapter, BlueZNames.properties, "Set", arguments, serial: serial)
  }

  private static func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [BusValue] = [], serial: UInt32
  ) -> BusMessage {
    BusMessage(
      .call(BusCall(path, interface, member, withoutActivation: true)), serial: serial, destination: BlueZNames.service,
      body: body)
  }
}
