import Control
import Glibc
import TestSupport
import Testing

/// kill -9 at random moments in every state of a session, half of them with a call under way: the session comes back as it
/// was told to be, and nothing that was published is gone. STRAPD_KILLS=200 for a long run.
@Suite struct KillTests {
  private static let kills: Int = {
    guard let text = getenv("STRAPD_KILLS") else { return 20 }
    return Int(String(cString: text)) ?? 20
  }()

  /// A session goes through these, and is killed in each.
  private static let states: [(state: String, call: String)] = [
    ("notStarted", "Create"), ("prepared", "Prepare"), ("running", "Start"), ("paused", "Pause"), ("stopped", "Stop"),
  ]

  /// What may be under way when the daemon dies, and what the session is where it has come through.
  private static let calls: [String: [(call: String, to: String)]] = [
    "notStarted": [("Prepare", "prepared"), ("Start", "running"), ("End", "ended")],
    "prepared": [("Start", "running"), ("SetMetadata", "prepared"), ("End", "ended")],
    "running": [("Lap", "running"), ("Marker", "running"), ("Pause", "paused"), ("Stop", "stopped"), ("End", "ended")],
    "paused": [("Resume", "running"), ("Marker", "paused"), ("Stop", "stopped"), ("End", "ended")],
    "stopped": [("EndCollection", "stopped"), ("Finish", "stopped"), ("End", "ended"), ("Discard", "ended")],
  ]

  private static let ofSession = "WHERE session = (SELECT number FROM session WHERE id = ?1)"

  /// What every subscriber has seen of one session.
  private struct Seen {
    var samples: [Int64: Int64] = [:]
    var events: Set<Int64> = []
    /// By the last transition that was told.
    var state = ""
    var counted = 0

    mutating func take(_ event: JSON, of session: String) {
      guard let number = event["sequence"]?.asInteger, event["session"]?.asString == session else { return }
      switch event["kind"]?.asString {
      case "heartRate":
        samples[number] = event["heartRate"]?.asInteger
        if event["counted"]?.asBool == true { counted += 1 }
      case "transition":
        state = event["to"]?.asString ?? ""
        events.insert(number)
      case "lap", "marker", "recovered", "availability": events.insert(number)
      default: break
      }
    }
  }

  @Test func nothingThatWasPublishedIsGone() throws {
    let seed = UInt64(getpid())
    var random = SeededRandom(seed)
    // The samples are read as rows; those of a session that ended before it began would be compacted at once.
    let gym = try Gym(configuration: "strap = \(Gym.strap)\npost_exercise = 0\ncompact = no\n", recordsSent: true)
    try gym.tell("A beat 70 20")
    var (session, seen) = ("", Seen())
    var finished: [(session: String, counted: Int)] = []
    for kill in 0..<Self.kills {
      let place = kill % Self.states.count
      let comment: Comment = "kill \(kill) while \(Self.states[place].state), seed \(seed)"
      let client = try gym.connect()
      let watcher = try gym.watch()
      var reached = Self.states.firstIndex { $0.state == seen.state } ?? .max
      if reached > place || reached == Self.states.count - 1 {
        // The last one is brought to its end, where it does not come to that by itself, and the next begins.
        if !session.isEmpty {
          try client.call("End", ["session": .string(session)])
          finished.append((session, seen.counted))
        }
        session = try #require(try client.call("Create")["parameters"]?["session"]?.asString)
        (seen, reached) = (Seen(), 0)
      }
      for (_, call) in Self.states[(reached + 1)..<max(reached + 1, place + 1)] {
        let reply = try client.call(call, ["session": .string(session)])
        #expect(reply["error"] == nil, "\(comment): \(reply)")
      }
      let before = try #require(try client.call("GetSession", ["session": .string(session)])["parameters"])
      let state = try #require(before["state"]?.asString)

      // Some measurements come, a call is perhaps under way, and the daemon is killed.
      var left = state == "notStarted" ? 0 : random.next(below: 8)
      if left > 0 {
        let events = try watcher.events { event in
          left -= event.isHeartRate && event["session"]?.asString == session ? 1 : 0
          return left == 0
        }
        for event in events { seen.take(event, of: session) }
      }
      var allowed: Set = [state]
      if random.next(below: 2) == 0, let possible = Self.calls[state] {
        let (call, to) = possible[random.next(below: possible.count)]
        try client.send("io.strapd." + call, ["session": .string(session)])
        allowed.insert(to)
        if to == "ended" { allowed.insert("stopped") }
        // It dies before, in or behind the answer: a few milliseconds, or the reply.
        if random.next(below: 3) == 0 { _ = try client.receive() }
        let moment = Deadline(seconds: Double(random.next(below: 20)) / 1000)
        while !moment.isOver { moment.wait(for: [(watcher.descriptor, 0)]) }
      }
      gym.daemon.signal(SIGKILL)
      _ = try gym.daemon.wait()
      while let event = try watcher.receive()?["parameters"] { seen.take(event, of: session) }
      // A client learns a state from its event; what has been told cannot be taken back.
      if !seen.state.isEmpty, seen.state != state { allowed.remove(state) }

      gym.straps.passOverLines()

      // It is what it was.
      try gym.restart()
      let again = try gym.connect()
      let reply = try again.call("GetSession", ["session": .string(session)])
      let after = reply["parameters"]?["snapshot"]
      let found = after?["state"]?.asString ?? "ended"
      #expect(allowed.contains(found), "\(comment): \(found) of \(allowed), told \(seen.state)")
      for date in ["createdDate", "startDate"] {
        guard let told = before["snapshot"]?[date], let after else { continue }
        #expect(after[date] == told, "\(comment): \(date)")
      }
      seen.state = found
      let database = try Database(gym.database)
      let kept = try database.numbers("SELECT sequence, heart_rate FROM sample \(Self.ofSession)", session)
      for (number, rate) in seen.samples { #expect(kept[number] == rate, "\(comment): sample \(number)") }
      let events = try database.numbers("SELECT sequence, tick FROM event \(Self.ofSession)", session)
      #expect(seen.events.subtracting(events.keys) == [], comment)
      let numbers = Array(kept.keys) + events.keys
      #expect(Set(numbers).count == numbers.count, "\(comment): a number is used twice")
      #expect(try again.call("GetStatus")["parameters"]?["sequence"]?.asInteger ?? 0 >= numbers.max() ?? 0, comment)
    }
    // All of them are whole in the end: by the store's own rows, and with all that was told to count.
    let client = try gym.connect()
    try client.call("End", ["session": .string(session)])
    finished.append((session, seen.counted))
    let database = try Database(gym.database)
    var workouts = 0
    for (session, counted) in finished {
      guard let workout = try client.call("GetWorkout", ["id": .string(session)])["parameters"]?["workout"] else {
        continue
      }
      workouts += 1
      let row = try database.row(StatisticsSQL.text, session)
      let heartRate = workout["statistics"]?["heartRate"]
      #expect(heartRate?["count"]?.asInteger ?? 0 == Int64(row[0]), "\(session), seed \(seed)")
      #expect(Int(row[0]) >= counted, "\(session), seed \(seed)")
      #expect(abs((workout["elapsedSeconds"]?.asReal ?? 0) - row[3] / 1e9) < 1e-9, "\(session), seed \(seed)")
    }
    #expect(workouts >= Self.kills / 10, "\(workouts)")
  }
}
