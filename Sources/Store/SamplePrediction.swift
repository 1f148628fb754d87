/// What a sample is expected to be by those before it; only what it is otherwise is written. Both ways of the coder keep
/// one and tell it the same, so nothing here may ever change for pieces of version 1.
///
/// All arithmetic wraps: what a damaged piece makes of it is refused by other checks, or wrong, but never a trap.
struct SamplePrediction {
  var sequence: Int64
  var boot: Int64
  private var line: Int64
  private var period: Int64
  /// Between the connection's events, at which alone notifications come, in nanoseconds; 0 where none are to be seen.
  private let spacing: Int64
  /// When the strap had its last measurement ready, as far as the events tell.
  private var ready: Int64
  /// By how much the events come later than `spacing` says, from one measurement to the next.
  private var drift: Int64 = 0
  private(set) var heartRate: UInt16 = 0
  private(set) var energy: UInt16 = 0
  private(set) var interval: UInt16 = 0
  /// The last packet with intervals, and how long its last beat was over by then, as far as packets tell.
  private var lastPacket: Int64
  private var sinceBeat: Int64 = 0
  private(set) var lastBeat: Int64 = 0
  /// Where the last beat of the packet lies that is being told.
  private(set) var nextBeat: Int64 = 0
  private(set) var uncertainty: Int64 = 0

  /// A miss beyond which the strap was silent, or its notifications have no period.
  private static let farOff: Int64 = 250_000_000

  /// - Parameters:
  ///   - first: the first sample's tick.
  ///   - spacing: 0, or from 1 ms to 10 s.
  init(sequence: Int64, boot: Int64, first: Int64, period: Int64, spacing: Int64) {
    (self.sequence, self.boot, self.period, self.spacing) = (sequence, boot, period, spacing)
    line = spacing == 0 ? first &- period : first
    ready = first &- period
    lastPacket = first
  }

  /// How many of the connection's events are expected from the last notification to the next: it comes with the first one
  /// behind the moment at which it is ready.
  var events: Int64 {
    if spacing == 0 { return 0 }
    let span = ready &+ period &- line
    return span > 0 ? (span &- 1) / spacing &+ 1 : span / spacing
  }

  /// How many there were, if it came at this tick.
  func events(until tick: Int64) -> Int64 {
    if spacing == 0 { return 0 }
    let span = tick &- line
    return (span < 0 ? span &- spacing / 2 : span &+ spacing / 2) / spacing
  }

  /// Notifications come with a period, each a little late: so their ticks lie about a line, which is followed slowly, and
  /// not by the differences, which have the jitter of two or four ticks each. Or they lie about the connection's events.
  func tick(after events: Int64) -> Int64 {
    spacing == 0 ? line &+ period : line &+ events &* spacing &+ drift
  }

  mutating func take(tick taken: Int64, after events: Int64) {
    let miss = taken &- tick(after: events)
    if spacing != 0 { return take(event: taken, miss) }
    if miss > Self.farOff || miss < -Self.farOff {
      line = taken
    } else {
      line = tick(after: events) &+ (miss >> 3)
      period = period &+ (miss >> 7)
    }
  }

  private mutating func take(event taken: Int64, _ miss: Int64) {
    if miss > spacing / 4 || miss < -(spacing / 4) {
      line = taken
    } else {
      line = taken &- miss &+ (miss >> 3)
      drift = drift &+ (miss >> 7)
    }
    // It was ready before this event, and not before the one before it.
    ready = ready &+ period
    if ready > line { ready = line } else if ready <= line &- spacing { ready = line &- spacing &+ 1 }
  }

  mutating func take(heartRate taken: UInt16) {
    // Before the first interval the heart rate is all that is known of it.
    if interval == 0, taken > 0 { interval = UInt16(truncatingIfNeeded: 61_440 / Int(taken)) }
    heartRate = taken
  }

  mutating func take(energy taken: UInt16) { energy = taken }

  mutating func take(interval taken: UInt16) {
    interval = taken
    nextBeat = nextBeat &+ Self.nanoseconds(taken)
    sinceBeat = sinceBeat &- Self.nanoseconds(taken)
  }

  /// A packet with intervals: as many are expected as have room since the last beat.
  mutating func beginPacket(at tick: Int64) -> Int64 {
    sinceBeat = sinceBeat &+ tick &- lastPacket
    lastPacket = tick
    guard interval > 0, sinceBeat > 0 else { return 1 }
    return max(1, min(sinceBeat / Self.nanoseconds(interval), 9))
  }

  /// Its last beat was over, and the next one was not.
  mutating func endPacket() {
    sinceBeat = max(0, min(sinceBeat, Self.nanoseconds(interval) &- 1))
  }

  private static func nanoseconds(_ interval: UInt16) -> Int64 { Int64(interval) * 1_953_125 / 2 }

  /// Beats follow each other by their intervals (`BeatTimeline`), those of packets apart that were not laid out.
  mutating func beginIntervals() { nextBeat = lastBeat }

  mutating func take(lastBeat taken: Int64) { lastBeat = taken }

  mutating func take(uncertainty taken: Int64) { uncertainty = taken }
}
