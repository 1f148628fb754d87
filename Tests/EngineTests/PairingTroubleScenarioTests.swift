import BlueZ
import Bus
import Control
import Measurements
import Testing

@testable import Engine

/// What comes between a pairing and its end, one story each, in virtual time.
struct PairingTroubleScenarioTests {
  private static let notAdvertising =
    "PairingFailed: the strap is not advertising: wear it and wet the electrodes; if it is worn, it is probably held by "
    + "another central (a watch, a phone)"

  /// While bluetoothd waits for the strap to encrypt the link, Pair would wait with it.
  @Test func q01_byHandWhileASessionSubscribes() {
    let world = World()
    world.bluez.straps[World.a]?.needsBond = true
    world.call("Prepare")
    world.advance(.seconds(5))
    #expect(world.line.hasPrefix("subscribing"))
    let client = world.pair()
    world.advance(.seconds(3))
    #expect(world.told(client) == ["connecting", "pairing", "paired"])
    world.advance(.seconds(3))
    world.beats(2)
    #expect(world.line == "streaming")
  }

  @Test func q02_byHandDuringABackOff() {
    let world = World()
    world.bluez.straps[World.a]?.needsBond = true
    world.call("Prepare")
    for _ in 0..<600 where !world.line.hasPrefix("backingOff") { world.advance(.milliseconds(500)) }
    #expect(world.line.hasPrefix("backingOff"))
    // Not the first and shortest one.
    world.advance(.seconds(90))
    for _ in 0..<600 where !world.line.hasPrefix("backingOff") { world.advance(.milliseconds(500)) }
    let client = world.pair()
    world.advance(.seconds(3))
    #expect(world.told(client).last == "paired")
  }

  @Test func q03_theOldBondStaysUntilTheStrapIsThere() {
    var bluez = World.straps
    bluez.straps[World.a]?.isBonded = true
    bluez.straps[World.a]?.isKnown = true
    bluez.straps[World.a]?.isPresent = false
    let world = World(bluez: bluez)
    let absent = world.pair(["again": .bool(true)])
    world.advance(.seconds(61))
    #expect(world.told(absent).last?.hasPrefix("PairingFailed: ") == true)
    #expect(world.bluez.straps[World.a]?.isBonded == true)
    #expect(!world.bluez.calls.contains("RemoveDevice"))
    let client = world.pair(["again": .bool(true)])
    world.advance(.seconds(10))
    #expect(!world.bluez.calls.contains("RemoveDevice"))
    world.bluez.come(World.a)
    world.advance(.seconds(40))
    #expect(world.told(client).last == "paired")
    #expect(world.bluez.calls.filter { $0 == "RemoveDevice" }.count == 1)
  }

  @Test func q04_bluetoothdDiesWhileTheOldBondIsRemoved() {
    var bluez = World.straps
    bluez.straps[World.a]?.isBonded = true
    bluez.straps[World.a]?.isKnown = true
    let world = World(bluez: bluez)
    world.bluez.isRemovalSlow = true
    let client = world.pair(["again": .bool(true)])
    world.advance(.seconds(2))
    #expect(world.bluez.calls.contains("RemoveDevice"))
    world.arrive(world.bluez.stop())
    world.bluez.isRemovalSlow = false
    world.arrive(world.bluez.restart())
    world.advance(.seconds(20))
    let told = world.told(client)
    #expect(told.last == "paired")
    #expect(told.contains("pairing"), "the bond that was not removed is not taken for the new one: \(told)")
    #expect(world.bluez.calls.filter { $0 == "RemoveDevice" }.count == 2)
  }

  @Test func q05_aLinkThatEndsMeanwhileIsMadeAnewOnce() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    #expect(world.told(client).last == "enterPasskey")
    world.arrive(world.bluez.lose(World.a))
    #expect(world.told(client) == ["connecting"])
    let late = world.call(
      "AnswerPairing", ["strap": .string(World.a.description), "accept": .bool(true), "passkey": .integer(4711)])
    #expect(late["error"]?.asString == "io.strapd.NothingAsked")
    world.advance(.seconds(20))
    #expect(world.told(client) == ["pairing", "enterPasskey"])
    world.arrive(world.bluez.lose(World.a))
    world.advance(.seconds(1))
    #expect(world.told(client) == ["PairingFailed: the connection ended"])
  }

  /// The strap goes when the search for it was over long ago.
  @Test func q06_aLinkThatEndsLateIsSoughtNoLongerThanOneThatWasNeverThere() {
    let world = World()
    // bluetoothd is busy with the link, and does not begin.
    world.bluez.straps[World.a]?.isWaitingForBond = true
    let client = world.pair()
    world.advance(.seconds(65))
    #expect(world.told(client).last == "pairing")
    world.bluez.straps[World.a]?.isPresent = false
    world.arrive(world.bluez.lose(World.a) + world.bluez.forget(World.a))
    world.advance(.seconds(59))
    #expect(world.told(client) == ["connecting", "searching"])
    world.advance(.seconds(2))
    #expect(world.told(client) == [Self.notAdvertising])
  }

  @Test func q07_nothingIsBegunWhileTheDaemonEnds() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(1)
    world.input(.terminationRequested)
    let client = world.pair()
    #expect(world.told(client) == ["ShuttingDown"])
  }

  @Test func q08_withoutBluetoothdTheStrapIsSought() {
    let world = World()
    world.arrive(world.bluez.stop())
    let client = world.pair()
    world.advance(.seconds(5))
    #expect(world.told(client) == ["searching"])
    world.arrive(world.bluez.restart())
    world.advance(.seconds(20))
    #expect(world.told(client).suffix(3) == ["connecting", "pairing", "paired"])
    world.arrive(world.bluez.stop())
    let never = world.pair(["strap": .string(World.b.description)])
    world.advance(.seconds(61))
    #expect(world.told(never).last == "PairingFailed: bluetoothd is not running: systemctl start bluetooth")
  }

  /// What bluetoothd has of bonds is seen when it is there.
  @Test func q09_anewBeforeBluetoothdIsThere() {
    var bluez = World.straps
    bluez.straps[World.a]?.isBonded = true
    let world = World(bluez: bluez)
    world.arrive(world.bluez.stop())
    let client = world.pair(["again": .bool(true)])
    world.arrive(world.bluez.restart())
    world.advance(.seconds(20))
    #expect(world.told(client).suffix(2) == ["pairing", "paired"])
    #expect(world.bluez.calls.filter { $0 == "RemoveDevice" }.count == 1)
  }

  /// The kernel pairs with what the agent could when the link was made: the second link finds the agent there already.
  @Test func q10_theAgentIsThereBeforeTheSecondLink() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    #expect(world.told(client).last == "enterPasskey")
    #expect(world.bluez.calls.count { $0 == "RegisterAgent" } == 1)
    #expect(!world.bluez.calls.contains("UnregisterAgent"))
  }

  /// It has streamed in this life of strapd; bluetoothd still shows it as notifying, and says that it is.
  @Test(arguments: [false, true])
  func q11_wantsABondAfterItHasStreamed(isAllowed: Bool) {
    var configuration = World.configured
    configuration.pairsWhenNeeded = isAllowed
    let world = World(configuration)
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beats(3)
    #expect(world.line == "streaming")
    world.bluez.straps[World.a]?.needsBond = true
    world.lose()
    world.come()
    world.advance(.seconds(15))
    if isAllowed {
      world.advance(.seconds(20))
      #expect(world.bluez.calls.filter { $0 == "Pair" }.count == 1)
    } else {
      #expect(
        world.strap()["trouble"]?.asString
          == "the strap does not let its notifications be switched on: if it answers only paired hosts, pair it: "
          + "strapctl pair")
      #expect(world.strap()["troubleKind"]?.asString == "neverSubscribed")
      let client = world.pair()
      world.advance(.seconds(20))
      #expect(world.told(client).last == "paired")
    }
    world.beats(2)
    #expect(world.line == "streaming")
  }

  /// Who names no strap tries one after the other, and one that is to be paired is not given up for that.
  @Test(arguments: [false, true])
  func q12_pairedForWhoTakesAnyStrap(isMonitor: Bool) {
    var configuration = Configuration()
    configuration.pairsWhenNeeded = true
    let world = World(configuration)
    world.bluez.straps = [World.a: .init(name: "Demo HR")]
    world.bluez.straps[World.a]?.needsBond = true
    if isMonitor {
      world.send(world.connect(), VarlinkCall("io.strapd.Watch", .object(["anyStrap": .bool(true)]), more: true))
    } else {
      world.call("Prepare")
    }
    world.advance(.seconds(40))
    world.beats(2)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.bluez.calls.filter { $0 == "Pair" }.count == 1)
    let said = "Demo HR (F0:F1:F2:F3:F4:F5) is paired, since it answers only paired hosts (pair_when_needed)"
    #expect(world.logs.filter { $0.text == said }.count == 1)
  }

  /// A strap that refuses to be paired may take it later: nothing has to be begun anew for that, and the reason stays.
  @Test func q13_pairedByItselfOnceItCanBe() throws {
    var configuration = World.configured
    configuration.pairsWhenNeeded = true
    let world = World(configuration)
    world.bluez.straps[World.a]?.needsBond = true
    world.bluez.straps[World.a]?.pairError = BusError(
      name: "org.bluez.Error.AuthenticationFailed", text: "Authentication Failed")
    world.call("Prepare")
    world.advance(.seconds(600))
    let reasons = Set(world.logs.map(\.text).filter { $0.hasPrefix("Demo HR") })
    #expect(reasons.count == 1 && reasons.first?.contains("the strap did not take the pairing") == true, "\(reasons)")
    #expect(world.strap()["troubleKind"]?.asString == "pairFailed")
    let tries = world.bluez.calls.filter { $0 == "Pair" }.count
    #expect((8...20).contains(tries), "\(tries)")
    world.bluez.straps[World.a]?.pairError = nil
    // One wait, the try that shows that it is needed, and the pairing.
    for _ in 0..<50 where world.line != "streaming" { world.beats(1) }
    #expect(world.line == "streaming")
  }

  /// A person waits: the old bond's removal and a long back-off are no reason to wait longer.
  @Test func q14_anewDuringABackOff() {
    let world = World()
    world.bluez.straps[World.a]?.isBonded = true
    world.bluez.straps[World.a]?.needsBond = true
    world.bluez.straps[World.a]?.hasLostBond = true
    world.call("Prepare")
    world.advance(.seconds(120))
    for _ in 0..<600 where !world.line.hasPrefix("backingOff") { world.advance(.milliseconds(500)) }
    let client = world.pair(["again": .bool(true)])
    world.advance(.seconds(4))
    #expect(world.told(client).last == "paired")
    #expect(!world.told(client).contains { $0.contains("cancelled") })
  }

  /// Each reason once, however often the strap is tried.
  @Test(arguments: ["bond lost", "bond needed", "not paired", "no heart rate"])
  func q15_theJournalOfWhoTakesAnyStrap(_ what: String) throws {
    var bluez = SimulatedBlueZ()
    bluez.straps[World.a] = .init(name: "Demo HR")
    switch what {
    case "bond lost":
      bluez.straps[World.a] = .init(name: "Demo HR", isKnown: true, isBonded: true, needsBond: true, hasLostBond: true)
    case "bond needed": bluez.straps[World.a]?.needsBond = true
    case "not paired":
      bluez.straps[World.a]?.notifyError = BusError(name: "org.bluez.Error.NotPermitted", text: "Not paired")
    default: bluez.straps[World.a]?.hasHeartRate = false
    }
    let world = World(Configuration(), bluez: bluez)
    world.call("Prepare")
    world.advance(.seconds(20))
    // Known from the first try on, and while it is tried again.
    var kinds: Set<String?> = []
    for _ in 0..<200 {
      world.advance(.milliseconds(500))
      kinds.insert(world.strap()["troubleKind"]?.asString)
    }
    #expect(kinds.count == 1 && kinds != [nil], "\(kinds)")
    var seen: [String: Int] = [:]
    for entry in world.logs where entry.text.contains("Demo HR") { seen[entry.text, default: 0] += 1 }
    #expect(seen.values.allSatisfy { $0 == 1 } && (1...3).contains(seen.count), "\(seen)")
    #expect(world.live["trouble"]?.asString?.contains("was tried: ") == true, "\(world.live["trouble"] ?? .null)")
  }
}
