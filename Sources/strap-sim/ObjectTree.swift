import Bus
import Measurements

/// An object that bluetoothd shows on the bus.
enum Node: Equatable {
  case root
  case bluez
  case adapter(Adapter)
  case device(Int)
  case service(Int, Service)
  case characteristic(Int, Service, Characteristic)
  case descriptor(Int, Service, Characteristic)
}

typealias Properties = [(name: String, value: BusValue)]

extension World {
  /// Every object that there is now, parents first.
  var nodes: [Node] {
    guard let adapter else { return [.root, .bluez] }
    return [.root, .bluez, .adapter(adapter)] + straps.indices.filter { straps[$0].device != nil }.flatMap(nodes)
  }

  func node(at path: ObjectPath) -> Node? {
    nodes.first { self.path(of: $0) == path }
  }

  /// A strap's device and what is below it.
  func nodes(of index: Int) -> [Node] {
    [.device(index)] + (straps[index].device?.services ?? []).flatMap { nodes(of: index, $0) }
  }

  func nodes(of index: Int, _ service: Service) -> [Node] {
    [.service(index, service)]
      + service.characteristics.flatMap { characteristic in
        [Node.characteristic(index, service, characteristic)]
          + (characteristic.descriptor == nil ? [] : [.descriptor(index, service, characteristic)])
      }
  }

  func path(of node: Node) -> ObjectPath {
    switch node {
    case .root: return "/"
    case .bluez: return "/org/bluez"
    case .adapter(let adapter): return Self.path("/org/bluez/\(adapter.name)")
    case .device(let index): return Self.path(devicePath(index))
    case .service(let index, let service): return Self.path("\(devicePath(index))/\(service.pathElement)")
    case .characteristic(let index, let service, let characteristic):
      return Self.path("\(devicePath(index))/\(service.pathElement)/\(characteristic.pathElement)")
    case .descriptor(let index, let service, let characteristic):
      let handle = characteristic.descriptor ?? 0
      return Self.path(
        "\(devicePath(index))/\(service.pathElement)/\(characteristic.pathElement)/desc\(fourDigits(handle))")
    }
  }

  /// The interfaces that make the object what it is, with their properties.
  func interfaces(of node: Node) -> [(definition: InterfaceDefinition, properties: Properties)] {
    switch node {
    case .root: return [(.objectManager, [])]
    case .bluez: return [(.agentManager, [])]
    case .adapter(let adapter): return [(.adapter, properties(of: adapter))]
    case .device(let index):
      let strap = straps[index]
      let device: (InterfaceDefinition, Properties) = (.device, properties(of: strap))
      guard strap.device?.isResolved == true else { return [device] }
      return [device, (.battery, [("Percentage", .byte(strap.battery))])]
    case .service(let index, let service):
      return [
        (
          .service,
          [
            ("UUID", .string(service.uuid.description)), ("Device", .objectPath(path(of: .device(index)))),
            ("Primary", .boolean(true)), ("Includes", .array(of: .objectPath, [])),
          ]
        )
      ]
    case .characteristic(let index, let service, let characteristic):
      var properties: Properties = [
        ("UUID", .string(characteristic.uuid.description)),
        ("Service", .objectPath(path(of: .service(index, service)))),
        ("Value", .bytes(straps[index].device?.values[characteristic.handle] ?? [])),
      ]
      if characteristic.notifies {
        let session = straps[index].device?.sessions[characteristic.handle]
        properties.append(("Notifying", .boolean(session?.isNotifying == true)))
      }
      properties += [("Flags", .strings(characteristic.flags)), ("MTU", .uint16(517))]
      return [(.characteristic, properties)]
    case .descriptor(let index, let service, let characteristic):
      return [
        (
          .descriptor,
          [
            ("UUID", .string(BluetoothUUID(assigned: 0x2902).description)),
            ("Characteristic", .objectPath(path(of: .characteristic(index, service, characteristic)))),
            ("Value", .bytes([])),
          ]
        )
      ]
    }
  }

  private func properties(of adapter: Adapter) -> Properties {
    [
      ("Address", .string(adapter.address)), ("AddressType", .string("public")), ("Name", .string("strap-sim")),
      ("Alias", .string(adapter.alias)), ("Class", .uint32(0)), ("Powered", .boolean(adapter.isPowered)),
      ("PowerState", .string(adapter.powerState)), ("Discoverable", .boolean(adapter.isDiscoverable)),
      ("DiscoverableTimeout", .uint32(180)), ("Pairable", .boolean(adapter.isPairable)),
      ("PairableTimeout", .uint32(0)), ("Discovering", .boolean(adapter.isDiscovering)),
      ("UUIDs", .strings(["00001800-0000-1000-8000-00805f9b34fb", "00001801-0000-1000-8000-00805f9b34fb"])),
      ("Modalias", .string("usb:v1D6Bp0246d0542")), ("Roles", .strings(["central"])),
    ]
  }

  private func properties(of strap: Strap) -> Properties {
    guard let adapter, let device = strap.device else { return [] }
    var properties: Properties = [
      ("Address", .string(strap.declaration.address.description)), ("AddressType", .string("random")),
      ("Name", .string(strap.declaration.name)), ("Alias", .string(device.alias ?? strap.declaration.name)),
      ("Appearance", .uint16(833)), ("Paired", .boolean(device.isPaired)), ("Bonded", .boolean(device.isPaired)),
      ("Trusted", .boolean(device.isTrusted)), ("Blocked", .boolean(device.isBlocked)),
      ("LegacyPairing", .boolean(false)),
    ]
    if device.isInScan { properties.append(("RSSI", .int16(strap.rssi))) }
    return properties + [
      ("Connected", .boolean(device.isConnected)), ("UUIDs", uuids(of: strap)),
      ("Adapter", .objectPath(path(of: .adapter(adapter)))), ("ServicesResolved", .boolean(device.isResolved)),
    ]
  }

  /// The services that the strap has shown, or (before it was connected) those that it advertises.
  func uuids(of strap: Strap) -> BusValue {
    let services = strap.device?.services ?? []
    let uuids = services.isEmpty ? strap.declaration.advertised : Service.uuids(of: services)
    return .strings(uuids.map(\.description))
  }

  private func devicePath(_ index: Int) -> String {
    let address = straps[index].declaration.address.description.split(separator: ":").joined(separator: "_")
    return "/org/bluez/\(adapter?.name ?? "hci0")/dev_\(address)"
  }

  private static func path(_ text: String) -> ObjectPath {
    guard let path = ObjectPath(text) else { preconditionFailure("no object path: \(text)") }
    return path
  }
}

extension Service {
  fileprivate var pathElement: String { "service\(fourDigits(handle))" }
}

extension Characteristic {
  fileprivate var pathElement: String { "char\(fourDigits(handle))" }
}

private func fourDigits(_ handle: UInt16) -> String {
  Hex.text([UInt8(handle >> 8), UInt8(truncatingIfNeeded: handle)])
}

extension StrapDeclaration {
  /// What it advertises.
  var advertised: [BluetoothUUID] { hasHeartRate ? [.heartRateService, .batteryService] : [.batteryService] }
}
