import Control
import Measurements
import Testing
import Workout

@testable import Engine

// What scenarios of workouts have in common.
extension World {
  /// A session with live heart rate, not started.
  static func prepared(_ configuration: Configuration = World.configured) -> World {
    let world = World(configuration)
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.beat(70)
    world.advance(.seconds(1))
    return world
  }

  /// One that has just started.
  static func running(_ configuration: Configuration = World.configured) -> World {
    let world = prepared(configuration)
    world.call("Start")
    return world
  }

  /// The only live session.
  var live: JSON { status["sessions"]?.asArray?.first ?? .null }

  var liveID: String { live["id"]?.asString ?? "" }

  /// The state after a call, or the name of its error.
  func outcome(_ method: String, _ parameters: KeyValuePairs<String, JSON?> = [:]) -> String {
    let reply = call(method, parameters)
    return reply["error"]?.asString.map { String($0.dropFirst("io.strapd.".count)) }
      ?? reply["parameters"]?["state"]?.asString ?? "no state"
  }

  /// A date as it is sent: so many seconds before now.
  func ago(_ seconds: Double) -> JSON {
    .string(WallTime(nanoseconds: now.wall.nanoseconds - Int64(seconds * 1e9)).rfc3339)
  }

  func kinds(_ kinds: Set<String>) -> [Event] { events.filter { kinds.contains($0.kind) } }

  /// The only workout that is saved.
  var saved: FinishedWorkout? { savedWorkouts.last }
}
