/// A battery's charge in percent, 0 to 100, characteristic 0x2A19 (BAS 1.0, section 3.1).
public struct BatteryLevel: Hashable, Sendable {
  public var percent: UInt8

  /// Decodes the first octet; nil where there is none or it is above 100, which the specification reserves.
  public init?(_ value: [UInt8]) {
    guard let percent = value.first, percent <= 100 else { return nil }
    self.percent = percent
  }

  /// A level that BlueZ has decoded (`org.bluez.Battery1.Percentage`); nil above 100.
  public init?(percent: UInt8) {
    self.init([percent])
  }
}
