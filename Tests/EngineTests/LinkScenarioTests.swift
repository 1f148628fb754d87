import BlueZ
import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What BlueZ, adapters and straps do to a workout, one story each: what the person is told meanwhile, to the letter, and
/// that it streams again by itself, with nothing lost that was delivered and nothing counted twice.
struct LinkScenarioTests {
  private let notHeard =
    "the strap is not advertising: wear it and wet the electrodes; if it is worn, it is probably held by another central "
    + "(a watch, a phone)"
  private let notAnswering =
    "the strap does not answer: wear it and wet the electrodes; if it is worn, it is probably held by another central "
    + "(a watch, a phone)"
  private let lost = "the connection was lost: out of range, or the strap switched itself off"

  private func running(_ world: World = World()) -> World {
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.beat(70, rr: [870])
    world.call("Start")
    world.advance(.seconds(1))
    world.beats(5, 100)
    return world
  }

  /// The status line of the strap: where the link stands, and why.
  private func line(_ world: World, _ strap: StrapAddress = World.a) -> String {
    let strap = world.strap(strap)
    return (strap["link"]?.asString ?? "?") + (strap["trouble"]?.asString.map { ": \($0)" } ?? "")
  }

  /// It streams again, and the workout has the beats that were delivered, each once.
  private func finish(_ world: World, delivered: Int, line expected: String = "streaming") {
    #expect(line(world) == expected)
    world.call("End")
    #expect(world.transitions.last == "stopped>ended")
    #expect(world.workouts.last?.heartRate?.count == delivered)
    #expect(world.workouts.last.map { world.samples(of: $0.id).count } == delivered + 1)
  }

  private func logs(_ world: World, _ text: String) -> Int {
    world.logs.count { $0.text.contains(text) }
  }

  @Test func l01_bluetoothdRestarts() {
    let world = running()
    world.arrive(world.bluez.stop())
    #expect(line(world) == "waitingForBluetoothd: bluetoothd is not running: systemctl start bluetooth")
    world.advance(.seconds(30))
    world.arrive(world.bluez.restart())
    world.advance(.seconds(2))
    world.beats(5, 100)
    finish(world, delivered: 10)
    #expect(logs(world, "bluetoothd is not running") == 1, "one line a change")
  }

  @Test func l02_bluetoothdIsAbsentAtTheStart() {
    var bluez = World.straps
    bluez.isRunning = false
    let world = World(bluez: bluez)
    world.call("Prepare")
    world.advance(.seconds(600))
    #expect(line(world) == "waitingForBluetoothd: bluetoothd is not running: systemctl start bluetooth")
    #expect(logs(world, "cannot connect to") == 1)
    world.arrive(world.bluez.restart())
    world.advance(.seconds(2))
    world.beat(70)
    #expect(line(world) == "streaming")
  }

  @Test func l03_theAdapterIsRemovedAndComesBackUnderAnotherName() {
    let world = running()
    world.arrive(world.bluez.removeAdapter())
    #expect(line(world) == "waitingForAdapter: bluetoothd knows no Bluetooth adapter: is one plugged in?")
    world.advance(.seconds(20))
    world.arrive(world.bluez.addAdapter("hci3"))
    world.advance(.seconds(2))
    #expect(world.status["adapters"]?.asArray?.first?["name"]?.asString == "hci3")
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  @Test func l04_theAdapterIsSwitchedOffAndOn() {
    var configuration = World.configured
    configuration.powersAdapter = false
    let world = running(World(configuration))
    world.arrive(world.bluez.power(false))
    #expect(line(world) == "waitingForAdapter: the Bluetooth adapter is off: bluetoothctl power on")
    world.advance(.seconds(100))
    #expect(!world.bluez.calls.contains("Set"))
    world.arrive(world.bluez.power(true))
    world.advance(.milliseconds(100))
    #expect(!line(world).contains(": "), "it was not the strap, and is over: \(line(world))")
    world.advance(.seconds(2))
    world.beats(5, 100)
    #expect(logs(world, "the connection was lost") == 0)
    #expect(world.strap()["lastTrouble"]?.asString == "the Bluetooth adapter is off: bluetoothctl power on")
    finish(world, delivered: 10)
  }

  @Test func l05_rfkill() {
    let world = running()
    world.arrive(world.bluez.power(false, blocked: true))
    #expect(line(world) == "waitingForAdapter: the Bluetooth adapter is blocked: rfkill unblock bluetooth")
    world.advance(.seconds(100))
    #expect(!world.bluez.calls.contains("Set"), "what is blocked cannot be switched on")
    world.arrive(world.bluez.power(true))
    world.advance(.seconds(2))
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  /// BlueZ 5.66 does not show that the adapter is blocked; it only cannot be switched on.
  @Test func l05_rfkillThatIsNotShown() {
    let world = running()
    world.bluez.powerError = "org.bluez.Error.Failed"
    world.arrive(world.bluez.power(false))
    world.advance(.seconds(9))
    #expect(world.bluez.calls.filter { $0 == "Set" }.count == 1)
    #expect(
      line(world) == "waitingForAdapter: the Bluetooth adapter is off: bluetoothctl power on",
      "one refusal may be that of an adapter which is coming up")
    world.advance(.seconds(91))
    #expect(
      line(world)
        == "waitingForAdapter: the Bluetooth adapter is off and does not go on; it may be blocked: rfkill unblock "
        + "bluetooth")
    #expect(logs(world, "it may be blocked") == 1)
    world.bluez.powerError = nil
    world.arrive(world.bluez.power(true))
    world.advance(.seconds(2))
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  /// Somebody else is switching the adapter at that moment; that is no refusal.
  @Test func l05_anAdapterThatIsBeingSwitched() {
    let world = running()
    world.bluez.powerError = "org.bluez.Error.InProgress"
    world.arrive(world.bluez.power(false))
    world.advance(.seconds(100))
    #expect(line(world) == "waitingForAdapter: the Bluetooth adapter is off: bluetoothctl power on")
    world.bluez.powerError = nil
    world.advance(.seconds(12))
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  @Test(arguments: [1, 60, 3600])
  func l06_outOfRange(seconds: Int) {
    var patient = World.configured
    patient.limits.absence = nil
    let world = running(World(patient))
    world.lose()
    #expect(line(world) == "connecting: " + lost)
    world.advance(.seconds(seconds))
    if seconds > 30 { #expect(line(world).hasSuffix(": " + notAnswering)) }
    world.come()
    world.advance(.seconds(2))
    world.beats(5, 100)
    finish(world, delivered: 10)
    #expect(world.workouts[0].heartRate?.covered ?? .zero <= .seconds(11), "no value is held across the gap")
    #expect(logs(world, "receiving heart rate") == 2)
    #expect(logs(world, "the strap does not answer") <= 1)
    let gaps = world.events.filter { $0.kind == "gap" }
    #expect(gaps.count == 1)
  }

  @Test func l07_connectedAndNeverResolved() {
    let world = World()
    world.bluez.straps[World.a]?.resolveDelay = .seconds(1000)
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(line(world) == "resolving")
    world.advance(.seconds(31))
    #expect(line(world).hasPrefix("resolving: the strap connected and never told its services: bring it nearer"))
    world.bluez.straps[World.a]?.resolveDelay = .milliseconds(100)
    world.advance(.seconds(70))
    world.beat(70)
    #expect(line(world) == "streaming")
  }

  @Test func l08_resolvedWithoutAMeasurement() {
    let world = World()
    world.bluez.straps[World.a]?.hasHeartRate = false
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(line(world) == "resolving")
    world.advance(.seconds(60))
    #expect(line(world).contains(": this device has no Heart Rate Service measurement (0x2A37): is it the strap?"))
  }

  @Test func l09_subscribedAndNothingComes() {
    let world = World()
    world.bluez.straps[World.a]?.isSilent = true
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(line(world) == "subscribing")
    world.advance(.seconds(10))
    #expect(world.bluez.calls.filter { $0 == "StartNotify" }.count == 2)
    world.advance(.seconds(11))
    #expect(line(world).hasSuffix(": the strap sends nothing: wear it and wet the electrodes"))
    world.advance(.seconds(300))
    world.bluez.straps[World.a]?.isSilent = false
    world.beats(45, 70)
    #expect(line(world) == "streaming")
    #expect(logs(world, "sends nothing") == 1)
  }

  @Test func l10_theStrapFallsSilentWhileConnected() {
    let world = running()
    world.bluez.straps[World.a]?.isSilent = true
    world.advance(.milliseconds(2_100))
    #expect(world.events.last?.kind == "availability")
    guard case .gap(let since) = world.events.last(where: { $0.kind == "gap" })?.what else {
      Issue.record("no gap after three seconds")
      return
    }
    #expect(world.now.wall - since < .milliseconds(3_200))
    #expect(line(world) == "streaming")
    world.advance(.seconds(13))
    #expect(line(world).hasSuffix(": the strap stopped sending: wear it and wet the electrodes"))
    #expect(world.strap()["reconnects"]?.asInteger == 1)
    world.bluez.straps[World.a]?.isSilent = false
    world.advance(.seconds(2))
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  @Test func l11_connectNeverAnswers() {
    let world = World()
    world.bluez.straps[World.a]?.connectDelay = .seconds(100_000)
    world.call("Prepare")
    world.advance(.seconds(9))
    #expect(line(world) == "connecting")
    world.advance(.seconds(20))
    #expect(line(world) == "connecting: " + notAnswering)
    world.advance(.seconds(4))
    #expect(line(world).hasSuffix(": " + notAnswering))
    world.advance(.seconds(1700))
    #expect(
      world.bluez.calls.filter { $0 == "Connect" }.count <= world.bluez.calls.filter { $0 == "Disconnect" }.count + 1)
    world.bluez.straps[World.a]?.connectDelay = .milliseconds(300)
    world.advance(.seconds(65))
    world.beat(70)
    #expect(line(world) == "streaming")
  }

  @Test func l14_aLinkFoundConnected() {
    let before = running()
    let world = before.killed()
    #expect(world.bluez.straps[World.a]?.isConnected == true)
    world.advance(.seconds(1))
    #expect(!world.bluez.calls.suffix(3).contains("Connect"))
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  @Test func l15_theObjectIsGoneBeforeConnect() {
    let world = running()
    world.lose()
    world.arrive(world.bluez.forget(World.a))
    world.advance(.seconds(11))
    #expect(line(world) == "searching: " + notHeard)
    world.come()
    world.advance(.seconds(2))
    world.beats(5, 100)
    finish(world, delivered: 10)
  }

  @Test func l16_anotherClientIsSubscribedToo() {
    let world = running()
    for index in 0..<10 {
      world.beat(100 + UInt8(index), rr: [870])
      world.advance(.microseconds(200))
      world.beat(100 + UInt8(index), rr: [870])
      world.advance(.seconds(1) - .microseconds(200))
    }
    #expect(world.strap()["repeats"]?.asInteger == 10)
    world.call("End")
    let workout = world.workouts[0]
    #expect(world.samples(of: workout.id).count == 26, "all are kept")
    #expect(workout.rrCount == 15, "and no beat is there twice")
    #expect(abs((workout.heartRate?.average ?? 0) - (504 + 1045) / 15.0) < 1e-6)
  }

  @Test func l17_fiveEqualOnesHeldBackFiveSecondsAllCount() throws {
    let world = running()
    world.advance(.seconds(4))
    for _ in 0..<5 { world.beat(100, rr: [1024]) }
    world.advance(.seconds(1))
    world.call("End")
    let workout = world.workouts[0]
    #expect(workout.rrCount == 10)
    let beats = world.samples(of: workout.id).suffix(5).compactMap { $0.beats?.lastBeat }
    #expect(beats.count == 5)
    for (earlier, later) in zip(beats, beats.dropFirst()) { #expect(later - earlier == .seconds(1)) }
  }

  @Test func l18_signalsOfWrongType() {
    let world = running()
    let measurement = SimulatedBlueZ.measurement(World.a)
    let device = SimulatedBlueZ.path(World.a)
    world.arrive([
      world.bluez.changed(measurement, "org.bluez.GattCharacteristic1", ["Value": .string("no octets")]),
      world.bluez.changed(measurement, "org.bluez.GattCharacteristic1", ["Value": .array(of: .uint16, [.uint16(7)])]),
      world.bluez.changed(device, "org.bluez.Device1", ["Connected": .string("yes")]),
      world.bluez.changed(device, "org.bluez.Device1", ["RSSI": .byte(3), "UUIDs": .boolean(true)]),
      world.bluez.changed("/org/bluez/hci7/dev_00", "org.bluez.Device1", ["Connected": .boolean(false)]),
    ])
    world.beats(5, 100)
    #expect(world.status["oddSignals"]?.asInteger ?? 0 >= 4)
    finish(world, delivered: 10)
  }

  @Test func l19_theBusItselfGoes() {
    let world = running()
    world.busIsThere = false
    _ = world.bluez.stop()
    world.input(.busLost("the connection broke"))
    #expect(line(world) == "waitingForBluetoothd: the system bus cannot be reached: is dbus running?")
    world.advance(.seconds(61))
    world.busIsThere = true
    _ = world.bluez.restart()
    world.advance(.seconds(5))
    world.beats(5, 100)
    finish(world, delivered: 10)
    #expect(logs(world, "the system bus is gone") == 1)
    #expect(logs(world, "cannot connect to") == 0, "the bus is told of once, and not for each strap")
  }

  @Test func l21_aPrivateAddressThatChanged() throws {
    let before = try #require(StrapAddress("5A:00:00:00:00:01"))
    let after = try #require(StrapAddress("6B:00:00:00:00:02"))
    let stranger = try #require(StrapAddress("6C:00:00:00:00:03"))
    var bluez = SimulatedBlueZ()
    bluez.straps = [before: .init(name: "Private HR")]
    let world = World(Configuration(), bluez: bluez)
    world.call("Prepare")
    world.advance(.seconds(5))
    world.beat(70, before)
    world.call("Start")
    world.advance(.seconds(1))
    world.beats(5, 100, before)
    world.lose(before)
    world.arrive(world.bluez.forget(before))
    world.bluez.straps[before] = nil
    world.bluez.straps[stranger] = .init(name: "Somebody's", rssi: -20)
    world.bluez.straps[after] = .init(name: "Private HR")
    world.come(stranger)
    world.come(after)
    world.advance(.seconds(3))
    world.beats(5, 100, after)
    #expect(line(world, before) == "streaming")
    #expect(world.bluez.straps[stranger]?.isConnected == false)
    #expect(logs(world, "has changed its private address to 6B:00:00:00:00:02") == 1)
    world.call("End")
    #expect(world.workouts.last?.heartRate?.count == 10)
    #expect(world.workouts.last?.strap == before)
  }

  @Test func l20_energyIsResetAndDoesNotFall() {
    let world = running()
    world.raw([0x0E, 100, 40, 0])
    world.advance(.seconds(1))
    world.raw([0x0E, 100, 50, 0])
    #expect(world.call("ResetEnergy")["parameters"]?["strap"]?.asString == World.a.description)
    #expect(world.bluez.written == [[1]])
    world.advance(.seconds(1))
    world.raw([0x0E, 100, 0, 0])
    world.raw([0x0E, 100, 3, 0])
    world.advance(.seconds(1))
    world.call("End")
    #expect(world.workouts[0].energyKilojoules == 13)
    world.advance(.seconds(123))  // the two minutes after a workout, and the link is put down
    #expect(world.call("ResetEnergy")["error"]?.asString == "io.strapd.NotStreaming")
  }
}
