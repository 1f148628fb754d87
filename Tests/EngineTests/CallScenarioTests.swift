import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Expected states, repeats, and every call in every state.
struct CallScenarioTests {
  // MARK: Expected states

  @Test func c01_aCallIsPerformedInTheExpectedStateOnly() {
    let world = World.running()
    world.advance(.seconds(5))
    let paused: JSON = .array([.string("paused")])
    let refusal = world.call("Stop", ["ifState": paused])
    #expect(refusal["error"]?.asString == "io.strapd.StateChanged")
    #expect(refusal["parameters"]?["state"]?.asString == "running")
    #expect(refusal["parameters"]?["expected"] == paused)
    #expect(refusal["parameters"]?["session"]?.asString == world.liveID)
    #expect(world.live["state"]?.asString == "running", "nothing has changed")
    #expect(world.outcome("Stop", ["ifState": .array([.string("paused"), .string("running")])]) == "stopped")
  }

  /// Two clients that both want to pause what they see running: the second is told, and does not resume by accident.
  @Test func c02_twoClientsCannotRace() {
    let world = World.running()
    world.advance(.seconds(1))
    let running: JSON = .array([.string("running")])
    let (first, second) = (world.connect(), world.connect())
    world.send(first, VarlinkCall("io.strapd.Pause", .object(["ifState": running])))
    world.send(second, VarlinkCall("io.strapd.End", .object(["ifState": running])))
    world.advance(.zero)
    #expect(world.take(first).first?["parameters"]?["state"]?.asString == "paused")
    let reply = world.take(second).first
    #expect(reply?["error"]?.asString == "io.strapd.StateChanged")
    #expect(reply?["parameters"]?["state"]?.asString == "paused")
    #expect(world.live["state"]?.asString == "paused")
  }

  @Test func c03_everyMutatingCallTakesAnExpectedState() {
    let world = World.running()
    world.advance(.seconds(1))
    let ended: JSON = .array([.string("ended")])
    let date = world.ago(0.5)
    let calls: [(String, KeyValuePairs<String, JSON?>)] = [
      ("Start", ["ifState": ended]), ("Pause", ["ifState": ended]), ("Resume", ["ifState": ended]),
      ("Stop", ["ifState": ended]), ("End", ["ifState": ended]), ("CancelCountdown", ["ifState": ended]),
      ("BeginCollection", ["ifState": ended]), ("EndCollection", ["ifState": ended]), ("Finish", ["ifState": ended]),
      ("Discard", ["ifState": ended]), ("Lap", ["ifState": ended]), ("Segment", ["ifState": ended, "startDate": date]),
      ("Marker", ["ifState": ended]), ("BeginActivity", ["ifState": ended, "activity": .string("cycling")]),
      ("EndActivity", ["ifState": ended]), ("RequestPauseOrResume", ["ifState": ended]),
      ("SetMetadata", ["ifState": ended]), ("SetZones", ["ifState": ended]),
      ("SetGoals", ["ifState": ended, "goals": .array([])]), ("SetAlerts", ["ifState": ended, "alerts": .array([])]),
      ("EnableType", ["ifState": ended, "type": .string("stepCount")]),
      ("DisableType", ["ifState": ended, "type": .string("stepCount")]),
    ]
    let before = world.records.count
    for (method, parameters) in calls { #expect(world.outcome(method, parameters) == "StateChanged", "\(method)") }
    #expect(world.records.count == before)
    // Prepare would make a session of its own.
    #expect(world.outcome("Prepare", ["ifState": .array([.string("prepared")])]) == "NoSession")
    let named = world.outcome("Prepare", ["session": .string(world.liveID), "ifState": ended])
    #expect(named == "StateChanged")
  }

  @Test func c04_theExpectedStateOfAnEndedSession() {
    let world = World.running()
    world.beats(2)
    let id = world.liveID
    world.call("End")
    #expect(world.outcome("End", ["session": .string(id), "ifState": .array([.string("running")])]) == "StateChanged")
    #expect(world.outcome("End", ["session": .string(id), "ifState": .array([.string("ended")])]) == "ended")
  }

  // MARK: Repeats

  @Test func c05_repeatsSucceedAndPublishNothing() {
    let world = World.running()
    world.advance(.seconds(5))
    let id: JSON = .string(world.liveID)
    world.call("BeginActivity", ["activity": .string("cycling")])
    let goals: JSON = .array([.object(["kind": .string("energy"), "kilojoules": .integer(5)])])
    let alerts: JSON = .array([.object(["kind": .string("above"), "heartRate": .integer(150)])])
    let calls: [(String, KeyValuePairs<String, JSON?>)] = [
      ("BeginCollection", [:]), ("EndActivity", [:]), ("SetGoals", ["goals": goals]),
      ("SetAlerts", ["alerts": alerts]), ("EnableType", ["type": .string("stepCount")]),
      ("DisableType", ["type": .string("stepCount")]),
      ("SetMetadata", ["metadata": .object(["a": .integer(1)]), "blob": .string("x")]), ("Pause", [:]),
      ("Resume", [:]), ("Stop", [:]), ("EndCollection", [:]), ("Finish", [:]), ("End", [:]), ("Discard", [:]),
      ("Restore", ["id": id]),
    ]
    for (method, parameters) in calls {
      var named = Array(parameters.map { JSON.Member($0.key, $0.value ?? .null) })
      if method != "Restore" { named.append(.init("session", id)) }
      let first = send(method, named, world)
      #expect(first["error"] == nil, "\(method)")
      world.advance(.seconds(1))
      let before = world.events.count
      let second = send(method, named, world)
      #expect(second["error"] == nil, "\(method)")
      #expect(second["parameters"]?["state"] == first["parameters"]?["state"], "\(method)")
      #expect(world.events.count == before, "\(method): \(world.events.suffix(1))")
    }
  }

  private func send(_ method: String, _ parameters: [JSON.Member], _ world: World) -> JSON {
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd." + method, .object(parameters)))
    world.advance(.zero)
    return world.take(client).first ?? .null
  }

  // MARK: Every call in every state

  /// The calls that lead into each state.
  private static let ways: [(state: String, way: [String])] = [
    ("notStarted", ["Create"]), ("prepared", ["Prepare"]), ("running", ["Prepare", "Start"]),
    ("paused", ["Prepare", "Start", "Pause"]), ("stopped", ["Prepare", "Start", "Stop"]),
    ("ended", ["Prepare", "Start", "End"]),
  ]
  private static let before = [
    "cancelCountdown", "discard", "setMetadata", "setZones", "setGoals", "setAlerts", "enableType", "disableType",
  ]
  private static let during = [
    "beginCollection", "discard", "lap", "marker", "segment", "beginActivity", "endActivity", "requestPauseOrResume",
    "setMetadata", "setGoals", "setAlerts", "enableType", "disableType",
  ]
  private static let allowed: [String: [String]] = [
    "notStarted": before, "prepared": before, "running": during, "paused": during,
    "stopped": ["endCollection", "discard", "lap", "marker", "segment", "setMetadata"],
    "ended": ["endCollection", "finish", "discard"],
  ]

  @Test(arguments: BuilderCallTable.calls.indices)
  func c06_everyCallInEveryState(_ index: Int) {
    let (method, parameters) = BuilderCallTable.calls[index]
    let name = method.prefix(1).lowercased() + method.dropFirst()
    for (state, way) in Self.ways {
      let world = World()
      var id = ""
      for call in way {
        id = world.call(call, id.isEmpty ? [:] : ["session": .string(id)])["parameters"]?["session"]?.asString ?? ""
        world.advance(.seconds(2))
      }
      var members = parameters(world)
      members.append(.init("session", .string(id)))
      let before = world.records.count
      let reply = send(method, members, world)
      if Self.allowed[state]?.contains(name) == true {
        #expect(reply["error"] == nil, "\(method) in \(state): \(reply)")
      } else {
        #expect(reply["error"]?.asString == "io.strapd.CallNotAllowed", "\(method) in \(state): \(reply)")
        #expect(reply["parameters"]?["state"]?.asString == state)
        #expect(reply["parameters"]?["call"]?.asString == name)
        let allowed = reply["parameters"]?["allowed"]?.asArray?.compactMap(\.asString) ?? []
        let changing: Set = ["prepare", "start", "pause", "resume", "stop", "end"]
        #expect(Set(allowed).subtracting(changing) == Set(Self.allowed[state] ?? []), "\(method) in \(state)")
        #expect(world.records.count == before, "\(method) in \(state) leaves nothing")
      }
    }
  }

  /// All that came, whatever it counts for, page by page.
  @Test func samplesOfASession() throws {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(3, 90)
    world.call("Start")
    world.beats(5, 100)
    world.call("End")
    world.advance(.seconds(1))
    world.beats(2, 80)
    let id = try #require(world.workouts.last?.id)
    var rates: [Int64?] = []
    var seconds: [Double] = []
    var after: Int64? = 0
    while let place = after {
      let reply = world.call(
        "GetSamples", ["id": .string(id.description), "after": .integer(place), "limit": .integer(4)])["parameters"]
      let samples = reply?["samples"]?.asArray ?? []
      rates += samples.map { $0["heartRate"]?.asInteger }
      seconds += samples.compactMap { $0["seconds"]?.asReal }
      after = reply?["next"]?.asInteger
    }
    #expect(rates == world.samples(of: id).map { Int64($0.measurement.heartRate) } && rates.count == 10)
    #expect(seconds == seconds.sorted() && seconds[0] == -3 && seconds[3] == 0)
    let unknown = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"
    #expect(world.outcome("GetSamples", ["id": .string(unknown)]) == "NoSuchWorkout")
  }
}

/// A call of each method that changes no state, with what it needs.
enum BuilderCallTable {
  static let calls: [(method: String, parameters: @Sendable (World) -> [JSON.Member])] = [
    ("CancelCountdown", { _ in [] }), ("BeginCollection", { _ in [] }), ("EndCollection", { _ in [] }),
    ("Finish", { _ in [] }), ("Discard", { _ in [] }), ("Lap", { _ in [] }), ("Marker", { _ in [] }),
    ("Segment", { [.init("startDate", $0.ago($0.live["state"]?.asString == "stopped" ? 3 : 1))] }),
    ("BeginActivity", { _ in [.init("activity", .string("cycling"))] }), ("EndActivity", { _ in [] }),
    ("RequestPauseOrResume", { _ in [] }), ("SetMetadata", { _ in [.init("blob", .string("x"))] }),
    ("SetZones", { _ in [] }), ("SetGoals", { _ in [.init("goals", .array([]))] }),
    ("SetAlerts", { _ in [.init("alerts", .array([]))] }),
    ("EnableType", { _ in [.init("type", .string("stepCount"))] }),
    ("DisableType", { _ in [.init("type", .string("stepCount"))] }),
  ]
}
