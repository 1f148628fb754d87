import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Zones, goals, alerts, types and metadata.
struct SettingScenarioTests {
  private static let zones: JSON = .array([
    .object(["upper": .integer(100)]), .object(["lower": .integer(100), "upper": .integer(120)]),
    .object(["lower": .integer(120)]),
  ])

  private func zoneEvents(_ world: World) -> [Int] {
    world.events.compactMap { if case .zone(let zone, _) = $0.what { zone } else { nil } }
  }

  private func told(_ world: World) -> [(seconds: Double, text: String)] {
    world.events.compactMap { event in
      let seconds = (event.date - World.start.wall).inSeconds
      switch event.what {
      case .alert(let alert, let isOn): return (seconds, "\(alert.kind) \(isOn)")
      case .goal(let goal): return (seconds, goal.text)
      default: return nil
      }
    }
  }

  // MARK: Zones

  @Test func z01_zonesAreSetBeforeCollectionAndTellOfChangesOnly() {
    let world = World.prepared()
    #expect(world.outcome("SetZones", ["zones": Self.zones]) == "prepared")
    world.call("Start")
    for heartRate in [90, 95, 99, 100, 119, 120, 121, 110, 111, 90] as [UInt8] {
      world.beat(heartRate)
      world.advance(.seconds(1))
    }
    #expect(zoneEvents(world) == [1, 2, 3, 2, 1])
    #expect(world.live["zone"]?.asInteger == 1)
    #expect(world.outcome("SetZones", ["zones": .null]) == "CallNotAllowed", "collection has begun")
    world.call("Lap")
    world.beat(130)
    world.advance(.seconds(4))
    world.call("BeginActivity", ["activity": .string("cycling")])
    world.beat(105)
    world.advance(.seconds(1))
    world.call("End")
    let saved = world.saved
    #expect(saved?.zones?.bounds == [100, 120])
    #expect(saved?.heartRate?.timeInZones == [.seconds(4), .seconds(5), .seconds(6)])
    #expect(saved?.laps.first?.summary.heartRate?.timeInZones == [.seconds(4), .seconds(4), .seconds(2)])
    #expect(saved?.activities.first?.summary.heartRate?.timeInZones == [.zero, .seconds(1), .zero])
    #expect(saved?.heartRate?.timeInZones.reduce(.zero, +) == saved?.heartRate?.covered)
  }

  @Test func z02_theAthletesZonesComeFromTheConfiguration() {
    var configuration = World.configured
    configuration.zones = HeartRateZones(text: "110 150")
    let world = World.running(configuration)
    world.beats(2, 120)
    #expect(world.live["zones"]?.asArray?.count == 3)
    #expect(zoneEvents(world) == [2])
    world.call("End")
    #expect(world.saved?.zones?.bounds == [110, 150])
    // And a session may have its own, or none.
    world.call("Create")
    #expect(world.outcome("SetZones", ["zones": .null]) == "notStarted")
    #expect(world.live["zones"] == nil)
  }

  @Test func z03_aListWithAHoleSaysWhatIsAllowed() {
    let world = World.prepared()
    let hole: JSON = .array([
      .object(["upper": .integer(100)]), .object(["lower": .integer(105), "upper": .integer(120)]),
      .object(["lower": .integer(120)]),
    ])
    let refusal = world.call("SetZones", ["zones": hole])
    #expect(refusal["error"]?.asString == "io.strapd.InvalidZones")
    #expect(refusal["parameters"]?["text"]?.asString == "zone 1 ends at 100, and zone 2 begins at 105")
    #expect(refusal["parameters"]?["allowed"]?.asString?.hasPrefix("3 to 9 zones") == true)
    #expect(world.live["zones"] == nil)
  }

  @Test func z04_zonesSurviveAKill() {
    let world = World.prepared()
    world.call("SetZones", ["zones": Self.zones])
    world.call("Start")
    world.beats(3, 110)
    let again = world.killed(downFor: .seconds(5))
    again.advance(.seconds(2))
    again.beats(3, 110)
    #expect(zoneEvents(again) == [2], "once, for those who watch anew")
    again.beats(1, 130)
    #expect(zoneEvents(again) == [2, 3])
    again.call("End")
    #expect(again.saved?.heartRate?.timeInZones == [.zero, .seconds(6), .seconds(1)])
  }

  // MARK: Alerts

  private func alert(_ kind: String, _ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object([.init("kind", .string(kind))] + members.compactMap { name, value in value.map { .init(name, $0) } })
  }

  @Test func a01_aboveForTenSecondsNotBeforeAMinute() {
    let world = World.running()
    let alerts: JSON = .array([
      alert(
        "above", ["heartRate": .integer(150), "debounceSeconds": .integer(10), "initialDelaySeconds": .integer(60)])
    ])
    #expect(world.outcome("SetAlerts", ["alerts": alerts]) == "running")
    world.beats(60, 160)  // 3 s were before the start
    #expect(told(world).map(\.seconds) == [63], "at the delay, since it had been so for long")
    world.beats(20, 140)
    #expect(told(world).map(\.seconds) == [63, 73])
    #expect(told(world).map(\.text) == ["above(150) true", "above(150) false"])
    world.beats(30, 149)  // 149, 150, 151, 149, …
    #expect(told(world).count == 2, "what flaps at the limit does not ring")
  }

  @Test func a02_itRingsAtTheVeryMomentAndNotWithTheNextBeat() {
    let world = World.running()
    world.call(
      "SetAlerts", ["alerts": .array([alert("above", ["heartRate": .integer(150), "debounceSeconds": .real(2.5)])])])
    world.beat(160)
    world.advance(.milliseconds(2499))
    #expect(told(world).isEmpty)
    world.advance(.milliseconds(1))
    #expect(told(world).map(\.seconds) == [5.5])
  }

  @Test func a03_lossesAndPausesBeginAnew() {
    let world = World.running()
    world.call(
      "SetAlerts", ["alerts": .array([alert("below", ["heartRate": .integer(90), "debounceSeconds": .integer(5)])])])
    world.beats(3, 80)
    world.call("Pause")
    world.beats(10, 80)
    world.call("Resume")
    world.beats(3, 80)
    world.raw([0x04, 80])
    world.advance(.seconds(1))
    world.beats(4, 80)
    #expect(told(world).isEmpty)
    world.beats(2, 80)
    #expect(told(world).count == 1)
  }

  @Test func a04_everyFiveMinutesOfRunningTimeAndGoals() {
    let world = World.running()
    world.call("SetAlerts", ["alerts": .array([alert("every", ["intervalSeconds": .integer(300)])])])
    let goals: JSON = .array([
      .object(["kind": .string("duration"), "seconds": .integer(700)]),
      .object(["kind": .string("energy"), "kilojoules": .integer(5)]),
    ])
    world.call("SetGoals", ["goals": goals])
    world.advance(.seconds(200))
    world.call("Pause")
    world.advance(.seconds(1000))
    world.call("Resume")
    world.advance(.seconds(600))
    #expect(told(world).map(\.seconds) == [1303, 1603, 1703])
    #expect(told(world).last?.text == "duration 700")
    world.raw([0x0E, 100, 10, 0])
    world.advance(.seconds(1))
    world.raw([0x0E, 100, 15, 0])
    #expect(told(world).last?.text == "energy 5")
    world.advance(.seconds(5))
    #expect(told(world).count == 4)
  }

  @Test func a05_whatWasToldIsNotToldAgainAfterAKill() {
    let world = World.running()
    let alerts: JSON = .array([
      alert("above", ["heartRate": .integer(150)]), alert("every", ["intervalSeconds": .integer(10)]),
    ])
    world.call("SetAlerts", ["alerts": alerts])
    world.call("SetGoals", ["goals": .array([.object(["kind": .string("duration"), "seconds": .integer(5)])])])
    world.beats(12, 160)
    #expect(told(world).count == 3)
    let again = world.killed(downFor: .seconds(30))
    again.advance(.seconds(1))
    again.beats(3, 160)
    #expect(told(again).isEmpty, "\(told(again))")
    again.beats(1, 140)
    #expect(told(again).map(\.text) == ["above(150) false"])
    again.advance(.seconds(4))
    #expect(told(again).count == 2, "the next whole interval")
  }

  @Test func a06_wrongOnesSayWhatIsAllowed() {
    let world = World.running()
    let outside = world.call("SetAlerts", ["alerts": .array([alert("outsideZone", ["zone": .integer(2)])])])
    #expect(outside["error"]?.asString == "io.strapd.InvalidAlert")
    #expect(
      outside["parameters"]?["text"]?.asString
        == "its zone 2 is not among the session's zones: set those first, or alerts without it")
    #expect(world.outcome("SetAlerts", ["alerts": .array([alert("near", [:])])]) == "InvalidAlert")
    #expect(world.outcome("SetGoals", ["goals": .array([.object(["kind": .string("distance")])])]) == "InvalidGoal")
    #expect(world.live["alerts"] == .array([]))
  }

  /// It would stay on for ever.
  @Test func a07_zonesAreNotTakenAwayFromAnAlert() {
    let world = World.prepared()
    world.call("SetZones", ["zones": Self.zones])
    #expect(world.outcome("SetAlerts", ["alerts": .array([alert("outsideZone", ["zone": .integer(3)])])]) == "prepared")
    #expect(world.outcome("SetZones", ["zones": .null]) == "InvalidAlert")
    #expect(world.live["zones"] == Self.zones)
    #expect(world.outcome("SetAlerts", ["alerts": .array([])]) == "prepared")
    #expect(world.outcome("SetZones", ["zones": .null]) == "prepared")
  }

  /// Who wears the strap is known only when it is found.
  @Test func a08_theAthletesZonesDoNotTakeAnAlertsZoneAway() {
    var configuration = Configuration()
    configuration.zones = HeartRateZones(text: "100 120 140 160")
    configuration.straps[World.a] = StrapSection(World.a, file: "strapd.conf", line: 1)
    configuration.straps[World.a]?.zones = HeartRateZones(text: "110 150")
    for alertZone in [3, 5] {
      let world = World(configuration)
      world.call("Create")
      world.call("SetAlerts", ["alerts": .array([alert("outsideZone", ["zone": .integer(Int64(alertZone))])])])
      world.call("Prepare")
      world.advance(.seconds(5))
      world.beat(70)
      world.advance(.seconds(1))
      #expect(world.live["strap"]?.asString == World.a.description)
      #expect(world.live["zones"]?.asArray?.count == (alertZone == 3 ? 3 : 5))
    }
  }

  @Test func a09_zonesThatWereSetStay() {
    var configuration = Configuration()
    configuration.zones = HeartRateZones(text: "100 120")
    configuration.straps[World.a] = StrapSection(World.a, file: "strapd.conf", line: 1)
    configuration.straps[World.a]?.zones = HeartRateZones(text: "110 130 150")
    for isKilled in [false, true] {
      var world = World(configuration)
      world.call("Create")
      world.call("SetZones", ["zones": Self.zones])
      if isKilled { world = world.killed() }
      world.call("Prepare")
      world.advance(.seconds(5))
      world.beat(70)
      world.advance(.seconds(1))
      #expect(world.live["strap"]?.asString == World.a.description)
      #expect(world.live["zones"] == Self.zones, "though they are those of the configuration")
    }
  }

  // MARK: Types

  /// An end with a past date may have come before an activity began, or after one has ended.
  @Test func y00_theTypesAtTheEndAreOfWhatWasDoneThen() {
    let world = World.running()
    let all = world.live["typesToCollect"]
    world.advance(.seconds(60))
    world.call("BeginActivity", ["activity": .string("cycling"), "location": .string("indoor")])
    world.advance(.seconds(60))
    #expect(world.live["typesToCollect"] != all)
    world.call("Stop", ["date": .string((world.now.wall + .seconds(-90)).rfc3339)])
    #expect(world.live["typesToCollect"] == all)
    let again = world.killed()
    again.advance(.seconds(1))
    #expect(again.live["typesToCollect"] == all)
  }

  @Test func y00_anActivityIsWhereTheWorkoutIs() {
    let world = World(World.configured)
    world.call("Prepare", ["activity": .string("running"), "location": .string("indoor")])
    world.call("Start")
    world.advance(.seconds(1))
    world.call("BeginActivity", ["activity": .string("cycling")])
    #expect(world.live["currentActivity"]?["location"]?.asString == "indoor")
  }

  @Test func y01_theActivityChoosesTheTypesUntilAHandDoes() {
    let world = World.running()
    #expect(world.live["typesToCollect"]?.asArray?.count == 5)
    world.call("BeginActivity", ["activity": .string("cycling"), "location": .string("indoor")])
    #expect(world.live["typesToCollect"] == .array([.string("heartRate"), .string("activeEnergyBurned")]))
    world.advance(.seconds(1))
    world.call("DisableType", ["type": .string("activeEnergyBurned")])
    world.call("BeginActivity", ["activity": .string("running")])
    #expect(world.live["typesToCollect"] == .array([.string("heartRate")]))
    let again = world.killed()
    again.advance(.seconds(1))
    again.call("BeginActivity", ["activity": .string("running")])
    #expect(again.live["typesToCollect"] == .array([.string("heartRate")]), "by hand, still")
    #expect(again.outcome("EnableType", ["type": .string("steps")]) == "UnknownType")
  }

  @Test func y02_theActivitysTypesSurviveAKill() {
    let world = World.running()
    world.call("BeginActivity", ["activity": .string("cycling"), "location": .string("indoor")])
    let again = world.killed()
    again.advance(.seconds(1))
    #expect(again.live["typesToCollect"]?.asArray?.count == 2)
  }

  @Test func y03_whatIsNotCollectedDoesNotCountButIsKept() {
    let world = World.running()
    world.beats(3, 100)
    #expect(world.live["collectedTypes"] == .array([.string("heartRate")]))
    world.call("DisableType", ["type": .string("heartRate")])
    world.beats(3, 150)
    #expect(world.live["heartRate"]?.asInteger != nil, "it is still shown")
    world.call("EnableType", ["type": .string("heartRate")])
    world.beats(2, 110)
    let again = world.killed(downFor: .milliseconds(10))
    again.advance(.milliseconds(10))
    for survivor in [world, again] {
      survivor.call("End")
      #expect(survivor.saved?.heartRate?.count == 5)
      #expect(survivor.saved?.heartRate?.maximum == 111)
      #expect(survivor.saved.map { survivor.samples(of: $0.id).count } == 9)
    }
  }

  // MARK: Metadata

  @Test func m01_metadataAndABlobAreKept() {
    let world = World.prepared()
    world.call("SetMetadata", ["metadata": .object(["weather": .string("rain"), "shoes": .integer(3)])])
    world.call("Start")
    world.call("SetMetadata", ["metadata": .object([.init("shoes", .null)]), "blob": .string("AAECAw==")])
    let again = world.killed()
    again.advance(.milliseconds(1))
    let id: JSON = .string(again.liveID)
    let live = again.call("GetSession", ["session": id])["parameters"]
    #expect(live?["metadata"] == .object(["weather": .string("rain")]))
    #expect(live?["blob"]?.asString == "AAECAw==")
    again.call("SetMetadata", ["metadata": .object(["rating": .real(4.5)])])
    again.call("End")
    let saved = again.call("GetWorkout", ["id": id])["parameters"]
    #expect(saved?["metadata"] == .object(["weather": .string("rain"), "rating": .real(4.5)]))
    #expect(saved?["blob"]?.asString == "AAECAw==")
    #expect(again.outcome("SetMetadata", ["session": id, "blob": .string("x")]) == "CallNotAllowed")
  }

  @Test func m02_atMost64KiBOfEach() {
    let world = World.running()
    func blob(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }
    #expect(world.outcome("SetMetadata", ["blob": blob(65_536)]) == "running")
    let refusal = world.call("SetMetadata", ["blob": blob(65_537)])
    #expect(refusal["error"]?.asString == "io.strapd.TooLarge")
    #expect(refusal["parameters"]?["octets"]?.asInteger == 65_537)
    #expect(refusal["parameters"]?["most"]?.asInteger == 65_536)
    #expect(world.outcome("SetMetadata", ["metadata": .object(["a": blob(40_000)])]) == "running")
    #expect(world.outcome("SetMetadata", ["metadata": .object(["b": blob(40_000)])]) == "TooLarge", "together")
    #expect(world.call("GetSession", ["session": .string(world.liveID)])["parameters"]?["metadata"]?["b"] == nil)
  }

  @Test func a07_takenAwayWhileItIsOnItGoesOff() {
    let world = World.running()
    let high = alert("above", ["heartRate": .integer(150)])
    let low = alert("below", ["heartRate": .integer(90)])
    world.call("SetAlerts", ["alerts": .array([high, low])])
    world.beats(3, 160)
    #expect(told(world).map(\.text) == ["above(150) true"])
    world.call("SetAlerts", ["alerts": .array([high])])
    #expect(told(world).count == 1, "it is still watched")
    world.call("SetAlerts", ["alerts": .array([])])
    #expect(told(world).map(\.text) == ["above(150) true", "above(150) false"])
    world.call("SetAlerts", ["alerts": .array([high])])
    world.beats(3, 160)
    #expect(told(world).map(\.text) == ["above(150) true", "above(150) false", "above(150) true"])
  }

  /// Whether the strap is named or found, its wearer's zones are those of the session, until a client sets others.
  @Test(arguments: [true, false])
  func zonesOfWhoWearsTheStrap(isNamed: Bool) throws {
    let text = "zones = 100 150\n[strap \(World.a)]\nathlete = Anna\nzones = 120 140 160"
    let world = World(try Configuration(parsing: text, file: "f"))
    world.call("Prepare", isNamed ? ["strap": .string(World.a.description)] : [:])
    world.advance(.seconds(4))
    world.beats(2, 130)
    #expect(world.live["athlete"]?.asString == "Anna")
    #expect(world.live["zones"]?.asArray?.count == 4)
    world.call("Start")
    world.beats(5, 130)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.zones?.bounds == [120, 140, 160])
    #expect(world.saved?.heartRate?.timeInZones.count == 4)
  }
}
