import Control
import Glibc
import Measurements
import TestSupport
import Testing
import Workout

/// How long the real daemon takes for what clients ask of ten years of workouts, while a workout is recorded. Times are
/// printed, and whether the answers are right is tested.
///
/// 500 workouts, so that nobody waits for it; Tests/Bench/ten-years takes 10,000 and a release build.
@Suite struct TenYearsTests {
  private static let count: Int = {
    guard let text = getenv("STRAPD_BENCH_WORKOUTS") else { return 500 }
    return Int(String(cString: text)) ?? 500
  }()
  private static var rounds: Int { count < 10_000 ? 10 : 100 }
  /// A strap sends one measurement in so many nanoseconds.
  private static let period: Int64 = 50_000_000

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// A watcher that notes when each heart rate came, and reads nothing else of them.
  private final class Watch {
    let descriptor: Int32
    private let client: ControlClient
    private var open: [UInt8] = []
    private(set) var arrivals: [Int64] = []

    init(_ client: ControlClient) {
      self.client = client
      descriptor = client.descriptor
    }

    func read() throws {
      let now = TenYearsTests.now
      var piece = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return }
      open += piece.prefix(count)
      while let end = open.firstIndex(of: 0) {
        if Self.isHeartRate(open[..<end]) { arrivals.append(now) }
        open.removeSubrange(...end)
      }
    }

    private static func isHeartRate(_ message: ArraySlice<UInt8>) -> Bool {
      String(decoding: message.prefix(120), as: UTF8.self).contains("\"kind\":\"heartRate\"")
    }

    /// How late each came, by the rhythm in which they are sent.
    var lateness: [Int64] {
      let offsets = arrivals.enumerated().map { $1 - Int64($0) * TenYearsTests.period }
      return offsets.map { $0 - (offsets.min() ?? 0) }
    }
  }

  /// Sends a call and reads its whole answer, while the watcher reads as well.
  private func ask(
    _ client: ControlClient, _ watch: Watch, _ method: String, _ parameters: KeyValuePairs<String, JSON?>
  ) throws -> (octets: [UInt8], nanoseconds: Int64) {
    let call = VarlinkCall("io.strapd." + method, .object(parameters)).message
    let start = Self.now
    try client.send(call)
    var answer: [UInt8] = []
    while answer.last != 0 {
      let deadline = Deadline()
      deadline.wait(for: [(client.descriptor, POLLIN), (watch.descriptor, POLLIN)])
      if deadline.isOver { throw TestSupportError("no answer to \(method)") }
      try watch.read()
      var piece = [UInt8](repeating: 0, count: 262_144)
      let count = recv(client.descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
      if count == 0 { throw TestSupportError("the daemon closed the connection on \(method)") }
      if count > 0 { answer += piece.prefix(count) }
    }
    return (answer, Self.now - start)
  }

  private static func text(_ nanoseconds: [Int64], _ share: Double) -> String {
    let sorted = nanoseconds.sorted()
    guard !sorted.isEmpty else { return "-" }
    let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    return "\(Double(value / 10_000) / 100) ms"
  }

  private static func tell(late: [Int64], _ when: String) {
    print(
      "bench \(when) \(late.count) heart rates of a live workout came to a watcher late by: median \(text(late, 0.5)), "
        + "p99 \(text(late, 0.99)) (to be < 10 ms), most \(text(late, 1))")
  }

  /// What the daemon itself has measured since it was started.
  private static func tell(_ timings: JSON, _ wanted: [(method: String, what: String)]) {
    func text(_ timing: JSON?) -> String {
      let values = ["medianSeconds", "p99Seconds", "longestSeconds"].map { timing?[$0]?.asReal ?? 0 }
      let texts = values.map { "\(Double(Int($0 * 100_000)) / 100) ms" }
      return "\(timing?["count"]?.asInteger ?? 0) times: median \(texts[0]), p99 \(texts[1]), most \(texts[2])"
    }
    let calls = timings["calls"]?.asArray ?? []
    for (method, what) in wanted {
      print("bench inside the daemon, \(what): \(text(calls.first { $0["method"]?.asString == method }))")
    }
    print(
      "bench inside the daemon, a heart rate from the bus to the watchers (to be < 10 ms): \(text(timings["heartRates"]))"
    )
    print("bench inside the daemon, a turn of the loop: \(text(timings["turns"]))")
  }

  @Test func tenYearsOfWorkouts() throws {
    let decade = TenYears(count: Self.count)
    let folder = try TemporaryFolder()
    let begun = Self.now
    try decade.write(to: folder.file("strapd.db"))
    _ = try folder.write("", to: "strapd.db-wal")
    print("bench \(Self.count) workouts are made in \((Self.now - begun) / 1_000_000) ms")
    let started = Self.now
    let gym = try Gym(onCopyOf: folder)
    let client = try gym.connect()
    _ = try client.call("GetStatus")
    print(
      "bench the daemon answers \((Self.now - started) / 1_000_000) ms after it was started, a copy of the store included"
    )
    _ = try gym.prepare(client)
    try client.call("Start")
    // What the simulator, the bus and the watcher themselves are late by.
    let alone = Watch(try gym.watch())
    while alone.arrivals.count < Self.rounds {
      Deadline().wait(for: [(alone.descriptor, POLLIN)])
      try alone.read()
    }
    Self.tell(late: alone.lateness, "while nothing is asked")
    let watch = Watch(try gym.watch())

    let last = TenYears.id(Self.count - 1).description
    let year = decade.date(Self.count * 3 / 4)
    let range: KeyValuePairs<String, JSON?> = [
      "by": .string("month"), "since": .string(year.rfc3339), "until": .string((year + .seconds(365 * 86_400)).rfc3339),
    ]
    var times: [String: [Int64]] = [:]
    var answers: [(octets: [UInt8], check: (JSON) -> Void)] = []
    /// Answers are looked at when all are there, so that the watcher is read from without delay.
    func asked(
      _ name: String, _ method: String, _ parameters: KeyValuePairs<String, JSON?>, _ check: @escaping (JSON) -> Void
    ) throws -> Int64 {
      let (octets, time) = try ask(client, watch, method, parameters)
      answers.append((octets, check))
      if !name.isEmpty { times[name, default: []].append(time) }
      return time
    }
    for round in 0..<Self.rounds {
      let list = try asked("", "ListWorkouts", [:]) {
        #expect($0["workouts"]?.asArray?.first?["id"]?.asString == last)
      }
      let summary = try asked("", "GetWorkout", ["id": .string(last)]) {
        #expect($0["workout"]?["id"]?.asString == last)
      }
      times["a page of 100 and one summary (to be < 10 ms)", default: []].append(list + summary)
      // Another workout each time: none of it is in any cache but the kernel's.
      let id = TenYears.id((round * 7919 + 5) % Self.count).description
      let chart: KeyValuePairs<String, JSON?> = ["id": .string(id), "buckets": .integer(1000)]
      _ = try asked("a workout's chart in 1000 buckets (to be < 50 ms)", "GetSamples", chart) {
        #expect($0["buckets"]?.asArray?.count == 1000)
      }
      _ = try asked("a year's totals (to be < 200 ms)", "GetTotals", range) { reply in
        let months = reply["totals"]?.asArray ?? []
        #expect((12...13).contains(months.count))
        let workouts = months.compactMap { $0["workouts"]?.asInteger }.reduce(0, +)
        #expect(abs(workouts - Int64(Self.count / 10)) < 3)
      }
    }
    let late = watch.lateness
    let timings = try client.call("GetTimings")["parameters"] ?? .null
    let rare: KeyValuePairs<String, JSON?> = [
      "activity": .string("yoga"), "athlete": .string("Ben"), "strap": .string("F0:F1:F2:F3:F4:F8"),
    ]
    for _ in 0..<Self.rounds {
      _ = try asked("a page by activity, athlete and strap", "ListWorkouts", rare) {
        #expect($0["workouts"]?.asArray?.isEmpty == false)
      }
      _ = try asked("ten years' totals", "GetTotals", ["by": .string("year")]) {
        #expect((10...11).contains($0["totals"]?.asArray?.count ?? 0))
      }
    }
    for (octets, check) in answers { check(try JSON(parsing: octets.dropLast())["parameters"] ?? .null) }
    for (name, values) in times.sorted(by: { $0.key < $1.key }) {
      print("bench of \(Self.count) workouts, \(name): median \(Self.text(values, 0.5)), most \(Self.text(values, 1))")
    }
    Self.tell(late: late, "meanwhile")
    Self.tell(
      timings,
      [
        ("ListWorkouts", "a page of 100"), ("GetWorkout", "a summary (with the page to be < 10 ms)"),
        ("GetSamples", "a workout's chart in 1000 buckets (to be < 50 ms)"),
        ("GetTotals", "a year's totals (to be < 200 ms)"),
      ])
    let counts = Dictionary(
      uniqueKeysWithValues: (timings["calls"]?.asArray ?? []).map {
        ($0["method"]?.asString ?? "", $0["count"]?.asInteger ?? 0)
      })
    for method in ["ListWorkouts", "GetWorkout", "GetSamples", "GetTotals"] {
      #expect(counts[method] == Int64(Self.rounds), "\(method)")
    }
    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
  }
}
