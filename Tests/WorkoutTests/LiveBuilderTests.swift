import Measurements
import Testing

@testable import Workout

@Suite struct LiveBuilderTests {
  private func begun(at seconds: Int64 = 0) throws -> LiveBuilder {
    var builder = LiveBuilder()
    try builder.take(.began, at: .at(seconds))
    return builder
  }

  @Test func onlySamplesOfRunningTimeCount() throws {
    var builder = LiveBuilder()
    var counted: [Bool] = []
    counted.append(builder.add(.example(60, at: .at(1), rr: [1_000])))
    try builder.take(.began, at: .at(10))
    counted.append(builder.add(.example(61, at: .at(9), rr: [1_000])))  // dated before the start
    counted.append(builder.add(.example(62, at: .at(10), rr: [1_000])))
    try builder.take(.paused, at: .at(20))
    counted.append(builder.add(.example(63, at: .at(21), rr: [1_000])))
    try builder.take(.resumed, at: .at(30))
    counted.append(builder.add(.example(64, at: .at(31), rr: [1_000, 900])))
    try builder.take(.ended, at: .at(40))
    counted.append(builder.add(.example(65, at: .at(41), rr: [1_000])))
    #expect(counted == [false, false, true, false, true, false])
    #expect(builder.heartRate.count == 2)
    #expect(builder.heartRate.minimum == 62 && builder.heartRate.maximum == 64)
    #expect(builder.rrCount == 3)
    #expect(builder.start == .at(10) && builder.end == .at(40))
    #expect(builder.elapsed(at: .at(100)) == .seconds(20))
    #expect(builder.wall(at: .at(100)) == .seconds(30))
    #expect(builder.heartRate.covered(at: .at(100)) == .seconds(10 + 9))
  }

  @Test func timeRunsOnWhileThereIsNoEnd() throws {
    let builder = try begun(at: 10)
    #expect(builder.wall(at: .at(25)) == .seconds(15))
    #expect(builder.elapsed(at: .at(25)) == .seconds(15))
    #expect(LiveBuilder().wall(at: .at(25)) == .zero)
  }

  @Test func lostContactCutsAndCountsForNothing() throws {
    var builder = try begun()
    builder.add(.example(60, at: .at(0), rr: [1_024]))
    builder.add(.example(200, at: .at(4), contact: .notDetected, rr: [300, 300]))
    #expect(builder.heartRate.covered(at: .at(9)) == .seconds(4))
    #expect(builder.heartRate.maximum == 60)
    #expect(builder.heartRate.count == 1)
    #expect(builder.rrCount == 1)
  }

  @Test func noReadingCountsForNothingAndCutsNothing() throws {
    var builder = try begun()
    builder.add(.example(60, at: .at(0)))
    builder.add(.example(0, at: .at(4), rr: [1_024]))
    #expect(builder.heartRate.covered(at: .at(9)) == .seconds(9))
    #expect(builder.heartRate.minimum == 60)
    #expect(builder.heartRate.count == 1)
    #expect(builder.rrCount == 1, "the interval is a beat all the same")
    builder.add(.example(0, at: .at(9), contact: .notDetected))
    #expect(builder.heartRate.covered(at: .at(10)) == .seconds(9), "without contact it does cut")
  }

  @Test func unknownContactCounts() throws {
    var builder = try begun()
    builder.add(.example(60, at: .at(0), contact: .unknown))
    #expect(builder.heartRate.count == 1)
  }

  @Test func aLostLinkCuts() throws {
    var builder = LiveBuilder()
    try builder.take(.linkLost, at: .at(0))
    try builder.take(.began, at: .at(1))
    builder.add(.example(60, at: .at(1)))
    try builder.take(.linkLost, at: .at(4))
    #expect(builder.heartRate.covered(at: .at(9)) == .seconds(3))
    #expect(builder.elapsed(at: .at(9)) == .seconds(8), "the athlete goes on")
    try builder.take(.ended, at: .at(10))
    try builder.take(.linkLost, at: .at(11))
  }

  @Test func anOpenPauseClosesAtTheEnd() throws {
    var builder = try begun()
    try builder.take(.paused, at: .at(10))
    try builder.take(.ended, at: .at(30))
    #expect(builder.elapsed(at: .at(30)) == .seconds(10))
    #expect(builder.wall(at: .at(30)) == .seconds(30))
  }

  @Test func aRepeatChangesNoTimeWeightedValueAndBringsNoBeats() throws {
    var once = try begun()
    once.add(.example(60, at: .at(0), rr: [1_000]))
    var twice = once
    twice.add(.example(60, at: .at(0), rr: [1_000], isRepeat: true))
    #expect(twice.heartRate.average(at: .at(5)) == once.heartRate.average(at: .at(5)))
    #expect(twice.heartRate.covered(at: .at(5)) == once.heartRate.covered(at: .at(5)))
    #expect(twice.rrCount == 1)
  }

  @Test func aWrongOrderIsAnErrorThatLeavesItUsable() throws {
    var builder = LiveBuilder()
    for mark in [Mark.paused, .resumed, .ended] {
      #expect(throws: BuilderError(mark: mark, start: nil, end: nil)) { try builder.take(mark, at: .at(1)) }
    }
    #expect(builder == LiveBuilder())
    try builder.take(.began, at: .at(2))
    #expect(throws: BuilderError(mark: .began, start: .at(2), end: nil)) { try builder.take(.began, at: .at(3)) }
    try builder.take(.ended, at: .at(4))
    for mark in [Mark.began, .paused, .resumed, .ended] {
      #expect(throws: BuilderError(mark: mark, start: .at(2), end: .at(4))) { try builder.take(mark, at: .at(5)) }
    }
    #expect(builder.elapsed(at: .at(9)) == .seconds(2))
    #expect(
      BuilderError(mark: .ended, start: nil, end: nil).description
        == "the workout builder cannot take 'ended' while its collection has not begun")
    #expect(
      BuilderError(mark: .began, start: .at(2), end: nil).description
        == "the workout builder cannot take 'began' while its collection is under way")
    #expect(
      BuilderError(mark: .paused, start: .at(2), end: .at(4)).description
        == "the workout builder cannot take 'paused' while its collection has ended")
  }

  @Test func tenThousandPausesAreExact() throws {
    var builder = try begun()
    var tick = Tick.at(0)
    for _ in 0..<10_000 {
      builder.add(.example(60, at: tick))
      tick = tick + .nanoseconds(1_500_000_001)
      try builder.take(.paused, at: tick)
      tick = tick + .seconds(2)
      try builder.take(.resumed, at: tick)
    }
    #expect(builder.elapsed(at: tick) == .nanoseconds(15_000_000_010_000))
    #expect(builder.heartRate.covered(at: tick) == .nanoseconds(15_000_000_010_000))
    #expect(builder.heartRate.average(at: tick) == 60)
  }
}
