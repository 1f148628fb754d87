import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What a service owes to its host: its sockets, its configuration, its going when nobody needs it.
struct ServiceScenarioTests {
  // MARK: Two sockets

  @Test func v01_theMonitorChangesNothing() throws {
    let world = World()
    let monitor = world.connect(Caller(.monitor, user: 1001, process: 77))
    let session = try #require(world.call("Create")["parameters"]?["session"]?.asString)
    let before = world.status["sessions"]
    let calls: [(String, JSON)] = [
      ("Create", .object([])), ("Prepare", .object([])), ("Start", .object(["session": .string(session)])),
      ("End", .object(["session": .string(session)])), ("ResetEnergy", .object([])), ("Pair", .object([])),
      ("NameStrap", .object(["strap": .string(World.a.description), "name": .string("Mine")])),
      ("ForgetStrap", .object(["strap": .string(World.a.description)])),
    ]
    for (method, parameters) in calls {
      world.send(monitor, VarlinkCall("io.strapd." + method, parameters))
      #expect(
        world.take(monitor).map { $0["error"]?.asString } == ["org.varlink.service.PermissionDenied"], "\(method)")
    }
    world.send(monitor, VarlinkCall("io.strapd.Watch", .object(["anyStrap": .bool(true)]), more: true))
    #expect(world.take(monitor).first?["error"]?.asString == "org.varlink.service.PermissionDenied")
    #expect(world.status["sessions"] == before)
    world.send(monitor, VarlinkCall("io.strapd.GetStatus"))
    #expect(world.take(monitor).first?["parameters"]?["sessions"]?.asArray?.count == 1)
  }

  @Test func v02_whoChangesSomethingStandsInTheJournal() {
    let world = World()
    let client = world.connect(Caller(.control, user: 1000, process: 4711))
    world.send(client, VarlinkCall("io.strapd.GetStatus"))
    world.send(client, VarlinkCall("io.strapd.Prepare"))
    world.send(client, VarlinkCall("io.strapd.Resume"))
    let lines = world.logs.map(\.text).filter { $0.contains("is called by") }
    #expect(
      lines == [
        "Prepare is called by user 1000, process 4711", "Resume is called by user 1000, process 4711",
      ])
  }

  // MARK: Going when nobody needs it

  @Test func v03_exitsAfterHalfAMinuteWithoutAnythingToDo() {
    let world = World()
    world.input(.socketsPassed)
    world.advance(.milliseconds(29_999))
    #expect(!world.hasExited)
    world.advance(.milliseconds(1))
    #expect(world.hasExited)
  }

  @Test func v04_staysWhereNothingWouldStartItAgain() {
    let world = World()
    world.advance(.seconds(3600))
    #expect(!world.hasExited)
  }

  @Test func v05_staysWhereTheConfigurationSaysNever() throws {
    var configuration = try Configuration(parsing: "idle_exit = never", file: "x")
    configuration.strap = World.a
    let world = World(configuration)
    world.input(.socketsPassed)
    world.advance(.seconds(3600))
    #expect(!world.hasExited)
  }

  @Test func v06_staysForASessionAClientAMonitor() {
    let world = World()
    world.input(.socketsPassed)
    world.call("Create")
    world.advance(.seconds(100))
    #expect(!world.hasExited, "a session that has not started is one")
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beats(2)
    world.call("Start")
    world.beats(60)
    world.call("End")
    world.advance(.seconds(10))
    let client = world.connect()
    world.advance(.seconds(100))
    #expect(!world.hasExited, "a client that is connected")
    world.send(client, VarlinkCall("io.strapd.Watch", .object(["anyStrap": .bool(true)]), more: true))
    world.advance(.seconds(100))
    #expect(!world.hasExited)
    world.input(.clientGone(client))
    world.advance(.seconds(180))
    #expect(world.hasExited)
  }

  // MARK: Reading the configuration again

  @Test func v07_whatHasChangedIsSaidAndApplies() throws {
    let old = try Configuration(
      parsing: "strap = F0:F1:F2:F3:F4:F5\nstopped_limit = 60\n[strap F0:F1:F2:F3:F4:F6]\nname = Ann", file: "x")
    let world = World(old)
    let new = try Configuration(
      parsing:
        "# a comment\nstrap = Bob\nsync_interval = 5\nstopped_limit = 60\n[strap F0:F1:F2:F3:F4:F6]\nname = Bob",
      file: "x")
    world.input(.configurationRead(new))
    #expect(
      world.logs.last?.text
        == "the configuration is read again: strap is 'Bob' and was 'F0:F1:F2:F3:F4:F5'; sync_interval is '5' and was "
        + "'1'; [strap F0:F1:F2:F3:F4:F6] has changed")
    #expect(world.syncInterval == .seconds(5))
    let snapshot = world.call("Prepare")["parameters"]?["snapshot"]
    #expect(snapshot?["strap"]?.asString == World.b.description)
    world.input(.configurationRead(new))
    #expect(world.logs.last?.text == "the configuration is read again: nothing has changed")
  }

  @Test func v08_aRunningWorkoutGoesOn() throws {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(2)
    world.call("Start")
    world.beats(3)
    let before = world.events.count
    world.input(.configurationRead(try Configuration(parsing: "pair_when_needed = yes", file: "x")))
    world.beats(3)
    #expect(Set(world.events.dropFirst(before).map(\.kind)) == ["heartRate"])
  }
}
