import Control
import Measurements
import Workout

/// When workouts that are old enough go to the trash, and when what was in the trash for long enough is deleted: each hour,
/// step by step while nothing else is to be done, and only by a clock that is known to be right. What deleted workouts and
/// imports that came to no end have left needs no date, and is cleared away by any clock.
struct Retention: Sendable {
  private(set) var isWanted = false
  /// When it is looked again.
  private(set) var next: Tick?
  private var isFailing = false

  static let interval = Duration.seconds(3600)
  static let paceWhileLive = Duration.seconds(1)

  mutating func begin() {
    (isWanted, next) = (true, nil)
  }

  mutating func wait(until tick: Tick) {
    (isWanted, next) = (false, tick)
  }

  /// - Returns: whether it has failed before.
  mutating func failed(at now: Moment) -> Bool {
    wait(until: now.tick + Self.interval)
    defer { isFailing = true }
    return isFailing
  }

  mutating func succeeded() { isFailing = false }
}

extension Engine {
  /// Whether the store is to take a step of emptying the trash, as soon as nothing else is to be done; answer by `purged` or
  /// `purgeFailed`.
  public var wantsPurge: Bool {
    retention.isWanted && ledger.held == nil && !isShuttingDown
  }

  /// What it is to go by; nil where nobody knows how old anything is.
  public func purgeDate(at now: Moment) -> WallTime? { clock.isSure ? now.wall : nil }

  mutating func take(_ step: PurgeStep, _ now: Moment) {
    retention.succeeded()
    switch step {
    case .aged(let id):
      let text = "workout \(id) goes to the trash: it is older than \(configuration.retention?.inWords ?? "it may be")"
      effects.append(.log(LogEntry(.info, text, session: id)))
      ledger.record(.discarded(id, Discard(date: now.wall, isSure: true)))
      ledger.happened(.discarded, .discarded, session: id, strap: nil, at: now)
    case .deleted(let id):
      ledger.workoutDeleted()
      let text = "workout \(id) is deleted: it was in the trash for \(Discard.keeping.inWords)"
      effects.append(.log(LogEntry(.notice, text, session: id)))
    case .cleared: break
    case .rest: return retention.wait(until: now.tick + Retention.interval)
    }
    if !sessions.live.isEmpty { retention.wait(until: now.tick + Retention.paceWhileLive) }
  }

  mutating func purgeFailed(_ error: StoreError, _ now: Moment) {
    if retention.failed(at: now) { return }
    effects.append(.log(LogEntry(.warning, "the trash could not be emptied, it is tried again: \(error)")))
  }
}
