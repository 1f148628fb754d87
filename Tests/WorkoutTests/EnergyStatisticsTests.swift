import Testing
import Workout

struct EnergyStatisticsTests {
  private func total(_ readings: [UInt16]) -> Int? {
    var energy = EnergyStatistics()
    for reading in readings { energy.add(reading) }
    return energy.kilojoules
  }

  @Test(
    arguments: [
      ([], nil), ([100], nil), ([100, 100], 0), ([100, 103, 110], 10),
      // Reset, by somebody or with another strap: the new count goes on from where it begins.
      ([100, 110, 0, 5], 15), ([100, 110, 3, 5], 12),
      // It sticks at its end.
      ([65_530, 65_535, 65_535, 65_535], 5), ([65_535, 0, 4], 4),
      ([64_535, 65_535], 1000), ([65_535, 65_535], 0),
      // "Saturated" by a counter that was nowhere near: the value says nothing.
      ([2, 65_535], 0), ([2, 65_535, 65_535, 65_535], 0), ([2, 5, 65_535, 7], 5), ([64_534, 65_535], 0),
      ([2, 65_535, 0, 3], 3),
    ] as [([UInt16], Int?)])
  func counts(readings: [UInt16], kilojoules: Int?) {
    #expect(total(readings) == kilojoules)
  }

  @Test func aPauseIsNotCounted() {
    var energy = EnergyStatistics()
    energy.add(10)
    energy.add(15)
    energy.cut()
    energy.add(40)
    energy.add(42)
    #expect(energy.kilojoules == 7)
  }

  @Test(arguments: UInt64(1)...50)
  func neverFalls(seed: UInt64) {
    var state = seed
    var energy = EnergyStatistics()
    var before = 0
    for _ in 0..<1000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      if state >> 60 == 0 { energy.cut() } else { energy.add(UInt16(truncatingIfNeeded: state >> 40)) }
      #expect(energy.kilojoules ?? 0 >= before)
      before = energy.kilojoules ?? 0
    }
  }
}
