import Measurements
import Workout

/// A call about the people who wear straps.
public enum AthleteCall: Hashable, Sendable {
  case list
  /// The whole profile: what is not said is not known.
  case set(AthleteProfile)
  case forget(AthleteName)

  /// Its name on the wire.
  public var method: String {
    switch self {
    case .list: "ListAthletes"
    case .set: "SetAthlete"
    case .forget: "ForgetAthlete"
    }
  }
}

extension AthleteCall {
  /// Reads the parameters of a method; nil where it is another kind of method.
  init?(_ method: Substring, _ reader: inout ParameterReader) throws(ControlError) {
    switch method {
    case "ListAthletes": self = .list
    case "SetAthlete": self = .set(try reader.profile())
    case "ForgetAthlete": self = .forget(try reader.athleteName())
    default: return nil
    }
  }
}

extension ParameterReader {
  fileprivate mutating func athleteName() throws(ControlError) -> AthleteName {
    guard let text = try take("name", \.asString) else { throw .invalidParameter("name") }
    guard let name = AthleteName(text) else {
      throw .nameNotAllowed(text, parameter: "name", allowed: AthleteName.allowed)
    }
    return name
  }

  fileprivate mutating func profile() throws(ControlError) -> AthleteProfile {
    var profile = AthleteProfile(try athleteName())
    profile.yearOfBirth = try take("yearOfBirth") { $0.asInteger.flatMap { Int(exactly: $0) } }
    profile.biologicalSex = try take("biologicalSex") { $0.asString.flatMap { BiologicalSex(rawValue: $0) } }
    profile.massKilograms = try take("massKilograms", \.asReal)
    profile.restingHeartRate = try take("restingHeartRate") { $0.asInteger.flatMap { Int(exactly: $0) } }
    profile.maximumHeartRate = try take("maximumHeartRate") { $0.asInteger.flatMap { Int(exactly: $0) } }
    profile.zones = try zones()
    profile.isDefault = try take("default", \.asBool) ?? false
    if let fault = profile.fault { throw .invalidProfile(parameter: fault.member, allowed: fault.allowed) }
    return profile
  }
}

extension AthleteProfile {
  public var json: JSON {
    .object([
      "name": .string(name.description), "yearOfBirth": yearOfBirth.map { .integer(Int64($0)) },
      "biologicalSex": biologicalSex.map { .string($0.rawValue) }, "massKilograms": massKilograms.map(JSON.real),
      "restingHeartRate": restingHeartRate.map { .integer(Int64($0)) },
      "maximumHeartRate": maximumHeartRate.map { .integer(Int64($0)) }, "zones": zones?.json,
      "default": .bool(isDefault),
    ])
  }
}
