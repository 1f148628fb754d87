import Control
import Measurements
import Testing
import Workout

/// Calls about sessions that do more than change their state.
@Suite struct BuilderCallTests {
  private static let id = ControlCallTests.id
  private static let session = ControlCallTests.session
  private static let date = ControlCallTests.date

  static let aboutSessions: [(method: String, parameters: String, call: ControlCall)] = [
    ("Pause", #"{"ifState":["running"]}"#, .pause(SessionTarget(ifState: [.running]))),
    (
      "End", #"{"session":"\#(id)","ifState":["running","paused","stopped"]}"#,
      .end(SessionTarget(session, ifState: [.running, .paused, .stopped]))
    ),
    ("Start", #"{"atFirstBeat":true}"#, .start(SessionTarget(), .firstBeat)),
    ("Start", #"{"atFirstBeat":false,"countdownSeconds":1}"#, .start(SessionTarget(), .countdown(.seconds(1)))),
    ("GetSession", #"{"session":"\#(id)"}"#, .getSession(SessionID(id)!)),
    ("Restore", #"{"id":"\#(id)"}"#, .restore(SessionID(id)!)),
    ("ListTrash", #"{"limit":5}"#, .listWorkouts(before: nil, limit: 5, WorkoutFilter(isInTrash: true))),
    ("GetSamples", #"{"id":"\#(id)"}"#, .getSamples(SamplesRequest(id: SessionID(id)!, limit: 100))),
    (
      "GetSamples", #"{"id":"\#(id)","after":7,"limit":3}"#,
      .getSamples(SamplesRequest(id: SessionID(id)!, after: 7, limit: 3))
    ),
    (
      "GetSamples", #"{"id":"\#(id)","series":"rrIntervals","from":"2026-11-30T09:10:11Z"}"#,
      .getSamples(
        SamplesRequest(id: SessionID(id)!, series: .rrIntervals, from: WallTime(rfc3339: "2026-11-30T09:10:11Z")))
    ),
    (
      "GetSamples", #"{"id":"\#(id)","buckets":1000}"#,
      .getSamples(SamplesRequest(id: SessionID(id)!, series: .heartRate, buckets: .count(1000)))
    ),
    (
      "GetSamples", #"{"id":"\#(id)","series":"contact","bucketSeconds":2.5}"#,
      .getSamples(SamplesRequest(id: SessionID(id)!, series: .contact, buckets: .every(.milliseconds(2500))))
    ),
    ("ListEvents", #"{"id":"\#(id)","from":200}"#, .listEvents(SessionID(id)!, from: 200, limit: 100)),
    ("CancelCountdown", "{}", .builder(SessionTarget(), .cancelCountdown)),
    ("Discard", #"{"ifState":["ended"]}"#, .builder(SessionTarget(ifState: [.ended]), .discard)),
    ("Lap", "{}", .builder(SessionTarget(), .lap(start: nil, end: nil, label: nil))),
    (
      "Lap", #"{"startDate":"2026-11-30T09:10:11.25Z","endDate":"2026-11-30T09:10:11.25Z","label":"é"}"#,
      .builder(SessionTarget(), .lap(start: date, end: date, label: "é"))
    ),
    (
      "Segment", #"{"startDate":"2026-11-30T09:10:11.25Z"}"#,
      .builder(SessionTarget(), .segment(start: date, end: nil, label: nil))
    ),
    ("Marker", #"{"label":""}"#, .builder(SessionTarget(), .marker(nil, label: ""))),
    (
      "BeginActivity", #"{"activity":"cycling","location":"indoor","date":"2026-11-30T09:10:11.25Z"}"#,
      .builder(SessionTarget(), .beginActivity(.cycling, .indoor, date, label: nil))
    ),
    (
      "SetMetadata", #"{"metadata":{"a":1,"b":null},"blob":""}"#,
      .builder(SessionTarget(), .setMetadata([.init("a", .integer(1)), .init("b", .null)], blob: ""))
    ),
    ("SetZones", #"{"zones":\#(Samples.zonesJSON)}"#, .builder(SessionTarget(), .setZones(Samples.zones))),
    (
      "SetZones", #"{"zones":[{"lower":null,"upper":120},{"lower":120,"upper":150},{"lower":150}]}"#,
      .builder(SessionTarget(), .setZones(Samples.zones))
    ),
    ("SetGoals", #"{"goals":[]}"#, .builder(SessionTarget(), .setGoals([]))),
    (
      "SetGoals", #"{"goals":[{"kind":"duration","seconds":90.5},{"kind":"energy","kilojoules":300}]}"#,
      .builder(SessionTarget(), .setGoals([.duration(.milliseconds(90_500)), .energy(300)]))
    ),
    (
      "SetAlerts", #"{"alerts":[\#(Samples.alerts.map(\.json).joined(separator: ","))]}"#,
      .builder(SessionTarget(), .setAlerts(Samples.alerts.map(\.alert)))
    ),
    ("EnableType", #"{"type":"stepCount"}"#, .builder(SessionTarget(), .enableType(.stepCount))),
  ]

  @Test(arguments: aboutSessions)
  func understandsWhatIsAboutSessions(_ method: String, _ parameters: String, _ call: ControlCall) throws {
    #expect(try ControlCallTests.read(method, parameters) == call)
  }

  static let refused: [(method: String, parameters: String, error: ControlError)] = [
    ("Pause", #"{"ifState":[]}"#, .invalidParameter("ifState")),
    ("Pause", #"{"ifState":["Running"]}"#, .invalidParameter("ifState")),
    ("Pause", #"{"ifState":"running"}"#, .invalidParameter("ifState")),
    ("Start", #"{"atFirstBeat":true,"countdownSeconds":1}"#, .invalidParameter("atFirstBeat")),
    ("Lap", #"{"label":"\#(String(repeating: "é", count: 129))"}"#, .invalidParameter("label")),
    ("BeginActivity", #"{"activity":"dancing"}"#, .unknownActivity("dancing")),
    ("SetMetadata", #"{"metadata":[]}"#, .invalidParameter("metadata")),
    // A NUL would end the text wherever it is kept or shown.
    ("SetMetadata", #"{"metadata":{"a":[{"b":"x\u0000"}]}}"#, .invalidParameter("metadata")),
    ("SetMetadata", #"{"blob":"\u0000"}"#, .invalidParameter("blob")),
    ("Lap", #"{"label":"a\u0000b"}"#, .invalidParameter("label")),
    ("Pause", #"{"ifState":["running\u0000"]}"#, .invalidParameter("ifState")),
    ("EnableType", #"{"type":"steps"}"#, .unknownType("steps")),
    ("SetZones", #"{"zones":[]}"#, .invalidZones(.count(0))),
    (
      "SetZones", #"{"zones":[{"upper":120},{"lower":125,"upper":150},{"lower":150}]}"#,
      .invalidZones(.hole(zone: 1, upper: 120, next: 125))
    ),
    ("SetZones", #"{"zones":[{"upper":-1}]}"#, .invalidZones(.outOfRange(zone: 2, bound: -1))),
    ("SetZones", #"{"zones":[{"upper":120},{"lower":70000}]}"#, .invalidZones(.outOfRange(zone: 2, bound: 70000))),
    ("SetZones", #"{"zones":[{"upper":120.5}]}"#, .invalidParameter("zones")),
    ("SetZones", #"{"zones":[{"above":120}]}"#, .invalidParameter("zones")),
    ("SetGoals", #"{"goals":[{"kind":"duration","seconds":0}]}"#, .invalidGoal(0)),
    ("SetGoals", #"{"goals":[{"kind":"energy","kilojoules":5},{"kind":"energy","seconds":5}]}"#, .invalidGoal(1)),
    ("SetGoals", #"{"goals":[{"kind":"energy","kilojoules":5,"seconds":5}]}"#, .invalidGoal(0)),
    ("SetGoals", #"{"goals":[{"kind":"distance"}]}"#, .invalidGoal(0)),
    ("SetAlerts", #"{"alerts":[{"kind":"above"}]}"#, .invalidAlert(0, InvalidAlert())),
    ("SetAlerts", #"{"alerts":[{"kind":"above","heartRate":100,"zone":1}]}"#, .invalidAlert(0, InvalidAlert())),
    ("SetAlerts", #"{"alerts":[{"kind":"above","heartRate":0}]}"#, .invalidAlert(0, InvalidAlert(.heartRate(0)))),
    (
      "SetAlerts", #"{"alerts":[{"kind":"every","intervalSeconds":1e300}]}"#, .invalidAlert(0, InvalidAlert(.interval))
    ),
    (
      "SetAlerts", #"{"alerts":[{"kind":"above","heartRate":70000}]}"#,
      .invalidAlert(0, InvalidAlert(.heartRate(70_000)))
    ),
    ("SetAlerts", #"{"alerts":[7]}"#, .invalidAlert(0, InvalidAlert())),
    ("ListEvents", #"{"id":"\#(id)","from":-1}"#, .invalidParameter("from")),
    ("GetSamples", #"{"id":"\#(id)","after":-1}"#, .invalidParameter("after")),
    ("GetSamples", #"{"after":1}"#, .invalidParameter("id")),
    ("GetSamples", #"{"id":"\#(id)","series":"heartrate"}"#, .invalidParameter("series")),
    ("GetSamples", #"{"id":"\#(id)","from":"yesterday"}"#, .invalidParameter("from")),
    (
      "GetSamples", #"{"id":"\#(id)","from":"2026-11-30T09:10:11Z","to":"2026-11-30T09:10:11Z"}"#,
      .invalidParameter("to")
    ),
    ("GetSamples", #"{"id":"\#(id)","buckets":0}"#, .invalidParameter("buckets")),
    ("GetSamples", #"{"id":"\#(id)","buckets":10001}"#, .invalidParameter("buckets")),
    ("GetSamples", #"{"id":"\#(id)","bucketSeconds":0}"#, .invalidParameter("bucketSeconds")),
    ("GetSamples", #"{"id":"\#(id)","bucketSeconds":5,"buckets":7}"#, .invalidParameter("buckets")),
    ("GetSamples", #"{"id":"\#(id)","after":5,"buckets":7}"#, .invalidParameter("after")),
    ("GetSamples", #"{"id":"\#(id)","limit":5,"buckets":7}"#, .invalidParameter("limit")),
    ("SetMetadata", #"{"metadata":{"max":1.7976931348623157e308}}"#, .invalidParameter("metadata")),
    ("SetMetadata", #"{"metadata":{"deep":[{"max":1.7976931348623157e308}]}}"#, .invalidParameter("metadata")),
  ]

  @Test(arguments: refused)
  func refusesWithWhatIsAllowed(_ method: String, _ parameters: String, _ error: ControlError) {
    #expect(throws: error) { try ControlCallTests.read(method, parameters) }
  }

  @Test func atMost32GoalsAndAlerts() {
    let goals = Array(repeating: #"{"kind":"energy","kilojoules":5}"#, count: 33).joined(separator: ",")
    #expect(throws: ControlError.invalidGoal(32)) {
      try ControlCallTests.read("SetGoals", #"{"goals":[\#(goals)]}"#)
    }
    let alerts = Array(repeating: Samples.alertJSON, count: 33).joined(separator: ",")
    #expect(throws: ControlError.invalidAlert(32, InvalidAlert(.tooMany))) {
      try ControlCallTests.read("SetAlerts", #"{"alerts":[\#(alerts)]}"#)
    }
  }

  @Test func aNameForEachMethod() throws {
    for (method, _, call) in Self.aboutSessions { #expect(call.method == method) }
  }

  @Test func metadataIsMerged() throws {
    let old = try ClientData(metadata: #"{"a":1,"b":"x"}"#, blob: nil)
    #expect(old.metadata(with: [.init("b", .null), .init("c", .array([.bool(true)]))]) == #"{"a":1,"c":[true]}"#)
    #expect(old.metadata(with: [.init("a", .integer(2))]) == #"{"b":"x","a":2}"#)
    #expect(old.metadata(with: []) == #"{"a":1,"b":"x"}"#)
    #expect(old.metadata(with: [.init("a", .null), .init("b", .null)]) == nil)
    #expect(ClientData().metadata(with: [.init("é", .object([]))]) == #"{"é":{}}"#)
  }
}
