import Bus
import Measurements

// The objects that a simulated bluetoothd shows.
extension SimulatedBlueZ {
  var tree: BusValue {
    var objects: [BusValue.Entry] = []
    if hasAdapter {
      let properties = BusValue.properties([
        "Address": .string("00:AA:01:00:00:42"), "Powered": .boolean(isPowered), "Discovering": .boolean(isDiscovering),
        "PowerState": .string(isPowered ? "on" : isBlocked ? "off-blocked" : "off"),
      ])
      objects.append(.init(.objectPath(adapter), interfaces(["org.bluez.Adapter1": properties])))
    }
    for address in straps.keys.sorted() where straps[address]?.isKnown == true {
      objects.append(.init(.objectPath(Self.path(address)), device(address)))
      if straps[address]?.isResolved == true {
        objects += services(address).map { .init(.objectPath($0.path), $0.interfaces) }
      }
    }
    return .dictionary(key: .objectPath, value: .dictionary(key: .string, value: .variant), objects)
  }

  func device(_ address: StrapAddress) -> BusValue {
    let strap = straps[address]!
    var properties: [BusValue.Entry] = [
      .init(.string("Address"), .variant(.string(address.description))),
      .init(.string("AddressType"), .variant(.string("random"))),
      .init(.string("Name"), .variant(.string(strap.name))),
      .init(.string("UUIDs"), .variant(.strings([BluetoothUUID.heartRateService.description]))),
      .init(.string("Connected"), .variant(.boolean(strap.isConnected))),
      .init(.string("Bonded"), .variant(.boolean(strap.isBonded))),
      .init(.string("ServicesResolved"), .variant(.boolean(strap.isResolved))),
    ]
    if !strap.isConnected, isDiscovering, strap.isPresent {
      properties.append(.init(.string("RSSI"), .variant(.int16(strap.rssi))))
    }
    let own = BusValue.dictionary(key: .string, value: .variant, properties)
    guard strap.isConnected, !showsBatteryService, let battery = strap.battery else {
      return interfaces(["org.bluez.Device1": own])
    }
    return interfaces(["org.bluez.Battery1": .properties(["Percentage": .byte(battery)]), "org.bluez.Device1": own])
  }

  func services(_ address: StrapAddress) -> [(path: ObjectPath, interfaces: BusValue)] {
    let device = Self.path(address)
    let service = ObjectPath("\(device)/service000e")!
    var objects = [
      (
        service,
        interfaces([
          "org.bluez.GattService1": .properties([
            "UUID": .string(BluetoothUUID.heartRateService.description), "Device": .objectPath(device),
          ])
        ])
      )
    ]
    var characteristics: [(String, BluetoothUUID)] = [
      ("char0012", .bodySensorLocation), ("char0014", .heartRateControlPoint), ("char0020", .modelNumber),
    ]
    if showsBatteryService { characteristics.append(("char0017", .batteryLevel)) }
    if straps[address]?.hasHeartRate == true { characteristics.append(("char000f", .heartRateMeasurement)) }
    for (name, uuid) in characteristics {
      let properties = BusValue.properties([
        "UUID": .string(uuid.description), "Service": .objectPath(service), "Value": .bytes([]),
        "Notifying": .boolean(false), "Flags": .strings(["notify"]),
      ])
      objects.append((ObjectPath("\(service)/\(name)")!, interfaces(["org.bluez.GattCharacteristic1": properties])))
    }
    return objects
  }
}
