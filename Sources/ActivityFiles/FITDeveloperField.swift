import Measurements

/// What FIT has no field for, in developer fields; by their numbers, which never change their meaning.
enum FITDeveloperField: UInt8, Hashable, Sendable, CaseIterable {
  /// The workout's id.
  case id = 0
  case title = 1
  case activity = 2
  case location = 3
  /// What a workout's start adds to the whole second of the session's start_time.
  case startFraction = 4
  /// When something was, since the workout's start: what a record shows was received, a pause or lap began or ended.
  case offset = 5
  /// Skin contact: 1 where the strap detects it, 0 where it detects none.
  case contact = 6
  /// The strap's energy counter.
  case energyCounter = 7
  /// A heart rate that one octet does not hold.
  case heartRate = 8
  /// What a client calls a lap, an activity, a marker or a segment.
  case label = 9
  /// 1 for a lap that somebody has taken or an activity that somebody has begun, 0 for what lies between such, 2 for the rest
  /// of the lap before it.
  case isTaken = 10
  /// All intervals of counted time.
  case intervalCount = 11
  case energy = 12
  case manufacturer = 13
  case serial = 14
  case address = 15
  case firmware = 16
  case hardware = 17
  case software = 18
  /// How long a segment was that ended at a marker's time.
  case span = 19

  /// By which these fields are known among those of others: a UUID.
  static let application: [UInt8] = [
    0x5B, 0x0E, 0x6C, 0x1F, 0x2D, 0x9A, 0x4C, 0x37, 0x8E, 0x51, 0xD4, 0x70, 0xA8, 0x13, 0x62, 0xF9,
  ]

  var baseType: FITBaseType {
    switch self {
    case .id, .title, .activity, .location, .label, .manufacturer, .serial, .address, .firmware, .hardware, .software:
      .string
    case .startFraction, .offset, .intervalCount, .energy, .span: .uint32
    case .energyCounter, .heartRate: .uint16
    case .contact, .isTaken: .uint8
    }
  }

  var name: String {
    switch self {
    case .id: "workout_id"
    case .title: "title"
    case .activity: "activity"
    case .location: "location"
    case .startFraction: "start_fraction"
    case .offset: "offset"
    case .contact: "skin_contact"
    case .energyCounter: "energy_counter"
    case .heartRate: "heart_rate_16"
    case .label: "label"
    case .isTaken: "is_taken"
    case .intervalCount: "rr_count"
    case .energy: "energy"
    case .manufacturer: "manufacturer_name"
    case .serial: "serial_number_text"
    case .address: "bluetooth_address"
    case .firmware: "firmware_revision"
    case .hardware: "hardware_revision"
    case .software: "software_revision"
    case .span: "segment_time"
    }
  }

  var units: String? {
    switch self {
    case .startFraction: "ns"
    case .offset, .span: "ms"
    case .energyCounter, .energy: "kJ"
    case .heartRate: "bpm"
    case .id, .title, .activity, .location, .contact, .label, .isTaken, .intervalCount, .manufacturer, .serial,
      .address, .firmware, .hardware, .software:
      nil
    }
  }
}

extension FITEncoder.Field {
  init(_ field: FITDeveloperField, _ value: UInt64) {
    self.init(field.rawValue, field.baseType, array: [value])
  }

  init(_ field: FITDeveloperField, text: String) {
    self.init(field.rawValue, text: text)
  }
}

/// A developer's field, as a field_description message tells of it.
struct FITDescribedField: Hashable, Sendable {
  var developer: UInt8
  var number: UInt8
  /// The raw value of its base type.
  var baseType: UInt8

  /// nil where the message lacks what a field is known by.
  init?(_ message: FITMessage) {
    typealias Description = FITProfile.FieldDescription
    func octet(_ number: UInt8) -> UInt8? { message.whole(number).flatMap { UInt8(exactly: $0) } }
    guard let developer = octet(Description.developerIndex), let number = octet(Description.number),
      let baseType = octet(Description.baseType)
    else { return nil }
    (self.developer, self.number, self.baseType) = (developer, number, baseType)
  }
}

// MARK: - In messages

extension FITMessage {
  /// A field of this project's, where the file has it under a developer's index.
  func own(_ field: FITDeveloperField, _ developer: UInt8?) -> UInt64? {
    ownValues(field, developer)?.whole
  }

  func whole(_ field: FITDescribedField) -> UInt64? {
    definition.developerFields.isEmpty ? nil : values(of: (field.developer, field.number), field.baseType)?.whole
  }

  func ownText(_ field: FITDeveloperField, _ developer: UInt8?) -> String? {
    ownValues(field, developer)?.text
  }

  func contact(_ developer: UInt8?) -> SensorContact {
    switch own(.contact, developer) {
    case 0?: .notDetected
    case 1?: .detected
    default: .unknown
    }
  }

  private func ownValues(_ field: FITDeveloperField, _ developer: UInt8?) -> Values? {
    guard let developer, !definition.developerFields.isEmpty else { return nil }
    return values(of: (developer, field.rawValue), field.baseType.rawValue)
  }
}
