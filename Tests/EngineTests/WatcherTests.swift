import Control
import Measurements
import Testing
import Workout

@testable import Engine

struct WatcherTests {
  private static func told(_ sequence: Int64, _ count: Int = 1) -> WatchPace.Told {
    let payload: [UInt8] = [0x06, 70]
    let sample = HeartRateSample(
      sequence: sequence, tick: World.start.tick, measurement: try! HeartRateMeasurement(payload), payload: payload)
    let event = Event(
      sequence: sequence, date: World.start.wall, what: .heartRate(sample, availability: .available, counted: true))
    return WatchPace.Told(event: EncodedEvent(event, held: false, durableThrough: 0), count: count)
  }

  private static let other = WatchPace.Told(event: RecentEventsTests.event(9))

  private static func lag(_ watcher: inout Watcher) -> LagNotice? { watcher.takeLag(World.start.wall, 7) }

  @Test func measurementsAreLeftOutFromALimitOnUntilAllIsSent() {
    var watcher = Watcher(EventSelection(), after: 0)
    #expect(watcher.wrote(unsent: Watcher.lagsAbove) == false)
    #expect(watcher.leavesOut(Self.told(1)) == false)
    #expect(watcher.wrote(unsent: Watcher.lagsAbove + 1) == true, "it is asked for when all is sent")
    #expect(watcher.wrote(unsent: Watcher.lagsAbove + 2) == false, "once")
    #expect(watcher.leavesOut(Self.told(2)) == true)
    #expect(watcher.leavesOut(Self.told(5, 10)) == true)
    #expect(watcher.leavesOut(Self.other) == false, "never anything else")
    #expect(!watcher.hasCaughtUp)
    #expect(watcher.wrote(unsent: 1) == false, "it reads, and is not through")
    #expect(watcher.leavesOut(Self.told(6)) == true)
    watcher.drained()
    #expect(watcher.hasCaughtUp)
    #expect(watcher.leavesOut(Self.told(7)) == false)
    #expect(
      Self.lag(&watcher) == LagNotice(count: 12, numbers: 2...6, date: World.start.wall, durableThrough: 7))
    #expect(!watcher.hasCaughtUp)
    #expect(Self.lag(&watcher) == nil)
  }

  @Test func nothingIsSentMeansItHasCaughtUp() {
    var watcher = Watcher(EventSelection(), after: 0)
    #expect(watcher.wrote(unsent: Watcher.lagsAbove + 1) == true)
    #expect(watcher.wrote(unsent: 0) == false)
    #expect(watcher.leavesOut(Self.told(1)) == false)
    #expect(watcher.wrote(unsent: Watcher.lagsAbove + 1) == true, "and once more")
  }

  @Test func whatWasAskedForAtOnceIsNoLag() {
    var watcher = Watcher(EventSelection(), after: 0)
    watcher.write(atOnce: 900_000)
    #expect(watcher.wrote(unsent: 900_000 + Watcher.lagsAbove) == false)
    #expect(watcher.wrote(unsent: 900_001 + Watcher.lagsAbove) == true)
    watcher.drained()
    #expect(watcher.wrote(unsent: Watcher.lagsAbove + 1) == true, "only until it is sent")
  }

  @Test func theEndIsALimitToo() {
    var watcher = Watcher(EventSelection(), after: 0)
    _ = watcher.wrote(unsent: Watcher.mostUnsent - 100)
    #expect(watcher.mayWrite(100) == true)
    #expect(watcher.mayWrite(1) == false)
    _ = watcher.wrote(unsent: 0)
    #expect(watcher.mayWrite(Watcher.mostUnsent) == true)
  }
}
