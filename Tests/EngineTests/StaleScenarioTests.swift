import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Sessions that the daemon was away from: for too long, or not.
struct StaleScenarioTests {
  /// Running, with five heart rates, the last of them at this very tick.
  private func running() -> World {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    world.beats(4, 100)
    world.beat(100)
    return world
  }

  private func state(_ world: World) -> String? { world.status["sessions"]?.asArray?.first?["state"]?.asString }

  private func course(_ world: World) -> [String] {
    world.events.compactMap { event in
      guard case .transition(let transition) = event.what else { return nil }
      return "\(transition.from)>\(transition.to) \(transition.cause)"
        + (transition.endReason.map { " \($0)" } ?? "")
    }
  }

  @Test func g01_leftAloneForTooLong() throws {
    let world = running()
    let last = world.now
    world.advance(.seconds(50))
    let almost = world.killed(downFor: .milliseconds(3_599_999))
    almost.advance(.seconds(10))
    #expect(state(almost) == "running")
    let away = world.killed(downFor: .seconds(3600))
    away.advance(.zero)
    #expect(
      course(away) == ["running>stopped recovered", "stopped>ended recovered staleRecovery"])
    #expect(away.kinds(["recovered"]).count == 1)
    let saved = try #require(away.saved)
    #expect(saved.endReason == .staleRecovery)
    #expect(saved.end.date == last.wall)
    #expect(saved.heartRate?.count == 5)
    away.advance(.seconds(10))
    #expect(away.strap()["link"]?.asString == "standing")
  }

  /// What counts is when it was last seen alive, which it says once a minute, and not when it died.
  @Test func g02_theLastSignOfLifeCounts() {
    let world = running()
    world.advance(.seconds(59))
    let away = world.killed(downFor: .seconds(3541), silent: .seconds(59))
    away.advance(.zero)
    #expect(away.saved?.endReason == .staleRecovery)
  }

  @Test func g03_withoutASampleItEndsAtItsStart() {
    let world = World()
    world.call("Create")
    world.call("Start")
    let start = world.now
    world.advance(.seconds(5))
    let away = world.killed(downFor: .seconds(4000))
    away.advance(.zero)
    #expect(away.saved?.end.tick == start.tick)
    #expect(away.saved?.endReason == .staleRecovery)
  }

  @Test func g04_killedAgainBeforeItCouldBeEnded() {
    let world = running()
    let last = world.now
    let first = world.killed(downFor: .seconds(4000), readingTime: .seconds(1))
    first.advance(.milliseconds(500))
    #expect(state(first) == "running")
    let second = first.killed(readingTime: .seconds(1))
    second.advance(.milliseconds(900))
    second.beat(80)
    second.advance(.seconds(2))
    #expect(second.saved?.endReason == .staleRecovery)
    #expect(second.saved?.end.date == last.wall)
    #expect(second.saved?.heartRate?.count == 5)
  }

  /// Prepared and paused have limits of their own.
  @Test(arguments: ["Prepare", "Pause"])
  func g05_onlyARunningOneIsStale(_ call: String) {
    var patient = World.configured
    patient.limits.prepare = .seconds(20_000)
    let world = call == "Prepare" ? World(patient) : running()
    world.call(call)
    let away = world.killed(downFor: .seconds(4000))
    away.advance(.seconds(5))
    #expect(state(away) == (call == "Prepare" ? "prepared" : "paused"))
  }
}
