import Measurements

/// One change of a session's state, published and stored once.
public struct Transition: Hashable, Sendable {
  public var from: WorkoutState
  public var to: WorkoutState
  /// When it happened, which for a start or stop with a date of its own is not when it was asked for.
  public var at: DatedTick
  public var cause: TransitionCause
  /// Why the session ended; only where `to` is ended.
  public var endReason: EndReason?

  public init(from: WorkoutState, to: WorkoutState, at: DatedTick, cause: TransitionCause, endReason: EndReason? = nil)
  {
    self.from = from
    self.to = to
    self.at = at
    self.cause = cause
    self.endReason = endReason
  }
}

/// A tick and the date that was written beside it when it was fixed.
public struct DatedTick: Hashable, Sendable {
  /// What counts.
  public var tick: Tick
  /// The label: a date as the client gave it, or the wall clock's.
  public var date: WallTime
  /// Whether the date is the client's own (`requestedDate`).
  public var isRequested: Bool

  public init(tick: Tick, date: WallTime, isRequested: Bool = false) {
    self.tick = tick
    self.date = date
    self.isRequested = isRequested
  }

  public init(at now: Moment) {
    self.init(tick: now.tick, date: now.wall)
  }

  /// The moment a client's date means, now where it gave none.
  ///
  /// - Throws: `SessionError.dateAhead` for a date more than a second ahead. One that is less ahead, by a clock that
  ///   differs a little, means now.
  public init(requested: WallTime?, at now: Moment) throws(SessionError) {
    guard let requested else {
      self.init(at: now)
      return
    }
    if requested - now.wall > .seconds(1) { throw .dateAhead(requested, now: now.wall) }
    self.init(tick: min(now.tick(at: requested), now.tick), date: requested, isRequested: true)
  }
}
