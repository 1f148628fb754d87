import Control
import Measurements
import Workout

// What stands before the first record: what the file is, what its developer fields mean, and what measured.
extension FITWriter {
  mutating func writeHead() {
    writeFileID()
    writeDeveloperFields()
    writeCreator()
    writeStrap()
  }

  /// A number of four octets for the file, from the workout's id; never 0, which stands for none.
  private var serialNumber: UInt64 {
    let octets = UUIDText.octets(file.workout.id.description) ?? []
    let number = octets.prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
    return number == 0 ? 1 : number
  }

  /// "1.23.4" as 123, of which devices make 1.23.
  private var softwareVersion: UInt64 {
    let parts = Interface.version.split(separator: ".").compactMap { UInt64($0) }
    return min((parts.first ?? 0) * 100 + min(parts.dropFirst().first ?? 0, 99), 65_534)
  }

  private static let product: UInt64 = 1
  private static let productName = "strapd"

  private mutating func writeFileID() {
    encoder.add(
      Message.fileID,
      [
        Field(FITProfile.FileID.type, .enumeration, FITProfile.FileID.activity),
        Field(FITProfile.FileID.manufacturer, .uint16, FITManufacturers.development),
        Field(FITProfile.FileID.product, .uint16, Self.product),
        Field(FITProfile.FileID.serialNumber, .uint32z, serialNumber),
        Field(FITProfile.FileID.timeCreated, .uint32, UInt64(start)),
        Field(FITProfile.FileID.productName, text: Self.productName),
      ])
    encoder.add(Message.fileCreator, [Field(0, .uint16, softwareVersion)])
  }

  private mutating func writeDeveloperFields() {
    encoder.add(
      Message.developerDataID,
      [
        Field(FITProfile.DeveloperData.applicationID, .byte, octets: FITDeveloperField.application),
        Field(FITProfile.DeveloperData.developerIndex, .uint8, 0),
        Field(FITProfile.DeveloperData.applicationVersion, .uint32, softwareVersion),
      ])
    for field in FITDeveloperField.allCases {
      var fields = [
        Field(FITProfile.FieldDescription.developerIndex, .uint8, 0),
        Field(FITProfile.FieldDescription.number, .uint8, UInt64(field.rawValue)),
        Field(FITProfile.FieldDescription.baseType, .uint8, UInt64(field.baseType.rawValue)),
        Field(FITProfile.FieldDescription.name, text: field.name),
      ]
      if let units = field.units { fields.append(Field(FITProfile.FieldDescription.units, text: units)) }
      encoder.add(Message.fieldDescription, fields)
    }
  }

  private mutating func writeCreator() {
    typealias Device = FITProfile.DeviceInfo
    encoder.add(
      Message.deviceInfo,
      [
        stamp(file.workout.start.tick), Field(Device.deviceIndex, .uint8, 0),
        Field(Device.manufacturer, .uint16, FITManufacturers.development),
        Field(Device.serialNumber, .uint32z, serialNumber), Field(Device.product, .uint16, Self.product),
        Field(Device.sourceType, .enumeration, Device.local), Field(Device.productName, text: Self.productName),
      ])
  }

  private mutating func writeStrap() {
    typealias Device = FITProfile.DeviceInfo
    let (device, information) = (file.device, file.device.information)
    let number = information.manufacturer.flatMap { FITManufacturers.number(of: $0) }
    var fields = [
      stamp(file.workout.start.tick), Field(Device.deviceIndex, .uint8, 1),
      Field(Device.sourceType, .enumeration, Device.bluetoothLowEnergy),
      Field(Device.deviceType, .uint8, Device.heartRateOfBluetooth),
      Field(Device.manufacturer, .uint16, number ?? FITManufacturers.development),
    ]
    if let serial = information.serial.flatMap({ UInt32($0) }), serial > 0 {
      fields.append(Field(Device.serialNumber, .uint32z, UInt64(serial)))
    }
    if let battery = device.battery {
      fields.append(Field(Device.batteryLevel, .uint8, UInt64(battery.percent)))
      fields.append(Field(Device.batteryStatus, .uint8, battery.fitStatus))
    }
    if let model = information.model { fields.append(Field(Device.productName, text: model)) }
    if let name = device.name { fields.append(Field(Device.descriptor, text: name)) }
    let texts: [(FITDeveloperField, String?)] = [
      (.manufacturer, information.manufacturer), (.serial, information.serial),
      (.address, (device.address ?? file.workout.strap)?.description), (.firmware, information.firmwareRevision),
      (.hardware, information.hardwareRevision), (.software, information.softwareRevision),
    ]
    let developer = texts.compactMap { field, text in text.map { Field(field, text: $0) } }
    encoder.add(Message.deviceInfo, fields, developer: developer)
  }
}

extension BatteryLevel {
  /// The profile's word for it (type battery_status): good, ok, low or critical.
  fileprivate var fitStatus: UInt64 {
    switch percent {
    case 50...: 2
    case 25...: 3
    case 10...: 4
    case 0...: 5
    default: 7
    }
  }
}
