import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// One strap, one session: who comes second is refused, or takes the place of the first.
struct SupersedeScenarioTests {
  private func running(_ world: World = World()) -> World {
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    world.beats(5, 100)
    return world
  }

  private func state(_ world: World, _ id: String?) -> WorkoutState? {
    id.flatMap { SessionID($0) }.flatMap { id in
      world.records.compactMap { if case .session(let record) = $0, record.id == id { record } else { nil } }.last?
        .state
    }
  }

  private func sessions(_ world: World) -> [JSON] { world.status["sessions"]?.asArray ?? [] }

  private func id(_ reply: JSON) -> String? { reply["parameters"]?["session"]?.asString }

  private let supersede: KeyValuePairs<String, JSON?> = ["supersede": .bool(true)]

  @Test func x01_aRunningSessionIsSavedAndEndedBeforeTheSecondIsPrepared() throws {
    let world = running()
    let first = sessions(world)[0]["id"]?.asString
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    world.advance(.seconds(1))
    // Not before the workout is on the disk.
    #expect(world.take(client).isEmpty)
    #expect(world.transitions.last == "running>stopped")
    #expect(sessions(world).count == 1)
    world.sync()
    let reply = try #require(world.take(client).first)
    let second = id(reply)
    #expect(second != nil && second != first)
    #expect(world.transitions.suffix(2) == ["stopped>ended", "notStarted>prepared"])
    #expect(world.workouts.map(\.endReason) == [.superseded])
    #expect(world.workouts.map { $0.id.description } == [first])
    #expect(world.workouts[0].heartRate?.count == 5)
    #expect(state(world, first) == .ended)
    #expect(sessions(world).map { $0["id"]?.asString } == [second])
    // The link stands, and is the second's.
    world.beat(90)
    #expect(sessions(world)[0]["heartRate"]?.asInteger == 90)
    #expect(world.bluez.calls.filter { $0 == "Connect" }.count == 1)
    world.call("Start")
    world.beats(3)
    world.call("End")
    #expect(world.workouts.map(\.endReason) == [.superseded, .user])
  }

  @Test(arguments: [["Prepare"], ["Prepare", "Start", "Pause"], ["Prepare", "Start", "Stop"]])
  func x02_aSessionInAnyStateIsSuperseded(_ calls: [String]) {
    let world = World()
    for call in calls { world.call(call) }
    let first = sessions(world)[0]["id"]?.asString
    let second = id(world.call("Prepare", supersede))
    #expect(second != nil && second != first)
    #expect(sessions(world).map { $0["id"]?.asString } == [second])
    guard case .transition(let last) = world.events.last(where: { $0.session?.description == first })?.what else {
      Issue.record("no transition")
      return
    }
    #expect(last.to == .ended && last.endReason == .superseded && last.cause == .user)
    #expect(world.workouts.count == (calls.count > 1 ? 1 : 0), "what has not started leaves no workout")
  }

  @Test func x03_oneThatHasNotStartedMakesWayWithoutAWorkout() {
    let world = World()
    let first = id(world.call("Create"))
    let second = id(world.call("Create"))
    world.call("Prepare", ["session": second.map(JSON.string), "supersede": .bool(true)])
    #expect(state(world, first) == .ended)
    #expect(state(world, second) == .prepared)
    #expect(world.workouts.isEmpty)
  }

  @Test func x04_startSupersedesWhereItPrepares() {
    let world = running()
    let second = id(world.call("Create"))
    let refusal = world.call("Start", ["session": second.map(JSON.string)])
    #expect(refusal["error"]?.asString == "io.strapd.StrapInUse")
    let started = world.call("Start", ["session": second.map(JSON.string), "supersede": .bool(true)])
    #expect(started["parameters"]?["state"]?.asString == "running")
    #expect(world.workouts.map(\.endReason) == [.superseded])
    world.beats(2)
    #expect(sessions(world)[0]["statistics"]?["heartRate"]?["count"]?.asInteger == 2)
  }

  @Test func x05_withoutAStrapTheOnlyOneThatIsUsedIsTaken() {
    let world = running(World(Configuration(), bluez: nil))
    world.advance(.seconds(5))
    world.beats(2)
    #expect(sessions(world)[0]["strap"]?.asString == World.a.description)
    let second = id(world.call("Prepare", supersede))
    world.beat(80)
    #expect(sessions(world).map { $0["id"]?.asString } == [second])
    #expect(sessions(world)[0]["strap"]?.asString == World.a.description)
    #expect(sessions(world)[0]["heartRate"]?.asInteger == 80)
  }

  @Test func x06_withoutAStrapAndWithSeveralInUseItSaysWhich() {
    let world = World(Configuration())
    for strap in [World.a, World.b] { world.call("Prepare", ["strap": .string(strap.description)]) }
    let refusal = world.call("Prepare", supersede)
    #expect(refusal["error"]?.asString == "io.strapd.StrapAmbiguous")
    #expect(
      refusal["parameters"]?["straps"]?.asArray?.compactMap(\.asString) == [World.a.description, World.b.description])
    #expect(sessions(world).count == 2)
  }

  @Test func x07_othersOnOtherStrapsAreLeftAlone() {
    let world = running()
    let other = id(world.call("Prepare", ["strap": .string(World.b.description)]))
    let second = id(world.call("Prepare", ["strap": .string(World.a.description), "supersede": .bool(true)]))
    #expect(Set(sessions(world).map { $0["id"]?.asString }) == [other, second])
  }

  @Test func x08_twoThatSupersedeAtOnceComeOneAfterTheOther() throws {
    let world = running()
    world.syncs = false
    let clients = [world.connect(), world.connect()]
    for client in clients { world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede))) }
    #expect(clients.allSatisfy { world.take($0).isEmpty })
    world.sync()
    let ids = try clients.map { id(try #require(world.take($0).first)) }
    #expect(ids[0] != ids[1])
    #expect(state(world, ids[0]) == .ended)
    #expect(sessions(world).map { $0["id"]?.asString } == [ids[1]])
    #expect(world.workouts.count == 1)
  }

  @Test func x09_aThirdThatDoesNotSupersedeIsRefusedMeanwhile() {
    let world = running()
    let first = sessions(world)[0]["id"]?.asString
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    let refusal = world.call("Prepare")
    #expect(refusal["error"]?.asString == "io.strapd.StrapInUse")
    #expect(refusal["parameters"]?["session"]?.asString == first)
    world.sync()
    #expect(world.take(client).first?["error"] == nil)
  }

  @Test func x10_whoseEndIsWaitedForIsAnsweredToo() {
    let world = running()
    world.syncs = false
    let (ending, taking) = (world.connect(), world.connect())
    world.send(ending, VarlinkCall("io.strapd.End"))
    world.send(taking, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    world.sync()
    let ended = world.take(ending).first?["parameters"]
    #expect(ended?["state"]?.asString == "ended")
    // It was ended by its own user first.
    #expect(ended?["snapshot"]?["endReason"]?.asString == "user")
    #expect(world.take(taking).first?["parameters"]?["state"]?.asString == "prepared")
  }

  @Test func x11_killedBetweenTheTwo() {
    let world = running()
    let first = sessions(world)[0]["id"]?.asString
    let second = id(world.call("Create"))
    world.syncs = false
    let client = world.connect()
    let call = JSON.object(["session": second.map(JSON.string), "supersede": .bool(true)])
    world.send(client, VarlinkCall("io.strapd.Prepare", call))
    world.advance(.seconds(1))
    let again = world.killed()
    again.advance(.seconds(3))
    // The first is saved and ended as it was to be; the second is there to be prepared.
    #expect(Set(again.workouts.map { $0.id.description }) == [first])
    #expect(again.workouts.last?.endReason == .superseded)
    #expect(state(again, first) == .ended)
    #expect(sessions(again).map { $0["state"]?.asString } == ["notStarted"])
    #expect(again.call("Prepare")["parameters"]?["session"]?.asString == second)
  }

  @Test func x12_killedBeforeTheSecondWasMade() {
    let world = running()
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    let again = world.killed()
    again.advance(.seconds(3))
    #expect(again.workouts.last?.endReason == .superseded)
    #expect(sessions(again).isEmpty)
    #expect(again.call("Prepare")["error"] == nil)
  }

  @Test func x13_theDaemonIsToldToEndMeanwhile() {
    let world = running()
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    world.input(.terminationRequested)
    #expect(world.take(client).first?["error"]?.asString == "io.strapd.ShuttingDown")
    world.sync()
    #expect(sessions(world).allSatisfy { $0["state"]?.asString != "prepared" })
  }

  @Test func x14_aClientThatIsGoneHasStillSuperseded() {
    let world = running()
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    world.input(.clientGone(client))
    world.sync()
    #expect(sessions(world).map { $0["state"]?.asString } == ["prepared"])
  }

  @Test func x15_theStoreThatCannotBeWrittenIsWaitedFor() {
    let world = running()
    world.storeFailure = StoreError(operation: .commit, code: 13, text: "database or disk is full")
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Prepare", .object(supersede)))
    world.advance(.seconds(5))
    #expect(world.take(client).isEmpty)
    world.storeFailure = nil
    world.advance(.seconds(3))
    world.sync()
    #expect(world.take(client).first?["parameters"]?["state"]?.asString == "prepared")
    #expect(world.workouts.map(\.endReason) == [.superseded])
  }

  @Test func x16_twoThatTakeAnyStrapGetTwo() {
    let world = World(Configuration())
    world.call("Prepare")
    world.call("Prepare")
    world.advance(.seconds(8))
    world.beat(60, World.a)
    world.beat(90, World.b)
    #expect(Set(sessions(world).map { $0["strap"]?.asString }) == [World.a.description, World.b.description])
    #expect(Set(sessions(world).map { $0["heartRate"]?.asInteger }) == [60, 90])
    // A third one waits for a strap that is free.
    world.call("Prepare")
    for _ in 0..<20 {
      world.beat(60, World.a)
      world.beat(90, World.b)
      world.advance(.seconds(1))
    }
    #expect(sessions(world).count { $0["strap"] == nil } == 1)
    let ended = sessions(world).first { $0["strap"]?.asString == World.b.description }?["id"]
    world.call("End", ["session": ended])
    for _ in 0..<200 {
      world.beat(60, World.a)
      world.beat(91, World.b)
      world.advance(.seconds(1))
    }
    #expect(Set(sessions(world).map { $0["strap"]?.asString }) == [World.a.description, World.b.description])
  }

  /// It has no strap, and any will do: there is nothing of it that would have to end.
  @Test(arguments: [true, false])
  func x17_oneThatOnlyTriesTheStrapGoesOnToAnother(_ isNamed: Bool) {
    let world = World(Configuration())
    let first = id(world.call("Prepare"))
    world.advance(.seconds(5))
    // Connected, and nothing has come yet.
    #expect(world.strap()["link"]?.asString == "subscribing")
    let refusal = world.call("Prepare", ["strap": .string(World.a.description)])
    #expect(refusal["error"]?.asString == "io.strapd.StrapInUse")
    #expect(refusal["parameters"]?["session"]?.asString == first)
    let second = id(
      world.call(
        "Prepare", ["strap": isNamed ? .string(World.a.description) : nil, "supersede": .bool(true)]))
    #expect(second != nil && second != first)
    for _ in 0..<10 {
      world.beat(60, World.a)
      world.beat(90, World.b)
      world.advance(.seconds(1))
    }
    let straps = Dictionary(uniqueKeysWithValues: sessions(world).map { ($0["id"]?.asString, $0["strap"]?.asString) })
    #expect(straps == [second: World.a.description, first: World.b.description])
    #expect(Set(sessions(world).map { $0["heartRate"]?.asInteger }) == [60, 90])
    // The link of the first went over to the second.
    #expect(world.bluez.calls.filter { $0 == "Connect" }.count == 2)
    #expect(!world.bluez.calls.contains("Disconnect"))
  }

  @Test func x18_theStrapInUseIsTakenAndNotOneThatIsOnlyTried() {
    let world = World(Configuration())
    world.bluez.straps[World.b]?.isSilent = true
    let first = id(world.call("Prepare", ["strap": .string(World.a.description)]))
    world.advance(.seconds(2))
    world.beats(2)
    let looking = id(world.call("Prepare"))
    world.advance(.seconds(5))
    world.beats(1)
    #expect(world.strap(World.b)["link"]?.asString == "subscribing")
    let second = id(world.call("Prepare", supersede))
    #expect(Set(sessions(world).map { $0["id"]?.asString }) == [looking, second])
    #expect(state(world, first) == .ended)
    #expect(
      sessions(world).first { $0["id"]?.asString == second }?["strap"]?.asString == World.a.description)
  }

  /// Neither has a strap yet, and they would wait for the same one.
  @Test func x19_whoStillLooksForAStrapIsSupersededByWhoLooksAsWell() {
    var bluez = World.straps
    for strap in bluez.straps.keys { bluez.straps[strap]?.isPresent = false }
    let world = World(Configuration(), bluez: bluez)
    let first = id(world.call("Prepare"))
    world.advance(.seconds(5))
    let second = id(world.call("Prepare", supersede))
    #expect(sessions(world).map { $0["id"]?.asString } == [second])
    #expect(state(world, first) == .ended)
    // Of several it has to be said which; without the wish all of them may look.
    let third = id(world.call("Prepare"))
    let refusal = world.call("Prepare", supersede)
    #expect(refusal["error"]?.asString == "io.strapd.SessionAmbiguous")
    let ids: [String] = refusal["parameters"]?["sessions"]?.asArray?.compactMap(\.asString) ?? []
    #expect(Set(ids) == Set([second, third].compactMap(\.self)))
    #expect(sessions(world).count == 2)
  }

  @Test func x20_whatIsRefusedEndsNobody() {
    let world = running()
    let first = world.liveID
    let second = id(world.call("Create", ["strap": .string(World.a.description)]))
    let ahead = (world.now.wall + .seconds(5)).rfc3339
    let refusal = world.call(
      "Start", ["session": second.map(JSON.string), "supersede": .bool(true), "date": .string(ahead)])
    #expect(refusal["error"]?.asString == "io.strapd.DateAhead")
    #expect(state(world, first) == .running && state(world, second) == .notStarted)
  }
}
