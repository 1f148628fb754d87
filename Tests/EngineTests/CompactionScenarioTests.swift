import Measurements
import Testing
import Workout

@testable import Engine

/// When finished workouts are put into less room. The store is a real one.
@Suite struct CompactionScenarioTests {
  private static let failure = StoreError(operation: .commit, code: 5, text: "locked", kind: .busy)

  private func workout(in world: World, _ seconds: Int = 600) throws -> SessionID {
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(5))
    world.call("Start")
    world.beats(seconds)
    world.call("Stop")
    world.call("End")
    world.advance(.seconds(2))
    return try #require(world.disk?.workouts.first?.id)
  }

  private func isPacked(_ world: World) -> Bool {
    world.logs.contains { $0.text.contains("octets now") }
  }

  @Test func whenTheSeriesIsOver() throws {
    let world = try World.onDisk()
    world.advance(.seconds(1))
    #expect(world.compactions == 1, "at the start, for what an earlier life has left")
    let id = try workout(in: world)
    world.beats(60)
    let rests = world.compactions
    world.advance(.seconds(30))
    #expect(world.compactions == rests && !isPacked(world), "the series after it goes on")
    let samples = try #require(world.disk).samples(of: id)
    let before = world.call("GetWorkout", ["id": .string(id.description)])
    let series = world.call("GetPostExercise", ["id": .string(id.description)])
    world.advance(.seconds(40))
    #expect(world.events.contains { $0.what == .postExerciseEnded })
    let text = "\(samples.count) samples of session \(id) take "
    #expect(world.logs.count { $0.text.hasPrefix(text) } == 1, "\(world.logs.map(\.text).suffix(3))")
    #expect(try #require(world.disk).samples(of: id) == samples)
    #expect(world.call("GetWorkout", ["id": .string(id.description)]) == before)
    #expect(
      world.call("GetPostExercise", ["id": .string(id.description)])["parameters"]?["samples"]
        == series["parameters"]?["samples"])
    let count = world.compactions
    world.advance(.seconds(3600))
    #expect(world.compactions == count, "nothing is left to be done")
  }

  /// No strap was to be held: nothing says that it is over.
  @Test func withoutASeries() throws {
    var configuration = World.configured
    configuration.postExerciseLength = .zero
    let world = try World.onDisk(configuration)
    _ = try workout(in: world)
    world.advance(.seconds(290))
    #expect(!isPacked(world))
    world.advance(.seconds(15))
    #expect(isPacked(world))
  }

  @Test func whatTheLastLifeHasLeft() throws {
    var world = try World.onDisk()
    let id = try workout(in: world)
    let samples = try #require(world.disk).samples(of: id)
    world = try world.restartedOnDisk(downFor: .seconds(400))
    world.advance(.zero)
    #expect(isPacked(world))
    #expect(try #require(world.disk).samples(of: id).map(\.payload) == samples.map(\.payload))
  }

  /// After a reboot whose clock is not right the workout's ticks are laid by what is assumed; by the right one later.
  @Test func acrossAReboot() throws {
    var world = try World.onDisk()
    let id = try workout(in: world)
    let samples = try #require(world.disk).samples(of: id)
    world = try world.rebooted(at: WallTime(rfc3339: "2026-11-30T18:00:00Z")!, isSynchronised: false)
    world.advance(.seconds(400))
    #expect(isPacked(world))
    world.setClock(by: .seconds(3600))
    world.advance(.seconds(5))
    let laid = try #require(world.disk).samples(of: id)
    #expect(laid.map(\.payload) == samples.map(\.payload))
    #expect(
      zip(laid, laid.dropFirst()).map { $1.tick - $0.tick }
        == zip(samples, samples.dropFirst()).map { $1.tick - $0.tick })
  }

  /// While a workout is live it takes its time, so that the log is not copied, and synced, all the time.
  @Test func oneStepASecondWhileAWorkoutIsLive() throws {
    let world = try World.onDisk()
    _ = try workout(in: world, 2000)
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.call("Start")
    world.advance(.milliseconds(10))
    let count = world.compactions
    world.beats(3)
    #expect((count...count + 4).contains(world.compactions))
    world.beats(20)
    #expect(isPacked(world))
  }

  @Test func notWhileTheStoreCannotBeWritten() throws {
    let world = try World.onDisk()
    _ = try workout(in: world)
    world.storeFailure = Self.failure
    world.beats(10)
    let count = world.compactions
    world.advance(.seconds(150))
    #expect(world.compactions == count && !world.engine.wantsCompaction)
    world.storeFailure = nil
    world.advance(.seconds(20))
    #expect(isPacked(world), "it goes on by itself")
  }

  @Test func aFailureIsToldOnceAndTriedAgain() throws {
    let world = try World.onDisk()
    world.compactionAnswer = .compactionFailed(Self.failure)
    world.advance(.zero)
    for _ in 0..<2 {
      world.advance(Compaction.pauseAfterFailure - .seconds(1))
      world.compactionAnswer = .compactionFailed(Self.failure)
      world.advance(.seconds(1))
    }
    #expect(world.compactions == 3)
    world.advance(Compaction.pauseAfterFailure)
    #expect(world.logs.count { $0.text.contains("finished workouts take as much room as before") } == 1)
    #expect(world.compactions == 4)
    let quiet = world.compactions
    world.advance(.seconds(3600))
    #expect(world.compactions == quiet)
  }

  @Test func whatIsRefusedIsNamed() throws {
    let world = World(World.configured)
    let id = SessionID(randomBytes: [UInt8](repeating: 3, count: 16))
    world.compactionAnswer = .compacted(.refused(id, "another program has changed sample 5"))
    world.advance(.seconds(1))
    #expect(world.compactions == 2, "and it goes on with the next")
    #expect(
      world.logs.contains { $0.session == id && $0.text.hasSuffix("as before: another program has changed sample 5") })
  }

  @Test func notWhereItIsSwitchedOff() throws {
    var configuration = World.configured
    configuration.compacts = false
    let world = try World.onDisk(configuration)
    _ = try workout(in: world)
    world.advance(.seconds(600))
    #expect(world.compactions == 0)
    world.input(.configurationRead(World.configured))
    world.advance(.zero)
    #expect(isPacked(world), "as soon as it is switched on")
  }

  /// The next connection would start it again, but nobody knows when that comes.
  @Test func itDoesNotExitInTheMiddle() throws {
    let world = World(World.configured)
    world.input(.socketsPassed)
    world.advance(.seconds(1))
    let id = SessionID(randomBytes: [UInt8](repeating: 3, count: 16))
    world.compactionAnswer = .compacted(.packed(id, samples: 1, octets: 1))
    #expect(!world.hasExited)
    world.advance(.seconds(40))
    #expect(world.hasExited, "it exits when nothing is left to be done")
  }
}
