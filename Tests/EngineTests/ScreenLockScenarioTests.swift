import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// redact_when_locked: who has a locked screen sees states and times, and no heart rate; recording never stops.
struct ScreenLockScenarioTests {
  private static func world(_ screens: [UInt32: Bool] = [:]) throws -> World {
    var configuration = try Configuration(parsing: "redact_when_locked = yes", file: "x")
    configuration.strap = World.a
    let world = World(configuration)
    world.logind.screens = screens
    return world
  }

  private static func status(_ world: World, _ client: ClientID) -> JSON? {
    world.send(client, VarlinkCall("io.strapd.GetStatus"))
    return world.take(client).first?["parameters"]
  }

  private static func heartRates(_ world: World, _ client: ClientID) -> [Int64?] {
    world.take(client).compactMap { $0["parameters"] }.filter { $0["kind"]?.asString == "heartRate" }
      .map { $0["heartRate"]?.asInteger }
  }

  private static func watch(_ world: World, _ user: UInt32?) -> ClientID {
    let client = world.connect(Caller(.control, user: user))
    world.send(client, VarlinkCall("io.strapd.Watch", more: true))
    return client
  }

  @Test func x01_theLockedUserSeesTimesAndNoHeartRate() throws {
    let world = try Self.world([1000: true, 1001: false])
    world.call("Prepare")
    world.advance(.seconds(1))
    world.call("Start")
    world.beats(5)
    let locked = world.connect(Caller(.control, user: 1000))
    let status = try #require(Self.status(world, locked))
    #expect(status["redacted"] == .bool(true))
    let session = try #require(status["sessions"]?.asArray?.first)
    #expect(session["state"]?.asString == "running")
    #expect((session["elapsedSeconds"]?.asReal ?? 0) > 0)
    #expect(session["heartRate"] == nil && session["statistics"] == nil)
    #expect(status["straps"]?.asArray?.first?["heartRate"] == nil)
    let other = world.connect(Caller(.control, user: 1001))
    let seen = try #require(Self.status(world, other))
    #expect(seen["redacted"] == nil)
    #expect(seen["sessions"]?.asArray?.first?["heartRate"]?.asInteger == 71)
  }

  @Test func x02_lockedAndUnlockedInMidWatch() throws {
    let world = try Self.world([1000: false])
    let watcher = Self.watch(world, 1000)
    let other = Self.watch(world, 1002)
    world.call("Prepare")
    world.advance(.seconds(1))
    world.beats(2)
    #expect(Self.heartRates(world, watcher) == [70, 71])
    world.arrive(world.logind.lock(1000, true))
    world.beats(2)
    let told = world.take(watcher).compactMap { $0["parameters"] }
    #expect(told.filter { $0["kind"]?.asString == "heartRate" }.count == 2, "events stay, without what they measured")
    for event in told {
      #expect(event["redacted"] == .bool(true))
      for name in ["heartRate", "rrIntervals", "rrTicks", "energyKilojoules"] { #expect(event[name] == nil) }
    }
    world.arrive(world.logind.lock(1000, false))
    world.beats(1)
    #expect(Self.heartRates(world, watcher) == [70])
    #expect(Self.heartRates(world, other) == [70, 71, 70, 71, 70], "others are not concerned")
    let id = try #require(world.liveRecords.first?.id)
    #expect(world.samples(of: id).count == 5, "recording never stops")
  }

  @Test func x03_whoHasNoScreenIsNotLocked() throws {
    let world = try Self.world([1000: true])
    for user: UInt32? in [0, 1234, nil] {
      let client = world.connect(Caller(.control, user: user))
      #expect(try #require(Self.status(world, client))["redacted"] == nil)
    }
    world.logind.isThere = false
    let client = world.connect(Caller(.control, user: 1001))
    #expect(try #require(Self.status(world, client))["redacted"] == nil, "a host without logind locks nobody out")
  }

  /// The first answer is waited for: nothing is told before it, and what was called is answered behind it.
  @Test func x04_logindThatDoesNotAnswer() throws {
    let world = try Self.world([1000: false])
    world.logind.answersScreens = false
    let client = world.connect(Caller(.control, user: 1000))
    world.send(client, VarlinkCall("io.strapd.GetStatus"))
    world.advance(.milliseconds(1999))
    #expect(world.take(client).isEmpty)
    world.advance(.milliseconds(1))
    #expect(world.take(client).first?["parameters"]?["redacted"] == .bool(true), "what is not known counts as locked")
    world.logind.answersScreens = true
    world.arrive(world.logind.lock(1000, false))
    #expect(try #require(Self.status(world, client))["redacted"] == nil)
  }

  @Test func x05_aClientThatOnlySendsIsAnsweredAllTheSame() throws {
    let world = try Self.world([1000: false])
    world.logind.answersScreens = false
    let client = world.connect(Caller(.control, user: 1000))
    world.send(client, VarlinkCall("io.strapd.GetStatus"))
    world.input(.clientFinishedSending(client))
    world.advance(.milliseconds(1999))
    #expect(!world.closedClients.contains(client), "it is not closed before its answer")
    world.advance(.milliseconds(1))
    #expect(world.closedClients.contains(client))
  }

  @Test func x06_notAskedWithoutTheKey() {
    let world = World()
    world.logind.screens = [1000: true]
    let client = world.connect(Caller(.control, user: 1000))
    #expect(Self.status(world, client)?["redacted"] == nil)
    #expect(world.logind.questions == [])
  }

  @Test func x07_theKeyIsReadAgain() throws {
    let world = try Self.world([1000: true])
    let client = world.connect(Caller(.control, user: 1000))
    #expect(try #require(Self.status(world, client))["redacted"] == .bool(true))
    var configuration = world.engine.configuration
    configuration.redactsWhenLocked = false
    world.input(.configurationRead(configuration))
    #expect(try #require(Self.status(world, client))["redacted"] == nil)
    configuration.redactsWhenLocked = true
    world.input(.configurationRead(configuration))
    #expect(try #require(Self.status(world, client))["redacted"] == .bool(true))
  }

  @Test func x08_withoutABusNothingIsKnown() throws {
    let world = try Self.world([1000: false])
    let client = world.connect(Caller(.control, user: 1000))
    #expect(try #require(Self.status(world, client))["redacted"] == nil)
    world.busIsThere = false
    world.input(.busLost("gone"))
    #expect(try #require(Self.status(world, client))["redacted"] == .bool(true))
    world.busIsThere = true
    world.advance(.seconds(3))
    #expect(try #require(Self.status(world, client))["redacted"] == nil)
  }

  @Test func x09_aUserIsForgottenWithTheLastClient() throws {
    let world = try Self.world([1000: true])
    let clients = (0..<2).map { _ in world.connect(Caller(.control, user: 1000)) }
    #expect(world.logind.questions == ["1000"], "asked once")
    world.input(.clientGone(clients[0]))
    world.arrive(world.logind.lock(1000, true))
    #expect(world.logind.questions == ["1000", "1000"])
    world.input(.clientGone(clients[1]))
    world.arrive(world.logind.lock(1000, true))
    #expect(world.logind.questions == ["1000", "1000"], "nobody is there whose screen it would be")
  }
}
