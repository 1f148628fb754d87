import Measurements
import Testing

@testable import Store

@Suite struct BootAxisTests {
  private static func moment(_ tick: Int64, wall: Int64, isSure: Bool = false) -> Moment {
    Moment(tick: .at(tick), wall: WallTime(nanoseconds: wall * 1_000_000_000), isSynchronised: isSure)
  }

  /// A boot whose clock was known to be right at this pair.
  private static func sure(_ number: Int64, _ tick: Int64, wall: Int64) -> Boot {
    let clocks = moment(tick, wall: today + wall, isSure: true)
    return Boot(number: number, id: "\(number)", clocks: clocks, fixed: clocks, sure: clocks, alive: nil)
  }

  private static func unsure(_ number: Int64, _ tick: Int64, wall: Int64) -> Boot {
    Boot(number: number, id: "\(number)", clocks: moment(tick, wall: wall), alive: nil)
  }

  private static let today: Int64 = 1_796_025_600

  @Test func thisBootIsAsItIs() {
    let axis = BootAxis(current: 1, now: Self.moment(50, wall: 1_000), boots: [], newest: [])
    #expect(axis.tick(.at(7), of: 1) == .at(7))
    #expect(axis.tick(.at(-7), of: 1) == .at(-7))
    #expect(axis.tick(.at(7), of: 2) == nil)
  }

  /// Clocks of the old boot: tick 100 at wall 1100. Now: tick 30 at wall 1230. So tick 0 was at wall 1200 for this boot,
  /// and old tick 100 is at −100.
  @Test func anEarlierBootIsLaidOnByTheWallClock() {
    let old = Self.unsure(1, 100, wall: 1_100)
    let axis = BootAxis(current: 2, now: Self.moment(30, wall: 1_230), boots: [old], newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-100))
    #expect(axis.tick(.at(10), of: 1) == .at(-190))
    #expect(axis.tick(.at(30), of: 2) == .at(30))
  }

  @Test func eachOfSeveralBootsHasItsOwnOffset() {
    let boots = [
      Self.unsure(1, 100, wall: 1_100),
      Self.unsure(2, 50, wall: 1_200),
      Self.unsure(3, 9, wall: 1_300),
    ]
    let axis = BootAxis(current: 3, now: Self.moment(10, wall: 1_301), boots: boots, newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-191))
    #expect(axis.tick(.at(50), of: 2) == .at(-91))
    #expect(axis.tick(.at(9), of: 3) == .at(9))
  }

  /// A board without a clock of its own comes up in 1970.
  @Test func aClockThatIsBehindKeepsTheOrder() {
    let boots = [
      Self.unsure(1, 100, wall: 1_000_100),
      Self.unsure(2, 40, wall: 1_000_200),
    ]
    let axis = BootAxis(
      current: 3, now: Self.moment(30, wall: 30), boots: boots, newest: [BootTick(boot: 2, tick: .at(60))])
    #expect(axis.tick(.at(60), of: 2) == .at(0), "the newest tick of the boot before is where this one began")
    #expect(axis.tick(.at(0), of: 2) == .at(-60))
    #expect(axis.tick(.at(100), of: 1) == .at(-120), "between the two of them their clocks lead")
  }

  @Test func aClockThatWasBehindMovesNoOtherBoot() {
    let boots = [
      Self.unsure(1, 100, wall: 1_100),
      Self.unsure(2, 40, wall: 40),
    ]
    let axis = BootAxis(current: 3, now: Self.moment(30, wall: 1_300), boots: boots, newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-170))
    #expect(axis.tick(.at(0), of: 2) == .at(-170))
    #expect(axis.tick(.at(40), of: 2) == .at(-130))
  }

  @Test func aClockThatWasAheadKeepsTheOrder() {
    let boots = [
      Self.unsure(1, 100, wall: 9_000),
      Self.unsure(2, 40, wall: 1_200),
    ]
    let axis = BootAxis(current: 3, now: Self.moment(30, wall: 1_300), boots: boots, newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-40))
    #expect(axis.tick(.at(0), of: 2) == .at(-40))
    #expect(axis.tick(.at(40), of: 2) == .at(0))
  }

  // MARK: Clocks that are right, and others

  /// 1970 before, and the right time now: the machine was off for a moment, as far as anybody knows, and not for 56 years.
  @Test func aClockBeforeThisProgramSaysNothing() {
    let axis = BootAxis(
      current: 2, now: Self.moment(30, wall: Self.today, isSure: true), boots: [Self.unsure(1, 100, wall: 100)],
      newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(0))
    #expect(!axis.isSettled(1))
    #expect(axis.isSettled(2))
  }

  /// Wrong and ahead, between two boots with right clocks: it lies between them.
  @Test func aWrongClockBetweenRightOnes() {
    for wrong in [100, Self.today - 500_000, Self.today + 5_000, Self.today + 500_000] {
      let axis = BootAxis(
        current: 3, now: Self.moment(30, wall: Self.today + 10_030, isSure: true),
        boots: [Self.sure(1, 100, wall: 100), Self.unsure(2, 50, wall: wrong)], newest: [])
      #expect(axis.tick(.at(100), of: 1) == .at(-9_900), "known by its own clock and this one")
      #expect(axis.isSettled(1) && !axis.isSettled(2))
      let began = axis.tick(.at(0), of: 2) ?? .at(0)
      #expect(began >= .at(-9_900) && began <= .at(-50), "\(wrong)")
    }
  }

  @Test func laidAnewByTheRightClock() {
    var axis = BootAxis(
      current: 2, now: Self.moment(30, wall: 30), boots: [Self.sure(1, 100, wall: 100)], newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(0))
    #expect(!axis.isSettled(1))
    axis.lay(at: Self.moment(90, wall: Self.today + 3_690, isSure: true))
    #expect(axis.tick(.at(100), of: 1) == .at(-3_500))
    #expect(axis.isSettled(1))
    axis.lay(at: Self.moment(95, wall: Self.today))
    #expect(axis.tick(.at(100), of: 1) == .at(-3_500), "what was known is not given up for a clock that is set wrong")
  }

  /// What is written of an earlier boot moves with it.
  @Test func aTickHasItsPlaceInTheBootThatCountedIt() {
    var axis = BootAxis(
      current: 3, now: Self.moment(30, wall: 30),
      boots: [Self.sure(1, 100, wall: 100), Self.sure(2, 50, wall: 1_050)],
      newest: [BootTick(boot: 2, tick: .at(60))])
    #expect(axis.tick(.at(60), of: 2) == .at(0))
    #expect(axis.place(.at(7)) == BootTick(boot: 3, tick: .at(7)))
    #expect(axis.place(.at(0)) == BootTick(boot: 2, tick: .at(60)), "this boot's clock is behind, and has begun then")
    #expect(axis.place(.at(-60)) == BootTick(boot: 2, tick: .at(0)))
    #expect(axis.place(.at(-61)) == BootTick(boot: 3, tick: .at(-61)), "nobody counted it")
    #expect(axis.place(.at(-960)) == BootTick(boot: 1, tick: .at(100)))
    axis.lay(at: Self.moment(40, wall: Self.today + 2_000, isSure: true))
    #expect(axis.place(.at(-900)) == BootTick(boot: 2, tick: .at(60)))
  }

  @Test func datesAreByTheClockAsItWasSetLater() {
    var axis = BootAxis(current: 2, now: Self.moment(30, wall: 30), boots: [], newest: [])
    axis.stepped(ClockStep(at: BootTick(boot: 1, tick: .at(5)), size: .seconds(1000)))
    axis.stepped(ClockStep(at: BootTick(boot: 2, tick: .at(50)), size: .seconds(100)))
    axis.stepped(ClockStep(at: BootTick(boot: 2, tick: .at(60)), size: .seconds(-7)))
    let date = WallTime(nanoseconds: 40_000_000_000)
    func label(_ tick: Int64, written: Int64, boot: Int64 = 2) -> Int64 {
      let written = BootTick(boot: 2, tick: .at(written))
      let moved = axis.label(date, of: BootTick(boot: boot, tick: .at(tick)), written: written)
      return (moved - date).wholeNanoseconds / 1_000_000_000
    }
    #expect(label(40, written: 40) == 93)
    #expect(label(40, written: 50) == -7, "written in the same wake-up, and behind the step")
    #expect(label(40, written: 60) == 0)
    #expect(label(-40, written: 40) == 0, "before the boot only its date is known")
    #expect(label(4, written: 40, boot: 1) == 0, "another boot's moment, which was right when it was written down")
  }

  /// A right clock that was set by an hour in a boot, by a better server perhaps: what was fixed before it stays, and the gap
  /// behind the boot is by the clock as it was at its end.
  @Test func aRightClockThatIsSetOnceMore() {
    let fixed = Self.moment(10, wall: Self.today + 10, isSure: true)
    let sure = Self.moment(100, wall: Self.today + 3_700, isSure: true)
    let boot = Boot(number: 1, id: "1", clocks: sure, fixed: fixed, sure: sure, alive: nil)
    let axis = BootAxis(
      current: 2, now: Self.moment(30, wall: Self.today + 4_730, isSure: true), boots: [boot], newest: [])
    #expect(axis.tick(.at(100), of: 1) == .at(-1_000))
    #expect(axis.tick(.at(0), of: 1) == .at(-1_100))
  }
}
