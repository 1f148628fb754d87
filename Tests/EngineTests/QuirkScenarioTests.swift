import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What straps of some kinds do otherwise than expected, each played from the strap's own Device Information to what
/// clients see and what is stored.
struct QuirkScenarioTests {
  /// A running session on a strap of a kind; the strap is silent so far.
  private func running(_ information: DeviceInformation, _ change: (inout SimulatedBlueZ.Strap) -> Void = { _ in })
    -> World
  {
    var bluez = World.straps
    var strap = SimulatedBlueZ.Strap(name: "Kind HR")
    strap.information = information
    change(&strap)
    bluez.straps[World.a] = strap
    let world = World(bluez: bluez)
    world.call("Prepare")
    world.call("Start")
    world.advance(.seconds(2))
    return world
  }

  private func quirks(_ world: World) -> [String]? {
    world.strap()["quirks"]?.asArray?.compactMap(\.asString)
  }

  /// The heart-rate events as clients are told them.
  private func told(_ world: World) -> [JSON] {
    world.events.filter { $0.kind == "heartRate" }.compactMap { event in
      try? JSON(parsing: event.message(held: false, durableThrough: 0).dropLast())["parameters"]
    }
  }

  private func workout(_ world: World) -> FinishedWorkout? {
    world.call("End")
    world.advance(.seconds(1))
    return world.workouts.first
  }

  // MARK: Garmin HRM-Dual

  /// As it was seen, once a second at 56 bpm.
  private static let garmin: [UInt8] = [0x10, 0x38, 0x2D, 0x04, 0x35, 0x00]

  @Test func q01_aShortIntervalIsNoBeat() {
    let world = running(DeviceInformation("Garmin", model: "HRM-Dual", firmware: "2.40"))
    #expect(quirks(world) == ["garmin-hrm-dual-short-interval"])
    for _ in 0..<60 {
      world.raw(Self.garmin)
      world.advance(.milliseconds(1044))
    }
    let events = told(world)
    #expect(events.count == 60)
    #expect(events.allSatisfy { $0["rrTicks"] == .array([.integer(1069)]) })
    #expect(events.allSatisfy { $0["warnings"] == .array([.string("shortInterval")]) })
    // The timeline has room for each of them: nothing drifts.
    #expect(events.allSatisfy { $0["lastBeatDate"] != nil })
    #expect(world.strap()["lostBeats"]?.asInteger == 0)
    // The octets are kept as they came.
    let session = world.engine.sessions.live.keys.first
    let samples = session.map { world.samples(of: $0) } ?? []
    #expect(samples.count == 60 && samples.allSatisfy { $0.payload == Self.garmin })
    let finished = workout(world)
    #expect(finished?.rrCount == 60)
    #expect(finished?.heartRate?.count == 60)
  }

  @Test func q01_otherStrapsKeepTheirIntervals() {
    let world = running(DeviceInformation("Garmin", model: "HRM-Pro"))
    #expect(quirks(world) == [])
    world.raw(Self.garmin)
    #expect(told(world).last?["rrTicks"] == .array([.integer(1069), .integer(53)]))
    #expect(told(world).last?["warnings"] == nil)
  }

  /// A strap that is known already is taken aright before it has told again what it is.
  @Test func q01_theFirstPacketAfterARestartIsTakenAright() {
    let world = running(DeviceInformation("Garmin", model: "HRM-Dual"))
    world.raw(Self.garmin)
    world.advance(.seconds(1))
    let again = world.killed()
    #expect(quirks(again) == ["garmin-hrm-dual-short-interval"])
  }

  // MARK: Polar H7

  @Test func q02_droppingEveryHalfMinuteIsExplained() {
    let world = running(DeviceInformation("Polar Electro Oy", model: "H7", firmware: "1.4.0"))
    #expect(quirks(world) == ["polar-h7-connection-interval", "polar-off-skin-disconnect"])
    func half() -> String? {
      world.beats(30, 70)
      world.arrive(world.bluez.lose(World.a))
      let trouble = world.strap()["trouble"]?.asString
      world.advance(.seconds(3))
      return trouble
    }
    let lost = "the connection was lost: out of range, or the strap switched itself off"
    #expect(half() == lost)
    let reason =
      "the strap hangs up half a minute after it was connected, again and again: it asks for a connection interval of "
      + "312.5 to 500 ms, which this host refuses; allow it as root before it connects: "
      + "echo 400 > /sys/kernel/debug/bluetooth/hci0/conn_max_interval"
    #expect(half() == reason)
    #expect(half() == reason)
    #expect(world.logs.contains { $0.text == "Kind HR (F0:F1:F2:F3:F4:F5): \(reason)" })
    // A connection that lasts, and the next loss is one like any other.
    world.beats(120, 70)
    #expect(half() == lost)
  }

  @Test func q02_otherStrapsAreOutOfRange() {
    let world = running(DeviceInformation("Polar Electro Oy", model: "H10"))
    for _ in 0..<3 {
      world.beats(30, 70)
      world.arrive(world.bluez.lose(World.a))
      #expect(world.strap()["trouble"]?.asString?.hasPrefix("the connection was lost") == true)
      world.advance(.seconds(3))
    }
  }

  // MARK: Polar off the skin

  @Test func q03_hangingUpOffTheSkinIsExplained() {
    let world = running(DeviceInformation("Polar Electro Oy", model: "H10"))
    world.beats(3, 70)
    for _ in 0..<25 {
      world.raw([0x04, 70])
      world.advance(.seconds(1))
    }
    #expect(world.strap()["availability"]?.asString == "noContact")
    world.arrive(world.bluez.lose(World.a))
    #expect(
      world.strap()["trouble"]?.asString
        == "the strap ends the connection when it touches no skin for half a minute: wear it and wet the electrodes")
  }

  // MARK: Polar H10

  @Test func q04_flagsDifferFromPacketToPacket() {
    let world = running(DeviceInformation("Polar Electro Oy", model: "H10"))
    #expect(quirks(world) == ["polar-off-skin-disconnect", "polar-h10-changing-flags"])
    for index in 0..<20 {
      world.raw(index.isMultiple(of: 2) ? [0x10, 0x3C, 0x8C, 0x04] : [0x00, 0x3D])
      world.advance(.seconds(1))
    }
    #expect(told(world).count == 20)
    #expect(told(world).allSatisfy { $0["warnings"] == nil && $0["availability"]?.asString == "available" })
    #expect(world.strap()["refusedPackets"]?.asInteger == 0)
    let finished = workout(world)
    #expect(finished?.heartRate?.count == 20 && finished?.rrCount == 10)
  }

  // MARK: Polar's optical armbands

  @Test func q05_randomValuesOffTheSkinAreUnavailable() {
    let world = running(DeviceInformation("Polar Electro Oy", model: "OH1"))
    #expect(quirks(world) == ["polar-optical-off-skin"])
    func send(_ values: [UInt8]) {
      for value in values {
        world.raw([0x00, value])
        world.advance(.seconds(1))
      }
    }
    send([70, 71, 72, 72])
    #expect(world.strap()["availability"]?.asString == "available")
    #expect(world.strap()["contact"]?.asString == "unknown")
    // Taken off.
    send([131, 64, 180, 52])
    #expect(world.strap()["availability"]?.asString == "unavailable")
    #expect(world.strap()["heartRate"] == nil)
    #expect(told(world).last?["warnings"] == .array([.string("unsteady")]))
    #expect(told(world).last?["heartRate"]?.asInteger == 52)
    // Worn again: believed when it has been steady for a while.
    send([70, 70, 71, 71, 70, 70])
    #expect(world.strap()["availability"]?.asString == "available")
    let changes = world.events.compactMap { if case .availability(let series) = $0.what { series } else { nil } }
    #expect(changes == [.available, .unavailable, .available])
    // What counts is the specification's to say: the strap does not deny contact.
    #expect(workout(world)?.heartRate?.count == 14)
  }

  @Test func q05_aChestStrapMayJump() {
    let world = running(DeviceInformation("Polar Electro Oy", model: "H10"))
    for value: UInt8 in [70, 131, 64] { world.raw([0x00, value]) }
    #expect(world.strap()["availability"]?.asString == "available")
  }

  // MARK: Topeak

  private static let topeak = DeviceInformation("Topeak", model: "PanoBike HRM")

  /// What bluetoothd answers StartNotify when the strap hangs up on it, nil for nothing.
  private static let hangUps: [InterfaceName?] = [nil, "org.bluez.Error.NotConnected", "org.bluez.Error.Failed"]

  @Test(arguments: hangUps)
  func q06_aStrapThatHangsUpOnNotificationsIsReadFirst(_ error: InterfaceName?) {
    let world = running(Self.topeak) {
      $0.wantsDescriptorRead = true
      $0.hangUpError = error
    }
    world.advance(.seconds(5))
    world.beats(3)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(quirks(world) == ["topeak-descriptor-read"])
    #expect(world.bluez.calls.filter { $0 == "Connect" }.count == 2)
    // Out of range and back: no further try is wasted.
    world.lose()
    world.advance(.seconds(5))
    world.come()
    world.advance(.seconds(2))
    world.beats(3)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.bluez.calls.filter { $0 == "Connect" }.count == 3)
    // In another life of the daemon it is known from the first connection on.
    world.call("End")
    world.advance(.seconds(130))  // the link is held for the series after the workout
    let again = world.killed()
    again.bluez.calls = []
    again.call("Prepare")
    again.advance(.seconds(3))
    again.beats(3)
    #expect(again.strap()["link"]?.asString == "streaming")
    #expect(again.bluez.calls.filter { $0 == "StartNotify" }.count == 1)
  }

  /// Of any kind: a try that ends in a disconnect is followed by one with the reading.
  @Test func q06_strapsOfUnknownKindsAreReadAtTheSecondTry() {
    let world = running(.simulated) { $0.wantsDescriptorRead = true }
    world.advance(.seconds(5))
    world.beats(3)
    #expect(world.strap()["link"]?.asString == "streaming")
    let other = running(.simulated)
    other.beats(3)
    let reads = other.bluez.calls.filter { $0 == "ReadValue" }.count
    #expect(world.bluez.calls.filter { $0 == "ReadValue" }.count == reads + 1)
  }

  // MARK: InfiniTime

  @Test func q07_zeroIsNoReading() {
    let world = running(DeviceInformation("PINE64", model: "PineTime", firmware: "1.13.0"))
    #expect(quirks(world) == ["infinitime-zero"])
    for value: UInt8 in [72, 0, 0, 74] {
      world.raw([0x00, value])
      world.advance(.seconds(1))
    }
    let series = told(world).map { $0["availability"]?.asString }
    #expect(series == ["available", "unavailable", "unavailable", "available"])
    let finished = workout(world)
    #expect(finished?.heartRate?.count == 2 && finished?.heartRate?.minimum == 72)
  }

  // MARK: WHOOP

  @Test func q08_aLevelThatNeverFallsIsNotReliedOn() {
    let world = running(DeviceInformation("WHOOP Inc.", model: "4.0")) { $0.battery = 100 }
    world.beats(2)
    #expect(quirks(world) == ["whoop-battery-constant"])
    #expect(world.strap()["batteryPercent"]?.asInteger == 100)
    #expect(world.strap()["batteryUnreliable"]?.asBool == true)
    #expect(
      world.call("ListStraps")["parameters"]?["straps"]?.asArray?.first?["batteryUnreliable"]?.asBool == true)
    // Should it fall all the same, whoever is told is told that as well.
    world.arrive(world.bluez.batteryChanges(World.a, 4))
    let crossings = world.events.compactMap { event in
      if case .battery(let level, _, let isUnreliable) = event.what { (level.percent, isUnreliable) } else { nil }
    }
    #expect(crossings.map(\.0) == [4] && crossings.map(\.1) == [true])
    let other = running(DeviceInformation("Maker", model: "M1")) { $0.battery = 100 }
    other.beats(2)
    #expect(other.strap()["batteryPercent"]?.asInteger == 100)
    #expect(other.strap()["batteryUnreliable"] == nil)
  }

  // MARK: Being told

  @Test func theLastTroubleIsKept() {
    let world = running(.simulated)
    #expect(world.strap()["lastTrouble"] == nil)
    world.beats(3)
    let date = world.now.wall.rfc3339
    world.lose()
    world.advance(.seconds(5))
    world.come()
    world.advance(.seconds(2))
    world.beats(3)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.strap()["trouble"] == nil)
    #expect(world.strap()["lastTrouble"]?.asString?.hasPrefix("the connection was lost") == true)
    #expect(world.strap()["lastTroubleDate"]?.asString == date)
  }

  @Test func theJournalSaysOnceWhatIsKnown() {
    let world = running(DeviceInformation("Garmin", model: "HRM-Dual"))
    world.beats(3)
    world.lose()
    world.advance(.seconds(5))
    world.come()
    world.beats(5)
    let lines = world.logs.filter { $0.text.contains("garmin-hrm-dual-short-interval") }
    #expect(lines.count == 1)
    #expect(lines.first?.text.contains("https://forums.garmin.com/") == true)
  }
}
