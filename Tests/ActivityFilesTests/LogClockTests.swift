import Testing

@testable import ActivityFiles

@Suite struct LogClockTests {
  @Test func theAxisNeverGoesBackAndRunsOnAfterTheClockWasSet() {
    var clock = LogClock()
    let dates: [Int64] = [1000, 1500, 1400, 1600, -5_000_000_000, -4_999_999_900, 9_000_000_000_000_000]
    let times = dates.map { clock.time(of: $0) }
    #expect(times.map(\.axis) == [0, 500, 500, 600, 600, 700, 3_600_000_700])
    #expect(times.map(\.date) == [1000, 1500, 1500, 1600, -5_000_000_000, -4_999_999_900, 9_000_000_000_000_000])
    #expect(clock.setBack == 1)
  }

  @Test func dropsAreCountedByTheirCounter() {
    var drops = LogDrops()
    let time = LogTime(date: 5, axis: 7)
    for (counter, count) in [(9, 0), (9, 0), (10, 1), (0, 1), (3, 2)] as [(UInt32, Int)] {
      drops.note(counter, at: time)
      #expect(drops.count == count)
    }
    #expect(drops.axis == 7)
  }
}
