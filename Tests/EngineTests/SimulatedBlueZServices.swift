import Bus
import Measurements

extension DeviceInformation {
  /// What a strap tells of which a test says nothing.
  static let simulated = DeviceInformation("Simulated", model: "Simulated")

  init(_ manufacturer: String?, model: String?, firmware: String? = nil) {
    self.init()
    self.manufacturer = manufacturer
    self.model = model
    firmwareRevision = firmware
  }
}

// A strap's services and what can be read of them.
extension SimulatedBlueZ {
  /// The characteristics beside the measurement itself, by the last elements of their paths.
  private static let characteristics: [(name: String, uuid: BluetoothUUID)] = [
    ("char0012", .bodySensorLocation), ("char0014", .heartRateControlPoint), ("char001e", .manufacturerName),
    ("char0020", .modelNumber), ("char0022", .firmwareRevision),
  ]

  func services(_ address: StrapAddress) -> [(path: ObjectPath, interfaces: BusValue)] {
    let device = path(address)
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
    var characteristics = Self.characteristics
    if showsBatteryService { characteristics.append(("char0017", .batteryLevel)) }
    if straps[address]?.hasHeartRate == true { characteristics.append(("char000f", .heartRateMeasurement)) }
    for (name, uuid) in characteristics {
      let properties = BusValue.properties([
        "UUID": .string(uuid.description), "Service": .objectPath(service), "Value": .bytes([]),
        "Notifying": .boolean(false), "Flags": .strings(["notify"]),
      ])
      objects.append((ObjectPath("\(service)/\(name)")!, interfaces(["org.bluez.GattCharacteristic1": properties])))
    }
    let measurement = Self.measurement(address)
    if straps[address]?.hasHeartRate == true {
      let descriptor = BusValue.properties([
        "UUID": .string(BluetoothUUID.clientCharacteristicConfiguration.description),
        "Characteristic": .objectPath(measurement),
      ])
      objects.append((ObjectPath("\(measurement)/desc0011")!, interfaces(["org.bluez.GattDescriptor1": descriptor])))
    }
    return objects
  }

  /// The strap hangs up on being asked for notifications.
  mutating func hangUp(_ address: StrapAddress, answering message: BusMessage) -> [BusMessage] {
    let answer = straps[address]?.hangUpError.map { [error(message, $0)] } ?? []
    // bluetoothd keeps the client of a StartNotify that it has not refused.
    if !answer.isEmpty { straps[address]?.isNotifying = false }
    return answer + lose(address)
  }

  func value(of path: ObjectPath, _ address: StrapAddress) -> [UInt8] {
    let information = straps[address]?.information
    let text: String?
    if path.lastElement == "char0017" { return [straps[address]?.battery ?? 0] }
    switch Self.characteristics.first(where: { $0.name == path.lastElement })?.uuid {
    case .bodySensorLocation?: return straps[address]?.location.map { [$0] } ?? []
    case .manufacturerName?: text = information?.manufacturer
    case .modelNumber?: text = information?.model
    case .firmwareRevision?: text = information?.firmwareRevision
    default: text = nil
    }
    return Array((text ?? "").utf8)
  }

  /// BlueZ claims the Battery Service and shows the level beside the device.
  func batteryAdded(_ address: StrapAddress) -> [BusMessage] {
    guard !showsBatteryService, let battery = straps[address]?.battery else { return [] }
    return [added(path(address), interfaces(["org.bluez.Battery1": .properties(["Percentage": .byte(battery)])]))]
  }
}
