import Control
import Glibc
import TestSupport
import Testing

/// A finished workout that is put into less room, by the real daemon on a real file, looks the same to everybody.
@Suite struct CompactionTests {
  private static let configuration = "strap = F0:F1:F2:F3:F4:F5\npost_exercise = 2\n"

  private struct Answers: Equatable {
    var samples: [JSON]
    var chart: JSON?
    var intervals: String
    var workout: JSON?
    var series: JSON?
    var shown: String
  }

  private func answers(_ gym: Gym, _ id: String) throws -> Answers {
    let client = try gym.connect()
    let shown = try ChildProcess(
      try BuildFolder.program("strapctl"), ["show", id],
      environment: ["STRAPD_SOCKET": gym.socket, "LC_ALL": "C", "TZ": "UTC0"])
    let text = try shown.outputText()
    #expect(try shown.wait() == .exited(0))
    // All measurements, page by page, and the same by strapctl.
    var samples: [JSON] = []
    var after: Int64? = 0
    while let place = after {
      let call: KeyValuePairs<String, JSON?> = ["id": .string(id), "after": .integer(place), "limit": .integer(37)]
      let reply = try client.call("GetSamples", call)["parameters"]
      samples += reply?["samples"]?.asArray ?? []
      after = reply?["next"]?.asInteger
    }
    let listed = try ChildProcess(
      try BuildFolder.program("strapctl"), ["samples", id, "--json"], environment: ["STRAPD_SOCKET": gym.socket])
    #expect(try listed.outputText() == samples.map { $0.text + "\n" }.joined())
    #expect(try listed.wait() == .exited(0))
    let series = try ChildProcess(
      try BuildFolder.program("strapctl"), ["samples", id, "--series", "rrIntervals"],
      environment: ["STRAPD_SOCKET": gym.socket])
    let intervals = try series.outputText()
    #expect(try series.wait() == .exited(0))
    #expect(!intervals.isEmpty)
    let chart = try client.call("GetSamples", ["id": .string(id), "buckets": .integer(20)])["parameters"]
    #expect((10...20).contains(chart?["buckets"]?.asArray?.count ?? 0))
    return Answers(
      samples: samples, chart: chart, intervals: intervals,
      workout: try client.call("GetWorkout", ["id": .string(id)])["parameters"],
      series: try client.call("GetPostExercise", ["id": .string(id)])["parameters"], shown: text)
  }

  private func wait(_ gym: Gym, until sql: String) throws {
    let deadline = Deadline()
    while try Database(gym.database).column(sql) != [1] {
      if deadline.isOver { throw TestSupportError("never: \(sql)") }
      poll(nil, 0, 10)
    }
  }

  /// A workout whose series after it is over, with the number of its samples.
  private func workout(in gym: Gym) throws -> (id: String, samples: Double) {
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    for _ in 0..<150 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    try client.call("End")
    _ = try watcher.events { $0["kind"]?.asString == "postExerciseEnded" }
    let counts = try Database(gym.database).column(
      "SELECT (SELECT count(*) FROM sample) + coalesce((SELECT sum(count) FROM sample_piece), 0)")
    return (id, counts[0])
  }

  @Test func aFinishedWorkoutIsCompactedAndStaysWhatItWas() throws {
    // Written as rows first, for their answers.
    let gym = try Gym(configuration: Self.configuration + "compact = no\n")
    let (id, samples) = try workout(in: gym)
    #expect(samples > 150)
    let before = try answers(gym, id)
    #expect(Double(before.samples.count) == samples)
    let payloads = try Database(gym.database).texts("SELECT lower(hex(payload)) FROM sample ORDER BY sequence", nil)
    #expect(before.samples.map { $0["payload"]?.asString ?? "" } == payloads)
    #expect(before.series?["complete"]?.asBool == true && before.series?["samples"]?.asArray?.count ?? 0 > 20)
    #expect(try Database(gym.database).column("SELECT count(*) FROM sample") == [samples], "it is switched off")
    gym.daemon.signal(SIGKILL)
    _ = try gym.daemon.wait()
    // The next life compacts them.
    let next = try Gym(configuration: Self.configuration + "compact = yes\n", onCopyOf: gym.folder)
    try wait(next, until: "SELECT count(*) = 0 FROM sample")
    #expect(try Database(next.database).column("SELECT sum(count) FROM sample_piece") == [samples])
    #expect(try answers(next, id) == before)
    try next.killAndRestart()
    #expect(try answers(next, id) == before)
    let client = try next.connect()
    let another = try next.prepare(client)
    #expect(another != id, "numbers go on")
    #expect(
      try Database(next.database).column(
        "SELECT min(sequence) > (SELECT max(last_sequence) FROM sample_piece) FROM sample") == [1])
  }

  @Test func asSoonAsTheSeriesIsOver() throws {
    let gym = try Gym(configuration: Self.configuration + "compact = yes\n")
    let (id, samples) = try workout(in: gym)
    try wait(gym, until: "SELECT count(*) = 0 FROM sample")
    #expect(try Database(gym.database).column("SELECT sum(count) FROM sample_piece") == [samples])
    let packed = try Database(gym.database).column("SELECT sum(length(octets)) FROM sample_piece")[0]
    #expect(packed < samples * 8, "\(packed) octets")
    let series = try answers(gym, id).series
    #expect(series?["complete"]?.asBool == true && series?["samples"]?.asArray?.count ?? 0 > 20)
    #expect(try Database(gym.database).texts("PRAGMA integrity_check", nil) == ["ok"])
  }
}
