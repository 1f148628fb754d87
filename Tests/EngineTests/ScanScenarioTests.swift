import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Clients that scan, in virtual time.
struct ScanScenarioTests {
  private static let a = World.a.description
  private static let b = World.b.description
  private static let watch = StrapAddress("AA:00:00:00:00:01")!

  private static func world(_ configuration: Configuration = Configuration()) -> World {
    let world = World(configuration)
    world.bluez.straps[watch] = .init(name: "Some watch", rssi: -40, advertisesHeartRate: false)
    return world
  }

  private static func scan(_ world: World, all: Bool? = nil) -> ClientID {
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Scan", .object(["all": all.map(JSON.bool)]), more: true))
    return client
  }

  /// What was told of each device, in order: "F0:… -50".
  private static func told(_ replies: [JSON]) -> [String] {
    replies.flatMap { reply in
      let parameters = reply["parameters"]
      let devices = (parameters?["devices"]?.asArray ?? []).map { device in
        "\(device["address"]?.asString ?? "?") \(device["rssi"]?.asInteger.map(String.init) ?? "-")"
      }
      return devices + (parameters?["gone"]?.asArray ?? []).map { "\($0.asString ?? "?") gone" }
    }
  }

  private static func last(_ replies: [JSON], _ address: String) -> JSON {
    replies.flatMap { $0["parameters"]?["devices"]?.asArray ?? [] }.last { $0["address"]?.asString == address } ?? .null
  }

  @Test func firstWhatIsInSightAndThenWhatComes() {
    let world = Self.world()
    let client = Self.scan(world)
    let first = world.take(client)
    #expect(first.count == 2)
    #expect(first.last?["parameters"]?["scanning"]?.asBool == true, "the simulated bluetoothd takes no time for it")
    #expect(first.first?["parameters"]?.text == #"{"devices":[],"gone":[],"scanning":false}"#)
    #expect(first.first?["continues"]?.asBool == true)
    world.advance(.milliseconds(500))
    let found = world.take(client)
    #expect(Self.told(found).sorted() == ["\(Self.a) -50", "\(Self.b) -70"])
    #expect(
      Self.last(found, Self.a).text
        == #"{"address":"\#(Self.a)","name":"Demo HR","rssi":-50,"heartRate":true,"connected":false,"bonded":false,"known":false}"#
    )

    let second = Self.scan(world)
    #expect(Self.told(world.take(second)) == ["\(Self.a) -50", "\(Self.b) -70"], "by address, at once")
    #expect(world.take(client) == [], "and the other client is told nothing")
  }

  /// The claim on the discovery is the client's, whoever else has one.
  @Test func scanningEndsWithItsClient() {
    let world = Self.world()
    let (one, other) = (Self.scan(world), Self.scan(world))
    world.advance(.seconds(60))
    #expect(world.bluez.isDiscovering)
    #expect(world.bluez.calls.filter { $0.hasSuffix("Discovery") } == ["StartDiscovery"])
    world.input(.clientGone(one))
    world.advance(.seconds(1))
    #expect(world.bluez.isDiscovering)
    world.input(.clientGone(other))
    world.advance(.seconds(1))
    #expect(!world.bluez.isDiscovering)
    #expect(world.engine.roster.scans.isEmpty)
  }

  @Test func aSignalIsToldOnceASecondAndTheLastOneInTheEnd() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    for step in 1...28 {
      world.arrive(world.bluez.signal(World.a, -50 - Int16(step)))
      world.advance(.milliseconds(100))
    }
    let told = Self.told(world.take(client))
    #expect(told == ["\(Self.a) -51", "\(Self.a) -60", "\(Self.a) -70"])
    world.advance(.seconds(1))
    #expect(Self.told(world.take(client)) == ["\(Self.a) -78"])
    world.advance(.seconds(10))
    #expect(world.take(client) == [], "what does not change is not told")
  }

  @Test func eachDeviceHasItsOwnSecond() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    world.arrive(world.bluez.signal(World.a, -51))
    world.advance(.milliseconds(600))
    world.arrive(world.bluez.signal(World.b, -71) + world.bluez.signal(World.a, -52))
    #expect(Self.told(world.take(client)) == ["\(Self.a) -51", "\(Self.b) -71"])
    world.advance(.milliseconds(200))
    world.arrive(world.bluez.signal(World.b, -72))
    world.advance(.milliseconds(200))
    #expect(Self.told(world.take(client)) == ["\(Self.a) -52"])
    world.advance(.milliseconds(600))
    #expect(Self.told(world.take(client)) == ["\(Self.b) -72"])
  }

  /// By the stronger of its signals.
  @Test func aDeviceThatTwoAdaptersHearIsOne() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    let adapter = BusValue.properties(["Address": .string("00:AA:01:00:00:43"), "Powered": .boolean(true)])
    world.arrive([world.bluez.added("/org/bluez/hci1", world.bluez.interfaces(["org.bluez.Adapter1": adapter]))])
    world.advance(.seconds(1))
    #expect(world.bluez.calls.count { $0 == "StartDiscovery" } == 2, "the new adapter scans as well")
    let second: ObjectPath = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5"
    let device = BusValue.properties(["Address": .string(Self.a), "RSSI": .int16(-30), "Connected": .boolean(false)])
    world.arrive([world.bluez.added(second, world.bluez.interfaces(["org.bluez.Device1": device]))])
    #expect(Self.told(world.take(client)) == ["\(Self.a) -30"])
    world.advance(.seconds(2))
    world.arrive([world.bluez.changed(second, "org.bluez.Device1", ["RSSI": .int16(-80)])])
    #expect(Self.told(world.take(client)) == ["\(Self.a) -50"])
    world.arrive([world.bluez.removed(second, "org.bluez.Device1")])
    world.advance(.seconds(2))
    #expect(world.take(client) == [], "one of them still hears it")
  }

  @Test func anythingElseIsToldAtOnce() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    world.arrive(world.bluez.signal(World.a, -51))
    _ = world.take(client)
    world.call("NameStrap", ["strap": .string(Self.a), "name": .string("Left")])
    let named = Self.last(world.take(client), Self.a)
    #expect(named["givenName"]?.asString == "Left")
    #expect(named["known"]?.asBool == true)

    world.call("Prepare", ["strap": .string("left")])
    world.advance(.seconds(1))
    #expect(Self.last(world.take(client), Self.a)["connected"]?.asBool == true)
    world.arrive(world.bluez.batteryAppears(World.a, 33))
    #expect(Self.last(world.take(client), Self.a)["batteryPercent"]?.asInteger == 33)
    world.lose()
    world.arrive(world.bluez.batteryGoes(World.a))
    let lost = Self.last(world.take(client), Self.a)
    #expect(lost["connected"]?.asBool == false)
    #expect(lost["batteryPercent"]?.asInteger == 33, "as it was last read")
    world.call("ForgetStrap", ["strap": .string("left")])
    world.call("End")
    world.advance(.seconds(3))
    world.call("ForgetStrap", ["strap": .string("left")])
    #expect(Self.last(world.take(client), Self.a)["known"]?.asBool == false)
  }

  @Test func aDeviceThatIsForgottenIsGone() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    world.arrive(world.bluez.forget(World.b))
    #expect(Self.told(world.take(client)) == ["\(Self.b) gone"])
    world.bluez.straps[World.b]?.rssi = -60
    world.come(World.b)
    world.advance(.seconds(1))
    #expect(Self.told(world.take(client)) == ["\(Self.b) -60"])
  }

  /// Signal and services of others are told only where the filter asks for them.
  @Test func othersAreSeenByWhoAsksForAll() {
    let world = Self.world()
    let plain = Self.scan(world)
    world.advance(.seconds(2))
    #expect(Self.told(world.take(plain)).sorted() == ["\(Self.a) -50", "\(Self.b) -70"])
    let all = Self.scan(world, all: true)
    #expect(Self.told(world.take(all)) == ["\(Self.watch) -", "\(Self.a) -50", "\(Self.b) -70"])
    world.advance(.seconds(2))
    let told = world.take(all)
    #expect(Self.told(told) == ["\(Self.watch) -40"])
    #expect(Self.last(told, Self.watch.description)["heartRate"]?.asBool == false)
    #expect(world.take(plain) == [])
    world.input(.clientGone(all))
    world.advance(.seconds(2))
    let heartRate = BluetoothUUID.heartRateService.description
    #expect(world.bluez.filters == [heartRate, "everything", heartRate])
    #expect(world.bluez.calls.filter { $0.hasSuffix("Discovery") } == ["StartDiscovery"], "the scan goes on meanwhile")
  }

  /// Its services may come behind its object.
  @Test func aDeviceAppearsWhenItIsSeenToBeAStrap() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    world.bluez.straps[Self.watch]?.advertisesHeartRate = true
    world.arrive(world.bluez.see(Self.watch))
    #expect(Self.told(world.take(client)) == ["\(Self.watch) -40"])
  }

  @Test func aSessionFindsItsStrapWhateverIsScannedFor() {
    let world = Self.world()
    let client = Self.scan(world, all: true)
    world.advance(.seconds(1))
    world.call("Prepare")
    world.advance(.seconds(5))
    world.beat(70)
    #expect(world.strap()["link"]?.asString == "streaming", "the strongest, and no watch")
    world.input(.clientGone(client))
    world.advance(.seconds(1))
    #expect(!world.bluez.isDiscovering)
  }

  // MARK: What keeps devices from being heard

  @Test func anAdapterThatIsOffIsSwitchedOn() {
    let world = Self.world()
    world.arrive(world.bluez.power(false))
    let client = Self.scan(world)
    world.advance(.seconds(2))
    let replies = world.take(client)
    #expect(replies.first?["parameters"]?["advice"]?.asString == "the Bluetooth adapter is off: bluetoothctl power on")
    #expect(Self.told(replies).count == 2)
    #expect(replies.last?["parameters"]?["advice"] == nil)
  }

  @Test func whatKeepsItIsToldWhenItChanges() {
    var configuration = Configuration()
    configuration.powersAdapter = false
    let world = Self.world(configuration)
    world.arrive(world.bluez.power(false))
    let client = Self.scan(world)
    world.advance(.seconds(20))
    #expect(world.take(client).count == 1)
    world.arrive(world.bluez.power(false, blocked: true))
    let blocked = world.take(client)
    #expect(blocked.count == 1)
    #expect(
      blocked.first?["parameters"]?["advice"]?.asString
        == "the Bluetooth adapter is blocked: rfkill unblock bluetooth")
    world.arrive(world.bluez.power(true))
    world.advance(.seconds(1))
    let on = world.take(client)
    #expect(on.first?["parameters"]?.text == #"{"devices":[],"gone":[],"scanning":false}"#)
    #expect(Self.told(on).count == 2)
  }

  @Test func aBluetoothdThatDoesNotScanIsTold() {
    let world = Self.world()
    world.bluez.discoveryError = BusError(name: "org.bluez.Error.Failed", text: "No")
    let client = Self.scan(world)
    world.advance(.seconds(1))
    let advice = world.take(client).last?["parameters"]?["advice"]?.asString
    #expect(advice == "bluetoothd does not scan (No); it is asked again every 5 s")
    world.bluez.discoveryError = nil
    world.advance(.seconds(10))
    let replies = world.take(client)
    #expect(Self.told(replies).count == 2)
    #expect(replies.last?["parameters"]?["advice"] == nil)
  }

  @Test func aBluetoothdThatRestartsIsScannedAnew() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    world.arrive(world.bluez.stop())
    let stopped = world.take(client)
    #expect(Self.told(stopped) == ["\(Self.a) gone", "\(Self.b) gone"])
    #expect(
      stopped.last?["parameters"]?["advice"]?.asString == "bluetoothd is not running: systemctl start bluetooth")
    world.arrive(world.bluez.restart())
    world.advance(.seconds(2))
    let again = world.take(client)
    #expect(Self.told(again).sorted() == ["\(Self.a) -50", "\(Self.b) -70"])
    #expect(again.last?["parameters"]?["advice"] == nil)
  }

  /// What is in sight without a scan is what bluetoothd knows from before.
  @Test func whetherItScansIsTold() {
    func scanning(_ replies: [JSON]) -> [Bool?] { replies.map { $0["parameters"]?["scanning"]?.asBool } }
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.milliseconds(50))
    #expect(scanning(world.take(client)) == [false, true])
    world.arrive(world.bluez.stop())
    #expect(scanning(world.take(client)).last == false)
    world.bluez.discoveryError = BusError(name: "org.bluez.Error.NotReady", text: "")
    world.arrive(world.bluez.restart())
    world.advance(.seconds(20))
    #expect(!scanning(world.take(client)).contains(true))
  }

  /// By the adapter that was asked for.
  @Test func whatKeepsThatAdapterFromScanning() {
    var configuration = Configuration()
    configuration.powersAdapter = false
    var bluez = World.straps
    bluez.second = SimulatedBlueZ.Side()
    bluez.second?.isPowered = false
    let world = World(configuration, bluez: bluez)
    let client = world.connect()
    let second = JSON.string(SimulatedBlueZ.secondAddress.description)
    world.send(client, VarlinkCall("io.strapd.Scan", .object(["adapter": second]), more: true))
    world.advance(.seconds(2))
    let last = world.take(client).last?["parameters"]
    #expect(last?["scanning"]?.asBool == false)
    #expect(
      last?["advice"]?.asString
        == "the Bluetooth adapter 00:AA:01:00:00:43 is off: in bluetoothctl, 'select 00:AA:01:00:00:43', then 'power on'"
    )
  }

  /// Seen with BlueZ 5.66: a connection ends the kernel's scan just before ours is stopped, and from then on bluetoothd
  /// believes that it scans. A strap whose object another client has removed was never heard again.
  @Test func aScanThatTheKernelHasEndedIsNotLeftBehind() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    world.bluez.endsScanByItself = true
    world.input(.clientGone(client))
    #expect(world.bluez.hasDeadScan)
    let next = Self.scan(world)
    world.advance(.milliseconds(900))
    #expect(!world.bluez.isDiscovering, "it would be one that hears nothing")
    world.advance(.seconds(2))
    #expect(world.bluez.isDiscovering)
    #expect(!world.bluez.hasDeadScan)
    #expect(!Self.told(world.take(next)).isEmpty)
    #expect(world.bluez.calls.count { $0 == "StopDiscovery" } == 2)
  }

  /// One that is refused for good is not asked for ever.
  @Test func aStopThatIsRefusedTwiceIsDone() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    world.bluez.endsScanByItself = true
    world.input(.clientGone(client))
    world.bluez.hasDeadScan = false
    world.bluez.endsScanByItself = true
    world.advance(.seconds(60))
    #expect(world.bluez.calls.count { $0 == "StopDiscovery" } == 2)
  }

  /// Seen with BlueZ 5.66: it said that it scanned, and nothing was heard.
  @Test func aScanThatShowsNothingIsBegunAnew() {
    let world = Self.world()
    world.bluez.isScanInterrupted = true
    let client = Self.scan(world)
    world.advance(.seconds(29))
    #expect(Self.told(world.take(client)) == [])
    #expect(world.bluez.calls.count { $0 == "StopDiscovery" } == 0)
    world.advance(.seconds(2))
    #expect(Self.told(world.take(client)).sorted() == ["\(Self.a) -50", "\(Self.b) -70"])
    #expect(world.bluez.calls.count { $0 == "StopDiscovery" } == 1)
  }

  /// Bonded devices stay in the tree, so of them only a change shows that they are heard.
  @Test func aScanThatHearsIsLeftOn() {
    let world = Self.world()
    for strap in world.bluez.straps.keys { world.bluez.straps[strap]?.isBonded = true }
    _ = Self.scan(world)
    for second in 1...120 {
      world.advance(.seconds(1))
      if second.isMultiple(of: 20) { world.arrive(world.bluez.signal(World.a, Int16(-50 - second / 20))) }
    }
    #expect(world.bluez.calls.count { $0 == "StopDiscovery" } == 0)
    world.advance(.seconds(31))
    #expect(world.bluez.calls.count { $0 == "StopDiscovery" } == 1, "the last change was half a minute ago")
  }

  @Test func aDaemonThatExitsSaysSo() {
    let world = Self.world()
    let client = Self.scan(world)
    world.advance(.seconds(2))
    _ = world.take(client)
    world.input(.terminationRequested)
    #expect(world.take(client).map { $0["error"]?.asString } == ["io.strapd.ShuttingDown"])
    world.advance(.seconds(1))
    #expect(world.hasExited)
  }
}
