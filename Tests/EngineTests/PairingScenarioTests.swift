import BlueZ
import Bus
import Control
import Testing

@testable import Engine

/// Pairing, one story each, in virtual time.
struct PairingScenarioTests {
  private static let address = World.a.description
  private static let neverSubscribed =
    "the strap does not let its notifications be switched on: if it answers only paired hosts, pair it: strapctl pair"

  @Test func p01_pairedByHandWithoutASession() {
    let world = World()
    world.bluez.straps[World.a]?.needsBond = true
    let client = world.pair()
    world.advance(.seconds(20))
    #expect(world.told(client) == ["searching", "connecting", "pairing", "paired"])
    #expect(world.bluez.straps[World.a]?.isBonded == true)
    #expect(world.bluez.straps[World.a]?.isConnected == false, "released")
    #expect(world.bluez.agent == nil, "the agent is there only while it is needed")
    #expect(world.logs.contains { $0.text == "Demo HR (F0:F1:F2:F3:F4:F5) is paired" && $0.strap == World.a })
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beats(2)
    #expect(world.line == "streaming")
  }

  @Test func p02_wantsABondAndNobodyMayMakeIt() {
    let world = World()
    world.bluez.straps[World.a]?.needsBond = true
    world.call("Prepare")
    world.advance(.seconds(25))
    #expect(world.line.hasSuffix(": " + Self.neverSubscribed), "\(world.line)")
    #expect(!world.bluez.calls.contains("Pair"))
    let client = world.pair()
    world.advance(.seconds(60))
    #expect(world.told(client).last == "paired")
    world.beats(2)
    #expect(world.line == "streaming", "the session has kept its claim on the link")
  }

  @Test func p03_pairedDuringPrepareWhereTheConfigurationAllowsIt() {
    var configuration = World.configured
    configuration.pairsWhenNeeded = true
    let world = World(configuration)
    world.bluez.straps[World.a]?.needsBond = true
    world.call("Prepare")
    world.advance(.seconds(40))
    world.beats(2)
    #expect(world.line == "streaming")
    #expect(world.bluez.calls.filter { $0 == "Pair" }.count == 1)
    #expect(world.bluez.agent == nil)
    let links = world.events.compactMap { if case .link(let strap) = $0.what { strap.link } else { nil } }
    #expect(links.contains("pairing"))
  }

  @Test(arguments: [
    ("org.bluez.Error.AuthenticationFailed", "Authentication Failed"),
    ("org.bluez.Error.AuthenticationCanceled", "Authentication Canceled"),
    ("org.bluez.Error.AuthenticationRejected", "Authentication Rejected"),
    ("org.bluez.Error.AuthenticationTimeout", "Authentication Timeout"),
    ("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout"),
  ])
  func p04_errorsOfPair(name: String, text: String) throws {
    var configuration = World.configured
    configuration.pairsWhenNeeded = true
    let world = World(configuration)
    world.bluez.straps[World.a]?.needsBond = true
    world.bluez.straps[World.a]?.pairError = BusError(name: try #require(InterfaceName(name)), text: text)
    world.call("Prepare")
    world.advance(.seconds(12))
    let why = "(" + name + ": " + text + ")"
    let advice =
      "the strap did not take the pairing " + why + ": if it wants a number, pair it by hand: strapctl pair; if it is "
      + "paired with another host, remove that first"
    #expect(world.events.contains { if case .link(let strap) = $0.what { strap.trouble == advice } else { false } })
    // By hand it fails with the same words.
    let client = world.pair()
    world.advance(.seconds(60))
    #expect(world.told(client).last == "PairingFailed: pairing failed " + why)
    world.advance(.seconds(300))
    let tries = world.bluez.calls.filter { $0 == "Pair" }.count
    #expect((6...14).contains(tries), "one by hand, the others as the back-off lets them: \(tries)")
    world.bluez.straps[World.a]?.pairError = nil
    let again = world.pair()
    world.advance(.seconds(60))
    #expect(world.told(again).last == "paired")
    world.beats(2)
    #expect(world.line == "streaming")
  }

  @Test(arguments: [
    ("org.bluez.Error.NotReady", "", "the Bluetooth adapter is off"),
    ("org.bluez.Error.InProgress", "", "another connection attempt is under way"),
    ("org.freedesktop.DBus.Error.AccessDenied", "", "the D-Bus policy does not let this user speak to bluetoothd"),
    ("org.freedesktop.DBus.Error.UnknownObject", "", "bluetoothd does not know the device any more"),
    ("org.freedesktop.DBus.Error.NoReply", "", "bluetoothd does not answer"),
    ("org.bluez.Error.Failed", "le-connection-key-missing", "the pairing is known to one side only"),
    ("org.bluez.Error.Strange", "who knows", "org.bluez.Error.Strange: who knows"),
  ])
  func p05_otherErrorsOfPair(name: String, text: String, words: String) throws {
    let world = World()
    world.bluez.straps[World.a]?.pairError = BusError(name: try #require(InterfaceName(name)), text: text)
    let client = world.pair()
    world.advance(.seconds(20))
    #expect(world.told(client).last == "PairingFailed: " + words)
    #expect(world.bluez.straps[World.a]?.isConnected == false)
  }

  @Test func p06_bondLostOnTheStrapsSide() {
    let world = World()
    world.bluez.straps[World.a]?.isBonded = true
    world.bluez.straps[World.a]?.needsBond = true
    world.bluez.straps[World.a]?.hasLostBond = true
    world.call("Prepare")
    world.advance(.seconds(12))
    #expect(
      world.line.hasSuffix(
        ": the strap ends every connection at once: it has probably lost its pairing with this host; pair it anew: "
          + "strapctl pair --again"), "\(world.line)")
    #expect(world.strap()["troubleKind"]?.asString == "bondLost")
    let unmended = world.pair()
    world.advance(.zero)
    #expect(world.told(unmended) == ["paired"], "as far as this host knows")
    let client = world.pair(["again": .bool(true)])
    world.advance(.seconds(60))
    #expect(world.told(client).last == "paired")
    #expect(world.bluez.calls.filter { $0 == "RemoveDevice" }.count == 1)
    world.beats(2)
    #expect(world.line == "streaming")
  }

  @Test(arguments: [
    (SimulatedBlueZ.Strap.Question.passkey(4711), "enterPasskey", "passkey", JSON.integer(4711)),
    (.pinCode("0000"), "enterPinCode", "pinCode", .string("0000")),
    (.confirmation(42), "confirmPasskey:000042", "", .null),
  ])
  func p07_thePersonIsAsked(_ asks: SimulatedBlueZ.Strap.Question, words: String, name: String, value: JSON) {
    let world = World()
    world.bluez.straps[World.a]?.asks = asks
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    #expect(world.told(client) == ["searching", "connecting", "pairing", "connecting", "pairing", words])
    var answer: [JSON.Member] = [.init("strap", .string(Self.address)), .init("accept", .bool(true))]
    if !name.isEmpty { answer.append(.init(name, value)) }
    let person = world.connect()
    world.send(person, VarlinkCall("io.strapd.AnswerPairing", .object(answer)))
    world.advance(.seconds(1))
    #expect(world.take(person).first?["error"] == nil)
    #expect(world.told(client) == ["pairing", "paired"])
    #expect(world.bluez.straps[World.a]?.isBonded == true)
    world.send(person, VarlinkCall("io.strapd.AnswerPairing", .object(answer)))
    #expect(world.take(person).first?["error"]?.asString == "io.strapd.NothingAsked")
  }

  @Test func p08_theStrapIsToldToShowIt() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .shownPasskey(42)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    #expect(world.told(client).suffix(2) == ["showPasskey:000042", "paired"])
  }

  @Test func p09_wrongAnswersAndRefusals() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    let wrongKind = world.call(
      "AnswerPairing", ["strap": .string(Self.address), "accept": .bool(true), "pinCode": .string("1")])
    #expect(wrongKind["error"]?.asString == "io.strapd.NothingAsked")
    world.call("AnswerPairing", ["strap": .string(Self.address), "accept": .bool(false)])
    world.advance(.seconds(20))
    let failed =
      "PairingFailed: pairing failed (org.bluez.Error.AuthenticationFailed: Authentication Failed)"
    #expect(world.told(client).last == failed)
    // Where nobody can be asked.
    let alone = world.pair()
    world.advance(.seconds(20))
    #expect(world.told(alone).last == failed)
    #expect(!world.bluez.answers.contains(.string("org.bluez.Error.AccessDenied")))
  }

  @Test func p10_theClientGoes() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    world.input(.clientGone(client))
    world.advance(.seconds(5))
    #expect(world.bluez.calls.contains("CancelPairing"))
    #expect(world.bluez.agent == nil)
    #expect(world.bluez.straps[World.a]?.isConnected == false)
    #expect(world.bluez.straps[World.a]?.isBonded == false)
  }

  @Test func p11_theAgentAnswersForNobodyElse() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    world.bluez.straps[World.b]?.isKnown = true
    _ = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    world.bluez.answers = []
    world.arrive([world.bluez.strangersCall(World.a)])
    #expect(world.bluez.answers == [.string("org.freedesktop.DBus.Error.AccessDenied")])
    world.arrive([world.bluez.askAgent(World.b)])
    #expect(world.bluez.answers.last == .string("org.bluez.Error.Rejected"))
  }

  @Test func p12_bluetoothdDiesMeanwhile() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    world.arrive(world.bluez.stop())
    world.advance(.seconds(1))
    #expect(world.told(client).last == "PairingFailed: bluetoothd does not answer")
  }

  @Test func p13_whatCannotBePaired() {
    let world = World()
    world.bluez.straps[World.a]?.isPresent = false
    let absent = world.pair()
    let second = world.pair(["strap": .string(World.b.description)])
    #expect(world.told(second) == ["PairingBusy"])
    world.advance(.seconds(61))
    #expect(
      world.told(absent) == [
        "searching",
        "PairingFailed: the strap is not advertising: wear it and wet the electrodes; if it is worn, it is probably held "
          + "by another central (a watch, a phone)",
      ])
    let unconfigured = World(Configuration())
    #expect(unconfigured.told(unconfigured.pair()) == ["NoStrap"])
    unconfigured.call("Prepare")
    unconfigured.advance(.seconds(2))
    #expect(unconfigured.told(unconfigured.pair()) == ["StrapAmbiguous"])
  }

  @Test func p14_aStrapThatStreamsGoesOnStreaming() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(3)
    let before = world.events.count
    let client = world.pair()
    world.beats(3)
    #expect(world.told(client) == ["pairing", "paired"])
    #expect(world.line == "streaming")
    let kinds = world.events.dropFirst(before).map(\.kind)
    #expect(Set(kinds) == ["heartRate"])
    // A bond that works is not removed from under a session.
    let again = world.pair(["again": .bool(true)])
    #expect(world.told(again) == ["StrapInUse"])
  }

  @Test func p15_theDaemonEnds() {
    let world = World()
    world.bluez.straps[World.a]?.asks = .passkey(4711)
    let client = world.pair(["interactive": .bool(true)])
    world.advance(.seconds(20))
    world.input(.terminationRequested)
    world.advance(.seconds(6))
    #expect(world.told(client).last == "ShuttingDown")
    #expect(world.bluez.calls.contains("CancelPairing"))
    #expect(world.hasExited)
  }

  @Test func p16_withoutMoreOnlyTheEndIsTold() {
    let world = World()
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Pair"))
    world.advance(.seconds(20))
    #expect(world.told(client) == ["paired"])
    let interactive = world.connect()
    world.send(interactive, VarlinkCall("io.strapd.Pair", .object(["interactive": .bool(true)])))
    #expect(world.take(interactive).first?["error"]?.asString == "org.varlink.service.ExpectedMore")
  }

  @Test func p17_successIsNoBond() {
    let world = World()
    world.bluez.straps[World.a]?.needsBond = true
    world.bluez.straps[World.a]?.answersPairEarly = true
    let client = world.pair()
    world.advance(.seconds(2))
    #expect(world.told(client) == ["searching", "connecting", "pairing"])
    #expect(world.bluez.agent != nil, "it is still to be asked")
    world.advance(.seconds(20))
    #expect(world.told(client) == ["paired"])
    #expect(world.bluez.straps[World.a]?.isBonded == true)
    #expect(world.bluez.calls.filter { $0 == "Pair" }.count == 2)
  }
}
