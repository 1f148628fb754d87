import Measurements
import Testing

struct SensorContactTests {
  @Test(arguments: [
    (0b000 as UInt8, SensorContact.unknown), (0b010, .unknown), (0b100, .notDetected), (0b110, .detected),
  ])
  func theTwoBitsOfAMeasurementGiveThreeAnswers(flags: UInt8, contact: SensorContact) throws {
    #expect(try HeartRateMeasurement([flags, 60]).contact == contact)
  }

  @Test func theNamesAreThoseOnTheWire() {
    #expect(SensorContact.allCases.map(\.rawValue) == ["detected", "notDetected", "unknown"])
  }
}
