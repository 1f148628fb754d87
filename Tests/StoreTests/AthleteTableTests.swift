import Measurements
import Testing
import Workout

@testable import Store

@Suite struct AthleteTableTests {
  @Test func whatIsWrittenIsReadBack() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var anna = AthleteProfile(AthleteName("Anna")!)
    (anna.yearOfBirth, anna.biologicalSex, anna.massKilograms) = (1988, .female, 62.5)
    (anna.restingHeartRate, anna.maximumHeartRate) = (48, 188)
    anna.zones = HeartRateZones(text: "110 130 150")
    anna.isDefault = true
    let ben = AthleteProfile(AthleteName("Ben")!)
    try store.commit([.athlete(ben), .athlete(anna)], through: 0)
    #expect(try store.athletes() == [anna, ben])
    anna.massKilograms = nil
    try store.commit([.athlete(anna), .athleteForgotten(ben.name)], through: 1)
    #expect(try store.athletes() == [anna])
    #expect(
      try directory.raw().rows("SELECT * FROM athlete") == [
        ["Anna", "1988", "female", "NULL", "48", "188", "110 130 150", "1"]
      ])
    try store.close()
    #expect(try directory.open().athletes() == [anna])
  }
}
