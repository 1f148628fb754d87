import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// The wall clock is set while a workout goes on: nothing lasts longer or shorter for that, and dates move with it.
struct ClockScenarioTests {
  /// Back and forward an hour, 20 years, and from 1970 to today; seen with the kernel's word, and without it with the next
  /// beat.
  static let steps: [(from: String, seconds: Int64)] = [
    ("2026-11-30T09:00:00Z", 3600), ("2026-11-30T09:00:00Z", -3600), ("2006-11-30T09:00:00Z", 631_152_000),
    ("1970-01-01T00:05:00Z", 1_796_029_000),
  ]

  private func running(from wall: String = "2026-11-30T09:00:00Z", isSure: Bool = true) throws -> World {
    let wall = try #require(WallTime(rfc3339: wall))
    let world = try World.onDisk(at: Moment(tick: World.start.tick, wall: wall, isSynchronised: isSure))
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.beat(70)
    world.advance(.seconds(1))
    world.call("Start")
    return world
  }

  private func stepsTold(_ world: World) -> [Duration] {
    world.events.compactMap { if case .clockStep(let step) = $0.what { step } else { nil } }
  }

  private func date(_ json: JSON?, _ member: String) throws -> WallTime {
    try #require(
      json?[member]?.asString.flatMap { WallTime(rfc3339: $0) }, "no \(member) in \(String(describing: json))")
  }

  @Test(arguments: steps, [true, false])
  func k01_aStepInMidRun(_ step: (from: String, seconds: Int64), isTold: Bool) throws {
    let world = try running(from: step.from, isSure: step.seconds.magnitude == 3600)
    world.beats(5, 100)
    world.call("Lap", ["label": .string("one")])
    world.beats(5, 120)
    let before = world.live
    world.setClock(by: .seconds(step.seconds), isTold: isTold)
    world.beats(10, 140)
    #expect(stepsTold(world) == [.seconds(step.seconds)], "told once, with its size")
    let after = world.live
    #expect(after["elapsedSeconds"]?.asReal == 20)
    #expect(after["wallSeconds"]?.asReal == 20)
    #expect(after["statistics"]?["heartRate"]?["count"]?.asInteger == 20)
    #expect(after["statistics"]?["heartRate"]?["coveredSeconds"]?.asReal == 20)
    #expect(try date(after, "startDate") == date(before, "startDate") + .seconds(step.seconds))
    #expect(after["requestedStartDate"] == nil)
    let id = world.liveID
    world.call("Lap")
    world.call("End")
    world.advance(.seconds(1))

    let reply = world.call("GetWorkout", ["id": .string(id)])["parameters"]
    let workout = reply?["workout"]
    let (start, end) = (try date(workout, "startDate"), try date(workout, "endDate"))
    #expect(end - start == .seconds(20), "its dates are as far apart as it lasted")
    #expect(end == world.now.wall + .seconds(-1))
    #expect(workout?["elapsedSeconds"]?.asReal == 20)
    #expect(workout?["provisional"]?.asBool == false)
    let laps = try #require(reply?["laps"]?.asArray)
    #expect(try laps.map { try date($0, "endDate") - date($0, "startDate") } == [.seconds(5), .seconds(15)])
    #expect(try date(laps[0], "startDate") == start)
    #expect(try date(laps[1], "startDate") == date(laps[0], "endDate"))
    let events = try #require(world.call("ListEvents", ["id": .string(id)])["parameters"]?["events"]?.asArray)
    #expect(events.map { $0["kind"]?.asString } == ["lap", "lap", "clockStep"])
    #expect(events.last?["stepSeconds"]?.asReal == Double(step.seconds))
    #expect(
      try date(events.first, "startDate") == start, "what was written before the step is told by the clock after it")
    #expect(try date(events.first, "endDate") == start + .seconds(5))
    #expect(world.disk?.samples(of: try #require(SessionID(id))).count == 21, "no sample is written again")
  }

  @Test(arguments: steps)
  func k02_aStepWhilePaused(_ step: (from: String, seconds: Int64)) throws {
    let world = try running(from: step.from)
    world.beats(10, 100)
    world.call("Pause")
    world.beats(5, 90)
    world.setClock(by: .seconds(step.seconds))
    world.beats(5, 90)
    world.call("Resume")
    world.beats(10, 120)
    #expect(stepsTold(world) == [.seconds(step.seconds)])
    #expect(world.live["elapsedSeconds"]?.asReal == 20)
    #expect(world.live["wallSeconds"]?.asReal == 30)
    world.call("End")
    world.advance(.seconds(1))
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.elapsed == .seconds(20))
    #expect(workout.end.date - workout.start.date == .seconds(30))
    #expect(workout.heartRate?.count == 20)
    let events = world.call("ListEvents", ["id": .string(workout.id.description)])["parameters"]?["events"]?.asArray
    #expect(events?.map { $0["kind"]?.asString } == ["pause", "clockStep", "resume"])
    #expect(try date(events?.last, "startDate") - date(events?.first, "startDate") == .seconds(10))
  }

  @Test(arguments: steps)
  func k03_aStepDuringACountdown(_ step: (from: String, seconds: Int64)) throws {
    let world = try World.onDisk(
      at: Moment(tick: World.start.tick, wall: try #require(WallTime(rfc3339: step.from))))
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start", ["countdownSeconds": .real(3)])
    world.advance(.milliseconds(1500))
    world.setClock(by: .seconds(step.seconds))
    #expect(world.live["countdownSeconds"]?.asReal == 1.5)
    world.advance(.milliseconds(1500) - .nanoseconds(1))
    #expect(world.live["state"]?.asString == "prepared")
    world.advance(.nanoseconds(1))
    #expect(world.live["state"]?.asString == "running", "exactly 3 s after it was asked for")
    #expect(try date(world.live, "startDate") == world.now.wall)
    #expect(world.kinds(["countdown"]).count == 3)
  }

  @Test(arguments: steps)
  func k04_aStepBetweenStopAndEnd(_ step: (from: String, seconds: Int64)) throws {
    let world = try running(from: step.from)
    world.beats(10, 100)
    world.call("Stop")
    let stopped = world.live
    world.advance(.seconds(3))
    world.setClock(by: .seconds(step.seconds))
    #expect(try date(world.live, "endDate") == date(stopped, "endDate") + .seconds(step.seconds))
    world.call("End")
    world.advance(.seconds(1))
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.elapsed == .seconds(10))
    #expect(workout.end.date - workout.start.date == .seconds(10))
    #expect(workout.end.date == world.now.wall + .seconds(-4))
  }

  /// The saved workout of a session that has not ended is written again with the dates of the clock as it is now.
  @Test func k05_aStepBetweenFinishAndEnd() throws {
    let world = try running()
    world.beats(10, 100)
    for call in ["Stop", "EndCollection", "Finish"] { world.call(call) }
    world.advance(.seconds(1))
    world.setClock(by: .seconds(3600))
    world.call("End")
    world.advance(.seconds(1))
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.end.date == world.now.wall + .seconds(-2))
    #expect(workout.end.date - workout.start.date == .seconds(10))
  }

  @Test(arguments: steps)
  func k06_aStepWhileTheDaemonIsDead(_ step: (from: String, seconds: Int64)) throws {
    let first = try running(from: step.from)
    first.beats(10, 100)
    let start = try date(first.live, "startDate")
    let world = try first.restartedOnDisk(downFor: .seconds(4), clockSetBy: .seconds(step.seconds))
    world.advance(.seconds(2))
    #expect(stepsTold(world) == [.seconds(step.seconds)])
    #expect(world.live["elapsedSeconds"]?.asReal == 16)
    #expect(try date(world.live, "startDate") == start + .seconds(step.seconds))
    world.beats(10, 120)
    // It is told once, and not again by the next life.
    let last = try world.restartedOnDisk()
    last.advance(.seconds(2))
    #expect(stepsTold(last) == [])
    last.call("End")
    last.advance(.seconds(1))
    let workout = try #require(last.disk?.workouts.first)
    #expect(workout.elapsed == .seconds(30))
    #expect(workout.end.date - workout.start.date == .seconds(30))
    #expect(workout.heartRate?.count == 20)
  }

  @Test func k07_slewingIsNoStep() throws {
    let world = try running()
    for _ in 0..<120 {
      world.beats(1, 100)
      world.setClock(by: .milliseconds(80), isTold: false)  // chrony's fastest, 8 %
    }
    #expect(stepsTold(world) == [])
    #expect(world.live["elapsedSeconds"]?.asReal == 120)
    world.beats(1, 100)
    world.setClock(by: .milliseconds(-150))
    #expect(stepsTold(world) == [.milliseconds(-150)], "ntpd's smallest step")
  }

  @Test func k08_twoStepsAndAStepWithoutASession() throws {
    let world = try World.onDisk()
    world.setClock(by: .seconds(7200))
    #expect(stepsTold(world) == [.seconds(7200)])
    #expect(world.events.last?.session == nil)
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    world.beats(3, 100)
    world.setClock(by: .seconds(3600))
    world.beats(3, 100)
    world.setClock(by: .seconds(-3600))
    world.beats(3, 100)
    #expect(stepsTold(world) == [.seconds(7200), .seconds(3600), .seconds(-3600)])
    #expect(try date(world.live, "startDate") == world.now.wall + .seconds(-9))
  }

  /// The client's own date stays as it was given, and the tick that it was taken to mean is what counts.
  @Test func k09_aRequestedStartAcrossAStep() throws {
    let world = try World.onDisk()
    world.call("Prepare")
    world.advance(.seconds(2))
    let asked = world.ago(300)
    world.call("Start", ["date": asked])
    world.setClock(by: .seconds(-3600))
    world.advance(.seconds(10))
    #expect(world.live["requestedStartDate"] == asked)
    #expect(try date(world.live, "startDate") == world.now.wall + .seconds(-310))
    #expect(world.live["elapsedSeconds"]?.asReal == 310)
    world.call("Stop")
    #expect(try date(world.live, "endDate") == world.now.wall)
    let again = try world.restartedOnDisk()
    again.advance(.seconds(1))
    #expect(again.live["requestedStartDate"] == asked)
    again.call("End")
    again.advance(.seconds(1))
    let workout = try #require(again.disk?.workouts.first)
    #expect(workout.end.date - workout.start.date == .seconds(310))
  }

  /// A workout that was saved while the clock stood in 1970 moves with it once it is set; one that was dated by a clock
  /// known to be right stays where it is.
  @Test func k10_aSavedWorkoutIsDatedAnewWhereTheClockWasNotRight() throws {
    let world = try running(from: "1970-01-01T00:05:00Z", isSure: false)
    world.beats(10, 100)
    world.call("Lap")
    world.call("End")
    world.advance(.seconds(50))
    world.setClock(by: .seconds(1_796_029_000))
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.end.date == world.now.wall + .seconds(-50))
    #expect(workout.end.date - workout.start.date == .seconds(10))
    let whole = try #require(world.disk?.workout(workout.id))
    #expect(whole.laps.first?.interval.start.date == workout.start.date)
    #expect(world.disk?.session(workout.id)?.start?.date == workout.start.date)
    world.setClock(by: .seconds(3600), isSynchronised: false)
    #expect(world.disk?.workouts.first?.end.date == workout.end.date)
  }

  /// What the clock is set by after the end is no matter of the workout's.
  @Test func k10_theEventsOfASavedWorkoutStayWhereItIs() throws {
    var world = try running()
    world.beats(10, 100)
    world.call("Lap")
    world.beats(5, 100)
    world.call("End")
    world.advance(.seconds(5))
    let workout = try #require(world.disk?.workouts.first)
    func events(_ method: String) -> JSON? {
      world.call(method, ["id": .string(workout.id.description)])["parameters"]?["events"]
    }
    let before = events("ListEvents")
    #expect(before?.asArray?.first?["startDate"]?.asString == workout.start.date.rfc3339)
    #expect(before == events("GetWorkout"))
    for step in [-50_000, 100_000] {
      world.setClock(by: .seconds(step))
      world.advance(.seconds(1))
      #expect(events("ListEvents") == before && events("GetWorkout") == before)
    }
    world = try world.restartedOnDisk()
    #expect(events("ListEvents") == before && events("GetWorkout") == before)
  }

  @Test func k11_suspendedForTwoHoursInMidRun() throws {
    let world = try running()
    world.beats(10, 100)
    // Nothing is done meanwhile, and both clocks go on.
    world.sleep(.seconds(7200))
    world.advance(.seconds(1))
    world.beats(10, 120)
    #expect(stepsTold(world) == [])
    #expect(world.kinds(["gap"]).count == 1)
    #expect(world.live["elapsedSeconds"]?.asReal == 7221, "the athlete has gone on")
    #expect(world.live["statistics"]?["heartRate"]?["coveredSeconds"]?.asReal == 29, "and no heart rate is invented")
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 20)
  }

  /// The clock is slewed by a little, and the dates that strapd has told go on to mean the moments that they were told of.
  @Test(arguments: [-3, 0, 3]) func k12_theWorkoutsOwnDatesAcrossSlewing(milliseconds: Int) throws {
    let world = try running()
    world.beats(5, 100)
    world.setClock(by: .milliseconds(milliseconds), isTold: false)
    world.beats(5, 100)
    let start = world.live["startDate"]
    #expect(world.outcome("Segment", ["startDate": start]) == "running")
    #expect(world.outcome("Marker", ["date": start]) == "running")
    let middle = world.ago(5)
    #expect(world.outcome("Lap", ["startDate": start, "endDate": middle]) == "running")
    world.setClock(by: .milliseconds(milliseconds), isTold: false)
    world.beats(1, 100)
    #expect(world.outcome("Lap", ["startDate": middle]) == "running", "from where the lap before it has ended")
    world.call("End")
    world.advance(.seconds(1))
    let id = try #require(world.disk?.workouts.first?.id)
    let workout = try #require(world.disk?.workout(id))
    #expect(workout.laps.count == 2)
    #expect(workout.laps.first?.interval.start.tick == workout.start.tick)
    #expect(workout.laps.first?.interval.end.tick == workout.laps.last?.interval.start.tick)
  }
}
