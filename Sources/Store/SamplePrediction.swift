/// What a sample is expected to be by those before it; only what it is otherwise is written. Both ways of the coder keep
/// one and tell it the same, so nothing here may ever change for pieces of version 1.
///
/// All arithmetic wraps: what a damaged piece makes of it is refused by other checks, or wrong, but never a trap.
struct SamplePrediction {
  var sequence: Int64
  var boot: Int64
  private var line: Int64
  private var period: Int64
  private(set) var heartRate: UInt16 = 0
  private(set) var energy: UInt16 = 0
  private(set) var interval: UInt16 = 0
  private(set) var lastBeat: Int64 = 0
  /// Where the last beat of the packet lies that is being told.
  private(set) var nextBeat: Int64 = 0
  private(set) var uncertainty: Int64 = 0

  /// A miss beyond which the strap was silent, or its notifications have no period.
  private static let farOff: Int64 = 250_000_000

  /// - Parameter first: the first sample's tick.
  init(sequence: Int64, boot: Int64, first: Int64, period: Int64) {
    (self.sequence, self.boot, self.period) = (sequence, boot, period)
    line = first &- period
  }

  /// Notifications come with a period, each a little late: so their ticks lie about a line, which is followed slowly, and
  /// not by the differences, which have the jitter of two or four ticks each.
  var tick: Int64 { line &+ period }

  mutating func take(tick taken: Int64) {
    let miss = taken &- tick
    if miss > Self.farOff || miss < -Self.farOff {
      line = taken
    } else {
      line = tick &+ (miss >> 3)
      period = period &+ (miss >> 7)
    }
  }

  mutating func take(heartRate taken: UInt16) {
    // Before the first interval the heart rate is all that is known of it.
    if interval == 0, taken > 0 { interval = UInt16(truncatingIfNeeded: 61_440 / Int(taken)) }
    heartRate = taken
  }

  mutating func take(energy taken: UInt16) { energy = taken }

  mutating func take(interval taken: UInt16) {
    interval = taken
    nextBeat = nextBeat &+ Int64(taken) * 1_953_125 / 2
  }

  /// Beats follow each other by their intervals (`BeatTimeline`), those of packets apart that were not laid out.
  mutating func beginIntervals() { nextBeat = lastBeat }

  mutating func take(lastBeat taken: Int64) { lastBeat = taken }

  mutating func take(uncertainty taken: Int64) { uncertainty = taken }
}
