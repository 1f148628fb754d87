import Measurements
import Workout

// When a session was, and what is of it.
extension FITActivity {
  /// What a session spans.
  struct Span {
    /// Since FIT's epoch.
    var start: Int64
    var date: WallTime
    var length: Duration
    /// Where the next session begins.
    var limit: Int64
    /// Of the activity's.
    var samples: Range<Int>

    func offset(_ moment: FITContents.Moment, _ nanoseconds: Int64? = nil) -> Duration {
      if let offset = moment.offset { return .milliseconds(Int64(offset)) }
      return .nanoseconds((nanoseconds ?? Int64(moment.timestamp) * FITActivity.second) - start)
    }

    /// A record of the last second is of the workout, and what stands at its very end would not count.
    func offset(_ sample: Sample) -> Duration {
      let offset = offset(sample.received.at, sample.nanoseconds)
      guard sample.received.at.offset == nil, length > .milliseconds(1) else { return offset }
      return min(offset, length - .milliseconds(1))
    }

    func contains(_ moment: FITContents.Moment) -> Bool {
      let at = Int64(moment.timestamp) * FITActivity.second
      return moment.offset != nil || (at >= start && at < limit)
    }
  }

  /// The start is the session's, else the timer's, else the first heart rate's. The end is the start and the session's
  /// length: its timestamp is when it was written, which may be before everything else ("summary first").
  ///
  /// - Returns: nil where there is no heart rate in it.
  func span(of session: FITContents.Session, before next: UInt32?) -> Span? {
    guard let first = samples.first else { return nil }
    let limit = next.map { Int64($0) * Self.second } ?? .max
    let told = session.start ?? contents.timer.first { $0.isStart }?.at.timestamp
    var start = told.map { Int64($0) * Self.second } ?? first.nanoseconds
    let isOwn = first.received.at.offset != nil
    var range = isOwn ? samples.startIndex..<samples.endIndex : range(from: start, before: limit)
    if range.isEmpty, next == nil, contents.sessions.count <= 1 {
      // A start behind everything is of a clock that was set meanwhile.
      start = first.nanoseconds
      range = samples.startIndex..<samples.endIndex
    }
    var length = session.elapsed.map { Duration.milliseconds(Int64(clamping: min($0, UInt64(UInt32.max)))) }
    if !isOwn {
      range = range.lowerBound..<end(of: range, from: start, length)
      guard let last = samples[range].last else { return nil }
      let lastTimer = contents.timer.last { Int64($0.at.timestamp) * Self.second < limit }.map {
        Duration.nanoseconds(Int64($0.at.timestamp) * Self.second - start)
      }
      let lastSample = Duration.nanoseconds(last.nanoseconds - start)
      let isNear = lastTimer.map { $0 - lastSample < Self.mostBetween } ?? false
      // Where nothing tells of an end, a record is of a second.
      let fallback = isNear ? lastTimer : nil
      length = max(length ?? fallback ?? lastSample + .seconds(1), lastSample)
    }
    guard samples[range].contains(where: { $0.received.heartRate > 0 || !$0.received.intervals.isEmpty }) else {
      return nil
    }
    let fraction = Duration.nanoseconds(Int64(min(session.startFraction ?? 0, 999_999_999)))
    let date = FITProfile.epoch + .nanoseconds(start) + fraction
    return Span(start: start, date: date, length: length ?? .zero, limit: limit, samples: range)
  }

  private func range(from start: Int64, before limit: Int64) -> Range<Int> {
    let first = samples.firstIndex { $0.nanoseconds >= start } ?? samples.endIndex
    let end = samples[first...].firstIndex { $0.nanoseconds >= limit } ?? samples.endIndex
    return first..<end
  }

  /// Where those end that are not hours outside.
  private func end(of range: Range<Int>, from start: Int64, _ length: Duration?) -> Int {
    var last = start
    for index in range {
      let at = samples[index].nanoseconds
      let isBehind = length.map { .nanoseconds(at - start) > $0 + Self.mostBehindEnd } ?? true
      if isBehind, .nanoseconds(at - last) > (length == nil ? Self.mostBetween : .zero) { return index }
      last = at
    }
    return range.upperBound
  }
}
