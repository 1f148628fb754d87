import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Where workouts begin by themselves, people go first all the same.
struct UnattendedPersonScenarioTests {
  private static let text = """
    post_exercise = 0
    strap = F0:F1:F2:F3:F4:F5
    [strap F0:F1:F2:F3:F4:F5]
    unattended = yes
    unattended_start = 10
    unattended_absence = 60

    """

  private func world(_ text: String = Self.text) throws -> World {
    let world = World(try Configuration(parsing: text, file: "x"))
    world.advance(.seconds(5))
    return world
  }

  private func sessions(_ world: World) -> [JSON] { world.status["sessions"]?.asArray ?? [] }

  private func phase(_ world: World) -> String? { world.strap()["unattended"]?["phase"]?.asString }

  private func id(_ reply: JSON) -> String? { reply["parameters"]?["session"]?.asString }

  @Test(arguments: ["Create", "Prepare"])
  func p01_aPersonsSessionGoesFirst(_ call: String) throws {
    let world = try world()
    world.beats(5, 100)
    let own = id(world.call(call))
    #expect(own != nil)
    world.beats(30, 100)
    #expect(sessions(world).map { $0["id"]?.asString } == [own])
    #expect(sessions(world).first?["state"]?.asString == (call == "Create" ? "notStarted" : "prepared"))
    #expect(phase(world) == "busy")
  }

  @Test func p02_afterAPersonsEndNothingBeginsBeforeItWasTakenOff() throws {
    let world = try world()
    world.call("Prepare")
    world.beats(3, 100)
    world.call("Start")
    world.beats(5, 100)
    world.call("End")
    #expect(phase(world) == "done")
    world.beats(120, 100)
    #expect(sessions(world).isEmpty)
    // A link that is lost for a moment is not taken off.
    world.lose()
    world.advance(.seconds(20))
    world.come()
    world.advance(.seconds(5))
    world.beats(60, 100)
    #expect(sessions(world).isEmpty && phase(world) == "done")
    world.raw([0x04, 0])
    #expect(phase(world) == "off")
    world.beats(11, 100)
    #expect(sessions(world).count == 1)
    #expect(sessions(world).first?["unattended"]?.asBool == true)
  }

  @Test func p03_silenceForAsLongAsAnAbsenceIsTakenOffToo() throws {
    let world = try world()
    world.call("Prepare")
    world.beats(3, 100)
    world.call("End")
    let last = world.now.tick - .seconds(1)
    world.lose()
    world.advance(.seconds(59))
    #expect(phase(world) == "done")
    world.advance(.seconds(2))
    #expect(phase(world) == "off")
    #expect(world.now.tick - last < .seconds(63))
    world.come()
    world.advance(.seconds(5))
    world.beats(11, 100)
    #expect(sessions(world).count == 1)
  }

  @Test func p04_aPersonEndsWhatBeganByItself() throws {
    let world = try world()
    world.beats(15, 100)
    #expect(sessions(world).count == 1)
    world.call("End")
    #expect(world.saved?.endReason == .user)
    world.beats(60, 100)
    #expect(sessions(world).isEmpty)
    #expect(world.savedWorkouts.count == 1)
    world.raw([0x04, 0])
    world.beats(11, 100)
    #expect(sessions(world).count == 1)
  }

  /// The same wearing is known again after a restart.
  @Test func p05_aRestartMakesNothingForgotten() throws {
    let world = try world()
    world.beats(15, 100)
    world.call("End")
    world.beats(5, 100)
    let again = world.killed()
    again.advance(.seconds(5))
    again.beats(60, 100)
    #expect(sessions(again).isEmpty && phase(again) == "done")
    again.raw([0x04, 0])
    again.beats(2, 100)
    let third = again.killed()
    third.advance(.seconds(5))
    third.beats(12, 100)
    #expect(sessions(third).count == 1, "it was taken off")
  }

  @Test func p06_afterALongTimeAwayItIsAnotherWearing() throws {
    let world = try world()
    world.beats(15, 100)
    world.call("End")
    let again = world.killed(downFor: .seconds(3600))
    again.advance(.seconds(5))
    again.beats(12, 100)
    #expect(sessions(again).count == 1)
  }

  /// While it waits it says once a minute that it lives, since otherwise nothing would be written.
  @Test func p07_itSaysThatItLives() throws {
    let world = try world()
    world.beats(15, 100)
    world.call("End")
    let before = world.records.count
    world.beats(200, 100)
    let signs = world.records.dropFirst(before).filter { if case .alive = $0 { true } else { false } }
    #expect(signs.count == 3)
  }

  @Test func p08_aPersonsPrepareIsRefusedOrTakesItsPlace() throws {
    let world = try world()
    world.beats(15, 100)
    let own = sessions(world).first?["id"]?.asString
    let refusal = world.call("Prepare")
    #expect(refusal["error"]?.asString == "io.strapd.StrapInUse")
    #expect(refusal["parameters"]?["session"]?.asString == own)
    let second = id(world.call("Prepare", ["supersede": .bool(true)]))
    #expect(second != nil && second != own)
    #expect(world.saved?.endReason == .superseded)
    #expect(world.saved?.heartRate?.count == 15)
    #expect(sessions(world).first?["unattended"] == nil)
    world.beats(20, 100)
    #expect(sessions(world).map { $0["id"]?.asString } == [second])
  }

  /// Being held by nobody but for that, the strap is to be had for whoever wants any.
  @Test func p09_whoWantsAnyStrapMayHaveIt() throws {
    let world = try world(Self.text.replacing("strap = F0:F1:F2:F3:F4:F5\n", with: ""))
    world.beats(3, 100)
    world.bluez.straps[World.b]?.isPresent = false
    world.call("Prepare")
    for _ in 0..<20 { world.beats(1, 100) }
    #expect(sessions(world).count == 1)
    #expect(sessions(world).first?["strap"]?.asString == World.a.description)
    #expect(sessions(world).first?["state"]?.asString == "prepared")
  }

  @Test func p10_switchedOffWhileItRuns() throws {
    let world = try world()
    world.beats(15, 100)
    let off = Self.text.replacing("unattended = yes", with: "unattended = no")
    world.input(.configurationRead(try Configuration(parsing: off, file: "x")))
    world.beats(100, 100)
    #expect(sessions(world).count == 1)
    world.lose()
    world.advance(.seconds(58))
    #expect(sessions(world).count == 1)
    world.advance(.seconds(2))
    #expect(world.saved?.endReason == .sensorAbsent)
    world.come()
    world.advance(.seconds(60))
    #expect(world.strap()["link"]?.asString == "standing")
    #expect(world.strap()["unattended"] == nil)
  }

  @Test func p11_switchedOnWhileItIsWorn() throws {
    let off = Self.text.replacing("unattended = yes", with: "")
    let world = try world(off)
    world.input(.configurationRead(try Configuration(parsing: Self.text, file: "x")))
    world.advance(.seconds(5))
    world.beats(11, 100)
    #expect(sessions(world).count == 1)
  }

  @Test func p12_aSessionThatExpiresIsNoPersonsWish() throws {
    let world = try world("prepare_limit = 20\n" + Self.text)
    world.call("Prepare")
    world.beats(21, 100)
    #expect(sessions(world).isEmpty)
    world.beats(11, 100)
    #expect(sessions(world).first?["unattended"]?.asBool == true)
  }

  @Test func p13_theDaemonThatExitsBeginsNothing() throws {
    let world = try world()
    world.beats(5, 100)
    world.input(.terminationRequested)
    world.advance(.seconds(20))
    #expect(world.hasExited)
    #expect(!world.transitions.contains("prepared>running"))
  }

  @Test func p14_aStrapCanBeNamedMeanwhileAndIsNotForgotten() throws {
    let world = try world()
    let named = world.call("NameStrap", ["strap": .string(World.a.description), "athlete": .string("Carl")])
    #expect(named["error"] == nil)
    world.beats(15, 100)
    #expect(sessions(world).first?["athlete"]?.asString == "Carl")
    world.call("End")
    let held = world.call("ForgetStrap", ["strap": .string(World.a.description)])
    #expect(held["error"]?.asString == "io.strapd.StrapHeld")
    #expect(held["parameters"]?["by"]?.asString == "unattended")
    #expect(held["parameters"]?["file"]?.asString == "x")
    #expect(phase(world) == "done")
    let off = Self.text.replacing("unattended = yes", with: "unattended = no")
    world.input(.configurationRead(try Configuration(parsing: off, file: "x")))
    world.advance(.seconds(5))
    #expect(world.call("ForgetStrap", ["strap": .string(World.a.description)])["error"] == nil)
  }
}
