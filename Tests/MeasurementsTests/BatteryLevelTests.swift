import Measurements
import Testing

struct BatteryLevelTests {
  @Test func percentsAreReadAndMoreThanAHundredIsNone() {
    for value in UInt8.min...UInt8.max {
      let expected = value <= 100 ? value : nil
      #expect(BatteryLevel([value])?.percent == expected)
      #expect(BatteryLevel(percent: value)?.percent == expected)
    }
  }

  @Test func nothingIsNilAndMoreIsIgnored() {
    #expect(BatteryLevel([]) == nil)
    #expect(BatteryLevel([55, 200])?.percent == 55)
  }
}
