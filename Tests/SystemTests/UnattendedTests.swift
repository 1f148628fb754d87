import Control
import Glibc
import TestSupport
import Testing

/// Workouts that begin and end by themselves, with the real daemon, store and clocks.
@Suite struct SystemUnattendedTests {
  private static let configuration = """
    post_exercise = 0
    [strap F0:F1:F2:F3:F4:F5]
    athlete = Anna
    unattended = yes
    unattended_start = 2
    unattended_absence = 2

    """

  @Test func aWorkoutBeginsIsTakenUpAndEnds() throws {
    let gym = try Gym(configuration: Self.configuration)
    let watcher = try gym.watch()
    _ = try gym.straps.line("SUBSCRIBED A")
    try gym.say("A beat 100 20")
    let worn = try watcher.events { $0.isTransition(to: "running") }
    let first = worn.first { $0.isHeartRate }
    let running = try #require(worn.last)
    #expect(running["cause"]?.asString == "auto")
    #expect(running["date"]?.asString == first?["date"]?.asString)
    let id = try #require(running["session"]?.asString)
    let news = worn.first { $0["kind"]?.asString == "unattended" }
    #expect(news?["unattended"]?.asString == "started")
    #expect(news?["athlete"]?.asString == "Anna")
    let more = try watcher.events { $0.isHeartRate && $0["counted"]?.asBool == true }
    let seen = (worn + more).count(where: \.isHeartRate)

    try gym.killAndRestart()
    let again = try gym.watch()
    _ = try gym.straps.line("SUBSCRIBED A")
    let after = try again.events { $0.isHeartRate && $0["counted"]?.asBool == true }
    #expect(after.last?["session"]?.asString == id)
    try gym.tell("A mute")
    let events = try again.events { $0.isTransition(to: "ended") }
    let last = (after + events).last { $0.isHeartRate && $0["counted"]?.asBool == true }
    #expect(events.last?["endReason"]?.asString == "sensorAbsent")
    #expect(events.last?["cause"]?.asString == "auto")
    #expect(!events.contains { $0["kind"]?.asString == "failed" })
    let saved = try gym.connect().call("GetWorkout", ["id": .string(id)])["parameters"]?["workout"]
    #expect(saved?["athlete"]?.asString == "Anna")
    #expect(saved?["startDate"]?.asString == first?["date"]?.asString)
    #expect(saved?["endDate"]?.asString == last?["date"]?.asString)
    // Every one that was told of is there, from the first on, also those that came before there was a session.
    let count = saved?["statistics"]?["heartRate"]?["count"]?.asInteger ?? 0
    #expect(count >= seen)
  }
}
