import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Countdowns and the first heart rate.
struct StartScenarioTests {
  private func ticks(_ world: World) -> [(seconds: Double, remaining: Int?)] {
    world.events.compactMap { event in
      guard case .countdown(let remaining) = event.what else { return nil }
      return ((event.date - World.start.wall).inSeconds, remaining)
    }
  }

  // MARK: Countdown

  @Test func b01_ticksAt0And1And2SecondsAndTheStartAt3Exactly() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(3)])
    let asked = world.now
    world.advance(.seconds(3) - .nanoseconds(1))
    #expect(world.transitions == ["notStarted>prepared"])
    world.advance(.nanoseconds(1))
    #expect(world.transitions == ["notStarted>prepared", "prepared>running"])
    #expect(ticks(world).map(\.seconds) == [3, 4, 5], "at 0, 1 and 2 s")
    #expect(ticks(world).map(\.remaining) == [3, 2, 1])
    #expect(world.live["startDate"]?.asString == (asked.wall + .seconds(3)).rfc3339)
    #expect(world.live["unprepared"]?.asBool == false)
    #expect(world.live["countdownSeconds"] == nil)
  }

  @Test func b02_cancelledAt2900msItNeverStarts() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(3)])
    world.advance(.milliseconds(2900))
    #expect(world.live["countdownSeconds"]?.asReal == 0.1)
    #expect(world.outcome("CancelCountdown") == "prepared")
    #expect(ticks(world).last?.remaining == .some(nil))
    world.advance(.seconds(1700))
    #expect(world.live["state"]?.asString == "prepared")
    #expect(world.live["countdownSeconds"] == nil)
    // And it can be started afterwards.
    #expect(world.outcome("Start") == "running")
  }

  @Test func b03_tooLateToCancel() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(3)])
    world.advance(.seconds(3))
    let refusal = world.call("CancelCountdown")
    #expect(refusal["error"]?.asString == "io.strapd.CallNotAllowed")
    #expect(refusal["parameters"]?["state"]?.asString == "running")
  }

  @Test func b04_aStrapThatNeeds8Seconds() {
    let world = World()
    world.bluez.straps[World.a]?.connectDelay = .seconds(8)
    world.call("Prepare")
    world.call("Start", ["countdownSeconds": .real(3)])
    world.advance(.seconds(3))
    #expect(world.live["state"]?.asString == "running")
    #expect(world.live["availability"]?.asString == "acquiring")
    #expect(world.live["heartRate"] == nil)
    #expect(world.live["statistics"]?["heartRate"] == nil)
    #expect(world.live["collectedTypes"] == .array([]))
    world.advance(.seconds(6))
    world.beats(3, 100)
    world.call("End")
    #expect(world.saved?.heartRate?.count == 3)
    #expect(world.saved?.heartRate?.covered == .seconds(3), "nothing is invented for the time before")
    #expect(world.saved?.elapsed == .seconds(9))
  }

  @Test func b05_aRepeatChangesNothing() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(3)])
    world.advance(.milliseconds(1500))
    let before = world.events.count
    #expect(world.outcome("Start", ["countdownSeconds": .real(3)]) == "prepared")
    #expect(world.outcome("Start", ["atFirstBeat": .bool(true)]) == "prepared")
    #expect(world.events.count == before)
    world.advance(.milliseconds(1500))
    #expect(world.live["state"]?.asString == "running")
  }

  @Test func b06_aStartNowEndsTheCountdown() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(30)])
    world.advance(.seconds(1))
    #expect(world.outcome("Start") == "running")
    let started = world.now.wall.rfc3339
    world.advance(.seconds(60))
    #expect(world.live["startDate"]?.asString == started)
    #expect(ticks(world).count == 2)
  }

  @Test func b07_anEndEndsTheCountdown() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(3)])
    #expect(world.outcome("End") == "ended")
    world.advance(.seconds(10))
    #expect(world.transitions == ["notStarted>prepared", "prepared>ended"])
  }

  @Test(arguments: [0.5, 1.0, 2.999])
  func b08_aCountdownGoesOnAfterAKill(down: Double) {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(5)])
    let zero = world.now.tick + .seconds(5)
    world.advance(.milliseconds(1500))
    let again = world.killed(downFor: .nanoseconds(Int64(down * 1e9)))
    #expect(again.live["state"]?.asString == "prepared")
    #expect(again.live["countdownSeconds"] != nil)
    again.advance(.seconds(4))
    #expect(again.live["state"]?.asString == "running")
    #expect(again.session(SessionID(again.liveID)!)?.start?.tick == zero)
    #expect(again.killed().live["countdownSeconds"] == nil)
  }

  @Test func b09_aCountdownThatCameToZeroDuringTheKillHasStartedThen() {
    let world = World.prepared()
    world.call("Start", ["countdownSeconds": .real(3)])
    let zero = world.now.tick + .seconds(3)
    world.advance(.seconds(2))
    let again = world.killed(downFor: .seconds(5))
    again.advance(.milliseconds(1))
    #expect(again.live["state"]?.asString == "running")
    #expect(again.session(SessionID(again.liveID)!)?.start?.tick == zero)
    let late = world.killed(downFor: .seconds(90))
    late.advance(.seconds(10))
    #expect(late.live["state"]?.asString == "prepared", "nobody waits for it any more")
    #expect(late.live["countdownSeconds"] == nil)
  }

  // MARK: The first heart rate

  @Test func b10_startWithTheFirstValidBeat() {
    let world = World()
    world.bluez.straps[World.a]?.connectDelay = .seconds(8)
    #expect(world.call("Create")["error"] == nil)
    #expect(world.outcome("Start", ["atFirstBeat": .bool(true)]) == "prepared")
    #expect(world.live["startsAtFirstBeat"]?.asBool == true)
    world.advance(.seconds(10))
    world.raw([0x06, 0])  // no reading
    world.advance(.seconds(1))
    world.raw([0x04, 80])  // no contact
    world.advance(.seconds(1))
    #expect(world.live["state"]?.asString == "prepared")
    world.beat(90)
    let first = world.now
    #expect(world.live["state"]?.asString == "running")
    #expect(world.live["startDate"]?.asString == first.wall.rfc3339)
    #expect(world.live["startsAtFirstBeat"]?.asBool == false)
    world.advance(.seconds(1))
    world.beats(2, 90)
    world.call("End")
    #expect(world.saved?.heartRate?.count == 3, "the first one counts")
    #expect(world.saved?.elapsed == .seconds(3))
    // Its start is published before it.
    let numbers = world.events.filter { $0.kind == "transition" || $0.kind == "heartRate" }
    let started = numbers.firstIndex { if case .transition(let t) = $0.what { t.to == .running } else { false } }
    let counted = numbers.firstIndex { if case .heartRate(_, _, let counted, _) = $0.what { counted } else { false } }
    #expect(started.map { $0 + 1 } == counted)
  }

  @Test func b11_theWaitForTheFirstBeatCanBeCancelledAndSurvivesAKill() {
    let world = World()
    world.call("Prepare")
    world.call("Start", ["atFirstBeat": .bool(true)])
    let again = world.killed()
    #expect(again.live["startsAtFirstBeat"]?.asBool == true)
    again.advance(.seconds(2))
    again.beat(80)
    #expect(again.live["state"]?.asString == "running")

    let other = world.killed()
    #expect(other.outcome("CancelCountdown") == "prepared")
    other.advance(.seconds(2))
    other.beat(80)
    #expect(other.live["state"]?.asString == "prepared")
    #expect(other.live["startsAtFirstBeat"]?.asBool == false)
  }

  /// The strap is heard in the same wake-up in which the countdown has run down, or the loop was late for it.
  @Test func aBeatInTheWakeUpOfTheStart() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(1, 90)
    world.call("Start", ["countdownSeconds": .real(1)])
    let zero = world.now.tick + .seconds(1)
    world.now = Moment(tick: zero + .milliseconds(400), wall: world.now.wall + .milliseconds(1_400))
    world.beat(100)
    #expect(world.live["state"]?.asString == "running")
    #expect(world.live["statistics"]?["heartRate"]?["count"]?.asInteger == 1)
    let events = world.events.suffix(3).map(\.kind)
    #expect(events.last == "heartRate" && events.contains("transition"))
    world.advance(.seconds(1))
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.heartRate?.count == 1)
    #expect(world.saved?.start.tick == zero)
  }
}
