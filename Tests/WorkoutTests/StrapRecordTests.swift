import Measurements
import Testing
import Workout

struct StrapRecordTests {
  /// A connection that broke before everything was read takes nothing away.
  @Test func whatAStrapDoesNotSayStaysAsItWas() throws {
    var record = StrapRecord(try #require(StrapAddress("F0:F1:F2:F3:F4:F5")))
    var information = DeviceInformation()
    information.manufacturer = "Maker"
    information.model = "M1"
    information.firmwareRevision = "2.0"
    information.serial = "0007"
    record.take(information)
    #expect(record.manufacturer == "Maker")
    #expect(record.model == "M1")
    #expect(record.firmware == "2.0")
    #expect(record.serial == "0007")
    information = DeviceInformation()
    information.firmwareRevision = "2.1"
    let before = record
    record.take(information)
    #expect(record.firmware == "2.1")
    record.firmware = "2.0"
    #expect(record == before)
  }
}
