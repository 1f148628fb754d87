import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// A workout that came in by a file which says less of it than another one. The stores are real ones.
@Suite struct ImportReplacementScenarioTests {
  private typealias Imports = ImportScenarioTests

  /// Everything of a workout, and what a FIT file has of it.
  private struct Files {
    var all: Imports.Exported
    var id: SessionID
    var less: Imports.Exported
  }

  private func files() throws -> Files {
    let world = try World.onDisk()
    // The ids of every world are the same ones: the world that it comes into is not to give this one's to another.
    for _ in 0..<9 {
      world.call("Prepare")
      world.advance(.seconds(5))
      world.call("End")
      world.advance(.seconds(200))
    }
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(5))
    world.call("Start")
    for second in 0..<40 {
      if second == 20 { world.call("Marker", ["label": .string("hill")]) }
      world.advance(.seconds(1))
      world.raw([0x10, UInt8(90 + second), UInt8(second), 3])
    }
    world.call("End")
    world.advance(.seconds(200))
    let id = try #require(world.disk?.workouts.first?.id)
    world.call("EditWorkout", ["id": json(id), "title": .string("Hills")])
    let all = try Imports.export(id, from: world)
    var less = all
    less.events.removeAll { $0["kind"]?.asString == "marker" }
    less.samples = less.samples.map { sample in
      let bare = sample.with("payload", .string("00" + (sample["payload"]?.asString?.dropFirst(2).prefix(2) ?? "")))
      guard case .object(let members) = bare else { return bare }
      return .object(members.filter { !["rrTicks", "lastBeatDate", "beatUncertaintySeconds"].contains($0.name) })
    }
    return Files(all: all, id: id, less: less)
  }

  private func json(_ id: SessionID) -> JSON { .string(id.description) }

  private func beginning(
    _ exported: Imports.Exported, as format: String, in place: [String] = [], _ more: [String: JSON] = [:]
  ) -> JSON {
    let members = Imports.beginning(exported).filter { $0.name != "format" && more[$0.name] == nil }
    let said = more.filter { $0.value != .null }.map { JSON.Member($0.key, $0.value) }
    return .object(
      members + said + [
        JSON.Member("format", .string(format)), JSON.Member("replaces", .array(place.map(JSON.string))),
      ])
  }

  /// All the answers, to the first that is an error.
  private func bring(
    _ exported: Imports.Exported, _ beginning: JSON, into world: World, _ meanwhile: () -> Void = {}
  ) -> [JSON] {
    let client = world.connect()
    defer { world.input(.clientGone(client)) }
    var answers = [Imports.ask(world, client, "BeginImport", beginning)]
    for piece in Imports.pieces(exported, of: 50) where answers.last?["error"] == nil {
      answers.append(Imports.ask(world, client, "AppendImport", piece))
    }
    meanwhile()
    if answers.last?["error"] == nil { answers.append(Imports.ask(world, client, "CommitImport", .object([]))) }
    return answers
  }

  private func error(_ answers: [JSON]) -> String? {
    answers.last?["error"]?.asString.map { String($0.dropFirst("io.strapd.".count)) }
  }

  private func withLess(_ files: Files, _ more: [String: JSON] = [:]) throws -> World {
    let world = try World.onDisk()
    #expect(error(bring(files.less, beginning(files.less, as: "fit", more), into: world)) == nil)
    let workout = try #require(world.disk?.workouts.first)
    #expect(workout.id == files.id && workout.rrCount == 0)
    return world
  }

  @Test func o01_theWholeTakesThePlaceOfAPart() throws {
    let files = try files()
    let world = try withLess(files)
    let answers = bring(files.all, beginning(files.all, as: "json", in: ["tcx", "fit"]), into: world)
    #expect(error(answers) == nil, "\(answers.last?.text ?? "")")
    #expect(answers.first?["parameters"]?["id"] == json(files.id))
    #expect(answers.first?["parameters"]?["replaces"] == .string("fit"))
    #expect(answers.last?["parameters"]?["workout"]?["id"] == json(files.id))
    #expect(world.disk?.workouts.map(\.id) == [files.id])
    #expect(try Imports.export(files.id, from: world).difference(from: files.all) == "")
    // And so it is from then on; nothing is left of what was there before.
    world.advance(Retention.interval + .seconds(1))
    let again = try world.restartedOnDisk()
    again.advance(.seconds(10))
    #expect(again.disk?.workouts.map(\.id) == [files.id])
    #expect(try Imports.export(files.id, from: again).difference(from: files.all) == "")
    if case .purged(.cleared) = again.disk?.purge(at: WallTime(nanoseconds: 0), retention: nil) {
      Issue.record("something is left")
    }
    // The same file once more is known.
    #expect(error(bring(files.all, beginning(files.all, as: "json", in: ["fit"]), into: again)) == "WorkoutExists")
    #expect(again.call("EditWorkout", ["id": json(files.id), "title": .string("Dales")])["error"] == nil)
  }

  @Test func o02_notWhereItIsNotAskedFor() throws {
    let files = try files()
    let world = try withLess(files)
    for place in [[], ["tcx", "json"]] {
      let answers = bring(files.all, beginning(files.all, as: "json", in: place), into: world)
      #expect(error(answers) == "WorkoutExists")
      #expect(answers.last?["parameters"]?["format"] == .string("fit"))
      #expect(answers.last?["parameters"]?["edited"] == .bool(false))
    }
    #expect(world.disk?.workout(files.id)?.rrCount == 0)
  }

  @Test func o03_notWhatSomebodyHasEdited() throws {
    let files = try files()
    let world = try withLess(files)
    let wish = beginning(files.all, as: "json", in: ["fit"])
    world.call("EditWorkout", ["id": json(files.id), "notes": .string("wet")])
    let answers = bring(files.all, wish, into: world)
    #expect(error(answers) == "WorkoutExists" && answers.last?["parameters"]?["edited"] == .bool(true))
    #expect(world.disk?.workout(files.id)?.notes == "wet")
    world.call("UndoEdit", ["id": json(files.id)])
    #expect(error(bring(files.all, wish, into: world)) == nil)
    #expect(try Imports.export(files.id, from: world).difference(from: files.all) == "")
    #expect(world.disk?.edits(of: files.id) == [])
  }

  @Test(arguments: ["Discard", "EditWorkout"])
  func o04_notWhatIsChangedMeanwhile(_ method: String) throws {
    let files = try files()
    let world = try withLess(files)
    let wish = beginning(files.all, as: "json", in: ["fit"])
    let before = try Imports.export(files.id, from: world)
    let answers = bring(files.all, wish, into: world) {
      if method == "Discard" {
        world.call(method, ["session": json(files.id)])
      } else {
        world.call(method, ["id": json(files.id), "notes": .string("wet")])
      }
    }
    #expect(error(answers) == "WorkoutExists", "\(answers.last?.text ?? "")")
    if method == "Discard" {
      #expect(answers.last?["parameters"]?["inTrash"] == .bool(true))
      world.call("Restore", ["id": json(files.id)])
    } else {
      world.call("UndoEdit", ["id": json(files.id)])
    }
    #expect(try Imports.export(files.id, from: world).difference(from: before) == "")
    #expect(error(bring(files.all, wish, into: world)) == nil)
    #expect(try Imports.export(files.id, from: world).difference(from: files.all) == "")
  }

  @Test func o05_aClientThatGoesOrAFullDiskLeaveWhatWasThere() throws {
    let files = try files()
    let world = try withLess(files)
    let before = try Imports.export(files.id, from: world)
    let wish = beginning(files.all, as: "json", in: ["fit"])
    let client = world.connect()
    Imports.ask(world, client, "BeginImport", wish)
    for piece in Imports.pieces(files.all, of: 50) { Imports.ask(world, client, "AppendImport", piece) }
    #expect(try Imports.export(files.id, from: world).difference(from: before) == "")
    world.input(.clientGone(client))
    let refused = bring(files.all, wish, into: world) {
      world.storeFailure = StoreError(operation: .commit, code: 13, text: "the disk is full", kind: .full)
    }
    #expect(error(refused) == "StoreFailed")
    world.storeFailure = nil
    world.advance(.seconds(4000))
    #expect(world.disk?.workouts.map(\.id) == [files.id])
    #expect(try Imports.export(files.id, from: world).difference(from: before) == "")
    #expect(error(bring(files.all, wish, into: world)) == nil)
    #expect(try Imports.export(files.id, from: world).difference(from: files.all) == "")
  }

  /// What the file says nothing of is kept; what it says that there is none of is not.
  @Test func o06_whatIsKept() throws {
    let files = try files()
    let said: [String: JSON] = [
      "title": .string("Old"), "notes": .string("wet"), "athlete": .string("Anna"),
      "metadata": .object(["weather": .string("rain")]),
    ]
    let silent: [String: JSON] = ["title": .null, "notes": .null, "athlete": .null, "metadata": .null]
    let world = try withLess(files, said)
    #expect(error(bring(files.all, beginning(files.all, as: "fit2", in: ["fit"], silent), into: world)) == nil)
    var workout = try #require(world.disk?.workout(files.id))
    #expect(workout.title?.description == "Old" && workout.notes == "wet" && workout.athlete?.description == "Anna")
    #expect(workout.rrCount == files.all.samples.count { $0["rrTicks"] != nil })
    #expect(try Imports.export(files.id, from: world).header["metadata"]?.text == #"{"weather":"rain"}"#)
    let none: [String: JSON] = ["title": .string(""), "notes": .string(""), "athlete": .string("")]
    #expect(error(bring(files.all, beginning(files.all, as: "json", in: ["fit2"], none), into: world)) == nil)
    workout = try #require(world.disk?.workout(files.id))
    #expect(workout.title == nil && workout.notes == nil && workout.athlete == nil)
  }

  /// Whoever is being told of the one is not told the rest of the other.
  @Test func o07_notInTheMiddleOfAnExport() throws {
    let files = try files()
    let world = try withLess(files)
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.GetRecording", .object(["id": json(files.id)]), more: true))
    world.engine.recordingReadings[client]?.isReplaced = true
    world.advance(.zero)
    let replies = world.take(client)
    #expect(replies.last?["error"]?.asString == "io.strapd.NoSuchWorkout" && replies.last?["continues"] == nil)
  }

  @Test func o08_notWhatWasRecordedHere() throws {
    let files = try files()
    let world = try World.onDisk()
    let client = world.connect()
    let recorded = try Imports.restore(files.less, into: world)
    #expect(recorded == files.id)
    world.call("Prepare")
    world.advance(.seconds(5))
    world.call("Start")
    world.beats(5)
    world.call("End")
    world.advance(.seconds(200))
    let own = try #require(world.disk?.workouts.first { $0.id != files.id }?.id)
    let wish = beginning(files.all, as: "json", in: ["fit", "json"], ["id": json(own)])
    let answer = Imports.ask(world, client, "BeginImport", wish)
    #expect(error([answer]) == "WorkoutExists")
    #expect(answer["parameters"]?["format"] == nil && answer["parameters"]?["edited"] == nil)
  }
}
