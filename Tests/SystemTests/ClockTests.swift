import Control
import Glibc
import TestSupport
import Testing

/// The real daemon under a wall clock that the test sets (Tests/FakeClock), and across boots by their ids. The boot clock
/// is the real one: it cannot be begun anew outside a virtual machine.
@Suite struct SystemClockTests {
  /// A wall clock that is read by the programs of an environment.
  private struct FakeClock {
    let environment: [String: String]
    private let folder: TemporaryFolder

    init(aheadBy seconds: Int64 = 0, isSynchronised: Bool = true) throws {
      folder = try TemporaryFolder()
      let source = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/FakeClock/clock.c"
      let library = folder.file("clock.so")
      let compiler = try ChildProcess("clang", ["-shared", "-fPIC", "-o", library, source])
      let errors = try compiler.errorText()
      guard try compiler.wait() == .exited(0) else { throw TestSupportError("clang: \(errors)") }
      environment = ["LD_PRELOAD": library, "FAKE_CLOCK": folder.file("setting")]
      try set(aheadBy: seconds, isSynchronised: isSynchronised)
    }

    func set(aheadBy seconds: Int64, isSynchronised: Bool) throws {
      let new = try folder.write("\(seconds * 1_000_000_000) \(isSynchronised ? 1 : 0)\n", to: "new")
      guard rename(new, folder.file("setting")) == 0 else { throw TestSupportError("rename: \(errno)") }
    }
  }

  private func running(_ gym: Gym, _ client: ControlClient) throws -> JSON {
    let id = try gym.prepare(client)
    try client.call("Start")
    return .string(id)
  }

  private func snapshot(_ client: ControlClient) throws -> JSON? {
    try client.call("GetStatus")["parameters"]?["sessions"]?.asArray?.first
  }

  /// Years apart, as a board comes up that has no clock of its own.
  private static let years: Int64 = -50 * 31_557_600

  @Test(arguments: [3600, -3600, 631_152_000]) func aStepInMidRun(_ step: Int64) throws {
    let clock = try FakeClock()
    let gym = try Gym(environment: clock.environment)
    let client = try gym.connect()
    let watcher = try gym.watch()
    let id = try running(gym, client)
    for _ in 0..<5 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    let before = try #require(try snapshot(client)?["elapsedSeconds"]?.asReal)
    try clock.set(aheadBy: step, isSynchronised: true)
    let told = try watcher.events { $0["kind"]?.asString == "clockStep" }.last
    #expect(abs((told?["stepSeconds"]?.asReal ?? 0) - Double(step)) < 0.5)
    #expect(told?["session"] == id)
    for _ in 0..<5 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    let after = try #require(try snapshot(client)?["elapsedSeconds"]?.asReal)
    #expect(after > before && after - before < 30)
    try client.call("End", ["session": id])
    let workout = try client.call("GetWorkout", ["id": id])["parameters"]?["workout"]
    let elapsed = try #require(workout?["elapsedSeconds"]?.asReal)
    #expect(elapsed < 60)
    #expect(workout?["wallSeconds"]?.asReal == elapsed)
    #expect(workout?["startDate"]?.asString ?? "z" <= workout?["endDate"]?.asString ?? "")
    let row = try Database(gym.database).row(StatisticsSQL.text, workout?["id"]?.asString)
    #expect(workout?["statistics"]?["heartRate"]?["count"]?.asInteger == Int64(row[0]))
    #expect(abs((workout?["statistics"]?["heartRate"]?["average"]?.asReal ?? 0) - row[1]) < 1e-9)
    #expect(elapsed == row[3] / 1e9, "from the stored ticks, which nobody has written again")
    let events = try client.call("ListEvents", ["id": id])["parameters"]?["events"]?.asArray
    #expect(events?.contains { $0["kind"]?.asString == "clockStep" } == true)
  }

  @Test func aRebootWithAWrongClockThatIsSetRight() throws {
    let clock = try FakeClock()
    let gym = try Gym(
      configuration: "strap = F0:F1:F2:F3:F4:F5\npost_exercise = 0\nrecovery_limit = 604800\n",
      environment: clock.environment.merging(["STRAPD_BOOT_ID": String(repeating: "a", count: 32)]) { $1 })
    var client = try gym.connect()
    let first = try gym.watch()
    let id = try running(gym, client)
    for _ in 0..<5 { _ = try first.events { $0["counted"]?.asBool == true } }
    gym.daemon.signal(SIGKILL)
    _ = try gym.daemon.wait()

    try clock.set(aheadBy: Self.years, isSynchronised: false)
    try gym.restart(with: ["STRAPD_BOOT_ID": String(repeating: "b", count: 32)])
    client = try gym.connect()
    let watcher = try gym.watch()
    #expect(try client.call("GetStatus")["parameters"]?["clockSynchronised"]?.asBool == false)
    #expect(try snapshot(client)?["state"]?.asString == "running")
    #expect(try snapshot(client)?["provisional"]?.asBool == true)
    _ = try watcher.events { $0["counted"]?.asBool == true }
    // A day has passed, by the right clock.
    try clock.set(aheadBy: 86_400, isSynchronised: true)
    let told = try watcher.events { $0["kind"]?.asString == "gapFixed" }
    #expect(told.contains { $0["kind"]?.asString == "clockStep" })
    let gap = try #require(told.last?["gapSeconds"]?.asReal)
    #expect(abs(gap - 86_400) < 60)
    #expect(told.last?["provisional"]?.asBool == false)
    _ = try watcher.events { $0["counted"]?.asBool == true }
    let live = try #require(try snapshot(client))
    #expect(live["provisional"]?.asBool == false)
    #expect(abs((live["elapsedSeconds"]?.asReal ?? 0) - 86_400) < 120)
    try client.call("End", ["session": id])
    let saved = try client.call("GetWorkout", ["id": id])["parameters"]
    #expect(saved?["workout"]?["provisional"]?.asBool == false)
    #expect(abs((saved?["workout"]?["elapsedSeconds"]?.asReal ?? 0) - 86_400) < 120)
    #expect(saved?["anchors"]?.asArray?.compactMap { $0["synchronised"]?.asBool } == [true, true])
    #expect(
      saved?["anchors"]?.asArray?.compactMap { $0["boot"]?.asString?.first } == ["a", "b"],
      "an anchor for each boot that it lived in")
  }
}
