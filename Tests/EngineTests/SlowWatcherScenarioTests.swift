import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Stories of watchers that do not read in time, and of very many.
struct SlowWatcherScenarioTests {
  private typealias Watch = WatchScenarioTests

  private func isState(_ event: JSON) -> Bool {
    !["heartRate", "lagged", "snapshot"].contains(event["kind"]?.asString)
  }

  @Test func v20_whoDoesNotReadLosesMeasurementsAndIsToldHowMany() throws {
    let world = World()
    Watch.run(world)
    let (slow, quick) = (Watch.watch(world), Watch.watch(world))
    world.stalled.insert(slow)
    for round in 0..<30 {
      Watch.beat(world, 50)
      world.call(round % 2 == 0 ? "Lap" : "RequestPauseOrResume")
    }
    #expect((world.unsent[slow] ?? 0) > Watcher.lagsAbove)
    #expect((world.unsent[slow] ?? 0) < Watcher.lagsAbove + 40_000)
    world.catchUp(slow)
    let (told, all) = (Watch.take(world, slow), Watch.take(world, quick))
    #expect(!Watch.kinds(all).contains("lagged"))
    #expect(told.filter(isState) == all.filter(isState), "no other event is left out")
    #expect(Watch.measurements(told) == 1500 && Watch.measurements(all) == 1500)
    #expect(Watch.numbers(told) == Watch.numbers(told).sorted())
    // Each stands where they are missing: all from its first to its last number are told, or among those.
    let there = Set(Watch.numbers(told.filter { $0["kind"]?.asString != "lagged" }))
    for notice in told where notice["kind"]?.asString == "lagged" {
      let first = try #require(notice["firstSequence"]?.asInteger)
      let last = try #require(notice["lastSequence"]?.asInteger)
      let missing = all.filter { event in
        guard let number = event["sequence"]?.asInteger, (first...last).contains(number) else { return false }
        return !there.contains(number)
      }
      #expect(notice["count"]?.asInteger == Int64(missing.count))
      #expect(missing.allSatisfy { $0["kind"]?.asString == "heartRate" })
      #expect(notice["sequence"]?.asInteger == last)
    }
    #expect(told.last?["kind"]?.asString != "heartRate")
    // From then on it is as before.
    Watch.beat(world, 20)
    #expect(Watch.take(world, slow) == Watch.take(world, quick))
    // What it has lost is still known.
    let lost = told.first { $0["kind"]?.asString == "lagged" }?["firstSequence"]?.asInteger ?? 0
    let again = Watch.take(world, Watch.watch(world, ["since": .integer(lost - 1)]))
    #expect(again[0]["missed"]?.asBool == false)
    #expect(
      Watch.measurements(again)
        + Int64(
          told.filter { event in
            event["kind"]?.asString == "heartRate" && (event["sequence"]?.asInteger ?? 0) < lost
          }.count) == 1520)
  }

  @Test func v21_itIsToldAsSoonAsItHasCaughtUp() {
    let world = World()
    Watch.run(world)
    let slow = Watch.watch(world)
    world.stalled.insert(slow)
    Watch.beat(world, 1200)
    #expect(!Watch.kinds(Watch.take(world, slow)).contains("lagged"))
    world.catchUp(slow)
    #expect(Watch.kinds(Watch.take(world, slow)) == ["lagged"], "with nothing else that happens")
    world.catchUp(slow)
    #expect(Watch.kinds(Watch.take(world, slow)) == [])
  }

  @Test func v22_coalescedOnesAreCountedAsWhatTheyStandFor() {
    let world = World()
    Watch.run(world)
    let slow = Watch.watch(world, ["rate": .string("second")])
    world.stalled.insert(slow)
    _ = world.engine.wrote(to: slow, unsent: Watcher.lagsAbove * 2)
    Watch.beat(world, 100)
    world.catchUp(slow)
    Watch.beat(world, 10)
    world.advance(.seconds(1))
    #expect(Watch.measurements(Watch.take(world, slow)) == 110)
  }

  @Test func v23_aReplayIsNoSignOfASlowReader() throws {
    let world = World()
    Watch.run(world)
    let first = try #require(world.events.first?.sequence)
    Watch.beat(world, 1900)
    let client = world.connect()
    world.stalled.insert(client)
    world.send(client, VarlinkCall("io.strapd.Watch", .object(["since": .integer(first)]), more: true))
    #expect((world.unsent[client] ?? 0) > 2 * Watcher.lagsAbove)
    Watch.beat(world, 100)
    world.catchUp(client)
    let told = Watch.take(world, client)
    #expect(!Watch.kinds(told).contains("lagged"))
    #expect(Watch.numbers(told) == Array((first + 1)...(world.events.last?.sequence ?? 0)))
  }

  @Test func v24_whoNeverReadsIsCutOffAndTheWorkoutIsWhole() {
    let world = World()
    let id = Watch.run(world)
    let quick = Watch.watch(world)
    let slow = world.connect(Caller(.monitor, user: 1000, process: 4711))
    world.send(slow, VarlinkCall("io.strapd.Watch", more: true))
    _ = world.engine.wrote(to: slow, unsent: Watcher.mostUnsent - 100)
    Watch.beat(world, 20)
    #expect(!world.closedClients.contains(slow), "measurements are only left out")
    world.call("Lap")
    #expect(world.closedClients == [slow])
    let line = world.logs.last { $0.text.contains("cut off") }
    #expect(
      line?.text
        == "a watcher is cut off (user 1000, process 4711): it does not read, and more than 4194304 octets wait")
    #expect(world.status["watchers"]?.asInteger == 1)
    Watch.beat(world, 20)
    #expect(Watch.measurements(Watch.take(world, quick)) == 40)
    world.call("End")
    #expect(world.workouts.first { $0.id.description == id }?.heartRate?.count == 40)
  }

  @Test func v25_manyWatchersShareOneEncoding() throws {
    let world = World()
    Watch.run(world)
    let watchers = (0..<200).map { _ in Watch.watch(world) }
    let slow = (0..<50).map { _ in Watch.watch(world, ["rate": .string("second")]) }
    let laps = Watch.watch(world, ["kinds": .array([.string("lap")])])
    world.beat(80)
    let measured = try #require(world.events.last { $0.what.kind == .heartRate })
    // The same again, behind all that they were told.
    var event = measured
    event.sequence += 1000
    var places: Set<UnsafeRawPointer?> = []
    var told: [ClientID] = []
    for case .write(let client, let octets) in world.engine.publish(event, at: world.now) {
      told.append(client)
      places.insert(octets.withUnsafeBytes { $0.baseAddress })
    }
    #expect(Set(told).isSuperset(of: watchers) && told.count >= 200 && told.count <= 250)
    #expect(!told.contains(laps) && slow.count == 50)
    #expect(places.count == 1, "one array for all of them")
  }

  @Test func v26_andOneMoreForThoseWithLockedScreens() throws {
    var configuration = try Configuration(parsing: "redact_when_locked = yes", file: "x")
    configuration.strap = World.a
    let world = World(configuration)
    world.logind.screens = [1000: true, 1001: false]
    Watch.run(world)
    for user in 0..<40 {
      let client = world.connect(Caller(.control, user: 1000 + UInt32(user % 2)))
      world.send(client, VarlinkCall("io.strapd.Watch", more: true))
    }
    world.beat(80)
    var event = try #require(world.events.last { $0.what.kind == .heartRate })
    event.sequence += 1000
    var places: [UnsafeRawPointer?: Int] = [:]
    for case .write(_, let octets) in world.engine.publish(event, at: world.now) {
      places[octets.withUnsafeBytes { $0.baseAddress }, default: 0] += 1
    }
    #expect(places.values.sorted() == [20, 20])
  }

  @Test func v27_aReplayForALockedScreen() throws {
    var configuration = try Configuration(parsing: "redact_when_locked = yes", file: "x")
    configuration.strap = World.a
    let world = World(configuration)
    world.logind.screens = [1000: true]
    Watch.run(world)
    let since = try #require(world.events.last?.sequence)
    Watch.beat(world, 10, 123)
    let client = world.connect(Caller(.control, user: 1000))
    world.send(
      client,
      VarlinkCall("io.strapd.Watch", .object(["since": .integer(since), "rate": .string("fiveSeconds")]), more: true))
    world.advance(.seconds(6))
    let told = Watch.take(world, client)
    #expect(Watch.measurements(told) == 10)
    #expect(told.allSatisfy { $0["redacted"]?.asBool == true && $0["heartRate"] == nil })
    #expect(told.contains { $0["coalesced"]?.asInteger == 9 })
  }
}
