import Measurements

/// How it stands with a strap whose workouts begin by themselves.
public struct UnattendedSnapshot: Hashable, Sendable {
  /// It is only said what would happen.
  public var isDryRun: Bool
  public var phase: Phase
  /// When the workout began that would run, in a dry run.
  public var since: WallTime?
  /// How long it is worn before a workout begins.
  public var start: Duration
  /// How long it is without heart rate before the workout ends.
  public var absence: Duration

  /// Where it stands, by the names on the wire.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// Not worn, as far as is known.
    case off
    /// Worn, and not yet for long enough.
    case worn
    /// A session uses it.
    case busy
    /// A person has ended the workout, and none begins before the strap was taken off.
    case done
    /// In a dry run: a workout would run.
    case wouldRun
  }

  public init(isDryRun: Bool, phase: Phase, since: WallTime? = nil, start: Duration, absence: Duration) {
    self.isDryRun = isDryRun
    self.phase = phase
    self.since = since
    self.start = start
    self.absence = absence
  }

  var json: JSON {
    .object([
      "dryRun": .bool(isDryRun), "phase": .string(phase.rawValue), "sinceDate": since.map { .string($0.rfc3339) },
      "startSeconds": .real(start.inSeconds), "absenceSeconds": .real(absence.inSeconds),
    ])
  }
}

/// What has come, or in a dry run would have come, of a strap's having been worn.
public enum UnattendedNews: Hashable, Sendable {
  /// A workout has begun by itself, with the first beat of the wearing.
  case started(WallTime, athlete: AthleteName?)
  case wouldStart(WallTime, athlete: AthleteName?)
  case wouldEnd(start: WallTime, end: WallTime, athlete: AthleteName?)

  /// Their names on the wire.
  public static let names = ["started", "wouldStart", "wouldEnd"]

  var members: [JSON.Member] {
    switch self {
    case .started(let start, let athlete): Self.members("started", start, nil, athlete)
    case .wouldStart(let start, let athlete): Self.members("wouldStart", start, nil, athlete)
    case .wouldEnd(let start, let end, let athlete): Self.members("wouldEnd", start, end, athlete)
    }
  }

  private static func members(_ name: String, _ start: WallTime, _ end: WallTime?, _ athlete: AthleteName?)
    -> [JSON.Member]
  {
    JSON.members([
      "unattended": .string(name), "startDate": .string(start.rfc3339), "endDate": end.map { .string($0.rfc3339) },
      "athlete": athlete.map { .string($0.description) },
    ])
  }
}

extension UnattendedNews: CustomStringConvertible {
  public var description: String {
    switch self {
    case .started(let start, let athlete): "a workout\(Self.of(athlete)) has begun at \(start.rfc3339)"
    case .wouldStart(let start, let athlete): "a workout\(Self.of(athlete)) would have begun at \(start.rfc3339)"
    case .wouldEnd(let start, let end, let athlete):
      "the workout\(Self.of(athlete)) that would have begun at \(start.rfc3339) would have ended at \(end.rfc3339)"
    }
  }

  private static func of(_ athlete: AthleteName?) -> String { athlete.map { " of \($0)" } ?? "" }
}
