import Testing

@testable import strapctl

struct EventTextTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"

  private static func line(_ members: String, isUTF8: Bool = true) throws -> String {
    var text = EventText(.test(isUTF8: isUTF8))
    let event = #"""
      {"sequence":7,"date":"2026-11-30T11:03:04.512345Z","session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5",\#(members)}
      """#
    return text.line(try json(event))
  }

  @Test(
    arguments: [
      (
        #""kind":"heartRate","heartRate":72,"contact":"detected","rrIntervals":[833.0078125,831.5],"rrTicks":[853,851],"#
          + #""availability":"available","counted":true"#,
        "12:03:04.512  ♥ 72 bpm  RR 833 832 ms"
      ),
      (
        #""kind":"heartRate","heartRate":0,"contact":"notDetected","rrIntervals":[],"rrTicks":[],"energyKilojoules":12,"#
          + #""warnings":["heartRateZero"],"repeat":true,"availability":"noContact","counted":false,"held":true"#,
        "12:03:04.512  ♥ -- bpm  12 kJ  no skin contact  repeated  heartRateZero  not counted  "
          + "(not written to the disk yet)"
      ),
      (#""kind":"heartRate","heartRate":72,"coalesced":10"#, "12:03:04.512  ♥ 72 bpm  the newest of 10"),
      (
        #""kind":"lagged","count":31,"firstSequence":100,"lastSequence":140"#,
        "12:03:04.512  31 measurements are left out: they were not read in time"
      ),
      (#""kind":"transition","from":"prepared","to":"running","cause":"user""#, "12:03:04.512  prepared → running"),
      (
        #""kind":"transition","from":"running","to":"paused","cause":"auto","requestedDate":"2026-11-30T11:00:00Z""#,
        "12:03:04.512  running → paused (auto), dated 2026-11-30 12:00:00"
      ),
      (
        #""kind":"transition","from":"stopped","to":"ended","cause":"system","endReason":"sensorAbsent""#,
        "12:03:04.512  stopped → ended (sensorAbsent)"
      ),
      (#""kind":"availability","availability":"acquiring""#, "12:03:04.512  heart rate awaited"),
      (
        #""kind":"link","link":"streaming","batteryPercent":100,"batteryUnreliable":true"#,
        "12:03:04.512  strap streaming, battery 100 % (not to be relied on)"
      ),
      (
        #""kind":"link","link":"streaming","batteryPercent":90"#, "12:03:04.512  strap streaming, battery 90 %"
      ),
      (
        #""kind":"link","link":"backingOff","trouble":"the connection was lost""#,
        "12:03:04.512  strap waits before it tries again, the connection was lost"
      ),
      (#""kind":"battery","batteryPercent":9,"thresholdPercent":10"#, "12:03:04.512  battery low: 9 %"),
      (#""kind":"battery""#, "12:03:04.512  battery low"),
      (
        #""kind":"monitoring","link":"streaming","batteryPercent":90"#,
        "12:03:04.512  monitoring F0:F1:F2:F3:F4:F5, streaming, battery 90 %"
      ),
      (#""kind":"countdown","remainingSeconds":2"#, "12:03:04.512  starts in 2 s"),
      (#""kind":"countdown","cancelled":true"#, "12:03:04.512  the start is cancelled"),
      (
        #""kind":"lap","lap":{"event":7,"startDate":"2026-11-30T11:00:00Z","label":"up","elapsedSeconds":75.0,"#
          + #""statistics":{"heartRate":{"average":140.25},"rrCount":3}}"#,
        "12:03:04.512  lap 'up' 0:01:15, 140.3 bpm on average"
      ),
      (#""kind":"lap","lap":{"event":7}"#, "12:03:04.512  lap (its statistics are being computed)"),
      (
        #""kind":"segment","startDate":"2026-11-30T11:00:00Z","endDate":"2026-11-30T11:01:00Z""#,
        "12:03:04.512  segment since 12:00:00"
      ),
      (#""kind":"marker","startDate":"2026-11-30T11:00:00Z","label":"hill""#, "12:03:04.512  marked 'hill'"),
      (
        #""kind":"activityBegan","activity":{"activity":"cycling","location":"indoor"}"#,
        "12:03:04.512  cycling, indoor begins"
      ),
      (
        #""kind":"activityEnded","activity":{"activity":"cycling","elapsedSeconds":3700.0}"#,
        "12:03:04.512  cycling ends: 1:01:40"
      ),
      (#""kind":"pauseOrResumeRequest""#, "12:03:04.512  somebody asks to pause or resume"),
      (#""kind":"types","typesToCollect":["heartRate","stepCount"]"#, "12:03:04.512  collecting heartRate, stepCount"),
      (#""kind":"zone","zone":3,"previousZone":2"#, "12:03:04.512  zone 3"),
      (
        #""kind":"alert","alert":{"kind":"above","heartRate":160},"active":true"#,
        "12:03:04.512  alert: heart rate above 160 bpm"
      ),
      (
        #""kind":"alert","alert":{"kind":"outsideZone","zone":2},"active":false"#,
        "12:03:04.512  no more: heart rate outside of zone 2"
      ),
      (
        #""kind":"alert","alert":{"kind":"every","intervalSeconds":300.0},"active":true"#,
        "12:03:04.512  alert: another 0:05:00"
      ),
      (#""kind":"goal","goal":{"kind":"duration","seconds":1800.0}"#, "12:03:04.512  goal reached: 0:30:00"),
      (#""kind":"goal","goal":{"kind":"energy","kilojoules":500}"#, "12:03:04.512  goal reached: 500 kJ"),
      (#""kind":"session","snapshot":{}"#, "12:03:04.512  the session's settings have changed"),
      (#""kind":"failed","endReason":"sensorAbsent""#, "12:03:04.512  the session ends by an error: sensorAbsent"),
      (
        #""kind":"host","working":false,"advice":"plug it in""#,
        "12:03:04.512  this machine cannot receive from the strap: plug it in"
      ),
      (#""kind":"host","working":true"#, "12:03:04.512  this machine can receive from the strap again"),
      (
        #""kind":"unattended","unattended":"started","startDate":"2026-11-30T11:00:00Z","athlete":"Anna""#,
        "12:03:04.512  a workout of Anna has begun by itself, at 2026-11-30 12:00:00"
      ),
      (
        #""kind":"unattended","unattended":"wouldStart","startDate":"2026-11-30T11:00:00Z""#,
        "12:03:04.512  dry run: a workout would have begun at 2026-11-30 12:00:00"
      ),
      (
        #""kind":"unattended","unattended":"wouldEnd","startDate":"2026-11-30T11:00:00Z","endDate":"2026-11-30T11:30:00Z""#,
        "12:03:04.512  dry run: the workout that would have begun at 2026-11-30 12:00:00 would have ended at "
          + "2026-11-30 12:30:00"
      ),
      (#""kind":"discarded""#, "12:03:04.512  thrown away; 'strapctl restore' brings it back"),
      (#""kind":"restored""#, "12:03:04.512  taken out of the trash"),
      (#""kind":"recovered""#, "12:03:04.512  taken up again"),
      (
        #""kind":"recovered","lastAliveDate":"2026-11-30T10:59:00Z""#,
        "12:03:04.512  taken up again; strapd was away since 2026-11-30 11:59:00"
      ),
    ] as [(String, String)])
  func writesOneLineAnEvent(_ members: String, _ line: String) throws {
    #expect(try Self.line(members) == line)
  }

  @Test func writesASCIIWhereTheTerminalShowsNothingElse() throws {
    #expect(
      try Self.line(#""kind":"heartRate","heartRate":72,"rrIntervals":[833.0]"#, isUTF8: false)
        == "12:03:04.512  HR 72 bpm  RR 833 ms")
    #expect(
      try Self.line(#""kind":"transition","from":"prepared","to":"running","cause":"user""#, isUTF8: false)
        == "12:03:04.512  prepared -> running")
  }

  @Test func writesTheSnapshot() throws {
    var text = EventText(.test())
    #expect(
      text.line(try json(#"{"kind":"snapshot","date":"2026-11-30T11:03:04Z","sessions":[],"straps":[]}"#))
        == "12:03:04.000  now: no session")
    for (missed, words) in [(false, ""), (true, "; strapd does not know everything that happened before")] {
      let replay = #"{"kind":"snapshot","date":"2026-11-30T11:03:04Z","replaysAfter":7,"missed":\#(missed)}"#
      #expect(text.line(try json(replay)) == "12:03:04.000  now: no session" + words)
    }
    let snapshot = #"""
      {"kind":"snapshot","date":"2026-11-30T11:03:04Z",
      "sessions":[{"id":"a","activity":"running","location":"outdoor","state":"paused","availability":"available","heartRate":72}],
      "straps":[{"address":"F0:F1:F2:F3:F4:F5","name":"Demo\u001b strap","link":"streaming"}]}
      """#
    #expect(
      text.line(try json(snapshot))
        == "12:03:04.000  now: running, outdoor paused, heart rate ♥ 72 bpm; Demo\u{FFFD} strap streaming")
  }

  @Test func saysWhichStrapAndSessionOnceThereAreSeveral() throws {
    var text = EventText(.test())
    func event(_ strap: Int, _ session: String) throws -> String {
      text.line(
        try json(
          #"""
          {"kind":"heartRate","date":"2026-11-30T11:03:04Z","heartRate":72,"strap":"F0:F1:F2:F3:F4:F\#(strap)",
          "session":"\#(session)"}
          """#))
    }
    #expect(try event(1, "a") == "12:03:04.000  ♥ 72 bpm")
    #expect(try event(2, "a") == "12:03:04.000  ♥ 72 bpm  F0:F1:F2:F3:F4:F2")
    #expect(try event(1, "b") == "12:03:04.000  ♥ 72 bpm  F0:F1:F2:F3:F4:F1  b")
  }

  /// By what people call it, which the snapshot has told.
  @Test func saysWhichStrapByItsName() throws {
    var text = EventText(.test())
    let straps = #"""
      {"kind":"snapshot","date":"2026-11-30T11:03:04Z","sessions":[],
      "straps":[{"address":"F0:F1:F2:F3:F4:F1","name":"Demo HR","givenName":"Left","link":"streaming"},
      {"address":"F0:F1:F2:F3:F4:F2","name":"Demo HR","link":"standing"}]}
      """#
    let first = text.line(try json(straps))
    #expect(first == "12:03:04.000  now: no session; Left streaming; Demo HR not connected")
    for (strap, name) in [(1, "Left"), (2, "F0:F1:F2:F3:F4:F2"), (3, "F0:F1:F2:F3:F4:F3")] {
      let event =
        #"{"kind":"link","date":"2026-11-30T11:03:04Z","link":"streaming","strap":"F0:F1:F2:F3:F4:F\#(strap)"}"#
      let line = text.line(try json(event))
      #expect(line == "12:03:04.000  strap streaming  \(name)")
    }
  }

  @Test func showsWhatItDoesNotKnowAsItCame() {
    var text = EventText(.test())
    #expect(text.line(.object(["kind": .string("song"), "number": .integer(3)])) == #"?  {"kind":"song","number":3}"#)
  }
}
