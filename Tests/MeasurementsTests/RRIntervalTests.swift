import Measurements
import Testing

struct RRIntervalTests {
  @Test func millisecondsAreExactForEveryTick() {
    // 1/1024 s is 125/128 ms: a fraction of a power of two, so that Double holds it to the last bit.
    for ticks in UInt16.min...UInt16.max {
      let milliseconds = RRInterval(ticks1024: ticks).milliseconds
      if milliseconds * 128 != Double(Int(ticks) * 125) {
        Issue.record("\(ticks) ticks are \(milliseconds) ms")
        return
      }
    }
    #expect(RRInterval(ticks1024: 1024).milliseconds == 1000)
    #expect(RRInterval(ticks1024: 819).milliseconds == 799.8046875)
    #expect(RRInterval(ticks1024: 1).milliseconds == 0.9765625)
  }

  @Test func nanosecondsAreAtMostHalfOneShort() {
    for ticks in UInt16.min...UInt16.max {
      let short = Int64(ticks) * 1_000_000_000 - RRInterval(ticks1024: ticks).nanoseconds * 1024
      if !(0...512).contains(short) {
        Issue.record("\(ticks) ticks are \(RRInterval(ticks1024: ticks).nanoseconds) ns")
        return
      }
    }
    #expect(RRInterval(ticks1024: 1024).nanoseconds == 1_000_000_000)
    #expect(RRInterval(ticks1024: 1).nanoseconds == 976_562)
    #expect(RRInterval(ticks1024: .max).nanoseconds == 63_999_023_437)
  }
}
