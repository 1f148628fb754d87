import Measurements

/// A strap's attribute table, with the handles that a real strap was seen to have: they become object paths.
struct Service: Equatable {
  let handle: UInt16
  let uuid: BluetoothUUID
  let characteristics: [Characteristic]

  /// What a strap shows once its services are resolved.
  static func all(of strap: Strap) -> [Service] {
    let lacksHeartRate = strap.faults.lacksHeartRate || !strap.declaration.hasHeartRate
    let services = lacksHeartRate ? [genericAttribute, battery] : [genericAttribute, heartRate(strap), battery]
    return services + [deviceInformation(strap.declaration.information)]
  }

  /// The strap's services by UUID, the Generic Access service included, which bluetoothd 5.66 shows no object for.
  static func uuids(of services: [Service]) -> [BluetoothUUID] {
    ([BluetoothUUID(assigned: 0x1800)] + services.map(\.uuid)).sorted { $0.description < $1.description }
  }

  private static let genericAttribute = Service(
    handle: 0x06, uuid: BluetoothUUID(assigned: 0x1801),
    characteristics: [
      Characteristic(0x07, BluetoothUUID(assigned: 0x2A05), ["indicate"], descriptor: 0x09),
      Characteristic(0x0A, BluetoothUUID(assigned: 0x2B29), ["read", "write"]),
      Characteristic(0x0C, BluetoothUUID(assigned: 0x2B2A), ["read"]),
    ])

  private static func heartRate(_ strap: Strap) -> Service {
    var characteristics = [Characteristic(0x0F, .heartRateMeasurement, ["notify"], descriptor: 0x11)]
    if strap.declaration.location != nil { characteristics.append(Characteristic(0x12, .bodySensorLocation, ["read"])) }
    characteristics.append(Characteristic(0x14, .heartRateControlPoint, ["write"]))
    return Service(handle: 0x0E, uuid: .heartRateService, characteristics: characteristics)
  }

  private static let battery = Service(
    handle: 0x16, uuid: .batteryService,
    characteristics: [Characteristic(0x17, .batteryLevel, ["read", "notify"], descriptor: 0x19)])

  private static func deviceInformation(_ information: DeviceInformation) -> Service {
    let texts: [(UInt16, BluetoothUUID)] = [
      (0x1B, .manufacturerName), (0x1D, .modelNumber), (0x1F, .serialNumber), (0x21, .hardwareRevision),
      (0x23, .firmwareRevision), (0x25, .softwareRevision),
    ]
    return Service(
      handle: 0x1A, uuid: .deviceInformationService,
      characteristics: texts.map { Characteristic($0.0, $0.1, ["read"]) })
  }
}

struct Characteristic: Equatable {
  let handle: UInt16
  let uuid: BluetoothUUID
  let flags: [String]
  /// The handle of the descriptor by which notifications are switched on (0x2902).
  let descriptor: UInt16?

  init(_ handle: UInt16, _ uuid: BluetoothUUID, _ flags: [String], descriptor: UInt16? = nil) {
    self.handle = handle
    self.uuid = uuid
    self.flags = flags
    self.descriptor = descriptor
  }

  var notifies: Bool { flags.contains("notify") || flags.contains("indicate") }

  /// The four digits that the log calls it by.
  var shortName: Substring { uuid.description.dropFirst(4).prefix(4) }
}

extension Strap {
  /// What a read over the air gives; nil where the attribute cannot be read.
  func value(of characteristic: Characteristic) -> [UInt8]? {
    let information = declaration.information
    switch characteristic.uuid {
    case .bodySensorLocation: return declaration.location.map { [$0] }
    case .batteryLevel: return [battery]
    case .manufacturerName: return Array((information.manufacturer ?? "").utf8)
    case .modelNumber: return Array((information.model ?? "").utf8)
    case .serialNumber: return Array((information.serial ?? "").utf8)
    case .hardwareRevision: return Array((information.hardwareRevision ?? "").utf8)
    case .firmwareRevision: return Array((information.firmwareRevision ?? "").utf8)
    case .softwareRevision: return Array((information.softwareRevision ?? "").utf8)
    case BluetoothUUID(assigned: 0x2B29): return [0]
    case BluetoothUUID(assigned: 0x2B2A): return Array(repeating: 0x49, count: 16)
    default: return nil
    }
  }
}
