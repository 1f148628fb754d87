import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Sessions whose statistics are being computed from the store while clients, straps and failures go on.
struct RebuildScenarioTests {
  private func running() -> World {
    let world = World()
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.beat(70)
    world.call("Start")
    world.advance(.seconds(1))
    world.beats(250, 100)
    return world
  }

  /// A slow store: three readings of 20 ms and what happens at each moment of them.
  @Test(arguments: [0, 10, 25, 45, 70, 200])
  func aStopWhileTheSessionIsTakenUp(milliseconds: Int) {
    let world = running().killed(readingTime: .milliseconds(20))
    world.advance(.milliseconds(milliseconds))
    #expect(world.call("Stop")["parameters"]?["state"]?.asString == "stopped")
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.transitions.last == "stopped>ended")
    #expect(world.workouts.last?.heartRate?.count == 250)
    #expect(world.workouts.last?.elapsed == .seconds(253) + .milliseconds(milliseconds))
  }

  @Test(arguments: [0, 10, 25, 45, 70])
  func pausesAndBeatsWhileTheSessionIsTakenUp(milliseconds: Int) {
    let world = running().killed(readingTime: .milliseconds(20))
    world.advance(.milliseconds(milliseconds))
    world.call("Pause")
    world.advance(.milliseconds(5))
    world.call("Resume")
    world.advance(.seconds(1))
    world.beats(10, 120)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.workouts.last?.heartRate?.count == 260)
    #expect(world.workouts.last?.heartRate?.maximum == 122)
  }

  @Test(arguments: [0, 25, 45])
  func aSecondPastStopWhileTheFirstIsComputed(milliseconds: Int) {
    let world = running()
    world.readingTime = .milliseconds(20)
    let date = WallTime(nanoseconds: world.now.wall.nanoseconds - 100_500_000_000)
    world.call("Stop", ["date": .string(date.rfc3339)])
    world.advance(.milliseconds(milliseconds))
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.workouts.last?.heartRate?.count == 150)
  }

  @Test func killedAgainWhileTheSessionIsTakenUp() {
    var world = running()
    for _ in 0..<3 {
      world = world.killed(readingTime: .milliseconds(20))
      world.advance(.milliseconds(30))
    }
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.End"))
    world.advance(.milliseconds(1))
    world = world.killed(readingTime: .milliseconds(20))
    world.advance(.seconds(1))
    #expect(world.transitions.last == "stopped>ended", "what was ending ends")
    #expect(world.workouts.last?.heartRate?.count == 250)
    #expect(world.workouts.last?.endReason == .user)
  }

  /// Stopped at a date before pauses that had been made since: they are not of the workout.
  @Test(arguments: [(-245.5, 5, 5.5), (-200.5, 50, 50.5), (-100.5, 100, 100.0)])
  func aPastStopBeforeThePauses(seconds: Double, count: Int, elapsed: Double) {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beat(70)
    world.call("Start")
    world.advance(.seconds(1))
    world.beats(99, 100)
    world.call("Pause")
    world.advance(.seconds(100))
    world.call("Resume")
    world.beats(51, 150)
    let start = world.now.wall.nanoseconds - 251_000_000_000
    let date = WallTime(nanoseconds: start + Int64((251 + seconds) * 1e9))
    world.call("Stop", ["date": .string(date.rfc3339)])
    for survivor in [world, world.killed()] {
      survivor.call("End")
      survivor.advance(.seconds(1))
      #expect(survivor.transitions.last == "stopped>ended")
      let workout = survivor.workouts.last
      #expect(workout?.elapsed.inSeconds == elapsed)
      #expect(workout?.heartRate?.maximum == 102)
      #expect(workout?.heartRate?.count == count - (elapsed == 100 ? 1 : 0))
      #expect(survivor.logs.filter { $0.priority == .error }.isEmpty)
    }
  }

  @Test func aPastStartAndAPastStopSentTogether() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(600, 100)
    world.readingTime = .milliseconds(20)
    let now = world.now.wall.nanoseconds
    let (start, stop) = (WallTime(nanoseconds: now - 500_500_000_000), WallTime(nanoseconds: now - 100_500_000_000))
    let client = world.connect()
    let calls = [
      VarlinkCall("io.strapd.Start", .object(["date": .string(start.rfc3339)])),
      VarlinkCall("io.strapd.Stop", .object(["date": .string(stop.rfc3339)])), VarlinkCall("io.strapd.End"),
    ]
    world.input(.clientSent(client, calls.flatMap(\.message)))
    world.advance(.seconds(2))
    #expect(world.take(client).last?["parameters"]?["state"]?.asString == "ended")
    #expect(world.workouts.last?.heartRate?.count == 400)
    #expect(world.workouts.last?.elapsed == .seconds(400))
  }

  /// It came before the end, and was told to count.
  @Test func aSampleOfTheWakeUpOfTheEndCounts() {
    let world = running()
    world.beat(199)
    world.call("End")
    world.advance(.seconds(1))
    for survivor in [world, world.killed()] {
      #expect(survivor.savedWorkouts.last?.heartRate?.count == 251)
      #expect(survivor.savedWorkouts.last?.heartRate?.maximum == 199)
      #expect(survivor.savedWorkouts.last?.elapsed == .seconds(251) + .nanoseconds(1))
    }
  }

  @Test func aSampleOfTheVeryTickOfARequestedEndDoesNotCount() {
    let world = running()
    world.beat(199)
    world.call("Stop", ["date": .string((world.now.wall + .milliseconds(500)).rfc3339)])
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.workouts.last?.heartRate?.count == 250)
    #expect(world.workouts.last?.heartRate?.maximum == 102)
  }

  @Test func theGapOfADeadDaemonHasNoHeartRate() {
    let world = running()
    world.beat(100)
    let again = world.killed(downFor: .seconds(100))
    again.call("End")
    again.advance(.seconds(1))
    #expect(again.workouts.last?.heartRate?.covered == .seconds(250))
    #expect(again.workouts.last?.elapsed == .seconds(351))
  }

  @Test func theStoreFailsWhileTheSessionIsTakenUp() {
    let world = running().killed(readingTime: .milliseconds(20))
    world.advance(.seconds(1))
    world.readingTime = .milliseconds(200)
    let date = WallTime(nanoseconds: world.now.wall.nanoseconds - 300_000_000_000)
    #expect(world.call("Start", ["date": .string(date.rfc3339)])["error"] != nil)
    let again = world.killed(readingTime: .milliseconds(400))
    again.advance(.milliseconds(600))
    again.storeFailure = StoreError(operation: .commit, code: 13, text: "full")
    again.beats(5, 110)
    again.storeFailure = nil
    again.advance(.seconds(4))
    again.beats(5, 110)
    again.call("End")
    again.advance(.seconds(5))
    #expect(again.workouts.last?.heartRate?.count == 260)
  }

  /// Who has dated something into the past is told that the statistics are being computed, and what they come to.
  @Test(arguments: ["Stop", "Lap"]) func theEndOfAComputationIsTold(_ call: String) {
    let world = World.running()
    world.beats(100, 120)
    world.readingTime = .milliseconds(20)
    let date: JSON = .string((world.now.wall + .milliseconds(-50_500)).rfc3339)
    let before = world.kinds(["session"]).count
    let reply = world.call(call, [call == "Stop" ? "date" : "endDate": date])["parameters"]
    #expect(reply?["snapshot"]?["computing"]?.asBool == true)
    #expect(world.kinds(["session"]).count == before)
    world.advance(.seconds(1))
    let told = world.kinds(["session"]).dropFirst(before).compactMap { event -> SessionSnapshot? in
      if case .session(let snapshot) = event.what { snapshot } else { nil }
    }
    #expect(told.count == 1)
    #expect(told.first?.isComputing == false)
    #expect(told.first?.summary.heartRate?.count == (call == "Stop" ? 50 : 100))
    #expect(world.live["computing"] == nil)
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == (call == "Stop" ? 50 : 100))
  }

  /// Nothing is before the end of a workout that ends where it has begun.
  @Test func aStopAtTheVeryStart() {
    let world = World.running()
    world.beats(10, 120)
    world.call("Stop", ["date": world.live["startDate"]])
    world.advance(.seconds(1))
    #expect(world.live["elapsedSeconds"]?.asReal == 0)
    #expect(world.live["statistics"]?["heartRate"] == nil)
    #expect(world.logs.filter { $0.priority == .error }.isEmpty)
    for survivor in [world, world.killed()] {
      survivor.call("End")
      survivor.advance(.seconds(1))
      #expect(survivor.saved?.elapsed == .zero && survivor.saved?.wall == .zero)
      #expect(survivor.saved?.heartRate == nil && survivor.saved?.rrCount == 0)
    }
  }

  /// What a client was told to be of the workout, and lies behind an end that was dated into the past, is not of it.
  @Test func whatLiesBehindAPastStop() {
    let world = World.running()
    world.beats(5, 120)
    world.call("Lap")
    world.beats(10, 120)
    world.call("BeginActivity", ["activity": .string("cycling")])
    world.call("Lap", ["startDate": world.ago(2)])
    world.call("BeginActivity", ["activity": .string("yoga"), "date": world.ago(1)])
    world.beats(5, 120)
    world.call("Stop", ["date": world.ago(9)])
    for survivor in [world, world.killed()] {
      survivor.advance(.seconds(1))
      #expect(survivor.live["lapCount"]?.asInteger == 1)
      #expect(survivor.live["activityCount"]?.asInteger == 0)
      #expect(survivor.live["currentActivity"] == nil)
    }
    #expect(world.outcome("Lap") == "stopped", "from the last lap that is left to the end")
    #expect(world.live["lapCount"]?.asInteger == 2)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.laps.count == 2 && world.saved?.activities.count == 0)
  }

  /// What is read from a socket in one wake-up: measurements first, then a call.
  @Test(arguments: ["Stop", "Pause"]) func theEndOfAnIntervalIsBehindItsSamples(_ call: String) throws {
    let world = World.running()
    world.beats(5, 120)
    world.beat(130)
    world.call(call)
    guard case .transition(let transition)? = world.kinds(["transition"]).last?.what,
      let sample = world.kinds(["heartRate"]).last
    else {
      Issue.record("no transition")
      return
    }
    #expect(transition.at.date > sample.date, "[start, end)")
    world.advance(.seconds(1))
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 6)
    guard call == "Pause" else { return }
    world.beat(140)
    world.call("Resume")
    guard case .transition(let resumed)? = world.kinds(["transition"]).last?.what else { return }
    #expect(resumed.at.date > world.kinds(["heartRate"]).last?.date ?? resumed.at.date)
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.heartRate?.count == 6)
  }

  @Test func whatDoesNotCountIsNotSaidToCount() {
    let world = World.running()
    world.beats(3, 120)
    world.raw([0x04, 120], World.a)
    world.beat(0)
    let counted = world.kinds(["heartRate"]).suffix(5).map { event in
      if case .heartRate(_, _, let counted, _) = event.what { counted } else { false }
    }
    #expect(counted == [true, true, true, false, false])
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 3)
  }
}
