import Measurements
import Testing

@testable import Engine

struct AdapterChoiceTests {
  typealias Candidate = AdapterChoice.Candidate

  private static let a = StrapAddress("00:AA:01:00:00:42")!
  private static let b = StrapAddress("00:AA:01:00:00:43")!
  private static let c = StrapAddress("00:AA:01:00:00:44")!
  private static let start = Tick(nanoseconds: 0)

  private static func heard(_ adapter: StrapAddress, _ signal: Int16?) -> Candidate {
    Candidate(adapter: adapter, isKnowing: true, signal: signal)
  }

  private static func deaf(_ adapter: StrapAddress) -> Candidate { Candidate(adapter: adapter) }

  private static func off(_ adapter: StrapAddress) -> Candidate { Candidate(adapter: adapter, isPowered: false) }

  private static func connected(_ adapter: StrapAddress) -> Candidate {
    Candidate(adapter: adapter, isKnowing: true, isConnected: true)
  }

  /// What is chosen at once for a strap that begins to be wanted.
  private static let atOnce: [(candidates: [Candidate], chosen: StrapAddress?)] = [
    ([], nil), ([deaf(a)], a), ([off(a)], a), ([heard(a, nil)], a), ([off(a), off(b)], nil), ([off(a), deaf(b)], b),
    ([heard(a, -40), heard(b, -90)], a), ([heard(a, -90), heard(b, -40)], b), ([heard(a, -50), heard(b, -50)], a),
    ([connected(a), heard(b, -40)], a), ([heard(a, -40), connected(b)], b),
    ([heard(a, -40), Candidate(adapter: b, isKnowing: true, isBonded: true, signal: -90)], b),
    // They are listened to first.
    ([heard(a, -40), deaf(b)], nil), ([heard(a, nil), heard(b, nil)], nil), ([deaf(a), deaf(b)], nil),
  ]

  @Test(arguments: atOnce.indices)
  func choosesAtOnce(_ index: Int) {
    let (candidates, chosen) = Self.atOnce[index]
    var choice = AdapterChoice()
    choice.begin()
    choice.choose(among: candidates, wantedAt: Self.start)
    #expect(choice.adapter == chosen)
    #expect(chosen == nil || choice.decision == nil)
  }

  /// What is chosen in the end, if nothing changes; nil in the last place where nothing is to be waited for.
  private static let later: [(candidates: [Candidate], after: Duration?, chosen: StrapAddress?)] = [
    ([heard(a, -90), deaf(b)], .seconds(1), a), ([heard(a, nil), heard(b, nil)], .seconds(3), a),
    ([deaf(a), heard(b, nil)], .seconds(3), b), ([deaf(a), deaf(b)], nil, nil),
    ([heard(a, -90), heard(b, -60), deaf(c)], .seconds(1), b),
  ]

  @Test(arguments: later.indices)
  func listensFirst(_ index: Int) {
    let (candidates, span, chosen) = Self.later[index]
    var choice = AdapterChoice()
    choice.choose(among: candidates, wantedAt: Self.start)
    #expect(choice.adapter == nil)
    #expect(choice.decision == span.map { Self.start + $0 })
    guard let span else { return }
    choice.choose(among: candidates, wantedAt: Self.start + span - .milliseconds(1))
    #expect(choice.adapter == nil)
    choice.choose(among: candidates, wantedAt: Self.start + span)
    #expect(choice.adapter == chosen)
    #expect(choice.decision == nil)
  }

  @Test func whatIsHeardShortensTheListening() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.heard(Self.a, nil), Self.deaf(Self.b)], wantedAt: Self.start)
    choice.choose(among: [Self.heard(Self.a, nil), Self.heard(Self.b, -80)], wantedAt: Self.start + .seconds(1))
    #expect(choice.decision == Self.start + .seconds(2))
    choice.choose(
      among: [Self.heard(Self.a, -50), Self.heard(Self.b, -80)], wantedAt: Self.start + .milliseconds(1500))
    #expect(choice.adapter == Self.a)
  }

  @Test func aStrapThatNobodyWantsIsNotListenedFor() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.deaf(Self.a), Self.heard(Self.b, nil)], wantedAt: nil)
    #expect(choice.adapter == Self.b)
    #expect(choice.decision == nil)
  }

  @Test func staysWhileNothingFails() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.heard(Self.a, -50), Self.heard(Self.b, -80)], wantedAt: Self.start)
    choice.choose(among: [Self.heard(Self.a, nil), Self.heard(Self.b, -30)], wantedAt: Self.start)
    #expect(choice.adapter == Self.a)
  }

  @Test func afterAFailureAnotherThatHearsItIsTried() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.heard(Self.a, -50), Self.heard(Self.b, -80)], wantedAt: Self.start)
    choice.fail()
    // Nobody else hears it: there is nothing better.
    choice.choose(among: [Self.heard(Self.a, -50), Self.heard(Self.b, nil)], wantedAt: Self.start)
    #expect(choice.adapter == Self.a)
    let both = [Self.heard(Self.a, -50), Self.heard(Self.b, -80)]
    choice.choose(among: both, wantedAt: Self.start)
    #expect(choice.adapter == Self.b)
    // And so on by turns.
    for expected in [Self.a, Self.b, Self.a] {
      choice.fail()
      choice.choose(among: both, wantedAt: Self.start)
      #expect(choice.adapter == expected)
    }
    choice.succeed()
    choice.choose(among: both, wantedAt: Self.start)
    #expect(choice.adapter == Self.a)
  }

  @Test func threeAreTriedByTurns() {
    var choice = AdapterChoice()
    let all = [Self.heard(Self.a, -50), Self.heard(Self.b, -60), Self.heard(Self.c, -70)]
    choice.choose(among: all, wantedAt: Self.start)
    var tried = [choice.adapter]
    for _ in 0..<5 {
      choice.fail()
      choice.choose(among: all, wantedAt: Self.start)
      tried.append(choice.adapter)
    }
    #expect(tried == [Self.a, Self.b, Self.c, Self.a, Self.b, Self.c])
  }

  @Test func oneThatGoesOffIsLeftForOneThatIsOn() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.heard(Self.a, -50), Self.heard(Self.b, -80)], wantedAt: Self.start)
    choice.choose(among: [Self.off(Self.a), Self.heard(Self.b, -80)], wantedAt: Self.start)
    #expect(choice.adapter == Self.b)
    // Where all are off, it stays.
    choice.choose(among: [Self.off(Self.a), Self.off(Self.b)], wantedAt: Self.start)
    #expect(choice.adapter == Self.b)
    // It was pulled out.
    choice.choose(among: [Self.deaf(Self.a)], wantedAt: Self.start)
    #expect(choice.adapter == Self.a)
    choice.choose(among: [], wantedAt: Self.start)
    #expect(choice.adapter == nil)
  }

  @Test func anAdapterThatForgetsTheStrapIsNoBetterThanTheOthers() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.heard(Self.a, -50), Self.heard(Self.b, -80)], wantedAt: Self.start)
    choice.choose(among: [Self.deaf(Self.a), Self.deaf(Self.b)], wantedAt: Self.start)
    #expect(choice.adapter == nil)
    choice.choose(among: [Self.heard(Self.a, -90), Self.heard(Self.b, -80)], wantedAt: Self.start)
    #expect(choice.adapter == Self.b)
  }

  @Test func whatSomebodyHasSaidCounts() {
    var choice = AdapterChoice()
    choice.choose(among: [Self.heard(Self.a, -50), Self.deaf(Self.b)], wantedAt: Self.start)
    choice.fix(Self.b)
    #expect(choice.adapter == Self.b)
    #expect(choice.decision == nil)
  }
}
