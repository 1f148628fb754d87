import Measurements

@testable import Workout

/// A workout's statistics by its rules over a whole list of inputs at once: each counted value looks ahead for what ends
/// its hold, and a part's share of it is where the two overlap.
struct Batch {
  enum Part {
    case whole, currentLap
    case lap(Int64)
    case activity(Int64)
  }

  private let inputs: [StreamInput]
  private let zones: HeartRateZones?
  private var values: [Value] = []

  init(_ inputs: ArraySlice<StreamInput>, zones: HeartRateZones?) {
    self.inputs = Array(inputs)
    self.zones = zones
    values = allValues
  }

  private struct Value {
    var place: Int
    var heartRate: UInt16
    var from: Int64
    /// nil where nothing has ended it yet.
    var until: Int64?
  }

  func summary(of part: Part, at now: Tick) -> IntervalSummary? {
    guard let (begin, end) = bounds(of: part) else { return nil }
    let from = inputs[begin].tick.nanoseconds
    let until = end.map { inputs[$0].tick.nanoseconds } ?? now.nanoseconds
    let own = begin..<(end ?? inputs.count)
    var held: [(value: Value, span: Int64)] = []
    for value in values {
      let last = min(value.until ?? until, value.from + 10_000_000_000, until)
      let span = last - max(value.from, from)
      if own.contains(value.place) || (span > 0 && value.place < begin) { held.append((value, max(span, 0))) }
    }
    let covered = held.reduce(0) { $0 + $1.span }
    let weighted = held.reduce(0) { $0 + $1.span * Int64($1.value.heartRate) }
    var times = [Int64](repeating: 0, count: zones?.count ?? 0)
    for (value, span) in held { if let zones { times[zones.zone(of: value.heartRate) - 1] += span } }
    let rates = held.map(\.value.heartRate)
    let heartRate = held.last.map { last in
      HeartRateSummary(
        count: held.count { own.contains($0.value.place) }, minimum: rates.min() ?? 0, maximum: rates.max() ?? 0,
        average: covered == 0 ? Double(last.value.heartRate) : Double(weighted) / Double(covered),
        mostRecent: last.value.heartRate, mostRecentTick: Tick(nanoseconds: last.value.from),
        covered: .nanoseconds(covered), timeInZones: times.map { .nanoseconds($0) })
    }
    return IntervalSummary(
      elapsed: .nanoseconds(running(from, until)), wall: .nanoseconds(until - from), heartRate: heartRate,
      rrCount: own.reduce(0) { $0 + beats(at: $1) })
  }

  /// The places of the marks that begin and end a part.
  private func bounds(of part: Part) -> (begin: Int, end: Int?)? {
    let ended = place { $0 == .ended }
    let laps = inputs.indices.filter { if case .mark(.lapEnded, _) = inputs[$0] { true } else { false } }
    switch part {
    case .whole: return (0, ended)
    case .currentLap: return (laps.last ?? 0, ended)
    case .lap(let number):
      guard let end = place(where: { $0 == .lapEnded(number) }) else { return nil }
      return (laps.last { $0 < end } ?? 0, end)
    case .activity(let number):
      guard let begin = place(where: { $0 == .activityBegan(number) }) else { return nil }
      let end = inputs.indices.first { index in
        guard index > begin, case .mark(let mark, _) = inputs[index] else { return false }
        if case .activityBegan = mark { return true }
        return mark == .activityEnded || mark == .ended
      }
      return (begin, end)
    }
  }

  private func place(where isIt: (Mark) -> Bool) -> Int? {
    inputs.firstIndex { if case .mark(let mark, _) = $0 { isIt(mark) } else { false } }
  }

  private var allValues: [Value] {
    inputs.indices.compactMap { index in
      guard case .sample(let sample) = inputs[index], isRunning(at: index), sample.measurement.heartRate > 0,
        sample.measurement.contact != .notDetected
      else { return nil }
      let next = inputs[(index + 1)...].first { Self.endsAHold($0) }
      return Value(
        place: index, heartRate: sample.measurement.heartRate, from: sample.tick.nanoseconds,
        until: next?.tick.nanoseconds)
    }
  }

  private func isRunning(at place: Int) -> Bool {
    for input in inputs[..<place].reversed() {
      switch input {
      case .mark(.began, _), .mark(.resumed, _): return true
      case .mark(.paused, _), .mark(.ended, _): return false
      case .mark, .sample: break
      }
    }
    return false
  }

  private func running(_ from: Int64, _ until: Int64) -> Int64 {
    var sum: Int64 = 0
    for (index, input) in inputs.enumerated() {
      switch input {
      case .mark(.began, let tick), .mark(.resumed, let tick):
        let halt = inputs[(index + 1)...].first { Self.halts($0) }
        sum += max(0, min(halt?.tick.nanoseconds ?? until, until) - max(tick.nanoseconds, from))
      case .mark, .sample: break
      }
    }
    return sum
  }

  private func beats(at place: Int) -> Int {
    guard case .sample(let sample) = inputs[place], isRunning(at: place), !sample.isRepeat,
      sample.measurement.contact != .notDetected
    else { return 0 }
    return sample.measurement.rrIntervals.filter { $0.ticks1024 != 0 }.count
  }

  private static func halts(_ input: StreamInput) -> Bool {
    switch input {
    case .mark(.paused, _), .mark(.ended, _): true
    case .mark, .sample: false
    }
  }

  private static func endsAHold(_ input: StreamInput) -> Bool {
    switch input {
    case .mark(.paused, _), .mark(.linkLost, _), .mark(.ended, _): true
    case .mark: false
    case .sample(let sample): sample.measurement.contact == .notDetected || sample.measurement.heartRate > 0
    }
  }
}
