import Control
import Glibc
import TestSupport
import Testing

/// Apple's three orders of ending a workout, each on a copy of one store with the same paused session in it: whatever the
/// order, the same workout is saved, to the octet.
@Suite struct SystemOrderTests {
  /// What tells when somebody has ended it, and dates that are counted back from there, where the two clocks were read
  /// a few nanoseconds apart; all else is the same.
  private static let ofTheMoment: Set = ["endDate", "wallSeconds", "anchors", "mostRecentDate", "gapSeconds"]

  private func timeless(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      .object(
        members.filter { member in
          // When each copy was taken up.
          let isOfTheCopy = member.name == "startDate" && json["kind"]?.asString == "recovered"
          return !Self.ofTheMoment.contains(member.name) && !isOfTheCopy
        }.map { JSON.Member($0.name, timeless($0.value)) })
    case .array(let values): .array(values.map { timeless($0) })
    default: json
    }
  }

  @Test func theSameWorkoutToTheOctet() throws {
    let first = try Gym()
    let client = try first.connect()
    let zones: JSON = .array([
      .object(["upper": .integer(70)]), .object(["lower": .integer(70), "upper": .integer(72)]),
      .object(["lower": .integer(72)]),
    ])
    let id = try first.prepare(client)
    #expect(try client.call("SetZones", ["zones": zones])["error"] == nil)
    try client.call("Start")
    let watcher = try first.watch()
    for _ in 0..<5 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    try client.call("Lap", ["label": .string("one")])
    try client.call("BeginActivity", ["activity": .string("cycling")])
    for _ in 0..<5 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    try client.call("SetMetadata", ["metadata": .object(["shoes": .string("left")])])
    try client.call("Pause")
    first.daemon.signal(SIGKILL)
    _ = try first.daemon.wait()

    var workouts: [String] = []
    let orders: [(calls: [String], waits: Bool)] = [
      (["Stop", "EndCollection", "Finish", "End"], true), (["End", "EndCollection", "Finish"], true),
      (["Stop", "EndCollection", "Finish", "End"], false),
    ]
    for (calls, waits) in orders {
      let gym = try Gym(onCopyOf: first.folder)
      let client = try gym.connect()
      var replies: [JSON] = []
      if waits {
        for call in calls { replies.append(try client.call(call, ["session": .string(id)])) }
      } else {
        let octets = calls.flatMap { VarlinkCall("io.strapd." + $0, .object(["session": .string(id)])).message }
        try client.send(octets)
        for _ in calls { replies.append(try client.receive() ?? .null) }
      }
      #expect(replies.allSatisfy { $0["error"] == nil }, "\(calls): \(replies)")
      let saved = try #require(try client.call("GetWorkout", ["id": .string(id)])["parameters"])
      #expect(saved["workout"]?["statistics"]?["heartRate"]?["count"]?.asInteger ?? 0 >= 10)
      #expect(saved["laps"]?.asArray?.count == 1 && saved["activities"]?.asArray?.count == 1)
      workouts.append(timeless(saved).text)
    }
    #expect(workouts[1] == workouts[0])
    #expect(workouts[2] == workouts[0])
  }
}
