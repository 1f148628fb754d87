import Control
import Measurements
import Workout

/// One session that has not ended, with everything that belongs to it while it lives.
struct LiveSession: Sendable {
  var machine: WorkoutSession
  var builder: LiveBuilder
  var settings: SessionSettings
  /// What is collected.
  var source: LiveDataSource
  var timeline = WorkoutTimeline()
  /// The strap that it has got, or will get; nil while any will do and none is chosen.
  var strap: StrapAddress?
  /// The strap that is being tried for it, before it has got one.
  var tried: StrapAddress?
  /// Why it has not got one, while any will do.
  var trouble: String?
  var availability = Availability.unknown
  /// The last heart rate while one is available.
  var heartRate: UInt16?
  var countdown: Countdown?
  var rebuild: Rebuild?
  var save = Save.none
  /// Its workout is to be saved before it ends.
  var isFinishAsked = false
  /// Who ended it, for the transition that comes once the workout is saved.
  var endCause = TransitionCause.user
  /// Clients whose call is answered when the session has ended.
  var waiting: [ClientID] = []
  /// Clients whose call is answered when the workout is saved.
  var waitingForWorkout: [ClientID] = []
  var monitor = AlertMonitor()
  /// When the last measurement came.
  var lastReceived: Tick?
  /// When the last sample counted, as it was told.
  var lastCounted: DatedTick?
  /// The zone that was published last.
  var zone: Int?
  var clientData = ClientData()
  /// When it came into its state; nil while that is still to be read from the store.
  var entered: Tick?
  var absence = Absence()
  /// Whether the deadline of `absence` is set.
  var isAbsenceTimed = false
  /// Whether this machine can receive from its strap, as it was told last.
  var isHostWorking = true
  /// When it was taken up from the store, if it was, and when the daemon was last seen alive before.
  var takenUp: Tick?
  var leftAlone: DatedTick?
  /// What had happened to it before, once that is read.
  var past: SessionPast?
  /// How long ago an earlier boot of its life was rests on a clock that was not known to be right.
  var isOfUnsureBoot = false
  /// The earlier boots that it lived in.
  var anchors: [Anchor] = []
  /// How long the daemon was away at each reboot in its life, by the clock as it is now.
  var gaps: [Duration] = []
  /// By how much that has grown since its workout was saved.
  var gapFix: Duration?

  init(_ machine: WorkoutSession, strap: StrapAddress?, settings: SessionSettings = SessionSettings()) {
    self.machine = machine
    self.strap = strap
    self.settings = settings
    let configuration = machine.configuration
    let usual = LiveDataSource(activity: configuration.activity, location: configuration.location)
    source = settings.typesByHand.map { LiveDataSource(byHand: $0) } ?? usual
    builder = LiveBuilder(zones: settings.zones, collecting: usual.types)
    monitor.set(goals: settings.goals)
    monitor.set(alerts: settings.alerts, elapsed: .zero)
    if let end = settings.countdownEnd { countdown = Countdown(start: end.tick) }
  }

  var id: SessionID { machine.id }
  /// Whether what it has lasted is provisional for that.
  var isProvisional: Bool { isOfUnsureBoot && (machine.start ?? machine.created).tick.nanoseconds <= 0 }

  var record: SessionRecord {
    var record = machine.record(strap: strap, settings: settings)
    record.isProvisional = isProvisional
    return record
  }

  /// A builder as it is before anything has happened to the session.
  var freshBuilder: LiveBuilder {
    let configuration = machine.configuration
    let usual = LiveDataSource(activity: configuration.activity, location: configuration.location)
    return LiveBuilder(zones: settings.zones, collecting: usual.types)
  }

  /// Whether there is a goal or an alert to tell of; most sessions have none, and each beat asks.
  var watchesAnything: Bool { !settings.goals.isEmpty || !settings.alerts.isEmpty }

  /// Takes in what had happened to it when the daemon's last life ended.
  mutating func takeUp(_ events: [EventRecord]) {
    past = SessionPast(history: SessionHistory(events))
    timeline = WorkoutTimeline()
    gaps = []
    for event in events {
      timeline.take(event)
      switch event.what {
      case .alert(let alert, let isOn): monitor.wasTold(.alert(alert, isOn: isOn))
      case .goal(let goal): monitor.wasTold(.goal(goal))
      case .recovered(let lastAlive, .reboot), .recovered(let lastAlive, .provisionalReboot):
        gaps.append(event.at.tick - lastAlive.tick)
      case .transition, .availability, .linkLost, .gap, .recovered(_, .restart), .clockStep, .gapFixed, .lap, .segment,
        .marker, .types, .activityBegan, .activityEnded,
        .pauseOrResumeRequest, .failed, .host, .postExerciseEnded, .discarded, .restored:
        break
      }
    }
    endTimeline()
    let what = pursuit
    source.retune(to: what.activity, at: what.location)
  }

  /// What is being done, or was at the workout's end: the activity that was under way then, or what the workout is as a
  /// whole.
  var pursuit: (activity: ActivityType, location: LocationType) {
    guard let last = timeline.activities.last, last.end == nil || last.end?.tick == machine.end?.tick else {
      return (machine.configuration.activity, machine.configuration.location)
    }
    return (last.began.activity, last.began.location)
  }

  /// What lies wholly behind an end that was dated into the past is not of the workout.
  mutating func endTimeline() {
    if let end = machine.end { timeline = timeline.ended(at: end) }
  }

  /// The moments of its workout whose dates clients know.
  var datedMoments: [DatedTick] {
    let laps = timeline.laps.flatMap { [$0.interval.end, $0.interval.start] }
    let activities = timeline.activities.flatMap { [$0.began.start] + ($0.end.map { [$0] } ?? []) }
    return [machine.start, machine.end, lastCounted].compactMap { $0 } + laps + activities
  }

  /// Whether it wants its strap.
  var wantsStrap: Bool { machine.state.wantsStrap }

  /// How far the saving of the finished workout has come.
  enum Save: Hashable, Sendable {
    case none
    /// Given to the store in this wake-up, or held.
    case offered(FinishedWorkout)
    /// Written by this commit; it is saved when that is on the disk itself.
    case written(FinishedWorkout, commit: Int64)
    case saved(FinishedWorkout)
  }
}

extension WorkoutState {
  /// Whether a session wants its strap: from prepared until it has ended.
  var wantsStrap: Bool {
    switch self {
    case .prepared, .running, .paused, .stopped: true
    case .notStarted, .ended: false
    }
  }
}

/// Seconds to the start, published one by one; the start is at the very tick.
struct Countdown: Hashable, Sendable {
  let start: Tick

  /// Whole seconds that are left at a tick, the one that has begun included.
  func remaining(at tick: Tick) -> Int {
    let left = max(0, (start - tick).wholeNanoseconds)
    return Int((left + 999_999_999) / 1_000_000_000)
  }

  /// When the next second is to be published, or the start.
  func next(after tick: Tick) -> Tick {
    start - .seconds(max(0, remaining(at: tick) - 1))
  }
}

/// The statistics of a session being computed anew from the store: after a restart of the daemon, and after a start or
/// stop with a past date. The old builder goes on meanwhile and is replaced when this one has caught up.
struct Rebuild: Hashable, Sendable {
  private(set) var builder: LiveBuilder
  /// nil until they are read.
  private var marks: ArraySlice<DatedMark>?
  /// The last sample that was taken.
  private(set) var after: Int64 = 0
  /// When the last sample came of the daemon's earlier lives, and the last good one of any; whatever the session's state.
  private(set) var lastSample: Tick?
  private(set) var lastGood: Tick?
  /// By which the store's answers are known again; nil until it is asked.
  var id: RebuildID?
  /// There are no other statistics meanwhile: the session has just been taken up from the store.
  let isFirst: Bool
  /// The ticks of earlier boots have moved, since the clock has come to be right.
  var fixesGap = false
  /// When the session was taken up from the store, where it was.
  let takenUp: Tick?

  /// - Parameters:
  ///   - builder: one to which nothing has happened yet.
  ///   - takenUp: when the session was taken up from the store, where it was.
  init(_ builder: LiveBuilder, isFirst: Bool = false, takenUp: Tick? = nil) {
    self.builder = builder
    self.isFirst = isFirst
    self.takenUp = takenUp
  }

  /// Whether what has happened to the session is known already.
  var hasEvents: Bool { marks != nil }

  mutating func take(_ events: [EventRecord]) {
    take(DatedMark.marks(of: events))
  }

  mutating func take(_ marks: [DatedMark]) {
    // What happened after an end that a client has dated earlier is not of the workout.
    let end = marks.firstIndex { $0.mark == .ended } ?? marks.endIndex - 1
    self.marks = marks.isEmpty ? [] : marks[...end]
  }

  /// Something happened to the session while its samples are being read.
  mutating func append(_ mark: DatedMark) {
    marks?.append(mark)
  }

  mutating func take(_ samples: [HeartRateSample]) throws(BuilderError) {
    for sample in samples {
      try takeMarks { $0.precedes(sample) }
      builder.add(sample)
      after = max(after, sample.sequence)
      if let takenUp, sample.tick < takenUp { lastSample = max(lastSample ?? sample.tick, sample.tick) }
      if sample.isGood { lastGood = max(lastGood ?? sample.tick, sample.tick) }
    }
  }

  /// Everything is read.
  mutating func finish() throws(BuilderError) {
    try takeMarks { _ in true }
  }

  private mutating func takeMarks(_ isDue: (DatedMark) -> Bool) throws(BuilderError) {
    while let mark = marks?.first, isDue(mark) {
      marks?.removeFirst()
      try builder.take(mark.mark, at: mark.tick)
    }
  }
}
