import Measurements
import TestSupport
import Testing

@testable import ActivityFiles

@Suite struct HeartRateShapeTests {
  /// One value a second.
  private static func shape(_ values: [[UInt8]]) -> HeartRateShape {
    var shape = HeartRateShape()
    for (second, value) in values.enumerated() { shape.take(value, at: Int64(second) * 1_000_000) }
    return shape
  }

  static func heartRates(_ count: Int) -> [[UInt8]] {
    (0..<count).map { index in
      let rate = 100 + (index * 7) % 13
      return [0x16, UInt8(rate)] + LogWriter.little(61_440 / rate)
    }
  }

  @Test func heartRatesHaveTheirShapeFromTheTwentiethOn() {
    #expect(!Self.shape(Self.heartRates(19)).isHeartRate)
    #expect(Self.shape(Self.heartRates(20)).isHeartRate)
    #expect(!Self.shape(Self.heartRates(30) + [[0x57]]).isHeartRate)
    // Without intervals, in 16 bits, with energy, some without a reading.
    #expect(Self.shape((0..<40).map { [0x00, UInt8(60 + $0 / 10)] }).isHeartRate)
    #expect(Self.shape((0..<40).map { [0x09, UInt8(60 + $0 / 10), 0, 5, 0] }).isHeartRate)
    #expect(Self.shape([[UInt8]](repeating: [0x04, 0], count: 20) + Self.heartRates(20)).isHeartRate)
    // An emulated strap's never changes, and has the intervals for it.
    #expect(Self.shape([[UInt8]](repeating: [0x10, 60, 0, 4], count: 20)).isHeartRate)
  }

  @Test func whatMayBeMeasurementsAndIsNoneIsRefused() {
    // The same without intervals says too little; so does one without a reading.
    #expect(!Self.shape([[UInt8]](repeating: [0x00, 100], count: 1000)).isHeartRate)
    #expect(!Self.shape([[UInt8]](repeating: [0x00, 0], count: 1000)).isHeartRate)
    // Nobody's heart does this.
    #expect(!Self.shape((0..<100).map { [0x00, $0 % 2 == 0 ? 60 : 150] }).isHeartRate)
    // A trailing octet, a reserved flag, contact without support, an interval cut short.
    for value: [UInt8] in [[0x00, 60, 0], [0x20, 60], [0x02, 60], [0x10, 60, 0]] {
      #expect(Self.shape([value]).isRefuted)
    }
  }

  @Test func oneInTwentyMayBeImplausible() {
    for value: [UInt8] in [[0x00, 10], [0x01, 0x2C, 0x01], [0x10, 60, 0xFF, 0xFF], [0x10, 60, 0, 0]] {
      #expect(Self.shape([value] + Self.heartRates(19)).isHeartRate)
      #expect(!Self.shape([value, value] + Self.heartRates(19)).isHeartRate)
      #expect(Self.shape([value, value] + Self.heartRates(38)).isHeartRate)
      // And what is so all the time is not kept.
      #expect(!Self.shape([[UInt8]](repeating: value, count: 19)).isRefuted)
      #expect(Self.shape([[UInt8]](repeating: value, count: 20)).isRefuted)
    }
  }

  /// Streams of other characteristics, by their specifications.
  enum Other: String, CaseIterable {
    case batteryLevel, batteryLevelStatus, speed, cadence, speedAndCadence, noSpeedNoCadence, power, powerWithBalance
    case powerWithTorque, powerOfHub, powerWithWheel, powerWithCrank, runningSpeed, runningSpeedWithStride
    case runningSpeedWithDistance, indoorBike, indoorBikeMoreData, oxygen, temperature, humidity, counter
    case bigEndianCounter, button, mouse, text, vendorECG, serviceChanged

    /// The value of a second.
    func value(_ second: Int) -> [UInt8] {
      func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
      let little = LogWriter.little
      let power = little(150 + second % 50)
      switch self {
      case .batteryLevel: return [UInt8(100 - second / 10 % 100)]
      case .batteryLevelStatus: return [0x02, 0x01, 0x00, UInt8(100 - second / 10 % 100)]
      case .speed: return join([0x01], little(second * 3), [0, 0], little(second * 1024))
      case .cadence: return join([0x02], little(second * 2), little(second * 900))
      case .speedAndCadence:
        let wheel = join(little(second * 3), [0, 0], little(second * 1024))
        return join([0x03], wheel, little(second * 2), little(second * 900))
      case .noSpeedNoCadence: return [0x00]
      case .power: return join([0, 0], power)
      case .powerWithBalance: return join([0x01, 0], power, [100])
      case .powerWithTorque: return join([0x04, 0], power, little(second * 40))
      case .powerOfHub: return join([0x08, 0], power)
      case .powerWithWheel: return join([0x10, 0], power, little(second * 3), [0, 0], little(second * 2048))
      case .powerWithCrank: return join([0x20, 0], power, little(second), little(second * 1024))
      case .runningSpeed: return join([0x00], little(700 + second % 90), [85])
      case .runningSpeedWithStride: return join([0x01], little(100 + second % 90), [85], little(110))
      case .runningSpeedWithDistance: return join([0x06], little(700 + second % 90), [85], little(second * 30), [0, 0])
      case .indoorBike: return join([0x44, 0x02], little(2500 + second), [120, 0], little(180), [70])
      case .indoorBikeMoreData: return join([0x00, 0x02], little(2500 + second), [70])
      case .oxygen: return join([0x00], little(97), little(60 + second % 9))
      case .temperature: return little(2500 + second)
      case .humidity: return little(4500 + second * 3)
      case .counter: return little(second)
      case .bigEndianCounter: return [UInt8(second >> 8 & 0xFF), UInt8(second & 0xFF)]
      case .button: return [0x00, UInt8(second % 2)]
      case .mouse: return [0, UInt8(60 + second % 7), UInt8(second % 5)]
      case .text: return Array("\(60 + second % 5)\r\n".utf8)
      case .vendorECG: return join([0x00], little(second * 7), [0, 0, 0, 0, 0, 0, 0], little(second), [0])
      case .serviceChanged: return [0x01, 0x00, 0xFF, 0xFF]
      }
    }
  }

  @Test(arguments: Other.allCases) func otherStreamsAreNotTakenForIt(other: Other) {
    for count in [20, 60, 600] {
      #expect(!Self.shape((0..<count).map(other.value)).isHeartRate)
      // Not where the counters have gone on either.
      #expect(!Self.shape((0..<count).map { other.value(1000 + $0) }).isHeartRate)
    }
  }

  @Test func randomOctetsAreNotTakenForIt() {
    var random = SeededRandom(37)
    for length in 1...20 {
      for _ in 0..<200 { #expect(!Self.shape((0..<20).map { _ in random.octets(length) }).isHeartRate) }
      // With the first octet of a heart rate's.
      for flags: UInt8 in [0x00, 0x04, 0x06, 0x10, 0x14, 0x16, 0x1E] {
        let values = (0..<40).map { _ in [flags] + random.octets(length) }
        #expect(!Self.shape(values).isHeartRate)
      }
    }
  }
}
