import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Old workouts go to the trash, and out of it. The store is a real one.
@Suite struct RetentionScenarioTests {
  private func world(_ days: Int?) throws -> (World, SessionID) {
    var configuration = World.configured
    configuration.retention = days.map { .seconds($0 * 86_400) }
    let world = try World.onDisk(configuration)
    world.call("Prepare")
    world.advance(.seconds(5))
    world.call("Start")
    world.beats(10)
    world.call("End")
    world.advance(.seconds(200))
    return (world, try #require(world.disk?.workouts.first?.id))
  }

  private func advance(_ world: World, days: Double) { world.advance(.seconds(days * 86_400)) }

  @Test func t01_byAge() throws {
    let (world, id) = try world(10)
    advance(world, days: 9.9)
    #expect(world.disk?.workout(id)?.discarded == nil)
    advance(world, days: 0.2)
    #expect(world.disk?.workout(id)?.discarded != nil)
    #expect(world.events.count { $0.what == .discarded } == 1)
    #expect(world.logs.contains { $0.text.hasPrefix("workout \(id) goes to the trash: it is older than ") })
    advance(world, days: 30)
    #expect(world.disk?.workout(id) == nil && world.disk?.session(id) == nil)
    #expect(world.logs.contains { $0.text.hasPrefix("workout \(id) is deleted: it was in the trash for ") })
    #expect(world.call("GetWorkout", ["id": .string(id.description)])["error"]?.asString == "io.strapd.NoSuchWorkout")
  }

  @Test func t02_forEverWhereNothingIsSaid() throws {
    let (world, id) = try world(nil)
    advance(world, days: 400)
    #expect(world.disk?.workout(id)?.discarded == nil)
    world.call("Discard", ["session": .string(id.description)])
    advance(world, days: 29.9)
    #expect(world.disk?.workout(id) != nil)
    world.call("Restore", ["id": .string(id.description)])
    advance(world, days: 1)
    #expect(world.disk?.workout(id)?.discarded == nil, "what was brought back stays")
  }

  /// What somebody has taken out of the trash, age does not send back.
  @Test func t04_whatWasRestoredStays() throws {
    let (world, id) = try world(10)
    advance(world, days: 10.1)
    #expect(world.disk?.workout(id)?.discarded != nil)
    world.call("Restore", ["id": .string(id.description)])
    advance(world, days: 1)
    #expect(world.disk?.workout(id)?.discarded == nil)
    let again = try world.restartedOnDisk()
    advance(again, days: 40)
    #expect(again.disk?.workout(id) != nil && again.disk?.workout(id)?.discarded == nil)
  }

  /// Nobody knows how old anything is.
  @Test func t03_notByAClockThatIsNotKnownToBeRight() throws {
    var configuration = World.configured
    configuration.retention = .seconds(86_400)
    var start = World.start
    start.isSynchronised = false
    let world = try World.onDisk(configuration, at: start)
    world.call("Prepare")
    world.advance(.seconds(5))
    world.call("Start")
    world.beats(5)
    world.call("End")
    advance(world, days: 10)
    #expect(world.disk?.workouts.first?.discarded == nil)
  }

  /// What is left of an import whose client was killed is cleared away all the same: no age is a matter of that.
  @Test func t05_whatImportsHaveLeftByAnyClock() throws {
    let (other, id) = try world(nil)
    let exported = try ImportScenarioTests.export(id, from: other)
    var start = World.start
    start.isSynchronised = false
    let world = try World.onDisk(at: start)
    func begin(in world: World) {
      let client = world.connect()
      let begun = ImportScenarioTests.ask(
        world, client, "BeginImport", .object(ImportScenarioTests.beginning(exported)))
      #expect(begun["error"] == nil, "\(begun.text)")
      for piece in ImportScenarioTests.pieces(exported, of: 50) {
        ImportScenarioTests.ask(world, client, "AppendImport", piece)
      }
      world.input(.clientGone(client))
    }
    /// A step for which nothing is old enough.
    func hasRemains(_ world: World) -> Bool {
      if case .purged(.cleared) = world.disk?.purge(at: WallTime(nanoseconds: 0), retention: nil) {
        true
      } else {
        false
      }
    }
    begin(in: world)
    #expect(hasRemains(world))
    world.advance(Retention.interval + .seconds(1))
    #expect(!hasRemains(world))
    // The daemon dies with it; the next one clears it away when it starts.
    begin(in: world)
    let again = try world.restartedOnDisk()
    again.advance(.seconds(60))
    #expect(!hasRemains(again))
  }
}
