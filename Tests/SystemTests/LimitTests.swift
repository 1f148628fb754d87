import Control
import Glibc
import TestSupport
import Testing

/// Limits with the real daemon, store and clocks.
@Suite struct SystemLimitTests {
  private static let configuration = """
    strap = F0:F1:F2:F3:F4:F5
    post_exercise = 0
    absence_limit = 2
    prepare_limit = 2
    pause_limit = 2

    """

  @Test func aSessionWithoutHeartRateEndsAtItsLastOne() throws {
    let gym = try Gym(configuration: Self.configuration)
    let client = try gym.connect()
    let watcher = try gym.watch()
    let id = try gym.prepare(client)
    try client.call("Start")
    let beats = try watcher.events { $0.isHeartRate && $0["counted"]?.asBool == true }
    #expect(beats.last?["session"]?.asString == id)
    try gym.tell("A mute")
    let events = try watcher.events { $0.isTransition(to: "ended") }
    let last = (beats + events).last { $0.isHeartRate && $0["counted"]?.asBool == true }
    let course = events.filter { ["failed", "transition"].contains($0["kind"]?.asString) }
    #expect(course.map { $0["kind"]?.asString } == ["failed", "transition", "transition"])
    #expect(course.first?["endReason"]?.asString == "sensorAbsent")
    #expect(course.last?["endReason"]?.asString == "sensorAbsent")
    let saved = try client.call("GetWorkout", ["id": .string(id)])["parameters"]?["workout"]
    #expect(saved?["endDate"]?.asString == last?["date"]?.asString)
    #expect(saved?["endReason"]?.asString == "sensorAbsent")
  }

  @Test func limitsGoOnAfterAKill() throws {
    let gym = try Gym(configuration: Self.configuration)
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try client.call("Start")
    try client.call("Pause")
    try gym.killAndRestart()
    let watcher = try gym.watch()
    let events = try watcher.events { $0.isTransition(to: "ended") }
    #expect(events.last?["endReason"]?.asString == "pauseExpired")
    #expect(!events.contains { $0["kind"]?.asString == "failed" })
    let again = try gym.connect()
    let made = try again.call("Create")
    let ended = try watcher.events { $0.isTransition(to: "ended") }
    #expect(ended.last?["session"]?.asString == made["parameters"]?["session"]?.asString)
    #expect(ended.last?["endReason"]?.asString == "prepareExpired")
    let limits = try again.call("GetStatus")["parameters"]?["limits"]
    #expect(limits?["absenceSeconds"]?.asReal == 2)
    #expect(limits?["recoverySeconds"]?.asReal == 3600)
  }
}
