/// What the strap says of its skin contact (HRS 1.0, section 3.1.1.1.2): three answers, never a Bool.
public enum SensorContact: String, Hashable, Sendable, CaseIterable {
  /// The strap can tell, and touches skin.
  case detected
  /// The strap can tell, and touches none.
  case notDetected
  /// The strap cannot tell.
  case unknown
}
