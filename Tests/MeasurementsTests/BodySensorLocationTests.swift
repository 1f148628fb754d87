import Measurements
import Testing

struct BodySensorLocationTests {
  @Test func theNamedPlaces() {
    let names = (1...6).compactMap { BodySensorLocation([$0])?.description }
    #expect(names == ["chest", "wrist", "finger", "hand", "earLobe", "foot"])
    #expect(BodySensorLocation([1]) == .chest)
    #expect(BodySensorLocation([6]) == .foot)
  }

  @Test func otherPlacesAreKept() {
    for value in [0] + Array(7...UInt8.max) {
      #expect(BodySensorLocation([value]) == .other(value))
      #expect(BodySensorLocation([value])?.description == "other(\(value))")
    }
  }

  @Test func nothingIsNilAndMoreIsIgnored() {
    #expect(BodySensorLocation([]) == nil)
    #expect(BodySensorLocation([2, 1, 255]) == .wrist)
  }
}
