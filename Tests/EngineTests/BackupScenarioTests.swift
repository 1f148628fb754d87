import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// A client is given a copy of the store while workouts go on.
struct BackupScenarioTests {
  private static let failure = StoreError(operation: .backup, code: 13, text: "no room", kind: .full)

  private static func ask(_ world: World, _ caller: Caller = Caller()) -> ClientID {
    let client = world.connect(caller)
    world.send(client, VarlinkCall("io.strapd.Backup", more: true))
    return client
  }

  private static func phases(_ replies: [JSON]) -> [String] {
    replies.compactMap { $0["parameters"]?["phase"]?.asString }
  }

  private static func octets(_ replies: [JSON]) -> [UInt8] {
    replies.flatMap { $0["parameters"]?["data"]?.asString.flatMap { Base64.octets(of: $0) } ?? [] }
  }

  private static func error(_ replies: [JSON]) -> String? { replies.last?["error"]?.asString }

  @Test func stepByStep() throws {
    let world = World()
    world.backupSteps = [
      .backupStepped(.copied(4096, of: 8192)), .backupStepped(.copied(8192, of: 8192)),
      .backupStepped(.checked(10, of: 8192)), .backupStepped(.checked(11, of: 8192)),
      .backupStepped(.checked(8192, of: 8192)), .backupStepped(.read([0x61], of: 3)),
      .backupStepped(.read([0x62, 0x63], of: 3)), .backupStepped(.over),
    ]
    let client = Self.ask(world)
    world.advance(.zero)
    let replies = world.take(client)
    #expect(
      Self.phases(replies) == ["copying", "copying", "checking", "checking", "sending", "sending", "done"],
      "a hundredth is told once")
    #expect(replies.map { $0["continues"] == .bool(true) } == [true, true, true, true, true, true, false])
    #expect(Self.octets(replies) == [0x61, 0x62, 0x63])
    let last = try #require(replies.last?["parameters"])
    #expect(last["octets"]?.asInteger == 3)
    #expect(
      last["sha256"]?.asString == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abc's")
    #expect(!world.isBackingUp && world.engine.backup.client == nil)
    #expect(world.logs.contains { $0.text.hasPrefix("Backup is called by") })
    #expect(world.logs.contains { $0.text.hasPrefix("a backup of 3 octets was given to user") })
    world.send(client, VarlinkCall("io.strapd.GetStatus"))
    #expect(world.take(client).count == 1, "the conversation goes on")
  }

  /// The store is a real one: its copy is whole, with what was written while it was made.
  @Test func ofARealStoreWhileAWorkoutRuns() throws {
    let world = try World.onDisk()
    world.call("Prepare")
    world.advance(.seconds(1))
    world.call("Start")
    world.beats(200)
    let client = Self.ask(world)
    world.beats(1)
    let replies = world.take(client)
    let octets = Self.octets(replies)
    #expect(Self.phases(replies).last == "done" && octets.starts(with: Array("SQLite format 3\0".utf8)))
    #expect(octets[18] == 1 && octets[19] == 1, "no log beside it is needed")
    var digest = SHA256()
    digest.update(octets)
    #expect(replies.last?["parameters"]?["sha256"]?.asString == digest.hexadecimal)
    #expect(replies.last?["parameters"]?["octets"]?.asInteger == Int64(octets.count))
    #expect(try #require(world.disk).copies == [])
    world.beats(5)
    #expect(world.call("End")["error"] == nil, "the workout has gone on")
  }

  @Test func oneAtATime() throws {
    let world = World()
    world.backupSteps = [.backupStepped(.copied(1, of: 100))]
    let client = Self.ask(world)
    let other = Self.ask(world)
    #expect(Self.error(world.take(other)) == "io.strapd.BackupBusy")
    #expect(world.engine.backup.client == client && world.isBackingUp, "the first one goes on")
    world.input(.clientGone(client))
    #expect(!world.isBackingUp)
    world.backupSteps = [.backupStepped(.read([1], of: 1))]
    world.send(other, VarlinkCall("io.strapd.Backup", more: true))
    world.advance(.zero)
    #expect(Self.phases(world.take(other)) == ["sending", "done"])
  }

  @Test func aClientThatGoesEndsIt() throws {
    let world = try World.onDisk()
    let client = Self.ask(world)
    #expect(world.isBackingUp && world.disk?.copies != [])
    world.input(.clientGone(client))
    #expect(!world.isBackingUp && world.disk?.copies == [])
    world.advance(.seconds(100))
    #expect(!world.logs.contains { $0.text.contains("could not be made") })
  }

  @Test func aFailureIsToldAndEndsIt() throws {
    let world = World()
    world.backupSteps = [.backupStepped(.copied(1, of: 100)), .backupFailed(Self.failure)]
    let client = Self.ask(world)
    world.advance(.zero)
    let replies = world.take(client)
    #expect(Self.error(replies) == "io.strapd.StoreFailed")
    #expect(replies.last?["parameters"]?["operation"]?.asString == "backup")
    #expect(!world.isBackingUp && world.engine.backup.client == nil)
    #expect(world.logs.count { $0.text.contains("a backup could not be made") } == 1)
    world.advance(.seconds(100))
    #expect(!world.closedClients.contains(client))
  }

  /// What it does not take waits in the store, not in the daemon's memory.
  @Test func aClientThatTakesNothing() throws {
    let world = World()
    let piece = [UInt8](repeating: 7, count: 24 << 10)
    world.backupSteps = (0..<1000).map { _ in .backupStepped(.read(piece, of: 1000 * piece.count)) }
    let client = Self.ask(world)
    world.stalled = [client]
    world.advance(.seconds(1))
    let sent = 1000 - world.backupSteps.count
    #expect(sent * piece.count <= (256 << 10) + piece.count && sent > 1, "\(sent) pieces")
    world.advance(.seconds(50))
    #expect(1000 - world.backupSteps.count == sent)
    world.input(.clientDrained(client))
    world.advance(.seconds(59))
    #expect(1000 - world.backupSteps.count > sent, "it goes on as soon as the client does")
    #expect(!world.closedClients.contains(client))
    world.advance(.seconds(2))
    #expect(world.closedClients.contains(client) && !world.isBackingUp && world.engine.backup.client == nil)
  }

  @Test func theDaemonEnds() throws {
    let world = World()
    world.backupSteps = [.backupStepped(.copied(1, of: 100))]
    let client = Self.ask(world)
    world.input(.terminationRequested)
    #expect(Self.error(world.take(client)) == "io.strapd.ShuttingDown")
    #expect(!world.isBackingUp)
    #expect(Self.error(world.take(Self.ask(world))) == "io.strapd.ShuttingDown")
  }

  @Test func whoMayNotHaveIt() throws {
    let world = World()
    let reader = Self.ask(world, Caller(.monitor))
    #expect(Self.error(world.take(reader)) == "org.varlink.service.PermissionDenied")
    let impatient = world.connect()
    world.send(impatient, VarlinkCall("io.strapd.Backup"))
    #expect(Self.error(world.take(impatient)) == "org.varlink.service.ExpectedMore")
    #expect(!world.isBackingUp)
  }

  @Test func aLockedScreen() throws {
    var configuration = try Configuration(parsing: "redact_when_locked = yes", file: "x")
    configuration.strap = World.a
    let world = World(configuration)
    world.logind.screens = [1000: true, 1001: false]
    #expect(Self.error(world.take(Self.ask(world, Caller(.control, user: 1000)))) == "io.strapd.ScreenLocked")
    #expect(!world.isBackingUp)
    // Locked in its midst.
    world.backupSteps = (0..<100).map { _ in .backupStepped(.read([1, 2, 3], of: 300)) }
    let client = Self.ask(world, Caller(.control, user: 1001))
    #expect(world.isBackingUp)
    world.arrive(world.logind.lock(1001, true))
    world.advance(.zero)
    #expect(Self.error(world.take(client)) == "io.strapd.ScreenLocked")
    #expect(!world.isBackingUp)
  }
}
