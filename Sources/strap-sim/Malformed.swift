import Bus

/// Signals that break the contract, so that a client can be seen to ignore them.
extension World {
  mutating func sendMalformed(_ kind: MalformedKind) {
    let (path, definition, member, body) = malformed(kind)
    signal(path, definition, member, body)
    log("MALFORMED \(kind.rawValue)")
  }

  private func malformed(_ kind: MalformedKind) -> (ObjectPath, InterfaceDefinition, MemberName, [BusValue]) {
    let device = straps.isEmpty ? "/org/bluez/hci0/dev_00_00_00_00_00_00" : path(of: .device(0))
    let value = valuePath(below: device)
    let characteristic = InterfaceDefinition.characteristic.name.description
    let ofDevice = InterfaceDefinition.device.name.description

    func change(_ path: ObjectPath, _ body: BusValue...) -> (ObjectPath, InterfaceDefinition, MemberName, [BusValue]) {
      (path, .properties, "PropertiesChanged", body)
    }
    func deviceChange(
      _ interface: String, _ properties: KeyValuePairs<String, BusValue>
    ) -> (ObjectPath, InterfaceDefinition, MemberName, [BusValue]) {
      change(device, .string(interface), .properties(properties), .strings([]))
    }
    func objects(_ member: MemberName, _ body: BusValue...) -> (ObjectPath, InterfaceDefinition, MemberName, [BusValue])
    {
      ("/", .objectManager, member, body)
    }
    func added(_ path: ObjectPath, _ properties: KeyValuePairs<String, BusValue>, as interface: String) -> [BusValue] {
      let table = BusValue.dictionary(
        key: .string, value: .dictionary(key: .string, value: .variant),
        [.init(.string(interface), .properties(properties))])
      return [.objectPath(path), table]
    }

    switch kind {
    case .valueType:
      return change(value, .string(characteristic), .properties(["Value": .string("1648")]), .strings([]))
    case .valueMissing: return change(value, .string(characteristic), .properties([:]), .strings(["Value"]))
    case .changedShort: return change(value, .string(characteristic))
    case .changedOrder:
      return change(value, .properties(["Value": .bytes([0x16, 0x48])]), .string(characteristic), .strings([]))
    case .changedEmpty: return change(value)
    case .connectedType: return deviceChange(ofDevice, ["Connected": .string("yes")])
    case .resolvedType: return deviceChange(ofDevice, ["ServicesResolved": .uint32(1)])
    case .rssiType: return deviceChange(ofDevice, ["RSSI": .string("-50")])
    case .batteryType: return deviceChange("org.bluez.Battery1", ["Percentage": .int32(50)])
    case .batteryRange: return deviceChange("org.bluez.Battery1", ["Percentage": .byte(200)])
    case .unknownInterface: return deviceChange("org.example.Unknown1", ["Connected": .boolean(false)])
    case .unknownPath:
      return change(
        "/org/bluez/hci9/dev_00_00_00_00_00_00/service0001/char0002", .string(characteristic),
        .properties(["Value": .bytes([0x16, 0x48])]), .strings([]))
    case .unknownMember: return (device, .properties, "PropertiesForgotten", [.string(ofDevice)])
    case .addedShort: return objects("InterfacesAdded", .objectPath("/org/bluez/hci0/dev_00_00_00_00_00_01"))
    case .addedTypes:
      return objects(
        "InterfacesAdded", .objectPath("/org/bluez/hci0/dev_00_00_00_00_00_01"), .strings([ofDevice]))
    case .addedUnknown:
      return (
        "/", .objectManager, "InterfacesAdded", added("/org/example", ["A": .byte(1)], as: "org.example.Unknown1")
      )
    case .addedAddress:
      let body = added("/org/bluez/hci0/dev_00_00_00_00_00_02", ["Address": .string("nonsense")], as: ofDevice)
      return ("/", .objectManager, "InterfacesAdded", body)
    case .addedWithoutAddress:
      let body = added("/org/bluez/hci0/dev_00_00_00_00_00_03", ["Connected": .boolean(true)], as: ofDevice)
      return ("/", .objectManager, "InterfacesAdded", body)
    case .addedUUID:
      let body = added(
        "/org/bluez/hci0/dev_00_00_00_00_00_04/service0001", ["UUID": .string("180d")], as: characteristic)
      return ("/", .objectManager, "InterfacesAdded", body)
    case .removedShort: return objects("InterfacesRemoved", .objectPath(device))
    case .removedTypes: return objects("InterfacesRemoved", .objectPath(device), .string(ofDevice))
    case .removedUnknown:
      return objects("InterfacesRemoved", .objectPath(device), .strings(["org.example.Unknown1"]))
    }
  }

  /// Where the first strap's measurements come from.
  private func valuePath(below device: ObjectPath) -> ObjectPath {
    ObjectPath("\(device)/service000e/char000f") ?? device
  }
}
