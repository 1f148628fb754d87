import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What can wait is answered when it is written; where it cannot be, nothing of it is kept. The store is a real one.
@Suite struct PromiseScenarioTests {
  private let revisions = RevisionScenarioTests()
  private let full = StoreError(operation: .commit, code: 13, text: "the disk is full", kind: .full)

  /// The very first one that cannot be written.
  private func fails(_ world: World, _ method: String, _ parameters: KeyValuePairs<String, JSON?>) {
    world.storeFailure = full
    #expect(revisions.outcome(world, method, parameters) == "StoreFailed", "\(method)")
    #expect(world.status["held"] == nil, "\(method): nothing of it waits")
    world.storeFailure = nil
    world.advance(.seconds(20))
  }

  private func athletes(_ world: World) -> [String] {
    let listed = world.call("ListAthletes")["parameters"]?["athletes"]?.asArray ?? []
    #expect(listed.count { $0["default"]?.asBool == true } == min(1, listed.count))
    #expect(listed.compactMap { $0["name"]?.asString } == world.knownAthletes.map(\.name.description))
    return listed.map { ($0["name"]?.asString ?? "") + ($0["default"]?.asBool == true ? "*" : "") }
  }

  @Test func p01_athletes() throws {
    let world = try World.onDisk()
    fails(world, "SetAthlete", ["name": .string("Zoe")])
    #expect(athletes(world) == [])
    #expect(revisions.outcome(world, "SetAthlete", ["name": .string("Zoe")]) == "done")
    fails(world, "SetAthlete", ["name": .string("Yann"), "default": .bool(true)])
    #expect(athletes(world) == ["Zoe*"])
    #expect(revisions.outcome(world, "SetAthlete", ["name": .string("Yann"), "default": .bool(true)]) == "done")
    fails(world, "ForgetAthlete", ["name": .string("Yann")])
    #expect(athletes(world) == ["Yann*", "Zoe"])
    #expect(revisions.outcome(world, "SetAthlete", ["name": .string("Zoe")]) == "done", "as it is already")
    #expect(revisions.outcome(world, "ForgetAthlete", ["name": .string("Yann")]) == "done")
    #expect(athletes(world) == ["Zoe*"])
  }

  @Test func p02_theTrash() throws {
    let world = try World.onDisk()
    let id = try revisions.workout(in: world, 5)
    fails(world, "Discard", ["session": revisions.json(id)])
    #expect(world.disk?.workout(id)?.discarded == nil)
    #expect(!world.events.contains { $0.what == .discarded }, "nobody was told")
    #expect(revisions.outcome(world, "Discard", ["session": revisions.json(id)]) == "done")
    let mark = world.disk?.workout(id)?.discarded
    #expect(mark != nil && world.events.count { $0.what == .discarded } == 1)
    fails(world, "Restore", ["id": revisions.json(id)])
    #expect(world.disk?.workout(id)?.discarded == mark)
    #expect(!world.events.contains { $0.what == .restored })
    #expect(revisions.outcome(world, "Restore", ["id": revisions.json(id)]) == "done")
    #expect(world.disk?.workout(id)?.discarded == nil && world.events.count { $0.what == .restored } == 1)
    let kinds = try #require(world.disk).events(of: id).map(\.what).suffix(2)
    #expect(kinds == [.discarded, .restored])
  }

  private func name(_ world: World, _ strap: StrapAddress) -> (shown: String?, stored: String?) {
    let straps = world.call("ListStraps")["parameters"]?["straps"]?.asArray ?? []
    let shown = straps.first { $0["address"]?.asString == strap.description }?["name"]?.asString
    return (shown, world.knownStraps.first { $0.address == strap }?.name?.description)
  }

  @Test func p03_straps() throws {
    let world = try World.onDisk()
    let strap = JSON.string(World.b.description)
    fails(world, "NameStrap", ["strap": strap, "name": .string("mine")])
    #expect(name(world, World.b) == (nil, nil))
    #expect(revisions.outcome(world, "Prepare", ["strap": .string("mine")]) == "UnknownStrap", "nobody knows it")
    #expect(revisions.outcome(world, "NameStrap", ["strap": strap, "name": .string("mine")]) == "done")
    #expect(name(world, World.b) == ("mine", "mine"))
    fails(world, "NameStrap", ["strap": strap, "name": .string("hers"), "athlete": .string("Anna")])
    #expect(name(world, World.b) == ("mine", "mine"))
    // What is written of it later has the name that it has.
    world.call("Prepare", ["strap": strap])
    world.advance(.seconds(10))
    world.call("End")
    world.advance(.seconds(10))
    #expect(name(world, World.b) == ("mine", "mine"))
    #expect(world.knownStraps.first { $0.address == World.b }?.athlete == nil)
    fails(world, "ForgetStrap", ["strap": strap])
    #expect(name(world, World.b) == ("mine", "mine"))
    #expect(!world.logs.contains { $0.text.contains("is forgotten") })
    #expect(revisions.outcome(world, "ForgetStrap", ["strap": strap]) == "done")
    #expect(name(world, World.b).stored == nil)
    #expect(world.logs.count { $0.text.contains("is forgotten") } == 1)
  }

  /// While it is known that nothing can be written.
  @Test func p04_whileRecordsAreHeld() throws {
    let world = try World.onDisk()
    world.storeFailure = full
    world.call("Prepare")
    world.advance(.seconds(2))
    let strap = JSON.string(World.b.description)
    #expect(revisions.outcome(world, "NameStrap", ["strap": strap, "name": .string("mine")]) == "StoreFailed")
    #expect(revisions.outcome(world, "ForgetStrap", ["strap": strap]) == "StoreFailed")
    world.storeFailure = nil
    world.advance(.seconds(20))
    #expect(revisions.outcome(world, "NameStrap", ["strap": strap, "name": .string("mine")]) == "done")
  }
}
