import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What is lost in a store that the engine has made is found, and nothing in one that is whole.
@Suite struct VerificationLossTests {
  private let revisions = RevisionScenarioTests()

  private func json(_ id: SessionID) -> JSON { revisions.json(id) }

  /// A recording with laps, pauses and an activity.
  private func recorded(_ world: World) throws -> SessionID {
    let known = Set(world.disk?.workouts.map(\.id) ?? [])
    _ = try revisions.workout(in: world, 40) { second in
      switch second {
      case 10, 20: world.call("Lap")
      case 14: world.call("Pause")
      case 17: world.call("Resume")
      case 25: world.call("BeginActivity", ["activity": .string("cycling")])
      default: break
      }
    }
    return try #require(world.disk?.workouts.map(\.id).first { !known.contains($0) })
  }

  /// Whole, split, merged, trimmed with the trim undone, in the trash, packed and not, live and cancelled.
  private func filled() throws -> (World, whole: SessionID, split: SessionID, part: SessionID) {
    let world = try World.onDisk()
    let whole = try recorded(world)
    let split = try recorded(world)
    let reply = world.call("SplitWorkout", ["id": json(split), "seconds": .real(15)])
    let part = try #require(reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) })
    world.call("EditWorkout", ["id": json(part), "title": .string("the rest of it")])
    let (first, second) = (try recorded(world), try recorded(world))
    world.call("MergeWorkouts", ["id": json(second), "other": json(first)])
    let trimmed = try recorded(world)
    world.call("TrimWorkout", ["id": json(trimmed), "startSeconds": .real(12)])
    let undone = try recorded(world)
    world.call("TrimWorkout", ["id": json(undone), "endSeconds": .real(12)])
    world.call("UndoEdit", ["id": json(undone)])
    world.call("Discard", ["session": json(undone)])
    world.call("Prepare")
    world.call("End")
    world.advance(.seconds(600))
    world.call("Prepare")
    world.call("Start")
    world.beats(5)
    return (world, whole, split, part)
  }

  @Test func nothingIsLost() throws {
    let (world, _, split, _) = try filled()
    #expect(world.disk?.findings == [])
    #expect(world.disk?.findings(after: "") == [])
    world.call("End")
    #expect(world.disk?.findings == [])
    // Deleted for good, with what is left of others.
    world.call("Discard", ["session": json(split)])
    world.advance(.seconds(31 * 86_400))
    #expect(world.disk?.workout(split) == nil)
    #expect(world.disk?.findings == [])
    let again = try world.rebooted(at: world.now.wall + .seconds(60), isSynchronised: true)
    again.advance(.seconds(60))
    #expect(again.disk?.findings == [])
  }

  /// Starts and ends with dates of their own, before and behind pauses, laps and activities; and one that nobody has ended.
  @Test func oddOnesAreSound() throws {
    var world = try World.onDisk()
    for (start, stop) in [(3, 0), (0, 2.5), (2, 7), (0, 10.5), (4, 20)] as [(Double, Double)] {
      world.call("Prepare")
      world.beats(8)
      world.call("Start", ["date": world.ago(start)])
      world.beats(10)
      world.call("Lap")
      world.beats(5)
      world.call("Pause")
      world.beats(3)
      world.call("Resume")
      world.call("BeginActivity", ["activity": .string("cycling")])
      world.beats(5)
      world.call("Lap")
      world.call("Stop", ["date": world.ago(stop)])
      world.call("End")
      world.advance(.seconds(200))
      #expect(world.disk?.findings == [], "from \(start) s, until \(stop) s before")
    }
    #expect(world.disk?.workouts.count == 5)
    world.call("Prepare")
    world.call("Start")
    world.beats(5)
    world = try world.restartedOnDisk(downFor: .seconds(30))
    world.advance(.seconds(5))
    world.beats(5)
    world.call("Lap")
    world.lose()
    world.advance(.seconds(3000))
    #expect(world.disk?.workouts.count == 6)
    #expect(world.disk?.findings == [])
    world = try world.rebooted(at: world.now.wall + .seconds(600), isSynchronised: true)
    #expect(world.disk?.findings == [])
  }

  @Test func whatIsLostIsFound() throws {
    let (world, whole, split, part) = try filled()
    func number(_ id: SessionID) -> String { "(SELECT number FROM session WHERE id = '\(id)')" }
    let own = "session = \(number(whole))"
    let pauses = "(to_state = 'paused' OR from_state = 'paused')"
    let damages: [(sql: String, text: String)] = [
      ("DELETE FROM event WHERE \(own)", "session \(whole): it has ended, and the event of that is not there"),
      ("DELETE FROM event WHERE \(own) AND to_state = 'ended'", "session \(whole): it has ended, and the event"),
      ("DELETE FROM event WHERE \(own) AND to_state = 'paused'", "session \(whole): between 'running' and 'paused'"),
      ("DELETE FROM event WHERE \(own) AND \(pauses)", "workout \(whole): it ran for "),
      (
        "DELETE FROM event WHERE session = \(number(split)) AND \(pauses)", "workout \(split): it ran for "
      ),
      ("DELETE FROM event WHERE \(own) AND kind = 'lap'", "workout \(whole): it has 2 laps, and by its events 0"),
      ("DELETE FROM workout WHERE \(own)", "session \(whole): it has ended, and its workout is not there"),
      (
        "DELETE FROM workout_part WHERE \(own) AND event = (SELECT max(event) FROM workout_part WHERE \(own) AND kind = 'lap')",
        "workout \(whole): it has 1 laps, and by its events 2"
      ),
      (
        "DELETE FROM workout_part WHERE \(own) AND kind = 'activity'",
        "workout \(whole): it has 0 activities, and by its events"
      ),
      (
        "DELETE FROM workout_slice WHERE workout = \(number(split))", "are made of the same samples of session \(split)"
      ),
      (
        "DELETE FROM workout_slice WHERE workout = \(number(part))",
        "workout \(part): a split has made it, and what it is made of is not there"
      ),
      ("DELETE FROM workout_before", "of what it has changed, not all is there as it was before"),
      (
        "DELETE FROM workout_before WHERE session = \(number(part))",
        "of what it has changed, not all is there as it was before"
      ),
      (
        "UPDATE workout_slice SET end_tick = end_tick + 3600000000000 WHERE workout = \(number(part))",
        "workout \(part): it is made of more than there is of session \(split)"
      ),
      (
        "UPDATE session SET end_boot = NULL, end_tick = NULL, end_date = NULL WHERE id = '\(whole)'",
        "session \(whole): it has ended, and its end is not there"
      ),
      ("DELETE FROM anchor", "session \(whole): the clocks of no boot are there that it lived in"),
      ("DELETE FROM meta", "are in use, and none are reserved"),
      ("UPDATE meta SET value = 1 WHERE key = 'reservedSequence'", "are in use, and only those up to 1 are reserved"),
      ("UPDATE workout_part_before SET zone_nanoseconds = 'x'", "are no times in zones"),
      ("UPDATE workout_slice_before SET end_tick = start_tick - 1", "it ends before it begins"),
      (
        "UPDATE OR IGNORE workout_part_before SET session = \(number(whole))",
        "rows of table workout_part_before are of no workout"
      ),
      ("UPDATE sample_piece SET last_tick = last_tick + 1 WHERE \(own)", "the piece has others than it says"),
      ("UPDATE sample_piece SET last_boot = 7 WHERE \(own)", "the piece has others than it says"),
      ("DROP INDEX workout_by_start", "the index workout_by_start is not there"),
      (
        "CREATE TRIGGER t AFTER INSERT ON sample BEGIN DELETE FROM sample; END", "the trigger t is none of strapd's"
      ),
      (
        "DROP INDEX trash_by_start; CREATE INDEX trash_by_start ON workout (start_date) WHERE discarded_date IS NULL",
        "the index trash_by_start is another one than strapd makes"
      ),
      (
        "UPDATE workout SET elapsed_nanoseconds = elapsed_nanoseconds - 2000000 WHERE \(own)",
        "workout \(whole): it ran for"
      ),
    ]
    for (sql, text) in damages {
      let found = world.disk?.findings(after: sql) ?? []
      #expect(found.contains { $0.contains(text) }, "\(sql): \(found.prefix(5))")
    }
  }
}
