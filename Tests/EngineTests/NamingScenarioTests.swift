import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Names given to straps, and straps forgotten, in virtual time.
struct NamingScenarioTests {
  private static let a = World.a.description
  private static let b = World.b.description

  private static func configured(_ text: String) throws -> Configuration {
    try Configuration(parsing: text, file: "/etc/strapd/strapd.conf")
  }

  private static func straps(_ world: World) -> [JSON] {
    world.call("ListStraps")["parameters"]?.list("straps") ?? []
  }

  private static func name(_ world: World, _ strap: String, _ name: String?, athlete: String? = nil) -> JSON {
    world.call(
      "NameStrap", ["strap": .string(strap), "name": name.map(JSON.string), "athlete": athlete.map(JSON.string)])
  }

  // MARK: The list

  @Test func everythingThatIsKnownIsListed() throws {
    var stored = StrapRecord(try #require(StrapAddress("00:00:00:00:00:01")))
    stored.name = StrapName("Old one")
    stored.model = "M1"
    let world = World(
      try Self.configured("strap = \(Self.a)\n[strap \(Self.b)]\nname = Right\nathlete = Ben\n"),
      records: [.strap(stored)])
    let straps = Self.straps(world)
    #expect(straps.map { $0["address"]?.asString } == ["00:00:00:00:00:01", Self.a, Self.b])
    #expect(straps.map { $0["name"]?.asString } == ["Old one", nil, "Right"])
    #expect(straps.map { $0["athlete"]?.asString } == [nil, nil, "Ben"])
    #expect(straps.map { $0["model"]?.asString } == ["M1", nil, nil])
    #expect(straps.map { $0["configurationFile"]?.asString } == [nil, nil, "/etc/strapd/strapd.conf"])
    #expect(straps.map { $0["bonded"]?.asBool } == [false, false, false])
    #expect(straps.allSatisfy { $0["link"]?.asString == "standing" && $0["connected"]?.asBool == false })
  }

  @Test func theListTellsWhatAStrapIsDoingNow() throws {
    let world = World()
    world.bluez.straps[World.a]?.isBonded = true
    let id = world.call("Prepare")["parameters"]?["session"]
    world.advance(.milliseconds(150))
    #expect(Self.straps(world).first?["rssi"]?.asInteger == -50)
    world.advance(.seconds(2))
    world.beat(70)
    world.arrive(world.bluez.batteryAppears(World.a, 44))
    let strap = try #require(Self.straps(world).first)
    #expect(strap["link"]?.asString == "streaming")
    #expect(strap["connected"]?.asBool == true)
    #expect(strap["bonded"]?.asBool == true)
    #expect(strap["batteryPercent"]?.asInteger == 44)
    #expect(strap["session"] == id)
    #expect(strap["deviceName"]?.asString == "Demo HR")
    #expect(strap["lastSeenDate"]?.asString != nil)

    world.arrive(world.bluez.stop())
    #expect(Self.straps(world).first?["bonded"] == nil, "nobody can be asked")
    #expect(Self.straps(world).first?["batteryPercent"]?.asInteger == 44, "as it was last read")
  }

  // MARK: Naming

  @Test func aNameIsKeptAndStandsForTheAddressAtOnce() throws {
    let world = World(Configuration())
    let reply = Self.name(world, Self.b, "Anna's", athlete: "Anna")
    #expect(reply["parameters"]?["strap"]?["name"]?.asString == "Anna's")
    #expect(reply["parameters"]?["strap"]?["athlete"]?.asString == "Anna")
    #expect(world.knownStraps == [KnownStrapsTests.record(World.b, "Anna's", athlete: "Anna")])
    #expect(world.call("Create", ["strap": .string("ANNA'S")])["parameters"]?["snapshot"]?["strap"]?.asString == Self.b)
    let again = world.killed()
    #expect(Self.straps(again).map { $0["name"]?.asString } == ["Anna's"])
    #expect(again.call("Create", ["strap": .string("anna's")])["error"] == nil)
  }

  /// The second call is read when the first is answered.
  @Test func aNameStandsForTheAddressInTheNextCallOfTheSameClient() throws {
    let world = World(Configuration())
    let client = world.connect()
    var bytes = VarlinkCall("io.strapd.NameStrap", .object(["strap": .string(Self.b), "name": .string("X")])).message
    bytes += VarlinkCall("io.strapd.Create", .object(["strap": .string("x")])).message
    world.input(.clientSent(client, bytes))
    let replies = world.take(client)
    #expect(replies.count == 2)
    #expect(replies.last?["parameters"]?["snapshot"]?["strap"]?.asString == Self.b)
  }

  @Test func whatIsNotSaidStays() throws {
    let world = World(Configuration())
    _ = Self.name(world, Self.a, "Left", athlete: "Anna")
    _ = Self.name(world, "left", nil, athlete: "Ben")
    #expect(world.knownStraps == [KnownStrapsTests.record(World.a, "Left", athlete: "Ben")])
    _ = Self.name(world, "LEFT", "LEFT")
    #expect(world.knownStraps == [KnownStrapsTests.record(World.a, "LEFT", athlete: "Ben")], "only the case is another")
    _ = Self.name(world, "left", "", athlete: nil)
    #expect(world.knownStraps == [KnownStrapsTests.record(World.a, nil, athlete: "Ben")])
    #expect(Self.name(world, "left", "x")["error"]?.asString == "io.strapd.UnknownStrap")
    _ = Self.name(world, Self.a, nil, athlete: "")
    #expect(world.knownStraps == [], "of a strap that was never seen nothing is left")
    #expect(Self.straps(world) == [])
  }

  @Test func sayingNothingChangesNothing() {
    let world = World(Configuration())
    let before = world.records.count
    #expect(Self.name(world, Self.a, nil)["error"] == nil)
    #expect(Self.name(world, Self.a, "")["error"] == nil)
    #expect(world.records.count == before)
  }

  @Test func aStrapThatWasSeenStaysKnownWithoutItsName() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beat(70)
    world.advance(.seconds(1))
    _ = Self.name(world, Self.a, "Left")
    #expect(world.knownStraps.first?.name?.description == "Left")
    _ = Self.name(world, Self.a, "")
    #expect(world.knownStraps.first?.name == nil)
    #expect(world.knownStraps.first?.model == "Simulated")
  }

  @Test func anotherStrapsNameIsRefusedWithWhoHasIt() throws {
    let world = World(try Self.configured("[strap \(Self.b)]\nname = Right\n"))
    for taken in ["Right", "RIGHT"] {
      let reply = Self.name(world, Self.a, taken)
      #expect(reply["error"]?.asString == "io.strapd.NameTaken")
      #expect(reply["parameters"]?["strap"]?.asString == Self.b)
    }
    _ = Self.name(world, Self.a, "Left")
    let reply = Self.name(world, "00:00:00:00:00:01", "left")
    #expect(reply["error"]?.asString == "io.strapd.NameTaken")
    #expect(reply["parameters"]?["strap"]?.asString == Self.a)
    #expect(world.knownStraps == [KnownStrapsTests.record(World.a, "Left")])
  }

  @Test func whatTheConfigurationSaysIsRefusedWithItsFile() throws {
    let world = World(try Self.configured("[strap \(Self.a)]\nname = Left\n[strap \(Self.b)]\nathlete = Ben\n"))
    for (strap, name, athlete, parameter) in [
      (Self.a, "x", nil, "name"), ("left", "", "Anna", "name"), (Self.b, nil, "Anna", "athlete"),
      (Self.b, nil, "", "athlete"),
    ] as [(String, String?, String?, String)] {
      let reply = Self.name(world, strap, name, athlete: athlete)
      #expect(reply["error"]?.asString == "io.strapd.SetInConfiguration")
      #expect(reply["parameters"]?["parameter"]?.asString == parameter)
      #expect(reply["parameters"]?["file"]?.asString == "/etc/strapd/strapd.conf")
    }
    #expect(world.knownStraps == [], "a refused call has no effect in part")
    #expect(Self.name(world, Self.a, nil, athlete: "Anna")["error"] == nil, "what the section leaves out may be said")
    #expect(Self.name(world, Self.b, "Right")["error"] == nil)
    #expect(Self.straps(world).map { $0["athlete"]?.asString } == ["Anna", "Ben"])
  }

  @Test func theJournalAndTheStatusUseTheName() throws {
    let world = World()
    _ = Self.name(world, Self.a, "Left", athlete: "Anna")
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beat(70)
    #expect(world.logs.contains { $0.text == "receiving heart rate from Left (\(Self.a))" })
    #expect(world.strap()["givenName"]?.asString == "Left")
    #expect(world.strap()["athlete"]?.asString == "Anna")
    #expect(world.strap()["name"]?.asString == "Demo HR")
  }

  /// What a strap is called can wait until the store can be written, and is not said before.
  @Test func noNameOnAFullDisk() {
    let world = World(Configuration())
    world.storeFailure = StoreError(operation: .commit, code: 13, text: "disk full")
    #expect(Self.name(world, Self.a, "Left")["error"]?.asString == "io.strapd.StoreFailed")
    #expect(world.knownStraps == [])
    #expect(Self.straps(world).allSatisfy { $0["name"] == nil })
    world.storeFailure = nil
    world.advance(.seconds(2))
    #expect(world.knownStraps == [])
    _ = Self.name(world, Self.a, "Left")
    #expect(world.knownStraps == [KnownStrapsTests.record(World.a, "Left")])
  }

  // MARK: Forgetting

  private static func used(bonded: Bool) -> World {
    let world = World(Configuration())
    world.bluez.straps[World.a]?.isBonded = bonded
    world.call("Prepare", ["strap": .string(a)])
    world.advance(.seconds(2))
    world.beat(70)
    world.advance(.seconds(1))
    world.call("End")
    world.advance(.seconds(5))
    return world
  }

  @Test(arguments: [false, true])
  func aForgottenStrapIsGoneWithItsBond(_ isBonded: Bool) {
    let world = Self.used(bonded: isBonded)
    #expect(world.knownStraps.count == 1)
    let reply = world.call("ForgetStrap", ["strap": .string(Self.a)])
    #expect(reply["parameters"]?["strap"]?.asString == Self.a)
    #expect(reply["parameters"]?["bondRemoved"]?.asBool == isBonded)
    #expect(world.bluez.calls.contains("RemoveDevice") == isBonded)
    #expect(world.bluez.straps[World.a]?.isBonded == false)
    #expect(world.knownStraps == [])
    #expect(world.killed().engine.roster.known.records == [:])
    #expect(world.status["straps"]?.asArray == [])
    // And may be used again, as a new one.
    world.call("Prepare", ["strap": .string(Self.a)])
    world.advance(.seconds(40))
    world.beat(70)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.knownStraps.count == 1)
  }

  /// Its link is still being put down, and bluetoothd still shows its battery.
  @Test func aStrapThatIsForgottenAtOnceStaysForgotten() {
    let world = World(Configuration())
    world.call("Prepare", ["strap": .string(Self.a)])
    world.advance(.seconds(2))
    world.beat(70)
    world.arrive(world.bluez.batteryAppears(World.a, 50))
    world.advance(.seconds(1))
    world.call("End")
    #expect(world.call("ForgetStrap", ["strap": .string(Self.a)])["error"] == nil)
    world.arrive(world.bluez.batteryChanges(World.a, 49))
    world.advance(.seconds(5))
    #expect(world.knownStraps == [])
    #expect(Self.straps(world) == [])
    #expect(world.status["straps"]?.asArray == [])
  }

  @Test func aForgottenNameIsFree() {
    let world = World(Configuration())
    _ = Self.name(world, Self.a, "Left")
    #expect(world.call("ForgetStrap", ["strap": .string("left")])["error"] == nil)
    #expect(world.call("Create", ["strap": .string("left")])["error"]?.asString == "io.strapd.UnknownStrap")
    #expect(Self.name(world, Self.b, "Left")["error"] == nil)
  }

  @Test func aStrapInUseIsNotForgotten() {
    let world = World()
    let id = world.call("Prepare")["parameters"]?["session"]
    world.advance(.seconds(2))
    let reply = world.call("ForgetStrap", ["strap": .string(Self.a)])
    #expect(reply["error"]?.asString == "io.strapd.StrapInUse")
    #expect(reply["parameters"]?["session"] == id)
    #expect(!world.bluez.calls.contains("RemoveDevice"))
  }

  @Test func aStrapThatAClientHoldsIsNotForgotten() {
    let world = World(Configuration())
    let client = world.connect()
    world.bluez.straps[World.a]?.isPresent = false
    _ = Self.name(world, Self.a, "Left")
    world.send(client, VarlinkCall("io.strapd.Pair", .object(["strap": .string(Self.a)])))
    #expect(Self.straps(world).first?["clients"]?.asInteger == 1)
    #expect(world.call("ForgetStrap", ["strap": .string(Self.a)])["error"]?.asString == "io.strapd.StrapHeld")
    world.input(.clientGone(client))
    #expect(world.call("ForgetStrap", ["strap": .string(Self.a)])["error"] == nil)
  }

  @Test func whatIsNotKnownCannotBeForgotten() {
    let world = World(Configuration())
    _ = Self.name(world, Self.b, "Right")
    let reply = world.call("ForgetStrap", ["strap": .string(Self.a)])
    #expect(reply["error"]?.asString == "io.strapd.UnknownStrap")
    #expect(reply["parameters"]?["strap"]?.asString == Self.a)
    #expect(reply["parameters"]?["known"]?.asArray == [.string("Right")])
  }

  @Test func whatTheConfigurationSaysStays() throws {
    let world = World(try Self.configured("[strap \(Self.a)]\nname = Left\n"))
    let reply = world.call("ForgetStrap", ["strap": .string("left")])
    #expect(reply["parameters"]?["configurationFile"]?.asString == "/etc/strapd/strapd.conf")
    #expect(Self.straps(world).map { $0["name"]?.asString } == ["Left"])
  }

  /// Nothing is forgotten by halves.
  @Test func aBondThatCannotBeRemovedKeepsTheStrap() {
    let world = Self.used(bonded: true)
    world.bluez.removeError = BusError(name: "org.bluez.Error.Failed", text: "busy")
    let reply = world.call("ForgetStrap", ["strap": .string(Self.a)])
    #expect(reply["error"]?.asString == "io.strapd.StrapFailed")
    #expect(reply["parameters"]?["text"]?.asString == "its bond could not be removed: busy")
    #expect(world.knownStraps.count == 1)
    world.bluez.removeError = nil
    #expect(world.call("ForgetStrap", ["strap": .string(Self.a)])["parameters"]?["bondRemoved"]?.asBool == true)
  }

  @Test func withoutBluetoothdNobodyKnowsOfTheBond() {
    let world = Self.used(bonded: true)
    world.arrive(world.bluez.stop())
    let reply = world.call("ForgetStrap", ["strap": .string(Self.a)])
    #expect(reply["error"] == nil)
    #expect(reply["parameters"]?["bondRemoved"] == nil)
    #expect(world.knownStraps == [])
  }

  @Test func aBluetoothdThatGoesMeanwhileIsTold() {
    let world = Self.used(bonded: true)
    world.bluez.isRemovalSlow = true
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.ForgetStrap", .object(["strap": .string(Self.a)])))
    world.advance(.seconds(1))
    #expect(world.take(client) == [])
    #expect(world.call("ForgetStrap", ["strap": .string(Self.a)])["error"]?.asString == "io.strapd.StrapHeld")
    world.arrive(world.bluez.stop())
    let reply = world.take(client)
    #expect(reply.first?["error"]?.asString == "io.strapd.StrapFailed")
    #expect(reply.first?["parameters"]?["text"]?.asString == "bluetoothd went away while it removed the bond")
    #expect(world.knownStraps.count == 1)
  }
}

extension JSON {
  fileprivate func list(_ name: String) -> [JSON] { self[name]?.asArray ?? [] }
}
