import Bus
import Measurements

/// A mirror of bluetoothd's objects, as far as strapd needs them; everything else in the tree is passed over.
public struct ObjectTree: Equatable, Sendable {
  public private(set) var adapters: [ObjectPath: Adapter] = [:]
  public private(set) var devices: [ObjectPath: Device] = [:]
  public private(set) var characteristics: [ObjectPath: Characteristic] = [:]
  private var services: [ObjectPath: Service] = [:]
  /// The descriptors by which notifications are switched on, with their characteristics.
  private var configurations: [ObjectPath: ObjectPath] = [:]

  public struct Adapter: Hashable, Sendable {
    public var address: StrapAddress?
    public var isPowered = false
    /// Blocked by rfkill (`PowerState`, since BlueZ 5.65), so that it cannot be powered.
    public var isBlocked = false
    public var isDiscovering = false
  }

  public struct Device: Hashable, Sendable {
    public var address: StrapAddress
    /// The adapter that knows it, by the property of that name.
    public var adapter: ObjectPath?
    /// Its address is of the random kind.
    public var isRandom = false
    public var name: String?
    public var services: Set<BluetoothUUID> = []
    /// Signal strength in dBm; only while it is being discovered.
    public var rssi: Int16?
    public var isConnected = false
    public var isResolved = false
    public var isBonded = false
    /// Percent, by BlueZ's own reading of the Battery Service.
    public var battery: BatteryLevel?

    /// What it calls itself, or what its user has called it for bluetoothd. Where neither has said anything, bluetoothd's
    /// alias is the address with dashes, which is no name.
    public var ownName: String? {
      name.flatMap { name in StrapAddress(name.map { $0 == "-" ? ":" : String($0) }.joined()) == nil ? name : nil }
    }
  }

  public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var service: ObjectPath
    /// Whether any client of bluetoothd has notifications on.
    public var isNotifying = false
    /// Whether a client has taken the notifications for itself (AcquireNotify), which `isNotifying` does not show.
    public var isAcquired = false
  }

  struct Service: Hashable, Sendable {
    var uuid: BluetoothUUID
    var device: ObjectPath
  }

  public init() {}

  /// The device objects of an address, one for each adapter that knows it.
  public func devices(_ address: StrapAddress) -> [ObjectPath] {
    devices.filter { $0.value.address == address }.keys.sorted()
  }

  /// The device object of an address below one adapter.
  public func device(_ address: StrapAddress, of adapter: ObjectPath) -> ObjectPath? {
    devices(address).first { self.adapter(ofDevice: $0) == adapter }
  }

  /// The adapter with an address. Its path says nothing: adapters are numbered anew after a re-plug or a resume.
  public func adapter(_ address: StrapAddress) -> ObjectPath? {
    adapters.filter { $0.value.address == address }.keys.min()
  }

  /// A device's characteristic of a kind, found by its service's owner and not by a path's number: those differ
  /// between versions of BlueZ.
  public func characteristic(_ uuid: BluetoothUUID, of device: ObjectPath) -> ObjectPath? {
    characteristics.filter { $0.value.uuid == uuid && services[$0.value.service]?.device == device }.keys.min()
  }

  /// The descriptor by which a characteristic's notifications are switched on.
  public func configuration(of characteristic: ObjectPath) -> ObjectPath? {
    configurations.filter { $0.value == characteristic }.keys.min()
  }

  /// The device that a characteristic belongs to.
  public func device(ofCharacteristic path: ObjectPath) -> ObjectPath? {
    characteristics[path].flatMap { services[$0.service]?.device }
  }

  /// The adapter that a device belongs to.
  public func adapter(ofDevice path: ObjectPath) -> ObjectPath? {
    if let adapter = devices[path]?.adapter, adapters[adapter] != nil { return adapter }
    return adapters.keys.first { path.isBelow($0) }
  }
}

// MARK: - Following the tree

extension ObjectTree {
  /// Takes an object's interfaces from GetManagedObjects or InterfacesAdded, "a{sa{sv}}".
  ///
  /// - Returns: false where the value has another shape or names an interface that is not BlueZ's.
  mutating func add(_ path: ObjectPath, _ interfaces: BusValue) -> Bool {
    guard case .dictionary(.string, _, let entries) = interfaces else { return false }
    var understood = true
    // A device comes before its battery whatever their order in the message.
    for entry in entries.sorted(by: { ($0.key.asString ?? "") > ($1.key.asString ?? "") }) {
      guard let name = entry.key.asString, let properties = entry.value.asProperties else {
        understood = false
        continue
      }
      if !set(path, name, properties, isNew: true) { understood = false }
    }
    return understood
  }

  /// Takes interfaces away, with what rests on them.
  mutating func remove(_ path: ObjectPath, _ interfaces: [String]) {
    for name in interfaces {
      switch name {
      case BlueZNames.adapter.description:
        adapters[path] = nil
        let own = devices.filter { $0.key.isBelow(path) || $0.value.adapter == path }.keys
        for device in own { remove(device, [BlueZNames.device.description]) }
      case BlueZNames.device.description:
        // Its services go with it, even where their own removal is not signalled.
        devices[path] = nil
        services = services.filter { $0.value.device != path }
        characteristics = characteristics.filter { !$0.key.isBelow(path) }
        configurations = configurations.filter { !$0.key.isBelow(path) }
      case BlueZNames.battery.description: devices[path]?.battery = nil
      case BlueZNames.gattService.description: services[path] = nil
      case BlueZNames.gattCharacteristic.description: characteristics[path] = nil
      case BlueZNames.gattDescriptor.description: configurations[path] = nil
      default: break
      }
    }
  }

  /// Takes changed and invalidated properties of one interface.
  ///
  /// - Returns: false where a property that matters has another type, or the object is not known to have the interface.
  mutating func change(_ path: ObjectPath, _ interface: String, _ changed: [String: BusValue], _ invalidated: [String])
    -> Bool
  {
    guard has(interface, at: path) else { return false }
    if interface == BlueZNames.device.description, invalidated.contains("RSSI") { devices[path]?.rssi = nil }
    return set(path, interface, changed, isNew: false)
  }

  /// Of interfaces that are not kept, whether they are BlueZ's at all.
  private func has(_ interface: String, at path: ObjectPath) -> Bool {
    switch interface {
    case BlueZNames.adapter.description: adapters[path] != nil
    case BlueZNames.device.description, BlueZNames.battery.description: devices[path] != nil
    case BlueZNames.gattService.description: services[path] != nil
    case BlueZNames.gattCharacteristic.description: characteristics[path] != nil
    default: interface.hasPrefix("org.bluez.") || interface.hasPrefix("org.freedesktop.DBus.")
    }
  }

  private mutating func set(
    _ path: ObjectPath, _ interface: String, _ properties: [String: BusValue], isNew: Bool
  ) -> Bool {
    var reader = PropertyReader(properties)
    switch interface {
    case BlueZNames.adapter.description:
      var adapter = adapters[path] ?? Adapter()
      reader.take("Address", \.asString) { adapter.address = StrapAddress($0) }
      reader.take("Powered", \.asBool) { adapter.isPowered = $0 }
      reader.take("PowerState", \.asString) { adapter.isBlocked = $0 == "off-blocked" }
      reader.take("Discovering", \.asBool) { adapter.isDiscovering = $0 }
      adapters[path] = adapter
    case BlueZNames.device.description:
      guard var device = devices[path] ?? newDevice(&reader) else { return false }
      reader.take("Address", \.asString) { if let address = StrapAddress($0) { device.address = address } }
      reader.take("Adapter", \.asObjectPath) { device.adapter = $0 }
      // The alias is the name until somebody gives the device another one, which then counts.
      if properties["Alias"] == nil, device.name == nil { reader.take("Name", \.asString) { device.name = $0 } }
      reader.take("AddressType", \.asString) { device.isRandom = $0 == "random" }
      reader.take("Alias", \.asString) { device.name = $0 }
      reader.take("UUIDs", \.asStrings) { device.services = Set($0.compactMap { BluetoothUUID($0) }) }
      reader.take("RSSI", \.asInt16) { device.rssi = $0 }
      reader.take("Connected", \.asBool) { device.isConnected = $0 }
      reader.take("ServicesResolved", \.asBool) { device.isResolved = $0 }
      reader.take("Bonded", \.asBool) { device.isBonded = $0 }
      devices[path] = device
    case BlueZNames.battery.description:
      reader.take("Percentage", \.asByte) { devices[path]?.battery = BatteryLevel(percent: $0) }
    case BlueZNames.gattService.description where isNew:
      var uuid: BluetoothUUID?
      var device: ObjectPath?
      reader.take("UUID", \.asString) { uuid = BluetoothUUID($0) }
      reader.take("Device", \.asObjectPath) { device = $0 }
      guard let uuid, let device else { return false }
      services[path] = Service(uuid: uuid, device: device)
    case BlueZNames.gattDescriptor.description where isNew:
      var uuid: BluetoothUUID?
      var characteristic: ObjectPath?
      reader.take("UUID", \.asString) { uuid = BluetoothUUID($0) }
      reader.take("Characteristic", \.asObjectPath) { characteristic = $0 }
      if let characteristic, uuid == .clientCharacteristicConfiguration { configurations[path] = characteristic }
    case BlueZNames.gattCharacteristic.description:
      var uuid = characteristics[path]?.uuid
      var service = characteristics[path]?.service
      reader.take("UUID", \.asString) { uuid = BluetoothUUID($0) }
      reader.take("Service", \.asObjectPath) { service = $0 }
      guard let uuid, let service else { return false }
      var characteristic = characteristics[path] ?? Characteristic(uuid: uuid, service: service)
      characteristic.uuid = uuid
      characteristic.service = service
      reader.take("Notifying", \.asBool) { characteristic.isNotifying = $0 }
      reader.take("NotifyAcquired", \.asBool) { characteristic.isAcquired = $0 }
      characteristics[path] = characteristic
    default: return has(interface, at: path)
    }
    return reader.understoodAll
  }

  private func newDevice(_ reader: inout PropertyReader) -> Device? {
    var address: StrapAddress?
    reader.take("Address", \.asString) { address = StrapAddress($0) }
    return address.map { Device(address: $0) }
  }
}

/// Takes properties by name and type, and remembers whether one had another type.
private struct PropertyReader {
  private let properties: [String: BusValue]
  private(set) var understoodAll = true

  init(_ properties: [String: BusValue]) {
    self.properties = properties
  }

  mutating func take<T>(_ name: String, _ read: (BusValue) -> T?, _ set: (T) -> Void) {
    guard let value = properties[name] else { return }
    if let typed = read(value) { set(typed) } else { understoodAll = false }
  }
}
