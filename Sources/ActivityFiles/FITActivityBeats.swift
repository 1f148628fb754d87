import Measurements

// Beats with times of their own, beside the records.
extension FITActivity {
  /// How near to a record with a heart rate a beat tells nothing new.
  private static let near: Int64 = 5 * second

  /// Beats of times that the records know no heart rate of; intervals only where there is no `hrv` message, which would tell
  /// of the same.
  static func samples(of beats: FITBeats, beside samples: [Sample]) -> [Sample] {
    guard beats.count > 0 else { return [] }
    let hasIntervals = samples.contains { !$0.received.intervals.isEmpty }
    let known = samples.filter { $0.received.heartRate > 0 }.map(\.nanoseconds).sorted()
    var added: [Sample] = []
    var place = 0
    for beat in beats.heartRates.sorted(by: { $0.nanoseconds < $1.nanoseconds }) {
      while place < known.count, known[place] < beat.nanoseconds - near { place += 1 }
      let isKnown = place < known.count && known[place] <= beat.nanoseconds + near
      let intervals = hasIntervals ? [] : beat.intervals
      if isKnown, intervals.isEmpty { continue }
      added.append(sample(beat, heartRate: isKnown ? 0 : beat.heartRate, intervals))
    }
    if !hasIntervals, beats.heartRates.isEmpty {
      added += beats.intervals.map { sample($0, heartRate: 0, $0.intervals) }
    }
    return added
  }

  private static func sample(_ beat: FITBeats.Beat, heartRate: UInt16, _ intervals: [RRInterval]) -> Sample {
    let timestamp = UInt32(clamping: beat.nanoseconds / second)
    let at = FITContents.Moment(timestamp: timestamp)
    return Sample(
      nanoseconds: beat.nanoseconds,
      received: FITContents.Received(at: at, heartRate: heartRate, intervals: intervals))
  }
}
