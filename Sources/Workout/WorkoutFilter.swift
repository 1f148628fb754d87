import Measurements

/// A workout's place in a list, which is there also when the workout is not any more.
public struct ListPlace: Hashable, Sendable {
  /// As it was listed.
  public var start: WallTime
  public var id: SessionID

  public init(start: WallTime, id: SessionID) {
    self.start = start
    self.id = id
  }

  public init(_ workout: FinishedWorkout) {
    self.init(start: workout.start.date, id: workout.id)
  }
}

/// Which finished workouts are meant.
public struct WorkoutFilter: Hashable, Sendable {
  public var activity: ActivityType?
  public var athlete: AthleteName?
  public var strap: StrapAddress?
  /// A part of the title, in whatever case (of ASCII's letters).
  public var title: String?
  /// Workouts that started at this date or later.
  public var since: WallTime?
  /// Workouts that started before this date.
  public var until: WallTime?
  /// Those in the trash, instead of those that are not.
  public var isInTrash: Bool

  public init(
    activity: ActivityType? = nil, athlete: AthleteName? = nil, strap: StrapAddress? = nil, title: String? = nil,
    since: WallTime? = nil, until: WallTime? = nil, isInTrash: Bool = false
  ) {
    self.activity = activity
    self.athlete = athlete
    self.strap = strap
    self.title = title
    self.since = since
    self.until = until
    self.isInTrash = isInTrash
  }

  /// Whether a workout is meant.
  public func takes(_ workout: FinishedWorkout) -> Bool {
    let date = workout.start.date
    return (activity ?? workout.activity) == workout.activity && (athlete == nil || athlete == workout.athlete)
      && (strap == nil || strap == workout.strap) && (since.map { date >= $0 } ?? true)
      && (until.map { date < $0 } ?? true) && (workout.discarded != nil) == isInTrash
      && (title.map { workout.title?.contains($0) == true } ?? true)
  }

  /// A short mark of what is meant, by which a page of one list is not taken for one of another; 0 where nothing is said.
  /// The same filter has the same one in every life of the daemon (FNV-1a, 32 bits).
  public var digest: UInt32 {
    guard self != WorkoutFilter() else { return 0 }
    let parts = [
      activity?.rawValue, athlete?.description, strap?.description, since.map { "\($0.nanoseconds)" },
      until.map { "\($0.nanoseconds)" }, isInTrash ? "trash" : nil, title,
    ]
    var digest: UInt32 = 2_166_136_261
    for part in parts {
      // Neither a text nor the lack of one may look like part of another.
      for octet in Array((part ?? "").utf8) + [part == nil ? 0 : 1] { digest = (digest ^ UInt32(octet)) &* 16_777_619 }
    }
    return max(digest, 1)
  }
}

/// The parts of the calendar that workouts are summed up by, in the local time of the machine.
public enum CalendarPeriod: String, Hashable, Sendable, CaseIterable {
  /// From Monday (ISO 8601).
  case week
  case month, year
}

/// What the workouts that started in one period come to.
public struct WorkoutTotals: Hashable, Sendable {
  /// The period's first day in local time, as ISO 8601 writes it: 2026-11-30.
  public var firstDay: String
  public var workouts: Int
  public var elapsed: Duration
  /// How long a heart rate was known.
  public var covered: Duration
  /// By that time; nil where none was.
  public var average: Double?
  public var maximum: UInt16?
  public var rrCount: Int
  /// nil where no workout has an energy.
  public var energyKilojoules: Int?

  public init(
    firstDay: String, workouts: Int, elapsed: Duration, covered: Duration, average: Double?, maximum: UInt16?,
    rrCount: Int, energyKilojoules: Int?
  ) {
    self.firstDay = firstDay
    self.workouts = workouts
    self.elapsed = elapsed
    self.covered = covered
    self.average = average
    self.maximum = maximum
    self.rrCount = rrCount
    self.energyKilojoules = energyKilojoules
  }

  /// Takes up what further workouts of the same period come to.
  public mutating func add(_ other: WorkoutTotals) {
    let (own, others) = (average ?? 0, other.average ?? 0)
    let both = covered + other.covered
    if average == nil || other.average == nil {
      average = average ?? other.average
    } else if both > .zero {
      average = (own * covered.inSeconds + others * other.covered.inSeconds) / both.inSeconds
    }
    workouts += other.workouts
    elapsed += other.elapsed
    covered = both
    maximum = [maximum, other.maximum].compactMap(\.self).max()
    rrCount += other.rrCount
    if let more = other.energyKilojoules { energyKilojoules = (energyKilojoules ?? 0) + more }
  }
}
