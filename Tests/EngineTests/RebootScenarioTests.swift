import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// A workout that lasts across reboots: how long the machine was off comes from the wall clocks, and is provisional while
/// one of them was not right.
struct RebootScenarioTests {
  private static let nine = WallTime(rfc3339: "2026-11-30T09:00:00Z")!
  /// Where a board without a clock of its own comes up.
  private static let wrong = WallTime(rfc3339: "1970-01-01T00:00:25Z")!

  /// 103 s after nine, at 1,103 s of the first boot: 100 beats have counted.
  private func running(isSure: Bool = true) throws -> World {
    // The story is how long the machine was off, and not whether a workout bears that.
    var configuration = World.configured
    configuration.limits.recovery = .seconds(604_800)
    let world = try World.onDisk(
      configuration, at: Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: isSure))
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.beat(70)
    world.advance(.seconds(1))
    world.call("Start")
    world.beats(50, 100)
    world.call("Lap")
    world.beats(50, 120)
    return world
  }

  private func fixes(_ world: World) -> [Duration] {
    world.events.compactMap { if case .gapFixed(_, let now, false) = $0.what { now } else { nil } }
  }

  private func recovery(_ world: World) throws -> Gap {
    let gaps = world.events.compactMap { if case .recovered(_, let gap) = $0.what { gap } else { nil } }
    #expect(gaps.count == 1)
    return try #require(gaps.first)
  }

  private func elapsed(_ world: World) -> Double? { world.live["elapsedSeconds"]?.asReal }

  /// The clock comes to be right: it is an hour after the machine went off.
  private func setRight(_ world: World, off: Duration = .seconds(3600)) {
    let right = Self.nine + .seconds(103) + off + (world.now.tick - Tick(nanoseconds: 0))
    world.setClock(by: right - world.now.wall)
  }

  @Test func u01_rightClocks() throws {
    let world = try running().rebooted(at: Self.nine + .seconds(103 + 3600), isSynchronised: true)
    world.advance(.seconds(1))
    let gap = try recovery(world)
    #expect(gap.isReboot && !gap.isProvisional)
    #expect(world.live["provisional"]?.asBool == false)
    #expect(elapsed(world) == 3701.0, "the athlete has gone on")
    world.beats(10, 120)
    let anchors = world.call("GetSession", ["session": .string(world.liveID)])["parameters"]?["anchors"]?.asArray
    #expect(anchors?.map { $0["boot"]?.asString } == ["boot 1", "boot 2"])
    #expect(anchors?.map { $0["synchronised"]?.asBool } == [true, true])
    world.call("End")
    world.advance(.seconds(1))
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.start.date == Self.nine + .seconds(3))
    #expect(workout.end.date - workout.start.date == workout.wall)
    #expect(workout.heartRate?.count == 110)
    #expect(!workout.isProvisional)
    #expect(fixes(world) == [])
  }

  @Test func u02_aWrongClockThatIsSetRight() throws {
    let world = try running().rebooted(at: Self.wrong, isSynchronised: false)
    world.advance(.seconds(1))
    #expect(try recovery(world).isProvisional)
    #expect(world.live["provisional"]?.asBool == true)
    #expect(elapsed(world) ?? 0 < 130, "no more is known than that the machine has run since")
    world.beats(10, 140)
    setRight(world)
    world.advance(.seconds(1))
    #expect(fixes(world) == [.seconds(3621)], "from the last sample to the recovery, 20 s after the boot")
    #expect(world.live["provisional"]?.asBool == false)
    #expect(elapsed(world) == 3732.0)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 110)
    #expect(world.live["statistics"]?["heartRate"]?["maximum"]?.asInteger == 142)

    // It is fixed once: neither another setting nor the next life moves it.
    world.setClock(by: .seconds(500), isSynchronised: false)
    world.advance(.seconds(1))
    world.setClock(by: .seconds(100))
    world.advance(.seconds(1))
    let again = try world.restartedOnDisk(downFor: .seconds(2))
    again.advance(.seconds(1))
    #expect(fixes(world).count == 1 && fixes(again) == [])
    #expect(try recovery(again) == Gap(duration: .seconds(3), isReboot: false, isProvisional: false))
    again.call("Lap")
    again.call("End")
    again.advance(.seconds(1))
    let id = try #require(again.disk?.workouts.first?.id)
    let workout = try #require(again.disk?.workout(id))
    #expect(workout.elapsed == .seconds(3737))
    #expect(workout.laps.map(\.summary.elapsed.inSeconds).reduce(0, +) == workout.elapsed.inSeconds)
    #expect(workout.laps[0].summary.elapsed == .seconds(50))
    #expect(workout.laps[1].interval.start.tick == workout.laps[0].interval.end.tick)
    let kinds = again.call("ListEvents", ["id": .string(id.description)])["parameters"]?["events"]?.asArray
    let recovered = kinds?.first { $0["kind"]?.asString == "recovered" }
    #expect(recovered?["gapSeconds"]?.asReal == 3621)
    #expect(recovered?["provisional"] == nil)
  }

  /// Seen without a step: the clock was slewed to the right time, and the kernel says so at last.
  @Test func u03_aClockThatWasRightAllAlong() throws {
    let world = try running().rebooted(at: Self.nine + .seconds(103 + 3600 + 20), isSynchronised: false)
    world.advance(.seconds(5))
    #expect(try recovery(world) == Gap(duration: .seconds(3621), isReboot: true, isProvisional: true))
    #expect(elapsed(world) == 3725.0)
    world.setClock(by: .zero, isTold: false)
    world.advance(.seconds(10))
    #expect(fixes(world) == [.seconds(3621)])
    #expect(world.live["provisional"]?.asBool == false)
    #expect(elapsed(world) == 3735.0)
  }

  @Test func u04_aClockThatIsNeverSetRight() throws {
    let world = try running().rebooted(at: Self.wrong, isSynchronised: false)
    #expect(world.engine.sessions.isClockAwaited)
    world.advance(.seconds(600) - .nanoseconds(1))
    #expect(world.engine.sessions.isClockAwaited)
    world.advance(.nanoseconds(1))
    #expect(!world.engine.sessions.isClockAwaited, "nothing waits longer than ten minutes")
    #expect(world.logs.contains { $0.text.hasPrefix("the clock is not known to be right after") })
    #expect(world.live["provisional"]?.asBool == true)
    world.call("End")
    world.advance(.seconds(1))
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.isProvisional)
    #expect(workout.heartRate?.count == 100)
    #expect(workout.end.date - workout.start.date == workout.wall, "not 56 years before it began")
    #expect(fixes(world) == [])
    // It is set right after all: later than anything has waited, and still in time for what is on record.
    setRight(world)
    world.advance(.seconds(1))
    #expect(fixes(world) == [.seconds(3621)])
    let corrected = try #require(world.disk?.workouts.first)
    #expect(!corrected.isProvisional)
    #expect(corrected.elapsed == .seconds(100 + 3620 + 600))
    #expect(corrected.end.date - corrected.start.date == corrected.elapsed)
    #expect(corrected.heartRate?.count == 100)
    #expect(corrected.laps == workout.laps || world.disk?.workout(workout.id)?.laps.count == 1)
  }

  @Test func u05_aWorkoutInTheTrashIsCorrectedThere() throws {
    let world = try running().rebooted(at: Self.wrong, isSynchronised: false)
    world.advance(.seconds(1))
    let id = try #require(SessionID(world.liveID))
    world.call("Discard")
    world.advance(.seconds(1))
    setRight(world)
    world.advance(.seconds(1))
    #expect(world.disk?.workout(id)?.isProvisional == false)
    #expect(world.disk?.workout(id)?.discarded != nil)
  }

  /// The second boot's clock is wrong from beginning to end; what it lasted is known by its own clock, and the whole by the
  /// first and the third.
  @Test func u06_twoReboots() throws {
    let second = try running().rebooted(at: Self.wrong, isSynchronised: false)
    second.advance(.seconds(2))
    second.beats(20, 130)
    second.call("Pause")
    second.advance(.seconds(10))
    second.call("Resume")
    second.beats(5, 130)
    let world = try second.rebooted(at: Self.wrong, isSynchronised: false)
    world.advance(.seconds(1))
    #expect(world.live["provisional"]?.asBool == true)
    world.beats(10, 150)
    setRight(world, off: .seconds(7200))
    world.advance(.seconds(1))
    let told = world.events.compactMap {
      if case .gapFixed(_, _, let isProvisional) = $0.what { isProvisional } else { nil }
    }
    #expect(told == [true], "how long it was off before the second boot and how long after is not known")
    #expect(world.live["provisional"]?.asBool == true)
    #expect(elapsed(world) == 7322.0, "all of it, and the pause left out")
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 135)
    let anchors = world.call("GetSession", ["session": .string(world.liveID)])["parameters"]?["anchors"]?.asArray
    #expect(anchors?.map { $0["synchronised"]?.asBool } == [true, false, true])
  }

  /// What came before was dated by a clock in 1970, and by it nothing can be said of how long the machine was off.
  @Test func u07_theFirstClockWasNeverRight() throws {
    let first = try World.onDisk(at: Moment(tick: World.start.tick, wall: Self.wrong, isSynchronised: false))
    first.call("Prepare")
    first.advance(.seconds(2))
    first.call("Start")
    first.beats(10, 100)
    let world = try first.rebooted(at: Self.nine, isSynchronised: true)
    world.advance(.seconds(1))
    #expect(try recovery(world).isProvisional)
    #expect(world.live["provisional"]?.asBool == true)
    #expect(elapsed(world) ?? .infinity < 60, "not 56 years")
  }

  /// The clock was set right while the first boot lasted: its newest anchor counts.
  @Test func u08_setRightBeforeTheReboot() throws {
    let first = try World.onDisk(at: Moment(tick: World.start.tick, wall: Self.wrong, isSynchronised: false))
    first.call("Prepare")
    first.advance(.seconds(2))
    first.call("Start")
    first.beats(10, 100)
    first.setClock(by: Self.nine - first.now.wall)
    first.beats(10, 100)
    let world = try first.rebooted(at: Self.nine + .seconds(10 + 600), isSynchronised: true)
    world.advance(.seconds(1))
    #expect(try recovery(world) == Gap(duration: .seconds(601), isReboot: true, isProvisional: false))
    #expect(elapsed(world) == 621.0)
    #expect(world.live["startDate"]?.asString == (Self.nine + .seconds(-10)).rfc3339)
  }

  @Test func u09_pausedAcrossAReboot() throws {
    let first = try running()
    first.call("Pause")
    let world = try first.rebooted(at: Self.wrong, isSynchronised: false)
    world.advance(.seconds(1))
    setRight(world)
    world.advance(.seconds(1))
    #expect(elapsed(world) == 100)
    #expect(world.live["wallSeconds"]?.asReal == 3722.0)
    world.call("Resume")
    world.beats(10, 100)
    #expect(elapsed(world) == 110)
  }

  /// A session that starts after the reboot owes nothing to the time before.
  @Test func u10_preparedBeforeAndStartedAfter() throws {
    let first = try World.onDisk()
    first.call("Prepare")
    first.advance(.seconds(2))
    let world = try first.rebooted(at: Self.wrong, isSynchronised: false)
    world.advance(.seconds(3))
    #expect(world.live["provisional"]?.asBool == true)
    world.call("Start")
    world.beats(10, 100)
    #expect(world.live["provisional"]?.asBool == false)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.disk?.workouts.first?.isProvisional == false)
    #expect(world.disk?.workouts.first?.elapsed == .seconds(10))
  }

  /// Across restarts of the daemon in the second boot the gap is the same, and it is fixed once by the last.
  @Test func u11_restartedBeforeTheClockIsSetRight() throws {
    let second = try running().rebooted(at: Self.wrong, isSynchronised: false)
    second.advance(.seconds(5))
    let world = try second.restartedOnDisk(downFor: .seconds(2), clockSetBy: .zero)
    world.advance(.seconds(1))
    #expect(world.live["provisional"]?.asBool == true)
    setRight(world)
    world.advance(.seconds(1))
    #expect(fixes(world) == [.seconds(3621)])
    #expect(elapsed(world) == 3729.0)
  }

  /// The clock comes to be right while the store cannot be written: it is laid anew when it can be.
  @Test func u12_setRightWhileTheStoreIsHeld() throws {
    let world = try running().rebooted(at: Self.wrong, isSynchronised: false)
    world.advance(.seconds(1))
    world.storeFailure = StoreError(operation: .commit, code: 13, text: "full")
    world.beats(3, 150)
    setRight(world)
    world.beats(3, 150)
    #expect(fixes(world) == [])
    world.storeFailure = nil
    world.advance(.seconds(2))
    #expect(fixes(world) == [.seconds(3621)])
    #expect(elapsed(world) == 3729.0)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 106)
  }

  /// In the sandbox the kernel says nothing of the clock: timedated is asked, every ten seconds while the clock is waited
  /// for, and again after each setting.
  @Test func u13_onlyTimedatedKnows() throws {
    let world = try running().rebooted(at: Self.wrong, isSynchronised: false)
    world.timedated = false
    world.advance(.seconds(60))
    #expect((6...8).contains(world.questions), "\(world.questions)")
    #expect(world.status["clockSynchronised"]?.asBool == false)
    world.setClock(by: Self.nine + .seconds(103 + 3600 + 80) - world.now.wall, isSynchronised: false)
    #expect(fixes(world) == [])
    world.timedated = true
    world.advance(.seconds(10))
    #expect(world.status["clockSynchronised"]?.asBool == true)
    #expect(fixes(world) == [.seconds(3621)])
    let asked = world.questions
    world.advance(.seconds(600))
    #expect(world.questions == asked, "who knows does not ask")
    world.setClock(by: .seconds(100), isSynchronised: false)
    #expect(world.questions == asked + 1)
    #expect(world.status["clockSynchronised"]?.asBool == true, "set by the time server itself")
  }
}
