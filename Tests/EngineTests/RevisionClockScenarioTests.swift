import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// By which clock the parts of finished workouts are dated, while the clock of the day is wrong and when it is right again. The
/// store is a real one.
@Suite struct RevisionClockScenarioTests {
  private let revisions = RevisionScenarioTests()
  private static let nine = WallTime(rfc3339: "2026-11-30T09:00:00Z")!

  private func json(_ id: SessionID) -> JSON { revisions.json(id) }

  private func world(retention days: Int? = nil) throws -> World {
    var configuration = World.configured
    configuration.retention = days.map { .seconds($0 * 86_400) }
    return try World.onDisk(
      configuration, at: Moment(tick: World.start.tick, wall: Self.nine, isSynchronised: true))
  }

  private func setWrong(_ world: World, by error: Duration) {
    world.setClock(by: error, isSynchronised: false)
    world.advance(.seconds(2))
  }

  private func setRight(_ world: World, by error: Duration) {
    world.setClock(by: .zero - error)
    world.advance(.seconds(2))
  }

  private func split(_ world: World, _ id: SessionID, at seconds: Double) throws -> SessionID {
    let reply = world.call("SplitWorkout", ["id": json(id), "seconds": .real(seconds)])
    return try #require(reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) }, "\(reply.text)")
  }

  /// What is told of workouts, dates first.
  private func told(_ world: World, _ ids: [SessionID]) throws -> [String] {
    try ids.map { id in
      let workout = try revisions.now(world, id)
      let laps = workout.laps.map { "\($0.interval.start.date.rfc3339) to \($0.interval.end.date.rfc3339)" }
      let activities = workout.activities.map { $0.began.start.date.rfc3339 }
      let samples = try #require(world.disk?.samples(of: workout).count)
      let counts = "\(workout.wall) \(samples) samples \(laps) \(activities)"
      return "\(workout.start.date.rfc3339) to \(workout.end.date.rfc3339) \(counts)"
    }
  }

  /// All dates are what the clock says of their ticks, which is right.
  private func expectRight(_ world: World, _ ids: [SessionID]) throws {
    func right(_ moment: DatedTick) -> Bool { moment.date == world.now.wall(at: moment.tick) }
    for id in ids {
      let workout = try revisions.now(world, id)
      let bounds = [workout.start, workout.end] + workout.slices.flatMap { [$0.start, $0.end] }
      let laps = workout.laps.flatMap { [$0.interval.start, $0.interval.end] }
      #expect((bounds + laps).allSatisfy(right), "\(workout)")
      // One of a boot before was dated by the clock of that.
      if let session = world.disk?.session(id), session.created.tick.nanoseconds > 0 {
        #expect([session.start, session.end].compactMap { $0 }.allSatisfy(right), "\(session)")
      }
    }
    #expect(world.disk?.findings == [])
  }

  private func lap(_ world: World) -> (Int) -> Void {
    { second in if second % 15 == 10 { world.call("Lap") } }
  }

  // MARK: One recording

  /// What was recorded by a right clock is rightly dated, whatever the clock says when it is cut.
  @Test(arguments: [3600, -3600, 40 * 86_400, -1_700_000_000] as [Int64])
  func c01_aSplitByAClockThatIsWrong(_ seconds: Int64) throws {
    let error = Duration.seconds(seconds)
    var world = try world()
    let id = try revisions.workout(in: world, 60, lap(world))
    let whole = try told(world, [id])
    setWrong(world, by: error)
    let second = try split(world, id, at: 20)
    let third = try split(world, second, at: 20)
    world.call("TrimWorkout", ["id": json(third), "startSeconds": .real(2)])
    world.call("EditWorkout", ["id": json(third), "title": .string("the last third")])
    let parts = [id, second, third]
    let before = try told(world, parts)
    setRight(world, by: error)
    #expect(try told(world, parts) == before)
    try expectRight(world, parts)
    world = try world.restartedOnDisk()
    #expect(try told(world, parts) == before)
    for id in [third, third, second, id] { world.call("UndoEdit", ["id": json(id)]) }
    #expect(try told(world, [id]) == whole)
    try expectRight(world, [id])
  }

  /// Today's workout is not taken for one of long ago.
  @Test func c02_retentionTakesNoPart() throws {
    var world = try world(retention: 10)
    let id = try revisions.workout(in: world)
    setWrong(world, by: .seconds(40 * 86_400))
    let second = try split(world, id, at: 30)
    setRight(world, by: .seconds(40 * 86_400))
    world = try world.restartedOnDisk()
    world.advance(.seconds(7200))
    #expect(try [id, second].map { try revisions.now(world, $0).discarded } == [nil, nil])
  }

  /// A board without a clock of its own: the dates of what was imported are not by its clock.
  @Test func c03_partsOfAnImport() throws {
    let start = try #require(WallTime(rfc3339: "2025-06-15T16:00:00Z"))
    let other = try World.onDisk(
      World.configured, at: Moment(tick: World.start.tick, wall: start, isSynchronised: true))
    let exported = try ImportScenarioTests.export(try revisions.workout(in: other, 60, lap(other)), from: other)
    let first = WallTime(rfc3339: "1970-01-01T00:01:40Z")!
    let world = try World.onDisk(
      World.configured, at: Moment(tick: World.start.tick, wall: first, isSynchronised: false))
    // Worlds give the same ids in the same order; it gets another one.
    world.call("Prepare")
    world.call("End")
    let id = try ImportScenarioTests.restore(exported, into: world)
    let second = try split(world, id, at: 30)
    let before = try told(world, [id, second])
    #expect(before[1].hasPrefix("2025-06-15T16:00:3"))
    setRight(world, by: first - Self.nine)
    #expect(try told(world, [id, second]) == before)
    #expect(world.disk?.findings == [])
    let again = try world.restartedOnDisk()
    #expect(try told(again, [id, second]) == before)
  }

  // MARK: Two recordings

  /// One by a right clock and one by a wrong one: each keeps or changes its dates by its own.
  @Test(arguments: [3600, -5] as [Int64], [true, false])
  func c04_aMergeOfBoth(_ seconds: Int64, _ isUnderTheLater: Bool) throws {
    let error = Duration.seconds(seconds)
    let world = try world()
    let first = try revisions.workout(in: world, 30, lap(world))
    world.advance(.seconds(20))
    setWrong(world, by: error)
    _ = try revisions.workout(in: world, 40, lap(world))
    let last = try #require(world.disk?.workouts.map(\.id).first { $0 != first })
    let (id, other) = isUnderTheLater ? (last, first) : (first, last)
    let whole = try told(world, [id])
    #expect(revisions.outcome(world, "MergeWorkouts", ["id": json(id), "other": json(other)]) == "done")
    let merged = try told(world, [id])
    let second = try split(world, id, at: try revisions.now(world, id).wall.inSeconds - 20)
    let parts = try told(world, [id, second])
    #expect(parts[0].prefix(20) == merged[0].prefix(20))
    setRight(world, by: error)
    try expectRight(world, [id, second])
    let laps = try [id, second].map { try revisions.now(world, $0).laps.count }
    #expect(laps == [4, 1], "\(parts)")
    #expect(try told(world, [id])[0].prefix(20) == merged[0].prefix(20))
    for _ in 0..<2 { world.call("UndoEdit", ["id": json(id)]) }
    try expectRight(world, [first, last])
    if id == first { #expect(try told(world, [id]) == whole) }
  }

  /// A part that is merged again, and both are undone when the clock is right.
  @Test func c05_aPartIsMerged() throws {
    let world = try world()
    let first = try revisions.workout(in: world, 30, lap(world))
    setWrong(world, by: .seconds(-5))
    let second = try split(world, first, at: 10)
    _ = try revisions.workout(in: world, 40, lap(world))
    let last = try #require(world.disk?.workouts.map(\.id).first { ![first, second].contains($0) })
    #expect(revisions.outcome(world, "MergeWorkouts", ["id": json(last), "other": json(second)]) == "done")
    let merged = try told(world, [last])
    setRight(world, by: .seconds(-5))
    #expect(try told(world, [last]) == merged)
    try expectRight(world, [first, last])
    world.call("UndoEdit", ["id": json(last)])
    try expectRight(world, [first, second, last])
    world.call("UndoEdit", ["id": json(first)])
    try expectRight(world, [first, last])
  }

  /// What was recorded by a clock that was never set right stays so, and is not taken for rightly dated by an edit.
  @Test func c06_aPartOfWhatWasNeverDatedRightly() throws {
    var configuration = World.configured
    configuration.retention = .seconds(10 * 86_400)
    let start = try #require(WallTime(rfc3339: "2020-02-02T02:02:02Z"))
    var world = try World.onDisk(
      configuration, at: Moment(tick: World.start.tick, wall: start, isSynchronised: false))
    let id = try revisions.workout(in: world)
    world = try world.rebooted(at: Self.nine, isSynchronised: true)
    world.advance(.seconds(10))
    let second = try split(world, id, at: 30)
    world.call("EditWorkout", ["id": json(id), "title": .string("long ago")])
    world.advance(.seconds(7200))
    #expect(try [id, second].map { try revisions.now(world, $0).discarded } == [nil, nil])
  }

  // MARK: Clocks that were right

  /// The clock is set by some seconds between two recordings: each part of what is made of both has the dates of its own.
  @Test(arguments: [5, -5] as [Int64]) func c07_partsOfAMergeAcrossASetting(_ seconds: Int64) throws {
    var world = try world()
    let first = try revisions.workout(in: world, 60)
    world.setClock(by: .seconds(seconds))
    world.advance(.seconds(1))
    world = try world.rebooted(at: world.now.wall + .seconds(86_400), isSynchronised: true)
    _ = try revisions.workout(in: world, 30, lap(world))
    let last = try #require(world.disk?.workouts.map(\.id).first { $0 != first })
    let second = try split(world, last, at: 10)
    let own = try told(world, [second])
    try expectRight(world, [last, second])
    #expect(revisions.outcome(world, "MergeWorkouts", ["id": json(first), "other": json(second)]) == "done")
    #expect(world.disk?.findings == [])
    // In the time between them, a second before the end, and both.
    let wall = try revisions.now(world, first).wall.inSeconds
    let between = try split(world, first, at: wall - 100)
    #expect(try told(world, [between]) == own)
    #expect(world.disk?.findings == [])
    let end = try split(world, between, at: try revisions.now(world, between).wall.inSeconds - 1)
    try expectRight(world, [last, between, end])
    for id in [between, first] { world.call("UndoEdit", ["id": json(id)]) }
    let piece = try split(world, first, at: wall - 1)
    try expectRight(world, [last, piece])
    world.call("UndoEdit", ["id": json(first)])
    world.call("TrimWorkout", ["id": json(first), "startSeconds": .real(wall - 3)])
    try expectRight(world, [last, first])
  }
}
