import Control
import Glibc
import TestSupport
import Testing

/// The store cannot be written for a while: the workout goes on, everybody is told, and nothing of it is missing.
@Suite struct HeldTests {
  @Test func anotherProgramHasTheStoreLocked() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    var left = 5
    var seen = try watcher.events { event in
      left -= event["counted"]?.asBool == true ? 1 : 0
      return left == 0
    }
    #expect(seen.allSatisfy { $0["held"] == nil })

    let writer = try ForeignWriter(gym.database)
    left = 30
    let held = try watcher.events { event in
      left -= event.isHeartRate && event["held"]?.asBool == true ? 1 : 0
      return left == 0
    }
    #expect(held.allSatisfy { $0["counted"] == nil || $0["counted"]?.asBool == true })
    let status = try client.call("GetStatus")["parameters"]
    #expect(status?["held"]?.asString?.contains("locked") == true, "\(status ?? .null)")
    #expect(status?["limits"]?["heldRecords"]?.asInteger == 20_000)
    #expect(try client.call("Lap")["parameters"]?["state"]?.asString == "running", "calls are taken meanwhile")
    writer.end()
    seen += held + (try watcher.events { $0.isHeartRate && $0["held"] == nil })
    #expect(try client.call("GetStatus")["parameters"]?["held"] == nil)

    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
    let database = try Database(gym.database)
    let rows = try database.numbers(
      "SELECT sequence, heart_rate FROM sample WHERE session = (SELECT number FROM session WHERE id = ?1)", id)
    for event in seen where event.isHeartRate {
      let number = event["sequence"]?.asInteger ?? 0
      #expect(rows[number] == event["heartRate"]?.asInteger)
    }
    let workout = try client.call("GetWorkout", ["id": .string(id)])["parameters"]
    #expect(workout?["laps"]?.asArray?.count == 1)
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
    let said = try gym.daemon.errorText()
    #expect(said.components(of: "the store cannot be written") == 1, "\(said)")
    #expect(said.components(of: "the store is written again; nothing was lost") == 1, "\(said)")
  }
}

extension String {
  /// How often it has a text in it.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
