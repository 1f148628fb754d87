import Measurements

/// How long something has taken, each time since the daemon was started.
public struct TimingSnapshot: Hashable, Sendable {
  /// nil where it is no call's.
  public var method: String?
  public var count: Int
  /// nil where it has not happened, as with the others; at most a sixteenth too much, as is `percentile99`.
  public var median: Duration?
  public var percentile99: Duration?
  public var longest: Duration?

  public init(method: String?, count: Int, median: Duration?, percentile99: Duration?, longest: Duration?) {
    self.method = method
    self.count = count
    self.median = median
    self.percentile99 = percentile99
    self.longest = longest
  }

  var json: JSON {
    .object([
      "method": method.map(JSON.string), "count": .integer(Int64(count)),
      "medianSeconds": median.map { .real($0.inSeconds) }, "p99Seconds": percentile99.map { .real($0.inSeconds) },
      "longestSeconds": longest.map { .real($0.inSeconds) },
    ])
  }
}

/// How long the daemon takes, measured by itself.
public struct TimingsSnapshot: Hashable, Sendable {
  /// By the method's name.
  public var calls: [TimingSnapshot]
  /// From a measurement's arrival to its being written and told.
  public var heartRates: TimingSnapshot
  /// How long a turn of the loop has kept everything else waiting.
  public var turns: TimingSnapshot

  public init(calls: [TimingSnapshot], heartRates: TimingSnapshot, turns: TimingSnapshot) {
    self.calls = calls
    self.heartRates = heartRates
    self.turns = turns
  }

  var json: JSON {
    .object(["calls": .array(calls.map(\.json)), "heartRates": heartRates.json, "turns": turns.json])
  }
}
