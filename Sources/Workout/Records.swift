import Measurements

/// What the store is asked to write; all records of one wake-up become one transaction. The large ones are kept apart, since
/// thousands of the others may have to wait for a store that cannot be written.
public enum Record: Hashable, Sendable {
  /// The session's row, new or changed.
  indirect case session(SessionRecord)
  /// Something that happened to a session.
  case event(EventRecord)
  /// A received measurement, of a session in whatever state.
  case sample(HeartRateSample, session: SessionID)
  /// The whole finished workout.
  indirect case workout(FinishedWorkout)
  /// What is known of a strap, new or changed.
  indirect case strap(StrapRecord)
  /// Nothing is to be known of this strap any more.
  case strapForgotten(StrapAddress)
  /// What is known of an athlete, new or changed.
  indirect case athlete(AthleteProfile)
  /// There is no profile of this athlete any more.
  case athleteForgotten(AthleteName)
  /// What a client keeps with the session for itself.
  case clientData(ClientData, session: SessionID)
  /// The workout went to the trash, or (nil) came back.
  case discarded(SessionID, Discard?)
  /// Finished workouts were changed by a person.
  indirect case workoutEdited(WorkoutEdit)
  /// The workouts of an edit are again what they were before it.
  case editUndone(Int64, WallTime)
  /// A workout that was recorded elsewhere begins to come in; its session's row is written as any other's.
  case importBegan(SessionID, WorkoutOrigin)
  /// All of it has come.
  case importFinished(SessionID)
  /// Nothing of it is to be left.
  case importAborted(SessionID)
  /// A workout that came in before goes for good, and the one that has just come in under another id has its id.
  case importReplaced(SessionID, by: SessionID)
  /// Sequence numbers up to this one may be in use without a row that shows it.
  case sequenceReserved(through: Int64)
  /// The daemon lived at this moment, by both clocks and with whether the wall clock was known to be right.
  case alive(Moment)
  /// The wall clock was set by so much; from this moment on it is as it is here.
  case clockStepped(Duration, Moment)
  /// From this moment on the wall clock is known to be right.
  case clockSynchronised(Moment)
}

/// Where a workout was recorded that came in by an import.
public struct WorkoutOrigin: Hashable, Sendable {
  /// What kind of file it came in.
  public var format: String
  public var date: WallTime
  /// What is kept of its recording for those who export it; the store reads nothing of it.
  public var details: String

  public init(format: String, date: WallTime, details: String) {
    self.format = format
    self.date = date
    self.details = details
  }
}

/// A session's row.
public struct SessionRecord: Hashable, Sendable {
  public var id: SessionID
  public var configuration: WorkoutConfiguration
  /// The strap that it got, which it keeps.
  public var strap: StrapAddress?
  public var state: WorkoutState
  public var created: DatedTick
  public var start: DatedTick?
  public var end: DatedTick?
  public var isUnprepared: Bool
  public var endReason: EndReason?
  public var collection: CollectionPhase
  public var settings: SessionSettings
  /// It is of an earlier boot, and how long ago that was rests on a wall clock that was not known to be right. Read from
  /// the store, never written.
  public var isProvisional = false

  public init(
    id: SessionID, configuration: WorkoutConfiguration, strap: StrapAddress?, state: WorkoutState, created: DatedTick,
    start: DatedTick?, end: DatedTick?, isUnprepared: Bool, endReason: EndReason?,
    collection: CollectionPhase = .open, settings: SessionSettings = SessionSettings()
  ) {
    self.id = id
    self.configuration = configuration
    self.strap = strap
    self.state = state
    self.created = created
    self.start = start
    self.end = end
    self.isUnprepared = isUnprepared
    self.endReason = endReason
    self.collection = collection
    self.settings = settings
  }
}

/// One event of a session, with its place in the store's one order.
public struct EventRecord: Hashable, Sendable {
  public var sequence: Int64
  public var session: SessionID
  public var at: DatedTick
  public var what: What

  public enum What: Hashable, Sendable {
    case transition(Transition)
    case availability(Availability)
    case linkLost
    /// No measurement has come for too long; the last one came `since`.
    case gap(since: DatedTick)
    /// The daemon was away since `lastAlive`.
    case recovered(lastAlive: DatedTick, Interruption)
    /// The wall clock was set by so much.
    case clockStep(Duration)
    /// The gap across a reboot was provisional, and is as it is here now that the clock is right; it stays provisional where
    /// the clock of the boot before it never was.
    case gapFixed(was: Duration, now: Duration, isProvisional: Bool)
    case lap(WorkoutInterval)
    case segment(WorkoutInterval)
    /// A moment that a client has marked, with its own words for it.
    case marker(DatedTick, label: String?)
    case activityBegan(ActivityStart)
    case activityEnded(DatedTick)
    /// What is collected from here on.
    case types([CollectedType])
    /// An alert went on or off.
    case alert(WorkoutAlert, isOn: Bool)
    case goal(WorkoutGoal)
    /// Somebody wants the workout to be paused or resumed, and leaves that to whoever leads it.
    case pauseOrResumeRequest
    /// The session is being stopped by an error, for this reason.
    case failed(EndReason)
    /// Whether this machine can receive from a strap has changed: by its adapter, bluetoothd and the scan.
    case host(isWorking: Bool)
    /// The series after the workout's end is over.
    case postExerciseEnded
    /// The workout went to the trash.
    case discarded
    /// The workout came back from the trash.
    case restored
  }

  public init(sequence: Int64, session: SessionID, at: DatedTick, what: What) {
    self.sequence = sequence
    self.session = session
    self.at = at
    self.what = what
  }
}

/// Heart-rate statistics at one moment, in beats a minute.
public struct HeartRateSummary: Hashable, Sendable {
  public var count: Int
  public var minimum: UInt16
  public var maximum: UInt16
  public var average: Double
  public var mostRecent: UInt16
  /// When the most recent value was received.
  public var mostRecentTick: Tick
  public var covered: Duration
  /// The time in each zone, lowest first; none where there were no zones.
  public var timeInZones: [Duration]

  public init(
    count: Int, minimum: UInt16, maximum: UInt16, average: Double, mostRecent: UInt16, mostRecentTick: Tick,
    covered: Duration, timeInZones: [Duration] = []
  ) {
    self.count = count
    self.minimum = minimum
    self.maximum = maximum
    self.average = average
    self.mostRecent = mostRecent
    self.mostRecentTick = mostRecentTick
    self.covered = covered
    self.timeInZones = timeInZones
  }

  /// The statistics up to a tick; nil before the first value (HealthKit's statistics are nil then as well).
  public init?(_ statistics: HeartRateStatistics, at tick: Tick) {
    var settled = statistics
    settled.cut(at: tick)
    guard let minimum = settled.minimum, let maximum = settled.maximum, let recent = settled.mostRecent,
      let average = settled.average(at: tick)
    else { return nil }
    self.init(
      count: settled.count, minimum: minimum, maximum: maximum, average: average, mostRecent: recent.heartRate,
      mostRecentTick: recent.tick, covered: settled.covered(at: tick), timeInZones: settled.timeInZones(at: tick))
  }
}

/// An ended session whose saved workout is provisional.
public struct ProvisionalSession: Hashable, Sendable {
  public var record: SessionRecord
  /// From start to end, as it was saved.
  public var wall: Duration

  public init(record: SessionRecord, wall: Duration) {
    self.record = record
    self.wall = wall
  }
}
