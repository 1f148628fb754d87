import Control
import Measurements
import Workout

/// What is to be said of an athlete; what is nil stays as it is, an empty text is not known any more.
struct AthleteWish: Equatable {
  var name: String
  /// Texts by the names of the interface.
  var texts: [Field: String] = [:]
  var isDefault = false
  var isToBeForgotten = false

  enum Field: String, CaseIterable {
    case yearOfBirth, biologicalSex, massKilograms, restingHeartRate, maximumHeartRate, zones

    /// The option that says it.
    var option: Option {
      switch self {
      case .yearOfBirth: .born
      case .biologicalSex: .sex
      case .massKilograms: .mass
      case .restingHeartRate: .resting
      case .maximumHeartRate: .maximum
      case .zones: .zones
      }
    }

    /// - Returns: nil where the text is not of the field.
    func value(_ text: String) -> JSON? {
      switch self {
      case .yearOfBirth, .restingHeartRate, .maximumHeartRate: Int64(text).map(JSON.integer)
      case .biologicalSex: BiologicalSex(rawValue: text).map { .string($0.rawValue) }
      case .massKilograms:
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(text).map(JSON.real) : nil
      case .zones: HeartRateZones(text: text)?.json
      }
    }

    /// What is wanted, for people.
    var allowed: String {
      switch self {
      case .yearOfBirth: "a year"
      case .biologicalSex: BiologicalSex.allCases.map(\.rawValue).joined(separator: ", ")
      case .massKilograms: "kilograms, such as 62.5"
      case .restingHeartRate, .maximumHeartRate: "beats a minute"
      case .zones: "where each zone but the first begins, in beats a minute, such as '110 130 150'"
      }
    }
  }

  /// Whether nothing is to be changed.
  var isQuestion: Bool { texts.isEmpty && !isDefault && !isToBeForgotten }

  /// - Throws: where a text cannot be what it is to be.
  func check() throws(UsageError) {
    guard AthleteName(name) != nil else {
      throw UsageError("'\(name)' cannot be an athlete's name; allowed are \(AthleteName.allowed)")
    }
    for field in Field.allCases {
      guard let text = texts[field], !text.isEmpty, field.value(text) == nil else { continue }
      throw UsageError("--\(field.option.name) '\(text)' is not right; allowed are \(field.allowed), or nothing")
    }
    if isToBeForgotten, !texts.isEmpty || isDefault { throw UsageError("--forget goes with nothing else") }
  }

  /// The call that brings it about.
  ///
  /// - Parameter known: the profile as it is, if there is one.
  func call(_ known: JSON?) -> VarlinkCall {
    let name = JSON.Member("name", .string(name))
    if isToBeForgotten { return Command.call("ForgetAthlete", nil, [name]) }
    let members = Field.allCases.compactMap { field -> JSON.Member? in
      guard let text = texts[field] else { return known?[field.rawValue].map { JSON.Member(field.rawValue, $0) } }
      return field.value(text).map { JSON.Member(field.rawValue, $0) }
    }
    let isDefault = isDefault || known?["default"]?.asBool == true
    return Command.call("SetAthlete", nil, [name] + members + [JSON.Member("default", .bool(isDefault))])
  }
}

/// Athletes for people.
enum AthleteText {
  static func table(_ athletes: [JSON]) -> [String] {
    if athletes.isEmpty { return ["no athlete is known: 'strapctl athlete NAME --born YEAR' makes a profile"] }
    var table = Table([
      ("name", .left), ("born", .right), ("sex", .left), ("mass", .right), ("resting", .right), ("maximum", .right),
      ("zones from", .left), ("", .left),
    ])
    for athlete in athletes {
      let zones = athlete.list("zones").compactMap { $0.integer("lower").map(String.init) }
      table.add([
        athlete.text("name") ?? "?", athlete.integer("yearOfBirth").map(String.init) ?? "-",
        athlete.text("biologicalSex") ?? "-", athlete.real("massKilograms").map { "\($0) kg" } ?? "-",
        athlete.integer("restingHeartRate").map(String.init) ?? "-",
        athlete.integer("maximumHeartRate").map(String.init) ?? "-",
        zones.isEmpty ? "-" : zones.joined(separator: " "), athlete["default"]?.asBool == true ? "default" : "",
      ])
    }
    return table.lines
  }
}

extension Draft {
  func athlete() throws(UsageError) -> AthleteWish {
    guard let name = arguments.first else {
      throw UsageError("which athlete? 'strapctl athletes' shows the known ones")
    }
    var wish = AthleteWish(name: name)
    for field in AthleteWish.Field.allCases { wish.texts[field] = values[field.option] }
    (wish.isDefault, wish.isToBeForgotten) = (switches.contains(.default), switches.contains(.forget))
    try wish.check()
    return wish
  }
}
