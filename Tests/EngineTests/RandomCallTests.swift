import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Two clients call at random, with expected states and without: each call has the outcome of the table in the
/// description of the lifecycle, which stands here a second time, and what is published is what has happened.
struct RandomCallTests {
  /// state → call → what comes of it; nil is a refusal, the same state a call that is redundant.
  static let table: [String: [String: String]] = [
    "notStarted": ["prepare": "prepared", "start": "running", "end": "ended"],
    "prepared": ["prepare": "prepared", "start": "running", "end": "ended"],
    "running": ["pause": "paused", "resume": "running", "stop": "stopped", "end": "ended"],
    "paused": ["pause": "paused", "resume": "running", "stop": "stopped", "end": "ended"],
    "stopped": ["stop": "stopped", "end": "ended"],
    "ended": ["end": "ended"],
  ]
  static let calls = ["prepare", "start", "pause", "resume", "stop", "end"]
  static let notes = ["lap", "marker", "segment", "beginActivity", "endActivity"]
  static let states = ["notStarted", "prepared", "running", "paused", "stopped", "ended"]

  /// 2,000 seeds, in arguments that run side by side.
  @Test(arguments: 0..<20)
  func ofAHundredSeeds(_ hundred: Int) {
    for seed in 0..<100 { Player(UInt64(hundred * 100 + seed + 1)).play() }
  }

  /// One world, two clients and what the table says.
  private final class Player {
    private let seed: UInt64
    private var random: SplitMix64
    private let world = World()
    private let clients: [ClientID]
    private let id: String
    private var state = "notStarted"
    private var transitions: [String] = []

    init(_ seed: UInt64) {
      self.seed = seed
      random = SplitMix64(state: seed)
      id = world.call("Create", ["activity": .string("running")])["parameters"]?["session"]?.asString ?? ""
      clients = [world.connect(), world.connect()]
    }

    func play() {
      for _ in 0..<24 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: world.advance(.milliseconds(Int.random(in: 0...3000, using: &random)))
        case 1:
          world.beat(UInt8.random(in: 60...180, using: &random))
          // One of the tick of the stop is counted, and the end of that computation is told.
          world.advance(.zero)
        case 2...3: note()
        default: call()
        }
      }
      if state != "ended" { perform("end", [], as: clients[0]) }
      checkWhole()
    }

    private func call() {
      // Two in one wake-up now and then: the second sees what the first has done.
      let count = Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1
      for index in 0..<count {
        let name = RandomCallTests.calls.randomElement(using: &random) ?? "end"
        var expected: [String] = []
        if Int.random(in: 0..<3, using: &random) == 0 {
          expected = RandomCallTests.states.filter { _ in Bool.random(using: &random) }
          if expected.isEmpty { expected = ["running"] }
        }
        perform(name, expected, as: clients[(index + Int.random(in: 0...1, using: &random)) % 2])
      }
    }

    private func send(_ name: String, _ parameters: [JSON.Member], as client: ClientID) -> JSON {
      let method = name.prefix(1).uppercased() + name.dropFirst()
      world.send(client, VarlinkCall("io.strapd." + method, .object([.init("session", .string(id))] + parameters)))
      world.advance(.zero)
      for other in clients where other != client {
        #expect(world.take(other).isEmpty, "seed \(seed): an answer to the wrong client")
      }
      let answers = world.take(client)
      #expect(answers.count == 1, "seed \(seed)")
      return answers.first ?? .null
    }

    private func perform(_ name: String, _ expected: [String], as client: ClientID) {
      let events = world.events.count
      let records = world.records.count
      let before = state
      let ifState: [JSON.Member] =
        expected.isEmpty ? [] : [.init("ifState", .array(expected.map(JSON.string)))]
      let reply = send(name, ifState, as: client)
      let about: Comment = "seed \(seed): \(name) in \(before), expected \(expected): \(reply)"
      if !expected.isEmpty, !expected.contains(before) {
        #expect(reply["error"]?.asString == "io.strapd.StateChanged", about)
        #expect(reply["parameters"]?["state"]?.asString == before, about)
        #expect(world.events.count == events && world.records.count == records, about)
        return
      }
      guard let after = RandomCallTests.table[before]?[name] else {
        #expect(reply["error"]?.asString == "io.strapd.CallNotAllowed", about)
        #expect(reply["parameters"]?["state"]?.asString == before, about)
        let allowed = reply["parameters"]?["allowed"]?.asArray?.compactMap(\.asString) ?? []
        let possible = Set(RandomCallTests.table[before].map { Array($0.keys) } ?? [])
        #expect(Set(allowed).intersection(RandomCallTests.calls) == possible, about)
        #expect(world.events.count == events && world.records.count == records, about)
        return
      }
      #expect(reply["error"] == nil, about)
      #expect(reply["parameters"]?["state"]?.asString == after, about)
      let happened = world.events[events...].filter { $0.kind == "transition" }.count
      switch (before, after) {
      case (before, before):
        #expect(world.events.count == events && world.records.count == records, about)
      case ("running", "ended"), ("paused", "ended"):
        transitions += ["\(before)>stopped", "stopped>ended"]
        #expect(happened == 2, about)
      default:
        transitions.append("\(before)>\(after)")
        #expect(happened == 1, about)
      }
      let sequence = reply["parameters"]?["sequence"]?.asInteger ?? -1
      #expect(sequence <= world.engine.ledger.sequence && sequence >= 0, about)
      state = after
    }

    /// A note succeeds or is refused with a typed error; either way the state is what it was.
    private func note() {
      let name = RandomCallTests.notes.randomElement(using: &random) ?? "marker"
      let past: JSON = world.ago(Double.random(in: 0...4, using: &random))
      let isDated = Bool.random(using: &random)
      var parameters: [JSON.Member] = name == "segment" ? [.init("startDate", past)] : []
      if name == "beginActivity" { parameters.append(.init("activity", .string("cycling"))) }
      if name == "lap", isDated { parameters.append(.init("startDate", past)) }
      if name != "lap", name != "segment", isDated { parameters.append(.init("date", past)) }
      let records = world.records.count
      let reply = send(name, parameters, as: clients[Int.random(in: 0...1, using: &random)])
      if reply["error"] != nil {
        #expect(world.records.count == records, "seed \(seed): \(name) is refused and leaves nothing: \(reply)")
      } else {
        #expect(reply["parameters"]?["state"]?.asString == state, "seed \(seed): \(name): \(reply)")
      }
    }

    private func checkWhole() {
      #expect(world.transitions == transitions, "seed \(seed)")
      for (before, after) in zip(transitions, transitions.dropFirst()) {
        #expect(before.split(separator: ">").last == after.split(separator: ">").first, "seed \(seed)")
      }
      let numbers = world.events.map(\.sequence)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): numbers rise")
      let list = world.call("ListEvents", ["id": .string(id), "limit": .integer(1000)])["parameters"]?["events"]
      let events = list?.asArray ?? []
      let dates = events.compactMap { $0["startDate"]?.asString.flatMap { WallTime(rfc3339: $0) } }
      #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed): ascending")
      let pauses = events.compactMap { $0["kind"]?.asString }.filter { $0 == "pause" || $0 == "resume" }
      #expect(pauses.first != "resume", "seed \(seed)")
      #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed): in turn")
      guard let workout = world.saved else { return }
      let laps = workout.laps.map { ($0.interval.start.tick, $0.interval.end.tick) }
      let activities = workout.activities.map { ($0.began.start.tick, $0.end?.tick ?? workout.end.tick) }
      for parts in [laps, activities] {
        #expect(parts.allSatisfy { $0.0 <= $0.1 && $0.0 >= workout.start.tick && $0.1 <= workout.end.tick })
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.1 <= $1.0 }, "seed \(seed): \(parts) overlap")
      }
    }
  }
}

/// Repeatable random numbers.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
