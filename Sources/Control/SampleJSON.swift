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

extension HeartRateSample {
  /// The whole of it, as it is listed and exported.
  ///
  /// - Parameters:
  ///   - number: its place in the order that its list has.
  ///   - start: what its date and seconds are counted from.
  public func recorded(as number: Int64, along start: DatedTick) -> JSON {
    let since = tick - start.tick
    let date = start.date + since
    let place: [JSON.Member] = [
      .init("event", .integer(number)), .init("date", .string(date.rfc3339)), .init("seconds", .real(since.inSeconds)),
    ]
    return .object(place + members(at: date) + [.init("payload", .string(Hex.text(payload)))])
  }

  /// Reads a sample that was exported: date, payload and, where they are there, rrTicks, warnings, repeat, lastBeatDate and
  /// beatUncertaintySeconds count; what else there is repeats them.
  ///
  /// - Parameter start: the workout's, from which its tick counts.
  public init(recorded json: JSON, along start: DatedTick) throws(RecordingError) {
    let number = json["event"]?.asInteger
    func date(_ name: String) throws(RecordingError) -> WallTime? {
      guard let value = json[name] else { return nil }
      guard let date = value.asString.flatMap({ WallTime(rfc3339: $0) }) else {
        throw RecordingError(number, "has no \(name) that can be read")
      }
      return date
    }
    guard let number, let received = try date("date") else { throw RecordingError(number, "has no number or date") }
    guard let payload = json["payload"]?.asString.flatMap({ Hex.bytes($0) }) else {
      throw RecordingError(number, "has no payload")
    }
    var measurement: HeartRateMeasurement
    do { measurement = try HeartRateMeasurement(payload) } catch { throw RecordingError(number, "\(error)") }
    if let rate = json["heartRate"], rate.asInteger != Int64(measurement.heartRate) {
      throw RecordingError(number, "has another heart rate than its payload")
    }
    try measurement.take(number, json)
    self.init(
      sequence: number, tick: start.tick + (received - start.date), measurement: measurement, payload: payload,
      isRepeat: json["repeat"]?.asBool ?? false)
    guard let lastBeat = try date("lastBeatDate") else { return }
    guard let uncertainty = json["beatUncertaintySeconds"].flatMap({ Duration(json: $0) }), uncertainty >= .zero else {
      throw RecordingError(number, "has no beatUncertaintySeconds that can be read")
    }
    beats = BeatTimeline.Placement(lastBeat: start.tick + (lastBeat - start.date), uncertainty: uncertainty)
  }
}

extension HeartRateMeasurement {
  /// Takes what was found out about the intervals of its strap when it came: some may have been taken out.
  fileprivate mutating func take(_ number: Int64, _ json: JSON) throws(RecordingError) {
    if let ticks = json["rrTicks"]?.asArray {
      var sent = rrIntervals[...]
      var kept: [RRInterval] = []
      for value in ticks {
        guard let place = sent.firstIndex(where: { Int64($0.ticks1024) == value.asInteger }) else {
          throw RecordingError(number, "has an RR interval that is not in its payload")
        }
        kept.append(sent[place])
        sent = sent[(place + 1)...]
      }
      rrIntervals = kept
    }
    guard let names = json["warnings"]?.asArray else { return }
    var told: HeartRateMeasurementWarnings = []
    for name in names {
      guard let warning = name.asString.flatMap({ HeartRateMeasurementWarnings(name: $0) }) else {
        throw RecordingError(number, "has a warning that is not known")
      }
      told.insert(warning)
    }
    warnings = told
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
    .array(samples.map { $0.recorded(as: $0.sequence, along: start) })
  }
}
