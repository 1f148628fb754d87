import Bus
import Measurements

// The objects that a simulated bluetoothd shows.
extension SimulatedBlueZ {
  var objects: [BusValue.Entry] {
    var objects: [BusValue.Entry] = []
    if hasAdapter {
      let properties = BusValue.properties([
        "Address": .string(adapterAddress), "Powered": .boolean(isPowered), "Discovering": .boolean(isDiscovering),
        "PowerState": .string(isPowered ? "on" : isBlocked ? "off-blocked" : "off"),
      ])
      objects.append(.init(.objectPath(adapter), interfaces(["org.bluez.Adapter1": properties])))
    }
    for address in straps.keys.sorted() where straps[address]?.isKnown == true {
      objects.append(.init(.objectPath(path(address)), device(address)))
      if straps[address]?.isResolved == true {
        objects += services(address).map { .init(.objectPath($0.path), $0.interfaces) }
      }
    }
    return objects
  }

  func device(_ address: StrapAddress) -> BusValue {
    let strap = straps[address]!
    var properties: [BusValue.Entry] = [
      .init(.string("Address"), .variant(.string(address.description))),
      .init(.string("Adapter"), .variant(.objectPath(adapter))),
      .init(.string("AddressType"), .variant(.string("random"))),
      .init(.string("Name"), .variant(.string(strap.name))),
      .init(.string("UUIDs"), .variant(.strings(matches(strap) ? strap.advertised : []))),
      .init(.string("Connected"), .variant(.boolean(strap.isConnected))),
      .init(.string("Bonded"), .variant(.boolean(strap.isBonded))),
      .init(.string("ServicesResolved"), .variant(.boolean(strap.isResolved))),
    ]
    if !strap.isConnected, isDiscovering, strap.isPresent, matches(strap) {
      properties.append(.init(.string("RSSI"), .variant(.int16(strap.rssi))))
    }
    let own = BusValue.dictionary(key: .string, value: .variant, properties)
    guard strap.isConnected, !showsBatteryService, let battery = strap.battery else {
      return interfaces(["org.bluez.Device1": own])
    }
    return interfaces(["org.bluez.Battery1": .properties(["Percentage": .byte(battery)]), "org.bluez.Device1": own])
  }
}
