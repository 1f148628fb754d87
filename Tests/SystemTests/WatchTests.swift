import Control
import Glibc
import TestSupport
import Testing

/// Watchers of a real daemon: who comes again, who reads too late, and who never reads, while a workout runs.
@Suite struct SystemWatchTests {
  private func watch(_ gym: Gym, _ parameters: KeyValuePairs<String, JSON?>) throws -> ControlClient {
    let client = try gym.connect()
    try client.send("io.strapd.Watch", parameters, more: true)
    return client
  }

  private func isMarker(_ label: String) -> (JSON) -> Bool {
    { $0["kind"]?.asString == "marker" && $0["label"]?.asString == label }
  }

  /// Many large events: each of them tells of all alerts.
  private func setAlerts(_ client: ControlClient, _ number: Int) throws {
    let alerts = (0..<32).map { index -> JSON in
      .object(["kind": .string("above"), "heartRate": .integer(Int64(150 + (index + number) % 60))])
    }
    let reply = try client.call("SetAlerts", ["alerts": .array(alerts)])
    #expect(reply["error"] == nil)
  }

  private func watchers(_ client: ControlClient) throws -> Int64? {
    try client.call("GetStatus")["parameters"]?["watchers"]?.asInteger
  }

  private func count(_ events: [JSON]) -> Int64 {
    events.map { event in
      switch event["kind"]?.asString {
      case "heartRate": event["coalesced"]?.asInteger ?? 1
      case "lagged": event["count"]?.asInteger ?? 0
      default: 0
      }
    }.reduce(0, +)
  }

  @Test func aSlowReaderIsToldWhatItHasLostAndLosesNothingElse() throws {
    let gym = try Gym()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try client.call("Start")
    // Both begin with the same event: the one that marks it.
    try client.call("Marker", ["label": .string("begin")])
    let (slow, quick) = (try gym.watch(), try gym.watch())
    try client.call("Marker", ["label": .string("both")])
    var all = try quick.events(until: isMarker("both"))
    // More than the kernel's buffer and the daemon's limit take.
    var (octets, number) = (0, 0)
    while octets < 1 << 20 {
      try setAlerts(client, number)
      number += 1
      all += try quick.events { $0["kind"]?.asString == "session" }
      octets += all.last?.text.utf8.count ?? 0
    }
    for _ in 0..<40 { all += try quick.events(until: \.isHeartRate) }
    try client.call("Marker", ["label": .string("late")])
    all += try quick.events(until: isMarker("late"))
    for _ in 0..<10 { all += try quick.events(until: \.isHeartRate) }
    // Now it reads, and catches up while measurements go on to come.
    let deadline = Deadline(seconds: 120)
    var told = try slow.events(before: deadline, until: isMarker("late"))
    while told.last?["kind"]?.asString != "heartRate" {
      told += try slow.events(before: deadline) { $0["kind"]?.asString != "lagged" }
    }
    try client.call("Marker", ["label": .string("end")])
    told += try slow.events(before: deadline, until: isMarker("end"))
    all += try quick.events(before: deadline, until: isMarker("end"))

    let lagged = told.filter { $0["kind"]?.asString == "lagged" }
    #expect(lagged.count >= 2, "before the mark, and when it had caught up")
    let isState = { (event: JSON) in !["heartRate", "lagged"].contains(event["kind"]?.asString) }
    let from = all.firstIndex(where: isMarker("both")) ?? 0
    let begin = told.firstIndex(where: isMarker("both")) ?? 0
    #expect(told[begin...].filter(isState) == all[from...].filter(isState))
    #expect(count(Array(told[begin...])) == count(Array(all[from...])))
    #expect(count(lagged) >= 40)
    let numbers = told.compactMap { $0["sequence"]?.asInteger }
    #expect(numbers == numbers.sorted())
    // What it has lost it can still have.
    let first = try #require(lagged.first?["firstSequence"]?.asInteger)
    let last = try #require(lagged.first?["lastSequence"]?.asInteger)
    let again = try watch(gym, ["since": .integer(first - 1), "kinds": .array([.string("heartRate")])])
    let snapshot = try again.receive()?["parameters"]
    if snapshot?["missed"]?.asBool == false {
      let lost = try again.events { $0["sequence"]?.asInteger == last }
      let there = all.filter { $0.isHeartRate && (first...last).contains($0["sequence"]?.asInteger ?? 0) }
      #expect(lost == there)
    }
    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
  }

  @Test func whoNeverReadsIsCutOffAndTheWorkoutIsWhole() throws {
    let gym = try Gym(recordsSent: true)
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    // The one that was watched by until the strap had begun is gone when the daemon has seen that.
    while try watchers(client) != 0 {}
    let never = try gym.watch()
    #expect(try watchers(client) == 1)
    var number = 0
    while try watchers(client) != 0, number < 5000 {
      for _ in 0..<100 {
        try setAlerts(client, number)
        number += 1
      }
    }
    #expect(number < 5000, "it is cut off")
    try gym.tell("A mute")
    let ended = try client.call("End")["parameters"]
    #expect(ended?["state"]?.asString == "ended")
    let sent = try gym.sent()["A"]?.count ?? 0
    #expect(try Database(gym.database).column("SELECT count(*) FROM sample") == [Double(sent)])
    #expect(try client.call("GetWorkout", ["id": .string(id)])["error"] == nil)
    // What was on its way to it is there, and then the end.
    do { while try never.receive() != nil {} } catch {}
    try gym.stop()
    let journal = try gym.daemon.errorText()
    #expect(journal.contains("a watcher is cut off (user \(getuid()), process \(getpid()))"))
  }

  @Test func whoComesAgainIsToldEachEventOnce() throws {
    let gym = try Gym()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try client.call("Start")
    let whole = try gym.watch()
    try client.call("Marker", ["label": .string("begin")])
    var all = try whole.events(until: isMarker("begin"))
    let begin = try #require(all.last?["sequence"]?.asInteger)
    all = []
    var (since, pieced) = (begin, [JSON]())
    for round in 0..<6 {
      let again = try watch(gym, ["since": .integer(since)])
      let snapshot = try again.receive()?["parameters"]
      #expect(snapshot?["replaysAfter"]?.asInteger == since && snapshot?["missed"]?.asBool == false)
      for _ in 0...round { pieced += try again.events(until: \.isHeartRate) }
      try client.call("Lap")
      pieced += try again.events { $0["kind"]?.asString == "lap" }
      since = try #require(pieced.last?["sequence"]?.asInteger)
      // It is away for a while: some more come that it does not see.
      for _ in 0..<3 { all += try whole.events(until: \.isHeartRate) }
    }
    all += try whole.events { $0["sequence"]?.asInteger ?? 0 >= since }
    #expect(pieced == all.filter { $0["sequence"]?.asInteger ?? 0 <= since })
    let numbers = pieced.compactMap { $0["sequence"]?.asInteger }
    #expect(numbers == Array((begin + 1)...since), "each number once")
    // The next life knows nothing of it, and says so.
    try gym.killAndRestart()
    let after = try watch(gym, ["since": .integer(since)])
    #expect(try after.receive()?["parameters"]?["missed"]?.asBool == true)
  }

  @Test func rowsForAPipe() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let strapctl = try BuildFolder.program("strapctl")
    let environment = ["STRAPD_SOCKET": gym.socket, "LC_ALL": "C", "TZ": "UTC0"]
    let program = try ChildProcess(
      strapctl, ["watch", "--csv", "--rate", "1s", "--session", id, "--kind", "heartRate,transition"],
      environment: environment)
    let heading = try #require(try program.line()).split(separator: ",", omittingEmptySubsequences: false)
    #expect(heading.count == 13)
    var rows: [[Substring]] = []
    while rows.filter({ $0[2] == "heartRate" }).count < 3, let line = try program.line() {
      rows.append(line.split(separator: ",", omittingEmptySubsequences: false))
    }
    #expect(rows[0][2] == "snapshot")
    for row in rows.dropFirst() {
      #expect(row.count == 13 && row[2] == "heartRate" && row[3] == id && row[4] == Gym.strap && row[5] == "70")
    }
    // Twenty a second, and the newest of them once.
    #expect((Int(rows.last?[11] ?? "") ?? 0) > 5)
    program.signal(SIGINT)
    #expect(try program.wait() == .exited(0))
    let shell = try ChildProcess(
      "sh", ["-c", "{ '\(strapctl)' watch --csv; echo \"status $?\" >&2; } | head -n 2"], environment: environment)
    #expect(try shell.outputText().split(separator: "\n").count == 2)
    #expect(try shell.wait() == .exited(0))
    #expect(try shell.errorText() == "status 0\n")
  }
}
