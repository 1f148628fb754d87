import Control
import Glibc
import TestSupport
import Testing

/// The store is looked through by the real programs, beside a running workout and without a daemon.
@Suite struct VerifyTests {
  private func verify(_ gym: Gym) throws -> (end: ChildProcess.End, lines: [String], errors: String) {
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), ["verify"], environment: ["STRAPD_SOCKET": gym.socket])
    let lines = try child.outputText().split(separator: "\n").map(String.init)
    return (try child.wait(), lines, try child.errorText())
  }

  private func verifyAlone(_ gym: Gym) throws -> (end: ChildProcess.End, lines: [String]) {
    let child = try ChildProcess(
      try BuildFolder.program("strapd"), ["--verify"], environment: ["STATE_DIRECTORY": gym.folder.path])
    let lines = try child.outputText().split(separator: "\n").map(String.init)
    return (try child.wait(), lines)
  }

  @Test func whileAWorkoutRunsAndAfterIt() throws {
    let gym = try Gym(configuration: "strap = F0:F1:F2:F3:F4:F5\npost_exercise = 1\ncompact = yes\n")
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    for _ in 0..<20 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    let live = try verify(gym)
    #expect(live.end == .exited(0) && live.lines.count == 1, "\(live)")
    #expect(live.lines.first?.hasSuffix("nothing is wrong") == true)
    _ = try watcher.events { $0["counted"]?.asBool == true }
    try client.call("Lap")
    try client.call("End")
    _ = try watcher.events { $0["kind"]?.asString == "postExerciseEnded" }
    let deadline = Deadline()
    while try Database(gym.database).column("SELECT count(*) FROM sample_piece") == [0], !deadline.isOver {
      poll(nil, 0, 10)
    }
    let packed = try verify(gym)
    #expect(packed.end == .exited(0) && packed.lines.first?.hasPrefix("1 workouts, 1 sessions, ") == true, "\(packed)")

    // A piece is damaged by another program.
    let writer = "UPDATE sample_piece SET octets = zeroblob(40)"
    try gym.stop()
    let alone = try verifyAlone(gym)
    #expect(alone.end == .exited(0) && alone.lines == packed.lines)
    try Database.execute(writer, in: gym.database)
    let found = try verifyAlone(gym)
    #expect(found.end == .exited(1) && found.lines.count == 2, "\(found)")
    try gym.restart()
    _ = try gym.connect().call("GetStatus")
    let told = try verify(gym)
    #expect(told.end == .exited(1) && told.lines == found.lines, "\(told)")
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
    let log = try gym.daemon.errorText()
    #expect(log.contains("the store is not sound: ") && log.contains("1 thing is wrong"), "\(log)")
    let absent = try verify(gym)
    #expect(absent.end == .exited(2) && absent.errors.contains("strapd --verify"))
  }

  @Test func withoutAStore() throws {
    let folder = try TemporaryFolder()
    let child = try ChildProcess(
      try BuildFolder.program("strapd"), ["--verify"], environment: ["STATE_DIRECTORY": folder.path])
    #expect(try child.outputText().contains("could not be checked"))
    #expect(try child.wait() == .exited(2))
  }

  /// Neither a client that goes nor the daemon's end leaves the program behind.
  @Test func itEndsWithItsClient() throws {
    let gym = try Gym()
    _ = try gym.connect().call("GetStatus")
    try gym.stop()
    // Enough that it takes a while.
    try Database.execute(
      """
      CREATE TABLE filler (number INTEGER PRIMARY KEY, octets BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO filler SELECT i, randomblob(2000) FROM n;
      """, in: gym.database)
    try gym.restart()
    for endsDaemon in [false, true] {
      do {
        let client = try gym.connect()
        try client.send("io.strapd.Verify", more: true)
        let deadline = Deadline()
        while try children(of: gym).isEmpty, !deadline.isOver { poll(nil, 0, 1) }
        #expect(try !children(of: gym).isEmpty)
        let second = try gym.connect()
        try second.send("io.strapd.Verify", more: true)
        #expect(try second.receive()?["error"]?.asString == "io.strapd.VerifyBusy")
        if endsDaemon {
          gym.daemon.signal(SIGTERM)
          #expect(try client.receive()?["error"]?.asString == "io.strapd.ShuttingDown")
        }
      }
      let deadline = Deadline()
      while try !children(of: gym).isEmpty, !deadline.isOver { poll(nil, 0, 2) }
      #expect(try children(of: gym).isEmpty)
    }
    #expect(try gym.daemon.wait() == .exited(0))
  }

  private func children(of gym: Gym) throws -> String {
    let path = "/proc/\(gym.daemon.pid)/task/\(gym.daemon.pid)/children"
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = fread(&text, 1, text.count, file)
    return String(decoding: text.prefix(count), as: UTF8.self)
  }
}
