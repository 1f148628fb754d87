import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Workouts that begin and end by themselves, where the configuration wants that.
struct UnattendedScenarioTests {
  private static let sections = """
    post_exercise = 0
    [strap F0:F1:F2:F3:F4:F5]
    name = Left
    athlete = Anna
    unattended = yes
    unattended_start = 10
    unattended_absence = 60
    unattended_activity = rowing
    unattended_location = indoor
    [strap F0:F1:F2:F3:F4:F6]
    athlete = Bert
    unattended_start = 20
    unattended_absence = 30

    """

  private func configuration(_ change: (String) -> String = { $0 }) throws -> Configuration {
    try Configuration(parsing: change(Self.sections), file: "x")
  }

  /// A strap that streams, unworn so far.
  private func world(_ change: (String) -> String = { $0 }) throws -> World {
    let world = World(try configuration(change))
    world.advance(.seconds(5))
    return world
  }

  /// A beat now and one at each full second of a span, the last one at its end.
  private func wear(_ world: World, _ seconds: Int, _ strap: StrapAddress = World.a, _ payload: [UInt8] = [0x06, 100]) {
    world.raw(payload, strap)
    for _ in 0..<seconds {
      world.advance(.seconds(1))
      world.raw(payload, strap)
    }
  }

  private func takeOff(_ world: World, _ strap: StrapAddress = World.a) { world.raw([0x04, 0], strap) }

  private func sessions(_ world: World) -> [JSON] { world.status["sessions"]?.asArray ?? [] }

  private func phase(_ world: World, _ strap: StrapAddress = World.a) -> String? {
    world.strap(strap)["unattended"]?["phase"]?.asString
  }

  private func news(_ world: World) -> [UnattendedNews] {
    world.events.compactMap { if case .unattended(let news) = $0.what { news } else { nil } }
  }

  @Test func u01_aWorkoutBeginsByItselfWithTheFirstBeat() throws {
    let world = try world()
    #expect(world.strap()["link"]?.asString == "subscribing" || world.strap()["link"]?.asString == "streaming")
    #expect(phase(world) == "off")
    let first = world.now
    wear(world, 9)
    world.advance(.milliseconds(999))
    #expect(phase(world) == "worn")
    #expect(sessions(world).isEmpty)
    world.advance(.milliseconds(1))
    world.beat(100)
    let session = try #require(sessions(world).first)
    #expect(session["state"]?.asString == "running")
    #expect(session["startDate"]?.asString == first.wall.rfc3339)
    #expect(session["requestedStartDate"] == nil)
    #expect(session["athlete"]?.asString == "Anna")
    #expect(session["unattended"]?.asBool == true)
    #expect(session["activity"]?.asString == "rowing")
    #expect(session["location"]?.asString == "indoor")
    #expect(session["strap"]?.asString == World.a.description)
    #expect(session["availability"]?.asString == "available")
    #expect(phase(world) == "busy")
    #expect(news(world) == [.started(first.wall, athlete: AthleteName("Anna"))])
    world.advance(.seconds(1))
    // The ten beats that came before there was a session, and the one after.
    #expect(sessions(world).first?["statistics"]?["heartRate"]?["count"]?.asInteger == 11)
    #expect(sessions(world).first?["elapsedSeconds"]?.asReal == 11)
    let causes = world.events.compactMap { event -> TransitionCause? in
      if case .transition(let transition) = event.what { transition.cause } else { nil }
    }
    #expect(causes == [.auto, .auto])
  }

  @Test func u02_itEndsByItselfAfterAnAbsence() throws {
    let world = try world()
    let first = world.now
    wear(world, 30)
    let last = world.now
    takeOff(world)
    world.lose()
    world.advance(.milliseconds(59_999))
    #expect(sessions(world).count == 1)
    world.advance(.milliseconds(1))
    #expect(sessions(world).isEmpty)
    let saved = try #require(world.saved)
    #expect(saved.start.date == first.wall)
    #expect(saved.end.date == last.wall)
    #expect(saved.heartRate?.count == 31)
    #expect(saved.endReason == .sensorAbsent)
    #expect(saved.athlete == AthleteName("Anna"))
    #expect(!world.events.contains { $0.kind == "failed" }, "that is how it ends, and no error")
    guard case .transition(let ended) = world.events.last(where: { $0.kind == "transition" })?.what else {
      Issue.record("no transition")
      return
    }
    #expect(ended.cause == .auto && ended.endReason == .sensorAbsent)
    // The next wearing is the next workout.
    world.come()
    world.advance(.seconds(5))
    wear(world, 10)
    #expect(sessions(world).count == 1)
    #expect(sessions(world).first?["id"]?.asString != saved.id.description)
  }

  @Test func u03_anInterruptionBeginsItAnew() throws {
    let interruptions: [(World) -> Void] = [
      { takeOff($0) }, { $0.raw([0x06, 0]) }, { $0.advance(.seconds(4)) },
      { world in
        world.arrive(world.bluez.lose(World.a))
        world.advance(.seconds(2))
      },
    ]
    for (number, interrupt) in interruptions.enumerated() {
      let world = try world()
      wear(world, 5)
      interrupt(world)
      wear(world, 9)
      world.advance(.milliseconds(999))
      #expect(sessions(world).isEmpty, "\(number)")
      world.advance(.milliseconds(1))
      #expect(sessions(world).count == 1, "\(number)")
      world.advance(.seconds(1))
      #expect(sessions(world).first?["statistics"]?["heartRate"]?["count"]?.asInteger == 10, "\(number)")
    }
  }

  @Test func u04_aStrapThatCannotTellContactIsWornWhileItBeats() throws {
    let world = try world()
    wear(world, 10, World.a, [0x00, 100])
    #expect(sessions(world).count == 1)
    let other = try self.world()
    wear(other, 30, World.a, [0x00, 0])
    #expect(sessions(other).isEmpty)
    wear(other, 30, World.a, [0x04, 100])
    #expect(sessions(other).isEmpty)
  }

  @Test func u05_neverWithoutTheOptIn() throws {
    let world = try world { $0.replacing("unattended = yes", with: "unattended = no") }
    world.advance(.seconds(60))
    #expect(!world.bluez.calls.contains("Connect"))
    #expect(world.strap()["unattended"] == nil)
    let monitor = world.connect()
    world.send(
      monitor, VarlinkCall("io.strapd.Watch", .object(["straps": .array([.string(World.a.description)])]), more: true))
    world.advance(.seconds(5))
    wear(world, 60)
    #expect(sessions(world).isEmpty)
    #expect(news(world).isEmpty)
  }

  @Test func u06_twoStrapsAtOnceWithTwoAthletes() throws {
    let world = try world { "unattended = yes\n" + $0 }
    for _ in 0...20 {
      world.beat(100)
      world.beat(140, World.b)
      world.advance(.seconds(1))
    }
    #expect(Set(sessions(world).map { $0["athlete"]?.asString }) == ["Anna", "Bert"])
    world.lose(World.b)
    for _ in 0..<40 {
      world.beat(100)
      world.advance(.seconds(1))
    }
    #expect(sessions(world).map { $0["athlete"]?.asString } == ["Anna"])
    #expect(world.saved?.athlete == AthleteName("Bert"))
    #expect(world.saved?.heartRate?.count == 21)
    #expect(world.saved?.heartRate?.minimum == 140)
    #expect(world.saved?.activity == .other)
  }

  @Test func u07_itIsHeldWithoutAClientAndKeepsTheDaemonUp() throws {
    let world = World(try configuration())
    world.input(.socketsPassed)
    world.advance(.seconds(1000))
    #expect(!world.hasExited)
    // It sends nothing, and is tried again and again.
    #expect(world.strap()["link"]?.asString != "standing")
    #expect(world.strap(World.b) == .null)
    world.input(.configurationRead(try configuration { $0.replacing("unattended = yes", with: "") }))
    world.advance(.seconds(40))
    #expect(world.hasExited)
    #expect(world.bluez.straps[World.a]?.isConnected == false)
  }

  @Test func u08_afterARestartItGoesOnAndStillEnds() throws {
    let world = try world()
    wear(world, 20)
    let last = world.now
    let id = sessions(world).first?["id"]?.asString
    world.lose()
    world.advance(.seconds(20))
    let again = world.killed(downFor: .seconds(100))
    again.advance(.seconds(39))
    #expect(sessions(again).map { $0["id"]?.asString } == [id])
    #expect(sessions(again).first?["unattended"]?.asBool == true)
    #expect(sessions(again).first?["athlete"]?.asString == "Anna")
    again.advance(.seconds(3))
    #expect(sessions(again).isEmpty)
    #expect(again.saved?.endReason == .sensorAbsent)
    #expect(again.saved?.end.date == last.wall)
    #expect(again.saved?.heartRate?.count == 21)
  }

  @Test func u09_aFaultOfTheHostIsNoAbsence() throws {
    let world = try world()
    wear(world, 20)
    world.advance(.seconds(10))
    world.arrive(world.bluez.power(false, blocked: true))
    world.advance(.seconds(3600))
    #expect(sessions(world).count == 1)
    world.bluez.straps[World.a]?.isPresent = false
    world.arrive(world.bluez.power(true))
    world.advance(.seconds(48))
    #expect(sessions(world).count == 1)
    world.advance(.seconds(5))
    #expect(sessions(world).isEmpty)
  }

  @Test func u10_aDryRunSaysWhatWouldHappenAndKeepsNothing() throws {
    let world = try world { $0.replacing("unattended = yes", with: "unattended = dry-run") }
    let before = world.records.count
    let first = world.now
    wear(world, 9)
    world.advance(.milliseconds(999))
    #expect(news(world).isEmpty)
    world.advance(.milliseconds(1))
    let anna = AthleteName("Anna")
    #expect(news(world) == [.wouldStart(first.wall, athlete: anna)])
    #expect(phase(world) == "wouldRun")
    #expect(world.strap()["unattended"]?["sinceDate"]?.asString == first.wall.rfc3339)
    #expect(world.strap()["unattended"]?["dryRun"]?.asBool == true)
    world.beat(100)
    let last = world.now
    world.lose()
    world.advance(.milliseconds(59_999))
    #expect(news(world).count == 1)
    world.advance(.milliseconds(1))
    #expect(news(world).last == .wouldEnd(start: first.wall, end: last.wall, athlete: anna))
    let lines = world.logs.map(\.text).filter { $0.hasPrefix("dry run: ") }
    #expect(lines.count == 2)
    #expect(lines.first == "dry run: a workout of Anna would have begun at \(first.wall.rfc3339)")
    #expect(sessions(world).isEmpty && world.workouts.isEmpty)
    let kept = world.records.dropFirst(before).filter {
      switch $0 {
      case .session, .sample, .event, .workout, .workoutEdited, .editUndone, .clientData, .discarded, .importBegan,
        .importFinished, .importAborted, .importReplaced:
        true
      case .strap, .strapForgotten, .athlete, .athleteForgotten, .sequenceReserved, .alive, .clockStepped,
        .clockSynchronised:
        false
      }
    }
    #expect(kept.isEmpty)
    #expect(!world.transitions.contains { $0.hasSuffix(">running") })
  }
}
