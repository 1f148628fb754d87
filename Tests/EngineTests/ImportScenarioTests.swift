import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Workouts that leave a store whole, and come into another one. The stores are real ones.
@Suite struct ImportScenarioTests {
  private let revisions = RevisionScenarioTests()

  /// A workout with everything that one can have.
  private func rich(in world: World, _ during: (Int) -> Void = { _ in }) throws -> SessionID {
    world.call("Prepare", ["activity": .string("running"), "location": .string("outdoor")])
    world.advance(.seconds(5))
    world.beats(3)
    world.call(
      "SetZones",
      [
        "zones": .array([
          .object(["upper": .integer(100)]), .object(["lower": .integer(100), "upper": .integer(130)]),
          .object(["lower": .integer(130)]),
        ])
      ])
    world.call("SetGoals", ["goals": .array([.object(["kind": .string("duration"), "seconds": .real(20)])])])
    world.call(
      "SetMetadata", ["metadata": .object(["weather": .string("rain"), "wind": .real(3.25)]), "blob": .string("AA")])
    world.call("Start")
    for second in 0..<90 {
      world.advance(.milliseconds(487))
      switch second {
      case 10: world.call("Lap", ["label": .string("up")])
      case 20: world.call("Pause")
      case 25: world.call("Resume")
      case 30: world.call("BeginActivity", ["activity": .string("cycling"), "label": .string("bike")])
      case 40: world.call("Marker", ["label": .string("hill")])
      case 50: world.call("EndActivity")
      case 55: world.call("DisableType", ["type": .string("activeEnergyBurned")])
      case 60: world.call("EnableType", ["type": .string("activeEnergyBurned")])
      case 70: world.call("Lap")
      default: break
      }
      during(second)
      world.advance(.nanoseconds(512_345_678))
      if (62..<66).contains(second) { continue }
      world.raw([0x1E, UInt8(90 + second % 60), UInt8(second), 0, UInt8(second), 3])
    }
    world.call("End")
    world.advance(.seconds(1))
    world.beats(20)
    world.advance(.seconds(200))
    let id = try #require(world.disk?.workouts.first?.id)
    world.call("EditWorkout", ["id": revisions.json(id), "title": .string("Hills"), "notes": .string("wet")])
    return id
  }

  // MARK: There and back

  @Test func i01_theWholeOfAWorkout() throws {
    let world = try World.onDisk()
    let id = try rich(in: world)
    let exported = try Self.export(id, from: world)
    #expect(exported.samples.count == 3 + 86 + 20)
    let numbers = (exported.events + exported.samples).compactMap { $0["event"]?.asInteger }.sorted()
    #expect(numbers == Array(1...Int64(numbers.count)))
    let other = try World.onDisk()
    #expect(try Self.restore(exported, into: other) == id)
    let difference = try Self.export(id, from: other).difference(from: exported)
    #expect(difference == "", "\(difference)")
    // The same to every question.
    for method in ["GetWorkout", "GetPostExercise"] {
      let (there, here) = (
        world.call(method, ["id": revisions.json(id)]), other.call(method, ["id": revisions.json(id)])
      )
      #expect(Self.timeless(there) == Self.timeless(here), "\(method)")
    }
    #expect(other.disk?.workouts.map(\.id) == [id])
  }

  /// Without the numbers that a store gives.
  private static func timeless(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      .object(members.filter { $0.name != "event" }.map { JSON.Member($0.name, timeless($0.value)) })
    case .array(let values): .array(values.map { timeless($0) })
    case .null, .bool, .integer, .real, .string, .encoded: json
    }
  }

  @Test(arguments: [1, 7, 200])
  func i02_inPiecesOfAnySize(_ size: Int) throws {
    let world = try World.onDisk()
    let id = try rich(in: world)
    let exported = try Self.export(id, from: world)
    let other = try World.onDisk()
    _ = try Self.restore(exported, into: other, size: size)
    #expect(try Self.export(id, from: other).difference(from: exported) == "")
  }

  /// What is exported of workouts that were edited is a workout of its own, and comes back as that.
  @Test func i03_editedWorkouts() throws {
    let world = try World.onDisk()
    // What the one does not count any more, the other does from its start.
    let first = try rich(in: world) { second in
      if second == 80 { world.call("DisableType", ["type": .string("heartRate")]) }
    }
    let second = try rich(in: world)
    world.call("TrimWorkout", ["id": revisions.json(first), "startSeconds": .real(7.5), "endSeconds": .real(83)])
    world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(second)])
    world.call("SplitWorkout", ["id": revisions.json(first), "seconds": .real(63.3)])
    let ids = try #require(world.disk?.workouts.map(\.id))
    #expect(ids.count == 2)
    let other = try World.onDisk()
    for id in ids {
      let exported = try Self.export(id, from: world)
      _ = try Self.restore(exported, into: other)
      #expect(try Self.export(id, from: other).difference(from: exported) == "")
      let (there, here) = (try #require(world.disk?.workout(id)), try #require(other.disk?.workout(id)))
      #expect(there.summary.rrCount == here.summary.rrCount && there.heartRate?.average == here.heartRate?.average)
      #expect(there.heartRate?.count == here.heartRate?.count && there.energyKilojoules == here.energyKilojoules)
      #expect(
        there.elapsed == here.elapsed
          && there.laps.map(\.summary).map(\.elapsed) == here.laps.map(\.summary).map(\.elapsed))
    }
  }

  /// An imported workout can be edited as any other, and merged with one that was recorded later.
  @Test func i04_editsOfImportedWorkouts() throws {
    let world = try World.onDisk()
    let first = try rich(in: world)
    let exported = try Self.export(first, from: world)
    let other = try World.onDisk()
    other.advance(.seconds(4000))
    // The id of the imported one is that of a session without a workout here, and so it gets another one.
    other.call("Prepare")
    other.advance(.seconds(5))
    other.call("End")
    other.advance(.seconds(200))
    let second = try rich(in: other)
    let imported = try Self.restore(exported, into: other)
    #expect(imported != first && imported != second)
    let merged = other.call("MergeWorkouts", ["id": revisions.json(second), "other": revisions.json(imported)])
    #expect(merged["error"] == nil, "\(merged.text)")
    let all = try Self.export(second, from: other)
    #expect(all.samples.count == 86 + 86 + 20, "the earlier workout has the later numbers in the store")
    let dates = all.samples.compactMap { $0["date"]?.asString.flatMap { WallTime(rfc3339: $0) } }
    #expect(dates == dates.sorted())
    #expect(try other.samples(listed: second) == 86 * 2)
    other.call("UndoEdit", ["id": revisions.json(second)])
    let again = try Self.export(imported, from: other)
    #expect(again.events == exported.events && again.samples == exported.samples)
  }

  /// What the clock is set to later is no matter of its dates.
  @Test func i05_theClockIsSet() throws {
    let world = try World.onDisk()
    let id = try rich(in: world)
    let exported = try Self.export(id, from: world)
    let other = try World.onDisk()
    _ = try Self.restore(exported, into: other)
    other.setClock(by: .seconds(18_000))
    other.advance(.seconds(5))
    #expect(try Self.export(id, from: other).difference(from: exported) == "")
    other.setClock(by: .seconds(-40_000))
    other.advance(.seconds(5))
    #expect(try Self.export(id, from: other).difference(from: exported) == "")
  }

  // MARK: Known already

  @Test func i06_aWorkoutIsKnownAgain() throws {
    let world = try World.onDisk()
    let id = try rich(in: world)
    let exported = try Self.export(id, from: world)
    func outcome() -> JSON {
      let client = world.connect()
      defer { world.input(.clientGone(client)) }
      return Self.ask(world, client, "BeginImport", .object(Self.beginning(exported)))
    }
    #expect(outcome()["error"]?.asString == "io.strapd.WorkoutExists")
    #expect(outcome()["parameters"]?["inTrash"] == .bool(false))
    world.call("Discard", ["session": revisions.json(id)])
    #expect(outcome()["parameters"]?["inTrash"] == .bool(true))
    world.call("Restore", ["id": revisions.json(id)])
    let other = try rich(in: world)
    world.call("MergeWorkouts", ["id": revisions.json(other), "other": revisions.json(id)])
    #expect(outcome()["parameters"]?["into"] == .string(other.description))
    #expect(world.engine.sessions.importing == nil)
  }

  // MARK: Nothing half imported

  @Test func i07_aClientThatGoes() throws {
    let world = try World.onDisk()
    let exported = try Self.export(try rich(in: world), from: world)
    let pieces = Self.pieces(exported, of: 50)
    for count in 0...pieces.count {
      let other = try World.onDisk()
      let client = other.connect()
      Self.ask(other, client, "BeginImport", .object(Self.beginning(exported)))
      for piece in pieces.prefix(count) { Self.ask(other, client, "AppendImport", piece) }
      let id = try #require(exported.workout["id"]?.asString.flatMap { SessionID($0) })
      #expect(other.disk?.session(id) == nil && other.disk?.workouts == [])
      #expect(other.call("GetSamples", ["id": revisions.json(id)])["error"]?.asString == "io.strapd.NoSuchWorkout")
      other.input(.clientGone(client))
      other.advance(.seconds(4000))
      #expect(other.disk?.workouts == [])
      #expect(try #require(other.disk).samples(of: id).isEmpty)
      // And nothing is in the way of another try.
      #expect(try Self.restore(exported, into: other) == id)
      #expect(try Self.export(id, from: other).difference(from: exported) == "")
    }
  }

  @Test func i08_aFullDisk() throws {
    let world = try World.onDisk()
    let id = try rich(in: world)
    let exported = try Self.export(id, from: world)
    let pieces = Self.pieces(exported, of: 50)
    let full = StoreError(operation: .commit, code: 13, text: "the disk is full", kind: .full)
    for count in 0...(pieces.count + 1) {
      let other = try World.onDisk()
      let client = other.connect()
      if count == 0 { other.storeFailure = full }
      var answers = [Self.ask(other, client, "BeginImport", .object(Self.beginning(exported)))]
      for (number, piece) in zip(1..., pieces) {
        if number == count { other.storeFailure = full }
        answers.append(Self.ask(other, client, "AppendImport", piece))
      }
      if count == pieces.count + 1 { other.storeFailure = full }
      answers.append(Self.ask(other, client, "CommitImport", .object([])))
      #expect(answers[count]["error"]?.asString == "io.strapd.StoreFailed")
      #expect(answers[..<count].allSatisfy { $0["error"] == nil })
      #expect(answers[(count + 1)...].allSatisfy { $0["error"]?.asString == "io.strapd.NoImport" })
      other.storeFailure = nil
      other.advance(.seconds(30))
      #expect(other.disk?.workouts == [])
      #expect(try Self.restore(exported, into: other) == id)
      #expect(try Self.export(id, from: other).difference(from: exported) == "")
    }
  }

  // MARK: Bad input

  @Test func i09_whatIsNoRecording() throws {
    let world = try World.onDisk()
    let exported = try Self.export(try rich(in: world), from: world)
    let day = "2020-01-01T00:00:00Z"
    let wrongs: [(String, (inout Exported) -> Void)] = [
      ("not come to its end", { $0.events.removeAll { $0["to"]?.asString == "ended" } }),
      ("leaves a state", { $0.events.removeAll { $0["to"]?.asString == "paused" } }),
      ("comes behind number", { $0.samples[4] = $0.samples[4].with("event", .integer(1)) }),
      ("a day outside", { $0.samples[4] = $0.samples[4].with("date", .string(day)) }),
      ("before the sample before it", { $0.samples[60] = $0.samples[60].with("date", $0.samples[4]["date"] ?? .null) }),
      ("ends after the flags", { $0.samples[4] = $0.samples[4].with("payload", .string("00")) }),
      ("no known kind", { $0.events[0] = $0.events[0].with("kind", .string("party")) }),
      (
        "at another date than startDate",
        { wrong in
          let index = wrong.events.firstIndex { $0["to"]?.asString == "running" } ?? 0
          wrong.events[index] = wrong.events[index].with("atDate", wrong.samples[9]["date"] ?? .null)
        }
      ),
    ]
    for (text, change) in wrongs {
      var wrong = exported
      change(&wrong)
      let other = try World.onDisk()
      let client = other.connect()
      Self.ask(other, client, "BeginImport", .object(Self.beginning(wrong)))
      var answers = Self.pieces(wrong, of: 50).map { Self.ask(other, client, "AppendImport", $0) }
      answers.append(Self.ask(other, client, "CommitImport", .object([])))
      let refusal = try #require(answers.first { $0["error"] != nil })
      #expect(refusal["error"]?.asString == "io.strapd.ImportRefused")
      #expect(refusal["parameters"]?["text"]?.asString?.contains(text) == true, "\(text): \(refusal.text)")
      #expect(other.disk?.workouts == [] && other.engine.sessions.importing == nil)
    }
  }

  @Test func i10_callsOutOfOrder() throws {
    let world = try World.onDisk()
    let exported = try Self.export(try rich(in: world), from: world)
    let other = try World.onDisk()
    let (one, two) = (other.connect(), other.connect())
    func error(_ json: JSON) -> String? { json["error"]?.asString.map { String($0.dropFirst("io.strapd.".count)) } }
    #expect(error(Self.ask(other, one, "AppendImport", .object([]))) == "NoImport")
    #expect(error(Self.ask(other, one, "CommitImport", .object([]))) == "NoImport")
    #expect(error(Self.ask(other, one, "AbortImport", .object([]))) == "NoImport")
    #expect(error(Self.ask(other, one, "BeginImport", .object(Self.beginning(exported)))) == nil)
    #expect(error(Self.ask(other, one, "BeginImport", .object(Self.beginning(exported)))) == "ImportBusy")
    #expect(error(Self.ask(other, two, "BeginImport", .object(Self.beginning(exported)))) == "ImportBusy")
    #expect(error(Self.ask(other, two, "AppendImport", .object([]))) == "NoImport")
    #expect(error(Self.ask(other, one, "AbortImport", .object([]))) == nil)
    #expect(error(Self.ask(other, two, "BeginImport", .object(Self.beginning(exported)))) == nil)
    other.input(.clientGone(two))
    #expect(error(other.call("GetRecording", ["id": exported.workout["id"] ?? .null])) != nil)
  }

  /// A workout is recorded meanwhile, and loses nothing.
  @Test func i11_besideALiveWorkout() throws {
    let world = try World.onDisk()
    let exported = try Self.export(try rich(in: world), from: world)
    let other = try World.onDisk()
    // So that the live one has another id than the imported one.
    other.call("Prepare")
    other.advance(.seconds(5))
    other.call("End")
    other.advance(.seconds(200))
    other.call("Prepare")
    other.advance(.seconds(5))
    other.call("Start")
    let client = other.connect()
    Self.ask(other, client, "BeginImport", .object(Self.beginning(exported)))
    for piece in Self.pieces(exported, of: 3) {
      Self.ask(other, client, "AppendImport", piece)
      other.beats(1)
    }
    let done = Self.ask(other, client, "CommitImport", .object([]))
    #expect(done["error"] == nil && done != .null, "\(done.text)")
    other.beats(5)
    other.call("End")
    other.advance(.seconds(1))
    let live = try #require(other.disk?.workouts.first)
    let count = Self.pieces(exported, of: 3).count + 5
    #expect(live.heartRate?.count == count && live.rrCount == count)
    let id = try #require(done["parameters"]?["workout"]?["id"]?.asString.flatMap { SessionID($0) })
    let again = try Self.export(id, from: other)
    #expect(again.events == exported.events && again.samples == exported.samples)
  }
}
