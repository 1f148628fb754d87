import Measurements
import Testing
import Workout

/// The store error that a call throws; its absence is an issue. (`#expect(throws:)` gives it back only since Swift 6.1.)
func storeError(
  sourceLocation: SourceLocation = #_sourceLocation, of call: () throws -> some Any
) -> StoreError? {
  do {
    let result = try call()
    Issue.record("no error, but \(result)", sourceLocation: sourceLocation)
  } catch let error as StoreError {
    return error
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}

extension Moment {
  /// Seconds after the boot, of a boot at 2026-11-30T08:00:00Z.
  static func at(_ seconds: Int64) -> Moment {
    Moment(tick: .at(seconds), wall: .boot + .seconds(seconds))
  }
}

extension Tick {
  static func at(_ seconds: Int64) -> Tick { Tick(nanoseconds: seconds * 1_000_000_000) }
}

extension WallTime {
  static let boot = WallTime(nanoseconds: 1_796_025_600_000_000_000)
}

extension DatedTick {
  static func at(_ seconds: Int64, isRequested: Bool = false) -> DatedTick {
    DatedTick(tick: .at(seconds), date: .boot + .seconds(seconds), isRequested: isRequested)
  }
}

extension SessionID {
  /// The id whose last two digits are a number's.
  static func number(_ number: UInt8) -> SessionID {
    SessionID(randomBytes: [UInt8](repeating: 0, count: 15) + [number])
  }
}

extension SessionRecord {
  static func example(_ number: UInt8 = 1, state: WorkoutState = .running) -> SessionRecord {
    SessionRecord(
      id: .number(number), configuration: WorkoutConfiguration(activity: .running, location: .outdoor), strap: nil,
      state: state, created: .at(1), start: nil, end: nil, isUnprepared: false, endReason: nil)
  }
}

extension HeartRateSample {
  /// A sample one second after the boot for each sequence number.
  static func example(_ sequence: Int64, _ payload: [UInt8] = [0x06, 120]) throws -> HeartRateSample {
    HeartRateSample(
      sequence: sequence, tick: .at(sequence), measurement: try HeartRateMeasurement(payload), payload: payload)
  }
}

extension FinishedWorkout {
  static func example(_ number: UInt8 = 1, start: DatedTick = .at(10)) -> FinishedWorkout {
    FinishedWorkout(
      id: .number(number), activity: .cycling, location: .indoor, strap: StrapAddress("F0:F1:F2:F3:F4:F5"),
      start: start, end: .at(100, isRequested: true), endReason: .user,
      summary: IntervalSummary(
        elapsed: .seconds(80), wall: .seconds(90),
        heartRate: HeartRateSummary(
          count: 3, minimum: 60, maximum: 120, average: 1.0 / 3.0 + 90, mostRecent: 120, mostRecentTick: .at(99),
          covered: .milliseconds(12_345)),
        rrCount: 4, energyKilojoules: 310))
  }
}

/// A seeded source of random numbers (SplitMix64), so that a failure can be run again.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
