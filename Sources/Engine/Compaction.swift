import Measurements
import Workout

/// When the store puts the samples of finished workouts into less room: at the start, when a session is over and when the
/// series after it is, until the store has no more to do. Each step takes 1.4 ms on a server's core and is done when nothing
/// else is.
struct Compaction: Sendable {
  private(set) var isWanted = false
  /// Not before this: while a session is live, after a failure, or until a session is over.
  private(set) var next: Tick?
  private var isFailing = false
  /// What has become of the session that is being worked on.
  private var packed: (session: SessionID, samples: Int, octets: Int)?

  /// A step writes 50 kB into the store's log, measured, and at 4 MiB that is copied, which syncs on the loop: at one step
  /// a second no more than once in 80 s.
  static let paceWhileLive = Duration.seconds(1)
  static let pauseAfterFailure = Duration.seconds(600)

  /// There may be something to do.
  mutating func begin() {
    isWanted = true
    next = nil
  }

  mutating func end() {
    (isWanted, next, packed) = (false, nil, nil)
  }

  /// - Parameter isLive: whether there is a live session.
  mutating func take(_ step: CompactionStep, isLive: Bool, at now: Moment) -> [LogEntry] {
    isFailing = false
    switch step {
    case .packed(let session, let samples, let octets):
      let log = packed?.session == session ? [] : takeReport()
      packed = (session, samples + (packed?.samples ?? 0), octets + (packed?.octets ?? 0))
      if isLive { wait(until: now.tick + Self.paceWhileLive) }
      return log
    case .refused(let session, let why):
      let text = "the samples of session \(session) take as much room as before: \(why)"
      return takeReport() + [LogEntry(.warning, text, session: session)]
    case .rest(let until):
      wait(until: until)
      return takeReport()
    }
  }

  mutating func failed(_ error: StoreError, at now: Moment) -> [LogEntry] {
    wait(until: now.tick + Self.pauseAfterFailure)
    defer { isFailing = true }
    if isFailing { return takeReport() }
    return takeReport() + [
      LogEntry(.warning, "finished workouts take as much room as before, it is tried again (\(error))")
    ]
  }

  private mutating func wait(until tick: Tick?) {
    (isWanted, next) = (false, tick)
  }

  private mutating func takeReport() -> [LogEntry] {
    guard let (session, samples, octets) = packed else { return [] }
    packed = nil
    return [LogEntry(.info, "\(samples) samples of session \(session) take \(octets) octets now", session: session)]
  }
}

extension Engine {
  /// Whether the store is to take a step of the compaction, as soon as nothing else is to be done; answer by `compacted` or
  /// `compactionFailed`. Not while it cannot be written.
  public var wantsCompaction: Bool {
    compaction.isWanted && configuration.compacts && ledger.held == nil && !isShuttingDown
  }

  mutating func log(_ entries: [LogEntry]) {
    effects += entries.map(Effect.log)
  }
}
