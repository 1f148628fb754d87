import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Two clients who change the same workout at the same moment, while what the store has answered is on its way, in whatever
/// order it comes. The store is a real one.
@Suite struct RevisionRaceScenarioTests {
  private let revisions = RevisionScenarioTests()

  /// Of one question after the other, how long the answer is on its way.
  private static let delays: [[Duration]] = {
    let spans = [0, 1, 3].map { Duration.milliseconds($0) }
    return spans.flatMap { a in spans.flatMap { b in spans.map { c in [a, b, c, .milliseconds(1)] } } }
  }()

  private struct Outcome: Hashable {
    var edit: String
    var discard: String
  }

  private func race(
    _ world: World, _ edit: VarlinkCall, _ victim: SessionID, _ delays: [Duration], isDiscardFirst: Bool
  ) -> Outcome {
    world.answerDelays = delays
    let (one, two) = (world.connect(), world.connect())
    let discard = VarlinkCall("io.strapd.Discard", .object(["session": revisions.json(victim)]))
    if isDiscardFirst { world.send(two, discard) }
    world.send(one, edit)
    world.advance(.milliseconds(1))
    if !isDiscardFirst { world.send(two, discard) }
    world.advance(.seconds(1))
    world.answerDelays = []
    func told(_ client: ClientID) -> String {
      let replies = world.take(client)
      #expect(replies.count == 1)
      world.input(.clientGone(client))
      return replies.first?["error"]?.asString.map { String($0.dropFirst("io.strapd.".count)) } ?? "done"
    }
    return Outcome(edit: told(one), discard: told(two))
  }

  @Test(arguments: ["EditWorkout", "TrimWorkout", "SplitWorkout", "MergeWorkouts"])
  func s01_anEditAndADiscard(_ method: String) throws {
    var outcomes: Set<Outcome> = []
    for delays in Self.delays {
      let world = try World.onDisk()
      let (id, other) = (try revisions.workout(in: world, 5), try revisions.workout(in: world, 5))
      let before = [try revisions.now(world, id), try revisions.now(world, other)]
      let parameters: [JSON.Member] =
        switch method {
        case "EditWorkout": [.init("title", .string("Hills"))]
        case "TrimWorkout": [.init("endSeconds", .real(3))]
        case "SplitWorkout": [.init("seconds", .real(3))]
        default: [.init("other", revisions.json(other))]
        }
      let call = VarlinkCall("io.strapd.\(method)", .object([.init("id", revisions.json(id))] + parameters))
      for (victim, isFirst) in [(id, false), (id, true), (other, false), (other, true)] {
        let outcome = race(world, call, victim, delays, isDiscardFirst: isFirst)
        outcomes.insert(outcome)
        let edits = try #require(world.disk).edits(of: id).filter { $0.undone == nil }
        #expect(edits.count == (outcome.edit == "done" ? 1 : 0), "\(outcome) \(delays)")
        let isInTrash = world.disk?.workout(victim)?.discarded != nil
        #expect(isInTrash == (outcome.discard == "done"), "\(outcome) \(delays)")
        if isInTrash { world.call("Restore", ["id": revisions.json(victim)]) }
        if outcome.edit == "done" { world.call("UndoEdit", ["id": revisions.json(id)]) }
        #expect([try revisions.now(world, id), try revisions.now(world, other)] == before, "\(outcome) \(delays)")
      }
    }
    #expect(outcomes.contains(Outcome(edit: "done", discard: "done")) || method == "MergeWorkouts")
    #expect(outcomes.contains(Outcome(edit: "WorkoutInTrash", discard: "done")))
    // What has become part of another one is none that could be thrown away.
    if method == "MergeWorkouts" { #expect(outcomes.contains(Outcome(edit: "done", discard: "NoSuchWorkout"))) }
  }

  @Test func s02_anUndoAndADiscard() throws {
    var outcomes: Set<Outcome> = []
    for delays in Self.delays {
      let world = try World.onDisk()
      let id = try revisions.workout(in: world, 5)
      let before = try revisions.now(world, id)
      let call = VarlinkCall("io.strapd.UndoEdit", .object([.init("id", revisions.json(id))]))
      for (isSecond, isFirst) in [(false, false), (false, true), (true, false), (true, true)] {
        let reply = world.call("SplitWorkout", ["id": revisions.json(id), "seconds": .real(3)])
        let second = reply["parameters"]?["second"]?["id"]?.asString.flatMap { SessionID($0) }
        let victim = isSecond ? try #require(second) : id
        let outcome = race(world, call, victim, delays, isDiscardFirst: isFirst)
        outcomes.insert(outcome)
        #expect((world.disk?.workout(victim)?.discarded != nil) == (outcome.discard == "done"), "\(outcome) \(delays)")
        #expect(outcome.edit == "done" || world.disk?.workout(id)?.end != before.end)
        if outcome.discard == "done" { world.call("Restore", ["id": revisions.json(victim)]) }
        if outcome.edit != "done" { world.call("UndoEdit", ["id": revisions.json(id)]) }
        #expect(try revisions.now(world, id) == before, "\(outcome) \(delays)")
        #expect(world.disk?.workouts.map(\.id) == [id])
      }
    }
    #expect(outcomes.contains(Outcome(edit: "WorkoutInTrash", discard: "done")))
    #expect(outcomes.contains(Outcome(edit: "done", discard: "NoSuchWorkout")))
    #expect(outcomes.contains(Outcome(edit: "done", discard: "done")), "of the one that stays")
  }

  /// What an edit was undone to is no reason to delete it.
  @Test func s03_aMonthLater() throws {
    for delays in Self.delays {
      let world = try World.onDisk()
      let id = try revisions.workout(in: world, 5)
      let call = VarlinkCall(
        "io.strapd.TrimWorkout", .object([.init("id", revisions.json(id)), .init("endSeconds", .real(3))]))
      let outcome = race(world, call, id, delays, isDiscardFirst: false)
      world.call("Restore", ["id": revisions.json(id)])
      world.advance(.seconds(31 * 86_400))
      let undone = revisions.outcome(world, "UndoEdit", ["id": revisions.json(id)])
      #expect(undone == (outcome.edit == "done" ? "done" : "NothingToUndo"), "\(delays)")
      world.advance(.seconds(7200))
      #expect(world.disk?.workout(id) != nil && world.disk?.workout(id)?.discarded == nil, "\(delays)")
    }
  }
}
