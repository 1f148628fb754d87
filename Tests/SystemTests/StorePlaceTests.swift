import Control
import Glibc
import TestSupport
import Testing

/// The store is taken away or damaged under a daemon that records: the workout goes on, and is whole where it belongs.
@Suite struct StorePlaceTests {
  /// Heart rates that are written, from now on.
  private func written(_ watcher: ControlClient, _ count: Int) throws -> [JSON] {
    var left = count
    return try watcher.events { event in
      left -= event.isHeartRate && event["held"] == nil ? 1 : 0
      return left == 0
    }
  }

  /// Ends the workout, and holds what was published against what is stored.
  private func check(_ gym: Gym, _ client: ControlClient, _ id: String, _ seen: [JSON], at path: String) throws {
    let ended = try client.call("End")["parameters"]
    #expect(ended?["state"]?.asString == "ended")
    let count = ended?["snapshot"]?["statistics"]?["heartRate"]?["count"]?.asInteger ?? 0
    let workout = try client.call("GetWorkout", ["id": .string(id)])["parameters"]?["workout"]
    #expect(workout?["statistics"]?["heartRate"]?["count"]?.asInteger == count)
    let rows = try Database(path).numbers(
      "SELECT sequence, heart_rate FROM sample WHERE session = (SELECT number FROM session WHERE id = ?1)", id)
    for event in seen where event.isHeartRate {
      #expect(rows[event["sequence"]?.asInteger ?? 0] == event["heartRate"]?.asInteger)
    }
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
  }

  @Test(arguments: [["strapd.db"], ["strapd.db", "strapd.db-wal", "strapd.db-shm", "strapd.db.lock"]])
  func filesAreRemoved(_ names: [String]) throws {
    let gym = try Gym()
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    var seen = try written(watcher, 10)
    for name in names { #expect(unlink(gym.folder.file(name)) == 0) }
    seen += try written(watcher, 20)
    try check(gym, client, id, seen, at: gym.database)
    #expect(
      try gym.daemon.errorText().contains("was moved or removed while it was open: all that was in it is there again"))
  }

  @Test func theDirectoryIsAwayForAWhile() throws {
    let gym = try Gym()
    let state = gym.folder.file("state")
    #expect(mkdir(state, 0o700) == 0)
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
    try gym.restart(with: ["STATE_DIRECTORY": state])
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    var seen = try written(watcher, 10)
    #expect(try ChildProcess("rm", ["-rf", state]).wait() == .exited(0))
    var left = 20
    seen += try watcher.events { event in
      left -= event["held"]?.asBool == true ? 1 : 0
      return left == 0
    }
    let held = try client.call("GetStatus")["parameters"]?["held"]?.asString
    #expect(
      held?.contains("was moved or removed while it was open, and cannot be made again") == true, "\(held ?? "-")")
    #expect(held?.hasSuffix("move it back, or make its directory again, and what is there is written") == true)
    #expect(mkdir(state, 0o700) == 0)
    seen += try written(watcher, 20)
    #expect(try client.call("GetStatus")["parameters"]?["held"] == nil)
    try check(gym, client, id, seen, at: state + "/strapd.db")
  }

  /// Found when the workout is to be saved.
  @Test func aTableIsDamagedMeanwhile() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("NameStrap", ["strap": .string("F0:F1:F2:F3:F4:F5"), "name": .string("Chest")])
    try client.call("Start")
    let watcher = try gym.watch()
    var seen = try written(watcher, 10)
    // Everything out of the log; what the daemon has in memory of the file becomes void with another program's commit.
    try Database.execute("PRAGMA wal_checkpoint(TRUNCATE)", in: gym.database)
    let root = try Database(gym.database).column("SELECT rootpage FROM sqlite_schema WHERE name = 'workout'")[0]
    let descriptor = open(gym.database, O_WRONLY)
    let octets = [UInt8](repeating: 0xA5, count: 1024)
    #expect(pwrite(descriptor, octets, octets.count, off_t(root - 1) * 1024) == octets.count)
    close(descriptor)
    try Database.execute("INSERT INTO meta VALUES ('test', 1)", in: gym.database)
    seen += try written(watcher, 10)
    try check(gym, client, id, seen, at: gym.database)
    let said = try gym.daemon.errorText()
    #expect(said.contains("in which go on: 1 live session, 1 strap; readable in the old one: "), "\(said)")
    try gym.restart()
    let straps = try gym.connect().call("ListStraps")["parameters"]?["straps"]?.asArray
    #expect(straps?.first?["name"]?.asString == "Chest")
  }
}
