import Control
import Measurements
import Testing

@testable import Engine

@Suite struct TimingsTests {
  @Test func nothingIsToldOfNothing() {
    let histogram = TimingHistogram()
    #expect(histogram.quantile(0.5) == nil)
    #expect(
      histogram.snapshot(of: nil)
        == TimingSnapshot(method: nil, count: 0, median: nil, percentile99: nil, longest: nil))
  }

  @Test func whatIsToldIsAtMostASixteenthTooMuch() {
    for exponent in 0..<62 {
      for offset in [Int64(-1), 0, 1, 7] {
        let exact = max(0, Int64(1) << exponent + offset)
        var histogram = TimingHistogram()
        histogram.add(.nanoseconds(exact))
        histogram.add(.nanoseconds(Int64.max))
        let told = histogram.quantile(0.5)?.wholeNanoseconds ?? -1
        #expect(told >= exact && Double(told) <= Double(exact) * 17 / 16, "\(exact)")
        #expect(histogram.longest == .nanoseconds(Int64.max))
      }
    }
  }

  @Test func quantilesOfManyAreThoseOfTheSortedList() {
    var generator = SplitMix64(state: 7)
    var histogram = TimingHistogram()
    let all = (0..<5000).map { _ in Int64.random(in: 0...50_000_000, using: &generator) }.sorted()
    for value in all.shuffled(using: &generator) { histogram.add(.nanoseconds(value)) }
    for share in [0.001, 0.5, 0.9, 0.99, 1] {
      let exact = all[Int((share * 5000).rounded(.up)) - 1]
      let told = histogram.quantile(share)?.wholeNanoseconds ?? -1
      #expect(told >= exact && Double(told) <= Double(exact) * 17 / 16, "\(share)")
    }
    #expect(histogram.quantile(1) == .nanoseconds(all[4999]))
    #expect(histogram.quantile(0) == histogram.quantile(0.0001))
  }

  /// A clock that has gone back, as none should.
  @Test func lessThanNothingIsNothing() {
    var histogram = TimingHistogram()
    histogram.add(.nanoseconds(-5))
    #expect(histogram.quantile(0.5) == .zero)
  }

  @Test func eachCallIsTimedFromWhenItWasTaken() throws {
    let world = World()
    for method in ["GetStatus", "ListStraps", "ListStraps", "GetWorkout", "Frobnicate"] { _ = world.call(method) }
    let calls = world.call("GetTimings")["parameters"]?["calls"]?.asArray ?? []
    #expect(
      calls.map { "\($0["method"]?.asString ?? "?") \($0["count"]?.asInteger ?? 0)" } == [
        "GetStatus 1", "ListStraps 2",
      ])
  }
}
