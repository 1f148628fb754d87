import Measurements
import Testing

@testable import Store

@Suite struct BootAxisTests {
  private static func moment(_ tick: Int64, wall: Int64) -> Moment {
    Moment(tick: .at(tick), wall: WallTime(nanoseconds: wall * 1_000_000_000))
  }

  @Test func thisBootIsAsItIs() {
    let axis = BootAxis(current: 1, now: Self.moment(50, wall: 1_000), boots: [], newest: [])
    #expect(axis.tick(.at(7), of: 1) == .at(7))
    #expect(axis.tick(.at(-7), of: 1) == .at(-7))
    #expect(axis.tick(.at(7), of: 2) == nil)
  }

  /// Clocks of the old boot: tick 100 at wall 1100. Now: tick 30 at wall 1230. So tick 0 was at wall 1200 for this boot,
  /// and old tick 100 is at −100.
  @Test func anEarlierBootIsLaidOnByTheWallClock() {
    let old = Boot(number: 1, id: "a", clocks: Self.moment(100, wall: 1_100), alive: nil)
    let axis = BootAxis(current: 2, now: Self.moment(30, wall: 1_230), boots: [old], newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-100))
    #expect(axis.tick(.at(10), of: 1) == .at(-190))
    #expect(axis.tick(.at(30), of: 2) == .at(30))
  }

  @Test func eachOfSeveralBootsHasItsOwnOffset() {
    let boots = [
      Boot(number: 1, id: "a", clocks: Self.moment(100, wall: 1_100), alive: nil),
      Boot(number: 2, id: "b", clocks: Self.moment(50, wall: 1_200), alive: nil),
      Boot(number: 3, id: "c", clocks: Self.moment(9, wall: 1_300), alive: nil),
    ]
    let axis = BootAxis(current: 3, now: Self.moment(10, wall: 1_301), boots: boots, newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-191))
    #expect(axis.tick(.at(50), of: 2) == .at(-91))
    #expect(axis.tick(.at(9), of: 3) == .at(9))
  }

  /// A board without a clock of its own comes up in 1970.
  @Test func aClockThatIsBehindKeepsTheOrder() {
    let boots = [
      Boot(number: 1, id: "a", clocks: Self.moment(100, wall: 1_000_100), alive: nil),
      Boot(number: 2, id: "b", clocks: Self.moment(40, wall: 1_000_200), alive: nil),
    ]
    let axis = BootAxis(
      current: 3, now: Self.moment(30, wall: 30), boots: boots, newest: [BootTick(boot: 2, tick: .at(60))])
    #expect(axis.tick(.at(60), of: 2) == .at(0), "the newest tick of the boot before is where this one began")
    #expect(axis.tick(.at(0), of: 2) == .at(-60))
    #expect(axis.tick(.at(100), of: 1) == .at(-120), "between the two of them their clocks lead")
  }

  @Test func aClockThatWasBehindMovesNoOtherBoot() {
    let boots = [
      Boot(number: 1, id: "a", clocks: Self.moment(100, wall: 1_100), alive: nil),
      Boot(number: 2, id: "b", clocks: Self.moment(40, wall: 40), alive: nil),
    ]
    let axis = BootAxis(current: 3, now: Self.moment(30, wall: 1_300), boots: boots, newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-170))
    #expect(axis.tick(.at(0), of: 2) == .at(-170))
    #expect(axis.tick(.at(40), of: 2) == .at(-130))
  }

  @Test func aClockThatWasAheadKeepsTheOrder() {
    let boots = [
      Boot(number: 1, id: "a", clocks: Self.moment(100, wall: 9_000), alive: nil),
      Boot(number: 2, id: "b", clocks: Self.moment(40, wall: 1_200), alive: nil),
    ]
    let axis = BootAxis(current: 3, now: Self.moment(30, wall: 1_300), boots: boots, newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-40))
    #expect(axis.tick(.at(0), of: 2) == .at(-40))
    #expect(axis.tick(.at(40), of: 2) == .at(0))
  }
}
