import Measurements
import Workout

/// A call of `io.strapd`, with its parameters read and checked.
public enum ControlCall: Hashable, Sendable {
  case getStatus
  case create(WorkoutConfiguration)
  /// Without a session: the only one in notStarted, else a new one from the configuration.
  case prepare(session: SessionID?, ConfigurationRequest)
  case start(session: SessionID?, date: WallTime?, countdown: Duration?)
  case pause(session: SessionID?)
  case resume(session: SessionID?)
  case stop(session: SessionID?, date: WallTime?)
  case end(session: SessionID?)
  /// With a request: the links of its straps are held for as long as the client stays.
  case watch(MonitorRequest?)
  case listWorkouts(before: PageToken?, limit: Int)
  case getWorkout(SessionID)
  /// Without a strap: the only one that streams.
  case resetEnergy(strap: StrapAddress?)
  case pair(PairCall)
  case answerPairing(strap: StrapAddress, PairingAnswer)

  case listStraps
  case nameStrap(StrapAddress, name: Setting<StrapName>, athlete: Setting<AthleteName>)
  case forgetStrap(StrapAddress)
  /// Devices without heart rate as well, where `includesAll`.
  case scan(includesAll: Bool)

  /// All that it does is reply, again and again, which oneway forbids.
  var onlyReplies: Bool {
    switch self {
    case .watch, .scan: true
    case .getStatus, .create, .prepare, .start, .pause, .resume, .stop, .end, .listWorkouts, .getWorkout, .resetEnergy,
      .pair, .answerPairing, .listStraps, .nameStrap, .forgetStrap:
      false
    }
  }

  /// The longest countdown, in seconds.
  public static let longestCountdown = 3600.0
  /// The most workouts that one call lists.
  public static let largestPage = 1000
}

/// The parts of a configuration that a client has named.
public struct ConfigurationRequest: Hashable, Sendable {
  public var activity: ActivityType?
  public var location: LocationType?
  public var strap: StrapAddress?

  public init(activity: ActivityType? = nil, location: LocationType? = nil, strap: StrapAddress? = nil) {
    self.activity = activity
    self.location = location
    self.strap = strap
  }

  /// The configuration, with defaults for what was not named.
  public var configuration: WorkoutConfiguration {
    WorkoutConfiguration(activity: activity ?? .other, location: location ?? .unknown, strap: strap)
  }

  /// The first parameter that says something else than a session's configuration.
  public func difference(from other: WorkoutConfiguration) -> String? {
    if let activity, activity != other.activity { return "activity" }
    if let location, location != other.location { return "location" }
    if let strap, strap != other.strap { return "strap" }
    return nil
  }
}

/// The straps that a client wants live values of, with no session and nothing saved.
public struct MonitorRequest: Hashable, Sendable {
  public var straps: [StrapAddress]
  /// The configured strap, else one that streams, else the one with the strongest signal.
  public var wantsAny: Bool

  /// - Parameter straps: none only where any will do.
  public init(straps: [StrapAddress], wantsAny: Bool = false) {
    self.straps = straps
    self.wantsAny = wantsAny
  }
}

/// A place in the list of workouts: behind the workout that started then.
public struct PageToken: Hashable, Sendable {
  public var start: WallTime
  public var id: SessionID

  public init(start: WallTime, id: SessionID) {
    self.start = start
    self.id = id
  }

  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = WallTime(rfc3339: String(parts[0])), let id = SessionID(String(parts[1]))
    else { return nil }
    self.init(start: start, id: id)
  }

  public var text: String { "\(start.rfc3339)/\(id)" }
}

// MARK: - Reading a call

extension ControlCall {
  /// Reads a call of `io.strapd`.
  ///
  /// - Parameter names: what a parameter that means a strap may say in place of its address.
  /// - Throws: `ControlError` for an unknown method, a parameter that does not exist, has another type or another
  ///   range, a strap's name that is not known, and for Watch without `more`.
  public init(_ call: VarlinkCall, method: Substring, names: StrapNames = StrapNames()) throws(ControlError) {
    var reader = ParameterReader(call.parameters, names)
    switch method {
    case "GetStatus": self = .getStatus
    case "Create":
      let request = try reader.configuration()
      self = .create(request.configuration)
    case "Prepare":
      let session = try reader.session()
      let request = try reader.configuration()
      if session != nil, let named = reader.firstNamed(of: ["activity", "location", "strap"]) {
        throw .invalidParameter(named)  // a session that exists has its configuration
      }
      self = .prepare(session: session, request)
    case "Start":
      let session = try reader.session()
      let date = try reader.take("date", { $0.asString.flatMap { WallTime(rfc3339: $0) } })
      let countdown = try reader.take("countdownSeconds") { value in
        value.asReal.flatMap {
          (0...ControlCall.longestCountdown).contains($0) ? Duration.nanoseconds(Int64($0 * 1e9)) : nil
        }
      }
      if date != nil, countdown != nil { throw .invalidParameter("countdownSeconds") }
      self = .start(session: session, date: date, countdown: countdown)
    case "Pause": self = .pause(session: try reader.session())
    case "Resume": self = .resume(session: try reader.session())
    case "Stop":
      let session = try reader.session()
      self = .stop(session: session, date: try reader.take("date", { $0.asString.flatMap { WallTime(rfc3339: $0) } }))
    case "End": self = .end(session: try reader.session())
    case "Watch":
      guard call.more else { throw .expectedMore }
      self = .watch(try reader.monitorRequest())
    case "ListWorkouts":
      let before = try reader.take("page", { $0.asString.flatMap { PageToken($0) } })
      let limit = try reader.take("limit") { value in
        value.asInteger.flatMap { (1...Int64(ControlCall.largestPage)).contains($0) ? Int($0) : nil }
      }
      self = .listWorkouts(before: before, limit: limit ?? 100)
    case "GetWorkout":
      guard let id = try reader.take("id", { $0.asString.flatMap { SessionID($0) } }) else {
        throw .invalidParameter("id")
      }
      self = .getWorkout(id)
    case "ResetEnergy":
      self = .resetEnergy(strap: try reader.strap())
    case "ListStraps": self = .listStraps
    case "NameStrap":
      self = .nameStrap(
        try reader.requiredStrap(), name: try StrapSetting.name(try reader.take("name", \.asString)),
        athlete: try StrapSetting.athlete(try reader.take("athlete", \.asString)))
    case "Scan":
      guard call.more else { throw .expectedMore }
      self = .scan(includesAll: try reader.take("all", \.asBool) ?? false)
    case "ForgetStrap": self = .forgetStrap(try reader.requiredStrap())
    case "Pair":
      let strap = try reader.strap()
      let again = try reader.take("again", \.asBool) ?? false
      let interactive = try reader.take("interactive", \.asBool) ?? false
      guard call.more || !interactive else { throw .expectedMore }
      self = .pair(PairCall(strap: strap, again: again, interactive: interactive, reports: call.more))
    case "AnswerPairing": self = try Self.answerPairing(&reader)
    default: throw .methodNotFound(call.method)
    }
    try reader.refuseOthers()
  }
}

extension ControlCall {
  private static func answerPairing(_ reader: inout ParameterReader) throws(ControlError) -> ControlCall {
    let strap = try reader.requiredStrap()
    guard let accept = try reader.take("accept", \.asBool) else { throw .invalidParameter("accept") }
    let pinCode = try reader.take("pinCode") { $0.asString.flatMap { (1...16).contains($0.utf8.count) ? $0 : nil } }
    let passkey = try reader.take("passkey") {
      $0.asInteger.flatMap { (0...999_999).contains($0) ? UInt32($0) : nil }
    }
    if pinCode != nil, passkey != nil { throw .invalidParameter("passkey") }
    guard accept else { return .answerPairing(strap: strap, .no) }
    let answer = pinCode.map { PairingAnswer.pinCode($0) } ?? passkey.map { .passkey($0) } ?? .yes
    return .answerPairing(strap: strap, answer)
  }
}

/// Takes parameters by name and type; each may be taken once, and none may be left.
private struct ParameterReader {
  private let members: [JSON.Member]
  private let names: StrapNames
  private var taken: [String] = []

  init(_ parameters: JSON, _ names: StrapNames) {
    self.names = names
    if case .object(let members) = parameters { self.members = members } else { members = [] }
  }

  /// A parameter's value; nil where it is absent or null.
  mutating func take<T>(_ name: String, _ read: (JSON) -> T?) throws(ControlError) -> T? {
    taken.append(name)
    guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
    guard let typed = read(value) else { throw .invalidParameter(name) }
    return typed
  }

  mutating func session() throws(ControlError) -> SessionID? {
    try take("session") { $0.asString.flatMap { SessionID($0) } }
  }

  /// The strap that is meant by its address or its name.
  mutating func strap() throws(ControlError) -> StrapAddress? {
    guard let text = try take("strap", \.asString) else { return nil }
    guard let strap = try names.strap(text) else { throw .invalidParameter("strap") }
    return strap
  }

  mutating func requiredStrap() throws(ControlError) -> StrapAddress {
    guard let strap = try strap() else { throw .invalidParameter("strap") }
    return strap
  }

  mutating func configuration() throws(ControlError) -> ConfigurationRequest {
    guard let name = try take("activity", \.asString) else { return try configuration(nil) }
    guard let activity = ActivityType(rawValue: name) else { throw .unknownActivity(name) }
    return try configuration(activity)
  }

  private mutating func configuration(_ activity: ActivityType?) throws(ControlError) -> ConfigurationRequest {
    let location = try take("location") { $0.asString.flatMap { LocationType(rawValue: $0) } }
    let strap = try strap()
    return ConfigurationRequest(activity: activity, location: location, strap: strap)
  }

  mutating func monitorRequest() throws(ControlError) -> MonitorRequest? {
    let texts = try take("straps") { value -> [String]? in
      guard let texts = value.asArray?.map(\.asString), !texts.isEmpty, !texts.contains(nil) else { return nil }
      return texts.compactMap { $0 }
    }
    var straps: [StrapAddress] = []
    for text in texts ?? [] {
      guard let strap = try names.strap(text) else { throw .invalidParameter("straps") }
      if !straps.contains(strap) { straps.append(strap) }
    }
    let wantsAny = try take("anyStrap", \.asBool) ?? false
    guard texts != nil else { return wantsAny ? MonitorRequest(straps: [], wantsAny: true) : nil }
    if wantsAny { throw .invalidParameter("anyStrap") }
    return MonitorRequest(straps: straps)
  }

  func firstNamed(of names: [String]) -> String? {
    members.first { names.contains($0.name) && $0.value != .null }?.name
  }

  func refuseOthers() throws(ControlError) {
    if let other = members.first(where: { !taken.contains($0.name) }) { throw .invalidParameter(other.name) }
  }
}
