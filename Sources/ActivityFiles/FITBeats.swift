import Measurements

/// Beats that a device has kept with times of its own: a strap with a memory (`hr` messages), or a watch (`raw_bbi`,
/// `beat_intervals`).
struct FITBeats: Sendable {
  private(set) var heartRates: [Beat] = []
  private(set) var intervals: [Beat] = []
  /// A moment by both the file's clock and the strap's.
  private var anchor: (nanoseconds: Int64, event: UInt32)?
  private var lastEvent: UInt32 = 0

  struct Beat: Sendable {
    /// Since FIT's epoch.
    var nanoseconds: Int64
    /// 0 where only intervals are known.
    var heartRate: UInt16
    var intervals: [RRInterval]
  }

  var count: Int { heartRates.count + intervals.count }

  /// Takes an `hr` message: beats by the strap's clock, in 1/1024 s, whole or as their last twelve bits.
  mutating func takeHeartRate(_ message: FITMessage) {
    typealias HeartRate = FITProfile.HeartRate
    let events = (message.values(HeartRate.eventTimestamp)?.wholes ?? []).map {
      $0.map { UInt32(truncatingIfNeeded: $0) }
    }
    let rates = message.values(HeartRate.filteredRate)?.wholes ?? []
    if let timestamp = message.whole(FITProfile.timestamp), timestamp <= UInt64(UInt32.max),
      let event = events.first?.flatMap({ $0 })
    {
      let fraction = message.whole(HeartRate.fractionalTimestamp) ?? 0
      let within = Int64(fraction & 0x7FFF) * 1_000_000_000 / 32_768
      anchor = (Int64(timestamp) * 1_000_000_000 + within, event)
      lastEvent = event
    }
    for (index, event) in events.enumerated() {
      if let event { take(event, index < rates.count ? rates[index] : nil) }
    }
    let packed = Array(message.values(HeartRate.eventTimestamp12)?.octets ?? [])
    for index in 0..<(packed.count / 3 * 2) {
      // Twelve bits each, least significant first, two in three octets.
      let place = index / 2 * 3
      let (first, second) = (UInt32(packed[place + index % 2]), UInt32(packed[place + 1 + index % 2]))
      let bits: UInt32 = index % 2 == 0 ? first | (second & 0x0F) << 8 : first >> 4 | second << 4
      // Behind the last beat the message is filled up: there, no heart rate stands.
      guard index < rates.count, let rate = rates[index] else { break }
      take(lastEvent &+ ((bits &- lastEvent) & 0x0FFF), rate)
    }
  }

  private mutating func take(_ event: UInt32, _ rate: UInt64?) {
    guard let anchor else { return }
    let span = event &- lastEvent
    lastEvent = event
    let ticks = Int64(Int32(bitPattern: event &- anchor.event))
    // Twelve bits tell of 4 s; what is longer than that was no interval.
    let isInterval = span > 0 && span < 4096 && !heartRates.isEmpty
    heartRates.append(
      Beat(
        nanoseconds: anchor.nanoseconds + ticks * 1_953_125 / 2,
        heartRate: rate.flatMap { UInt16(exactly: $0) } ?? 0,
        intervals: isInterval ? [RRInterval(ticks1024: UInt16(span))] : []))
  }

  /// Takes intervals that ended by the message's time, in milliseconds.
  mutating func takeIntervals(_ message: FITMessage) {
    typealias Beats = FITProfile.Beats
    guard let timestamp = message.timestamp else { return }
    let isRaw = message.definition.message == FITProfile.Message.rawBeats
    let values = (message.values(Beats.time)?.wholes ?? []).compactMap { $0 }
    // Above fourteen bits of time a raw one has two that tell of its quality.
    let told = values.compactMap { RRInterval(milliseconds: isRaw ? $0 & 0x3FFF : $0) }
    guard !told.isEmpty else { return }
    let milliseconds = Int64(min(message.whole(Beats.timestampMilliseconds) ?? 0, 999))
    intervals.append(
      Beat(
        nanoseconds: Int64(timestamp) * 1_000_000_000 + milliseconds * 1_000_000, heartRate: 0, intervals: told))
  }
}
