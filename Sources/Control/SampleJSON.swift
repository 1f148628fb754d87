import Measurements
import Workout

extension HeartRateSample {
  /// Its members in an event or a list, where it was received at a date.
  func members(at date: WallTime) -> [JSON.Member] {
    let warnings = measurement.warnings.names
    var members: [JSON.Member] = [
      .init("heartRate", .integer(Int64(measurement.heartRate))),
      .init("contact", .string(measurement.contact.rawValue)),
      .init("rrIntervals", .array(measurement.rrIntervals.map { .real($0.milliseconds) })),
      .init("rrTicks", .array(measurement.rrIntervals.map { .integer(Int64($0.ticks1024)) })),
    ]
    if let energy = measurement.energyKilojoules { members.append(.init("energyKilojoules", .integer(Int64(energy)))) }
    if !warnings.isEmpty { members.append(.init("warnings", .array(warnings.map(JSON.string)))) }
    if let beats {
      let lastBeat = date + (beats.lastBeat - tick)
      members.append(.init("lastBeatDate", .string(lastBeat.rfc3339)))
      members.append(.init("beatUncertaintySeconds", .real(beats.uncertainty.inSeconds)))
    }
    if isRepeat { members.append(.init("repeat", .bool(true))) }
    return members
  }
}

/// A stretch of a session's measurements as clients see them.
public struct SamplesSnapshot: Hashable, Sendable {
  /// What their dates and seconds are counted from: the session's start, or its making where it has none.
  public var start: DatedTick
  public var content: Content
  /// The event of the last one, where there are more and no reply follows that has them.
  public var next: Int64?
  /// Another reply follows.
  public var continues: Bool

  public enum Content: Hashable, Sendable {
    /// Each as its event was, with the octets as they came.
    case samples([HeartRateSample])
    case values(SampleSeries, of: [HeartRateSample])
    case buckets([SeriesBucket], width: Duration)
  }

  public init(start: DatedTick, _ content: Content, next: Int64?, continues: Bool = false) {
    self.start = start
    self.content = content
    self.next = next
    self.continues = continues
  }

  public var json: JSON {
    let next = next.map(JSON.integer)
    switch content {
    case .samples(let samples): return .object(["samples": list(samples), "next": next])
    case .values(let series, let samples):
      return .object(["samples": .array([]), "values": list(series, of: samples), "next": next])
    case .buckets(let buckets, let width):
      return .object([
        "samples": .array([]), "buckets": list(buckets), "bucketSeconds": .real(width.inSeconds), "next": next,
      ])
    }
  }

  private func list(_ series: SampleSeries, of samples: [HeartRateSample]) -> JSON {
    .array(
      samples.flatMap { sample in
        let since = sample.tick - start.tick
        let date = (start.date + since).rfc3339
        return series.values(of: sample).map { value in
          JSON.object([
            "event": .integer(sample.sequence), "date": .string(date), "seconds": .real(since.inSeconds),
            "value": .real(value),
          ])
        }
      })
  }

  private func list(_ buckets: [SeriesBucket]) -> JSON {
    .array(
      buckets.map { bucket in
        let since = bucket.start - start.tick
        return JSON.object([
          "date": .string((start.date + since).rfc3339), "seconds": .real(since.inSeconds),
          "count": .integer(Int64(bucket.count)), "minimum": .real(bucket.minimum), "mean": .real(bucket.mean),
          "maximum": .real(bucket.maximum),
        ])
      })
  }

  private func list(_ samples: [HeartRateSample]) -> JSON {
    let samples = samples.map { sample in
      let since = sample.tick - start.tick
      let date = start.date + since
      let place: [JSON.Member] = [
        .init("event", .integer(sample.sequence)), .init("date", .string(date.rfc3339)),
        .init("seconds", .real(since.inSeconds)),
      ]
      return JSON.object(
        place + sample.members(at: date) + [.init("payload", .string(Self.hexadecimal(sample.payload)))])
    }
    return .array(samples)
  }

  private static func hexadecimal(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
