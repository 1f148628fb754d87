import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// What a person has ended holds until the strap was taken off, and who uses a strap is told, whatever goes on meanwhile.
struct UnattendedHoldScenarioTests {
  private static let text = """
    post_exercise = 0
    strap = F0:F1:F2:F3:F4:F5
    [strap F0:F1:F2:F3:F4:F5]
    unattended = yes
    unattended_start = 10
    unattended_absence = 60

    """
  private static let off = text.replacing("unattended = yes", with: "unattended = no")
  private static let dryRun = text.replacing("unattended = yes", with: "unattended = dry-run")
  private static let noSection = "post_exercise = 0\nstrap = F0:F1:F2:F3:F4:F5\n"

  private func world(_ text: String = Self.text) throws -> World {
    let world = World(try Configuration(parsing: text, file: "x"))
    world.advance(.seconds(5))
    return world
  }

  private func configure(_ world: World, _ text: String) throws {
    world.input(.configurationRead(try Configuration(parsing: text, file: "x")))
  }

  /// A person runs a workout and ends it; the strap stays on.
  private func runAndEnd(_ world: World) {
    world.call("Prepare")
    world.advance(.seconds(5))
    world.beats(3, 100)
    world.call("Start")
    world.beats(5, 100)
    world.call("End")
  }

  private func sessions(_ world: World) -> [JSON] { world.status["sessions"]?.asArray ?? [] }

  private func phase(_ world: World) -> String? { world.strap()["unattended"]?["phase"]?.asString }

  private func isAwaited(_ world: World) -> Bool {
    world.knownStraps.first { $0.address == World.a }?.awaitsTakingOff == true
  }

  @Test(arguments: [Self.off, Self.dryRun, Self.noSection])
  func h01_switchedOffAndOnAgain(_ meanwhile: String) throws {
    let world = try world()
    runAndEnd(world)
    #expect(phase(world) == "done")
    try configure(world, meanwhile)
    world.beats(100, 100)
    try configure(world, Self.text)
    world.advance(.seconds(5))
    world.beats(60, 100)
    #expect(sessions(world).isEmpty && phase(world) == "done")
    world.raw([0x04, 0])
    world.beats(11, 100)
    #expect(sessions(world).count == 1)
  }

  @Test(arguments: [Self.off, Self.dryRun, Self.noSection])
  func h02_endedWhileItIsOffAndThenSwitchedOn(_ before: String) throws {
    let world = try world(before)
    runAndEnd(world)
    world.advance(.seconds(20))
    try configure(world, Self.text)
    world.advance(.seconds(5))
    world.beats(60, 100)
    #expect(sessions(world).isEmpty && phase(world) == "done")
  }

  /// People restart the daemon when they have changed its configuration.
  @Test func h03_aRestartMeanwhile() throws {
    let world = try world(Self.off)
    runAndEnd(world)
    let again = world.killed()
    #expect(again.strap()["unattended"] == nil)
    try configure(again, Self.text)
    again.advance(.seconds(5))
    again.beats(60, 100)
    #expect(sessions(again).isEmpty && phase(again) == "done")
  }

  @Test func h04_takenOffWhileNobodyLooksAfterItButAMonitor() throws {
    let world = try world(Self.off)
    let monitor = world.connect()
    world.send(
      monitor, VarlinkCall("io.strapd.Watch", .object(["straps": .array([.string(World.a.description)])]), more: true))
    world.advance(.seconds(5))
    runAndEnd(world)
    #expect(isAwaited(world))
    world.raw([0x04, 0])
    #expect(!isAwaited(world))
    try configure(world, Self.text)
    world.beats(12, 100)
    #expect(sessions(world).count == 1)
  }

  /// Nobody listens to it, so that silence says nothing; but nobody is going to wear it for ever.
  @Test func h05_withoutAnybodyWhoListensItIsForgottenAfterAnHour() throws {
    let world = try world(Self.off)
    runAndEnd(world)
    world.advance(.seconds(3590))
    #expect(isAwaited(world))
    world.advance(.seconds(11))
    #expect(!isAwaited(world))
    let before = world.records.count
    world.advance(.seconds(600))
    #expect(world.records.count == before, "there is nothing to stay alive for")
  }

  @Test func h06_aSessionThatNobodyStartsChangesNothingOfIt() throws {
    let world = try world("prepare_limit = 20\n" + Self.text)
    runAndEnd(world)
    world.call("Prepare")
    world.beats(10, 100)
    #expect(phase(world) == "busy" && isAwaited(world))
    world.beats(11, 100)
    #expect(sessions(world).isEmpty && phase(world) == "done")
    world.beats(30, 100)
    #expect(sessions(world).isEmpty)
    // It is taken off while another one uses it.
    world.call("Prepare")
    world.beats(5, 100)
    world.raw([0x04, 0])
    world.beats(16, 100)
    #expect(sessions(world).isEmpty && !isAwaited(world))
    world.beats(11, 100)
    #expect(sessions(world).first?["unattended"]?.asBool == true)
  }

  @Test func h07_silenceWhileASessionUsesItIsTakenOffToo() throws {
    let world = try world()
    runAndEnd(world)
    world.call("Prepare")
    world.lose()
    world.advance(.seconds(59))
    #expect(isAwaited(world))
    world.advance(.seconds(62))
    #expect(!isAwaited(world) && phase(world) == "busy")
  }

  // MARK: Who uses it

  @Test(arguments: ["Create", "Prepare"])
  func h08_aSessionOnASilentStrapUsesIt(_ call: String) throws {
    let world = try world()
    #expect(phase(world) == "off")
    world.call(call)
    #expect(phase(world) == "busy")
    world.advance(.seconds(100))
    #expect(phase(world) == "busy")
    let again = world.killed()
    #expect(phase(again) == "busy")
    again.advance(.seconds(5))
    #expect(phase(again) == "busy")
    again.call("End")
    #expect(phase(again) == "done")
  }

  @Test func h09_aSessionThatTakesThePlaceOfAnotherUsesIt() throws {
    let world = try world()
    runAndEnd(world)
    world.call("Prepare")
    world.call("Start")
    world.beats(5, 100)
    world.call("Prepare", ["supersede": .bool(true)])
    #expect(sessions(world).count == 1)
    #expect(phase(world) == "busy")
  }

  /// What was tried for somebody who takes any strap is free again when it is given up.
  @Test func h10_oneThatIsTriedIsUsedForAsLongAsThat() throws {
    let world = try world(Self.text.replacing("strap = F0:F1:F2:F3:F4:F5\n", with: ""))
    world.call("Prepare")
    world.advance(.seconds(4))
    #expect(phase(world) == "busy")
    world.advance(.seconds(20))
    world.beats(3, 90, World.b)
    #expect(sessions(world).first?["strap"]?.asString == World.b.description)
    #expect(phase(world) == "off")
  }

  @Test func h11_inADryRunAPersonsSessionEndsWhatWouldRun() throws {
    let world = try world(Self.dryRun)
    world.beats(11, 100)
    #expect(phase(world) == "wouldRun")
    world.call("Prepare")
    #expect(phase(world) == "busy")
    #expect(world.events.contains { if case .unattended(.wouldEnd) = $0.what { true } else { false } })
  }

  @Test func h12_aStrapThatWasForgottenDoesNotComeBackByBeingTakenOff() throws {
    let world = try world()
    runAndEnd(world)
    try configure(world, Self.off)
    world.advance(.seconds(5))
    #expect(world.call("ForgetStrap", ["strap": .string(World.a.description)])["error"] == nil)
    world.advance(.seconds(3700))
    #expect(!world.knownStraps.contains { $0.address == World.a })
  }
}
