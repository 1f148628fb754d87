import Testing
import Workout

@Suite struct WorkoutConfigurationTests {
  @Test func unlessSaidOtherwiseItIsAnything() {
    let configuration = WorkoutConfiguration()
    #expect(configuration.activity == .other)
    #expect(configuration.location == .unknown)
    #expect(configuration.strap == nil)
  }

  /// The names are on the wire and on disk; some clients will have them written out.
  @Test func namesAreHealthKits() {
    #expect(LocationType.allCases.map(\.rawValue) == ["unknown", "indoor", "outdoor"])
    #expect(ActivityType.allCases.count == 81, "84 there, three of them deprecated")
    for name in [
      "running", "walking", "cycling", "swimBikeRun", "highIntensityIntervalTraining", "mixedCardio", "other",
    ] {
      #expect(ActivityType(rawValue: name)?.rawValue == name)
    }
    for deprecated in ["dance", "danceInspiredTraining", "mixedMetabolicCardioTraining"] {
      #expect(ActivityType(rawValue: deprecated) == nil)
    }
  }
}
