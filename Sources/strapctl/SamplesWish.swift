import Control
import Measurements
import Workout

/// What of a workout's measurements is to be told.
struct SamplesWish: Equatable {
  /// nil: whole measurements.
  var series: SampleSeries?
  /// RFC 3339 dates.
  var from: String?
  var to: String?
  var buckets: Buckets?

  enum Buckets: Equatable {
    case every(seconds: Double)
    case count(Int)
  }

  init() {}

  /// Reads the options' values; nil for one that is not given.
  init(series: String?, from: String?, to: String?, every: String?, buckets: String?) throws(UsageError) {
    if let series {
      guard let known = SampleSeries(rawValue: series) else {
        let all = SampleSeries.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("'\(series)' is no series; there are \(all)")
      }
      self.series = known
    }
    let dates = [from, to].map { $0.map { WallTime(rfc3339: $0) } }
    for (text, date) in zip([from, to], dates) {
      if let text, date == .some(nil) {
        throw UsageError("'\(text)' is no date as in RFC 3339; one looks like 2026-11-30T09:10:11+01:00")
      }
    }
    if let first = dates[0] ?? nil, let last = dates[1] ?? nil, last <= first {
      throw UsageError("--to has to be later than --from")
    }
    (self.from, self.to) = (from, to)
    if let every {
      if buckets != nil { throw UsageError("either --every or --buckets") }
      guard let seconds = Draft.seconds(every, 0.001...604_800) else {
        throw UsageError("'\(every)' is no length of a bucket; allowed are 0.001 to 604800 seconds")
      }
      self.buckets = .every(seconds: seconds)
    }
    if let buckets {
      guard let count = Int(buckets), (1...SamplesRequest.mostBuckets).contains(count) else {
        throw UsageError("'\(buckets)' is no number of buckets; allowed are 1 to \(SamplesRequest.mostBuckets)")
      }
      self.buckets = .count(count)
    }
  }

  /// The parameters of GetSamples that it comes to.
  var members: [JSON.Member] {
    var members: [JSON.Member] = []
    if let series { members.append(.init("series", .string(series.rawValue))) }
    if let from { members.append(.init("from", .string(from))) }
    if let to { members.append(.init("to", .string(to))) }
    switch buckets {
    case .every(let seconds): members.append(.init("bucketSeconds", .real(seconds)))
    case .count(let count): members.append(.init("buckets", .integer(Int64(count))))
    case nil: break
    }
    return members
  }
}
