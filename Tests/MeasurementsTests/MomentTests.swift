import Measurements
import Testing

struct MomentTests {
  private let now = Moment(
    tick: Tick(nanoseconds: 5_000_000_000), wall: WallTime(nanoseconds: 1_796_029_811_000_000_000))

  @Test func aTickIsLaidOntoTheWallClock() {
    #expect(now.wall(at: now.tick) == now.wall)
    #expect(now.wall(at: now.tick + .milliseconds(1500)).rfc3339 == "2026-11-30T09:10:12.500Z")
    #expect(now.wall(at: now.tick - .seconds(12)).rfc3339 == "2026-11-30T09:09:59Z")
  }

  @Test func aWallTimeIsLaidOntoTheBootClock() {
    #expect(now.tick(at: now.wall) == now.tick)
    #expect(now.tick(at: now.wall + .nanoseconds(1)) == Tick(nanoseconds: 5_000_000_001))
    #expect(now.tick(at: now.wall + .seconds(-60)) == Tick(nanoseconds: -55_000_000_000))
  }

  @Test func thereAndBackIsTheSame() {
    for nanoseconds: Int64 in [0, -1, 1, 4_999_999_999, -86_400_000_000_000, 86_400_000_000_001] {
      let tick = Tick(nanoseconds: nanoseconds)
      #expect(now.tick(at: now.wall(at: tick)) == tick)
    }
  }

  @Test func datesOfOtherCenturiesAreHeldAndDoNotTrap() throws {
    // The span is held first and the sum then, so that the result may be off by the clock's own value: what counts is
    // that it is far away and on the right side.
    let early = try #require(WallTime(rfc3339: "1678-01-01T00:00:00Z"))
    #expect(now.tick(at: early) < Tick(nanoseconds: -9_223_372_000_000_000_000))
    #expect(now.wall(at: Tick(nanoseconds: .min)) < early + .seconds(86_400 * 365 * 60))

    let late = WallTime(nanoseconds: .max)
    #expect(now.tick(at: late) == Tick(nanoseconds: .max - now.wall.nanoseconds + now.tick.nanoseconds))
    #expect(now.wall(at: Tick(nanoseconds: .max)) == late)
  }

  private func moment(_ seconds: Int64, ahead: Duration = .zero) -> Moment {
    Moment(
      tick: Tick(nanoseconds: seconds * 1_000_000_000), wall: WallTime(nanoseconds: seconds * 1_000_000_000) + ahead)
  }

  @Test(arguments: [3600, -3600, 1_796_029_000])
  func aStepIsWhatTheWallClockHasGoneFarther(seconds: Int64) {
    let step = Duration.seconds(seconds)
    #expect(moment(100, ahead: step).drift(since: moment(99)) == step)
    for wasSet in [true, false] {
      #expect(moment(100, ahead: step).step(since: moment(99), wasSet: wasSet) == step)
      #expect(moment(7300, ahead: step).step(since: moment(99), wasSet: wasSet) == step, "after two hours of sleep")
    }
  }

  /// The kernel slews by 0.05 %, chrony by up to 8.3 %; ntpd steps from 128 ms on, timesyncd from 400 ms.
  @Test func slewingIsNoStep() {
    #expect(moment(2, ahead: .milliseconds(83)).step(since: moment(1), wasSet: false) == nil)
    #expect(moment(61, ahead: .milliseconds(-4980)).step(since: moment(1), wasSet: false) == nil)
    #expect(moment(2, ahead: .milliseconds(128)).step(since: moment(1), wasSet: true) == .milliseconds(128))
    #expect(moment(61, ahead: .milliseconds(-128)).step(since: moment(1), wasSet: true) == .milliseconds(-128))
    #expect(moment(61, ahead: .milliseconds(30)).step(since: moment(1), wasSet: true) == nil)
    #expect(moment(36_001, ahead: .seconds(18)).step(since: moment(1), wasSet: true) == nil, "ten hours at 0.05 %")
  }
}
