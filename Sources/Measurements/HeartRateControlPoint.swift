/// What can be written to the Heart Rate Control Point, characteristic 0x2A39 (HRS 1.0, section 3.3).
public enum HeartRateControlPoint: UInt8, Hashable, Sendable {
  /// Sets the energy counter to zero. A strap that supports no other value answers those with ATT error 0x80.
  case resetEnergyExpended = 0x01

  /// The octets to write.
  public var value: [UInt8] { [rawValue] }
}
