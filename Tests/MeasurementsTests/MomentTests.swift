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
}
