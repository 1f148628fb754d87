/// A service's, characteristic's or descriptor's UUID (Core Specification, Vol 3, Part B, section 2.5.1).
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// A UUID of the Bluetooth SIG's assigned numbers.
  public init(assigned number: UInt16) {
    high = UInt64(number) << 32 | 0x1000
    low = 0x8000_0080_5F9B_34FB
  }

  /// Reads the form that BlueZ writes, "0000180d-0000-1000-8000-00805f9b34fb" (either case); nil for anything else.
  public init?(_ text: String) {
    guard let bytes = UUIDText.octets(text) else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The form that BlueZ writes.
  public var description: String {
    UUIDText.text(
      [high, low].flatMap { half in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
      })
  }

  public static let heartRateService = Self(assigned: 0x180D)
  public static let batteryService = Self(assigned: 0x180F)
  public static let deviceInformationService = Self(assigned: 0x180A)

  /// The descriptor by which notifications are switched on (Core Specification, Vol 3, Part G, section 3.3.3.3).
  public static let clientCharacteristicConfiguration = Self(assigned: 0x2902)

  public static let heartRateMeasurement = Self(assigned: 0x2A37)
  public static let bodySensorLocation = Self(assigned: 0x2A38)
  public static let heartRateControlPoint = Self(assigned: 0x2A39)
  public static let batteryLevel = Self(assigned: 0x2A19)
  public static let modelNumber = Self(assigned: 0x2A24)
  public static let serialNumber = Self(assigned: 0x2A25)
  public static let firmwareRevision = Self(assigned: 0x2A26)
  public static let hardwareRevision = Self(assigned: 0x2A27)
  public static let softwareRevision = Self(assigned: 0x2A28)
  public static let manufacturerName = Self(assigned: 0x2A29)
}
