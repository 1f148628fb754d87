import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Heart rate without a workout: stories of clients that hold straps by Watch.
struct MonitorScenarioTests {
  private func monitor(_ world: World, _ parameters: KeyValuePairs<String, JSON?>) -> ClientID {
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Watch", .object(parameters), more: true))
    return client
  }

  private func monitor(_ world: World, _ strap: StrapAddress = World.a) -> ClientID {
    monitor(world, ["straps": .array([.string(strap.description)])])
  }

  private func take(_ world: World, _ client: ClientID) -> [JSON] {
    world.take(client).compactMap { $0["parameters"] }
  }

  private func kinds(_ messages: [JSON]) -> [String] {
    messages.compactMap { $0["kind"]?.asString }
  }

  private func isConnected(_ world: World, _ strap: StrapAddress = World.a) -> Bool {
    world.bluez.straps[strap]?.isConnected == true
  }

  @Test func m01_liveValuesWithoutASessionAndNothingSaved() {
    let world = World()
    let client = monitor(world)
    world.advance(.seconds(2))
    world.beats(5, 80)
    let messages = take(world, client)
    #expect(kinds(messages).prefix(2) == ["snapshot", "monitoring"])
    #expect(messages[1]["strap"]?.asString == World.a.description)
    #expect(messages[1]["link"]?.asString != nil)
    let rates = messages.filter { $0["kind"]?.asString == "heartRate" }
    #expect(rates.map { $0["heartRate"]?.asInteger } == [80, 81, 82, 80, 81])
    #expect(rates.allSatisfy { $0["session"] == nil && $0["counted"]?.asBool == false })
    // Events have numbers of their own, without a gap; what is for this client alone has the number of the last one.
    let numbers = messages.compactMap { $0["sequence"]?.asInteger }
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == numbers.count - 1)
    let saved = world.records.filter { record in
      switch record {
      // What the strap is called is known from then on.
      case .sequenceReserved, .strap: false
      default: true
      }
    }
    #expect(saved == [], "nothing is saved")
    #expect(world.strap()["monitors"]?.asInteger == 1)
    world.input(.clientGone(client))
    world.advance(.seconds(3))
    #expect(!isConnected(world))
    #expect(world.strap()["monitors"]?.asInteger == 0)
    #expect(world.strap()["link"]?.asString == "standing")
  }

  @Test func m02_availabilityAndGapsWithoutASession() {
    let world = World()
    let client = monitor(world)
    world.advance(.seconds(2))
    world.beats(4)
    world.advance(.seconds(5))
    world.raw([0x04, 70])
    world.lose()
    let told = take(world, client).compactMap { message -> String? in
      switch message["kind"]?.asString {
      case "availability": message["availability"]?.asString
      case "gap": "gap"
      default: nil
      }
    }
    #expect(told == ["acquiring", "available", "gap", "unavailable", "noContact", "unavailable"])
  }

  @Test func m03_aSessionSharesTheLinkOfAMonitor() {
    let world = World()
    let client = monitor(world)
    world.advance(.seconds(2))
    world.beats(3)
    world.call("Prepare")
    // Nothing is connected anew, and the session knows at once how things are.
    #expect(world.status["sessions"]?.asArray?[0]["availability"]?.asString == "available")
    world.call("Start")
    world.beats(3, 90)
    world.call("End")
    world.beats(130)
    #expect(isConnected(world), "the end of the session leaves the monitor")
    #expect(world.bluez.calls.filter { $0 == "Connect" }.count == 1)
    #expect(world.workouts[0].heartRate?.count == 3)
    _ = take(world, client)
    world.beats(2)
    #expect(kinds(take(world, client)) == ["heartRate", "heartRate"])
    world.input(.clientGone(client))
    world.advance(.seconds(3))
    #expect(!isConnected(world))
  }

  @Test func m04_theEndOfAMonitorLeavesTheSession() {
    let world = World()
    let client = monitor(world)
    world.advance(.seconds(2))
    world.call("Prepare")
    world.beat(70)
    world.input(.clientGone(client))
    world.advance(.seconds(3))
    #expect(isConnected(world))
    world.beat(71)
    #expect(world.strap()["heartRate"]?.asInteger == 71)
    world.call("End")
    world.advance(.seconds(200))
    #expect(!isConnected(world))
  }

  @Test func m05_severalMonitorsOfSeveralStraps() {
    let world = World()
    let one = monitor(world, World.a)
    let both = monitor(
      world, ["straps": .array([.string(World.a.description), .string(World.b.description)])])
    world.advance(.seconds(3))
    world.beat(60, World.a)
    world.beat(90, World.b)
    #expect(kinds(take(world, both)).filter { $0 == "monitoring" }.count == 2)
    #expect(world.strap(World.a)["monitors"]?.asInteger == 2)
    #expect(world.strap(World.b)["heartRate"]?.asInteger == 90)
    world.input(.clientGone(both))
    world.advance(.seconds(3))
    #expect(isConnected(world, World.a))
    #expect(!isConnected(world, World.b))
    world.input(.clientGone(one))
    world.advance(.seconds(3))
    #expect(!isConnected(world, World.a))
  }

  @Test func m06_anyStrapIsTheConfiguredOne() {
    let world = World()
    world.bluez.straps[World.a]?.rssi = -90
    let client = monitor(world, ["anyStrap": .bool(true)])
    world.advance(.seconds(5))
    world.beat(70)
    let notices = take(world, client).filter { $0["kind"]?.asString == "monitoring" }
    #expect(notices.map { $0["strap"]?.asString } == [World.a.description])
    #expect(isConnected(world) && !isConnected(world, World.b))
  }

  @Test func m07_anyStrapIsTheStrongest() {
    let world = World(Configuration())
    let client = monitor(world, ["anyStrap": .bool(true)])
    world.advance(.milliseconds(2900))
    #expect(!world.bluez.calls.contains("Connect"))
    world.advance(.seconds(2))
    world.beat(70)
    let messages = take(world, client)
    let notices = messages.filter { $0["kind"]?.asString == "monitoring" }
    #expect(notices.map { $0["strap"]?.asString } == [nil, World.a.description])
    // The events of a strap come behind the notice that it is the client's.
    #expect(messages.first { $0["strap"] != nil }?["kind"]?.asString == "monitoring")
    world.input(.clientGone(client))
    world.advance(.seconds(3))
    #expect(!isConnected(world))
    #expect(!world.bluez.isDiscovering)
  }

  @Test func m08_aClientThatLeavesWhileItsStrapIsLookedFor() {
    var bluez = World.straps
    bluez.straps = [:]
    let world = World(Configuration(), bluez: bluez)
    let client = monitor(world, ["anyStrap": .bool(true)])
    world.advance(.seconds(10))
    #expect(world.bluez.isDiscovering)
    world.input(.clientGone(client))
    world.advance(.seconds(1))
    #expect(!world.bluez.isDiscovering)
  }

  @Test func m09_anyStrapIsTheOneThatStreams() {
    let world = World(Configuration())
    world.call("Prepare", ["strap": .string(World.b.description)])
    world.advance(.seconds(3))
    world.beat(70, World.b)
    let client = monitor(world, ["anyStrap": .bool(true)])
    let notices = take(world, client).filter { $0["kind"]?.asString == "monitoring" }
    #expect(notices.map { $0["strap"]?.asString } == [World.b.description])
    #expect(notices.last?["link"]?.asString == "streaming")
  }

  @Test func m10_aSessionThatTakesAnyStrapTakesTheStrongestThoughItIsMonitored() {
    let world = World(Configuration())
    let client = monitor(world, World.a)
    world.advance(.seconds(3))
    world.beat(70)
    world.call("Prepare")
    world.advance(.seconds(4))
    world.beat(71)
    #expect(world.status["sessions"]?.asArray?[0]["strap"]?.asString == World.a.description)
    #expect(!isConnected(world, World.b))
    // A second one takes the other.
    world.call("Prepare")
    world.advance(.seconds(8))
    world.beat(91, World.b)
    let straps = world.status["sessions"]?.asArray?.compactMap { $0["strap"]?.asString }
    #expect(straps.map(Set.init) == [World.a.description, World.b.description])
    world.input(.clientGone(client))
  }

  @Test func m11_aLinkThatIsLostComesBackForAMonitor() {
    let world = World()
    _ = monitor(world)
    world.advance(.seconds(2))
    world.beats(2)
    world.lose()
    world.advance(.seconds(40))
    world.come()
    world.advance(.seconds(2))
    world.beat(75)
    #expect(world.strap()["heartRate"]?.asInteger == 75)
  }

  @Test func m12_aStrapThatNobodyHasEverSeenLeavesNothing() {
    let world = World()
    let strap = StrapAddress("00:00:00:00:00:01")!
    let client = monitor(world, strap)
    world.advance(.seconds(20))
    #expect(world.strap(strap)["link"]?.asString == "searching")
    _ = take(world, client)
    let watcher = world.connect()
    world.send(watcher, VarlinkCall("io.strapd.Watch", more: true))
    _ = take(world, watcher)
    world.input(.clientGone(client))
    #expect(take(world, watcher).contains { $0["link"]?.asString == "standing" })
    #expect(world.status["straps"]?.asArray?.count == 1)
  }

  @Test func m13_noMonitorBeginsWhileTheDaemonEnds() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.input(.terminationRequested)
    let client = monitor(world)
    #expect(world.take(client).first?["error"]?.asString == "io.strapd.ShuttingDown")
    let watcher = world.connect()
    world.send(watcher, VarlinkCall("io.strapd.Watch", more: true))
    #expect(kinds(take(world, watcher)) == ["snapshot"])
    world.advance(.seconds(3))
    #expect(world.hasExited)
  }

  @Test func m14_terminationPutsTheLinkOfAMonitorDown() {
    let world = World()
    _ = monitor(world)
    world.advance(.seconds(2))
    world.beat(70)
    world.input(.terminationRequested)
    world.advance(.seconds(3))
    #expect(world.hasExited)
    #expect(!isConnected(world))
  }

  @Test func m15_aClientThatBreaksTheProtocolHoldsNothing() {
    let world = World()
    let client = monitor(world)
    world.advance(.seconds(2))
    world.input(.clientSent(client, [UInt8](repeating: 0x20, count: 2 << 20)))
    world.advance(.seconds(3))
    #expect(!isConnected(world))
  }

  @Test func m16_aDisruptionOfBluetoothIsToldToWhoLooksForAStrap() {
    var bluez = World.straps
    bluez.isRunning = false
    let world = World(Configuration(), bluez: bluez)
    let client = monitor(world, ["anyStrap": .bool(true)])
    let notice = take(world, client).first { $0["kind"]?.asString == "monitoring" }
    #expect(notice?["trouble"]?.asString?.contains("bluetoothd is not running") == true)
  }
}
