import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Finished workouts that people change after the fact. The store is a real one.
@Suite struct RevisionScenarioTests {
  /// A workout of so many seconds, with a heart rate each second from 100 up.
  func workout(in world: World, _ seconds: Int = 60, _ during: (Int) -> Void = { _ in }) throws -> SessionID {
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(5))
    world.call("Start")
    for second in 0..<seconds {
      world.advance(.milliseconds(500))
      during(second)
      world.advance(.milliseconds(500))
      world.beat(UInt8(100 + second % 100))
    }
    world.advance(.milliseconds(500))
    world.call("End")
    world.advance(.seconds(1))
    let id = try #require(world.disk?.workouts.first?.id)
    return try #require(world.disk?.workout(id)).id
  }

  func json(_ id: SessionID) -> JSON { .string(id.description) }

  func now(_ world: World, _ id: SessionID) throws -> FinishedWorkout {
    try #require(world.disk?.workout(id))
  }

  func outcome(_ world: World, _ method: String, _ parameters: KeyValuePairs<String, JSON?>) -> String {
    let reply = world.call(method, parameters)
    return reply["error"]?.asString.map { String($0.dropFirst("io.strapd.".count)) } ?? "done"
  }

  // MARK: What is said of it

  @Test func r01_whatIsSaidOfItChangesAndComesBack() throws {
    let world = try World.onDisk()
    let id = try workout(in: world)
    let before = try now(world, id)
    let reply = world.call(
      "EditWorkout",
      [
        "id": json(id), "title": .string("Hill repeats"), "notes": .string("windy\ncold"),
        "activity": .string("rowing"),
        "location": .string("indoor"), "athlete": .string("Anna"),
      ])
    let changed = try now(world, id)
    #expect(reply["parameters"]?["workout"]?["title"]?.asString == "Hill repeats")
    #expect(changed.title?.description == "Hill repeats" && changed.notes == "windy\ncold")
    #expect(changed.activity == .rowing && changed.location == .indoor && changed.athlete?.description == "Anna")
    #expect(changed.summary == before.summary && changed.start == before.start && changed.end == before.end)
    world.call("EditWorkout", ["id": json(id), "title": .string(""), "athlete": .string("")])
    #expect(try now(world, id).title == nil)
    #expect(try now(world, id).notes == "windy\ncold", "what was not named stays")
    world.call("UndoEdit", ["id": json(id)])
    #expect(try now(world, id) == changed)
    let edits = world.call("ListEdits", ["id": json(id)])["parameters"]?["edits"]?.asArray ?? []
    #expect(edits.count == 2)
    #expect(edits.first?["after"]?["title"]?.asString == "Hill repeats")
    #expect(edits.last?["undoneDate"] != nil && edits.last?["after"] == nil)
    world.call("UndoEdit", ["id": json(id)])
    #expect(try now(world, id) == before)
    #expect(outcome(world, "UndoEdit", ["id": json(id)]) == "NothingToUndo")
  }

  @Test func r02_nothingSaidChangesNothing() throws {
    let world = try World.onDisk()
    let id = try workout(in: world)
    #expect(outcome(world, "EditWorkout", ["id": json(id)]) == "done")
    #expect(outcome(world, "EditWorkout", ["id": json(id), "activity": .string("running")]) == "done")
    #expect(outcome(world, "TrimWorkout", ["id": json(id)]) == "done")
    #expect(outcome(world, "TrimWorkout", ["id": json(id), "startSeconds": .real(0)]) == "done")
    #expect(try #require(world.disk).edits(of: id).isEmpty)
  }

  // MARK: Trim

  @Test func r03_aTrimCountsWhatIsLeft() throws {
    let world = try World.onDisk()
    let id = try workout(in: world) { second in
      if second == 20 { world.call("Lap", ["label": .string("first")]) }
      if second == 40 { world.call("Lap") }
    }
    let before = try now(world, id)
    let samples = try #require(world.disk).samples(of: id)
    world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(10), "endSeconds": .real(30)])
    let trimmed = try now(world, id)
    #expect(trimmed.start.tick - before.start.tick == .seconds(10))
    #expect(trimmed.start.date - before.start.date == .seconds(10))
    #expect(trimmed.end.tick - before.start.tick == .seconds(30))
    #expect(trimmed.elapsed == .seconds(20) && trimmed.wall == .seconds(20))
    // Received 10 s after the start to 29 s after it; a value at the very end does not count.
    #expect(trimmed.heartRate?.count == 20)
    #expect(trimmed.heartRate?.minimum == 109 && trimmed.heartRate?.maximum == 128)
    #expect(trimmed.heartRate?.average == (109...128).map(Double.init).reduce(0, +) / 20)
    #expect(trimmed.heartRate?.mostRecentTick == before.start.tick + .seconds(29))
    #expect(trimmed.laps.map(\.interval.label) == ["first", nil])
    #expect(
      trimmed.laps.map { $0.interval.end.tick - $0.interval.start.tick } == [
        .milliseconds(10_500), .milliseconds(9500),
      ])
    #expect(trimmed.laps.map { $0.summary.heartRate?.count } == [11, 9])
    #expect(try #require(world.disk).samples(of: id) == samples, "the recording itself stays")
    #expect(try #require(world.disk).samples(of: trimmed).count == 20)
    world.call("UndoEdit", ["id": json(id)])
    #expect(try now(world, id) == before)
  }

  @Test func r04_aTrimFromAPauseBeginsPaused() throws {
    let world = try World.onDisk()
    let id = try workout(in: world) { second in
      if second == 10 { world.call("Pause") }
      if second == 30 { world.call("Resume") }
    }
    world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(20)])
    let trimmed = try now(world, id)
    #expect(trimmed.wall == .milliseconds(40_500))
    #expect(trimmed.elapsed == .seconds(30))
    #expect(trimmed.heartRate?.count == 30)
  }

  @Test func r05_aTrimOfATrimAndASecondKill() throws {
    var world = try World.onDisk()
    let id = try workout(in: world)
    let before = try now(world, id)
    world.call("TrimWorkout", ["id": json(id), "endSeconds": .real(50)])
    let first = try now(world, id)
    world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(5)])
    #expect(try now(world, id).heartRate?.count == 45)
    world = try world.rebooted(at: world.now.wall + .seconds(3600), isSynchronised: true)
    #expect(try now(world, id).heartRate?.count == 45)
    world.call("TrimWorkout", ["id": json(id), "endSeconds": .real(10)])
    #expect(try now(world, id).heartRate?.count == 10, "counted from a recording of an earlier boot")
    for _ in 0..<2 { world.call("UndoEdit", ["id": json(id)]) }
    #expect(try now(world, id).summary.heartRate?.count == first.heartRate?.count)
    world.call("UndoEdit", ["id": json(id)])
    let back = try now(world, id)
    #expect(back.elapsed == before.elapsed && back.start.date == before.start.date)
    #expect(back.heartRate?.average == before.heartRate?.average)
  }

  // MARK: Split and merge

  @Test func r06_aSplitMakesTwoAndAMergeOne() throws {
    let world = try World.onDisk()
    let id = try workout(in: world) { second in
      if second == 10 { world.call("BeginActivity", ["activity": .string("cycling")]) }
    }
    let before = try now(world, id)
    let reply = world.call(
      "SplitWorkout", ["id": json(id), "date": .string((before.start.date + .seconds(30)).rfc3339)])
    let second = try #require(reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) })
    let parts = [try now(world, id), try now(world, second)]
    #expect(parts.map(\.elapsed) == [.seconds(30), .milliseconds(30_500)])
    #expect(parts.map { $0.heartRate?.count } == [29, 31], "the one at the very split is of the second")
    #expect(parts.map { $0.activities.count } == [1, 1])
    #expect(parts[1].activities.first?.began.start.tick == parts[1].start.tick)
    #expect(world.disk?.workouts.map(\.id) == [second, id], "the latest start first")
    #expect(try #require(world.disk).samples(of: parts[1]).count == 31)
    let events = world.call("GetWorkout", ["id": json(second)])["parameters"]?["events"]
    #expect(events?.asArray?.count == 0)

    world.call("MergeWorkouts", ["id": json(second), "other": json(id)])
    let merged = try now(world, second)
    #expect(merged.start.tick == before.start.tick && merged.end.tick == before.end.tick)
    #expect(merged.elapsed == before.elapsed)
    #expect(merged.heartRate?.count == 60 && merged.rrCount == before.rrCount)
    #expect(merged.heartRate?.maximum == before.heartRate?.maximum)
    #expect(world.call("GetWorkout", ["id": json(id)])["error"]?.asString == "io.strapd.WorkoutMerged")
    #expect(outcome(world, "TrimWorkout", ["id": json(id), "startSeconds": .real(1)]) == "WorkoutMerged")
    #expect(world.disk?.workouts.map(\.id) == [second])

    world.call("UndoEdit", ["id": json(id)])
    #expect(try now(world, id) == parts[0] && (try now(world, second)) == parts[1])
    world.call("UndoEdit", ["id": json(second)])
    #expect(try now(world, id) == before)
    #expect(world.disk?.workouts.map(\.id) == [id])
    #expect(outcome(world, "GetWorkout", ["id": json(second)]) == "NoSuchWorkout")
  }

  /// What lies between two that were merged is a pause, in which a workout neither begins nor ends.
  @Test func r06_aTrimIntoThePauseBetweenTwo() throws {
    let world = try World.onDisk()
    let first = try workout(in: world, 30)
    world.advance(.seconds(100))
    let second = try workout(in: world, 30)
    let parts = [try now(world, first), try now(world, second)]
    world.call("EditWorkout", ["id": json(second), "title": .string("Evening")])
    world.call("MergeWorkouts", ["id": json(first), "other": json(second)])
    #expect(try now(world, first).title?.description == "Evening", "the first has none")
    world.call("TrimWorkout", ["id": json(first), "endSeconds": .real(60)])
    #expect(try now(world, first).end.tick == parts[0].end.tick)
    #expect(try now(world, first).elapsed == parts[0].elapsed)
    world.call("UndoEdit", ["id": json(first)])
    world.call("TrimWorkout", ["id": json(first), "startSeconds": .real(60)])
    #expect(try now(world, first).start.tick == parts[1].start.tick)
    #expect(try now(world, first).heartRate?.count == parts[1].heartRate?.count)
  }

  /// A clock that is not right lays the recording elsewhere; once it is, everything is where it was.
  @Test func r07_anEditByAClockThatIsNotRight() throws {
    var world = try World.onDisk()
    let id = try workout(in: world)
    let before = try now(world, id)
    world = try world.rebooted(at: try #require(WallTime(rfc3339: "2020-01-01T00:00:00Z")), isSynchronised: false)
    world.call("EditWorkout", ["id": json(id), "title": .string("Hills")])
    world.advance(.seconds(10))
    world.setClock(by: .seconds(220_000_000))
    world.advance(.seconds(10))
    world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(10), "endSeconds": .real(30)])
    let trimmed = try now(world, id)
    #expect(trimmed.heartRate?.count == 20 && trimmed.elapsed == .seconds(20))
    #expect(trimmed.start.date - before.start.date == .seconds(10))
    for _ in 0..<2 { world.call("UndoEdit", ["id": json(id)]) }
    #expect(try now(world, id).start.date == before.start.date)
    #expect(try now(world, id).heartRate?.average == before.heartRate?.average)
  }

  @Test func r07_aMergeAcrossAReboot() throws {
    var world = try World.onDisk()
    let first = try workout(in: world, 30)
    world = try world.rebooted(at: world.now.wall + .seconds(600), isSynchronised: true)
    let second = try workout(in: world, 20)
    let parts = [try now(world, first), try now(world, second)]
    world.call("MergeWorkouts", ["id": json(first), "other": json(second)])
    let merged = try now(world, first)
    #expect(merged.heartRate?.count == 50)
    #expect(merged.elapsed == parts[0].elapsed + parts[1].elapsed)
    #expect(merged.wall == parts[1].end.tick - parts[0].start.tick)
    #expect(merged.end.date == parts[1].end.date)
    world.call("UndoEdit", ["id": json(first)])
    #expect(try now(world, second) == parts[1])
  }

  // MARK: What is refused

  @Test func r08_whatCannotBe() throws {
    let world = try World.onDisk()
    let id = try workout(in: world)
    let before = try now(world, id)
    #expect(outcome(world, "TrimWorkout", ["id": json(id), "startSeconds": .real(-1)]) == "RevisionRefused")
    #expect(outcome(world, "TrimWorkout", ["id": json(id), "endSeconds": .real(61)]) == "RevisionRefused")
    let reply = world.call("TrimWorkout", ["id": json(id), "startSeconds": .real(30), "endSeconds": .real(30)])
    #expect(reply["parameters"]?["reason"]?.asString == "endNotAfterStart")
    #expect(reply["parameters"]?["startDate"]?.asString == before.start.date.rfc3339)
    #expect(outcome(world, "SplitWorkout", ["id": json(id), "seconds": .real(0)]) == "RevisionRefused")
    for (method, place) in [
      ("SplitWorkout", "seconds"), ("TrimWorkout", "startSeconds"), ("TrimWorkout", "endSeconds"),
    ] {
      for seconds in [-9, 99] as [Double] {
        let reply = world.call(method, ["id": json(id), place: .real(seconds)])
        #expect(reply["parameters"]?["reason"]?.asString == "outsideWorkout", "\(method) \(place) \(seconds)")
      }
    }
    #expect(outcome(world, "SplitWorkout", ["id": json(id)]).hasSuffix("InvalidParameter"))
    let unknown = SessionID(randomBytes: [UInt8](repeating: 7, count: 16))
    for (method, rest) in [("EditWorkout", "title"), ("UndoEdit", nil), ("ListEdits", nil)] as [(String, String?)] {
      let reply = world.call(
        method, ["id": json(unknown), rest ?? "id": rest.map { _ in .string("x") } ?? json(unknown)])
      #expect(reply["error"]?.asString == "io.strapd.NoSuchWorkout", "\(method)")
    }
    #expect(outcome(world, "MergeWorkouts", ["id": json(id), "other": json(unknown)]) == "NoSuchWorkout")
    world.call("Discard", ["session": json(id)])
    #expect(outcome(world, "EditWorkout", ["id": json(id), "title": .string("x")]) == "WorkoutInTrash")
    world.call("Restore", ["id": json(id)])
    #expect(try now(world, id) == before)
    world.call("Prepare")
    #expect(outcome(world, "EditWorkout", ["id": .string(world.liveID), "title": .string("x")]) == "WorkoutNotFinal")
    #expect(try #require(world.disk).edits(of: id).isEmpty)
  }

  @Test func r09_twoThatOverlapAreNotMerged() throws {
    let world = try World.onDisk()
    let ids = [World.a, World.b].compactMap { strap in
      world.call("Prepare", ["strap": .string(strap.description)])["parameters"]?["session"]?.asString
    }
    world.advance(.seconds(5))
    for id in ids { world.call("Start", ["session": .string(id)]) }
    world.advance(.seconds(10))
    for id in ids { world.call("End", ["session": .string(id)]) }
    world.advance(.seconds(1))
    let reply = world.call("MergeWorkouts", ["id": .string(ids[0]), "other": .string(ids[1])])
    #expect(reply["parameters"]?["reason"]?.asString == "overlap")
  }

  @Test func r10_twoOfDifferentAthletesAreNotMerged() throws {
    let world = try World.onDisk()
    let (first, second) = (try workout(in: world, 5), try workout(in: world, 5))
    world.call("EditWorkout", ["id": json(first), "athlete": .string("Anna")])
    world.call("EditWorkout", ["id": json(second), "athlete": .string("Ben")])
    let reply = world.call("MergeWorkouts", ["id": json(first), "other": json(second)])
    #expect(reply["parameters"]?["reason"]?.asString == "athletesDiffer")
    world.call("UndoEdit", ["id": json(first)])
    #expect(outcome(world, "MergeWorkouts", ["id": json(first), "other": json(second)]) == "done")
    #expect(try now(world, first).athlete?.description == "Ben")
  }

  @Test func r11_theLaterChangeIsUndoneFirst() throws {
    let world = try World.onDisk()
    let id = try workout(in: world)
    let reply = world.call("SplitWorkout", ["id": json(id), "seconds": .real(30)])
    let second = reply["parameters"]?["second"]?["id"] ?? .null
    world.call("TrimWorkout", ["id": second, "startSeconds": .real(1)])
    let refused = world.call("UndoEdit", ["id": json(id)])
    #expect(refused["error"]?.asString == "io.strapd.UndoOtherFirst")
    #expect(refused["parameters"]?["other"] == second)
    world.call("Discard", ["session": second])
    #expect(outcome(world, "UndoEdit", ["id": second]) == "WorkoutInTrash")
    world.call("Restore", ["id": second])
    world.call("UndoEdit", ["id": second])
    #expect(outcome(world, "UndoEdit", ["id": json(id)]) == "done")
    #expect(world.disk?.workouts.count == 1)
  }

  /// Two clients at once: the second begins with what the first has left.
  @Test func r12_oneAfterTheOther() throws {
    let world = try World.onDisk()
    let id = try workout(in: world)
    let (one, other) = (world.connect(), world.connect())
    world.send(one, VarlinkCall("io.strapd.TrimWorkout", .object(["id": json(id), "startSeconds": .real(10)])))
    world.send(other, VarlinkCall("io.strapd.TrimWorkout", .object(["id": json(id), "startSeconds": .real(10)])))
    world.advance(.seconds(1))
    #expect(try now(world, id).heartRate?.count == 41)
    #expect(world.take(one).count == 1 && world.take(other).count == 1)
  }

  @Test func r13_byTitle() throws {
    let world = try World.onDisk()
    let id = try workout(in: world, 5)
    world.call("EditWorkout", ["id": json(id), "title": .string("Hill Repeats")])
    func found(_ title: String) -> Int? {
      world.call("ListWorkouts", ["title": .string(title)])["parameters"]?["workouts"]?.asArray?.count
    }
    #expect(found("hill") == 1)
    #expect(found("REPEATS") == 1)
    #expect(found("hills") == 0)
  }
}
