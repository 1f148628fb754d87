import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Changes of finished workouts by a clock that is not right yet, and what becomes of them when it is. The store is a real
/// one.
@Suite struct RevisionRebootScenarioTests {
  private let revisions = RevisionScenarioTests()
  private static let nine = WallTime(rfc3339: "2026-11-30T09:00:00Z")!
  private static let long = WallTime(rfc3339: "1973-05-05T05:05:05Z")!

  private func json(_ id: SessionID) -> JSON { revisions.json(id) }

  /// A workout of 50 beats, an hour in which the machine was off, and 40 beats; and by what its first boot began.
  private func acrossAReboot() throws -> (World, SessionID) {
    var configuration = World.configured
    configuration.limits.recovery = .seconds(604_800)
    let first = try World.onDisk(
      configuration, at: Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true))
    first.call("Prepare", ["activity": .string("running")])
    first.advance(.seconds(3))
    first.call("Start")
    first.beats(50, 100)
    let world = try first.rebooted(at: first.now.wall + .seconds(3620), isSynchronised: true)
    world.advance(.seconds(5))
    world.beats(40, 120)
    world.call("End")
    world.advance(.seconds(200))
    return (world, try #require(world.disk?.workouts.first?.id))
  }

  /// The next day, by a clock that is wrong by so much.
  private func nextDay(_ world: World, wrongBy error: Duration) throws -> World {
    let next = try world.rebooted(at: world.now.wall + .seconds(86_400) + error, isSynchronised: false)
    next.advance(.seconds(30))
    return next
  }

  private func setRight(_ world: World, wrongBy error: Duration) {
    world.setClock(by: .zero - error)
    world.advance(.seconds(10))
  }

  /// What is told of it, but for ticks, which another axis has otherwise.
  private func told(_ world: World, _ ids: [SessionID]) throws -> [String] {
    try ids.map { id in
      let workout = try revisions.now(world, id)
      let samples = try #require(world.disk?.samples(of: workout))
      let events = try #require(world.disk?.events(of: workout))
      let dates = "\(workout.start.date.rfc3339) to \(workout.end.date.rfc3339)"
      let counts = "\(workout.wall) \(workout.elapsed) \(workout.heartRate?.count ?? 0) of \(samples.count)"
      let lengths = workout.slices.map { "\($0.end.tick - $0.start.tick)" }
      return "\(dates) \(counts) \(events.count) \(lengths)"
    }
  }

  // MARK: A moment in the time off

  @Test(arguments: [-3600, -86_400 * 2, 60, 3600, -1_700_000_000] as [Int64])
  func r17_aSplitWhereTheMachineWasOff(_ error: Int64) throws {
    let (last, id) = try acrossAReboot()
    var world = try nextDay(last, wrongBy: .seconds(error))
    let whole = try told(world, [id])
    let reply = world.call("SplitWorkout", ["id": json(id), "seconds": .real(1800)])
    let second = try #require(reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) })
    let both = try told(world, [id, second])
    #expect(both[0].contains(" 50 of 50 ") && both[1].contains(" 40 of 40 "), "\(both)")
    func check() throws {
      #expect(try told(world, [id, second]) == both)
      let parts = try [id, second].map { try revisions.now(world, $0) }
      #expect(parts[0].end.tick == parts[1].start.tick)
      for method in ["GetWorkout", "ListEvents", "GetSamples", "ListEdits"] {
        #expect(revisions.outcome(world, method, ["id": json(second)]) == "done", "\(method)")
      }
    }
    setRight(world, wrongBy: .seconds(error))
    try check()
    world = try world.restartedOnDisk()
    world.advance(.seconds(2))
    try check()
    world = try world.rebooted(at: world.now.wall + .seconds(600), isSynchronised: true)
    world.advance(.seconds(2))
    try check()
    #expect(revisions.outcome(world, "TrimWorkout", ["id": json(second), "startSeconds": .real(1)]) == "done")
    #expect(try revisions.now(world, second).heartRate?.count == 40)
    world.call("UndoEdit", ["id": json(second)])
    #expect(revisions.outcome(world, "MergeWorkouts", ["id": json(id), "other": json(second)]) == "done")
    for _ in 0..<2 { world.call("UndoEdit", ["id": json(id)]) }
    #expect(try told(world, [id]) == whole)
  }

  @Test func r17_aTrimToWhereTheMachineWasOff() throws {
    let (last, id) = try acrossAReboot()
    let world = try nextDay(last, wrongBy: .seconds(-3600))
    world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(10), "endSeconds": .real(600)])
    let trimmed = try told(world, [id])
    setRight(world, wrongBy: .seconds(-3600))
    #expect(try told(world, [id]) == trimmed)
    #expect(try revisions.now(world, id).wall == .seconds(590))
  }

  /// What is imported lies in no boot, or only in part: all of it stays together.
  @Test(arguments: [-3600, 3600] as [Int64]) func r18_anImportByAClockThatIsNotRight(_ error: Int64) throws {
    let (last, id) = try acrossAReboot()
    let exported = try ImportScenarioTests.export(id, from: last)
    // It began within a boot of the other machine, and ended when that was off.
    let start = Moment(tick: World.start.tick, wall: Self.nine + .seconds(-990), isSynchronised: true)
    let other = try World.onDisk(World.configured, at: start)
    other.advance(.seconds(2000))
    let world = try nextDay(try other.restartedOnDisk(), wrongBy: .seconds(error))
    #expect(try ImportScenarioTests.restore(exported, into: world) == id)
    let whole = try told(world, [id])
    world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(10), "endSeconds": .real(3690)])
    let trimmed = try told(world, [id])
    setRight(world, wrongBy: .seconds(error))
    #expect(try told(world, [id]) == trimmed)
    world.call("UndoEdit", ["id": json(id)])
    #expect(try told(world, [id]) == whole)
    let again = try ImportScenarioTests.export(id, from: world)
    #expect(again.samples.map(\.text) == exported.samples.map(\.text))
  }

  // MARK: Dates

  /// What an undo brings back is dated by the clock as it was set since.
  @Test func r19_undoneWhenTheClockIsRight() throws {
    let start = Moment(tick: World.start.tick, wall: Self.long, isSynchronised: false)
    let world = try World.onDisk(World.configured, at: start)
    let ids = try (0..<3).map { _ in
      try revisions.workout(in: world, 30) { second in if second == 10 { world.call("Lap") } }
    }
    world.call("EditWorkout", ["id": json(ids[1]), "title": .string("said before")])
    world.call("TrimWorkout", ["id": json(ids[2]), "startSeconds": .real(5)])
    world.call("TrimWorkout", ["id": json(ids[2]), "startSeconds": .real(2)])
    let starts = try ids.map { try revisions.now(world, $0).start }
    // It is set twice: once by hand, and then by a time server.
    world.setClock(by: .seconds(1_600_000_000), isSynchronised: false)
    world.advance(.seconds(5))
    world.setClock(by: Self.nine - world.now.wall)
    world.advance(.seconds(5))
    func right(_ tick: Tick) -> WallTime { world.now.wall(at: tick) }
    for (id, start) in zip(ids, starts) { #expect(try revisions.now(world, id).start.date == right(start.tick)) }
    world.call("UndoEdit", ["id": json(ids[1])])
    for _ in 0..<2 { world.call("UndoEdit", ["id": json(ids[2])]) }
    for id in ids {
      let workout = try revisions.now(world, id)
      #expect(workout.start.date == right(workout.start.tick) && workout.end.date == right(workout.end.tick))
      #expect(workout.slices.isEmpty && workout.laps.count == 1 && workout.heartRate?.count == 30)
      for lap in workout.laps { #expect(lap.interval.start.date == right(lap.interval.start.tick)) }
      let session = try #require(world.disk?.session(id))
      #expect(session.start?.date == workout.start.date && session.end?.date == workout.end.date)
    }
    #expect(world.disk?.workouts.map(\.id) == ids.reversed())
    // And it is known to be: retention takes it by these dates.
    let edits = try #require(world.disk?.edits(of: ids[2]))
    #expect(edits.compactMap(\.before?.start.date).allSatisfy { $0 > Self.nine + .seconds(-1000) })
  }

  // MARK: How far apart

  @Test(arguments: [long, nine + .seconds(600)]) func r20_aMergeWaitsForTheClock(_ wall: WallTime) throws {
    let start = Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true)
    var world = try World.onDisk(World.configured, at: start)
    let first = try revisions.workout(in: world, 30)
    let off = world.now.wall
    world = try world.rebooted(at: wall, isSynchronised: false)
    var made = [first]
    for seconds in [20, 10] {
      _ = try revisions.workout(in: world, seconds)
      made += world.disk?.workouts.map(\.id).filter { !made.contains($0) } ?? []
    }
    let (second, third) = (made[1], made[2])
    let parts = try [first, second].map { try revisions.now(world, $0) }
    let merge: KeyValuePairs<String, JSON?> = ["id": json(first), "other": json(second)]
    #expect(revisions.outcome(world, "MergeWorkouts", merge) == "WorkoutNotFinal")
    #expect(try #require(world.disk).edits(of: first).isEmpty)
    // Each alone, and two of one boot, can be changed.
    #expect(revisions.outcome(world, "TrimWorkout", ["id": json(first), "endSeconds": .real(20)]) == "done")
    world.call("UndoEdit", ["id": json(first)])
    #expect(revisions.outcome(world, "MergeWorkouts", ["id": json(second), "other": json(third)]) == "done")
    world.call("UndoEdit", ["id": json(second)])
    world.setClock(by: off + .seconds(7200) - world.now.wall)
    world.advance(.seconds(10))
    #expect(revisions.outcome(world, "MergeWorkouts", merge) == "done")
    let merged = try revisions.now(world, first)
    #expect(merged.heartRate?.count == 50 && merged.wall > .seconds(7000))
    #expect(merged.end.date - merged.start.date == merged.wall)
    #expect(merged.elapsed == parts[0].elapsed + parts[1].elapsed)
    // A trim of nothing to speak of takes nothing, and a split near the end finds its place.
    world.call("TrimWorkout", ["id": json(first), "startSeconds": .real(0.1)])
    #expect(try revisions.now(world, first).heartRate?.count == 50)
    let near: KeyValuePairs<String, JSON?> = ["id": json(first), "seconds": .real(merged.wall.inSeconds - 2)]
    #expect(revisions.outcome(world, "SplitWorkout", near) == "done")
    #expect(try revisions.now(world, first).heartRate?.count == 48)
  }

  /// Between boots whose clocks were right nothing moves, whatever the clock says now.
  @Test func r20_twoOfBootsWithRightClocks() throws {
    let start = Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true)
    var world = try World.onDisk(World.configured, at: start)
    let first = try revisions.workout(in: world, 30)
    world = try world.rebooted(at: world.now.wall + .seconds(600), isSynchronised: true)
    let second = try revisions.workout(in: world, 20)
    world = try nextDay(world, wrongBy: .seconds(-3600))
    world.call("MergeWorkouts", ["id": json(first), "other": json(second)])
    let merged = try told(world, [first])
    setRight(world, wrongBy: .seconds(-3600))
    #expect(try told(world, [first]) == merged)
    #expect(try revisions.now(world, first).heartRate?.count == 50)
  }

  // MARK: Deleted for good

  /// Notes on the first half can be taken back when the other one is gone; the split cannot.
  @Test func r21_whatDoesNotTouchWhatIsDeletedCanBeUndone() throws {
    let world = try World.onDisk()
    let id = try revisions.workout(in: world)
    world.call("EditWorkout", ["id": json(id), "title": .string("Hills")])
    let reply = world.call("SplitWorkout", ["id": json(id), "seconds": .real(30)])
    let second = reply["parameters"]?["second"]?["id"]
    let half = try revisions.now(world, id)
    world.call("EditWorkout", ["id": json(id), "notes": .string("the first half")])
    world.call("Discard", ["session": second])
    world.advance(.seconds(86_400 * 31))
    #expect(revisions.outcome(world, "GetWorkout", ["id": second]) == "NoSuchWorkout")
    #expect(revisions.outcome(world, "UndoEdit", ["id": json(id)]) == "done")
    #expect(try revisions.now(world, id) == half)
    #expect(revisions.outcome(world, "UndoEdit", ["id": json(id)]) == "EditSealed")
    #expect(try revisions.now(world, id) == half)
    let edits = world.call("ListEdits", ["id": json(id)])["parameters"]?["edits"]?.asArray ?? []
    #expect(edits.map { $0["sealed"]?.asBool } == [true, true, nil])
  }
}
