import Control
import Measurements
import Testing
import Workout

@Suite struct ControlCallTests {
  static let id = "0f0e0d0c-0b0a-4908-8706-050403020100"
  static let session = SessionID(id)
  static let strap = StrapAddress("F0:F1:F2:F3:F4:F5")
  /// 2026-11-30T09:10:11.25Z
  /// Where a list of runs goes on.
  static let runningPage = PageToken(
    start: date, id: SessionID(id)!, filter: WorkoutFilter(activity: .running).digest)
  static let date = WallTime(nanoseconds: 1_796_029_811_250_000_000)

  static let understood: [(method: String, parameters: String, call: ControlCall)] = [
    ("GetStatus", "{}", .getStatus),

    ("Create", "{}", .create(WorkoutConfiguration())),
    ("Create", #"{"activity":"running"}"#, .create(WorkoutConfiguration(activity: .running))),
    (
      "Create", #"{"strap":"f0:f1:f2:f3:f4:f5","location":"indoor","activity":"cycling"}"#,
      .create(WorkoutConfiguration(activity: .cycling, location: .indoor, strap: strap))
    ),
    ("Create", #"{"activity":null,"location":null,"strap":null}"#, .create(WorkoutConfiguration())),

    ("Prepare", "{}", .prepare(SessionTarget(), ConfigurationRequest())),
    ("Prepare", #"{"session":"\#(id)"}"#, .prepare(SessionTarget(session), ConfigurationRequest())),
    (
      "Prepare", #"{"session":"\#(id)","activity":null,"location":null,"strap":null}"#,
      .prepare(SessionTarget(session), ConfigurationRequest())
    ),
    (
      "Prepare", #"{"activity":"running","location":"outdoor","strap":"F0:F1:F2:F3:F4:F5","session":null}"#,
      .prepare(SessionTarget(), ConfigurationRequest(activity: .running, location: .outdoor, strap: strap))
    ),

    (
      "Prepare", #"{"session":"\#(id)","supersede":true}"#,
      .prepare(SessionTarget(session), ConfigurationRequest(), supersedes: true)
    ),
    ("Prepare", #"{"supersede":false}"#, .prepare(SessionTarget(), ConfigurationRequest())),
    ("Start", #"{"supersede":true}"#, .start(SessionTarget(), .now, supersedes: true)),
    ("Start", "{}", .start(SessionTarget(), .now)),
    ("Start", #"{"session":"\#(id)"}"#, .start(SessionTarget(session), .now)),
    ("Start", #"{"date":"2026-11-30T09:10:11.25Z"}"#, .start(SessionTarget(), .at(date))),
    ("Start", #"{"date":"2026-11-30T10:10:11.250+01:00"}"#, .start(SessionTarget(), .at(date))),
    ("Start", #"{"countdownSeconds":3}"#, .start(SessionTarget(), .countdown(.seconds(3)))),
    ("Start", #"{"countdownSeconds":2.5}"#, .start(SessionTarget(), .countdown(.milliseconds(2500)))),
    ("Start", #"{"countdownSeconds":0}"#, .start(SessionTarget(), .countdown(.zero))),
    ("Start", #"{"countdownSeconds":3600}"#, .start(SessionTarget(), .countdown(.seconds(3600)))),
    (
      "Start", #"{"session":null,"date":null,"countdownSeconds":null}"#,
      .start(SessionTarget(), .now)
    ),

    ("Pause", "{}", .pause(SessionTarget())), ("Pause", #"{"session":"\#(id)"}"#, .pause(SessionTarget(session))),
    ("Pause", #"{"session":null}"#, .pause(SessionTarget())),
    ("Resume", "{}", .resume(SessionTarget())), ("Resume", #"{"session":"\#(id)"}"#, .resume(SessionTarget(session))),
    ("Resume", #"{"session":null}"#, .resume(SessionTarget())),
    ("End", "{}", .end(SessionTarget())), ("End", #"{"session":"\#(id)"}"#, .end(SessionTarget(session))),
    ("End", #"{"session":null}"#, .end(SessionTarget())),

    ("Stop", "{}", .stop(SessionTarget(), date: nil)),
    ("Stop", #"{"session":"\#(id)"}"#, .stop(SessionTarget(session), date: nil)),
    ("Stop", #"{"date":"2026-11-30T09:10:11.25Z","session":null}"#, .stop(SessionTarget(), date: date)),
    ("Stop", #"{"session":"\#(id.uppercased())","date":null}"#, .stop(SessionTarget(session), date: nil)),

    ("ListWorkouts", "{}", .listWorkouts(before: nil, limit: 100, WorkoutFilter())),
    ("ListWorkouts", #"{"limit":1}"#, .listWorkouts(before: nil, limit: 1, WorkoutFilter())),
    ("ListWorkouts", #"{"limit":1000,"page":null}"#, .listWorkouts(before: nil, limit: 1000, WorkoutFilter())),
    (
      "ListWorkouts", #"{"page":"2026-11-30T09:10:11.250Z/\#(id)","limit":null}"#,
      .listWorkouts(before: SessionID(id).map { PageToken(start: date, id: $0) }, limit: 100, WorkoutFilter())
    ),

    (
      "ListWorkouts",
      #"{"activity":"running","athlete":"Ann","strap":"F0:F1:F2:F3:F4:F5","since":"2026-11-30T09:10:11.25Z"}"#,
      .listWorkouts(
        before: nil, limit: 100,
        WorkoutFilter(
          activity: .running, athlete: AthleteName("Ann"), strap: StrapAddress("F0:F1:F2:F3:F4:F5"), since: date))
    ),
    (
      "ListWorkouts", #"{"activity":"running","page":"\#(runningPage.text)"}"#,
      .listWorkouts(before: runningPage, limit: 100, WorkoutFilter(activity: .running))
    ),
    ("GetTotals", #"{"by":"week"}"#, .getTotals(.week, WorkoutFilter())),
    (
      "GetTotals", #"{"by":"year","until":"2026-11-30T09:10:11.25Z","activity":"rowing"}"#,
      .getTotals(.year, WorkoutFilter(activity: .rowing, until: date))
    ),

    ("GetWorkout", #"{"id":"\#(id)"}"#, .getWorkout(SessionID(id)!)),

    ("Pair", #"{"strap":"F0:F1:F2:F3:F4:F5","again":true}"#, .pair(PairCall(strap: Samples.strap, again: true))),
    (
      "AnswerPairing", #"{"strap":"F0:F1:F2:F3:F4:F5","accept":true,"passkey":42}"#,
      .answerPairing(strap: Samples.strap, .passkey(42))
    ),
    (
      "AnswerPairing", #"{"strap":"F0:F1:F2:F3:F4:F5","accept":true,"pinCode":"0000"}"#,
      .answerPairing(strap: Samples.strap, .pinCode("0000"))
    ),
    (
      "AnswerPairing", #"{"strap":"F0:F1:F2:F3:F4:F5","accept":false,"passkey":42}"#,
      .answerPairing(strap: Samples.strap, .no)
    ),
    ("ResetEnergy", "{}", .resetEnergy(strap: nil)),
    ("ResetEnergy", #"{"strap":"F0:F1:F2:F3:F4:F5"}"#, .resetEnergy(strap: Samples.strap)),

    ("ListStraps", "{}", .listStraps),
    ("NameStrap", #"{"strap":"F0:F1:F2:F3:F4:F5"}"#, .nameStrap(Samples.strap, name: .keep, athlete: .keep)),
    (
      "NameStrap", #"{"strap":"f0:f1:f2:f3:f4:f5","name":"Left","athlete":null}"#,
      .nameStrap(Samples.strap, name: .set(StrapName("Left")!), athlete: .keep)
    ),
    (
      "NameStrap", #"{"strap":"F0:F1:F2:F3:F4:F5","name":"","athlete":"Anna"}"#,
      .nameStrap(Samples.strap, name: .remove, athlete: .set(AthleteName("Anna")!))
    ),
    (
      "NameStrap", #"{"strap":"F0:F1:F2:F3:F4:F5","athlete":""}"#,
      .nameStrap(Samples.strap, name: .keep, athlete: .remove)
    ),
    ("ForgetStrap", #"{"strap":"F0:F1:F2:F3:F4:F5"}"#, .forgetStrap(Samples.strap)),
  ]

  @Test(arguments: understood)
  func understands(_ method: String, _ parameters: String, _ call: ControlCall) throws {
    #expect(try Self.read(method, parameters) == call)
    // Of `more`, nothing is asked that a call with one reply could not give, but reports of a pairing.
    var more = call
    if case .pair(var pair) = call {
      pair.reports = true
      more = .pair(pair)
    }
    #expect(try Self.read(method, parameters, more: true) == more)
  }

  @Test(arguments: ActivityType.allCases)
  func everyActivity(_ activity: ActivityType) throws {
    let call = ControlCall.create(WorkoutConfiguration(activity: activity))
    #expect(try Self.read("Create", #"{"activity":"\#(activity.rawValue)"}"#) == call)
  }

  static let invalid: [(method: String, parameter: String, values: [String])] = [
    ("GetStatus", "session", ["null", #""\#(id)""#]), ("Watch", "since", ["-1", "1.0", #""1""#, "[]", "true"]),
    ("Watch", "sessions", ["[]", "1", #""\#(id)""#, #"["x"]"#, #"["\#(id)",1]"#, "{}"]),
    ("Watch", "ofStraps", ["[]", #""F0:F1:F2:F3:F4:F5""#, #"["F0:F1"]"#, "[1]", #"[""]"#]),
    ("Watch", "kinds", ["[]", #""lap""#, #"["lap","Lap"]"#, #"["snapshot"]"#, #"["lagged"]"#, "[1]"]),
    ("Watch", "rate", ["1", #""1s""#, #""Second""#, #""""#, #"["second"]"#]),
    ("Watch", "strap", [#""F0:F1:F2:F3:F4:F5""#]),
    (
      "Watch", "straps",
      [
        "[]", "1", #""F0:F1:F2:F3:F4:F5""#, #"["F0:F1"]"#, #"["F0:F1:F2:F3:F4:F5",1]"#, #"["F0:F1:F2:F3:F4:F5",""]"#,
        "{}",
      ]
    ),
    // Who only watches reaches nothing.
    ("Watch", "adapter", ["1", #""hci0""#, #""00:AA:01:00:00:42""#]), ("Create", "adapter", [#""hci0""#, "0", "[]"]),
    ("Watch", "anyStrap", ["1", #""true""#, "[]"]),
    ("Create", "session", [#""\#(id)""#]), ("Create", "Activity", [#""running""#]),
    ("Create", "activity", ["1", "true", "[]", #"{"name":"running"}"#]),
    ("Create", "location", ["1", #""Indoor""#, #""""#, #"["indoor"]"#]),
    ("Create", "strap", ["1", #""""#, #""F0:F1:F2:F3:F4""#, #""F0-F1-F2-F3-F4-F5""#, #"" any""#, "{}"]),
    ("Prepare", "strap", [#""00:00:00:00:00:00""#, #""ff:ff:ff:ff:ff:ff""#]),
    ("Watch", "straps", [#"["00:00:00:00:00:00"]"#]),
    ("Prepare", "session", ["1", #""""#, #""1""#, "{}"]), ("Prepare", "strap", [#""F0:F1""#]),
    ("ResetEnergy", "strap", ["1", #""""#, #""F0:F1""#]),
    ("Prepare", "location", [#""x""#]), ("Prepare", "date", [#""2026-11-30T09:10:11Z""#]),
    ("Start", "session", ["false", #""\#(id)0""#]),
    ("Start", "date", ["1796029811", "1796029811.25", #""now""#, #""2026-02-30T00:00:00Z""#, #""2026-11-30""#, "[]"]),
    ("Start", "countdownSeconds", ["-1", "-0.001", "3600.001", "1e300", #""3""#, "true", "[3]"]),
    ("Start", "countdown", ["3"]), ("Start", "supersede", ["1", #""true""#]), ("Prepare", "supersede", ["0", "[]"]),
    ("Create", "supersede", ["true"]), ("End", "supersede", ["true"]),
    ("Pause", "session", ["0"]), ("Pause", "date", [#""2026-11-30T09:10:11Z""#]),
    ("Resume", "session", ["0"]), ("Resume", "x", ["null"]),
    ("Stop", "session", ["0"]), ("Stop", "date", ["0", #""""#]), ("Stop", "countdownSeconds", ["3"]),
    ("End", "session", ["0"]), ("End", "date", [#""2026-11-30T09:10:11Z""#]),
    ("ListWorkouts", "limit", ["0", "-1", "1001", "9223372036854775807", "10.0", #""10""#, "true"]),
    (
      "ListWorkouts", "page",
      [
        "1", #""""#, #""/""#, #""2026-11-30T09:10:11Z""#, #""\#(id)""#, #""2026-11-30T09:10:11Z/x""#,
        #""x/\#(id)""#, #""2026-11-30T09:10:11Z/\#(id)/""#, #""/2026-11-30T09:10:11Z//\#(id)""#,
      ]
    ),
    ("ListWorkouts", "offset", ["0"]),
    ("GetWorkout", "id", ["null", "1", #""""#, #""x""#]),
  ]

  @Test(arguments: invalid)
  func refuses(_ method: String, _ parameter: String, _ values: [String]) {
    for value in values {
      #expect(throws: ControlError.invalidParameter(parameter), "\(value)") {
        try Self.read(method, #"{"\#(parameter)":\#(value)}"#, more: method == "Watch")
      }
    }
  }

  @Test func missing() {
    for method in ["NameStrap", "ForgetStrap"] {
      #expect(throws: ControlError.invalidParameter("strap")) { try Self.read(method, "{}") }
      #expect(throws: ControlError.invalidParameter("strap")) { try Self.read(method, #"{"strap":null}"#) }
    }
    #expect(throws: ControlError.invalidParameter("id")) { try Self.read("GetWorkout", "{}") }
  }

  @Test func unlistedBesideWhatIsRight() {
    #expect(throws: ControlError.invalidParameter("x")) { try Self.read("GetWorkout", #"{"id":"\#(Self.id)","x":1}"#) }
    #expect(throws: ControlError.invalidParameter("limits")) {
      try Self.read("ListWorkouts", #"{"limits":3,"limit":3}"#)
    }
  }

  @Test(arguments: ["", "Running", "RUNNING", "walk", "dance"])
  func unknownActivity(_ name: String) {
    for method in ["Create", "Prepare"] {
      #expect(throws: ControlError.unknownActivity(name)) { try Self.read(method, #"{"activity":"\#(name)"}"#) }
    }
  }

  /// A session that exists has its configuration.
  @Test(arguments: [
    ("activity", #""running""#), ("location", #""indoor""#), ("strap", #""F0:F1:F2:F3:F4:F5""#),
    ("adapter", #""00:AA:01:00:00:42""#),
  ])
  func prepareOfASessionTakesNoConfiguration(_ parameter: String, _ value: String) {
    #expect(throws: ControlError.invalidParameter(parameter)) {
      try Self.read("Prepare", #"{"session":"\#(Self.id)","\#(parameter)":\#(value)}"#)
    }
  }

  @Test(arguments: ["F0:F1", "F0F1F2F3F4F5", " a", "a\u{1B}", String(repeating: "é", count: 33)])
  func whatIsNoNameIsRefusedWithWhatIsAllowed(_ text: String) throws {
    let name = JSON.string(text).text
    #expect(throws: ControlError.nameNotAllowed(text, parameter: "name", allowed: StrapName.allowed)) {
      try Self.read("NameStrap", #"{"strap":"F0:F1:F2:F3:F4:F5","name":\#(name)}"#)
    }
    if StrapName.looksLikeAddress(text) { return }
    #expect(throws: ControlError.nameNotAllowed(text, parameter: "athlete", allowed: AthleteName.allowed)) {
      try Self.read("NameStrap", #"{"strap":"F0:F1:F2:F3:F4:F5","athlete":\#(name)}"#)
    }
  }

  /// A strap's name may stand wherever its address may.
  @Test func takesNamesOfStraps() throws {
    let names = StrapNamesTests.names
    #expect(
      try Self.read("Create", #"{"strap":"BEN"}"#, names) == .create(WorkoutConfiguration(strap: StrapNamesTests.a)))
    #expect(
      try Self.read("Prepare", #"{"strap":"Anna's"}"#, names)
        == .prepare(SessionTarget(), ConfigurationRequest(strap: StrapNamesTests.b)))
    #expect(try Self.read("ResetEnergy", #"{"strap":"ben"}"#, names) == .resetEnergy(strap: StrapNamesTests.a))
    #expect(try Self.read("ForgetStrap", #"{"strap":"ben"}"#, names) == .forgetStrap(StrapNamesTests.a))
    #expect(
      try Self.read("Watch", #"{"straps":["ben","F0:F1:F2:F3:F4:F6","ANNA'S"]}"#, names, more: true)
        == .watch(MonitorRequest(straps: [StrapNamesTests.a, StrapNamesTests.b])), "each once")
    #expect(try Self.read("Pair", #"{"strap":"ben"}"#, names) == .pair(PairCall(strap: StrapNamesTests.a)))
    #expect(
      try Self.read("NameStrap", #"{"strap":"ben","name":""}"#, names)
        == .nameStrap(StrapNamesTests.a, name: .remove, athlete: .keep))
    for method in ["Create", "Prepare", "ResetEnergy", "Pair", "AnswerPairing", "NameStrap", "ForgetStrap"] {
      #expect(throws: ControlError.unknownStrap("Carl", known: names.all)) {
        try Self.read(method, #"{"strap":"Carl"}"#, names)
      }
    }
  }

  @Test func startTakesADateOrACountdown() {
    #expect(throws: ControlError.invalidParameter("countdownSeconds")) {
      try Self.read("Start", #"{"date":"2026-11-30T09:10:11Z","countdownSeconds":3}"#)
    }
  }

  @Test func watchTakesMore() throws {
    #expect(try Self.read("Watch", "{}", more: true) == .watch(nil))
    #expect(throws: ControlError.expectedMore) { try Self.read("Watch", "{}") }
  }

  @Test func watchMaySelect() throws {
    let strap = try #require(StrapAddress("F0:F1:F2:F3:F4:F5"))
    let session = try #require(SessionID(Self.id))
    let selection = EventSelection(
      sessions: [session], straps: [strap], kinds: [.transition, .heartRate], since: 0, rate: .fiveSeconds)
    let parameters = #"""
      {"sessions":["\#(Self.id)"],"ofStraps":["f0:f1:f2:f3:f4:f5","F0:F1:F2:F3:F4:F5"],
      "kinds":["heartRate","transition","heartRate"],"since":0,"rate":"fiveSeconds"}
      """#
    #expect(try Self.read("Watch", parameters, more: true) == .watch(nil, selection))
    #expect(try Self.read("Watch", parameters, more: true).isReading, "it holds no link")
    #expect(
      try Self.read("Watch", #"{"ofStraps":["ben"],"anyStrap":true}"#, StrapNamesTests.names, more: true)
        == .watch(MonitorRequest(straps: [], wantsAny: true), EventSelection(straps: [StrapNamesTests.a])))
    #expect(throws: ControlError.unknownStrap("Carl", known: StrapNamesTests.names.all)) {
      try Self.read("Watch", #"{"ofStraps":["Carl"]}"#, StrapNamesTests.names, more: true)
    }
  }

  @Test func watchMayHoldStraps() throws {
    let straps = try ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6"].map { try #require(StrapAddress($0)) }
    #expect(
      try Self.read("Watch", #"{"straps":["f0:f1:f2:f3:f4:f5","F0:F1:F2:F3:F4:F6"]}"#, more: true)
        == .watch(MonitorRequest(straps: straps)))
    #expect(
      try Self.read("Watch", #"{"anyStrap":true}"#, more: true) == .watch(MonitorRequest(straps: [], wantsAny: true)))
    #expect(try Self.read("Watch", #"{"straps":null,"anyStrap":false}"#, more: true) == .watch(nil))
    #expect(
      try Self.read("Watch", #"{"straps":["F0:F1:F2:F3:F4:F5"],"anyStrap":false}"#, more: true)
        == .watch(MonitorRequest(straps: [straps[0]])))
    let adapter = try #require(StrapAddress("00:AA:01:00:00:42"))
    #expect(
      try Self.read("Watch", #"{"anyStrap":true,"adapter":"00:AA:01:00:00:42"}"#, more: true)
        == .watch(MonitorRequest(straps: [], wantsAny: true, adapter: adapter)))
    #expect(throws: ControlError.invalidParameter("anyStrap")) {
      try Self.read("Watch", #"{"straps":["F0:F1:F2:F3:F4:F5"],"anyStrap":true}"#, more: true)
    }
  }

  @Test func backupTakesMore() throws {
    #expect(try Self.read("Verify", "{}", more: true) == .verify)
    #expect(throws: ControlError.expectedMore) { try Self.read("Verify", "{}") }
    #expect(try Self.read("Backup", "{}", more: true) == .backup)
    #expect(throws: ControlError.expectedMore) { try Self.read("Backup", "{}") }
    #expect(throws: ControlError.invalidParameter("file")) {
      try Self.read("Backup", #"{"file":"/etc/passwd"}"#, more: true)
    }
  }

  @Test func scanTakesMore() throws {
    #expect(try Self.read("Scan", "{}", more: true) == .scan(includesAll: false))
    #expect(try Self.read("Scan", #"{"all":false}"#, more: true) == .scan(includesAll: false))
    #expect(try Self.read("Scan", #"{"all":true}"#, more: true) == .scan(includesAll: true))
    let adapter = try #require(StrapAddress("00:AA:01:00:00:42"))
    #expect(
      try Self.read("Scan", #"{"adapter":"00:aa:01:00:00:42"}"#, more: true)
        == .scan(includesAll: false, adapter: adapter))
    #expect(throws: ControlError.expectedMore) { try Self.read("Scan", "{}") }
    for value in ["1", #""true""#, "[]"] {
      #expect(throws: ControlError.invalidParameter("all")) { try Self.read("Scan", #"{"all":\#(value)}"#, more: true) }
    }
  }

  @Test(arguments: ["", "getStatus", "GetStatuses", "Getstatus", "Discards", "GetInfo", "Watch "])
  func unknownMethod(_ method: String) {
    #expect(throws: ControlError.methodNotFound("io.strapd.\(method)")) { try Self.read(method, "{}", more: true) }
  }

  static func read(
    _ method: String, _ parameters: String, _ names: StrapNames = StrapNames(), more: Bool = false
  ) throws -> ControlCall {
    let call = VarlinkCall("io.strapd.\(method)", try JSON(parsing: Array(parameters.utf8)), more: more)
    return try ControlCall(call, method: method[...], names: names)
  }
}

@Suite struct ConfigurationRequestTests {
  @Test func defaults() {
    #expect(
      ConfigurationRequest().configuration == WorkoutConfiguration(activity: .other, location: .unknown, strap: nil))
    let strap = StrapAddress("F0:F1:F2:F3:F4:F5")
    let adapter = StrapAddress("00:AA:01:00:00:42")
    let request = ConfigurationRequest(activity: .rowing, location: .indoor, strap: strap, adapter: adapter)
    #expect(
      request.configuration
        == WorkoutConfiguration(activity: .rowing, location: .indoor, strap: strap, adapter: adapter))
    #expect(!request.isMet(by: WorkoutConfiguration(activity: .rowing, location: .indoor, strap: strap)))
    #expect(request.isMet(by: request.configuration))
  }

  @Test func itIsMetByWhateverDiffersInNothingThatItSays() {
    let strap = StrapAddress("F0:F1:F2:F3:F4:F5")
    let session = WorkoutConfiguration(activity: .running, location: .outdoor, strap: nil)
    #expect(ConfigurationRequest().isMet(by: session))
    #expect(ConfigurationRequest(activity: .running, location: .outdoor).isMet(by: session))
    #expect(!ConfigurationRequest(activity: .walking, location: .outdoor).isMet(by: session))
    #expect(!ConfigurationRequest(location: .indoor).isMet(by: session))
    #expect(!ConfigurationRequest(strap: strap).isMet(by: session))
    #expect(!ConfigurationRequest(adapter: strap).isMet(by: session))
  }
}

@Suite struct PageTokenTests {
  @Test(arguments: [0, 1, 1_796_029_811_250_000_000, -1_500_000_001])
  func roundTrip(nanoseconds: Int64) throws {
    let id = try #require(SessionID(ControlCallTests.id))
    let token = PageToken(start: WallTime(nanoseconds: nanoseconds), id: id)
    #expect(PageToken(token.text) == token)
  }

  @Test func text() throws {
    let id = try #require(SessionID(ControlCallTests.id))
    #expect(PageToken(start: ControlCallTests.date, id: id).text == "2026-11-30T09:10:11.250Z/\(ControlCallTests.id)")
  }
}
