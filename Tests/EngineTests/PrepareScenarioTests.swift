import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Which session Prepare means that names none: the only one in notStarted, else one of its own.
struct PrepareScenarioTests {
  private func id(_ reply: JSON) -> String? { reply["parameters"]?["session"]?.asString }

  private func states(_ world: World) -> [String?: String?] {
    let sessions = world.status["sessions"]?.asArray ?? []
    return Dictionary(uniqueKeysWithValues: sessions.map { ($0["id"]?.asString, $0["state"]?.asString) })
  }

  private let b = JSON.string(World.b.description)

  /// What somebody has created and left is in nobody's way who says what the own session is to be.
  @Test func q01_aCreatedSessionBlocksNoOtherOne() {
    let world = World(Configuration())
    let created = id(world.call("Create", ["activity": .string("rowing")]))
    for options: KeyValuePairs<String, JSON?> in [
      ["activity": .string("running")], ["location": .string("indoor")], ["strap": b],
    ] {
      let own = id(world.call("Prepare", options))
      #expect(own != nil && own != created, "\(options)")
      #expect(states(world) == [created: "notStarted", own: "prepared"], "\(options)")
      world.call("End", ["session": own.map(JSON.string)])
    }
    #expect(id(world.call("Prepare", ["session": created.map(JSON.string)])) == created)
  }

  @Test func q02_theOnlyOneThatIsAsWasSaidIsPrepared() {
    for options: KeyValuePairs<String, JSON?> in [[:], ["activity": .string("rowing")], ["strap": b]] {
      let world = World(Configuration())
      let created = id(world.call("Create", ["activity": .string("rowing"), "strap": b]))
      #expect(id(world.call("Prepare", options)) == created, "\(options)")
      #expect(states(world) == [created: "prepared"], "\(options)")
    }
  }

  @Test func q03_ofSeveralTheOneThatIsMeant() {
    let world = World(Configuration())
    let rowing = id(world.call("Create", ["activity": .string("rowing")]))
    let running = id(world.call("Create", ["activity": .string("running")]))
    let refusal = world.call("Prepare")
    #expect(refusal["error"]?.asString == "io.strapd.SessionAmbiguous")
    #expect(Set(refusal["parameters"]?["sessions"]?.asArray?.map(\.asString) ?? []) == [rowing, running])
    #expect(id(world.call("Prepare", ["activity": .string("running")])) == running)
    #expect(states(world) == [rowing: "notStarted", running: "prepared"])
    #expect(id(world.call("Prepare")) == rowing)
  }

  @Test func q04_severalAlikeBlockNoOtherOneEither() {
    let world = World(Configuration())
    let created = (0..<2).map { _ in id(world.call("Create", ["activity": .string("rowing")])) }
    let own = id(world.call("Prepare", ["activity": .string("rowing")]))
    #expect(own != nil && !created.contains(own))
    #expect(states(world) == [created[0]: "notStarted", created[1]: "notStarted", own: "prepared"])
  }

  @Test func q05_anExpectedStateIsThatOfTheSessionThatIsMeant() {
    let world = World(Configuration())
    world.call("Create", ["activity": .string("rowing")])
    let prepared = JSON.array([.string("prepared")])
    #expect(world.outcome("Prepare", ["activity": .string("rowing"), "ifState": prepared]) == "StateChanged")
    #expect(world.outcome("Prepare", ["activity": .string("running"), "ifState": prepared]) == "NoSession")
    let new = JSON.array([.string("notStarted")])
    #expect(world.outcome("Prepare", ["activity": .string("running"), "ifState": new]) == "prepared")
  }
}
