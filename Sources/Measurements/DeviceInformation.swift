/// What a strap says of itself in its Device Information Service, 0x180A (DIS 1.1, section 3); nil where it does not say.
public struct DeviceInformation: Hashable, Sendable {
  public var manufacturer: String?
  public var model: String?
  public var serial: String?
  public var hardwareRevision: String?
  public var firmwareRevision: String?
  public var softwareRevision: String?

  public init() {}

  /// Takes the value of one of the service's text characteristics; false where the characteristic is another one.
  public mutating func take(_ value: [UInt8], of characteristic: BluetoothUUID) -> Bool {
    let text = Self.text(value)
    switch characteristic {
    case .manufacturerName: manufacturer = text
    case .modelNumber: model = text
    case .serialNumber: serial = text
    case .hardwareRevision: hardwareRevision = text
    case .firmwareRevision: firmwareRevision = text
    case .softwareRevision: softwareRevision = text
    default: return false
    }
    return true
  }

  /// UTF-8 up to the first NUL, which some straps send and the service forbids; what is not UTF-8 becomes U+FFFD.
  static func text(_ value: [UInt8]) -> String? {
    let text = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
