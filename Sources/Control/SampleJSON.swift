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

/// A stretch of a session's measurements as clients see them: each as its event was, with the octets as they came.
public struct SamplesSnapshot: Hashable, Sendable {
  /// What their dates and seconds are counted from: the session's start, or its making where it has none.
  public var start: DatedTick
  public var samples: [HeartRateSample]
  /// The event of the last one, where there are more.
  public var next: Int64?

  public init(start: DatedTick, samples: [HeartRateSample], next: Int64?) {
    self.start = start
    self.samples = samples
    self.next = next
  }

  public var json: JSON {
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
    return .object(["samples": .array(samples), "next": next.map(JSON.integer)])
  }

  private static func hexadecimal(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
