import Control
import Measurements

/// Work of the daemon whose times are kept.
public enum TimedWork: Hashable, Sendable {
  /// From the turn of the loop in which a call was taken until the last octets of its answer were handed to the kernel, or
  /// to the queue of a client that does not read.
  case call(method: String)
  /// From the turn in which a heart rate was taken from the bus until it was written, and handed to every watcher.
  case heartRate
  /// How long a turn of the loop has kept everything else waiting.
  case turn
}

/// How long the daemon takes for what it does, since it was started.
struct Timings: Sendable {
  private var calls: [String: TimingHistogram] = [:]
  private var heartRates = TimingHistogram()
  private var turns = TimingHistogram()

  mutating func add(_ work: TimedWork, _ duration: Duration) {
    switch work {
    case .call(let method): calls[method, default: TimingHistogram()].add(duration)
    case .heartRate: heartRates.add(duration)
    case .turn: turns.add(duration)
    }
  }

  var snapshot: TimingsSnapshot {
    TimingsSnapshot(
      calls: calls.keys.sorted().compactMap { method in calls[method]?.snapshot(of: method) },
      heartRates: heartRates.snapshot(of: nil), turns: turns.snapshot(of: nil))
  }
}

/// How often something has taken about so long: sixteen classes an octave, so that what is told of it is at most a
/// sixteenth too much, in a few kilobytes for however many.
struct TimingHistogram: Sendable {
  private(set) var count = 0
  private(set) var longest = Duration.zero
  private var counts: [Int] = []

  mutating func add(_ duration: Duration) {
    let place = Self.place(of: duration.wholeNanoseconds)
    if counts.count <= place { counts += Array(repeating: 0, count: place + 1 - counts.count) }
    counts[place] += 1
    count += 1
    longest = max(longest, duration)
  }

  /// At most so long was this share of them (0 to 1); nil of none.
  func quantile(_ share: Double) -> Duration? {
    var left = max(1, Int((share * Double(count)).rounded(.up)))
    for (place, count) in counts.enumerated() {
      left -= count
      if left <= 0 { return min(longest, .nanoseconds(Self.end(of: place))) }
    }
    return nil
  }

  func snapshot(of method: String?) -> TimingSnapshot {
    TimingSnapshot(
      method: method, count: count, median: quantile(0.5), percentile99: quantile(0.99),
      longest: count == 0 ? nil : longest)
  }

  private static let classes = 16

  /// The first classes are a nanosecond each; from 32 on, an octave has sixteen.
  private static func place(of nanoseconds: Int64) -> Int {
    let value = UInt64(max(0, nanoseconds))
    if value < 32 { return Int(value) }
    let octave = 63 - value.leadingZeroBitCount - 4
    return octave * classes + Int(value >> UInt64(octave))
  }

  /// The longest of a class.
  private static func end(of place: Int) -> Int64 {
    if place < 32 { return Int64(place) }
    let octave = place / classes - 1
    return Int64(((place - octave * classes) + 1) << octave) - 1
  }
}
