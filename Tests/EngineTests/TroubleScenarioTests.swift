import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What is told of straps that cannot be used, for those who ask and for programs.
struct TroubleScenarioTests {
  private func kind(_ world: World) -> String? { world.strap()["troubleKind"]?.asString }

  private func lost() -> World {
    let world = World()
    world.bluez.straps[World.a]?.isBonded = true
    world.bluez.straps[World.a]?.needsBond = true
    world.bluez.straps[World.a]?.hasLostBond = true
    world.call("Prepare")
    world.advance(.seconds(12))
    return world
  }

  @Test func t01_aLostBondIsToldUntilItIsMended() {
    let world = lost()
    #expect(kind(world) == "bondLost")
    world.call("End")
    world.advance(.seconds(5))
    #expect(world.strap()["trouble"] == nil, "nobody wants it")
    #expect(kind(world) == "bondLost")
    let client = world.pair(["again": .bool(true)])
    world.advance(.seconds(60))
    #expect(world.told(client).last == "paired")
    world.advance(.seconds(5))
    #expect(kind(world) == nil)
  }

  @Test func t02_aBondThatIsRemovedByOthersIsNoLostOne() {
    let world = lost()
    world.call("End")
    world.advance(.seconds(5))
    world.bluez.straps[World.a]?.isBonded = false
    world.arrive([world.bluez.changed(world.bluez.path(World.a), "org.bluez.Device1", ["Bonded": .boolean(false)])])
    #expect(kind(world) == nil)
  }

  /// Who takes any strap gives it up with the first link that ends; what is known of the bond stays known.
  @Test func t21_aLostBondIsFoundByWhoTakesAnyStrap() {
    var bluez = SimulatedBlueZ()
    bluez.straps[World.a] = .init(
      name: "Demo HR", isKnown: true, isBonded: true, needsBond: true, hasLostBond: true)
    let world = World(Configuration(), bluez: bluez)
    world.call("Prepare")
    world.advance(.seconds(30))
    #expect(world.live["trouble"]?.asString?.contains("lost its pairing") == true)
    #expect(kind(world) == "bondLost")
    world.call("End")
    world.advance(.seconds(5))
    #expect(kind(world) == "bondLost")
  }

  /// Before the bus was tried nothing is known to be wrong with it.
  @Test func t22_theStartIsNoTrouble() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beats(2)
    let again = world.killed()
    again.advance(.seconds(3))
    again.beats(2)
    #expect(again.strap()["link"]?.asString == "streaming")
    #expect(again.strap()["lastTrouble"] == nil)
  }

  @Test func t03_whatPassesIsToldWhileTheStrapIsWanted() {
    let world = World()
    world.bluez.straps[World.a]?.isPresent = false
    world.call("Prepare")
    world.advance(.seconds(12))
    #expect(kind(world) == "notAdvertising")
    world.arrive(world.bluez.power(false, blocked: true))
    #expect(kind(world) == "adapterBlocked")
    world.call("End")
    #expect(kind(world) == nil)
  }

  @Test func t04_whatNeedsABondIsTold() {
    let world = World()
    world.bluez.straps[World.a]?.notifyError = BusError(name: "org.bluez.Error.NotPermitted", text: "Not paired")
    world.call("Prepare")
    world.advance(.seconds(12))
    #expect(kind(world) == "bondNeeded")
    world.call("End")
    world.advance(.seconds(5))
    #expect(kind(world) == "bondNeeded")
  }

  @Test func t05_theAdapterThatTheConfigurationNames() throws {
    let text = "[strap F0:F1:F2:F3:F4:F6]\nadapter = 00:AA:01:00:00:99\n"
    let world = World(try Configuration(parsing: text, file: "x"))
    let straps = world.call("ListStraps")["parameters"]?["straps"]?.asArray ?? []
    #expect(straps.map { $0["address"]?.asString } == [World.b.description])
    #expect(straps.first?["adapter"]?.asString == "00:AA:01:00:00:99")
    #expect(world.call("Prepare", ["strap": .string(World.b.description)])["error"] == nil)
    #expect(world.strap(World.b)["troubleKind"]?.asString == "noAdapter")
  }

  // MARK: Devices that are no straps

  private static let mouse = StrapAddress("AA:00:00:00:00:01")!

  private func withMouse(_ services: [BluetoothUUID] = [.batteryService]) -> World {
    var bluez = World.straps
    bluez.straps[Self.mouse] = .init(
      name: "Desk Mouse", rssi: -40, isKnown: true, advertisesHeartRate: false, otherServices: services)
    return World(Configuration(), bluez: bluez)
  }

  private let mouse = JSON.string(Self.mouse.description)

  @Test func t06_aDeviceWithoutHeartRateIsRefused() {
    let world = withMouse()
    world.call("Prepare")
    world.call("End")
    let monitor = VarlinkCall("io.strapd.Watch", .object(["straps": .array([mouse])]), more: true)
    let client = world.connect()
    world.send(client, monitor)
    let refusals = [
      world.call("Create", ["strap": mouse]), world.call("Prepare", ["strap": mouse]),
      world.call("Pair", ["strap": mouse]), world.take(client).first ?? .null,
    ]
    for refusal in refusals {
      #expect(refusal["error"]?.asString == "io.strapd.NoHeartRate")
      #expect(refusal["parameters"]?["strap"] == mouse)
      #expect(refusal["parameters"]?["name"]?.asString == "Desk Mouse")
    }
    #expect(world.status["sessions"]?.asArray?.isEmpty == true)
    #expect(!world.bluez.calls.contains("Connect"))
  }

  @Test func t07_oneOfWhichNothingIsKnownYetIsTried() {
    let world = withMouse([])
    #expect(world.call("Prepare", ["strap": mouse])["error"] == nil)
  }

  @Test func t08_aSessionThatWasMadeBeforeThatWasKnown() {
    var bluez = World.straps
    bluez.straps[Self.mouse] = .init(
      name: "Desk Mouse", rssi: -40, advertisesHeartRate: false, otherServices: [.batteryService])
    var configuration = Configuration()
    configuration.strap = Self.mouse
    let world = World(configuration, bluez: bluez)
    #expect(world.call("Create")["error"] == nil)
    world.bluez.straps[Self.mouse]?.isKnown = true
    world.arrive([world.bluez.added(world.bluez.path(Self.mouse), world.bluez.device(Self.mouse))])
    world.bluez.filter = []
    for call in ["Prepare", "Start", "Create"] {
      #expect(world.call(call)["error"]?.asString == "io.strapd.NoHeartRate", "\(call)")
    }
    #expect(world.outcome("End") == "ended")
  }

  /// What has streamed has heart rate, whatever it advertises today.
  @Test func t09_aStrapThatHasStreamedIsNoStranger() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(3)
    world.call("End")
    let again = world.killed()
    again.bluez.straps[World.a]?.advertisesHeartRate = false
    again.arrive([
      again.bluez.changed(
        again.bluez.path(World.a), "org.bluez.Device1",
        ["UUIDs": .strings([BluetoothUUID.batteryService.description])])
    ])
    #expect(again.call("Prepare", ["strap": .string(World.a.description)])["error"] == nil)
  }

  // MARK: Sessions that take any strap

  private func trouble(_ world: World, _ session: JSON?) -> String? {
    world.status["sessions"]?.asArray?.first { $0["id"] == session }?["trouble"]?.asString
  }

  @Test func t10_whereAllStrapsInSightAreInUseItSaysByWhom() throws {
    let world = World(Configuration())
    world.bluez.straps[World.b] = nil
    world.call("NameStrap", ["strap": .string(World.a.description), "name": .string("Anna's")])
    let first = world.call("Prepare")["parameters"]?["session"]?.asString
    world.advance(.seconds(5))
    world.beats(3)
    let watcher = world.connect()
    world.send(watcher, VarlinkCall("io.strapd.Watch", .object([]), more: true))
    let second = world.call("Prepare")["parameters"]?["session"]
    world.beats(5)
    let text = try #require(trouble(world, second))
    #expect(
      text == "every strap in sight is in use: Anna's (F0:F1:F2:F3:F4:F5) by the session \(first ?? "?"); wear another "
        + "one and wet its electrodes, or end that session")
    let told = world.take(watcher).compactMap { $0["parameters"] }.filter { $0["kind"]?.asString == "session" }
    #expect(told.last?["snapshot"]?["trouble"]?.asString == text, "and watchers are told")
    world.call("End", ["session": first.map(JSON.string)])
    for _ in 0..<10 { world.beats(1) }
    #expect(trouble(world, second) == nil)
    #expect(world.live["strap"]?.asString == World.a.description)
  }

  @Test func t11_whereNoneIsInSight() {
    let world = World(Configuration())
    for strap in [World.a, World.b] { world.bluez.straps[strap]?.isPresent = false }
    let session = world.call("Prepare")["parameters"]?["session"]
    world.advance(.seconds(5))
    #expect(trouble(world, session)?.hasPrefix("no strap is in sight: wear it and wet the electrodes") == true)
    world.come()
    world.advance(.seconds(3))
    world.beats(3)
    #expect(trouble(world, session) == nil)
  }

  @Test func t12_whereOneWasTriedInVain() {
    let world = World(Configuration())
    world.bluez.straps[World.b] = nil
    world.bluez.straps[World.a]?.isSilent = true
    let session = world.call("Prepare")["parameters"]?["session"]
    world.advance(.seconds(30))
    #expect(
      trouble(world, session)
        == "Demo HR (F0:F1:F2:F3:F4:F5) was tried: the strap sends nothing: wear it and wet the electrodes")
  }

  @Test func t13_whereThisMachineCannotScan() {
    let world = World(Configuration())
    world.bluez.discoveryError = BusError(name: "org.bluez.Error.Failed", text: "No")
    let session = world.call("Prepare")["parameters"]?["session"]
    world.advance(.seconds(2))
    #expect(trouble(world, session)?.hasPrefix("bluetoothd does not scan (No)") == true)
    world.arrive(world.bluez.stop())
    #expect(trouble(world, session) == "bluetoothd is not running: systemctl start bluetooth")
    world.bluez.discoveryError = nil
    world.arrive(world.bluez.restart())
    world.advance(.seconds(8))
    world.beats(1)
    #expect(trouble(world, session) == nil)
  }

  @Test func t14_aMonitorIsToldTheSame() {
    let world = World(Configuration())
    world.bluez.straps[World.b] = nil
    world.bluez.straps[World.a]?.isPresent = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Watch", .object(["anyStrap": .bool(true)]), more: true))
    world.advance(.seconds(5))
    let notices = world.take(client).compactMap { $0["parameters"] }.filter { $0["kind"]?.asString == "monitoring" }
    #expect(notices.last?["trouble"]?.asString?.hasPrefix("no strap is in sight") == true)
  }

  // MARK: As early as it can be known

  @Test func t18_aStrapThatWantsABondIsToldOfSoon() {
    let world = World()
    world.bluez.straps[World.a]?.needsBond = true
    world.call("Prepare")
    let watcher = world.connect()
    world.send(watcher, VarlinkCall("io.strapd.Watch", .object([]), more: true))
    world.advance(.seconds(4))
    #expect(world.line.hasPrefix("subscribing: the strap does not let its notifications be switched on"))
    #expect(kind(world) == "neverSubscribed")
    let links = world.take(watcher).compactMap { $0["parameters"] }.filter { $0["kind"]?.asString == "link" }
    #expect(links.last?["trouble"]?.asString?.contains("strapctl pair") == true)
    #expect(world.logs.contains { $0.text.contains("strapctl pair") })
    #expect(!world.bluez.calls.contains("Disconnect"), "it is given its time all the same")
  }

  @Test func t19_aDryStrapToo() {
    let world = World()
    world.bluez.straps[World.a]?.isSilent = true
    world.call("Prepare")
    world.advance(.seconds(7))
    #expect(world.line == "subscribing: the strap sends nothing: wear it and wet the electrodes")
    world.bluez.straps[World.a]?.isSilent = false
    world.beats(2)
    #expect(world.line == "streaming")
  }

  /// A session that takes any strap gives each its time: a reason is not yet a failure.
  @Test func t20_aReasonIsNoFailure() {
    let world = World(Configuration())
    world.bluez.straps[World.a]?.isSilent = true
    world.call("Prepare")
    world.advance(.seconds(15))
    #expect(world.strap()["link"]?.asString == "subscribing")
    #expect(world.bluez.calls.filter { $0 == "StartNotify" }.count == 2)
  }

  // MARK: Pairing that cannot come to anything

  @Test func t15_pairingSaysAtOnceWhatThisMachineLacks() {
    let absent = World(Configuration())
    absent.arrive(absent.bluez.stop())
    let blocked = World(Configuration())
    blocked.arrive(blocked.bluez.power(false, blocked: true))
    let unplugged = World(Configuration())
    unplugged.arrive(unplugged.bluez.removeAdapter())
    var configuration = Configuration()
    configuration.powersAdapter = false
    let off = World(configuration)
    off.arrive(off.bluez.power(false))
    for (world, why) in [
      (absent, "bluetoothd is not running: systemctl start bluetooth"),
      (blocked, "the Bluetooth adapter is blocked: rfkill unblock bluetooth"),
      (unplugged, "bluetoothd knows no Bluetooth adapter: is one plugged in?"),
      (off, "the Bluetooth adapter is off: bluetoothctl power on"),
    ] {
      let client = world.pair(["strap": .string(World.a.description)])
      let report = world.take(client).first?["parameters"]
      #expect(report?["progress"]?.asString == "searching")
      #expect(report?["advice"]?.asString == why)
      world.advance(.seconds(61))
      #expect(world.told(client).last == "PairingFailed: \(why)")
    }
  }

  @Test func t16_pairingOfAnAddressThatNobodyHas() {
    let world = World(Configuration())
    let client = world.pair(["strap": .string("C0:00:00:00:00:07")])
    let why =
      "nothing with this address is heard: check it ('strapctl scan' shows those that are near); if it is right, wear the "
      + "strap and wet its electrodes"
    world.advance(.seconds(11))
    let reports = world.take(client).map { $0["parameters"]?["advice"]?.asString }
    #expect(reports == [nil, why])
    world.advance(.seconds(50))
    #expect(world.told(client) == ["PairingFailed: \(why)"])
  }

  // MARK: What the journal is told

  @Test func t23_aNameTurnsNoJournalAround() {
    let world = World()
    world.bluez.straps[World.a]?.name = "evil\u{202E}name\u{1B}[2J"
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beats(1)
    #expect(world.logs.contains { $0.text.contains("evil\u{FFFD}name\u{FFFD}[2J (F0:") })
    #expect(!world.logs.contains { $0.text.contains("\u{202E}") || $0.text.contains("\u{1B}") })
    #expect(world.strap()["name"]?.asString == "evil\u{202E}name\u{1B}[2J", "for programs it is what it is")
  }

  // MARK: When it was seen

  @Test func t17_aSilentStrapThatIsConnectedWasSeen() {
    let world = World()
    world.bluez.straps[World.a]?.isSilent = true
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(world.knownStraps.first { $0.address == World.a }?.lastSeen != nil)
  }
}
