import Testing

@testable import Measurements

struct TickTests {
  @Test func ticksAreOrderedAndMayLieBeforeTheBoot() {
    #expect(Tick(nanoseconds: -1) < Tick(nanoseconds: 0))
    #expect(Tick(nanoseconds: .min) < Tick(nanoseconds: .max))
    #expect(Tick(nanoseconds: 5) + .nanoseconds(-7) == Tick(nanoseconds: -2))
  }

  @Test func spansAreExactToTheNanosecond() {
    let tick = Tick(nanoseconds: 1_000_000_000)
    #expect(tick + .nanoseconds(1) == Tick(nanoseconds: 1_000_000_001))
    #expect(tick - .milliseconds(1) == Tick(nanoseconds: 999_000_000))
    #expect(tick - Tick(nanoseconds: 3_000_000_001) == .nanoseconds(-2_000_000_001))
    #expect(tick + .seconds(86_400 * 365) == Tick(nanoseconds: 31_536_001_000_000_000))
  }

  @Test func sumsAreHeldWithin64Bits() {
    let (first, last) = (Tick(nanoseconds: .min), Tick(nanoseconds: .max))
    #expect(last + .nanoseconds(1) == last)
    #expect(last + .seconds(Int64.max) == last)
    #expect(first + .nanoseconds(-1) == first)
    #expect(first - .nanoseconds(1) == first)
    #expect(first - .seconds(Int64.max) == first)
    #expect(last - .seconds(Int64.min) == last)
    #expect(Tick(nanoseconds: 0) - .seconds(Int64.min) == last)
    #expect(last + .nanoseconds(-1) == Tick(nanoseconds: .max - 1))
  }

  @Test func differencesAreExactHoweverFarApart() {
    let whole = Tick(nanoseconds: .max) - Tick(nanoseconds: .min)
    #expect(whole == .seconds(18_446_744_073) + .nanoseconds(709_551_615))
    #expect(Tick(nanoseconds: .min) - Tick(nanoseconds: .max) == .zero - whole)
  }

  private static let spans: [(Duration, Int64)] = [
    (.zero, 0),
    (.nanoseconds(1), 1),
    (.nanoseconds(-1), -1),
    (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
    (Duration(secondsComponent: 0, attosecondsComponent: -999_999_999), 0),
    (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
    (Duration(secondsComponent: 1, attosecondsComponent: 1_500_000_000), 1_000_000_001),
    (.seconds(9_223_372_036) + .nanoseconds(854_775_807), .max),
    (.seconds(9_223_372_036) + .nanoseconds(854_775_808), .max),
    (.seconds(9_223_372_037), .max),
    (.seconds(-9_223_372_036) - .nanoseconds(854_775_808), .min),
    (.seconds(-9_223_372_036) - .nanoseconds(854_775_809), .min),
    (.seconds(Int64.max), .max),
    (.seconds(Int64.min), .min),
  ]

  @Test(arguments: spans)
  func wholeNanosecondsAreRoundedTowardsZeroAndHeld(span: Duration, nanoseconds: Int64) {
    #expect(span.wholeNanoseconds == nanoseconds)
  }

  @Test func secondsAsAFraction() {
    #expect(Duration.milliseconds(1500).inSeconds == 1.5)
    #expect(Duration.milliseconds(-250).inSeconds == -0.25)
    #expect(Duration.zero.inSeconds == 0)
    #expect(Duration.seconds(1_000_000_000).inSeconds == 1e9)
  }
}
