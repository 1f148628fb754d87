import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// One story each, in virtual time, from a client's call to what is on disk.
struct ScenarioTests {
  /// Up to live heart rate in prepared.
  private func prepared(_ world: World = World()) -> World {
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(2))
    world.beat(70)
    return world
  }

  private func running(_ world: World = World()) -> World {
    let world = prepared(world)
    world.call("Start")
    return world
  }

  @Test func s01_aWholeWorkout() {
    let world = prepared()
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.call("GetStatus")["parameters"]?["sessions"]?.asArray?[0]["heartRate"]?.asInteger == 70)
    world.call("Start")
    world.beats(10, 100)
    world.call("Pause")
    world.beats(5, 150)
    world.call("Resume")
    world.beats(10, 120)
    #expect(world.call("Stop")["parameters"]?["state"]?.asString == "stopped")
    let ended = world.call("End")["parameters"]
    #expect(ended?["state"]?.asString == "ended")
    #expect(
      world.transitions == [
        "notStarted>prepared", "prepared>running", "running>paused", "paused>running", "running>stopped",
        "stopped>ended",
      ])
    #expect(world.workouts.count == 1)
    let workout = world.workouts[0]
    #expect(workout.elapsed == .seconds(20))
    #expect(workout.wall == .seconds(25))
    #expect(workout.heartRate?.count == 20)
    #expect(workout.heartRate?.minimum == 100)
    #expect(workout.heartRate?.maximum == 122)
    #expect(workout.heartRate?.covered == .seconds(20))
    #expect(workout.rrCount == 20)
    // 100, 101, 102, 100, … and 120, 121, 122, 120, …, a second each
    #expect(abs((workout.heartRate?.average ?? 0) - (1009 + 1209) / 20.0) < 1e-9)
    #expect(world.samples(of: workout.id).count == 26)
    // The link is put down when nobody wants it: two minutes after the workout.
    world.advance(.seconds(122))
    #expect(world.bluez.straps[World.a]?.isConnected == false)
    #expect(world.call("GetWorkout", ["id": .string(workout.id.description)])["parameters"]?["workout"] != nil)
  }

  @Test func s02_aLostLinkComesBackByItself() {
    let world = running()
    world.beats(5)
    world.lose()
    #expect(world.strap()["link"]?.asString == "connecting")
    #expect(world.strap()["availability"]?.asString == "unavailable")
    world.advance(.seconds(20))
    world.come()
    world.advance(.seconds(2))
    // Values may come before the services are resolved, by the subscription that bluetoothd has renewed.
    world.beats(5)
    #expect(world.strap()["link"]?.asString == "streaming")
    world.call("End")
    let workout = world.workouts[0]
    #expect(workout.elapsed == .seconds(32))
    #expect(workout.heartRate?.count == 10)
    #expect(workout.heartRate?.covered == .seconds(10))
    #expect(world.bluez.calls.filter { $0 == "Connect" }.count == 2)
  }

  @Test func s03_theStrongestStrapIsChosenAndKept() {
    let world = World(Configuration())
    world.call("Prepare")
    world.advance(.milliseconds(2900))
    #expect(!world.bluez.calls.contains("Connect"))
    world.advance(.seconds(2))
    world.beat(64)
    let session = world.status["sessions"]?.asArray?[0]
    #expect(session?["strap"]?.asString == World.a.description)
    // Never another one afterwards.
    world.lose(World.a)
    world.advance(.seconds(300))
    #expect(world.bluez.straps[World.b]?.isConnected == false)
    world.come(World.a)
    world.beats(40)
    #expect(world.strap()["link"]?.asString == "streaming")
  }

  @Test func s04_aStrapThatFailsIsFollowedByTheNext() {
    let world = World(Configuration())
    world.bluez.straps[World.a]?.connectError = .init(
      name: "org.bluez.Error.Failed", text: "le-connection-abort-by-remote")
    world.call("Prepare")
    world.advance(.seconds(6))
    world.beat(64, World.b)
    #expect(world.status["sessions"]?.asArray?[0]["strap"]?.asString == World.b.description)
  }

  @Test func s05_bluetoothdIsAbsentAtFirst() {
    var bluez = World.straps
    bluez.isRunning = false
    let world = World(bluez: bluez)
    world.call("Prepare")
    world.advance(.seconds(60))
    #expect(world.status["bluetooth"]?.asString == "bluetoothdAbsent")
    #expect(world.status["advice"]?.asString?.contains("systemctl start bluetooth") == true)
    world.arrive(world.bluez.restart())
    world.advance(.seconds(3))
    world.beat(70)
    #expect(world.strap()["link"]?.asString == "streaming")
  }

  @Test func s06_bluetoothdRestartsInMidWorkout() {
    let world = running()
    world.beats(3)
    world.arrive(world.bluez.stop())
    #expect(world.strap()["link"]?.asString == "waitingForBluetoothd")
    world.advance(.seconds(5))
    world.arrive(world.bluez.restart())
    world.advance(.seconds(3))
    world.beats(3)
    #expect(world.strap()["link"]?.asString == "streaming")
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 6)
  }

  @Test func s07_killedAndStartedAgain() {
    let world = running()
    world.beats(10, 100)
    let id = world.status["sessions"]?.asArray?[0]["id"]?.asString
    let again = world.killed()
    #expect(again.status["sessions"]?.asArray?[0]["id"]?.asString == id)
    #expect(again.status["sessions"]?.asArray?[0]["state"]?.asString == "running")
    #expect(again.status["sessions"]?.asArray?[0]["statistics"]?["heartRate"]?["count"]?.asInteger == 10)
    again.advance(.seconds(1))
    again.beats(10, 120)
    #expect(again.events.contains { $0.kind == "recovered" })
    again.call("End")
    let workout = again.workouts[0]
    #expect(workout.id.description == id)
    #expect(workout.heartRate?.count == 20)
    #expect(workout.elapsed == .seconds(23))
    // The last value before the kill held until then, and no longer: nothing is known of the gap.
    #expect(workout.heartRate?.covered == .seconds(20))
    let numbers = (world.records + again.records).compactMap(\.sequence)
    #expect(numbers.count > 20)
    #expect(Set(again.events.map(\.sequence)).isDisjoint(with: world.events.map(\.sequence)))
  }

  @Test func s08_killedInEachState() {
    for calls in [["Create"], ["Prepare"], ["Prepare", "Start", "Pause"], ["Prepare", "Start", "Stop"]] {
      let world = World()
      for call in calls { world.call(call) }
      let before = world.status["sessions"]?.asArray?[0]
      let after = world.killed().status["sessions"]?.asArray?[0]
      #expect(before != nil)
      for field in ["id", "state", "startDate", "endDate", "createdDate", "activity"] {
        #expect(before?[field] == after?[field], "\(field) after \(calls)")
      }
    }
  }

  @Test func s09_aCountdownStartsAtTheVeryTick() throws {
    let world = World()
    world.bluez.straps[World.a]?.connectDelay = .seconds(8)
    world.call("Prepare")
    let asked = world.now.tick
    #expect(world.call("Start", ["countdownSeconds": .real(3)])["parameters"]?["state"]?.asString == "prepared")
    world.advance(.milliseconds(2999))
    #expect(world.transitions == ["notStarted>prepared"])
    world.advance(.milliseconds(1))
    #expect(world.transitions == ["notStarted>prepared", "prepared>running"])
    let counted = world.events.compactMap { event in
      if case .countdown(let remaining) = event.what { remaining } else { nil }
    }
    #expect(counted == [3, 2, 1])
    let session = world.status["sessions"]?.asArray?[0]
    #expect(session?["availability"]?.asString == "acquiring")
    #expect(session?["statistics"]?["heartRate"] == nil)
    world.advance(.seconds(6))
    world.beats(3)
    world.call("End")
    #expect(world.workouts[0].start.tick == asked + .seconds(3))
    #expect(world.workouts[0].heartRate?.count == 3)
  }

  @Test func s10_aPastStartCountsWhatWasReceivedSince() {
    let world = prepared()
    world.advance(.seconds(1))
    world.beats(10, 90)
    let date = WallTime(nanoseconds: world.now.wall.nanoseconds - 5_500_000_000)
    world.call("Start", ["date": .string(date.rfc3339)])
    world.beats(5, 110)
    let ended = world.call("End")["parameters"]?["snapshot"]
    #expect(ended?["requestedStartDate"]?.asString == date.rfc3339)
    #expect(world.workouts[0].heartRate?.count == 10)
    #expect(world.workouts[0].elapsed == .milliseconds(10_500))
  }

  @Test func s11_aPastStopLeavesOutWhatCameAfter() {
    let world = running()
    world.advance(.seconds(1))
    world.beats(10, 100)
    let date = WallTime(nanoseconds: world.now.wall.nanoseconds - 4_500_000_000)
    world.call("Stop", ["date": .string(date.rfc3339)])
    world.call("End")
    // Six of the ten, and none of the first second, whose sample came before the start.
    #expect(world.workouts[0].heartRate?.count == 6)
    #expect(world.workouts[0].elapsed == .milliseconds(6500))
    #expect(world.workouts[0].heartRate?.covered == .milliseconds(5500))
  }

  @Test func s12_endedIsPublishedOnlyAfterTheSync() {
    let world = running()
    world.beats(3)
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.End"))
    world.advance(.seconds(1))
    #expect(world.transitions.last == "running>stopped")
    #expect(world.workouts.count == 1)
    #expect(world.take(client).isEmpty)
    world.sync()
    #expect(world.transitions.last == "stopped>ended")
    #expect(world.take(client).first?["parameters"]?["state"]?.asString == "ended")
  }

  @Test func s13_theStoreFailsForAWhile() {
    let world = running()
    let watcher = world.connect()
    world.send(watcher, VarlinkCall("io.strapd.Watch", more: true))
    _ = world.take(watcher)
    world.storeFailure = StoreError(operation: .commit, code: 13, text: "database or disk is full")
    world.beats(3, 100)
    let held = world.take(watcher)
    #expect(held.count >= 3)
    #expect(held.allSatisfy { $0["parameters"]?["held"]?.asBool == true })
    #expect(world.status["held"]?.asString?.contains("disk is full") == true)
    let id = world.status["sessions"]?.asArray?[0]["id"]?.asString.flatMap { SessionID($0) }
    let before = id.map { world.samples(of: $0).count }
    world.storeFailure = nil
    world.advance(.seconds(2))
    #expect(world.status["held"] == nil)
    #expect(id.map { world.samples(of: $0).count } == before.map { $0 + 3 })
    world.beat(101)
    #expect(world.take(watcher).allSatisfy { $0["parameters"]?["held"] == nil })
    world.advance(.seconds(1))
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 4)
    let samples = world.samples(of: world.workouts[0].id)
    #expect(Set(samples.map(\.sequence)).count == samples.count)
  }

  @Test func s14_contactLostAndNoReading() {
    let world = running()
    world.advance(.seconds(1))
    world.beats(2, 100)
    world.raw([0x04, 100])  // contact supported, not detected
    #expect(world.strap()["availability"]?.asString == "noContact")
    world.advance(.seconds(1))
    world.raw([0x06, 0])
    #expect(world.strap()["availability"]?.asString == "unavailable")
    world.advance(.seconds(1))
    world.beats(1, 100)
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 3)
    #expect(world.workouts[0].heartRate?.covered == .seconds(3))
  }

  @Test func s15_malformedPacketsAreCountedAndHurtNothing() {
    let world = running()
    world.beats(2)
    for payload in [[], [0x00], [0x01, 0x48], [0x08, 0x3C, 0x01]] as [[UInt8]] { world.raw(payload) }
    world.beats(2)
    #expect(world.strap()["refusedPackets"]?.asInteger == 4)
    #expect(world.logs.filter { $0.text.contains("refused a packet") }.count == 1)
    world.call("End")
    #expect(world.workouts[0].heartRate?.count == 4)
  }

  @Test func s16_stoppedAndForgottenIsSaved() {
    let world = running()
    world.beats(3)
    world.call("Stop")
    world.advance(.milliseconds(59_999))
    #expect(world.workouts.isEmpty)
    world.advance(.milliseconds(1))
    #expect(world.workouts.count == 1)
    guard case .transition(let last) = world.events.last(where: { $0.kind == "transition" })?.what else {
      Issue.record("no transition")
      return
    }
    #expect(last.to == .ended && last.cause == .system && last.endReason == .user)
  }

  @Test func s17_terminationPutsTheLinkDown() {
    let world = running()
    world.beats(2)
    world.input(.terminationRequested)
    world.advance(.seconds(3))
    #expect(world.hasExited)
    #expect(world.bluez.straps[World.a]?.isConnected == false)
    #expect(world.transitions.last == "prepared>running")
  }

  @Test func s18_theAdapterIsSwitchedOn() {
    var bluez = World.straps
    bluez.isPowered = false
    let world = World(bluez: bluez)
    #expect(!world.bluez.calls.contains("Set"))
    world.call("Prepare")
    world.advance(.seconds(3))
    world.beat(70)
    #expect(world.bluez.calls.filter { $0 == "Set" }.count == 1)
    #expect(world.strap()["link"]?.asString == "streaming")
  }

  @Test func s19_aSecondSessionOnTheStrapIsRefused() {
    let world = running()
    let first = world.status["sessions"]?.asArray?[0]["id"]?.asString
    let refusal = world.call("Prepare")
    #expect(refusal["error"]?.asString == "io.strapd.StrapInUse")
    #expect(refusal["parameters"]?["session"]?.asString == first)
    let other = world.call("Prepare", ["strap": .string(World.b.description)])
    #expect(other["error"] == nil)
    #expect(world.call("Pause")["error"]?.asString == "io.strapd.SessionAmbiguous")
    world.advance(.seconds(3))
    world.beat(60, World.b)
    world.beat(90, World.a)
    #expect(world.strap(World.b)["heartRate"]?.asInteger == 60)
    #expect(world.strap(World.a)["heartRate"]?.asInteger == 90)
  }

  @Test func s22_aStrapThatIsBeingTriedIsInUse() {
    let world = World(Configuration())
    world.bluez.straps[World.a]?.connectDelay = .seconds(3)
    let first = world.call("Prepare")["parameters"]?["session"]?.asString
    world.advance(.seconds(4))
    let refusal = world.call("Prepare", ["strap": .string(World.a.description)])
    #expect(refusal["error"]?.asString == "io.strapd.StrapInUse")
    #expect(refusal["parameters"]?["session"]?.asString == first)
  }

  @Test func s23_aMillionCallsSentAheadNestNothing() {
    let world = running()
    let client = world.connect()
    let call = VarlinkCall("io.strapd.Resume").message
    for _ in 0..<20 { world.input(.clientSent(client, [UInt8]((0..<2000).map { _ in call }.joined()))) }
    let replies = world.take(client)
    #expect(replies.count == 40_000)
    #expect(replies.allSatisfy { $0["error"] == nil })
  }

  @Test func s20_theBusGoesAndComesBack() {
    let world = running()
    world.beats(2)
    world.busIsThere = false
    _ = world.bluez.stop()
    world.input(.busLost("the connection broke"))
    world.advance(.seconds(10))
    #expect(world.status["advice"]?.asString?.contains("bus") == true)
    world.bluez.isRunning = true
    world.busIsThere = true
    world.advance(.seconds(5))
    world.beats(2)
    #expect(world.strap()["link"]?.asString == "streaming")
    #expect(world.logs.filter { $0.text.contains("the system bus is gone") }.count == 1)
  }

  @Test func s21_aDiskThatCannotBeSyncedKeepsNoWorkoutFromEnding() {
    let world = running()
    world.beats(3)
    world.syncs = false
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.End"))
    world.advance(.seconds(1))
    #expect(world.take(client).isEmpty)
    world.input(.syncFailed(StoreError(operation: .sync, code: 5, text: "Input/output error")))
    #expect(world.take(client).first?["parameters"]?["state"]?.asString == "ended")
    #expect(world.status["held"]?.asString?.contains("Input/output error") == true)
    let before = world.status["durableThrough"]
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(world.call("Start")["error"] == nil)
    #expect(world.call("End")["parameters"]?["state"]?.asString == "ended")
    #expect(world.status["durableThrough"] == before)
  }
}
