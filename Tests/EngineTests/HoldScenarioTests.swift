import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// The store cannot be written: sessions go on in memory up to a limit, and end there.
struct HoldScenarioTests {
  private static let full = StoreError(operation: .commit, code: 13, text: "database or disk is full")

  private func world(_ limit: Int = 1_000) -> World {
    var configuration = World.configured
    configuration.limits.heldRecords = limit
    configuration.limits.absence = nil
    let world = World(configuration)
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    world.beats(10, 100)
    return world
  }

  private func course(_ world: World) -> [String] {
    world.events.compactMap { event in
      switch event.what {
      case .failed(let reason): "failed(\(reason))"
      case .transition(let transition):
        "\(transition.from)>\(transition.to)" + (transition.endReason.map { " \($0)" } ?? "")
      default: nil
      }
    }
  }

  @Test func h01_belowTheLimitNothingEnds() {
    let world = world()
    world.storeFailure = Self.full
    world.beats(900, 100)
    #expect(world.live["state"]?.asString == "running")
    #expect(world.status["held"]?.asString?.contains("full") == true)
    world.storeFailure = nil
    world.advance(.seconds(11))
    #expect(world.status["held"] == nil)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 910)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.heartRate?.count == 910)
    #expect(world.saved?.endReason == .user)
  }

  @Test func h02_atTheLimitItEndsAtItsLastSampleAndIsSavedWhenThatCanBe() throws {
    let world = world()
    let id = world.liveID
    world.storeFailure = Self.full
    world.beats(1_100, 100)
    #expect(world.live["state"]?.asString == "stopped", "it cannot be saved yet")
    #expect(Array(course(world).suffix(2)) == ["failed(storageFull)", "running>stopped"])
    #expect(world.logs.contains { $0.priority == .error && $0.text.contains("hold_limit") })
    let told = course(world).count
    world.beats(500, 100)
    #expect(course(world).count == told, "it is told once")
    #expect(world.outcome("Prepare", ["strap": .string("F0:F1:F2:F3:F4:F6")]) == "StoreFailed")
    #expect(world.outcome("Create") == "StoreFailed")
    #expect(world.take(world.connect()).isEmpty)

    world.storeFailure = nil
    world.advance(.seconds(11))
    #expect(course(world).last == "stopped>ended storageFull")
    let saved = try #require(world.saved)
    #expect(saved.id.description == id && saved.endReason == .storageFull)
    // What was published as counted is in it, up to the end; and the end is the last one's date.
    let counted = world.events.filter { event in
      if case .heartRate(_, _, counted: true, _) = event.what { true } else { false }
    }
    #expect(saved.heartRate?.count == counted.count && (980...1_020).contains(counted.count), "\(counted.count)")
    #expect(saved.end.date == counted.last?.date)
    #expect(world.outcome("Prepare") == "prepared", "work can begin again")
  }

  @Test func h03_noMoreThanTheLimitIsHeld() {
    let world = world()
    world.storeFailure = Self.full
    var most = 0
    for _ in 0..<60 {
      world.beats(50, 100)
      most = max(most, world.engine.ledger.heldCount)
    }
    #expect((1_000...1_050).contains(most), "\(most)")
    #expect(world.kinds(["heartRate"]).count >= 3_000, "who watches goes on seeing values")
  }

  @Test(arguments: ["Create", "Prepare", "Pause", "Stop"]) func h04_inEachState(_ call: String) {
    let world = World(
      {
        var configuration = World.configured
        configuration.limits.heldRecords = 1_000
        configuration.limits.stopped = .seconds(86_400)
        return configuration
      }())
    let other = World.b.description
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    let first = world.liveID
    world.beats(5, 100)
    switch call {
    case "Create", "Prepare": world.call(call, ["strap": .string(other)])
    default: world.call(call, ["session": .string(first)])
    }
    world.storeFailure = Self.full
    for _ in 0..<1_100 { world.call("Marker", ["session": .string(first), "label": .string("x")]) }
    world.advance(.seconds(700))
    world.beats(1_100, 100)
    let states = world.status["sessions"]?.asArray?.compactMap { $0["state"]?.asString } ?? []
    #expect(states.allSatisfy { $0 == "stopped" }, "\(states)")
    world.storeFailure = nil
    world.advance(.seconds(20))
    #expect(world.status["sessions"]?.asArray?.map { $0["state"]?.asString } == [])
    #expect(world.workouts.count == 1)
    let expected: EndReason = call == "Stop" ? .user : .storageFull
    #expect(world.saved?.endReason == expected)
  }

  /// Numbers that are not known to be reserved are never given out: another life could give them out again.
  @Test func h05_numbersRunOut() {
    var ledger = Ledger(nextSequence: 1)
    ledger.mostHeld = .max
    ledger.reserve()
    _ = ledger.takeEffects()
    _ = ledger.committed(1)
    for _ in 0..<100 { _ = ledger.nextSequence() }
    ledger.commitFailed(Self.full, [])
    var given = 0
    while ledger.hasNumbers {
      _ = ledger.nextSequence()
      given += 1
    }
    #expect(ledger.isFull)
    #expect(Int64(given) == Ledger.reservation / 2 - Ledger.spareNumbers)
    #expect(ledger.sequence + Ledger.spareNumbers <= 1 + Ledger.reservation)
    let before = ledger.sequence
    ledger.passing(.gap(since: World.start.wall), at: World.start)
    #expect(ledger.sequence == before)
    ledger.flush()
    _ = ledger.takeEffects()
    _ = ledger.committed(2)
    #expect(!ledger.isFull && ledger.hasNumbers)
  }

  /// The daemon is told to go while it holds something: it is offered once more, and what is lost is told.
  @Test(arguments: [true, false]) func h06_aLastChance(_ clears: Bool) {
    let world = world()
    world.storeFailure = Self.full
    world.beats(20, 100)
    world.advance(.milliseconds(500))
    if clears { world.storeFailure = nil }
    world.input(.terminationRequested)
    world.advance(.seconds(10))
    #expect(world.hasExited)
    let stored = world.records.count { if case .sample = $0 { true } else { false } }
    #expect(stored >= (clears ? 30 : 0) && stored < (clears ? 40 : 20))
    #expect(world.logs.contains { $0.priority == .error && $0.text.contains("are lost") } == !clears)
  }

  /// What a damaged store knew of the present is written into the new one before anything else.
  @Test func h07_aStoreIsBegunAnew() throws {
    let world = world()
    world.call("SetMetadata", ["metadata": .object([JSON.Member("coach", .string("ann"))])])
    let old = world.records.count
    world.storeFailure = Self.full
    world.beats(5, 100)
    world.storeFailure = nil
    world.input(.storeBegunAnew([], "it is set aside"))
    let new = world.records[old...]
    let id = try #require(SessionID(world.liveID))
    guard case .sequenceReserved(let through)? = new.first else {
      Issue.record("the numbers come first")
      return
    }
    #expect(through > 0)
    let session = new.firstIndex {
      if case .session(let record) = $0 { record.id == id && record.state == .running } else { false }
    }
    let data = new.firstIndex { if case .clientData(let data, id) = $0 { data.metadata != nil } else { false } }
    let strap = new.firstIndex { if case .strap(let record) = $0 { record.address == World.a } else { false } }
    let samples = new.indices.filter { if case .sample = new[$0] { true } else { false } }
    #expect(samples.count == 5)
    for seed in [session, data, strap] { #expect(try #require(seed) < samples[0]) }
    #expect(world.logs.contains { $0.priority == .error && $0.text == "it is set aside" })
    #expect(world.status["held"] == nil)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.heartRate?.count == 15)
  }

  /// What is told as held is written in the end; behind the limit nothing is told so that is not.
  @Test func h08_whatIsHeldIsWrittenAndNothingElseIsSaidToBe() throws {
    let world = world()
    let client = world.connect()
    let straps = JSON.object(["straps": .array([.string(World.b.description)])])
    world.send(client, VarlinkCall("io.strapd.Watch", straps, more: true))
    world.call("End")
    world.beats(5, 100)
    #expect(world.engine.sessions.postExercises.count == 1)
    world.call("Prepare", ["strap": .string(World.b.description)])
    world.advance(.seconds(2))
    world.storeFailure = Self.full
    for _ in 0..<20 { world.beats(100, 100, World.b) }
    world.storeFailure = nil
    world.advance(.seconds(11))
    let told = world.take(client).compactMap { $0["parameters"] }.filter { $0["kind"]?.asString == "heartRate" }
    let held = told.filter { $0["held"]?.asBool == true }.compactMap { $0["sequence"]?.asInteger }
    let written = Set(world.records.compactMap { if case .sample(let sample, _) = $0 { sample.sequence } else { nil } })
    #expect((900...1_020).contains(held.count), "\(held.count)")
    #expect(held.allSatisfy(written.contains))
    #expect(told.filter { $0["held"] == nil }.count > 900, "who watches goes on seeing values")
  }

  @Test func h09_theSeriesAfterAWorkoutEndsAtTheLimit() throws {
    let world = world(10)
    let id = try #require(SessionID(world.liveID))
    world.call("End")
    world.beats(5, 100)
    world.storeFailure = Self.full
    world.beats(30, 100)
    #expect(world.engine.sessions.postExercises.isEmpty)
    #expect(world.kinds(["postExerciseEnded"]).count == 1)
    #expect(world.kinds(["heartRate", "postExerciseEnded"]).last?.kind == "postExerciseEnded", "the strap is let go")
    world.storeFailure = nil
    world.advance(.seconds(11))
    #expect(world.samples(of: id).count < 30)
    #expect(world.events(of: id).last?.what == .postExerciseEnded)
  }
}
