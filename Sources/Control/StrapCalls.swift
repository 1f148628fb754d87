import Measurements

/// What is to become of something that a person has said of a strap.
public enum Setting<Value: Hashable & Sendable>: Hashable, Sendable {
  case keep
  case remove
  case set(Value)
}

/// Reads what a person says of a strap.
enum StrapSetting {
  /// A name, or (empty) none.
  static func name(_ text: String?) throws(ControlError) -> Setting<StrapName> {
    guard let text else { return .keep }
    if text.isEmpty { return .remove }
    guard let name = StrapName(text) else {
      throw .nameNotAllowed(text, parameter: "name", allowed: StrapName.allowed)
    }
    return .set(name)
  }

  /// An athlete, or (empty) none.
  static func athlete(_ text: String?) throws(ControlError) -> Setting<AthleteName> {
    guard let text else { return .keep }
    if text.isEmpty { return .remove }
    guard let name = AthleteName(text) else {
      throw .nameNotAllowed(text, parameter: "athlete", allowed: AthleteName.allowed)
    }
    return .set(name)
  }
}
