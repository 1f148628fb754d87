import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What comes after the stop date: the drain, and the series of two minutes.
struct PostExerciseScenarioTests {
  private func ran(_ seconds: Int = 10) -> World {
    let world = World.running()
    world.beats(seconds, 150)
    return world
  }

  private func series(_ world: World, _ id: String) -> [JSON] {
    world.call("GetPostExercise", ["id": .string(id)])["parameters"]?["samples"]?.asArray ?? []
  }

  private func isComplete(_ world: World, _ id: String) -> Bool? {
    world.call("GetPostExercise", ["id": .string(id)])["parameters"]?["complete"]?.asBool
  }

  private func isConnected(_ world: World, _ strap: StrapAddress = World.a) -> Bool? {
    world.bluez.straps[strap]?.isConnected
  }

  // MARK: Drain

  /// A measurement that was received before the stop date and is handled after it, by its stamp.
  @Test(arguments: [-50, -1, 0, 50])
  func d01_whatWasReceivedBeforeTheStopCounts(milliseconds: Int) {
    let world = ran()
    world.advance(.milliseconds(100))
    let stop = world.now
    world.call("Stop")
    let received = stop.tick + .milliseconds(milliseconds)
    world.now = Moment(tick: received, wall: stop.wall(at: received))
    world.beat(199)
    world.now = Moment(tick: stop.tick + .milliseconds(100), wall: stop.wall + .milliseconds(100))
    world.advance(.zero)
    let counts = milliseconds < 0
    let counted = world.events.compactMap {
      if case .heartRate(_, _, let counted, _) = $0.what { counted } else { nil }
    }
    #expect(counted.last == counts)
    world.call("End")
    #expect(world.saved?.heartRate?.count == (counts ? 11 : 10))
    #expect(world.saved?.heartRate?.maximum == (counts ? 199 : 152))
    #expect(world.saved?.elapsed == .milliseconds(10_100), "the end date stands")
    #expect(series(world, world.saved?.id.description ?? "").count == (counts ? 0 : 1))
  }

  @Test func d02_aMeasurementBeforeAStopWithAPastDate() {
    let world = ran()
    world.call("Stop", ["date": world.ago(3.5)])
    world.beats(2, 120)
    world.call("End")
    #expect(world.saved?.heartRate?.count == 7)
    #expect(
      series(world, world.saved?.id.description ?? "").map { $0["seconds"]?.asReal } == [0.5, 1.5, 2.5, 3.5, 4.5])
  }

  // MARK: The series

  @Test func d03_twoMinutesAfterTheStopAreKeptWithTheWorkout() throws {
    let world = ran()
    let id = world.liveID
    world.call("Stop")
    world.beats(20, 140)
    world.call("End")
    #expect(isConnected(world) == true)
    #expect(isComplete(world, id) == false)
    let saved = try #require(world.saved)
    world.beats(99, 110)
    world.advance(.milliseconds(999))
    #expect(isConnected(world) == true)
    #expect(isComplete(world, id) == false)
    world.advance(.milliseconds(1))
    #expect(isComplete(world, id) == true)
    #expect(world.kinds(["postExerciseEnded"]).map(\.session) == [saved.id])
    world.beats(2, 100)
    #expect(isConnected(world) == false, "the link is put down")
    let samples = series(world, id)
    #expect(samples.count == 119)
    #expect(samples.first?["seconds"]?.asReal == 0)
    #expect(samples.last?["seconds"]?.asReal == 118)
    #expect(samples[5]["rrTicks"] == .array([.integer(870)]))
    #expect(world.saved == saved, "the statistics are what they were")
    #expect(saved.heartRate?.count == 10 && saved.heartRate?.minimum == 150)
    let told = world.events.compactMap { event -> SessionID? in
      if case .heartRate(_, _, _, let series?) = event.what { series } else { nil }
    }
    #expect(told.count == 119 && Set(told) == [saved.id])
  }

  @Test func d04_itIsCountedFromTheStopDate() {
    let world = ran(60)
    let id = world.liveID
    world.call("Stop", ["date": world.ago(50)])
    world.call("End")
    world.advance(.seconds(69))
    #expect(isConnected(world) == true)
    world.advance(.seconds(2))
    #expect(isComplete(world, id) == true)
    #expect(series(world, id).count == 50)
    let late = ran(200)
    late.call("Stop", ["date": late.ago(150)])
    late.call("End")
    late.advance(.seconds(2))
    #expect(isConnected(late) == false, "it was over before it began")
    #expect(series(late, late.saved?.id.description ?? "").count == 120)
  }

  @Test func d05_itGoesOnAfterARestart() {
    let world = ran()
    let id = world.liveID
    world.call("End")
    world.beats(30, 140)
    let again = world.killed(downFor: .seconds(10))
    again.advance(.seconds(2))
    again.beats(60, 120)
    #expect(series(again, id).count == 90)
    #expect(isConnected(again) == true)
    again.advance(.seconds(20))
    #expect(isConnected(again) == false)
    #expect(isComplete(again, id) == true)
    let calls = world.bluez.calls.count { $0 == "StartNotify" }
    let late = world.killed(downFor: .seconds(91))
    late.advance(.seconds(5))
    #expect(late.bluez.calls.count { $0 == "StartNotify" } == calls, "too late to go on")
    #expect(isComplete(late, id) == true)
  }

  @Test func d06_killedInStopped() {
    let world = ran()
    let id = world.liveID
    world.call("Stop")
    world.beats(5, 140)
    let again = world.killed(downFor: .seconds(1))
    again.advance(.seconds(2))
    again.beats(5, 130)
    again.call("End")
    again.beats(5, 120)
    #expect(series(again, id).count == 15)
    #expect(again.saved?.heartRate?.count == 10)
  }

  @Test func d07_anotherSessionThatStartsRunningEndsIt() {
    let world = ran()
    let first = world.liveID
    world.call("End")
    world.beats(10, 140)
    // A second one may be prepared meanwhile, and both have what comes.
    #expect(world.outcome("Prepare") == "prepared")
    let second = world.liveID
    world.beats(5, 130)
    #expect(world.live["heartRate"]?.asInteger != nil)
    #expect(isComplete(world, first) == false)
    world.call("Start")
    #expect(isComplete(world, first) == true)
    #expect(world.kinds(["postExerciseEnded"]).count == 1)
    world.beats(5, 120)
    #expect(series(world, first).count == 15)
    world.advance(.seconds(1))
    #expect(isConnected(world) == true)
    world.call("End")
    #expect(world.saved?.id.description == second)
    #expect(world.saved?.heartRate?.count == 5)
    // After a restart the first one's does not begin anew.
    let again = world.killed(downFor: .seconds(1))
    again.advance(.seconds(2))
    again.beats(5, 110)
    #expect(series(again, first).count == 15)
    #expect(series(again, second).count == 5)
  }

  @Test func d08_whatWantsAnyStrapMayHaveIt() {
    let world = World(Configuration())
    world.call("Prepare")
    world.advance(.seconds(5))
    world.beat(80)
    world.call("Start")
    world.beats(3, 90)
    world.call("End")
    world.beats(3, 80)
    world.call("Prepare")
    world.advance(.seconds(5))
    world.beats(3, 80)
    #expect(world.live["strap"]?.asString == World.a.description)
  }

  @Test func d09_aCancelledSessionHasNone() {
    let world = World.prepared()
    world.call("End")
    world.advance(.seconds(2))
    #expect(isConnected(world) == false)
  }

  @Test func d10_aLostLinkComesBackForIt() {
    let world = ran()
    let id = world.liveID
    world.call("End")
    world.beats(5, 140)
    world.lose()
    world.advance(.seconds(10))
    world.come()
    world.advance(.seconds(3))
    world.beats(5, 120)
    #expect(series(world, id).count == 10)
  }

  @Test func d11_discardedItIsStillHeld() {
    let world = ran()
    let id = world.liveID
    world.call("Discard")
    world.beats(5, 140)
    #expect(series(world, id).count == 5)
    world.call("Restore", ["id": .string(id)])
    #expect(world.call("ListWorkouts")["parameters"]?["workouts"]?.asArray?.count == 1)
  }

  @Test func d12_aTerminationEndsNothing() {
    let world = ran()
    let id = world.liveID
    world.call("End")
    world.beats(5, 140)
    world.input(.terminationRequested)
    world.advance(.seconds(3))
    #expect(world.hasExited)
    #expect(world.kinds(["postExerciseEnded"]).isEmpty)
    let again = world.killed(downFor: .seconds(1))
    again.advance(.seconds(2))
    again.beats(5, 130)
    #expect(series(again, id).count == 10)
  }

  @Test func d13_ofWhatIsNotThere() {
    let world = World.prepared()
    #expect(world.outcome("GetPostExercise", ["id": .string(world.liveID)]) == "NoSuchWorkout")
    #expect(
      world.outcome("GetPostExercise", ["id": .string("11111111-2222-4333-8444-555555555555")]) == "NoSuchWorkout")
  }

  @Test func d14_itCanBeShorterOrNone() {
    for seconds in [0, 30] {
      var configuration = World.configured
      configuration.postExerciseLength = .seconds(seconds)
      let world = World.running(configuration)
      world.beats(3, 100)
      let id = world.liveID
      world.call("End")
      world.beats(seconds, 90)
      world.advance(.seconds(2))
      #expect(isConnected(world) == false)
      #expect(series(world, id).count == seconds)
    }
  }

  /// The end was dated into the past: what had come since is not all of the series.
  @Test(arguments: [0, 12])
  func aShorterSeriesBehindAPastEnd(seconds: Int) {
    var configuration = World.configured
    configuration.postExerciseLength = .seconds(seconds)
    let world = World(configuration)
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    world.beats(60, 100)
    let id = world.liveID
    world.call("Stop", ["date": .string((world.now.wall + .seconds(-30)).rfc3339)])
    world.call("End")
    world.advance(.seconds(2))
    let series = world.call("GetPostExercise", ["id": .string(id)])["parameters"]
    let samples = series?["samples"]?.asArray ?? []
    #expect(series?["complete"]?.asBool == true)
    #expect(samples.allSatisfy { $0["seconds"]?.asReal ?? 99 < Double(seconds) })
    #expect(samples.count == seconds)
  }

  // MARK: Edits meanwhile

  /// What ends with the recording has its series, and that goes on; what ends before has none.
  @Test func e20_partsWhileItGoesOn() throws {
    let revisions = RevisionScenarioTests()
    let world = try World.onDisk()
    let first = try revisions.workout(in: world, 20)
    world.advance(.seconds(200))
    _ = try revisions.workout(in: world, 30)
    let id = try #require(world.disk?.workouts.map(\.id).first { $0 != first })
    world.beats(10)
    func told(_ id: SessionID) -> String {
      let isComplete = isComplete(world, id.description).map { "\($0)" } ?? "nil"
      return "\(series(world, id.description).count), complete: \(isComplete)"
    }
    #expect(told(id) == "10, complete: false" && told(first) == "0, complete: true")
    let json = JSON.string(id.description)
    let reply = world.call("SplitWorkout", ["id": json, "seconds": .real(10)])
    let second = try #require(reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) })
    #expect(told(id) == "0, complete: true" && told(second) == "10, complete: false")
    world.call("UndoEdit", ["id": json])
    world.call("TrimWorkout", ["id": json, "endSeconds": .real(20)])
    #expect(told(id) == "0, complete: true")
    world.call("UndoEdit", ["id": json])
    world.call("MergeWorkouts", ["id": .string(first.description), "other": json])
    #expect(told(first) == "10, complete: false")
    world.beats(10)
    #expect(told(first) == "20, complete: false")
    world.advance(.seconds(120))
    #expect(told(first) == "20, complete: true")
    world.call("UndoEdit", ["id": .string(first.description)])
    #expect(told(first) == "0, complete: true" && told(id) == "20, complete: true")
  }
}
