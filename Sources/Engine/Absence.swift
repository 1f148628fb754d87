import Measurements
import Workout

/// How long a session has had no heart rate, of the time in which it runs and this machine could have received one.
struct Absence: Hashable, Sendable {
  /// When the last good sample came, whatever the session's state, with the date that was told of it; nil before the first.
  private(set) var lastGood: DatedTick?
  /// Whether it came in this life of the daemon.
  private(set) var isOwn = false
  /// Since then, up to `since`, as far as this life of the daemon goes.
  private var spent = Duration.zero
  /// The same of its earlier lives.
  private var spentBefore = Duration.zero
  /// Since when the time runs; nil while it does not.
  private var since: Tick?

  /// A good sample came: everything begins anew.
  mutating func end(at good: DatedTick) {
    lastGood = good
    isOwn = true
    spent = .zero
    spentBefore = .zero
    if since != nil { since = good.tick }
  }

  /// What has been of it is not asked any more.
  mutating func restart() {
    spent = .zero
    spentBefore = .zero
    since = nil
  }

  /// Takes up what an earlier life of the daemon has left.
  mutating func recall(lastGood: DatedTick, spent: Duration) {
    self.lastGood = lastGood
    spentBefore = spent
  }

  /// Lets the time run, or stand still.
  mutating func run(_ runs: Bool, at tick: Tick) {
    if runs {
      since = since ?? tick
    } else if let since {
      spent += tick - since
      self.since = nil
    }
  }

  /// Takes in what had been of it in the daemon's earlier lives, or what is known better of that by now.
  mutating func take(_ history: SessionHistory?, lastGood earlier: DatedTick?) {
    guard !isOwn else { return }  // what has come since is news enough
    lastGood = earlier
    spentBefore = history?.absence(since: earlier?.tick) ?? .zero
  }

  /// The wall clock was set by so much.
  mutating func clockStepped(by step: Duration) {
    lastGood?.clockStepped(by: step)
  }

  /// The machine slept for so long until now, and could receive nothing.
  mutating func skip(_ span: Duration, until now: Tick) {
    since = since.map { min($0 + span, now) }
  }

  var isRunning: Bool { since != nil }

  /// When it will have lasted so long; nil while its time does not run.
  func due(_ limit: Duration?) -> Tick? {
    guard let limit, let since else { return nil }
    return since + (limit - spentBefore - spent)
  }
}

extension HeartRateSample {
  /// Whether it shows that the strap is worn by a heart that beats.
  var isGood: Bool { hasHeartRate && !measurement.warnings.contains(.unsteady) }
}

/// What the store has told of a session that was taken up, as far as limits depend on it.
struct SessionPast: Hashable, Sendable {
  /// nil where its events could not be read.
  var history: SessionHistory?
  /// When the last sample came of the daemon's earlier lives, and the last good one.
  var lastSample: Tick?
  var lastGood: Tick?
  /// Whether it is still to be judged by what the clock says, once that is known to be right.
  var awaitsClock = false
}

/// What the events of a session tell of the time before it was taken up, as far as limits depend on it.
struct SessionHistory: Hashable, Sendable {
  /// When it came into each state, the last time.
  private var entries: [WorkoutState: Tick] = [:]
  /// From when on the absence could run, or could not, in order.
  private var courses: [Course] = []
  /// The times without the daemon.
  private(set) var gaps: [Gap] = []

  private struct Course: Hashable, Sendable {
    var tick: Tick
    var runs: Bool
  }

  struct Gap: Hashable, Sendable {
    var from: Tick
    var to: Tick
  }

  init(_ events: [EventRecord]) {
    var isRunning = false
    var isHostWorking = true
    for event in events {
      let before = isRunning && isHostWorking
      switch event.what {
      case .transition(let transition):
        entries[transition.to] = event.at.tick
        isRunning = transition.to == .running
        isHostWorking = true  // what keeps it from working is told again of each running time
      case .host(let isWorking): isHostWorking = isWorking
      case .recovered(let lastAlive, _):
        let from = min(lastAlive.tick, event.at.tick)
        gaps.append(Gap(from: from, to: event.at.tick))
        courses.append(Course(tick: from, runs: false))
        courses.append(Course(tick: event.at.tick, runs: before))
      case .availability, .linkLost, .gap, .clockStep, .gapFixed, .lap, .segment, .marker, .activityBegan,
        .activityEnded, .types, .alert,
        .goal, .pauseOrResumeRequest, .failed, .postExerciseEnded, .discarded, .restored:
        break
      }
      if before != (isRunning && isHostWorking) { courses.append(Course(tick: event.at.tick, runs: !before)) }
    }
  }

  /// When it came into a state, the last time.
  func entry(into state: WorkoutState) -> Tick? { entries[state] }

  /// How long no heart rate had come, up to when the daemon was last seen alive.
  ///
  /// - Parameter good: when the last good sample came; nil where none has.
  func absence(since good: Tick?) -> Duration {
    guard let end = gaps.last?.from else { return .zero }
    var spent = Duration.zero
    var start: Tick?
    for course in courses where course.tick <= end {
      if let start { spent += max(.zero, course.tick - max(start, good ?? start)) }
      start = course.runs ? course.tick : nil
    }
    return spent
  }
}
