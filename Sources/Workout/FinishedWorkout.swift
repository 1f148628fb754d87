import Measurements

/// A saved workout (HKWorkout).
public struct FinishedWorkout: Hashable, Sendable {
  /// The session's id, which is the workout's for ever.
  public var id: SessionID
  public var activity: ActivityType
  public var location: LocationType
  public var strap: StrapAddress?
  public var start: DatedTick
  public var end: DatedTick
  public var endReason: EndReason
  public var summary: IntervalSummary
  public var zones: HeartRateZones?
  /// Who wore the strap.
  public var athlete: AthleteName?
  /// What people call it, and what they note about it.
  public var title: WorkoutTitle?
  public var notes: String?
  /// What it is made of, in their order; none where it is the whole of its own session, and in a list of workouts.
  public var slices: [WorkoutSlice] = []
  /// Since when it is in the trash, if it is.
  public var discarded: Discard?
  /// It lasted across a reboot, and how long that took rests on a wall clock that was not known to be right.
  public var isProvisional = false
  /// In the order of their starts; none in a list of workouts.
  public var laps: [Lap]
  /// In the order of their starts; none in a list of workouts.
  public var activities: [Activity]

  public struct Lap: Hashable, Sendable {
    /// The number of its event.
    public var number: Int64
    public var interval: WorkoutInterval
    public var summary: IntervalSummary

    public init(number: Int64, interval: WorkoutInterval, summary: IntervalSummary) {
      self.number = number
      self.interval = interval
      self.summary = summary
    }
  }

  public struct Activity: Hashable, Sendable {
    /// The number of the event that began it.
    public var number: Int64
    public var began: ActivityStart
    /// nil while it is under way.
    public var end: DatedTick?
    public var summary: IntervalSummary

    public init(number: Int64, began: ActivityStart, end: DatedTick?, summary: IntervalSummary) {
      self.number = number
      self.began = began
      self.end = end
      self.summary = summary
    }
  }

  public init(
    id: SessionID, activity: ActivityType, location: LocationType, strap: StrapAddress?, start: DatedTick,
    end: DatedTick, endReason: EndReason, summary: IntervalSummary, zones: HeartRateZones? = nil,
    athlete: AthleteName? = nil, discarded: Discard? = nil, laps: [Lap] = [], activities: [Activity] = []
  ) {
    self.id = id
    self.activity = activity
    self.location = location
    self.strap = strap
    self.start = start
    self.end = end
    self.endReason = endReason
    self.summary = summary
    self.zones = zones
    self.athlete = athlete
    self.discarded = discarded
    self.laps = laps
    self.activities = activities
  }

  /// The most octets of what people note about a workout.
  public static let longestNotes = 16 * 1024

  public var elapsed: Duration { summary.elapsed }
  public var wall: Duration { summary.wall }
  public var heartRate: HeartRateSummary? { summary.heartRate }
  public var rrCount: Int { summary.rrCount }
  public var energyKilojoules: Int? { summary.energyKilojoules }
}

extension FinishedWorkout {
  /// The same with all ticks later by so much, and the same dates.
  public func shifted(by span: Duration) -> FinishedWorkout {
    var shifted = self
    shifted.start.tick = start.tick + span
    shifted.end.tick = end.tick + span
    shifted.summary.shift(by: span)
    for index in laps.indices {
      shifted.laps[index].interval.start.tick = laps[index].interval.start.tick + span
      shifted.laps[index].interval.end.tick = laps[index].interval.end.tick + span
      shifted.laps[index].summary.shift(by: span)
    }
    for index in activities.indices {
      shifted.activities[index].began.start.tick = activities[index].began.start.tick + span
      shifted.activities[index].end?.tick = (activities[index].end?.tick ?? end.tick) + span
      shifted.activities[index].summary.shift(by: span)
    }
    return shifted
  }
}

extension IntervalSummary {
  fileprivate mutating func shift(by span: Duration) {
    if let heartRate { self.heartRate?.mostRecentTick = heartRate.mostRecentTick + span }
  }
}

/// When a workout went to the trash.
public struct Discard: Hashable, Sendable {
  /// How long the trash keeps a workout.
  public static let keeping = Duration.seconds(30 * 86_400)

  public var date: WallTime
  /// Whether the clock was known to be right; else the time in the trash is counted from when it is.
  public var isSure: Bool

  public init(date: WallTime, isSure: Bool) {
    self.date = date
    self.isSure = isSure
  }
}
