import Measurements
import Workout

extension Moment {
  /// Seconds after the boot, of a boot at 2026-11-30T08:00:00Z.
  static func at(_ seconds: Int64) -> Moment {
    Moment(tick: .at(seconds), wall: .at(seconds))
  }
}

extension Tick {
  static func at(_ seconds: Int64) -> Tick { Tick(nanoseconds: seconds * 1_000_000_000) }
}

extension WallTime {
  static func at(_ seconds: Int64) -> WallTime {
    WallTime(nanoseconds: (1_796_025_600 + seconds) * 1_000_000_000)
  }
}

extension DatedTick {
  static func at(_ seconds: Int64, isRequested: Bool = false) -> DatedTick {
    DatedTick(tick: .at(seconds), date: .at(seconds), isRequested: isRequested)
  }
}

extension SessionID {
  static let example = SessionID(randomBytes: [UInt8](0..<16))
}

extension WorkoutSession {
  /// A session in a state that it has been brought to by no call.
  static func example(_ state: WorkoutState, endReason: EndReason? = nil) -> WorkoutSession {
    let hasBegun = [.running, .paused, .stopped, .ended].contains(state)
    return WorkoutSession(
      SessionRecord(
        id: .example, configuration: WorkoutConfiguration(activity: .running), strap: nil, state: state,
        created: .at(1), start: hasBegun ? .at(10) : nil, end: [.stopped, .ended].contains(state) ? .at(50) : nil,
        isUnprepared: false, endReason: state == .ended ? .user : endReason))
  }

  /// Makes a call as a client does, now.
  mutating func make(_ call: SessionCall, at now: Moment) throws(SessionError) -> Transition? {
    switch call {
    case .prepare: try prepare(at: now)
    case .start: try start(at: now)
    case .pause: try pause(at: now)
    case .resume: try resume(at: now)
    case .stop: try stop(at: now)
    case .end: try end(at: now)
    case .cancelCountdown, .beginCollection, .endCollection, .finish, .discard, .lap, .marker, .segment, .beginActivity,
      .endActivity, .requestPauseOrResume, .setMetadata, .setZones, .setGoals, .setAlerts, .enableType, .disableType:
      fatalError("\(call) makes no transition")
    }
  }
}

extension HeartRateSample {
  /// A sample with a heart rate, contact detected unless it is said otherwise.
  static func example(
    _ heartRate: UInt8, at tick: Tick, contact: SensorContact = .detected, rr: [UInt16] = [], isRepeat: Bool = false
  ) -> HeartRateSample {
    let contactBits: UInt8 =
      switch contact {
      case .detected: 0x06
      case .notDetected: 0x04
      case .unknown: 0x00
      }
    let payload =
      [contactBits | (rr.isEmpty ? 0 : 0x10), heartRate] + rr.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    do {
      return HeartRateSample(
        sequence: tick.nanoseconds, tick: tick, measurement: try HeartRateMeasurement(payload), payload: payload,
        isRepeat: isRepeat)
    } catch {
      fatalError("\(error)")
    }
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
