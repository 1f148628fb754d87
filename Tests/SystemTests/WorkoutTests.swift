import Control
import Glibc
import TestSupport
import Testing

/// Whole workouts with the real daemon, a real bus, the real store and simulated straps.
@Suite struct SystemWorkoutTests {
  @Test func fromPrepareToTheSavedWorkout() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let watchers = [try gym.watch(), try gym.watch()]
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    _ = try watcher.events { $0.isHeartRate && $0["heartRate"]?.asInteger ?? 0 > 0 }
    try client.call("Pause")
    _ = try watcher.events { $0.isHeartRate && $0["counted"]?.asBool == false }
    try client.call("Resume")
    for _ in 0..<20 { _ = try watcher.events { $0.isHeartRate && $0["counted"]?.asBool == true } }

    let status = try client.call("GetStatus")["parameters"]
    let strap = status?["straps"]?.asArray?.first
    #expect(strap?["link"]?.asString == "streaming")
    #expect(strap?["name"]?.asString == "Demo HR")
    #expect(strap?["bodySensorLocation"]?.asString == "chest")
    #expect(strap?["batteryPercent"]?.asInteger != nil)
    #expect(strap?["manufacturer"]?.asString != nil)
    #expect(try threads(of: gym.daemon.pid) == 2)

    try client.call("Stop")
    let ended = try client.call("End")["parameters"]
    #expect(ended?["state"]?.asString == "ended")

    // Two subscribers see the same, in one order.
    let seen = try watchers.map { watcher in try watcher.events { $0.isTransition(to: "ended") } }
    let numbers = seen.map { $0.compactMap { $0["sequence"]?.asInteger } }
    #expect(numbers[0] == numbers[1])
    #expect(zip(numbers[0], numbers[0].dropFirst()).allSatisfy { $0 + 1 == $1 }, "no gap and no step back")
    let transitions = seen[0].filter { $0["kind"]?.asString == "transition" }
    #expect(transitions.map { $0["to"]?.asString } == ["prepared", "running", "paused", "running", "stopped", "ended"])
    for (earlier, later) in zip(transitions, transitions.dropFirst()) {
      #expect(earlier["to"] == later["from"])
    }
    #expect(transitions.allSatisfy { $0["cause"]?.asString == "user" && $0["session"]?.asString == id })

    let list = try client.call("ListWorkouts")["parameters"]?["workouts"]?.asArray
    #expect(list?.map { $0["id"]?.asString } == [id])
    let workout = try client.call("GetWorkout", ["id": .string(id)])["parameters"]?["workout"]
    let statistics = workout?["statistics"]?["heartRate"]
    let counted = seen[0].filter { $0["counted"]?.asBool == true }
    #expect(statistics?["count"]?.asInteger == Int64(counted.count))
    let rates = counted.compactMap { $0["heartRate"]?.asInteger }
    #expect(statistics?["minimum"]?.asInteger == rates.min())
    #expect(statistics?["maximum"]?.asInteger == rates.max())
    #expect(statistics?["mostRecent"]?.asInteger == rates.last)
    let beats = counted.compactMap { $0["rrTicks"]?.asArray?.count }.reduce(0, +)
    #expect(workout?["statistics"]?["rrCount"]?.asInteger == Int64(beats))

    // The same statistics again, by SQL from the stored samples.
    let database = try Database(gym.database)
    let row = try database.row(StatisticsSQL.text, id)
    #expect(row[0] == Double(counted.count))
    #expect(abs((statistics?["average"]?.asReal ?? 0) - row[1]) < 1e-9)
    #expect(abs((statistics?["coveredSeconds"]?.asReal ?? 0) - row[2] / 1e9) < 1e-9)
    #expect(abs((workout?["elapsedSeconds"]?.asReal ?? 0) - row[3] / 1e9) < 1e-9)

    // Every published measurement is in the store, under its number, with its octets.
    for event in seen[0] where event.isHeartRate {
      let number = event["sequence"]?.asInteger ?? 0
      let stored = try database.row("SELECT heart_rate FROM sample WHERE sequence = \(number)", nil)
      #expect(stored == [Double(event["heartRate"]?.asInteger ?? -1)])
    }
  }

  @Test func killedAtAnyMomentOfALiveSession() throws {
    let gym = try Gym()
    var client = try gym.connect()
    let id = try gym.prepare(client)
    var published: Set<Int64> = []
    var states: [String] = ["prepared"]
    for round in 0..<6 {
      let watcher = try gym.watch()
      switch round {
      case 1: try client.call("Start")
      case 3: try client.call("Pause")
      case 4: try client.call("Resume")
      default: break
      }
      states.append(["prepared", "running", "running", "paused", "running", "running"][round])
      var left = 3 + round * 2
      let events = try watcher.events {
        left -= $0.isHeartRate ? 1 : 0
        return left == 0
      }
      let before = try client.call("GetStatus")["parameters"]?["sessions"]?.asArray?[0]
      published.formUnion(events.filter(\.isHeartRate).compactMap { $0["sequence"]?.asInteger })
      try gym.killAndRestart()
      client = try gym.connect()
      let after = try client.call("GetStatus")["parameters"]?["sessions"]?.asArray?[0]
      #expect(after?["id"]?.asString == id)
      #expect(after?["state"]?.asString == states.last)
      #expect(after?["startDate"] == before?["startDate"])
      // Nobody asks for it, and the strap is connected again.
      let again = try gym.watch()
      let next = try again.events { $0.isHeartRate }
      #expect(next.allSatisfy { $0["sequence"]?.asInteger ?? 0 > published.max() ?? 0 }, "no number is used twice")
    }
    try client.call("Stop")
    try client.call("End")
    let database = try Database(gym.database)
    let stored = Set(try database.column("SELECT sequence FROM sample").map { Int64($0) })
    #expect(published.isSubset(of: stored))
    #expect(published.count > 40)
    #expect(try client.call("ListWorkouts")["parameters"]?["workouts"]?.asArray?.count == 1)
  }

  @Test func aLostLinkAndARestartedBluetoothd() throws {
    let gym = try Gym()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    try gym.say("A loss")
    _ = try watcher.events { $0["kind"]?.asString == "link" && $0["link"]?.asString != "streaming" }
    try gym.say("A return")
    _ = try watcher.events { $0["kind"]?.asString == "link" && $0["link"]?.asString == "streaming" }
    _ = try watcher.events { $0.isHeartRate }
    try gym.say("bluetoothd stop")
    _ = try watcher.events { $0["link"]?.asString == "waitingForBluetoothd" }
    #expect(try client.call("GetStatus")["parameters"]?["bluetooth"]?.asString == "bluetoothdAbsent")
    try gym.say("bluetoothd start")
    _ = try watcher.events { $0.isHeartRate }
    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
  }

  private func threads(of pid: pid_t) throws -> Int {
    guard let folder = opendir("/proc/\(pid)/task") else { throw TestSupportError("no process \(pid)") }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }
}
