import Measurements
import Testing

@testable import strap_sim

@Suite struct RhythmTests {
  /// Over any length of time the intervals make the rate: sums, counted in ticks of 1/1024 s, are off by one beat at most.
  @Test(arguments: [30, 47, 60, 77, 120, 171, 255, 300])
  func intervalsMakeTheRate(rate: Int) {
    var rhythm = Rhythm(.steady(rate), at: Tick(nanoseconds: 0))
    var count = 0
    var sum = 0
    for second in 1...600 {
      let intervals = rhythm.intervals(until: Tick(nanoseconds: Int64(second) * 1_000_000_000))
      count += intervals.count
      sum += intervals.reduce(0) { $0 + Int($1.ticks1024) }
      #expect(sum <= second * 1024)
      #expect(sum > second * 1024 - 61_440 / rate - 1)
    }
    #expect(abs(count - rate * 10) <= 1)
    #expect(rhythm.rate(at: Tick(nanoseconds: 600_000_000_000)) == rate)
  }

  @Test func aPacketMayHaveNoneOrSeveral() {
    var slow = Rhythm(.steady(40), at: Tick(nanoseconds: 0))
    let counts = (1...6).map { slow.intervals(until: Tick(nanoseconds: $0 * 1_000_000_000)).count }
    #expect(counts == [0, 1, 1, 0, 1, 1])
    var fast = Rhythm(.steady(180), at: Tick(nanoseconds: 0))
    #expect(fast.intervals(until: Tick(nanoseconds: 1_000_000_000)).map(\.ticks1024) == [341, 341, 342])
    #expect(fast.intervals(until: Tick(nanoseconds: 1_999_000_000)).map(\.ticks1024) == [341, 341])
  }

  @Test func exerciseIsPlausible() {
    var rhythm = Rhythm(.auto, at: Tick(nanoseconds: 0))
    #expect(rhythm.rate(at: Tick(nanoseconds: 0)) == 84)
    #expect(rhythm.rate(at: Tick(nanoseconds: 180_000_000_000)) == 144)
    #expect(rhythm.rate(at: Tick(nanoseconds: 360_000_000_000)) == 84)
    var last = 84
    var different: Set<UInt16> = []
    for second in 1...360 as ClosedRange<Int64> {
      let now = Tick(nanoseconds: second * 1_000_000_000)
      let rate = rhythm.rate(at: now)
      #expect(abs(rate - last) <= 1)
      last = rate
      for interval in rhythm.intervals(until: now) {
        different.insert(interval.ticks1024)
        #expect(abs(61_440 / Double(interval.ticks1024) / Double(rate) - 1) < 0.06)
      }
    }
    #expect(different.count > 100)
  }

  @Test func noReadingHasNoBeats() {
    var rhythm = Rhythm(.steady(0), at: Tick(nanoseconds: 0))
    #expect(rhythm.intervals(until: Tick(nanoseconds: 9_000_000_000)).isEmpty)
    #expect(rhythm.rate(at: Tick(nanoseconds: 9_000_000_000)) == 0)
    rhythm.pace = .steady(60)
    #expect(rhythm.intervals(until: Tick(nanoseconds: 10_000_000_000)).map(\.ticks1024) == [1024])
  }

  /// After a suspend a strap does not send an hour of beats.
  @Test func whatNobodyAskedForIsForgotten() {
    var rhythm = Rhythm(.steady(60), at: Tick(nanoseconds: 0))
    #expect(rhythm.intervals(until: Tick(nanoseconds: 3_600_000_000_000)).isEmpty)
    #expect(rhythm.intervals(until: Tick(nanoseconds: 3_601_000_000_000)).count == 1)
  }
}
