import Control
import Testing

@testable import Engine

/// A client has the store checked, by a program that the test plays.
struct VerificationScenarioTests {
  private static func ask(_ world: World, _ caller: Caller = Caller()) -> ClientID {
    let client = world.connect(caller)
    world.send(client, VarlinkCall("io.strapd.Verify", more: true))
    return client
  }

  private static func error(_ replies: [JSON]) -> String? { replies.last?["error"]?.asString }

  private static func errors(_ world: World) -> [String] {
    world.logs.filter { $0.priority == .error }.map(\.text)
  }

  @Test func nothingIsWrong() {
    let world = World()
    let client = Self.ask(world)
    #expect(world.isVerifying)
    world.input(.verificationSaid(world.engine.verification.number, "5 workouts: nothing is wrong"))
    #expect(world.take(client) == [], "it may be a finding, or the end")
    world.input(.verificationEnded(world.engine.verification.number, 0))
    let replies = world.take(client)
    #expect(
      replies.map { $0["parameters"]?.text ?? "" } == [#"{"sound":true,"summary":"5 workouts: nothing is wrong"}"#])
    #expect(replies.first?["continues"] == nil && !world.isVerifying)
    #expect(Self.errors(world) == [])
    #expect(world.logs.contains { $0.text == "the store was checked: 5 workouts: nothing is wrong" })
  }

  @Test func findingsAreToldAndLogged() {
    let world = World()
    let client = Self.ask(world)
    for number in 1...30 { world.input(.verificationSaid(world.engine.verification.number, "page \(number) is none")) }
    #expect(world.take(client).count == 29, "each as soon as it is known to be one")
    world.input(.verificationSaid(world.engine.verification.number, "30 things are wrong"))
    world.input(.verificationEnded(world.engine.verification.number, 1))
    let replies = world.take(client).compactMap { $0["parameters"] }
    #expect(
      replies.map(\.text) == [#"{"finding":"page 30 is none"}"#, #"{"sound":false,"summary":"30 things are wrong"}"#])
    let errors = Self.errors(world)
    #expect(errors.first == "the store is not sound: page 1 is none")
    #expect(errors.count == 22)
    #expect(
      errors.suffix(2) == ["10 more things are wrong with the store", "the store was checked: 30 things are wrong"])
  }

  /// Of what it has said before, nothing is taken for a result.
  @Test(arguments: [2, nil] as [Int32?])
  func itCouldNotCheck(_ status: Int32?) {
    let world = World()
    let client = Self.ask(world)
    world.input(.verificationSaid(world.engine.verification.number, "there is no file"))
    world.input(.verificationEnded(world.engine.verification.number, status))
    let replies = world.take(client)
    #expect(Self.error(replies) == "io.strapd.VerifyFailed")
    let text = status == 2 ? "there is no file" : "its program was killed"
    #expect(replies.last?["parameters"]?["text"]?.asString == text)
    #expect(!world.isVerifying && Self.errors(world) == [])
    let next = Self.ask(world)
    world.input(.verificationEnded(world.engine.verification.number, 0))
    #expect(
      world.take(next).last?["parameters"]?["text"]?.asString == "its program ended in the middle (exit status 0)",
      "it has said nothing")
  }

  @Test func itCouldNotBeStarted() {
    let world = World()
    let client = Self.ask(world)
    world.input(.verificationFailed(world.engine.verification.number, "cannot start strapd --verify"))
    #expect(world.take(client).last?["parameters"]?["text"]?.asString == "cannot start strapd --verify")
    #expect(world.engine.verification.client == nil)
  }

  @Test func oneAtATimeAndItEndsWithItsClient() {
    let world = World()
    let client = Self.ask(world)
    let other = Self.ask(world)
    #expect(Self.error(world.take(other)) == "io.strapd.VerifyBusy")
    world.input(.verificationSaid(world.engine.verification.number, "page 1 is none"))
    world.input(.clientGone(client))
    #expect(!world.isVerifying)
    // What comes late of the first one's is nothing of the next one's.
    let number = world.engine.verification.number
    world.send(other, VarlinkCall("io.strapd.Verify", more: true))
    #expect(world.isVerifying)
    world.input(.verificationSaid(number, "page 2 is none"))
    world.input(.verificationEnded(number, 0))
    #expect(world.take(other) == [])
    world.input(.verificationSaid(world.engine.verification.number, "all is well"))
    world.input(.verificationEnded(world.engine.verification.number, 0))
    #expect(world.take(other).map { $0["parameters"]?["summary"]?.asString } == ["all is well"])
  }

  @Test func theDaemonEnds() {
    let world = World()
    let client = Self.ask(world)
    world.input(.terminationRequested)
    #expect(Self.error(world.take(client)) == "io.strapd.ShuttingDown" && !world.isVerifying)
    #expect(Self.error(world.take(Self.ask(world))) == "io.strapd.ShuttingDown")
  }

  @Test func readersMayNot() {
    let world = World()
    #expect(Self.error(world.take(Self.ask(world, Caller(.monitor)))) == "org.varlink.service.PermissionDenied")
    #expect(!world.isVerifying)
  }
}
