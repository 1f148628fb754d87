import Measurements
import Testing

struct AvailabilityTests {
  @Test func theNamesAreThoseOnTheWire() {
    #expect(
      Availability.allCases.map(\.rawValue) == ["acquiring", "available", "unavailable", "noContact", "unknown"])
  }
}
