import Control
import Measurements
import TestSupport
import Testing
import Workout

@testable import Engine

/// What is exported of workouts that were cut and put together can be brought in elsewhere, and is the same there. The stores
/// are real ones.
@Suite struct RecordingScenarioTests {
  private typealias Imports = ImportScenarioTests
  private let revisions = RevisionScenarioTests()

  /// The transitions of a recording, each as "from-to".
  private func walk(_ exported: Imports.Exported) -> [String] {
    exported.events.filter { $0["kind"]?.asString == "transition" }
      .map { "\($0["from"]?.asString ?? "?")-\($0["to"]?.asString ?? "?")" }
  }

  /// Brings a workout into another store, and compares what is exported from there.
  private func checkRoundTrip(_ id: SessionID, from world: World, _ story: String) throws {
    let exported = try Imports.export(id, from: world)
    let other = try World.onDisk()
    other.setClock(by: world.now.wall - other.now.wall + .seconds(1))
    let copy = try Imports.restore(exported, into: other)
    let difference = try Imports.export(copy, from: other).difference(from: exported)
    #expect(difference == "", "\(story)")
    let (there, here) = (try revisions.now(world, id), try revisions.now(other, copy))
    #expect(there.heartRate?.count == here.heartRate?.count && there.elapsed == here.elapsed, "\(story)")
    #expect(there.wall == here.wall && there.summary.rrCount == here.summary.rrCount, "\(story)")
  }

  @Test func x01_splitInTheLastPauseAndPutTogetherAgain() throws {
    let world = try World.onDisk()
    let id = try revisions.workout(in: world) { second in if second == 50 { world.call("Pause") } }
    let reply = world.call("SplitWorkout", ["id": revisions.json(id), "seconds": .real(55)])
    let second = try #require(reply["parameters"]?["second"]?["id"])
    world.call("MergeWorkouts", ["id": revisions.json(id), "other": second])
    let walked = walk(try Imports.export(id, from: world))
    #expect(walked == ["prepared-running", "running-paused", "paused-stopped", "stopped-ended"])
    try checkRoundTrip(id, from: world, "merged again")
  }

  @Test func x02_aSecondPartThatIsAllPause() throws {
    let world = try World.onDisk()
    let first = try revisions.workout(in: world)
    world.advance(.seconds(100))
    let second = try revisions.workout(in: world) { second in if second == 40 { world.call("Pause") } }
    world.call("TrimWorkout", ["id": revisions.json(second), "startSeconds": .real(50)])
    try checkRoundTrip(second, from: world, "trimmed")
    world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(second)])
    let walked = walk(try Imports.export(first, from: world))
    #expect(walked == ["prepared-running", "running-paused", "paused-stopped", "stopped-ended"])
    try checkRoundTrip(first, from: world, "merged")
  }

  /// The second part was dated by a clock that was off; all is dated by the first one's, what a client gave as well.
  @Test func x03_aMergeAcrossBoots() throws {
    let start = Moment(tick: World.start.tick, wall: World.start.wall, isSynchronised: true)
    var world = try World.onDisk(World.configured, at: start)
    let first = try revisions.workout(in: world)
    world = try world.rebooted(at: world.now.wall + .seconds(600), isSynchronised: true)
    let second = try revisions.workout(in: world) { second in if second == 20 { world.call("Lap") } }
    world.setClock(by: .seconds(3000))
    world.advance(.seconds(10))
    world.call("MergeWorkouts", ["id": revisions.json(first), "other": revisions.json(second)])
    let exported = try Imports.export(first, from: world)
    let ends = exported.events.filter { ["stopped", "ended"].contains($0["to"]?.asString) }
    #expect(ends.count == 2)
    for end in ends {
      #expect(end["atDate"] == exported.workout["endDate"] && end["requestedAtDate"] == end["atDate"])
      #expect(end["date"] == end["atDate"] && end["requestedDate"] == nil)
    }
    try checkRoundTrip(first, from: world, "across boots")
  }

  // MARK: Whatever is done

  /// A workout with random pauses, laps, activities, markers and segments.
  private func random(in world: World, _ random: inout SeededRandom) throws -> SessionID {
    let kinds = (0..<20).map { _ in Int.random(in: 0..<14, using: &random) }
    let ends = Int.random(in: 0..<3, using: &random)
    let id = try revisions.workout(in: world, 20) { second in
      switch kinds[second] {
      case 0, 1: world.call("Pause")
      case 2, 3: world.call("Resume")
      case 4: world.call("Lap")
      case 5: world.call("BeginActivity", ["activity": .string("cycling")])
      case 6: world.call("EndActivity")
      case 7: world.call("Marker", ["label": .string("here")])
      case 8: world.lose()
      case 9: world.come()
      case 10: world.call("DisableType", ["type": .string("heartRate")])
      case 11: world.call("EnableType", ["type": .string("heartRate")])
      default: if ends == 0, second == 17 { world.call("Pause") }
      }
    }
    world.come()
    world.advance(.seconds(Int64.random(in: 60...400, using: &random)))
    return id
  }

  @Test(arguments: UInt64(1)...UInt64(6))
  func x04_anyCutsAndMerges(_ seed: UInt64) throws {
    var random = SeededRandom(seed)
    let world = try World.onDisk()
    var story: [String] = []
    for _ in 0..<3 { _ = try self.random(in: world, &random) }
    for _ in 0..<12 {
      let all = try #require(world.disk?.workouts)
      let one = try #require(all.randomElement(using: &random))
      let spans = one.wall.inSeconds
      // Now and then at the half seconds at which something happened.
      func place() -> Double {
        let any = Double.random(in: 0...max(spans, 0.1), using: &random)
        return Bool.random(using: &random) ? any : any.rounded() + 0.5
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let (a, b) = (place(), place())
        let done = revisions.outcome(
          world, "TrimWorkout",
          ["id": revisions.json(one.id), "startSeconds": .real(min(a, b)), "endSeconds": .real(max(a, b))])
        story.append("trim \(one.id) \(min(a, b)) \(max(a, b)): \(done)")
      case 1, 2:
        let at = place()
        let done = revisions.outcome(world, "SplitWorkout", ["id": revisions.json(one.id), "seconds": .real(at)])
        story.append("split \(one.id) \(at): \(done)")
      default:
        guard let other = all.randomElement(using: &random) else { continue }
        let done = revisions.outcome(
          world, "MergeWorkouts", ["id": revisions.json(one.id), "other": revisions.json(other.id)])
        story.append("merge \(one.id) \(other.id): \(done)")
      }
      guard story.last?.hasSuffix("done") == true else { continue }
      for workout in try #require(world.disk?.workouts) {
        try checkRoundTrip(workout.id, from: world, story.joined(separator: "\n"))
      }
    }
    #expect(story.filter { $0.hasSuffix("done") }.count > 3, "\(story)")
  }
}
