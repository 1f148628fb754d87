import Measurements
import Testing

@testable import ActivityFiles

@Suite struct BtsnoopStrapTests {
  /// A log that begins when the strap had been connected for long: heart rates at 0x10 and other streams beside them.
  static func late(_ count: Int, others: Bool = true) -> LogWriter {
    var log = LogWriter()
    for (index, value) in HeartRateShapeTests.heartRates(count).enumerated() {
      log.notify(0x40, 0x10, value)
      guard others else { continue }
      for (place, other) in HeartRateShapeTests.Other.allCases.enumerated() {
        log.notify(0x40, 0x50 + place, other.value(index), after: 0)
      }
    }
    return log
  }

  @Test func theHeartRatesOfALogThatBeginsLateAreFoundAmongOthers() throws {
    var reader = BtsnoopReader()
    try reader.take(Self.late(20).bytes)
    let workouts = try reader.finish()
    #expect(workouts.map { $0.samples.map(\.payload) } == [HeartRateShapeTests.heartRates(20)])
    #expect(workouts.map(\.device.address) == [nil])
    let warning =
      "the heart rates of a strap without an address are known by their shape only: the log begins after discovery"
    #expect(reader.warnings == [warning])
    #expect(try read(Self.late(19).bytes).isEmpty)
  }

  @Test func discoveryThatComesLaterSaysWhatTheyAre() throws {
    var log = Self.late(5, others: false)
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    log.notify(0x40, 0x10, [0x06, 60])
    #expect(try read(log.bytes).map(\.samples.count) == [6])
    log = Self.late(100, others: false)
    log.discover(0x40, [(handle: 0x10, number: 0x2A5B)])
    #expect(try read(log.bytes).isEmpty)
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    #expect(try read(log.bytes).map(\.samples.count) == [100])
  }

  @Test func whatIsInAnotherServiceIsNotLookedAt() throws {
    var log = LogWriter()
    log.att(0x40, [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28], isReceived: false)
    log.att(0x40, [0x11, 6, 0x0E, 0, 0x15, 0, 0x16, 0x18])
    for value in HeartRateShapeTests.heartRates(50) { log.notify(0x40, 0x10, value) }
    #expect(try read(log.bytes).isEmpty)
  }

  @Test func ofTwoThatHaveTheShapeTheLongerIsTaken() throws {
    var log = LogWriter()
    for (index, value) in HeartRateShapeTests.heartRates(50).enumerated() {
      log.notify(0x40, 0x10, value)
      if index % 2 == 0 { log.notify(0x40, 0x08, value, after: 0) }
    }
    #expect(try read(log.bytes).map(\.samples.count) == [50])
  }

  @Test func aDeclaredHandleNeedsNoShapeAndNothingElseIsGuessed() throws {
    var log = HCILogTests.log()
    log.notify(0x40, 0x10, [0x06, 60])
    log.notify(0x40, 0x10, [0x06])
    for value in HeartRateShapeTests.heartRates(50) { log.notify(0x40, 0x20, value) }
    var reader = BtsnoopReader()
    try reader.take(log.bytes)
    #expect(try reader.finish().map(\.heartRates) == [[60]])
    #expect(reader.warnings == ["notifications of heart rate that are none are left out: 1"])
  }

  @Test func theDeviceIsWhatItSaysOfItself() throws {
    var log = HCILogTests.log()
    let texts: [(number: Int, text: String)] = [
      (0x2A00, "Strap"), (0x2A29, "Maker"), (0x2A24, "Model 1"), (0x2A25, "0042"), (0x2A26, "1.2"), (0x2A27, "B"),
      (0x2A28, "3"),
    ]
    log.discover(0x40, texts.enumerated().map { (handle: 0x30 + $0.offset, number: $0.element.number) })
    for (index, text) in texts.enumerated() {
      log.att(0x40, [0x0A, UInt8(0x30 + index), 0], isReceived: false)
      log.att(0x40, [0x0B] + Array(text.text.utf8))
    }
    log.discover(0x40, [(handle: 0x18, number: 0x2A19)])
    log.notify(0x40, 0x10, [0x06, 60])
    log.notify(0x40, 0x18, [80])
    log.notify(0x40, 0x18, [255])
    let device = try #require(try read(log.bytes).first).device
    #expect(device.name == "Strap")
    #expect(device.information.manufacturer == "Maker")
    #expect(device.information.model == "Model 1")
    #expect(device.information.serial == "0042")
    #expect(device.information.firmwareRevision == "1.2")
    #expect(device.information.hardwareRevision == "B")
    #expect(device.information.softwareRevision == "3")
    #expect(device.battery?.percent == 80)
  }
}
