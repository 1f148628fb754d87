import Control
import Glibc
import TestSupport
import Testing

/// A copy of the store by the real programs, while a workout runs.
@Suite struct BackupTests {
  private func backUp(_ gym: Gym, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      try BuildFolder.program("strapctl"), ["backup"] + arguments, environment: ["STRAPD_SOCKET": gym.socket])
  }

  private func leftovers(_ gym: Gym) -> Bool { access(gym.database + ".backup-in-progress", F_OK) == 0 }

  /// A workout at ten beats a second, with so many counted.
  private func workout(in gym: Gym, _ count: Int) throws -> (client: ControlClient, id: String, watcher: ControlClient)
  {
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try gym.say("A beat 70 10")
    try client.call("Start")
    let watcher = try gym.watch()
    for _ in 0..<count { _ = try watcher.events { $0["counted"]?.asBool == true } }
    return (client, id, watcher)
  }

  @Test func whileAWorkoutRuns() throws {
    let gym = try Gym()
    let (client, id, watcher) = try workout(in: gym, 20)
    // What is committed before its end: whatever is told is.
    let before = try client.call("GetStatus")["parameters"]?["sequence"]?.asInteger ?? .max
    let file = gym.folder.file("copy.db")
    let child = try backUp(gym, [file])
    let said = try child.outputText()
    #expect(try child.wait() == .exited(0))
    let sum = try ChildProcess("sha256sum", [file])
    #expect(said.hasSuffix("SHA-256 \(try sum.outputText().prefix(64))\n"), "\(said)")
    #expect(!leftovers(gym))
    let during = try watcher.events { $0.isHeartRate && $0["sequence"]?.asInteger ?? 0 > before }
    #expect(during.allSatisfy { $0["kind"]?.asString != "gap" && $0["held"] == nil })

    let copy = try Database(file)
    #expect(try copy.texts("PRAGMA integrity_check", nil) == ["ok"])
    #expect(try copy.texts("PRAGMA journal_mode", nil) == ["delete"], "no log beside it is needed")
    let original = try Database(gym.database)
    let all = "SELECT sequence, heart_rate FROM sample WHERE sequence <= ?1"
    let inCopy = try copy.numbers(all, "\(before)")
    #expect(inCopy.count >= 20)
    #expect(try inCopy == original.numbers(all, "\(before)"))

    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
    let after = gym.folder.file("after.db")
    #expect(try backUp(gym, [after]).wait() == .exited(0))
    let shown = try client.call("GetWorkout", ["id": .string(id)])["parameters"]
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))

    // A state directory of the backup alone.
    let folder = try TemporaryFolder()
    for (name, path) in [("strapd.db", after), ("strapd.db-wal", "/dev/null")] {
      #expect(try ChildProcess("cp", [path, folder.file(name)]).wait() == .exited(0))
    }
    let next = try Gym(onCopyOf: folder)
    let served = try next.connect()
    #expect(try served.call("GetWorkout", ["id": .string(id)])["parameters"] == shown)
    #expect(
      try served.call("GetSamples", ["id": .string(id), "limit": .integer(1000)])["parameters"]?["samples"]?.asArray?
        .count ?? 0 >= inCopy.count)
    #expect(try next.prepare(served) != id, "and goes on recording")
  }

  /// In one made while it runs, the workout is one that a crash has interrupted.
  @Test func aWorkoutThatRanIsTakenUp() throws {
    let gym = try Gym()
    let (_, id, _) = try workout(in: gym, 5)
    let folder = try TemporaryFolder()
    #expect(try backUp(gym, [folder.file("strapd.db")]).wait() == .exited(0))
    try folder.write("", to: "strapd.db-wal")
    gym.daemon.signal(SIGKILL)
    let next = try Gym(onCopyOf: folder)
    let status = try next.connect().call("GetStatus")["parameters"]
    #expect(status?["sessions"]?.asArray?.first?["id"]?.asString == id)
    #expect(status?["sessions"]?.asArray?.first?["state"]?.asString == "running")
  }

  /// A client that takes nothing holds it; a second one is told so, and the end of the daemon leaves nothing.
  @Test func stoppedInTheMiddle() throws {
    let gym = try Gym()
    try grow(gym)
    let client = try gym.connect()
    try client.send("io.strapd.Backup", more: true)
    #expect(try client.receive()?["parameters"]?["phase"]?.asString == "copying")
    let second = try backUp(gym, [gym.folder.file("second.db")])
    #expect(try second.wait() == .exited(1))
    #expect(try second.errorText().contains("makes one at a time"))
    #expect(access(gym.folder.file("second.db"), F_OK) != 0)
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
    #expect(!leftovers(gym))
  }

  @Test func killedInTheMiddle() throws {
    let gym = try Gym()
    try grow(gym)
    let client = try gym.connect()
    try client.send("io.strapd.Backup", more: true)
    _ = try client.receive()
    try gym.killAndRestart()
    _ = try gym.connect().call("GetStatus")
    #expect(!leftovers(gym), "the next start removes it")
    let file = gym.folder.file("copy.db")
    #expect(try backUp(gym, [file]).wait() == .exited(0))
    #expect(try Database(file).texts("PRAGMA integrity_check", nil) == ["ok"])
  }

  @Test func aClientThatGoesLeavesNothing() throws {
    let gym = try Gym()
    try grow(gym)
    do {
      let client = try gym.connect()
      try client.send("io.strapd.Backup", more: true)
      _ = try client.receive()
    }
    let deadline = Deadline()
    while leftovers(gym), !deadline.isOver { poll(nil, 0, 2) }
    #expect(!leftovers(gym))
    #expect(try backUp(gym, ["-"]).outputText().hasPrefix("SQLite format 3"))
  }

  /// Some megabytes, so that a backup takes a while.
  private func grow(_ gym: Gym) throws {
    _ = try gym.connect().call("GetStatus")
    try gym.stop()
    try Database.execute(
      """
      CREATE TABLE filler (number INTEGER PRIMARY KEY, octets BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO filler SELECT i, randomblob(2000) FROM n;
      """, in: gym.database)
    try gym.restart()
  }
}
