import Measurements
import Workout

/// What a call of GetSamples asks for.
public struct SamplesRequest: Hashable, Sendable {
  public var id: SessionID
  /// Behind this event.
  public var after: Int64
  /// Measurements at most; nil for all, which only a call with `more` has.
  public var limit: Int?
  /// Values of this series in place of whole measurements.
  public var series: SampleSeries?
  public var from: WallTime?
  public var to: WallTime?
  public var buckets: Buckets?
  /// As many replies as it takes.
  public var streams: Bool

  /// How a series is summed up.
  public enum Buckets: Hashable, Sendable {
    case every(Duration)
    /// So many of equal length.
    case count(Int)
  }

  public init(
    id: SessionID, after: Int64 = 0, limit: Int? = 100, series: SampleSeries? = nil, from: WallTime? = nil,
    to: WallTime? = nil, buckets: Buckets? = nil, streams: Bool = false
  ) {
    self.id = id
    self.after = after
    self.limit = limit
    self.series = series
    self.from = from
    self.to = to
    self.buckets = buckets
    self.streams = streams
  }

  /// Whether only what lies between the session's start and its end is meant.
  public var isOfWorkout: Bool { series != nil || from != nil || to != nil }

  /// The most buckets of one call, and of one without `more`.
  public static let mostBuckets = 10_000
  public static let mostBucketsAtOnce = 1000
}

extension ParameterReader {
  mutating func samplesRequest(more: Bool) throws(ControlError) -> SamplesRequest {
    let id = try id()
    let after = try take("after") { $0.asInteger.flatMap { $0 >= 0 ? $0 : nil } }
    let isLimited = isGiven("limit")
    let most = try limit()
    let limit = isLimited ? most : nil
    let series = try take("series") { $0.asString.flatMap { SampleSeries(rawValue: $0) } }
    let (from, to) = (try date("from"), try date("to"))
    if let from, let to, to <= from { throw .invalidParameter("to") }
    let buckets = try buckets()
    if buckets != nil {
      // They are of all the range.
      if after != nil { throw .invalidParameter("after") }
      if limit != nil { throw .invalidParameter("limit") }
    }
    return SamplesRequest(
      id: id, after: after ?? 0, limit: limit ?? (more ? nil : 100),
      series: buckets == nil ? series : series ?? .heartRate,
      from: from, to: to, buckets: buckets, streams: more)
  }

  private mutating func buckets() throws(ControlError) -> SamplesRequest.Buckets? {
    let width = try take("bucketSeconds") { value -> Duration? in
      value.asReal.flatMap { (0.001...604_800).contains($0) ? .seconds($0) : nil }
    }
    let count = try take("buckets") { value in
      value.asInteger.flatMap { (1...Int64(SamplesRequest.mostBuckets)).contains($0) ? Int($0) : nil }
    }
    guard let width else { return count.map(SamplesRequest.Buckets.count) }
    if count != nil { throw .invalidParameter("buckets") }
    return .every(width)
  }
}
