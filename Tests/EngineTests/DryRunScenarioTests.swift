import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// A dry run of unattended use says what would have happened, whether or not the daemon is restarted meanwhile.
struct DryRunScenarioTests {
  private static let text = """
    post_exercise = 0
    strap = F0:F1:F2:F3:F4:F5
    [strap F0:F1:F2:F3:F4:F5]
    unattended = dry-run
    unattended_start = 10
    unattended_absence = 60

    """

  private func world() throws -> World {
    let world = World(try Configuration(parsing: Self.text, file: "x"))
    world.advance(.seconds(5))
    return world
  }

  /// Until a workout would run for a while.
  private func wouldRun() throws -> (world: World, start: WallTime) {
    let world = try world()
    let start = world.now.wall
    world.beats(30, 100)
    #expect(phase(world) == "wouldRun")
    return (world, start)
  }

  private func phase(_ world: World) -> String? { world.strap()["unattended"]?["phase"]?.asString }

  private func news(_ world: World) -> [UnattendedNews] {
    world.events.compactMap { if case .unattended(let news) = $0.what { news } else { nil } }
  }

  @Test func d01_itGoesOnAfterARestart() throws {
    let (world, start) = try wouldRun()
    let again = world.killed()
    #expect(phase(again) == "wouldRun")
    #expect(again.strap()["unattended"]?["sinceDate"]?.asString == start.rfc3339)
    again.advance(.seconds(5))
    again.beats(20, 100)
    let last = again.now.wall + .seconds(-1)
    #expect(news(again).isEmpty, "it has begun before")
    again.lose()
    again.advance(.seconds(62))
    #expect(news(again) == [.wouldEnd(start: start, end: last, athlete: nil)])
    #expect(phase(again) == "off")
    let third = again.killed()
    #expect(phase(third) == "off" && news(third).isEmpty)
  }

  /// With the last heart rate before it, where none has come since; the time without the daemon does not count.
  @Test func d02_itEndsAfterARestart() throws {
    let (world, start) = try wouldRun()
    let last = world.now.wall + .seconds(-1)
    world.lose()
    world.advance(.seconds(20))
    let again = world.killed(downFor: .seconds(100))
    again.advance(.seconds(35))
    #expect(phase(again) == "wouldRun")
    again.advance(.seconds(10))
    #expect(news(again) == [.wouldEnd(start: start, end: last, athlete: nil)])
  }

  @Test func d03_afterALongTimeAwayItWouldHaveEnded() throws {
    let (world, start) = try wouldRun()
    let last = world.now.wall + .seconds(-1)
    let again = world.killed(downFor: .seconds(3600))
    #expect(news(again) == [.wouldEnd(start: start, end: last, athlete: nil)])
    #expect(phase(again) == "off")
  }

  @Test func d04_aPersonsEndHoldsInADryRunToo() throws {
    let world = try world()
    world.call("Prepare")
    world.beats(3, 100)
    world.call("Start")
    world.beats(5, 100)
    world.call("End")
    #expect(phase(world) == "done")
    let again = world.killed()
    again.advance(.seconds(5))
    again.beats(60, 100)
    #expect(phase(again) == "done" && news(again).isEmpty)
    again.raw([0x04, 0])
    again.beats(12, 100)
    #expect(phase(again) == "wouldRun")
  }

  /// What would run would run no more when the dry run has ended meanwhile.
  @Test func d05_switchedOffMeanwhile() throws {
    let (world, _) = try wouldRun()
    world.input(
      .configurationRead(
        try Configuration(parsing: Self.text.replacing("dry-run", with: "no"), file: "x")))
    #expect(news(world).count == 2)
    #expect(world.knownStraps.first { $0.address == World.a }?.dryRun == nil)
  }

  /// While a workout would run it is known that the daemon lives, and how far it has come.
  @Test func d06_itIsKeptOnceASecond() throws {
    let (world, _) = try wouldRun()
    let before = world.records.count
    for _ in 0..<100 {
      world.beat(100)
      world.advance(.milliseconds(100))
    }
    let kept = world.records.dropFirst(before).filter { if case .strap = $0 { true } else { false } }
    #expect((9...11).contains(kept.count))
    world.beats(60, 100)
    #expect(world.records.contains { if case .alive = $0 { true } else { false } })
  }

  @Test func d07_theClockIsSetMeanwhile() throws {
    let (world, start) = try wouldRun()
    world.setClock(by: .seconds(1000))
    let again = world.killed()
    #expect(again.strap()["unattended"]?["sinceDate"]?.asString == (start + .seconds(1000)).rfc3339)
  }
}
