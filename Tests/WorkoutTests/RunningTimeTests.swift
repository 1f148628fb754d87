import Measurements
import Testing
import Workout

@Suite struct RunningTimeTests {
  @Test func isTheSumOfTheRunningIntervals() {
    var time = RunningTime()
    #expect(time.elapsed(at: .at(5)) == .zero)
    #expect(!time.isRunning)
    time.run(at: .at(10))
    #expect(time.isRunning)
    #expect(time.elapsed(at: .at(12)) == .seconds(2))
    time.halt(at: .at(15))
    #expect(time.elapsed(at: .at(100)) == .seconds(5))
    time.run(at: .at(20))
    #expect(time.elapsed(at: .at(21)) == .seconds(6))
    time.halt(at: .at(22))
    #expect(time.elapsed(at: .at(100)) == .seconds(7))
  }

  @Test func redundantCallsChangeNothing() {
    var time = RunningTime()
    time.halt(at: .at(1))
    time.run(at: .at(10))
    time.run(at: .at(12))
    time.halt(at: .at(15))
    time.halt(at: .at(18))
    #expect(time.elapsed(at: .at(20)) == .seconds(5))
  }

  @Test func neverRunsBackwards() {
    var time = RunningTime()
    time.run(at: .at(10))
    #expect(time.elapsed(at: .at(5)) == .zero)
    time.halt(at: .at(8))
    #expect(time.elapsed(at: .at(20)) == .zero)
  }

  /// 10,000 pauses; the i-th interval lasts 3 s and i × 7 ns, so the sum is 30,000 s and 7 ns × 49,995,000.
  @Test func tenThousandPausesAreExact() {
    var time = RunningTime()
    var tick = Tick.at(1)
    for i in 0..<10_000 {
      time.run(at: tick)
      tick = tick + .seconds(3) + .nanoseconds(i * 7)
      time.halt(at: tick)
      tick = tick + .milliseconds(1_234)
    }
    #expect(time.elapsed(at: tick) == .nanoseconds(30_000_349_965_000))
  }
}
