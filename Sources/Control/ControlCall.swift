import Measurements
import Workout

/// A call of `io.strapd`, with its parameters read and checked.
public enum ControlCall: Hashable, Sendable {
  case getStatus
  case create(WorkoutConfiguration)
  /// Without a session: the only one in notStarted, else a new one from the configuration.
  /// With `supersedes`, a session that uses the strap is ended first, instead of being the reason to refuse.
  case prepare(SessionTarget, ConfigurationRequest, supersedes: Bool = false)
  case start(SessionTarget, StartTime, supersedes: Bool = false)
  case pause(SessionTarget)
  case resume(SessionTarget)
  case stop(SessionTarget, date: WallTime?)
  case end(SessionTarget)
  case builder(SessionTarget, BuilderCall)
  /// A live one.
  case getSession(SessionID)
  /// With a request: the links of its straps are held for as long as the client stays.
  case watch(MonitorRequest?, EventSelection = EventSelection())
  case listWorkouts(before: PageToken?, limit: Int, WorkoutFilter)
  case getTotals(CalendarPeriod, WorkoutFilter)
  /// How long the daemon has taken for what it did.
  case getTimings
  case getWorkout(SessionID)
  case restore(SessionID)
  case revise(WorkoutRevision)
  /// What was done to a workout, from a place in its order on.
  case listEdits(SessionID, from: Int, limit: Int)
  case athlete(AthleteCall)
  case importing(ImportCall)
  /// A finished workout with everything that was recorded of it.
  case getRecording(SessionID)
  /// The series after a workout's end.
  case getPostExercise(SessionID)
  /// The measurements of a session, or a series of their values.
  case getSamples(SamplesRequest)
  /// The events of a workout, finished or not, from a place in their order on.
  case listEvents(SessionID, from: Int, limit: Int)
  /// Without a strap: the only one that streams.
  case resetEnergy(strap: StrapAddress?)
  case pair(PairCall)
  case answerPairing(strap: StrapAddress, PairingAnswer)

  case listStraps
  case nameStrap(StrapAddress, name: Setting<StrapName>, athlete: Setting<AthleteName>)
  case forgetStrap(StrapAddress)
  /// Devices without heart rate as well, where `includesAll`.
  case scan(includesAll: Bool, adapter: StrapAddress? = nil)
  /// A copy of the whole store.
  case backup
  /// A check of the whole store.
  case verify

  /// All that it does is reply, again and again, which oneway forbids.
  var onlyReplies: Bool {
    switch self {
    case .watch, .scan, .backup, .verify, .getRecording: true
    case .getStatus, .create, .prepare, .start, .pause, .resume, .stop, .end, .builder, .getSession, .listWorkouts,
      .getTotals, .getTimings, .getWorkout, .restore, .revise, .listEdits, .athlete, .importing, .listEvents,
      .getPostExercise, .getSamples,
      .resetEnergy, .pair, .answerPairing, .listStraps, .nameStrap, .forgetStrap:
      false
    }
  }

  /// The longest time that a client may speak of, in seconds: a century.
  static let longestSpan = 100 * 366 * 86_400.0
  /// The longest countdown, in seconds.
  public static let longestCountdown = 3600.0
  /// The most workouts that one call lists.
  public static let largestPage = 1000
}

extension ControlCall {
  /// The adapter that the call asks for.
  public var adapter: StrapAddress? {
    switch self {
    case .create(let configuration): configuration.adapter
    case .prepare(_, let request, _): request.adapter
    case .watch(let request, _): request?.adapter
    case .scan(_, let adapter): adapter
    case .getStatus, .start, .pause, .resume, .stop, .end, .builder, .getSession, .listWorkouts, .getTotals,
      .getTimings, .getWorkout, .restore, .revise, .listEdits, .athlete, .importing, .getRecording, .listEvents,
      .getPostExercise,
      .getSamples, .resetEnergy, .pair, .answerPairing, .listStraps, .nameStrap, .forgetStrap, .backup, .verify:
      nil
    }
  }
}

/// The parts of a configuration that a client has named.
public struct ConfigurationRequest: Hashable, Sendable {
  public var activity: ActivityType?
  public var location: LocationType?
  public var strap: StrapAddress?
  public var adapter: StrapAddress?

  public init(
    activity: ActivityType? = nil, location: LocationType? = nil, strap: StrapAddress? = nil,
    adapter: StrapAddress? = nil
  ) {
    self.activity = activity
    self.location = location
    self.strap = strap
    self.adapter = adapter
  }

  /// The configuration, with defaults for what was not named.
  public var configuration: WorkoutConfiguration {
    WorkoutConfiguration(activity: activity ?? .other, location: location ?? .unknown, strap: strap, adapter: adapter)
  }

  /// Whether a session's configuration is as it says, as far as it says anything.
  public func isMet(by other: WorkoutConfiguration) -> Bool {
    (activity ?? other.activity) == other.activity && (location ?? other.location) == other.location
      && (strap == nil || strap == other.strap) && (adapter == nil || adapter == other.adapter)
  }
}

/// The straps that a client wants live values of, with no session and nothing saved.
public struct MonitorRequest: Hashable, Sendable {
  public var straps: [StrapAddress]
  /// The configured strap, else one that streams, else the one with the strongest signal.
  public var wantsAny: Bool
  /// The adapter that is to reach them; nil leaves that to the daemon.
  public var adapter: StrapAddress?

  /// - Parameter straps: none only where any will do.
  public init(straps: [StrapAddress], wantsAny: Bool = false, adapter: StrapAddress? = nil) {
    self.straps = straps
    self.wantsAny = wantsAny
    self.adapter = adapter
  }
}

/// A place in the list of workouts: behind the workout that started then.
public struct PageToken: Hashable, Sendable {
  public var place: ListPlace
  /// The digest of the list's filter.
  public var filter: UInt32

  public init(start: WallTime, id: SessionID, filter: UInt32 = 0) {
    self.init(ListPlace(start: start, id: id), filter: filter)
  }

  public init(_ place: ListPlace, filter: UInt32 = 0) {
    self.place = place
    self.filter = filter
  }

  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let start = WallTime(rfc3339: String(parts[0])),
      let id = SessionID(String(parts[1])), let filter = parts.count == 3 ? UInt32(parts[2], radix: 16) : 0
    else { return nil }
    self.init(start: start, id: id, filter: filter)
  }

  public var text: String {
    "\(place.start.rfc3339)/\(place.id)" + (filter == 0 ? "" : "/" + String(filter, radix: 16))
  }
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
      let target = try reader.target()
      let request = try reader.configuration()
      if target.session != nil,
        let named = reader.firstNamed(of: ["activity", "location", "strap", "adapter"])
      {
        throw .invalidParameter(named)  // a session that exists has its configuration
      }
      self = .prepare(target, request, supersedes: try reader.supersedes())
    case "Start":
      let target = try reader.target()
      let time = try Self.startTime(&reader)
      self = .start(target, time, supersedes: try reader.supersedes())
    case "Pause": self = .pause(try reader.target())
    case "Resume": self = .resume(try reader.target())
    case "Stop":
      let target = try reader.target()
      self = .stop(target, date: try reader.date("date"))
    case "End": self = .end(try reader.target())
    case "GetSession": self = .getSession(try reader.id("session"))
    case "Watch":
      guard call.more else { throw .expectedMore }
      let request = try reader.monitorRequest()
      self = .watch(request, try reader.selection())
    case "ListWorkouts", "ListTrash":
      let filter = try method == "ListTrash" ? WorkoutFilter(isInTrash: true) : reader.filter()
      let before = try reader.take("page", { $0.asString.flatMap { PageToken($0) } })
      // Where one list goes on says nothing of another.
      if let before, before.filter != filter.digest { throw .invalidParameter("page") }
      self = .listWorkouts(before: before, limit: try reader.limit(), filter)
    case "GetTotals":
      let period = try reader.take("by") { $0.asString.flatMap { CalendarPeriod(rawValue: $0) } }
      guard let period else { throw .invalidParameter("by") }
      self = .getTotals(period, try reader.filter())
    case "GetTimings": self = .getTimings
    case "GetWorkout": self = .getWorkout(try reader.id())
    case "Restore": self = .restore(try reader.id())
    case "ListEdits":
      let id = try reader.id()
      self = .listEdits(id, from: try reader.place(), limit: try reader.limit())
    case "GetPostExercise": self = .getPostExercise(try reader.id())
    case "GetSamples": self = .getSamples(try reader.samplesRequest(more: call.more))
    case "ListEvents":
      let id = try reader.id()
      self = .listEvents(id, from: try reader.place(), limit: try reader.limit())
    case "ResetEnergy":
      self = .resetEnergy(strap: try reader.strap())
    case "ListStraps": self = .listStraps
    case "NameStrap":
      self = .nameStrap(
        try reader.requiredStrap(), name: try StrapSetting.name(try reader.take("name", \.asString)),
        athlete: try StrapSetting.athlete(try reader.take("athlete", \.asString)))
    case "Scan":
      guard call.more else { throw .expectedMore }
      let includesAll = try reader.take("all", \.asBool) ?? false
      self = .scan(includesAll: includesAll, adapter: try reader.adapter())
    case "Backup":
      guard call.more else { throw .expectedMore }
      self = .backup
    case "Verify":
      guard call.more else { throw .expectedMore }
      self = .verify
    case "GetRecording":
      guard call.more else { throw .expectedMore }
      self = .getRecording(try reader.id())
    case "ForgetStrap": self = .forgetStrap(try reader.requiredStrap())
    case "Pair":
      let strap = try reader.strap()
      let again = try reader.take("again", \.asBool) ?? false
      let interactive = try reader.take("interactive", \.asBool) ?? false
      guard call.more || !interactive else { throw .expectedMore }
      self = .pair(PairCall(strap: strap, again: again, interactive: interactive, reports: call.more))
    case "AnswerPairing": self = try Self.answerPairing(&reader)
    default:
      if let revision = try WorkoutRevision(method, &reader) {
        self = .revise(revision)
      } else if let request = try AthleteCall(method, &reader) {
        self = .athlete(request)
      } else if let request = try ImportCall(method, &reader) {
        self = .importing(request)
      } else if let request = try BuilderCall(method, &reader) {
        self = .builder(try reader.target(), request)
      } else {
        throw .methodNotFound(call.method)
      }
    }
    try reader.refuseOthers()
  }

  private static func startTime(_ reader: inout ParameterReader) throws(ControlError) -> StartTime {
    let date = try reader.date("date")
    let countdown = try reader.take("countdownSeconds") { value in
      value.asReal.flatMap {
        (0...ControlCall.longestCountdown).contains($0) ? Duration.nanoseconds(Int64($0 * 1e9)) : nil
      }
    }
    let atFirstBeat = try reader.take("atFirstBeat", \.asBool) ?? false
    if date != nil, countdown != nil { throw .invalidParameter("countdownSeconds") }
    if atFirstBeat, date != nil || countdown != nil { throw .invalidParameter("atFirstBeat") }
    if atFirstBeat { return .firstBeat }
    return date.map(StartTime.at) ?? countdown.map(StartTime.countdown) ?? .now
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
