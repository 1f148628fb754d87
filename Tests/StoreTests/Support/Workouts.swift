import Measurements
import Workout

@testable import Store

/// Samples as straps send them, from a seed.
enum Workouts {
  struct Strap {
    var hertz = 1.0
    /// How late a notification is handled, in seconds: the standard deviation.
    var jitter = 0.0005
    /// Notifications come at the connection's events, so far apart; nil where that is not to be seen.
    var connectionInterval: Double?
    /// Beat to beat, in seconds, beside what effort and breath do.
    var variability = 0.012
    var hasIntervals = true
    var hasEnergy = false
  }

  /// - Parameter first: the first sequence number.
  static func samples(
    _ count: Int, _ strap: Strap = Strap(), first: Int64 = 1, seed: UInt64 = 7
  ) throws -> [HeartRateSample] {
    var random = SeededRandom(state: seed)
    func noise() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } }
    var samples: [HeartRateSample] = []
    var timeline = BeatTimeline()
    var (sequence, beat, rate, wander) = (first, 0.0, 75.0, 0.0)
    for index in 0..<count {
      let time = Double(index) / strap.hertz * 1.00002
      var pending: [RRInterval] = []
      while beat < time {
        let effort = abs((beat / 900).truncatingRemainder(dividingBy: 2) - 1)
        rate += (165 - 80 * effort - rate) * 0.01
        wander = 0.7 * wander + noise() * strap.variability * 0.7
        let breath = 0.01 * (abs((beat / 4).truncatingRemainder(dividingBy: 1) - 0.5) - 0.25)
        let interval = RRInterval(ticks1024: UInt16(max(300, min(1500, (60 / rate + breath + wander) * 1024))))
        beat += interval.milliseconds / 1000
        pending.append(interval)
      }
      var at = 100 + time
      if let step = strap.connectionInterval { at = (at / step).rounded(.up) * step }
      at += abs(noise()) * strap.jitter
      let tick = Tick(nanoseconds: Int64(at * 1e9))
      // A pause of ten minutes now and then, and contact that is lost for some seconds.
      let isLoose = index % 700 > 690
      var payload: [UInt8] = [isLoose ? 0x04 : 0x06, UInt8(rate)]
      if strap.hasEnergy, index % 10 == 0 {
        payload[0] |= 0x08
        payload += [UInt8(truncatingIfNeeded: index / 20), UInt8(index / 20 / 256)]
      }
      if strap.hasIntervals, !pending.isEmpty {
        payload[0] |= 0x10
        for interval in pending { payload.append(number: interval.ticks1024) }
      }
      let measurement = try HeartRateMeasurement(payload)
      samples.append(
        HeartRateSample(
          sequence: sequence, tick: tick, measurement: measurement, payload: payload,
          isRepeat: index % 500 == 499, beats: timeline.place(measurement.rrIntervals, isRepeat: false, at: tick)))
      sequence += Int64.random(in: 0..<50, using: &random) == 0 ? 3 : 1
    }
    return samples
  }
}

extension StoredSample {
  init(_ sample: HeartRateSample, boot: Int64 = 1) {
    let told = sample.measurement.rrIntervals
    var octets: [UInt8] = []
    for interval in told { octets.append(number: interval.ticks1024) }
    self.init(
      sequence: sample.sequence, boot: boot, tick: sample.tick.nanoseconds, isRepeat: sample.isRepeat,
      lastBeat: sample.beats?.lastBeat.nanoseconds, uncertainty: sample.beats?.uncertainty.wholeNanoseconds,
      intervals: told.isEmpty ? nil : octets, warnings: Int64(sample.measurement.warnings.rawValue),
      payload: sample.payload)
  }
}

extension SessionRecord {
  /// A session that has ended.
  /// As `ended` has it, with the transitions by which it came to that, under the numbers from this one on.
  static func transitions(
    _ number: UInt8 = 1, from first: Int64, endedAt end: Int64, paused: (start: Int64, end: Int64)? = nil
  ) -> [Record] {
    var steps: [(from: WorkoutState, to: WorkoutState, second: Int64)] = [
      (.notStarted, .prepared, 1), (.prepared, .running, 2),
    ]
    if let paused { steps += [(.running, .paused, paused.start), (.paused, .running, paused.end)] }
    steps += [(.running, .stopped, end), (.stopped, .ended, end)]
    return zip(first..., steps).map { sequence, step in
      let transition = Transition(
        from: step.from, to: step.to, at: .at(step.second), cause: .user, endReason: step.to == .ended ? .user : nil)
      return .event(
        EventRecord(sequence: sequence, session: .number(number), at: .at(step.second), what: .transition(transition)))
    }
  }

  static func ended(_ number: UInt8 = 1, at seconds: Int64) -> SessionRecord {
    var record = SessionRecord.example(number, state: .ended)
    record.start = .at(2)
    record.end = .at(seconds)
    return record
  }
}
