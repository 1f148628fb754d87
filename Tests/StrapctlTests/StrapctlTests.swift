import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real program, with the test as its daemon.
struct StrapctlTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"
  private static let snapshot =
    #"{"id":"\#(id)","state":"paused","sequence":7,"activity":"running","elapsedSeconds":61.5,"availability":"unknown"}"#

  /// Starts strapctl in a world of fixed language and zone.
  static func start(_ words: String, _ daemon: FakeDaemon? = nil, locale: String = "C") throws -> ChildProcess {
    try ChildProcess(
      try BuildFolder.program("strapctl"), words.split(separator: " ").map(String.init),
      environment: ["STRAPD_SOCKET": daemon?.path ?? "", "LC_ALL": locale, "TZ": "XYZ-1"])
  }

  struct Result: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  static func result(_ child: ChildProcess) throws -> Result {
    let (output, errors) = (try child.outputText(), try child.errorText())
    guard case .exited(let status) = try child.wait() else { throw TestSupportError("killed: \(errors)") }
    return Result(status: status, output: output, errors: errors)
  }

  /// Runs one conversation: the call that is expected, and the answer.
  static func converse(_ words: String, expecting call: String, answering reply: String) throws -> Result {
    let daemon = try FakeDaemon()
    let child = try start(words, daemon)
    let served = try daemon.accept()
    #expect(try served.call() == call)
    served.send(reply)
    return try result(child)
  }

  // MARK: Calls

  // Here and not in the arguments of `@Test`, where Swift 6.0.3 crashes on an interpolation.
  private static let sessionCalls = [
    ("create --activity running", "Create", #"{"activity":"running"}"#),
    ("prepare \(id)", "Prepare", #"{"session":"\#(id)"}"#),
    ("start --countdown 3", "Start", #"{"countdownSeconds":3.0}"#), ("pause", "Pause", "{}"),
    ("resume", "Resume", "{}"),
    ("stop --at 2026-11-30T10:15:00Z", "Stop", #"{"date":"2026-11-30T10:15:00Z"}"#), ("end", "End", "{}"),
  ]

  @Test(arguments: sessionCalls)
  func printsTheSnapshotOfASession(_ words: String, _ method: String, _ parameters: String) throws {
    let call = #"{"method":"io.strapd.\#(method)","parameters":\#(parameters)}"#
    let reply =
      #"{"parameters":{"session":"\#(Self.id)","state":"paused","sequence":7,"snapshot":\#(Self.snapshot)}}"#
    #expect(
      try Self.converse("--json \(words)", expecting: call, answering: reply)
        == Result(status: 0, output: Self.snapshot + "\n", errors: ""))
    #expect(
      try Self.converse(words, expecting: call, answering: reply)
        == Result(
          status: 0,
          output: """
            session     \(Self.id)
            state       paused
            activity    running
            heart rate  unknown

            """, errors: ""))
  }

  @Test func printsTheStatus() throws {
    let status =
      #"{"version":"0.1.0","bluetooth":"ready","adapters":[{"name":"hci0","powered":true}],"later":[null,1.5]}"#
    let call = #"{"method":"io.strapd.GetStatus","parameters":{}}"#
    #expect(
      try Self.converse("status --json", expecting: call, answering: #"{"parameters":\#(status)}"#)
        == Result(status: 0, output: status + "\n", errors: ""))
    #expect(
      try Self.converse("status", expecting: call, answering: #"{"parameters":\#(status)}"#).output
        == """
        strapd     0.1.0
        Bluetooth  ready
        adapter    hci0, on
        strap      none is wanted
        session    none

        """)
  }

  @Test func asksTheKernelWhereBluetoothdShowsNothing() throws {
    let result = try Self.converse(
      "status", expecting: #"{"method":"io.strapd.GetStatus","parameters":{}}"#,
      answering: #"{"parameters":{"version":"0.1.0","bluetooth":"noAdapter","adapters":[]}}"#)
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").contains { $0.hasPrefix("kernel     ") })
  }

  @Test func showsAWorkout() throws {
    let workout = #"{"id":"\#(Self.id)","activity":"running","startDate":"2026-11-30T11:03:04Z","elapsedSeconds":61.0}"#
    let call = #"{"method":"io.strapd.GetWorkout","parameters":{"id":"\#(Self.id)"}}"#
    let reply = #"{"parameters":{"workout":\#(workout)}}"#
    #expect(
      try Self.converse("show --json \(Self.id)", expecting: call, answering: reply)
        == Result(status: 0, output: workout + "\n", errors: ""))
    #expect(
      try Self.converse("show \(Self.id)", expecting: call, answering: reply).output
        == """
        workout     \(Self.id)
        activity    running
        start       2026-11-30 12:03:04
        elapsed     0:01:01
        heart rate  no sample counted

        """)
  }

  // MARK: list

  private static func workout(_ number: Int) -> String {
    #"{"id":"id\#(number)","activity":"running","startDate":"2026-11-30T11:0\#(number):00Z","elapsedSeconds":\#(number).0}"#
  }

  @Test func listsAllPages() throws {
    let daemon = try FakeDaemon()
    let child = try Self.start("list --all --json", daemon)
    let served = try daemon.accept()
    #expect(try served.call() == #"{"method":"io.strapd.ListWorkouts","parameters":{"limit":1000}}"#)
    served.send(#"{"parameters":{"workouts":[\#(Self.workout(2)),\#(Self.workout(1))],"nextPage":"p"}}"#)
    #expect(try served.call() == #"{"method":"io.strapd.ListWorkouts","parameters":{"page":"p","limit":1000}}"#)
    served.send(#"{"parameters":{"workouts":[\#(Self.workout(0))],"nextPage":null}}"#)
    #expect(
      try Self.result(child)
        == Result(
          status: 0, output: [2, 1, 0].map { Self.workout($0) + "\n" }.joined(), errors: ""))
  }

  @Test func listsNoMoreThanTheLimit() throws {
    let daemon = try FakeDaemon()
    let child = try Self.start("list --limit 1001", daemon)
    let served = try daemon.accept()
    #expect(try served.call() == #"{"method":"io.strapd.ListWorkouts","parameters":{"limit":1000}}"#)
    let thousand = [String](repeating: Self.workout(2), count: 1000).joined(separator: ",")
    served.send(#"{"parameters":{"workouts":[\#(thousand)],"nextPage":"p"}}"#)
    #expect(try served.call() == #"{"method":"io.strapd.ListWorkouts","parameters":{"page":"p","limit":1}}"#)
    served.send(#"{"parameters":{"workouts":[\#(Self.workout(1))],"nextPage":"q"}}"#)
    let result = try Self.result(child)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 1003)
    #expect(lines.first == "date              activity  elapsed  average  maximum  id")
    #expect(lines.dropLast().last == "2026-11-30 12:01  running   0:00:01        -        -  id1")
    #expect(lines.last == "there may be older ones: see --limit and --all")
  }

  @Test func printsNothingForProgramsWhereThereAreNoWorkouts() throws {
    let call = #"{"method":"io.strapd.ListWorkouts","parameters":{"limit":100}}"#
    let reply = #"{"parameters":{"workouts":[]}}"#
    #expect(
      try Self.converse("list --json", expecting: call, answering: reply) == Result(status: 0, output: "", errors: ""))
    #expect(
      try Self.converse("list", expecting: call, answering: reply)
        == Result(status: 0, output: "no finished workouts\n", errors: ""))
  }

  // MARK: watch

  private static let watchCall = #"{"method":"io.strapd.Watch","parameters":{},"more":true}"#
  private static let event = #"{"sequence":1,"kind":"heartRate","date":"2026-11-30T11:03:04.5Z","heartRate":72}"#

  private static func watch(_ words: String, locale: String = "C") throws -> (ChildProcess, FakeConversation) {
    let daemon = try FakeDaemon()
    let child = try start(words, daemon, locale: locale)
    let served = try daemon.accept()
    #expect(try served.call() == watchCall)
    served.send(#"{"parameters":\#(event),"continues":true}"#)
    return (child, served)
  }

  @Test func printsEachEventAtOnce() throws {
    let (child, served) = try Self.watch("watch")
    #expect(try child.line() == "12:03:04.500  HR 72 bpm")
    served.send(
      #"{"parameters":{"kind":"countdown","date":"2026-11-30T11:03:05Z","remainingSeconds":2},"continues":true}"#)
    #expect(try child.line() == "12:03:05.000  starts in 2 s")
    child.signal(SIGINT)
    #expect(try Self.result(child) == Result(status: 0, output: "", errors: ""))
  }

  @Test func printsTheEventsThemselves() throws {
    let (child, served) = try Self.watch("watch --json")
    #expect(try child.line() == Self.event)
    // The last one, says the daemon.
    served.send(#"{"parameters":{"kind":"later","list":[]}}"#)
    #expect(try Self.result(child) == Result(status: 0, output: #"{"kind":"later","list":[]}"# + "\n", errors: ""))
  }

  @Test func printsRows() throws {
    let (child, served) = try Self.watch("watch --csv")
    #expect(try child.line() == EventRow.heading)
    #expect(try child.line() == "2026-11-30T11:03:04.5Z,1,heartRate,,,72,,,,,,1,")
    served.send(
      #"{"parameters":{"kind":"countdown","date":"2026-11-30T11:03:05Z","remainingSeconds":2},"continues":true}"#)
    #expect(try child.line() == "2026-11-30T11:03:05Z,,countdown,,,,,,,,,,starts in 2 s")
    served.hangUp()
    #expect(try Self.result(child).status == 2)
  }

  @Test func tellsThatASequenceNumberIsOfAnotherStore() throws {
    let result = try Self.converse(
      "watch --since 900",
      expecting: #"{"method":"io.strapd.Watch","parameters":{"since":900},"more":true}"#,
      answering: #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"since"}}"#)
    #expect(result.status == 1 && result.output == "")
    #expect(
      result.errors.contains("strapd has told no event yet with a sequence number as high as that of --since"))
  }

  @Test func writesUTF8WhereTheLocaleHasIt() throws {
    let (child, served) = try Self.watch("watch", locale: "C.UTF-8")
    #expect(try child.line() == "12:03:04.500  ♥ 72 bpm")
    served.hangUp()
  }

  @Test func endsOnSIGTERM() throws {
    let (child, served) = try Self.watch("watch")
    _ = try child.line()
    child.signal(SIGTERM)
    #expect(try Self.result(child) == Result(status: 0, output: "", errors: ""))
    served.hangUp()
  }

  @Test func tellsThatTheWatchedDaemonEnded() throws {
    let (child, served) = try Self.watch("watch --json")
    _ = try child.line()
    served.hangUp()
    let result = try Self.result(child)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains("closed the connection while it was watched"))
  }

  @Test func tellsThatWatchingIsRefused() throws {
    let (child, served) = try Self.watch("watch")
    _ = try child.line()
    served.send(#"{"error":"io.strapd.ShuttingDown","parameters":{}}"#)
    let result = try Self.result(child)
    #expect(result.status == 1)
    #expect(result.errors.contains("strapd is shutting down"))
  }

  /// As with `strapctl watch | head -1`, though no second event comes that could fail to be written.
  @Test func endsQuietlyWhenNobodyReadsAnyMore() throws {
    let daemon = try FakeDaemon()
    let shell = try ChildProcess(
      "sh",
      ["-c", "{ '\(try BuildFolder.program("strapctl"))' watch; echo \"status $?\" >&2; } | head -n 1"],
      environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C", "TZ": "XYZ-1"])
    let served = try daemon.accept()
    _ = try served.call()
    served.send(#"{"parameters":\#(Self.event),"continues":true}"#)
    #expect(
      try Self.result(shell) == Result(status: 0, output: "12:03:04.500  HR 72 bpm\n", errors: "status 0\n"))
  }

  @Test func endsQuietlyWhenItCannotWrite() throws {
    let daemon = try FakeDaemon()
    let shell = try ChildProcess(
      "sh",
      ["-c", "{ '\(try BuildFolder.program("strapctl"))' list --json; echo \"status $?\" >&2; } | true"],
      environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C"])
    let served = try daemon.accept()
    _ = try served.call()
    let many = [String](repeating: Self.workout(1), count: 5000).joined(separator: ",")
    served.send(#"{"parameters":{"workouts":[\#(many)]}}"#)
    #expect(try Self.result(shell) == Result(status: 0, output: "", errors: "status 0\n"))
  }

  @Test func complainsThatTheDiskIsFull() throws {
    let daemon = try FakeDaemon()
    let shell = try ChildProcess(
      "sh", ["-c", "exec '\(try BuildFolder.program("strapctl"))' pause >/dev/full"],
      environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C"])
    let served = try daemon.accept()
    _ = try served.call()
    served.send(#"{"parameters":{"snapshot":\#(Self.snapshot)}}"#)
    #expect(
      try Self.result(shell)
        == Result(status: 1, output: "", errors: "strapctl: cannot write the output (No space left on device)\n"))
  }

  // MARK: Refusals and no daemon

  @Test func tellsARefusal() throws {
    let error =
      #"{"error":"io.strapd.CallNotAllowed","parameters":{"session":"\#(Self.id)","state":"prepared","call":"pause","allowed":["prepare","start","end"]}}"#
    let call = #"{"method":"io.strapd.Pause","parameters":{}}"#
    #expect(
      try Self.converse("pause", expecting: call, answering: error)
        == Result(
          status: 1, output: "",
          errors: "strapctl: cannot pause: the session \(Self.id) is prepared. Possible now: prepare, start, end\n"))
    #expect(
      try Self.converse("pause --json", expecting: call, answering: error)
        == Result(status: 1, output: "", errors: error + "\n"))
  }

  @Test(arguments: ["status", "pause --json", "watch", "list", "show " + id])
  func tellsThatNoDaemonAnswers(_ words: String) throws {
    let folder = try TemporaryFolder()
    let result = try Self.result(try Self.start("--socket \(folder.file("none")) \(words)"))
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors == """
        strapctl: no strapd answers at \(folder.file("none")) (No such file or directory). Start it, or name its socket \
        with --socket or $STRAPD_SOCKET (without them: /run/strapd/control.sock)

        """)
  }

  @Test func theOptionGoesBeforeTheVariable() throws {
    let (named, inVariable) = (try FakeDaemon(), try FakeDaemon())
    let child = try Self.start("pause --socket \(named.path)", inVariable)
    let served = try named.accept()
    #expect(try served.call() == #"{"method":"io.strapd.Pause","parameters":{}}"#)
    served.send(#"{"parameters":{"snapshot":{}}}"#)
    #expect(try Self.result(child).status == 0)
  }

  @Test(arguments: ["pause", "end", "list"])
  func tellsThatTheDaemonVanishedInTheMiddleOfACall(_ words: String) throws {
    let daemon = try FakeDaemon()
    let child = try Self.start(words, daemon)
    let served = try daemon.accept()
    _ = try served.call()
    served.send(raw: Array(#"{"parameters":"#.utf8))
    served.hangUp()
    let result = try Self.result(child)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains("closed the connection before it answered"))
  }

  // MARK: Help and wrong use

  @Test(arguments: CommandName.allCases)
  func helpsWithEveryCommand(_ name: CommandName) throws {
    let result = try Self.result(try Self.start("\(name.rawValue) --help"))
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("Usage: strapctl \(name.rawValue) "))
    #expect(
      result.output.contains("strapctl \(name.rawValue)\n") || result.output.contains("  strapctl \(name.rawValue) ")
        || result.output.contains("Example: strapctl \(name.rawValue) "))
    #expect(result.output.contains("--json") && result.output.contains("--socket=PATH"))
    #expect(result.errors == "")
  }

  @Test func helpsWithTheWhole() throws {
    let result = try Self.result(try Self.start("--help"))
    #expect(result.status == 0)
    for name in CommandName.allCases { #expect(result.output.contains("\n  \(name.rawValue) ")) }
    #expect(try Self.result(try Self.start("--version")).output == "strapctl \(Interface.version)\n")
  }

  @Test(
    arguments: [
      (
        "",
        "strapctl: which command? One of: status, create, prepare, start, pause, resume, stop, end, cancel, lap, mark, discard, trash, restore, edit, trim, merge, split, history, undo, athletes, athlete, watch, monitor, list, totals, show, samples, export, backup, verify, timings, demo, doctor, scan, straps, name, forget, pair, import, begin-activity, end-activity, reset-energy, bridge\n"
      ),
      ("frobnicate", "strapctl: unknown command 'frobnicate'\n"),
      ("pause 17", "strapctl pause: '17' is no id; one looks like 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f\n"),
      ("status --frobnicate", "strapctl status: unrecognized option '--frobnicate'\n"),
      ("start --countdown", "strapctl start: option '--countdown' requires an argument\n"),
    ] as [(String, String)])
  func complainsOfWrongUse(_ words: String, _ complaint: String) throws {
    let result = try Self.result(try Self.start(words))
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix(complaint))
  }
}
