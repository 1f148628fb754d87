import Control
import Glibc
import TestSupport
import Testing

/// The builder's calls on the real daemon: parts of workouts, Apple's orders of ending, the trash, a kill in between.
@Suite struct SystemBuilderTests {
  private func strapctl(_ gym: Gym, _ words: String...) throws -> String {
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), words,
      environment: ["STRAPD_SOCKET": gym.socket, "LC_ALL": "C", "TZ": "UTC0"])
    let (output, errors) = (try child.outputText(), try child.errorText())
    #expect(try child.wait() == .exited(0), "\(words): \(errors)")
    return output
  }

  /// A running session with a few heart beats that count.
  private func run(_ gym: Gym, _ client: ControlClient) throws -> String {
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    for _ in 0..<5 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    return id
  }

  private func summary(_ workout: JSON?) -> [JSON?] {
    let statistics = workout?["statistics"]
    return [workout?["endReason"], workout?["activity"], statistics?["heartRate"]?["minimum"], statistics?["rrCount"]]
  }

  @Test func applesThreeOrdersGiveTheSameWorkout() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let orders = [
      ["Stop", "EndCollection", "Finish", "End"], ["End", "EndCollection", "Finish"],
      ["Stop", "EndCollection", "Finish", "End"],
    ]
    for (number, order) in orders.enumerated() {
      let id = try run(gym, client)
      try client.call("Lap")
      var replies: [JSON] = []
      if number == 2 {
        for call in order { try client.send("io.strapd." + call, ["session": .string(id)]) }
        for _ in order { replies.append(try client.receive() ?? .null) }
      } else {
        for call in order { replies.append(try client.call(call, ["session": .string(id)])) }
      }
      #expect(replies.allSatisfy { $0["error"] == nil }, "\(order): \(replies)")
      let finished = replies[order.firstIndex(of: "Finish") ?? 0]["parameters"]?["workout"]
      let read = try client.call("GetWorkout", ["id": .string(id)])["parameters"]
      #expect(finished == read?["workout"], "what finish gave is what is stored")
      #expect(read?["laps"]?.asArray?.count == 1)
      // The same statistics by SQL from the stored samples, whatever the order.
      let row = try Database(gym.database).row(StatisticsSQL.text, id)
      #expect(finished?["statistics"]?["heartRate"]?["count"]?.asInteger == Int64(row[0]))
      #expect(abs((finished?["statistics"]?["heartRate"]?["average"]?.asReal ?? 0) - row[1]) < 1e-9)
      #expect(finished?["endReason"]?.asString == "user")
      try gym.straps.line("DISCONNECTED A")
    }
    #expect(try client.call("ListWorkouts")["parameters"]?["workouts"]?.asArray?.count == 3)
  }

  @Test func whatIsNotedSurvivesAKill() throws {
    let gym = try Gym()
    var client = try gym.connect()
    let prepared = try client.call("Create", ["activity": .string("running")])["parameters"]
    let id: JSON = .string(prepared?["session"]?.asString ?? "")
    let zones: JSON = .array([
      .object(["upper": .integer(60)]), .object(["lower": .integer(60), "upper": .integer(100)]),
      .object(["lower": .integer(100)]),
    ])
    #expect(try client.call("SetZones", ["zones": zones])["error"] == nil)
    let goals: JSON = .array([.object(["kind": .string("duration"), "seconds": .integer(3600)])])
    try client.call("SetGoals", ["goals": goals])
    let alerts: JSON = .array([.object(["kind": .string("above"), "heartRate": .integer(65)])])
    try client.call("SetAlerts", ["alerts": alerts])
    let metadata: JSON = .object(["shoes": .string("left")])
    try client.call("SetMetadata", ["metadata": metadata, "blob": .string("AAECAw==")])
    let watcher = try gym.watch()
    try client.call("Start", ["atFirstBeat": .bool(true)])
    try gym.straps.line("SUBSCRIBED A")
    try gym.say("A beat 70 20")
    let events = try watcher.events { $0["kind"]?.asString == "alert" }
    #expect(events.contains { $0.isTransition(to: "running") })
    #expect(events.contains { $0["kind"]?.asString == "zone" && $0["zone"]?.asInteger == 2 })
    #expect(events.last?["active"]?.asBool == true)
    try client.call("Lap", ["label": .string("one")])
    try client.call("BeginActivity", ["activity": .string("cycling"), "location": .string("indoor")])
    try client.call("Marker", ["label": .string("top")])
    for _ in 0..<3 { _ = try watcher.events { $0.isHeartRate } }

    try gym.killAndRestart()
    client = try gym.connect()
    let again = try gym.watch()
    let later = try again.events { $0["counted"]?.asBool == true }
    #expect(!later.contains { $0["kind"]?.asString == "alert" }, "it was told before the kill")
    let session = try client.call("GetSession", ["session": id])["parameters"]
    let snapshot = session?["snapshot"]
    #expect(snapshot?["state"]?.asString == "running")
    #expect(snapshot?["zones"]?.asArray?.count == 3)
    #expect(snapshot?["lapCount"]?.asInteger == 1)
    #expect(snapshot?["currentActivity"]?["activity"]?.asString == "cycling")
    #expect(snapshot?["typesToCollect"]?.asArray?.count == 2)
    #expect(snapshot?["goals"]?.asArray?.first?["seconds"]?.asReal == 3600)
    #expect(snapshot?["alerts"]?.asArray?.count == 1)
    #expect(session?["metadata"] == metadata)
    #expect(session?["blob"]?.asString == "AAECAw==")
    try client.call("End", ["session": id])
    let saved = try client.call("GetWorkout", ["id": id])["parameters"]
    #expect(saved?["laps"]?.asArray?.map { $0["label"]?.asString } == ["one"])
    #expect(saved?["activities"]?.asArray?.map { $0["activity"]?.asString } == ["cycling"])
    #expect(saved?["metadata"] == metadata)
    let heartRate = saved?["workout"]?["statistics"]?["heartRate"]
    let seconds = heartRate?["secondsInZones"]?.asArray?.compactMap(\.asReal) ?? []
    #expect(seconds.count == 3 && abs(seconds.reduce(0, +) - (heartRate?["coveredSeconds"]?.asReal ?? 0)) < 1e-6)
    let kinds = try client.call("ListEvents", ["id": id])["parameters"]?["events"]?.asArray
    #expect(kinds?.compactMap { $0["kind"]?.asString } == ["lap", "marker", "recovered"])
  }

  @Test func theTrashOverTheSocketAndByStrapctl() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let id = try run(gym, client)
    #expect(try strapctl(gym, "discard").contains("ended"))
    #expect(try client.call("ListWorkouts")["parameters"]?["workouts"] == .array([]))
    #expect(try strapctl(gym, "list") == "no finished workouts\n")
    #expect(try strapctl(gym, "trash").contains(id))
    #expect(try strapctl(gym, "restore", id).contains(id))
    #expect(try strapctl(gym, "trash") == "the trash is empty\n")
    #expect(try strapctl(gym, "list").contains(id))
    #expect(try strapctl(gym, "discard", id).contains("ended"))
    try gym.killAndRestart()
    let again = try gym.connect()
    #expect(try again.call("ListTrash")["parameters"]?["workouts"]?.asArray?.first?["id"]?.asString == id)
    #expect(try again.call("GetWorkout", ["id": .string(id)])["parameters"]?["workout"]?["discardedDate"] != nil)
  }

  @Test func theSeriesAfterTheWorkout() throws {
    let gym = try Gym(configuration: "strap = F0:F1:F2:F3:F4:F5\n")
    var client = try gym.connect()
    let id = try run(gym, client)
    let watcher = try gym.watch()
    try client.call("End")
    for _ in 0..<5 { _ = try watcher.events { $0["postExercise"]?.asString == id } }
    func series() throws -> JSON? { try client.call("GetPostExercise", ["id": .string(id)])["parameters"] }
    let before = try series()
    #expect(before?["samples"]?.asArray?.count ?? 0 >= 5)
    #expect(before?["complete"]?.asBool == false)
    let workout = try client.call("GetWorkout", ["id": .string(id)])
    // It goes on after a kill, and nobody asks for it.
    try gym.killAndRestart()
    client = try gym.connect()
    let again = try gym.watch()
    for _ in 0..<3 { _ = try again.events { $0["postExercise"]?.asString == id } }
    #expect(try series()?["samples"]?.asArray?.count ?? 0 >= 8)
    #expect(try client.call("GetWorkout", ["id": .string(id)]) == workout, "the workout is what it was")
    // Another session that starts to run on the strap ends it.
    try client.call("Prepare")
    try client.call("Start")
    _ = try again.events { $0["kind"]?.asString == "postExerciseEnded" }
    let after = try series()
    #expect(after?["complete"]?.asBool == true)
    _ = try again.events { $0["counted"]?.asBool == true }
    #expect(try series() == after)
  }
}
