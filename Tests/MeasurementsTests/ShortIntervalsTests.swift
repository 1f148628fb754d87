import Testing

@testable import Measurements

struct ShortIntervalsTests {
  private static func measurement(_ heartRate: UInt8, _ ticks: [UInt16]) throws -> HeartRateMeasurement {
    var payload: [UInt8] = [0x10, heartRate]
    for interval in ticks { payload += [UInt8(interval & 0xFF), UInt8(interval >> 8)] }
    return try HeartRateMeasurement(payload)
  }

  @Test(
    arguments: [
      // As the HRM-Dual was seen to send it.
      (56, [1069, 53], [1069]),
      (56, [1069], [1069]),
      (56, [], []),
      // Two in one packet, and one behind each interval.
      (112, [540, 53, 535, 60], [540, 535]),
      (56, [1069, 53, 52], [1069]),
      // Alone, or first, it follows nothing: the flaw is one of what is appended.
      (56, [53], [53]),
      (56, [53, 1069], [53, 1069]),
      // A heart that beats so fast.
      (220, [285, 275], [285, 275]),
      (230, [270, 265, 262], [270, 265, 262]),
      // An early beat and the rest behind it.
      (60, [1024, 270, 1700], [1024, 270, 1700]),
      (75, [819, 279], [819]),
      (75, [819, 280], [819, 280]),
      // Without a reading nothing speaks for it.
      (0, [1069, 53], [1069]),
      // An interval of zero is no beat anyhow, and keeps its own warning.
      (56, [1069, 0], [1069, 0]),
    ] as [(UInt8, [UInt16], [UInt16])])
  func strayIntervalsGo(_ heartRate: UInt8, _ sent: [UInt16], _ kept: [UInt16]) throws {
    var measurement = try Self.measurement(heartRate, sent)
    let before = measurement.warnings
    measurement.leaveOutShortIntervals()
    #expect(measurement.rrIntervals.map(\.ticks1024) == kept)
    #expect(measurement.warnings.contains(.shortInterval) == (kept.count < sent.count))
    #expect(measurement.warnings.subtracting(.shortInterval) == before)
    #expect(measurement.heartRate == UInt16(heartRate))
  }

  @Test func nothingIsLeftOutTwice() throws {
    var measurement = try Self.measurement(56, [1069, 53])
    measurement.leaveOutShortIntervals()
    let once = measurement
    measurement.leaveOutShortIntervals()
    #expect(measurement == once)
  }
}
