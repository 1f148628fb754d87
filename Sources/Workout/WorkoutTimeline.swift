import Measurements

/// The laps and activities of a workout, and what may be added to them: neither overlaps its like, and activities come
/// one after the other.
public struct WorkoutTimeline: Hashable, Sendable {
  /// In the order of their starts.
  public private(set) var laps: [Lap] = []
  /// In the order of their starts; only the last may have no end.
  public private(set) var activities: [Activity] = []

  /// The most laps, and the most activities, of one workout.
  public static let most = 1000

  public struct Lap: Hashable, Sendable {
    /// The number of its event.
    public var number: Int64
    public var interval: WorkoutInterval
  }

  public struct Activity: Hashable, Sendable {
    /// The number of the event that began it.
    public var number: Int64
    public var began: ActivityStart
    /// nil while it is under way.
    public var end: DatedTick?
  }

  /// The workout's official start, and its end once that is fixed.
  public struct Bounds: Hashable, Sendable {
    public var start: DatedTick
    public var end: DatedTick?

    public init(start: DatedTick, end: DatedTick?) {
      self.start = start
      self.end = end
    }
  }

  public init() {}

  /// When the last lap ended; the next one begins there where nothing else is said.
  public var lastLapEnd: DatedTick? { laps.last?.interval.end }

  public var currentActivity: Activity? {
    activities.last.flatMap { $0.end == nil ? $0 : nil }
  }
}

// MARK: - What may be added

extension WorkoutTimeline {
  /// A lap from the last one's end, or the workout's start, where `start` is nil.
  ///
  /// - Throws: where it is not of the workout, does not end after it begins, or overlaps another lap.
  public func lap(
    from start: DatedTick?, to end: DatedTick, label: String? = nil, in bounds: Bounds
  ) throws(TimelineError) -> WorkoutInterval {
    if laps.count >= Self.most { throw .tooMany }
    let lap = try segment(from: start ?? lastLapEnd ?? bounds.start, to: end, label: label, in: bounds)
    for other in laps.map(\.interval) where lap.start.tick < other.end.tick && other.start.tick < lap.end.tick {
      throw .lapsOverlap(start: lap.start.date, end: lap.end.date, other: other)
    }
    return lap
  }

  /// A segment, which may overlap others.
  public func segment(
    from start: DatedTick, to end: DatedTick, label: String? = nil, in bounds: Bounds
  ) throws(TimelineError) -> WorkoutInterval {
    guard end.tick > start.tick else { throw .endNotAfterStart(end: end.date, start: start.date) }
    return WorkoutInterval(start: try moment(start, in: bounds), end: try moment(end, in: bounds), label: label)
  }

  /// A moment of the workout: a marker's.
  public func moment(_ moment: DatedTick, in bounds: Bounds) throws(TimelineError) -> DatedTick {
    guard moment.tick >= bounds.start.tick, bounds.end.map({ moment.tick <= $0.tick }) ?? true else {
      throw .outsideWorkout(moment.date, start: bounds.start.date, end: bounds.end?.date)
    }
    return moment
  }

  /// The beginning of an activity; one that is under way ends there.
  public func activityStart(_ began: ActivityStart, in bounds: Bounds) throws(TimelineError) -> ActivityStart {
    if activities.count >= Self.most { throw .tooMany }
    _ = try moment(began.start, in: bounds)
    guard let last = activities.last else { return began }
    if let end = last.end, began.start.tick < end.tick { throw .activitiesOverlap(began.start.date, end: end.date) }
    guard began.start.tick > last.began.start.tick else {
      throw .endNotAfterStart(end: began.start.date, start: last.began.start.date)
    }
    return began
  }

  /// The end of the activity that is under way.
  ///
  /// - Returns: nil where none is.
  public func activityEnd(_ end: DatedTick, in bounds: Bounds) throws(TimelineError) -> DatedTick? {
    guard let current = currentActivity else { return nil }
    guard end.tick > current.began.start.tick else {
      throw .endNotAfterStart(end: end.date, start: current.began.start.date)
    }
    return try moment(end, in: bounds)
  }
}

// MARK: - What has happened

extension WorkoutTimeline {
  /// The same with the dates that go with another moment's.
  public func dated(along other: DatedTick) -> WorkoutTimeline {
    var dated = self
    for index in laps.indices {
      dated.laps[index].interval.start = laps[index].interval.start.dated(along: other)
      dated.laps[index].interval.end = laps[index].interval.end.dated(along: other)
    }
    for index in activities.indices {
      dated.activities[index].began.start = activities[index].began.start.dated(along: other)
      dated.activities[index].end = activities[index].end?.dated(along: other)
    }
    return dated
  }

  /// Takes an event of the session in; those that concern no lap and no activity change nothing.
  public mutating func take(_ event: EventRecord) {
    switch event.what {
    case .lap(let interval):
      let place = laps.firstIndex { $0.interval.start.tick > interval.start.tick } ?? laps.endIndex
      laps.insert(Lap(number: event.sequence, interval: interval), at: place)
    case .activityBegan(let began):
      endActivity(began.start)
      activities.append(Activity(number: event.sequence, began: began, end: nil))
    case .activityEnded(let end): endActivity(end)
    case .transition, .availability, .linkLost, .gap, .recovered, .clockStep, .gapFixed, .marker, .segment, .types,
      .alert, .goal,
      .pauseOrResumeRequest, .failed, .host, .postExerciseEnded, .discarded, .restored:
      break
    }
  }

  /// The numbers by which its laps and activities are known.
  public var numbers: Set<Int64> { Set(laps.map(\.number) + activities.map(\.number)) }

  /// Gives what has the one number the other.
  public mutating func renumber(_ number: Int64, _ other: Int64) {
    for index in laps.indices where laps[index].number == number { laps[index].number = other }
    for index in activities.indices where activities[index].number == number { activities[index].number = other }
  }

  /// Takes those of a later stretch in. One that went on across the end of this one is one of each.
  public mutating func append(_ other: WorkoutTimeline) {
    laps += other.laps
    activities += other.activities
  }

  private mutating func endActivity(_ end: DatedTick) {
    if currentActivity != nil { activities[activities.count - 1].end = end }
  }

  /// The wall clock of this boot was set by so much.
  public mutating func clockStepped(by step: Duration) {
    for index in laps.indices {
      laps[index].interval.start.clockStepped(by: step)
      laps[index].interval.end.clockStepped(by: step)
    }
    for index in activities.indices {
      activities[index].began.start.clockStepped(by: step)
      activities[index].end?.clockStepped(by: step)
    }
  }

  /// The laps and activities of a workout that begins here: one that was begun before begins with it.
  public func begun(at start: DatedTick) -> WorkoutTimeline {
    var begun = self
    begun.laps = laps.filter { $0.interval.end.tick > start.tick }.map { lap in
      var lap = lap
      if lap.interval.start.tick < start.tick { lap.interval.start = start }
      return lap
    }
    begun.activities = activities.filter { $0.end.map { $0.tick > start.tick } ?? true }.map { activity in
      var activity = activity
      if activity.began.start.tick < start.tick { activity.began.start = start }
      return activity
    }
    return begun
  }

  /// The laps and activities of a workout that ends here: an end with a past date may have come before some of them.
  public func ended(at end: DatedTick) -> WorkoutTimeline {
    var ended = self
    ended.laps = laps.filter { $0.interval.start.tick < end.tick }.map { lap in
      var lap = lap
      if lap.interval.end.tick > end.tick { lap.interval.end = end }
      return lap
    }
    ended.activities = activities.filter { $0.began.start.tick < end.tick }.map { activity in
      var activity = activity
      if activity.end.map({ $0.tick > end.tick }) ?? true { activity.end = end }
      return activity
    }
    return ended
  }
}

/// A stretch of a workout: a lap's or a segment's.
public struct WorkoutInterval: Hashable, Sendable {
  public var start: DatedTick
  public var end: DatedTick
  /// The client's own words for it.
  public var label: String?

  public init(start: DatedTick, end: DatedTick, label: String? = nil) {
    self.start = start
    self.end = end
    self.label = label
  }
}

/// The beginning of an activity within a workout (HKWorkoutActivity).
public struct ActivityStart: Hashable, Sendable {
  public var activity: ActivityType
  public var location: LocationType
  public var start: DatedTick
  /// The client's own words for it.
  public var label: String?

  public init(activity: ActivityType, location: LocationType, start: DatedTick, label: String? = nil) {
    self.activity = activity
    self.location = location
    self.start = start
    self.label = label
  }
}

/// Why a lap, a segment, a marker or an activity is refused; nothing has changed.
public enum TimelineError: Error, Hashable, Sendable {
  case outsideWorkout(WallTime, start: WallTime, end: WallTime?)
  case endNotAfterStart(end: WallTime, start: WallTime)
  case lapsOverlap(start: WallTime, end: WallTime, other: WorkoutInterval)
  /// An activity would begin before the one before it has ended.
  case activitiesOverlap(WallTime, end: WallTime)
  /// There are as many as a workout may have.
  case tooMany
}
