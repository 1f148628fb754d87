import Control
import Glibc
import TestSupport
import Testing

/// A gym full of people: twenty straps of ten measurements a second, each with a workout of its own, the real daemon and
/// the real store. Whatever a strap has sent is in its workout, octet by octet, and in no other.
@Suite struct CrowdTests {
  private static let straps = 20
  private static let hertz = 10

  /// Six seconds, so that nobody waits for it; STRAPD_CROWD_SECONDS=60 plays the whole minute.
  private static let seconds: Int = {
    guard let text = getenv("STRAPD_CROWD_SECONDS") else { return 6 }
    return Int(String(cString: text)) ?? 6
  }()

  private struct Person {
    let tag: String
    let address: String
    let heartRate: Int

    init(_ number: Int) {
      tag = "S\(number)"
      address = "F0:F1:F2:F3:F4:" + (number < 10 ? "0" : "") + "\(number)"
      heartRate = 60 + 3 * number
    }
  }

  @Test func nothingIsLostAndEachSampleIsInItsOwnWorkout() throws {
    let people = (0..<Self.straps).map(Person.init)
    let script = people.map { "strap \($0.tag) \($0.address) connect-ms=20 resolve-ms=20\n\($0.tag) mute\n" }.joined()
    // The samples are read as rows.
    let gym = try Gym(script: script, configuration: "compact = no\n", recordsSent: true)
    let client = try gym.connect()
    let watcher = try gym.watch()
    var sessions: [String: String] = [:]
    for person in people {
      let reply = try client.call("Prepare", ["activity": .string("running"), "strap": .string(person.address)])
      sessions[person.tag] = reply["parameters"]?["session"]?.asString
    }
    for _ in people { try gym.straps.line("SUBSCRIBED") }
    for person in people {
      let session = sessions[person.tag].map(JSON.string)
      #expect(try client.call("Start", ["session": session])["parameters"]?["state"]?.asString == "running")
    }

    // They exercise until each strap has sent its measurements, however long this machine takes for that.
    let deadline = Deadline(seconds: Double(Self.seconds) * 5 + 60)
    var events: [JSON] = []
    var received: [String: Int] = [:]
    for person in people { try gym.say("\(person.tag) beat \(person.heartRate) \(Self.hertz)") }
    func take(until isEnough: () -> Bool) throws {
      while !isEnough() {
        events += try watcher.events(before: deadline) { $0.isHeartRate }
        received[events.last?["strap"]?.asString ?? "", default: 0] += 1
      }
    }
    try take { people.allSatisfy { received[$0.address] ?? 0 >= Self.seconds * Self.hertz } }
    for person in people { try gym.say("\(person.tag) mute") }
    for person in people { try gym.straps.line("DONE \(person.tag) mute") }
    let sent = try gym.sent()
    let total = sent.values.map(\.count).reduce(0, +)
    try take { received.values.reduce(0, +) >= total }

    // Every event has come, in one order without a gap.
    let numbers = events.compactMap { $0["sequence"]?.asInteger }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
    for person in people {
      #expect(received[person.address] == sent[person.tag]?.count)
      let own = events.filter { $0.isHeartRate && $0["strap"]?.asString == person.address }
      #expect(own.allSatisfy { $0["session"]?.asString == sessions[person.tag] })
      #expect(own.allSatisfy { $0["heartRate"]?.asInteger == Int64(person.heartRate) })
    }

    for person in people {
      let ended = try client.call("End", ["session": sessions[person.tag].map(JSON.string)])
      #expect(ended["parameters"]?["state"]?.asString == "ended")
    }
    let database = try Database(gym.database)
    #expect(try database.column("SELECT count(*) FROM sample") == [Double(total)])
    for person in people {
      let id = sessions[person.tag] ?? ""
      let stored = try database.texts(
        """
        SELECT hex(payload) FROM sample WHERE session = (SELECT number FROM session WHERE id = ?1) ORDER BY sequence
        """, id)
      #expect(stored == sent[person.tag] ?? [], "payload by payload")
      let workout = try client.call("GetWorkout", ["id": .string(id)])["parameters"]?["workout"]
      #expect(workout?["strap"]?.asString == person.address)
      #expect(workout?["statistics"]?["heartRate"]?["count"]?.asInteger == Int64(stored.count))
      #expect(workout?["statistics"]?["heartRate"]?["minimum"]?.asInteger == Int64(person.heartRate))
      #expect(workout?["statistics"]?["heartRate"]?["maximum"]?.asInteger == Int64(person.heartRate))
    }
  }
}
