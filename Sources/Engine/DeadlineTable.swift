import Logind
import Measurements

/// What a deadline is for.
enum Deadline: Hashable, Sendable {
  case roster(RosterDeadline)
  case sessions(SessionsDeadline)
  /// Ask logind again for a lock.
  case lock(InhibitedOperation)
  /// Do without logind's answer to whether a screen is locked.
  case screenLock
  /// Offer to the store again what it could not write.
  case flush
  /// Write that the daemon lives.
  case alive
  /// Look whether the clock has come to be right.
  case clock
  /// Go on putting finished workouts into less room.
  case compaction
  /// See what is to go to the trash, and out of it.
  case retention
  /// See whether the client takes the backup that it has asked for.
  case backup
  /// Tell watchers what has waited for them.
  case watchers
  /// Exit, for want of anything to do.
  case idle
  /// Exit, whether or not all links are put down.
  case shutdown
}

/// Every deadline of the engine, in one table.
struct DeadlineTable: Equatable, Sendable {
  private var due: [Deadline: Tick] = [:]
  /// The earliest of all.
  private(set) var next: Tick?

  /// Sets, moves or (nil) removes a deadline.
  mutating func set(_ deadline: Deadline, _ tick: Tick?) {
    let old = due[deadline]
    guard old != tick else { return }
    due[deadline] = tick
    if let tick, tick <= next ?? tick {
      next = tick
    } else if old == next {
      next = due.values.min()
    }
  }

  subscript(_ deadline: Deadline) -> Tick? { due[deadline] }

  /// Takes out the earliest deadline that has come.
  mutating func takeDue(at tick: Tick) -> Deadline? {
    guard let next, next <= tick, let deadline = due.first(where: { $0.value == next })?.key else { return nil }
    set(deadline, nil)
    return deadline
  }
}
