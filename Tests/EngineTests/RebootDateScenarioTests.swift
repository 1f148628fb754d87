import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Dates across a reboot onto a clock that is behind: what clients are told is on one scale, and what they say is read by it.
struct RebootDateScenarioTests {
  private static let nine = WallTime(rfc3339: "2026-11-30T09:00:00Z")!

  /// Where the clock comes up: in 1970, or half a minute before the machine went off.
  static let behind = [WallTime(rfc3339: "1970-01-01T00:00:25Z")!, nine + .seconds(103 - 30)]

  /// Started at three seconds after nine, a lap at 53, 100 beats until 103; in the second boot 10 beats and a lap.
  private func rebooted(_ wall: WallTime) throws -> World {
    var configuration = World.configured
    configuration.limits.recovery = .seconds(604_800)
    let first = try World.onDisk(
      configuration, at: Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true))
    first.call("Prepare", ["activity": .string("running")])
    first.advance(.seconds(2))
    first.beat(70)
    first.advance(.seconds(1))
    first.call("Start")
    first.call("BeginActivity", ["activity": .string("running")])
    first.beats(50, 100)
    first.call("Lap")
    first.beats(50, 120)
    let world = try first.rebooted(at: wall, isSynchronised: false)
    world.advance(.seconds(1))
    world.beats(10, 140)
    world.call("Lap")
    return world
  }

  private func date(_ json: JSON?) throws -> WallTime {
    try #require(json?.asString.flatMap { WallTime(rfc3339: $0) })
  }

  private func detail(_ world: World) -> JSON? {
    world.call("GetSession", ["session": .string(world.liveID)])["parameters"]
  }

  @Test(arguments: behind) func v01_allDatesAreOnOneScale(_ wall: WallTime) throws {
    let world = try rebooted(wall)
    let told = try #require(detail(world))
    let session = try #require(told["snapshot"])
    let start = try date(session["startDate"])
    #expect(start == Self.nine + .seconds(3))
    for lap in told["laps"]?.asArray ?? [] {
      let length = try date(lap["endDate"]) - date(lap["startDate"])
      #expect(length.inSeconds == lap["wallSeconds"]?.asReal)
    }
    let whole = try #require(session["wallSeconds"]?.asReal)
    let mostRecent = try date(session["statistics"]?["heartRate"]?["mostRecentDate"])
    #expect((mostRecent - start).inSeconds == whole - 1)
    #expect(try date(told["activities"]?.asArray?.first?["startDate"]) == start)
    world.call("Marker")
    world.call("Stop")
    world.advance(.seconds(1))
    let events = world.call("ListEvents", ["id": .string(world.liveID)])["parameters"]?["events"]?.asArray ?? []
    let dates = try events.map { try date($0["startDate"]) }
    #expect(dates == dates.sorted() && dates.count >= 4)
    #expect(dates.allSatisfy { $0 >= start && $0 <= start + .seconds(200) })
    let stopped = try #require(detail(world)?["snapshot"])
    #expect(try (date(stopped["endDate"]) - start).inSeconds == stopped["wallSeconds"]?.asReal)
  }

  @Test(arguments: behind) func v02_aStopDatedInTheFirstBoot(_ wall: WallTime) throws {
    let world = try rebooted(wall)
    let stop = Self.nine + .seconds(60) + .milliseconds(500)
    #expect(world.outcome("Stop", ["date": .string(stop.rfc3339)]) == "stopped")
    world.advance(.seconds(1))
    #expect(world.live["elapsedSeconds"]?.asReal == 57.5)
    #expect(world.live["wallSeconds"]?.asReal == 57.5)
    #expect(world.live["endDate"]?.asString == stop.rfc3339)
    #expect(world.live["requestedEndDate"]?.asString == stop.rfc3339)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 58)
    let mostRecent = try date(world.live["statistics"]?["heartRate"]?["mostRecentDate"])
    #expect(mostRecent <= stop && mostRecent >= stop + .seconds(-1))
    world.call("End")
    world.advance(.seconds(1))
    let id = try #require(world.disk?.workouts.first?.id)
    let workout = try #require(world.disk?.workout(id))
    #expect(workout.end.date == stop && workout.wall == .milliseconds(57_500))
    #expect(workout.laps.map(\.interval.end.date) == [Self.nine + .seconds(53), stop])
    #expect(workout.laps.map(\.summary.wall.inSeconds).reduce(0, +) == 57.5)
    #expect(workout.activities.map(\.end?.date) == [stop])
  }

  /// What the clock of this boot says is what a program on the same board says.
  @Test(arguments: behind) func v03_aStopDatedByThisBootsClock(_ wall: WallTime) throws {
    let world = try rebooted(wall)
    let ago = world.now.wall + .milliseconds(-4_500)
    let elapsed = try #require(world.live["elapsedSeconds"]?.asReal)
    #expect(world.outcome("Stop", ["date": .string(ago.rfc3339)]) == "stopped")
    world.advance(.seconds(1))
    #expect(world.live["elapsedSeconds"]?.asReal == elapsed - 4.5)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 106)
    #expect(world.live["requestedEndDate"]?.asString == ago.rfc3339)
    #expect(try (date(world.live["endDate"]) - Self.nine).inSeconds == 3 + elapsed - 4.5)
  }

  @Test(arguments: behind) func v04_whatWasToldMeansTheVeryMoment(_ wall: WallTime) throws {
    let world = try rebooted(wall)
    let lap = try #require(detail(world)?["laps"]?.asArray?.last?["endDate"])
    #expect(world.outcome("Marker", ["date": lap]) == "running")
    #expect(world.outcome("Stop", ["date": lap]) == "stopped")
    world.advance(.seconds(1))
    let told = try #require(detail(world))
    #expect(told["snapshot"]?["endDate"] == lap)
    #expect(told["laps"]?.asArray?.last?["endDate"] == lap)
  }

  @Test(arguments: behind) func v05_neitherBeforeTheStartNorAhead(_ wall: WallTime) throws {
    let world = try rebooted(wall)
    let before = Self.nine + .seconds(2)
    let ahead = Self.nine + .seconds(4000)
    #expect(world.outcome("Stop", ["date": .string(ahead.rfc3339)]) == "DateAhead")
    let outcome = world.outcome("Stop", ["date": .string(before.rfc3339)])
    #expect(outcome == "EndBeforeStart")
    #expect(world.live["state"]?.asString == "running")
  }

  /// Nobody knows how long the machine was off: hours later nothing starts by itself.
  @Test(arguments: behind) func v06_aCountdownWhenTheMachineWentOff(_ wall: WallTime) throws {
    let first = try World.onDisk(at: Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true))
    first.call("Prepare")
    first.call("Start", ["countdownSeconds": .real(3)])
    first.advance(.seconds(1))
    let world = try first.rebooted(at: wall, isSynchronised: false)
    world.advance(.seconds(10))
    #expect(world.live["state"]?.asString == "prepared")
    #expect(world.live["countdownSeconds"] == nil)
    #expect(world.logs.contains { $0.text.hasPrefix("a countdown was on when the machine went off") })
    // One that has begun in this boot goes on across a restart of the daemon.
    world.call("Start", ["countdownSeconds": .real(30)])
    let again = try world.restartedOnDisk(downFor: .seconds(2))
    #expect(again.live["countdownSeconds"] != nil)
    again.advance(.seconds(30))
    #expect(again.live["state"]?.asString == "running")
  }

  @Test func v07_aCountdownAcrossAQuickRebootThatIsKnownOf() throws {
    let first = try World.onDisk(at: Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true))
    first.call("Prepare")
    first.call("Start", ["countdownSeconds": .real(10)])
    let world = try first.rebooted(at: Self.nine + .seconds(40), isSynchronised: true)
    world.advance(.milliseconds(1))
    #expect(world.live["state"]?.asString == "running")
    #expect(world.live["startDate"]?.asString == (Self.nine + .seconds(10)).rfc3339)
  }

  /// Two reboots without a right clock: what was measured within a boot lasts as long as it did, in whichever boot it is read.
  @Test(arguments: [WallTime(rfc3339: "1995-03-24T21:15:00Z")!, nine + .seconds(500)])
  func v08_twoReboots(_ wall: WallTime) throws {
    let second = try rebooted(wall)
    func laps(_ world: World) -> [Double?] {
      detail(world)?["laps"]?.asArray?.map { $0["wallSeconds"]?.asReal } ?? []
    }
    second.beats(3, 140)
    let told = laps(second)
    #expect(told.count == 2)
    let third = try second.rebooted(at: wall, isSynchronised: false)
    third.advance(.seconds(1))
    #expect(laps(third) == told)
    let id = third.liveID
    let events = third.call("ListEvents", ["id": .string(id)])["parameters"]?["events"]?.asArray ?? []
    #expect(events.allSatisfy { $0["gapSeconds"]?.asReal ?? 0 >= 0 })
    let dates = try events.map { try date($0["startDate"]) }
    #expect(dates == dates.sorted())
    // The clock is set right in the third boot; that of the second never was.
    third.setClock(by: Self.nine + .seconds(7200) - third.now.wall)
    third.advance(.seconds(1))
    #expect(third.live["provisional"]?.asBool == true, "how its parts lie is not known")
    // The gap that is another one now is told: as long as the second boot's clock is wrong, all of it falls to one.
    let fixed = third.events.compactMap { event -> (was: Duration, now: Duration)? in
      if case .gapFixed(let was, let now, _) = event.what { (was, now) } else { nil }
    }
    #expect(fixed.count == 1)
    #expect(fixed.allSatisfy { $0.was == .seconds(20) && $0.now > .seconds(6000) }, "\(fixed)")
    let all = try (detail(third)?["laps"]?.asArray ?? []).flatMap {
      [try date($0["startDate"]), try date($0["endDate"])]
    }
    #expect(all == all.sorted() && all.count == 4)
    #expect(all.allSatisfy { $0 >= Self.nine && $0 <= Self.nine + .seconds(7200) })
  }

  /// The clock is set right while strapd is away: a workout that was saved before is fixed by the next life.
  @Test func v09_setRightWhileStrapdIsAway() throws {
    let world = try rebooted(Self.nine + .seconds(73))
    world.call("End")
    world.advance(.seconds(1))
    let before = try #require(world.disk?.workouts.first)
    #expect(before.isProvisional)
    let right = Self.nine + .seconds(3600) - world.now.wall
    world.now.isSynchronised = true
    let again = try world.restartedOnDisk(downFor: .seconds(2), clockSetBy: right)
    again.advance(.seconds(1))
    let after = try #require(again.disk?.workouts.first)
    #expect(!after.isProvisional && after.wall > before.wall + .seconds(3000))
    let fixed = again.events.compactMap { event -> (Duration, Duration)? in
      if case .gapFixed(let was, let now, false) = event.what { (was, now) } else { nil }
    }
    #expect(fixed.count == 1)
    #expect(fixed.first.map { $0.1 - $0.0 } == after.wall - before.wall)
    let events = again.call("ListEvents", ["id": .string(after.id.description)])["parameters"]?["events"]?.asArray ?? []
    #expect(events.allSatisfy { $0["provisional"] == nil })
    let third = try again.restartedOnDisk(downFor: .seconds(2))
    third.advance(.seconds(1))
    #expect(!third.events.contains { if case .gapFixed = $0.what { true } else { false } }, "it is fixed once")
  }
}
