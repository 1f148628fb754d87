import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// The people who wear straps.
@Suite struct AthleteScenarioTests {
  private func names(_ reply: JSON) -> [String] {
    (reply["parameters"]?["athletes"]?.asArray ?? []).map { athlete in
      (athlete["name"]?.asString ?? "?") + (athlete["default"]?.asBool == true ? "*" : "")
    }
  }

  private func set(_ world: World, _ name: String, isDefault: Bool = false) -> [String] {
    names(world.call("SetAthlete", ["name": .string(name), "default": .bool(isDefault)]))
  }

  @Test func p01_oneIsTheDefault() {
    let world = World(World.configured)
    #expect(set(world, "Ben") == ["Ben*"], "the first is")
    #expect(set(world, "Anna") == ["Anna", "Ben*"])
    #expect(set(world, "Anna", isDefault: true) == ["Anna*", "Ben"])
    #expect(set(world, "Anna") == ["Anna*", "Ben"], "it is until another one is")
    #expect(names(world.call("ForgetAthlete", ["name": .string("Anna")])) == ["Ben*"])
    #expect(world.call("ForgetAthlete", ["name": .string("Anna")])["error"]?.asString == "io.strapd.UnknownAthlete")
    #expect(names(world.call("ForgetAthlete", ["name": .string("Ben")])) == [])
  }

  @Test func p02_aWorkoutIsTheDefaultsWhereNobodyIsKnownToWearTheStrap() {
    let world = World(World.configured)
    _ = set(world, "Anna")
    world.call("Prepare")
    #expect(world.live["athlete"]?.asString == "Anna")
    world.call("End")
    world.call("NameStrap", ["strap": .string(World.a.description), "athlete": .string("Ben")])
    world.call("Prepare")
    #expect(world.live["athlete"]?.asString == "Ben")
  }

  @Test func p03_aProfilesZonesAreThisAthletesWorkouts() {
    var configuration = World.configured
    configuration.zones = HeartRateZones(text: "100 120 140 160")
    let zones: JSON = .array([
      .object(["upper": .integer(110)]), .object(["lower": .integer(110), "upper": .integer(150)]),
      .object(["lower": .integer(150)]),
    ])
    let world = World(configuration)
    world.call("SetAthlete", ["name": .string("Anna"), "zones": zones])
    world.call("Prepare")
    #expect(world.live["zones"] == zones)
    world.call("End")
    world.call("SetAthlete", ["name": .string("Anna")])
    world.call("Prepare")
    #expect(world.live["zones"]?.asArray?.count == 5, "those of everybody")
  }

  @Test func p04_theyOutliveTheDaemon() {
    let world = World(World.configured)
    world.call("SetAthlete", ["name": .string("Anna"), "restingHeartRate": .integer(48)])
    _ = set(world, "Ben")
    let again = world.killed()
    let athletes = again.call("ListAthletes")
    #expect(names(athletes) == ["Anna*", "Ben"])
    #expect(athletes["parameters"]?["athletes"]?.asArray?.first?["restingHeartRate"]?.asInteger == 48)
  }

  @Test func p05_whatIsOutOfRangeSaysWhatIsAllowed() {
    let world = World(World.configured)
    let wrong: [(String, JSON, String)] = [
      ("yearOfBirth", .integer(88), "1900 to 2100"), ("massKilograms", .real(0), "10 to 500"),
      ("restingHeartRate", .integer(5), "20 to 150 beats a minute"),
      ("maximumHeartRate", .integer(999), "60 to 250 beats a minute"),
    ]
    for (member, value, allowed) in wrong {
      let reply = world.call("SetAthlete", ["name": .string("Anna"), member: value])
      #expect(reply["error"]?.asString == "io.strapd.InvalidProfile")
      #expect(reply["parameters"]?["parameter"]?.asString == member)
      #expect(reply["parameters"]?["allowed"]?.asString == allowed)
    }
    let both = world.call(
      "SetAthlete",
      ["name": .string("Anna"), "restingHeartRate": .integer(100), "maximumHeartRate": .integer(100)])
    #expect(both["parameters"]?["parameter"]?.asString == "maximumHeartRate")
    #expect(names(world.call("ListAthletes")) == [])
  }
}
