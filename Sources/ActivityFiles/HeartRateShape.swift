import Measurements

/// Whether what a handle has notified is Heart Rate Measurements, told by nothing but the values, for a log that begins
/// when discovery was over.
///
/// Each value must be a measurement without anything odd (HRS 1.0, section 3.1): no reserved flag, no octet that no flag
/// announces, contact only where it is supported; one that is not ends it. Of 20 values or more, all but one in twenty must
/// have a heart rate of 25 to 240 or none, and intervals of 0.2 to 3 s; half must have a heart rate; from one to the next
/// within 3 s it moves by 30 or less, with an exception in ten; and it changes at all, or the intervals say what it says.
///
/// What else straps and sensors send does not fit from the first or second value on: a battery's level is too short;
/// speed and cadence (0x2A5B, 0x2A53) have octets that no heart rate flag announces, or contact without support; of cycling
/// power (0x2A63) the second octet, there the upper flags, would have to be a heart rate.
struct HeartRateShape: Sendable {
  static let fewest = 20
  private static let heartRates: ClosedRange<UInt16> = 25...240
  /// 0.2 to 3 s in 1/1024 s.
  private static let intervals: ClosedRange<UInt16> = 205...3072
  private static let harmless: HeartRateMeasurementWarnings = [
    .heartRateZero, .energySaturated, .rrFlagWithoutRR, .rrZero,
  ]
  private static let closeMicroseconds: Int64 = 3_000_000
  private static let furthestMove = 30

  private var count = 0
  private var implausible = 0
  private var readings = 0
  private var leaps = 0
  private var hasChanged = false
  private var agreements = 0
  private var last: (heartRate: UInt16, axis: Int64)?
  private(set) var isRefuted = false

  var isHeartRate: Bool {
    guard !isRefuted, count >= Self.fewest, isPlausible else { return false }
    guard readings * 2 >= count, leaps * 10 <= count else { return false }
    return hasChanged || agreements * 2 >= count
  }

  /// Takes the next value.
  ///
  /// - Parameter axis: when it came, in microseconds.
  mutating func take(_ value: [UInt8], at axis: Int64) {
    guard !isRefuted else { return }
    guard let measurement = HeartRateMeasurement(sent: value), measurement.warnings.isSubset(of: Self.harmless) else {
      isRefuted = true
      return
    }
    count += 1
    guard Self.isPlausible(measurement) else {
      implausible += 1
      // Not at the first ones: skin that is dry yet.
      if implausible >= Self.fewest { isRefuted = !isPlausible }
      return
    }
    let heartRate = measurement.heartRate
    guard heartRate > 0 else { return }
    readings += 1
    if let last {
      if last.heartRate != heartRate { hasChanged = true }
      let move = abs(Int(last.heartRate) - Int(heartRate))
      if axis - last.axis <= Self.closeMicroseconds, move > Self.furthestMove { leaps += 1 }
    }
    last = (heartRate, axis)
    if Self.agrees(measurement) { agreements += 1 }
  }

  private var isPlausible: Bool { implausible * 20 <= count }

  private static func isPlausible(_ measurement: HeartRateMeasurement) -> Bool {
    guard measurement.heartRate == 0 || heartRates.contains(measurement.heartRate) else { return false }
    return measurement.rrIntervals.allSatisfy { intervals.contains($0.ticks1024) }
  }

  /// Whether there are intervals, and their mean is what the heart rate says, give or take a quarter.
  private static func agrees(_ measurement: HeartRateMeasurement) -> Bool {
    let intervals = measurement.rrIntervals
    guard !intervals.isEmpty else { return false }
    let mean = intervals.reduce(0) { $0 + Int($1.ticks1024) } / intervals.count
    let said = 61_440 / Int(measurement.heartRate)
    return abs(mean - said) * 4 <= said
  }
}
