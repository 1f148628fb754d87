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
      guard length > .milliseconds(1) else { return offset }
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
    var length = session.elapsed.map { Duration.milliseconds(Int64(clamping: min($0, UInt64(UInt32.max)))) }
    var range = samples.startIndex..<samples.endIndex
    if !isOwn {
      range = told == nil ? longestRun : cut(self.range(from: start, before: limit), from: start, length)
      if range.isEmpty, contents.sessions.count <= 1 { range = longestRun }
      guard !range.isEmpty else { return nil }
      // A start with nothing behind it is of a clock that was set meanwhile.
      let (earliest, latest) = (samples[range.lowerBound].nanoseconds, samples[range.upperBound - 1].nanoseconds)
      if told == nil || earliest < start || .nanoseconds(earliest - start) > (length ?? Self.mostBetween) {
        start = earliest
      }
      length = self.length(length, from: start, to: latest, before: limit)
    }
    let isHeart = samples[range].contains { $0.received.heartRate > 0 || !$0.received.intervals.isEmpty }
    guard isHeart else { return nil }
    start += Int64(min(session.startFraction ?? 0, 999_999_999))
    let date = FITProfile.epoch + .nanoseconds(start)
    return Span(start: start, date: date, length: length ?? .zero, limit: limit, samples: range)
  }

  /// As long as the session says, or the timer where it is not days away, and no shorter than what is there. Where nothing
  /// tells of an end, a record is of a second.
  private func length(_ told: Duration?, from start: Int64, to latest: Int64, before limit: Int64) -> Duration {
    let last = Duration.nanoseconds(latest - start)
    let timer = contents.timer.last { Int64($0.at.timestamp) * Self.second < limit }.map {
      Duration.nanoseconds(Int64($0.at.timestamp) * Self.second - start)
    }
    let fallback = timer.flatMap { $0 - last < Self.mostBetween ? $0 : nil }
    return max(told ?? fallback ?? last + .seconds(1), last)
  }

  /// The most samples with no day between them: what an unset clock has dated lies years away.
  private var longestRun: Range<Int> {
    var longest = samples.startIndex..<samples.startIndex
    var begin = samples.startIndex
    for index in samples.indices {
      let isNext = index > begin
      if isNext, .nanoseconds(samples[index].nanoseconds - samples[index - 1].nanoseconds) > Self.mostBetween {
        begin = index
      }
      if index + 1 - begin > longest.count { longest = begin..<(index + 1) }
    }
    return longest
  }

  private func range(from start: Int64, before limit: Int64) -> Range<Int> {
    let first = samples.firstIndex { $0.nanoseconds >= start } ?? samples.endIndex
    let end = samples[first...].firstIndex { $0.nanoseconds >= limit } ?? samples.endIndex
    return first..<end
  }

  /// Without those that lie hours outside.
  private func cut(_ range: Range<Int>, from start: Int64, _ length: Duration?) -> Range<Int> {
    var last = start
    for index in range {
      let at = samples[index].nanoseconds
      let isBehind = length.map { .nanoseconds(at - start) > $0 + Self.mostBehindEnd } ?? true
      if isBehind, .nanoseconds(at - last) > (length == nil ? Self.mostBetween : .zero) {
        return range.lowerBound..<index
      }
      last = at
    }
    return range
  }
}
