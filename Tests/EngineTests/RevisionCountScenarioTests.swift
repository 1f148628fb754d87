import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What workouts that were changed after the fact count and tell. The store is a real one.
@Suite struct RevisionCountScenarioTests {
  private let revisions = RevisionScenarioTests()

  // MARK: What is collected

  /// What the first one did not count any more, the second one does from its start.
  @Test(arguments: ["before", "at the end", "nowhere"])
  func c01_aTypeThatWasSwitchedOffInTheFirst(_ place: String) throws {
    let world = try World.onDisk()
    func disable() { world.call("DisableType", ["type": .string("heartRate")]) }
    world.call("Prepare")
    world.advance(.seconds(5))
    if place == "before" { disable() }
    world.call("Start")
    world.beats(20)
    if place == "at the end" { disable() }
    world.call("End")
    world.advance(.seconds(1))
    let first = try #require(world.disk?.workouts.first?.id)
    let second = try revisions.workout(in: world, 30)
    let counts = [first, second].map { world.disk?.workout($0)?.heartRate?.count ?? 0 }
    #expect(counts == [place == "before" ? 0 : 20, 30])
    world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(second)])
    #expect(try revisions.now(world, first).heartRate?.count == counts[0] + counts[1])
    // And the other way: what the second did not count is not counted for the first having done so.
    world.call("SplitWorkout", ["id": revisions.json(first), "seconds": .real(10)])
    #expect(try revisions.now(world, first).heartRate?.count ?? 0 == (place == "before" ? 0 : 10))
  }

  // MARK: What has happened

  private func events(_ world: World, _ id: SessionID) -> [String] {
    let told = world.call("ListEvents", ["id": revisions.json(id)])["parameters"]?["events"]?.asArray ?? []
    let start = world.disk?.workout(id)?.start.date ?? World.start.wall
    return told.map { event in
      let dates = ["startDate", "endDate"].compactMap { event[$0]?.asString.flatMap { WallTime(rfc3339: $0) } }
      let seconds = dates.map { "\(($0 - start) / .milliseconds(1))" }
      let label = event["label"]?.asString.map { " \($0)" } ?? ""
      return "\(event["kind"]?.asString ?? "")\(label) \(seconds.joined(separator: "-"))"
    }
  }

  /// It is in the workout because of when it happened, and not of when somebody told of it.
  @Test func c02_whatWasToldLater() throws {
    let world = try World.onDisk()
    world.call("Prepare")
    world.advance(.seconds(5))
    world.call("Start")
    let start = world.now.wall
    func date(_ seconds: Int) -> JSON { .string((start + .seconds(seconds)).rfc3339) }
    world.beats(20)
    world.call("Segment", ["startDate": date(5), "endDate": date(15), "label": .string("climb")])
    world.call("Stop")
    world.advance(.seconds(1))
    world.call("Lap", ["label": .string("whole")])
    world.call("Marker", ["date": date(8), "label": .string("view")])
    world.call("End")
    world.advance(.seconds(1))
    let id = try #require(world.disk?.workouts.first?.id)
    let whole = events(world, id)
    #expect(whole == ["lap whole 0.0-20000.0", "segment climb 5000.0-15000.0", "marker view 8000.0"])
    func trimmed(_ bound: String, _ seconds: Double) -> [String] {
      world.call("TrimWorkout", ["id": revisions.json(id), bound: .real(seconds)])
      defer { world.call("UndoEdit", ["id": revisions.json(id)]) }
      return events(world, id)
    }
    #expect(
      trimmed("endSeconds", 19)
        == ["lap whole 0.0-19000.0", "segment climb 5000.0-15000.0", "marker view 8000.0"])
    #expect(
      trimmed("endSeconds", 10)
        == ["lap whole 0.0-10000.0", "segment climb 5000.0-10000.0", "marker view 8000.0"])
    #expect(trimmed("endSeconds", 4) == ["lap whole 0.0-4000.0"])
    #expect(
      trimmed("startSeconds", 7)
        == ["segment climb 0.0-8000.0", "lap whole 0.0-13000.0", "marker view 1000.0"])
    #expect(trimmed("startSeconds", 16) == ["lap whole 0.0-4000.0"])
    #expect(events(world, id) == whole)
    let reply = world.call("SplitWorkout", ["id": revisions.json(id), "seconds": .real(10)])
    let second = try #require(reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) })
    #expect(events(world, id) == ["lap whole 0.0-10000.0", "segment climb 5000.0-10000.0", "marker view 8000.0"])
    #expect(events(world, second) == ["segment climb 0.0-5000.0", "lap whole 0.0-10000.0"])
    world.call("MergeWorkouts", ["id": revisions.json(id), "other": revisions.json(second)])
    #expect(events(world, id).count { $0.hasPrefix("marker") } == 1)
    #expect(try #require(world.disk).events(of: try revisions.now(world, id)).count { $0.what.isSegment } == 2)
  }

  // MARK: Many edits

  @Test func c03_aLongHistory() throws {
    let world = try World.onDisk()
    let id = try revisions.workout(in: world, 5)
    let notes = String(repeating: "x", count: 16_000)
    for number in 1...120 {
      world.call("EditWorkout", ["id": revisions.json(id), "title": .string("\(number)"), "notes": .string(notes)])
    }
    var (titles, pages, place): ([String?], Int, JSON?) = ([], 0, nil)
    repeat {
      let reply = world.call("ListEdits", ["id": revisions.json(id), "from": place])
      #expect(reply.text.utf8.count < 200_000, "an answer is far from what a client may read")
      let edits = reply["parameters"]?["edits"]?.asArray ?? []
      titles += edits.map { $0["after"]?["title"]?.asString }
      (pages, place) = (pages + 1, reply["parameters"]?["next"])
    } while place != nil && pages < 200
    #expect(titles == (1...120).map { "\($0)" })
    #expect(pages > 30)
    #expect(revisions.outcome(world, "UndoEdit", ["id": revisions.json(id)]) == "done")
    #expect(try revisions.now(world, id).title?.description == "119")
  }
}

extension EventRecord.What {
  fileprivate var isSegment: Bool { if case .segment = self { true } else { false } }
}
