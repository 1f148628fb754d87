import Measurements
import Workout

// Zones, goals and alerts as they go on the wire, both ways.

extension HeartRateZones {
  public var json: JSON {
    .array(
      zones.map { zone in
        .object(["lower": zone.lower.map { .integer(Int64($0)) }, "upper": zone.upper.map { .integer(Int64($0)) }])
      })
  }

  /// nil where they have not the form of zones.
  public init?(json: JSON) {
    guard let list = json.asArray else { return nil }
    var zones: [Zone] = []
    for zone in list {
      func bound(_ name: String) -> UInt16?? {
        guard let value = zone[name] else { return .some(nil) }
        return value.asInteger.flatMap { UInt16(exactly: $0) }.map { .some($0) }
      }
      guard let lower = bound("lower"), let upper = bound("upper") else { return nil }
      zones.append(Zone(lower: lower, upper: upper))
    }
    do { self = try HeartRateZones(zones) } catch { return nil }
  }
}

extension WorkoutGoal {
  var json: JSON {
    switch self {
    case .duration(let span): .object(["kind": .string("duration"), "seconds": .real(span.inSeconds)])
    case .energy(let kilojoules): .object(["kind": .string("energy"), "kilojoules": .integer(Int64(kilojoules))])
    }
  }

  /// nil where it is no goal, or out of range.
  init?(_ json: JSON) {
    guard case .object(let members) = json else { return nil }
    let names = members.filter { $0.value != .null }.map(\.name).sorted()
    switch (json["kind"]?.asString, names) {
    case ("duration", ["kind", "seconds"]):
      guard let span = json["seconds"].flatMap({ Duration(json: $0) }) else { return nil }
      self = .duration(span)
    case ("energy", ["kilojoules", "kind"]):
      guard let kilojoules = json["kilojoules"]?.asInteger.flatMap({ Int(exactly: $0) }) else { return nil }
      self = .energy(kilojoules)
    default: return nil
    }
    if !isAllowed { return nil }
  }
}

extension WorkoutAlert {
  var json: JSON {
    let (heartRate, zone, interval): (UInt16?, Int?, Duration?) =
      switch kind {
      case .above(let heartRate), .below(let heartRate): (heartRate, nil, nil)
      case .outsideZone(let zone): (nil, zone, nil)
      case .every(let interval): (nil, nil, interval)
      }
    return .object([
      "kind": .string(kind.name), "heartRate": heartRate.map { .integer(Int64($0)) },
      "zone": zone.map { .integer(Int64($0)) }, "intervalSeconds": interval.map { .real($0.inSeconds) },
      "debounceSeconds": .real(debounce.inSeconds), "initialDelaySeconds": .real(initialDelay.inSeconds),
    ])
  }

  /// - Throws: what is wrong with it; nil where it has not the form of an alert.
  init(_ json: JSON) throws(InvalidAlert) {
    guard case .object(let members) = json, let name = json["kind"]?.asString else { throw InvalidAlert() }
    var known: Set = ["kind", "debounceSeconds", "initialDelaySeconds"]
    let kind: Kind?
    switch name {
    case "above", "below":
      known.insert("heartRate")
      let number = json["heartRate"]?.asInteger
      let heartRate = number.flatMap { UInt16(exactly: $0) }
      if let number, heartRate == nil { throw InvalidAlert(.heartRate(number)) }
      kind = heartRate.map(name == "above" ? Kind.above : Kind.below)
    case "outsideZone":
      known.insert("zone")
      kind = json["zone"]?.asInteger.flatMap { Int(exactly: $0) }.map(Kind.outsideZone)
    case "every":
      known.insert("intervalSeconds")
      let interval = json["intervalSeconds"].flatMap { Duration(json: $0) }
      if interval == nil, json["intervalSeconds"]?.asReal != nil { throw InvalidAlert(.interval) }
      kind = interval.map(Kind.every)
    default: kind = nil
    }
    guard let kind, members.allSatisfy({ known.contains($0.name) || $0.value == .null }) else { throw InvalidAlert() }
    let (debounce, delay) = (json["debounceSeconds"] ?? .integer(0), json["initialDelaySeconds"] ?? .integer(0))
    guard let debounce = Duration(json: debounce), let delay = Duration(json: delay) else { throw InvalidAlert() }
    do { try self.init(kind, debounce: debounce, initialDelay: delay) } catch { throw InvalidAlert(error) }
  }
}

/// Why an alert of a client is refused.
public struct InvalidAlert: Error, Hashable, Sendable, CustomStringConvertible {
  /// nil where it has not the form of an alert.
  public var error: WorkoutAlertError?

  public init(_ error: WorkoutAlertError? = nil) {
    self.error = error
  }

  public var description: String {
    error?.description
      ?? "it must have a kind (above or below with heartRate, outsideZone with zone, every with intervalSeconds), and "
      + "may have debounceSeconds and initialDelaySeconds"
  }
}

extension WorkoutAlert.Kind {
  /// The name on the wire.
  public var name: String {
    switch self {
    case .above: "above"
    case .below: "below"
    case .outsideZone: "outsideZone"
    case .every: "every"
    }
  }

  /// Every name.
  public static let names = ["above", "below", "outsideZone", "every"]
}

extension WorkoutGoal {
  /// Every name of a kind of goal on the wire.
  public static let names = ["duration", "energy"]
}

extension Duration {
  /// A span in seconds, with or without a fraction; nil where it is no number, or out of all range.
  init?(json: JSON) {
    guard let seconds = json.asReal, (-1e9...1e9).contains(seconds) else { return nil }
    self = .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
