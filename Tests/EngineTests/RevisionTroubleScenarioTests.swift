import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Changes of finished workouts where something stands in the way. The store is a real one.
@Suite struct RevisionTroubleScenarioTests {
  private let revisions = RevisionScenarioTests()

  /// What is not written is not kept for later either: the previous state stands.
  @Test(arguments: ["EditWorkout", "TrimWorkout", "SplitWorkout", "UndoEdit"])
  func r14_aFullDisk(_ method: String) throws {
    let world = try World.onDisk()
    let id = try revisions.workout(in: world)
    world.call("EditWorkout", ["id": revisions.json(id), "title": .string("Hills")])
    let before = try revisions.now(world, id)
    let parameters: KeyValuePairs<String, JSON?> =
      switch method {
      case "EditWorkout": ["id": revisions.json(id), "title": .string("Valleys")]
      case "TrimWorkout": ["id": revisions.json(id), "startSeconds": .real(10)]
      case "SplitWorkout": ["id": revisions.json(id), "seconds": .real(10)]
      default: ["id": revisions.json(id)]
      }
    world.storeFailure = StoreError(operation: .commit, code: 13, text: "the disk is full", kind: .full)
    #expect(revisions.outcome(world, method, parameters) == "StoreFailed")
    world.storeFailure = nil
    world.advance(.seconds(20))
    #expect(try revisions.now(world, id) == before)
    #expect(try #require(world.disk).edits(of: id).count == 1)
    #expect(revisions.outcome(world, method, parameters) == "done")
    #expect(try revisions.now(world, id) != before)
  }

  /// What can wait is refused while the disk is full; what has been done already is not.
  @Test func r14_whatCanWait() throws {
    let world = try World.onDisk()
    let (id, gone) = (try revisions.workout(in: world), try revisions.workout(in: world))
    world.call("Discard", ["session": revisions.json(gone)])
    world.storeFailure = StoreError(operation: .commit, code: 13, text: "the disk is full", kind: .full)
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(revisions.outcome(world, "Discard", ["session": revisions.json(id)]) == "StoreFailed")
    #expect(revisions.outcome(world, "Restore", ["id": revisions.json(gone)]) == "StoreFailed")
    #expect(revisions.outcome(world, "SetAthlete", ["name": .string("Ada")]) == "StoreFailed")
    #expect(revisions.outcome(world, "Discard", ["session": revisions.json(gone)]) == "done")
    #expect(revisions.outcome(world, "Restore", ["id": revisions.json(id)]) == "done")
    #expect(revisions.outcome(world, "ListAthletes", [:]) == "done")
    world.storeFailure = nil
    world.advance(.seconds(20))
    #expect(revisions.outcome(world, "Restore", ["id": revisions.json(gone)]) == "done")
    #expect(world.disk?.workout(id)?.discarded == nil && world.disk?.workout(gone)?.discarded == nil)
  }

  /// Another client throws it away while it is being counted again.
  @Test func r15_discardedMeanwhile() throws {
    let world = try World.onDisk()
    let (id, other) = (try revisions.workout(in: world), try revisions.workout(in: world))
    let calls: [(String, KeyValuePairs<String, JSON?>, SessionID)] = [
      ("TrimWorkout", ["id": revisions.json(id), "startSeconds": .real(10)], id),
      ("SplitWorkout", ["id": revisions.json(id), "seconds": .real(10)], id),
      ("MergeWorkouts", ["id": revisions.json(id), "other": revisions.json(other)], other),
    ]
    for (method, parameters, victim) in calls {
      let (one, two) = (world.connect(), world.connect())
      world.send(one, VarlinkCall("io.strapd.\(method)", .object(parameters)))
      world.send(two, VarlinkCall("io.strapd.Discard", .object(["session": revisions.json(victim)])))
      world.advance(.seconds(1))
      #expect(world.take(one).first?["error"]?.asString == "io.strapd.WorkoutInTrash", "\(method)")
      #expect(world.take(two).first?["error"] == nil)
      #expect(try #require(world.disk).edits(of: id).isEmpty)
      world.call("Restore", ["id": revisions.json(victim)])
    }
  }

  /// The clock was set after it was recorded, which is no matter of the workout's.
  @Test func r16_oneClockForAllOfIt() throws {
    let world = try World.onDisk()
    let first = try revisions.workout(in: world) { second in if [20, 40].contains(second) { world.call("Lap") } }
    let before = try revisions.now(world, first)
    world.setClock(by: .seconds(18_000))
    world.advance(.seconds(5))
    world.call("TrimWorkout", ["id": revisions.json(first), "startSeconds": .real(10)])
    let trimmed = try revisions.now(world, first)
    #expect(trimmed.start.date - before.start.date == .seconds(10) && trimmed.end.date == before.end.date)
    for lap in trimmed.laps {
      #expect(lap.interval.start.date - trimmed.start.date == lap.interval.start.tick - trimmed.start.tick)
      #expect(lap.interval.end.date - trimmed.start.date == lap.interval.end.tick - trimmed.start.tick)
    }
    world.setClock(by: .seconds(-7200))
    let second = try revisions.workout(in: world, 10)
    world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(second)])
    let merged = try revisions.now(world, first)
    #expect(merged.end.date - merged.start.date == merged.wall)
    #expect(merged.wall > .zero && merged.start.date == trimmed.start.date)
    #expect(
      revisions.outcome(world, "SplitWorkout", ["id": revisions.json(first), "date": .string(merged.end.date.rfc3339)])
        == "RevisionRefused"
    )
    world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(first)])
    let same = world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(first)])
    #expect(same["parameters"]?["reason"]?.asString == "sameWorkout")
  }
}
