/// When something was recorded.
struct LogTime: Hashable, Sendable {
  /// What the log says, in microseconds since 1970-01-01T00:00:00Z.
  var date: Int64
  /// Microseconds on an axis that never goes back.
  var axis: Int64
}

/// Makes an axis of a log's dates, which go back when the machine's clock is set.
struct LogClock: Sendable {
  /// How often the clock was set back.
  private(set) var setBack = 0
  private var now: LogTime?
  /// Records may stand out of order by so much, in microseconds; what is more was the clock.
  private static let disorder: Int64 = 1_000_000
  /// No silence needs to be longer than this, in microseconds: it is what keeps the axis within 64 bits.
  private static let longestStep: Int64 = 3_600_000_000

  mutating func time(of date: Int64) -> LogTime {
    guard let last = now else {
      let first = LogTime(date: date, axis: 0)
      now = first
      return first
    }
    let step = date - last.date
    if step < 0, step >= -Self.disorder { return last }
    if step < 0 { setBack += 1 }
    let (axis, overflow) = last.axis.addingReportingOverflow(min(max(step, 0), Self.longestStep))
    let next = LogTime(date: date, axis: overflow ? .max : axis)
    now = next
    return next
  }
}

/// What was lost because the log's writer did not keep up.
struct LogDrops: Hashable, Sendable {
  /// How often that was.
  private(set) var count = 0
  /// When that was last, on the axis.
  private(set) var axis: Int64 = 0
  private var counter: UInt32?

  /// Takes the counter of a record; one that has gone back was begun anew.
  mutating func note(_ counter: UInt32, at time: LogTime) {
    let hasGrown = self.counter.map { counter > $0 } ?? false
    self.counter = counter
    if hasGrown {
      count += 1
      axis = time.axis
    }
  }
}
