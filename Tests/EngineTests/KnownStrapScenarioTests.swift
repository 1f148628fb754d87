import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What is known of straps, in virtual time.
struct KnownStrapScenarioTests {
  private static func configured(_ text: String) throws -> Configuration {
    try Configuration(parsing: text, file: "strapd.conf")
  }

  @Test func aStrapThatStreamsBecomesKnown() throws {
    let world = World()
    #expect(world.knownStraps == [], "being configured is no news for the store")
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(3)
    let known = try #require(world.knownStraps.first)
    #expect(world.knownStraps.count == 1)
    #expect(known.address == World.a)
    #expect(known.deviceName == "Demo HR")
    #expect(known.model == "Simulated")
    #expect(known.name == nil)
    let connected = try #require(known.lastSeen)
    #expect(connected > World.start.wall && world.now.wall - connected > .seconds(2))

    world.lose()
    let last = try #require(world.knownStraps.first?.lastSeen)
    #expect(world.now.wall - last == .seconds(1), "the last measurement was then")
    let written = world.records.count { if case .strap = $0 { true } else { false } }
    #expect(written <= 5, "and not with each beat")
  }

  @Test func knownStrapsAreKeptOverARestart() throws {
    let world = World()
    world.bluez.straps[World.a]?.battery = nil
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(3)
    let again = world.killed()
    let known = try #require(world.knownStraps.first)
    #expect(again.engine.roster.known.records == [World.a: known])
  }

  /// A private address is another one tomorrow.
  @Test func aStrapBehindAPrivateAddressIsNotKept() throws {
    let hidden = try #require(StrapAddress("4A:00:00:00:00:01"))
    var bluez = SimulatedBlueZ()
    bluez.straps = [hidden: .init(name: "Hidden")]
    let world = World(Configuration(), bluez: bluez)
    world.call("Prepare", ["strap": .string(hidden.description)])
    world.advance(.seconds(2))
    world.beat(70, hidden)
    #expect(world.strap(hidden)["link"]?.asString == "streaming")
    #expect(world.knownStraps == [])
  }

  @Test func aNameStandsForTheAddress() throws {
    let world = World(try Self.configured("[strap \(World.b)]\nname = Other\n"))
    let reply = world.call("Prepare", ["strap": .string("OTHER")])
    #expect(reply["parameters"]?["snapshot"]?["strap"]?.asString == World.b.description)
    let unknown = world.call("Create", ["strap": .string("Ohter")])
    #expect(unknown["error"]?.asString == "io.strapd.UnknownStrap")
    #expect(unknown["parameters"]?["known"]?.asArray == [.string("Other")])
  }

  @Test func theUsualStrapMayBeNamedInTheFile() throws {
    let world = World(try Self.configured("strap = other\n[strap \(World.b)]\nname = Other\n"))
    #expect(world.strap(World.b)["link"]?.asString == "standing", "it is shown before it is wanted")
    let reply = world.call("Prepare")
    #expect(reply["parameters"]?["snapshot"]?["strap"]?.asString == World.b.description)
  }

  @Test func theUsualStrapMayHaveItsNameFromTheStore() throws {
    var record = StrapRecord(World.b)
    record.name = StrapName("Other")
    let world = World(try Self.configured("strap = OTHER\n"), records: [.strap(record)])
    #expect(world.logs.isEmpty)
    #expect(world.call("Create")["parameters"]?["snapshot"]?["strap"]?.asString == World.b.description)
  }

  /// It could be anybody's strap that a session would take instead.
  @Test func aUsualStrapThatNobodyIsCalledRefusesSessions() throws {
    let world = World(try Self.configured("strap = Ohter\n[strap \(World.b)]\nname = Other\n"))
    #expect(
      world.logs.map(\.text) == [
        "the configuration wants the strap 'Ohter', and no strap is called that (known are Other): sessions that name "
          + "no strap are refused until one is"
      ])
    for call in ["Create", "Prepare"] {
      let reply = world.call(call)
      #expect(reply["error"]?.asString == "io.strapd.UnknownStrap")
      #expect(reply["parameters"]?["strap"]?.asString == "Ohter")
    }
    #expect(world.status["sessions"]?.asArray == [])
    #expect(world.call("Create", ["strap": .string("other")])["error"] == nil)
  }

  @Test func aNameThatTheConfigurationHasTakenIsTold() throws {
    var record = StrapRecord(World.a)
    record.name = StrapName("other")
    let world = World(try Self.configured("[strap \(World.b)]\nname = Other\n"), records: [.strap(record)])
    let text = "\(World.a) has lost its name 'other', which the configuration gives to another strap"
    #expect(world.logs == [LogEntry(.warning, text, strap: World.a)])
  }
}
