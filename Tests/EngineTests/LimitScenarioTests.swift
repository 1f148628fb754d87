import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Sessions that are left alone end by themselves: at the limit, and not a millisecond before.
struct LimitScenarioTests {
  private static let almost = Duration.milliseconds(1_799_999)

  private func configured(_ change: (inout Limits) -> Void = { _ in }) -> Configuration {
    var configuration = World.configured
    change(&configuration.limits)
    return configuration
  }

  /// Running, with five heart rates, the last of them at this very tick.
  private func running(_ world: World = World()) -> World {
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    world.beats(4, 100)
    world.beat(100)
    return world
  }

  private func session(_ world: World) -> JSON { world.status["sessions"]?.asArray?.first ?? .null }

  private func state(_ world: World) -> String? { session(world)["state"]?.asString }

  /// How a session went to its end, from the first thing that its limit has caused.
  private func course(_ world: World) -> [String] {
    world.events.compactMap { event in
      switch event.what {
      case .failed(let reason): "failed(\(reason))"
      case .transition(let transition):
        "\(transition.from)>\(transition.to) \(transition.cause)"
          + (transition.endReason.map { " \($0)" } ?? "")
      default: nil
      }
    }
  }

  @Test func l01_withoutHeartRateItEndsAtItsLastOne() throws {
    let world = running()
    let last = world.now
    world.lose()
    world.advance(Self.almost)
    #expect(state(world) == "running")
    #expect(world.workouts.isEmpty)
    world.advance(.milliseconds(1))
    #expect(
      course(world).suffix(3) == [
        "failed(sensorAbsent)", "running>stopped system", "stopped>ended system sensorAbsent",
      ])
    #expect(course(world).count { $0.hasPrefix("failed") } == 1)
    let saved = try #require(world.saved)
    #expect(saved.endReason == .sensorAbsent)
    #expect(saved.end.date == last.wall)
    #expect(saved.end.tick == last.tick + .nanoseconds(1), "the last heart rate counts")
    #expect(saved.heartRate?.count == 5)
    #expect(saved.elapsed == .seconds(4) + .nanoseconds(1))
    #expect(world.status["sessions"]?.asArray?.isEmpty == true)
    // The transition has the date of the end, and is published at the limit.
    let stopped = try #require(world.events.last { $0.kind == "transition" && $0.date == last.wall })
    #expect(stopped.session == saved.id)
  }

  @Test(arguments: [[0x04, 100], [0x06, 0]] as [[UInt8]])
  func l02_whatIsNoHeartRateEndsNoAbsence(_ payload: [UInt8]) {
    let world = running()
    let last = world.now
    for _ in 0..<1799 {
      world.advance(.seconds(1))
      world.raw(payload)
    }
    #expect(state(world) == "running")
    world.advance(.seconds(1))
    #expect(world.saved?.end.date == last.wall)
    #expect(world.saved?.endReason == .sensorAbsent)
    #expect(world.saved?.heartRate?.count == 5)
  }

  @Test func l03_aHeartRateBeginsItAnew() {
    let world = running()
    world.advance(Self.almost)
    world.beat(90)
    world.advance(Self.almost)
    #expect(state(world) == "running")
    world.advance(.milliseconds(1))
    #expect(world.saved?.heartRate?.count == 6)
  }

  @Test func l04_zeroMeansNever() {
    let world = running(World(configured { $0.absence = nil }))
    world.lose()
    world.advance(.seconds(86_400 * 3))
    #expect(state(world) == "running")
    #expect(world.status["limits"]?["absenceSeconds"] == nil)
  }

  @Test func l05_itRunsInRunningOnly() {
    let world = running()
    let last = world.now
    world.lose()
    world.advance(.seconds(600))
    world.call("Pause")
    world.advance(.seconds(36_000))
    world.call("Resume")
    world.advance(Self.almost - .seconds(600))
    #expect(state(world) == "running")
    world.advance(.milliseconds(1))
    #expect(world.saved?.end.date == last.wall)
    #expect(world.saved?.endReason == .sensorAbsent)
  }

  @Test func l06_withoutAnyHeartRateItEndsAtItsStart() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(5))
    world.call("Start")
    let start = world.now
    world.advance(Self.almost)
    #expect(state(world) == "running")
    world.advance(.milliseconds(1))
    #expect(world.saved?.start.tick == start.tick)
    #expect(world.saved?.end.tick == start.tick)
    #expect(world.saved?.end.date == start.wall)
    #expect(world.saved?.heartRate == nil)
    #expect(world.saved?.endReason == .sensorAbsent)
  }

  /// What can fail of this machine, and how it is mended.
  private static let faults: [(name: String, fail: @Sendable (World) -> Void, mend: @Sendable (World) -> Void)] = [
    ("adapter off", { $0.arrive($0.bluez.power(false, blocked: true)) }, { $0.arrive($0.bluez.power(true)) }),
    ("adapter gone", { $0.arrive($0.bluez.removeAdapter()) }, { $0.arrive($0.bluez.addAdapter("hci3")) }),
    ("bluetoothd gone", { $0.arrive($0.bluez.stop()) }, { $0.arrive($0.bluez.restart()) }),
    (
      "bus gone",
      { world in
        world.busIsThere = false
        world.input(.busLost("gone"))
      }, { $0.busIsThere = true }
    ),
    (
      "scan refused",
      { world in
        world.bluez.discoveryError = BusError(name: "org.bluez.Error.NotReady", text: "Resource Not Ready")
        world.lose()
      }, { $0.bluez.discoveryError = nil }
    ),
  ]

  @Test(arguments: [0, 1, 2, 3, 4])
  func l07_aFaultOfTheHostEndsNoSession(_ number: Int) {
    let fault = Self.faults[number]
    let world = running()
    let last = world.now
    world.advance(.seconds(60))
    fault.fail(world)
    world.advance(.seconds(7200))
    #expect(state(world) == "running", "\(fault.name)")
    let failed = world.kinds(["host"])
    #expect(failed.count == 1, "\(fault.name)")
    guard case .host(isWorking: false, let advice?) = failed.first?.what else {
      Issue.record("\(fault.name): not told, but \(failed)")
      return
    }
    #expect(!advice.isEmpty)
    for strap in world.bluez.straps.keys { world.bluez.straps[strap]?.isPresent = false }
    fault.mend(world)
    while world.kinds(["host"]).count == 1, world.now.tick - last.tick < .seconds(7400) {
      world.advance(.milliseconds(500))
    }
    let isTold = world.kinds(["host"]).last?.what == .host(isWorking: true, advice: nil)
    #expect(isTold, "\(fault.name)")
    // A minute of the half hour had gone before.
    world.advance(.seconds(1730))
    #expect(state(world) == "running", "\(fault.name)")
    world.advance(.seconds(20))
    #expect(world.saved?.endReason == .sensorAbsent, "\(fault.name)")
    #expect(world.saved?.end.date == last.wall, "\(fault.name)")
  }

  @Test func l08_itGoesOnAfterARestart() {
    let world = running()
    let last = world.now
    world.lose()
    world.advance(.seconds(1000))
    // The daemon was away for a while, and could have seen nothing.
    let again = world.killed(downFor: .seconds(900))
    again.advance(.milliseconds(799_000))
    #expect(state(again) == "running")
    again.advance(.seconds(2))
    #expect(again.saved?.endReason == .sensorAbsent)
    #expect(again.saved?.end.date == last.wall)
    #expect(again.saved?.heartRate?.count == 5)
  }

  @Test func l09_aFaultOfTheHostBeforeARestartCountsNothing() {
    let world = running()
    world.advance(.seconds(100))
    world.arrive(world.bluez.power(false, blocked: true))
    world.advance(.seconds(7200))
    let again = world.killed()
    again.advance(.seconds(10))
    #expect(again.kinds(["host"]).count == 1, "told again by the new life")
    again.bluez.straps[World.a]?.isPresent = false
    again.arrive(again.bluez.power(true))
    again.advance(.seconds(1690))
    #expect(state(again) == "running")
    again.advance(.seconds(20))
    #expect(again.saved?.endReason == .sensorAbsent)
  }

  @Test func l10_heartRateAfterARestartBeginsItAnew() {
    let world = running()
    world.advance(.seconds(1790))
    let again = world.killed(readingTime: .seconds(5))
    again.advance(.seconds(3))
    again.beat(80)
    again.advance(Self.almost)
    #expect(state(again) == "running")
    again.advance(.milliseconds(1))
    #expect(state(again) == "stopped")
    again.advance(.seconds(5))
    #expect(again.saved?.heartRate?.count == 6)
  }

  @Test(arguments: ["Create", "Prepare"])
  func l11_whatNobodyStartsIsEnded(_ call: String) {
    for killed in [false, true] {
      var world = World()
      world.call(call)
      if killed {
        world.advance(.seconds(1000))
        world = world.killed(downFor: .seconds(100))
        world.advance(.milliseconds(699_999))
      } else {
        world.advance(Self.almost)
      }
      #expect(state(world) == (call == "Create" ? "notStarted" : "prepared"))
      world.advance(.milliseconds(1))
      let from = call == "Create" ? "notStarted" : "prepared"
      #expect(course(world).last == "\(from)>ended system prepareExpired")
      #expect(state(world) == nil)
      #expect(world.workouts.isEmpty)
      #expect(!course(world).contains { $0.hasPrefix("failed") })
      world.advance(.seconds(5))
      #expect(world.strap()["link"]?.asString == "standing")
    }
  }

  /// Somebody has started it: it is only not time yet.
  @Test func l11_aCountdownIsNotCutShort() {
    let hasty = configured { $0.prepare = .seconds(50) }
    for isKilled in [false, true] {
      var world = World(hasty)
      world.call("Prepare")
      world.call("Start", ["countdownSeconds": .real(60)])
      world.advance(.seconds(59))
      if isKilled { world = world.killed(downFor: .milliseconds(100)) }
      #expect(state(world) == "prepared")
      world.advance(.seconds(2))
      #expect(state(world) == "running")
    }
    let world = World(hasty)
    world.call("Prepare")
    world.call("Start", ["countdownSeconds": .real(60)])
    world.advance(.seconds(55))
    world.call("CancelCountdown")
    world.advance(.milliseconds(49_999))
    #expect(state(world) == "prepared", "who takes it back has the whole time again")
    world.advance(.milliseconds(1))
    #expect(course(world).last == "prepared>ended system prepareExpired")
  }

  @Test func l12_preparingBeginsTheTimeAnew() {
    let world = World()
    world.call("Create")
    world.advance(.seconds(1000))
    world.call("Prepare")
    world.advance(Self.almost)
    #expect(state(world) == "prepared")
    world.advance(.milliseconds(1))
    #expect(state(world) == nil)
  }

  @Test(arguments: [false, true])
  func l13_aPauseThatNobodyEnds(_ killed: Bool) {
    var world = running()
    world.advance(.seconds(1))
    world.call("Pause")
    let paused = world.now
    if killed {
      world.advance(.seconds(20_000))
      world = world.killed(downFor: .seconds(10_000))
      world.advance(.milliseconds(13_199_999))
    } else {
      world.advance(.milliseconds(43_199_999))
    }
    #expect(state(world) == "paused")
    world.advance(.milliseconds(1))
    #expect(course(world).suffix(2) == ["paused>stopped system", "stopped>ended system pauseExpired"])
    #expect(!course(world).contains { $0.hasPrefix("failed") })
    #expect(world.saved?.endReason == .pauseExpired)
    #expect(world.saved?.end.tick == paused.tick + .seconds(43_200))
    #expect(world.saved?.elapsed == .seconds(5))
    #expect(world.saved?.heartRate?.count == 5)
  }

  @Test func l14_aPauseThatRanOutWhileTheDaemonWasAway() {
    let world = running()
    world.call("Pause")
    let paused = world.now
    let again = world.killed(downFor: .seconds(50_000))
    again.advance(.zero)
    #expect(again.saved?.endReason == .pauseExpired)
    #expect(again.saved?.end.tick == paused.tick + .seconds(43_200))
    #expect(again.saved?.end.date == paused.wall + .seconds(43_200))
  }

  @Test func l15_whatIsStoppedIsFinishedAcrossARestart() {
    let world = running()
    world.call("Stop")
    world.advance(.seconds(40))
    let again = world.killed(downFor: .seconds(10))
    again.advance(.milliseconds(9999))
    #expect(state(again) == "stopped")
    again.advance(.milliseconds(1))
    #expect(course(again).last == "stopped>ended system user")
  }

  @Test func l16_theLimitsAreReadAgain() {
    let world = running()
    world.lose()
    world.advance(.seconds(100))
    world.input(.configurationRead(configured { $0.absence = .seconds(101) }))
    #expect(state(world) == "running")
    #expect(world.status["limits"]?["absenceSeconds"]?.asReal == 101)
    world.advance(.milliseconds(999))
    #expect(state(world) == "running")
    world.advance(.milliseconds(1))
    #expect(world.saved?.endReason == .sensorAbsent)

    world.call("Prepare")
    world.advance(.seconds(100))
    world.input(.configurationRead(configured { $0.prepare = .seconds(50) }))
    world.advance(.zero)
    #expect(course(world).last == "prepared>ended system prepareExpired")
  }

  @Test func l17_aClientThatWaitsIsAnswered() {
    let world = running()
    world.syncs = false
    world.lose()
    world.advance(.seconds(1800))
    #expect(state(world) == "stopped")
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.End"))
    world.advance(.zero)
    world.sync()
    let reply = world.take(client).first
    #expect(reply?["parameters"]?["snapshot"]?["endReason"]?.asString == "sensorAbsent")
    #expect(course(world).last == "stopped>ended system sensorAbsent")
  }
}
