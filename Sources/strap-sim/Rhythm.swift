import Measurements

/// A heart: when it beats, and what a strap would say of it.
///
/// Nothing here is random, so a run can be repeated; the intervals are consistent with the rate over any length of time.
struct Rhythm: Equatable {
  enum Pace: Equatable {
    /// Somebody exercising: between 84 and 144 a minute and back in six minutes, breathing.
    case auto
    /// Beats a minute; 0 is no reading.
    case steady(Int)
  }

  var pace: Pace {
    didSet { remainder = 0 }
  }
  private let start: Tick
  private var lastBeat: Tick
  /// What whole ticks of 1/1024 s have left over so far, in parts of a tick as many as the rate.
  private var remainder = 0

  init(_ pace: Pace, at now: Tick) {
    self.pace = pace
    start = now
    lastBeat = now
  }

  /// Beats a minute, as a strap shows it.
  func rate(at now: Tick) -> Int {
    switch pace {
    case .auto: Int(slope(at: now).rounded())
    case .steady(let rate): rate
    }
  }

  /// The intervals that ended since the last call, oldest first.
  mutating func intervals(until now: Tick) -> [RRInterval] {
    guard rate(at: now) > 0 else {
      lastBeat = now
      return []
    }
    // The machine slept, or nobody asked: a strap does not keep beats either.
    if now - lastBeat > .seconds(5), rate(at: now) >= 30 { lastBeat = now }
    var intervals: [RRInterval] = []
    while true {
      let (interval, rest) = next()
      let beat = Tick(nanoseconds: lastBeat.nanoseconds + interval.nanoseconds)
      guard beat <= now else { return intervals }
      lastBeat = beat
      remainder = rest
      intervals.append(interval)
    }
  }

  /// The interval that begins with the last beat, and what it leaves over.
  private func next() -> (interval: RRInterval, remainder: Int) {
    switch pace {
    case .steady(let rate):
      let parts = 61_440 + remainder
      return (RRInterval(ticks1024: UInt16(parts / rate)), parts % rate)
    case .auto:
      // Breathing makes the heart faster and slower by some three percent, once in about four seconds.
      let breathing = 1 + 0.03 * Self.wave((lastBeat - start).inSeconds / 4.2)
      return (RRInterval(ticks1024: UInt16((61_440 / slope(at: lastBeat) * breathing).rounded())), 0)
    }
  }

  private func slope(at now: Tick) -> Double {
    114 - 30 * Self.wave((now - start).inSeconds / 360 + 0.25)
  }

  /// A triangle between -1 and 1 of period 1, at 0 and rising at 0.
  private static func wave(_ phase: Double) -> Double {
    let turn = phase + 0.25 - (phase + 0.25).rounded(.down)
    return turn < 0.5 ? 4 * turn - 1 : 3 - 4 * turn
  }
}
