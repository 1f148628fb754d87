import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Collection, Apple's orders of ending, the trash.
struct FinishScenarioTests {
  private func run() -> World {
    let world = World.running()
    world.beats(5, 100)
    world.call("Lap")
    world.call("BeginActivity", ["activity": .string("cycling")])
    world.beats(5, 120)
    return world
  }

  /// Sends calls on one connection without waiting for their answers.
  private func pipeline(_ calls: [String], _ world: World) -> [JSON] {
    let id = world.liveID
    let client = world.connect()
    let messages = calls.flatMap { VarlinkCall("io.strapd." + $0, .object(["session": .string(id)])).message }
    world.input(.clientSent(client, messages))
    world.advance(.milliseconds(10))
    return world.take(client)
  }

  private static let orders: [[String]] = [
    ["Stop", "EndCollection", "Finish", "End"], ["End", "EndCollection", "Finish"],
  ]

  @Test func f01_applesThreeOrdersGiveTheSameWorkout() throws {
    var workouts: [FinishedWorkout] = []
    for order in Self.orders {
      let world = run()
      let id = world.liveID
      for call in order {
        let reply = world.call(call, ["session": .string(id)])
        #expect(reply["error"] == nil, "\(call) of \(order): \(reply)")
        if call == "Finish" { #expect(reply["parameters"]?["workout"]?["id"]?.asString == id) }
      }
      workouts.append(try #require(world.saved))
      #expect(world.transitions.suffix(2) == ["running>stopped", "stopped>ended"])
    }
    let world = run()
    let replies = pipeline(Self.orders[0], world)
    #expect(replies.map { $0["error"] } == [nil, nil, nil, nil])
    #expect(replies.map { $0["parameters"]?["state"]?.asString } == ["stopped", "stopped", "stopped", "ended"])
    workouts.append(try #require(world.saved))
    #expect(workouts[0] == workouts[1])
    #expect(workouts[0] == workouts[2])
    #expect(workouts[0].laps.count == 1 && workouts[0].activities.count == 1)
    #expect(workouts[0].heartRate?.count == 10)
  }

  @Test func f02_aWrongOrderLeavesTheBuilderUsable() {
    let world = run()
    #expect(world.outcome("EndCollection") == "CallNotAllowed")
    #expect(world.outcome("Finish") == "CallNotAllowed")
    #expect(world.outcome("BeginCollection") == "running")
    world.beats(1, 120)
    world.call("Stop")
    let refusal = world.call("Finish")
    #expect(refusal["error"]?.asString == "io.strapd.CallNotAllowed")
    let allowed = refusal["parameters"]?["allowed"]?.asArray?.compactMap(\.asString) ?? []
    #expect(allowed.contains("endCollection") && !allowed.contains("finish"))
    #expect(world.outcome("BeginCollection") == "CallNotAllowed")
    #expect(world.live["collection"]?.asString == "open")
    #expect(world.outcome("EndCollection") == "stopped")
    #expect(world.live["collection"]?.asString == "ended")
    #expect(world.outcome("Marker", ["label": .string("late")]) == "stopped", "events are still taken")
    #expect(world.outcome("Finish") == "stopped")
    #expect(world.live["collection"]?.asString == "finished")
    #expect(world.outcome("Marker") == "CallNotAllowed", "the workout is saved")
    #expect(world.outcome("End") == "ended")
    #expect(world.saved?.heartRate?.count == 11)
  }

  @Test func f03_finishAnswersWhenTheWorkoutIsOnTheDisk() {
    let world = run()
    let id = world.liveID
    world.call("Stop")
    world.call("EndCollection")
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Finish"))
    world.advance(.seconds(1))
    #expect(world.take(client).isEmpty)
    #expect(world.workouts.count == 1)
    // An end meanwhile waits as well, and nothing is saved twice.
    let other = world.connect()
    world.send(other, VarlinkCall("io.strapd.End", .object(["session": .string(id)])))
    world.sync()
    #expect(world.take(client).first?["parameters"]?["workout"]?["id"]?.asString == id)
    #expect(world.take(other).first?["parameters"]?["state"]?.asString == "ended")
    #expect(world.transitions.last == "stopped>ended")
    #expect(world.workouts.count == 1)
  }

  @Test func f04_finishedAndForgottenItEndsByItself() {
    let world = run()
    world.call("Stop")
    world.call("EndCollection")
    world.call("Finish")
    world.advance(.seconds(59))
    #expect(world.live["state"]?.asString == "stopped")
    world.advance(.seconds(1))
    #expect(world.transitions.last == "stopped>ended")
    #expect(world.workouts.count == 1)
  }

  @Test func f05_killedBetweenTheStepsOfAnOrder() {
    var world = run()
    let id: JSON = .string(world.liveID)
    for call in Self.orders[0] {
      let reply = world.call(call, ["session": id])
      #expect(reply["error"] == nil, "\(call): \(reply)")
      if call != "End" {
        world = world.killed(downFor: .milliseconds(100))
        world.advance(.milliseconds(100))
      }
    }
    #expect(world.saved?.heartRate?.count == 10)
    #expect(world.saved?.laps.count == 1 && world.saved?.activities.count == 1)
    #expect(world.saved?.elapsed == .seconds(10))
  }

  @Test func f06_anEndedSessionThatWasCancelledHasNoWorkout() {
    let world = World.prepared()
    let id: JSON = .string(world.liveID)
    world.call("End")
    for call in ["EndCollection", "Finish", "Discard"] {
      #expect(world.outcome(call, ["session": id]) == "NoSuchWorkout")
    }
    let refused = world.call("Start", ["session": id])
    #expect(refused["parameters"]?["allowed"] == .array([.string("end")]), "nobody is sent to what is not there")
  }

  /// The same call once more has the same answer, but for its number.
  @Test(arguments: ["End", "Discard"])
  func f07_twoEndsAgree(_ call: String) throws {
    let world = World.running()
    let id: JSON = .string(world.liveID)
    world.beats(5)
    world.call("Lap")
    world.call("BeginActivity", ["activity": .string("cycling"), "location": .string("indoor")])
    world.beats(5)
    func answer() throws -> [JSON.Member] {
      guard case .object(let members)? = world.call(call, ["session": id])["parameters"]?["snapshot"] else { return [] }
      return members.filter { $0.name != "sequence" }
    }
    let first = try answer()
    world.advance(.seconds(1))
    #expect(try answer() == first && !first.isEmpty)
  }

  @Test func f08_aFinishIsToldToWatchers() throws {
    let world = World.running()
    world.beats(5)
    world.call("Stop")
    let ended = world.call("EndCollection")["parameters"]?["sequence"]?.asInteger ?? 0
    let finished = world.call("Finish")["parameters"]?["sequence"]?.asInteger ?? 0
    #expect(finished > ended)
    let told = world.events.compactMap { event in
      if case .session(let snapshot) = event.what { snapshot.record.collection } else { nil }
    }
    #expect(told == [.ended, .finished])
  }

  // MARK: The trash

  @Test(arguments: ["running", "paused", "stopped", "finished", "ended"])
  func f07_discardedItIsInTheTrashAndNotListed(_ moment: String) {
    let world = run()
    let id: JSON = .string(world.liveID)
    let ways: [String: [String]] = [
      "running": [], "paused": ["Pause"], "stopped": ["Stop"], "finished": ["Stop", "EndCollection", "Finish"],
      "ended": ["End"],
    ]
    for call in ways[moment] ?? [] { world.call(call, ["session": id]) }
    #expect(world.outcome("Discard", ["session": id]) == "ended")
    #expect(world.call("ListWorkouts")["parameters"]?["workouts"] == .array([]))
    let trash = world.call("ListTrash")["parameters"]?["workouts"]?.asArray
    #expect(trash?.map { $0["id"] } == [id])
    #expect(trash?.first?["discardedDate"]?.asString != nil)
    #expect(world.kinds(["discarded"]).count == 1)

    let restored = world.call("Restore", ["id": id])["parameters"]?["workout"]
    #expect(restored?["id"] == id)
    #expect(restored?["discardedDate"] == nil)
    #expect(world.call("ListTrash")["parameters"]?["workouts"] == .array([]))
    #expect(world.call("ListWorkouts")["parameters"]?["workouts"]?.asArray?.count == 1)
    #expect(world.kinds(["restored"]).count == 1)
    #expect(world.saved?.heartRate?.count == 10, "nothing of it is lost")
  }

  @Test(arguments: ["Create", "Prepare"])
  func f08_whatHasNotStartedIsCancelled(_ call: String) {
    let world = World()
    world.call(call)
    #expect(world.outcome("Discard") == "ended")
    #expect(world.savedWorkouts.isEmpty)
    guard case .transition(let last) = world.kinds(["transition"]).last?.what else {
      Issue.record("no transition")
      return
    }
    #expect(last.endReason == .cancelled)
  }

  @Test func f09_aDiscardSurvivesAKill() {
    let world = run()
    let id: JSON = .string(world.liveID)
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Discard"))
    world.advance(.seconds(1))
    let again = world.killed()
    again.advance(.seconds(1))
    #expect(again.transitions.last == "stopped>ended")
    #expect(again.call("ListWorkouts")["parameters"]?["workouts"] == .array([]))
    #expect(again.call("ListTrash")["parameters"]?["workouts"]?.asArray?.first?["id"] == id)
  }

  @Test func f10_aDiscardWhileTheEndIsUnderWay() {
    let world = run()
    world.syncs = false
    let (ending, discarding) = (world.connect(), world.connect())
    world.send(ending, VarlinkCall("io.strapd.End"))
    world.send(discarding, VarlinkCall("io.strapd.Discard"))
    world.advance(.seconds(1))
    world.sync()
    #expect(world.live == .null || world.live["state"]?.asString == "stopped", "the discard is to be saved as well")
    world.sync()
    #expect(world.take(ending).first?["parameters"]?["state"]?.asString == "ended")
    #expect(world.take(discarding).first?["parameters"]?["state"]?.asString == "ended")
    #expect(world.saved?.discarded != nil)
  }

  @Test(arguments: ["notStarted", "prepared"]) func f12_aSecondDiscardOfWhatHasNotStarted(_ state: String) {
    let world = World()
    world.call(state == "prepared" ? "Prepare" : "Create")
    let id: JSON = .string(world.liveID)
    #expect(world.outcome("Discard", ["session": id]) == "ended")
    let told = world.events.count
    for survivor in [world, world.killed()] {
      #expect(survivor.outcome("Discard", ["session": id]) == "ended", "a repeat")
      #expect(survivor.outcome("Finish", ["session": id]) == "NoSuchWorkout")
    }
    #expect(world.events.count == told)
  }

  @Test func f11_theTrashOfWhatIsNotThere() {
    let world = run()
    #expect(world.outcome("Restore", ["id": .string(Self.unknown)]) == "NoSuchWorkout")
    #expect(world.outcome("Restore", ["id": .string(world.liveID)]) == "NoSuchWorkout")
    #expect(world.outcome("Discard", ["session": .string(Self.unknown)]) == "NoSuchSession")
  }

  private static let unknown = "11111111-2222-4333-8444-555555555555"
}
