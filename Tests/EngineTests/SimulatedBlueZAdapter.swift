import Bus
import Measurements

// The one adapter of a simulated bluetoothd: it goes and comes, off and on.
extension SimulatedBlueZ {
  mutating func removeAdapter() -> [BusMessage] {
    hasAdapter = false
    isDiscovering = false
    var messages: [BusMessage] = []
    for address in straps.keys.sorted() where straps[address]?.isKnown == true {
      messages += lose(address) + forget(address)
    }
    return messages + [removed(adapter, "org.bluez.Adapter1")]
  }

  mutating func addAdapter(_ name: String) -> [BusMessage] {
    hasAdapter = true
    adapter = ObjectPath("/org/bluez/\(name)")!
    let properties = BusValue.properties(["Address": .string(adapterAddress), "Powered": .boolean(true)])
    return [added(adapter, interfaces(["org.bluez.Adapter1": properties]))]
  }

  mutating func power(_ on: Bool, blocked: Bool = false) -> [BusMessage] {
    isPowered = on
    isBlocked = blocked
    var messages: [BusMessage] = []
    if !on {
      isDiscovering = false
      for address in straps.keys.sorted() { messages += lose(address) }
    }
    let state = on ? "on" : blocked ? "off-blocked" : "off"
    return messages + [
      changed(adapter, "org.bluez.Adapter1", ["Powered": .boolean(on), "PowerState": .string(state)])
    ]
  }
}
