import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Stories on a machine with two Bluetooth adapters.
struct AdapterScenarioTests {
  private static let first = "00:AA:01:00:00:42"
  private static let second = "00:AA:01:00:00:43"

  /// The first adapter hears strap A with -50 dBm, the second as is said.
  private func world(
    _ configuration: Configuration = World.configured, rssi: Int16 = -80,
    _ change: (inout SimulatedBlueZ) -> Void = { _ in }
  ) -> World {
    var bluez = World.straps
    var side = SimulatedBlueZ.Side()
    side.straps = bluez.straps
    side.straps[World.a]?.rssi = rssi
    bluez.second = side
    change(&bluez)
    return World(configuration, bluez: bluez)
  }

  private func configured(by adapter: String) -> Configuration {
    var configuration = World.configured
    configuration.adapter = StrapAddress(adapter)
    return configuration
  }

  private func isConnectedBySecond(_ world: World) -> Bool {
    world.bluez.second?.straps[World.a]?.isConnected == true
  }

  private func calls(_ world: World, _ member: String) -> [Int] {
    [world.bluez.calls.filter { $0 == member }.count, world.bluez.calls.filter { $0 == "hci1.\(member)" }.count]
  }

  @Test func a01_theAdapterThatHearsTheStrapBestIsTaken() {
    for (rssi, bySecond) in [(Int16(-80), false), (-40, true)] {
      let world = world(rssi: rssi)
      world.call("Prepare")
      world.advance(.seconds(3))
      world.beat(70)
      #expect(world.strap()["link"]?.asString == "streaming")
      #expect(world.strap()["adapter"]?.asString == (bySecond ? Self.second : Self.first))
      #expect(isConnectedBySecond(world) == bySecond)
      #expect(calls(world, "Connect") == (bySecond ? [0, 1] : [1, 0]))
      world.call("End")
      world.advance(.seconds(200))
      #expect(!isConnectedBySecond(world))
      #expect(world.bluez.straps[World.a]?.isConnected == false)
      #expect(!world.bluez.isDiscovering && world.bluez.second?.isDiscovering == false)
    }
  }

  @Test func a02_afterAFailureOnOneTheOtherIsTried() {
    let world = world(rssi: -40) { bluez in
      bluez.second?.straps[World.a]?.connectError = .init(
        name: "org.bluez.Error.Failed", text: "le-connection-abort-by-remote")
    }
    world.call("Prepare")
    world.advance(.seconds(6))
    world.beat(70)
    #expect(world.strap()["adapter"]?.asString == Self.first)
    #expect(world.strap()["link"]?.asString == "streaming")
    // Once at once, by the same one: a radio that gives up is asked again.
    #expect(calls(world, "Connect") == [1, 2])
  }

  @Test func a03_bothFailByTurnsAndTheWaitsGrow() {
    let failure = BusError(name: "org.bluez.Error.Failed", text: "le-connection-abort-by-remote")
    let world = world { bluez in
      bluez.straps[World.a]?.connectError = failure
      bluez.second?.straps[World.a]?.connectError = failure
    }
    world.call("Prepare")
    world.advance(.seconds(120))
    let counts = calls(world, "Connect")
    #expect(counts.allSatisfy { $0 >= 2 })
    // 0, 1, 2, 5, 15, 30, 30, 30 s: the other adapter is no new beginning.
    #expect(counts.reduce(0, +) <= 10)
    world.bluez.straps[World.a]?.connectError = nil
    world.bluez.second?.straps[World.a]?.connectError = nil
    world.beats(40)
    #expect(world.strap()["link"]?.asString == "streaming")
  }

  @Test func a04_theConfiguredAdapterIsTheOnlyOneThatIsUsed() {
    let world = world(configured(by: Self.second), rssi: -90)
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beat(70)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(calls(world, "StartDiscovery") == [0, 1])
    #expect(calls(world, "Connect") == [0, 1])
  }

  @Test func a15_theSectionOfAStrapGoesBeforeWhatIsSaidOfAll() throws {
    let text = "adapter = \(Self.first)\n[strap \(World.a)]\nadapter = \(Self.second)\n"
    let world = world(try Configuration(parsing: text, file: "f"), rssi: -90)
    world.call("Prepare", ["strap": .string(World.a.description)])
    world.call("Prepare", ["strap": .string(World.b.description)])
    world.advance(.seconds(3))
    world.beat(70, World.a)
    world.beat(90, World.b)
    #expect(world.strap(World.a)["adapter"]?.asString == Self.second)
    #expect(world.strap(World.b)["adapter"]?.asString == Self.first)
    #expect(world.strap(World.a)["heartRate"]?.asInteger == 70)
  }

  @Test func a16_aScanByOneAdapterShowsWhatThatHears() {
    let world = world { $0.second?.straps[World.b]?.isPresent = false }
    let client = world.connect()
    world.send(
      client, VarlinkCall("io.strapd.Scan", .object(["adapter": .string(Self.second)]), more: true))
    world.advance(.seconds(3))
    let devices = world.take(client).flatMap { $0["parameters"]?["devices"]?.asArray ?? [] }
    #expect(Set(devices.map { $0["address"]?.asString }) == [World.a.description])
    #expect(devices.last?["rssi"]?.asInteger == -80)
    #expect(calls(world, "StartDiscovery") == [0, 1])
    world.input(.clientGone(client))
    world.advance(.seconds(1))
    #expect(world.bluez.second?.isDiscovering == false)
  }

  @Test func a05_aSessionNamesItsAdapterAndKeepsIt() {
    let world = world(rssi: -90)
    let reply = world.call("Prepare", ["adapter": .string(Self.second)])
    #expect(reply["parameters"]?["snapshot"]?["adapter"]?.asString == Self.second)
    world.advance(.seconds(3))
    world.beat(70)
    #expect(isConnectedBySecond(world))
    let again = world.killed()
    again.advance(.seconds(3))
    again.beat(71)
    #expect(again.strap()["adapter"]?.asString == Self.second)
    #expect(again.strap()["link"]?.asString == "streaming")
  }

  @Test func a06_anAdapterThatDoesNotExistIsRefused() {
    let world = world()
    for method in ["Create", "Prepare"] {
      let refusal = world.call(method, ["adapter": .string("00:00:00:00:00:01")])
      #expect(refusal["error"]?.asString == "io.strapd.NoSuchAdapter")
      #expect(refusal["parameters"]?["existing"]?.asArray?.compactMap(\.asString) == [Self.first, Self.second])
    }
    #expect(world.status["sessions"]?.asArray?.isEmpty == true)
    let client = world.connect()
    let call = JSON.object(["anyStrap": .bool(true), "adapter": .string("00:00:00:00:00:01")])
    world.send(client, VarlinkCall("io.strapd.Watch", call, more: true))
    #expect(world.take(client).first?["error"]?.asString == "io.strapd.NoSuchAdapter")
    // While bluetoothd is not there, nobody knows which there are.
    world.arrive(world.bluez.stop())
    #expect(world.call("Prepare", ["adapter": .string("00:00:00:00:00:01")])["error"] == nil)
    world.arrive(world.bluez.restart())
    #expect(world.strap()["link"]?.asString == "waitingForAdapter")
    let trouble = world.strap()["trouble"]?.asString
    #expect(trouble?.contains("no Bluetooth adapter 00:00:00:00:00:01") == true)
    #expect(trouble?.contains("\(Self.first), \(Self.second)") == true)
  }

  @Test func a07_onlyTheAdapterThatIsAskedForIsSwitchedOn() {
    let world = world(configured(by: Self.second)) { bluez in
      bluez.isPowered = false
      bluez.second?.isPowered = false
    }
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beat(70)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(!world.bluez.isPowered)
    #expect(calls(world, "Set") == [0, 1])
  }

  @Test func a08_oneThatIsOnIsEnoughWhereAnyWillDo() {
    let world = world { $0.isPowered = false }
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beat(70)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    #expect(calls(world, "Set") == [0, 0])
  }

  @Test func a09_anAdapterIsPulledOutInMidWorkout() {
    let world = world()
    world.call("Prepare")
    world.advance(.seconds(3))
    world.call("Start")
    world.beats(3, 100)
    #expect(world.strap()["adapter"]?.asString == Self.first)
    world.arrive(world.bluez.removeAdapter())
    world.advance(.seconds(3))
    world.beats(3, 120)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 6)
  }

  /// The other one is enough, and the first is left as somebody has put it.
  @Test func a17_theAdapterOfTheLinkIsSwitchedOffAndOn() {
    let world = world()
    world.call("Prepare")
    world.advance(.seconds(3))
    world.call("Start")
    world.beats(3, 100)
    #expect(world.strap()["adapter"]?.asString == Self.first)
    world.arrive(world.bluez.power(false))
    world.advance(.seconds(3))
    world.beats(3, 120)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    #expect(calls(world, "Set") == [0, 0])
    let connects = calls(world, "Connect")
    world.arrive(world.bluez.power(true))
    world.beats(60, 130)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    #expect(calls(world, "Connect") == connects)
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 66)
  }

  /// Where somebody has asked for that one, status says so and it is switched on, and no other is used.
  @Test func a18_theAdapterThatIsAskedForIsSwitchedOff() {
    var configuration = configured(by: Self.first)
    configuration.powersAdapter = false
    let world = world(configuration, rssi: -40)
    world.call("Prepare")
    world.advance(.seconds(3))
    world.call("Start")
    world.beats(3, 100)
    world.arrive(world.bluez.power(false))
    world.advance(.seconds(30))
    #expect(world.strap()["link"]?.asString == "waitingForAdapter")
    #expect(
      world.strap()["trouble"]?.asString
        == "the Bluetooth adapter \(Self.first) is off: in bluetoothctl, 'select \(Self.first)', then 'power on'")
    #expect(calls(world, "Connect")[1] == 0)
    world.arrive(world.bluez.power(true))
    world.advance(.seconds(3))
    world.beats(3, 120)
    #expect(world.strap()["adapter"]?.asString == Self.first)
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 6)
  }

  @Test func a10_anAdapterIsKnownByItsAddressWhateverItsNumber() {
    let world = world(configured(by: Self.first))
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beat(70)
    world.arrive(world.bluez.removeAdapter())
    #expect(world.status["bluetooth"]?.asString == "noAdapter")
    world.advance(.seconds(60))
    #expect(!isConnectedBySecond(world))
    world.arrive(world.bluez.addAdapter("hci5"))
    world.advance(.seconds(3))
    world.beat(71)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.strap()["adapter"]?.asString == Self.first)
  }

  @Test func a11_aSessionMovesTheLinkOfAMonitorToTheAdapterThatItNames() {
    let world = world()
    let client = world.connect()
    let call = JSON.object(["straps": .array([.string(World.a.description)])])
    world.send(client, VarlinkCall("io.strapd.Watch", call, more: true))
    world.advance(.seconds(3))
    world.beat(70)
    #expect(world.strap()["adapter"]?.asString == Self.first)
    world.call("Prepare", ["adapter": .string(Self.second)])
    world.advance(.seconds(3))
    world.beat(71)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    #expect(world.strap()["heartRate"]?.asInteger == 71)
    #expect(world.bluez.straps[World.a]?.isConnected == false)
    #expect(world.bluez.straps[World.a]?.isNotifying == false)
    // The monitor alone leaves it where it is.
    world.call("End")
    world.beats(130)
    #expect(world.strap()["adapter"]?.asString == Self.second)
    #expect(world.strap()["monitors"]?.asInteger == 1)
    world.input(.clientGone(client))
    world.advance(.seconds(3))
    #expect(!isConnectedBySecond(world))
  }

  /// Who only looks on takes nothing from a workout, whatever adapter it names.
  @Test func a19_aMonitorMovesNoSessionsLink() {
    let world = world()
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beat(70)
    world.call("Start")
    world.beats(5, 100)
    let client = world.connect()
    let call = JSON.object(["straps": .array([.string(World.a.description)]), "adapter": .string(Self.second)])
    world.send(client, VarlinkCall("io.strapd.Watch", call, more: true))
    let connects = calls(world, "Connect")
    world.beats(5, 100)
    #expect(world.strap()["adapter"]?.asString == Self.first)
    #expect(world.strap()["link"]?.asString == "streaming" && world.strap()["monitors"]?.asInteger == 1)
    // And is told by which it is served.
    let notice = world.take(client).compactMap { $0["parameters"] }.first { $0["kind"]?.asString == "monitoring" }
    #expect(notice?["adapter"]?.asString == Self.first)
    #expect(calls(world, "Connect") == connects && calls(world, "Disconnect") == [0, 0])
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 10)
    world.input(.clientGone(client))
    world.beats(5, 100)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 15)
  }

  @Test func a12_aLinkThatIsFoundStandingIsKeptWhereItIs() {
    let world = world()
    world.call("Prepare", ["adapter": .string(Self.second)])
    world.advance(.seconds(3))
    world.beat(70)
    world.call("End")
    // A daemon that was killed while it held the link; the next one was asked for no adapter.
    var left = world.bluez
    left.second?.straps[World.a]?.isConnected = true
    left.second?.straps[World.a]?.isResolved = true
    left.second?.straps[World.a]?.isKnown = true
    let again = World(World.configured, bluez: left)
    again.call("Prepare")
    again.advance(.seconds(1))
    again.beat(71)
    #expect(again.strap()["adapter"]?.asString == Self.second)
    #expect(again.strap()["heartRate"]?.asInteger == 71)
  }

  @Test func a13_aSessionThatTakesAnyStrapTakesOneOfItsAdapter() {
    let world = world(Configuration()) { bluez in
      // The second hears only the weaker strap.
      bluez.second?.straps[World.a]?.isPresent = false
    }
    world.call("Prepare", ["adapter": .string(Self.second)])
    world.advance(.seconds(6))
    world.beat(70, World.b)
    #expect(world.status["sessions"]?.asArray?[0]["strap"]?.asString == World.b.description)
    #expect(world.strap(World.b)["adapter"]?.asString == Self.second)
    #expect(calls(world, "StartDiscovery") == [0, 1])
  }

  @Test func a14_twoStrapsByTwoAdapters() {
    let world = world { $0.second?.straps[World.b]?.rssi = -30 }
    world.call("Prepare")
    world.call("Prepare", ["strap": .string(World.b.description)])
    world.advance(.seconds(4))
    world.beat(70, World.a)
    world.beat(90, World.b)
    #expect(world.strap(World.a)["adapter"]?.asString == Self.first)
    #expect(world.strap(World.b)["adapter"]?.asString == Self.second)
    #expect(world.strap(World.a)["heartRate"]?.asInteger == 70)
    #expect(world.strap(World.b)["heartRate"]?.asInteger == 90)
  }
}
