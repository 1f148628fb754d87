import Measurements
import Testing
import Workout

struct LowBatteryTests {
  /// Levels one after the other, and what each is told of: 0 where it is not.
  private static let walks: [(levels: [UInt8], told: [UInt8])] = [
    ([100, 50, 21], [0, 0, 0]),
    ([21, 20, 19, 11, 10, 9, 6, 5, 4, 0], [0, 20, 0, 0, 10, 0, 0, 5, 0, 0]),
    // The first level that is known may be low already.
    ([15], [20]), ([10], [10]), ([0], [5]),
    // A fall through several thresholds is one word, of the lowest.
    ([25, 4], [0, 5]), ([25, 9, 4], [0, 10, 5]), ([19, 4], [20, 5]), ([25, 4, 9, 4], [0, 5, 0, 0]),
    // Fluttering, and the recovery while it rests.
    ([20, 21, 20, 24, 20], [20, 0, 0, 0, 0]), ([20, 25, 20], [20, 0, 20]), ([20, 100, 20], [20, 0, 20]),
    ([10, 14, 10], [10, 0, 0]), ([10, 15, 10], [10, 0, 10]), ([5, 9, 5], [5, 0, 0]), ([5, 10, 5], [5, 0, 5]),
    // Each threshold has its own way back.
    ([4, 12, 9], [5, 0, 0]), ([4, 15, 9], [5, 0, 10]), ([4, 24, 20], [5, 0, 0]), ([4, 24, 10], [5, 0, 10]),
    ([4, 25, 20, 9, 3], [5, 0, 20, 10, 5]),
    // A new battery.
    ([3, 100, 18], [5, 0, 20]),
  ]

  @Test(arguments: walks)
  func tellsOncePerCrossing(_ levels: [UInt8], _ told: [UInt8]) throws {
    var battery = LowBattery()
    var again = LowBattery()
    for (level, told) in zip(levels, told) {
      let level = try #require(BatteryLevel(percent: level))
      #expect((battery.take(level) ?? 0) == told, "\(level.percent) of \(levels)")
      #expect(battery.take(level) == nil, "read again")
      // Kept and taken up again between any two levels.
      again = LowBattery(told: again.told)
      #expect((again.take(level) ?? 0) == told, "\(level.percent) of \(levels)")
    }
  }

  @Test(arguments: [0, 1, 7, 21, 100, 255] as [UInt8])
  func whatIsNoThresholdWasNotToldOf(_ told: UInt8) {
    #expect(LowBattery(told: told) == LowBattery())
  }
}
