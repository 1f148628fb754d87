import Control
import Glibc
import TestSupport
import Testing

/// `strapctl monitor` against the real daemon: a lease that ends with the process, however it ends.
@Suite struct SystemMonitorTests {
  private func monitor(_ gym: Gym, _ words: [String]) throws -> ChildProcess {
    try ChildProcess(
      try BuildFolder.program("strapctl"), ["monitor"] + words,
      environment: ["STRAPD_SOCKET": gym.socket, "LC_ALL": "C", "TZ": "UTC0"])
  }

  @Test func theLeaseEndsWithTheProcess() throws {
    let gym = try Gym()
    _ = try gym.connect()
    for signal in [SIGINT, SIGKILL] {
      let monitor = try monitor(gym, [])
      try gym.straps.line("SUBSCRIBED A")
      try gym.say("A beat 70 20")
      while try monitor.line()?.contains("HR 70 bpm") == false {}
      monitor.signal(signal)
      #expect(try monitor.wait() == (signal == SIGINT ? .exited(0) : .killed(signal: SIGKILL)))
      try gym.straps.line("DISCONNECTED A")
    }
    #expect(try Database(gym.database).column("SELECT count(*) FROM sample") == [0])
    #expect(try Database(gym.database).column("SELECT count(*) FROM session") == [0])
  }

  @Test func aWorkoutOnAMonitoredStrapSharesItsLink() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let monitor = try monitor(gym, ["--json", Gym.strap])
    _ = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    for _ in 0..<5 { _ = try watcher.events { $0.isHeartRate } }
    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
    // It goes on with the monitor, and without the session.
    _ = try watcher.events { $0.isHeartRate && $0["session"] == nil }
    let status = try client.call("GetStatus")["parameters"]
    #expect(status?["straps"]?.asArray?.first?["monitors"]?.asInteger == 1)
    var kinds: Set<String> = []
    while !kinds.contains("heartRate"), let line = try monitor.line() {
      let event = try JSON(parsing: Array(line.utf8))
      kinds.insert(event["kind"]?.asString ?? "")
      #expect(event["strap"]?.asString == Gym.strap)
    }
    #expect(kinds.isSuperset(of: ["monitoring", "heartRate"]))
    // A monitor that nobody reads from is let go of by ending it.
    monitor.signal(SIGTERM)
    _ = try monitor.wait()
    try gym.straps.line("DISCONNECTED A")
  }
}
