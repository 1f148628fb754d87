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
  /// The label: what the wall clock said, or says now, of the tick; it moves with the wall clock when that is set.
  public var date: WallTime
  /// The date as the client gave it, where it did, which never changes. It may lie a second after the one it means.
  public var requested: WallTime?

  public init(tick: Tick, date: WallTime, requested: WallTime?) {
    self.tick = tick
    self.date = date
    self.requested = requested
  }

  public init(tick: Tick, date: WallTime, isRequested: Bool = false) {
    self.init(tick: tick, date: date, requested: isRequested ? date : nil)
  }

  /// Whether a client gave the date.
  public var isRequested: Bool { requested != nil }

  public init(at now: Moment) {
    self.init(tick: now.tick, date: now.wall)
  }

  /// How far a client's date may lie ahead.
  public static let mostAhead = Duration.seconds(1)

  /// The moment a client's date means, now where it gave none. A date that is ahead by a second at most, by a clock that
  /// differs a little, means now and is labelled so: what is dated agrees with what is measured.
  ///
  /// - Throws: `SessionError.dateAhead` for a date more than a second ahead.
  public init(requested: WallTime?, at now: Moment) throws(SessionError) {
    guard let requested else {
      self.init(at: now)
      return
    }
    if requested - now.wall > Self.mostAhead { throw .dateAhead(requested, now: now.wall) }
    let date = min(requested, now.wall)
    self.init(tick: now.tick(at: date), date: date, requested: requested)
  }

  /// The same moment with the date that goes with another one's, whatever clock either was dated by.
  public func dated(along other: DatedTick) -> DatedTick {
    DatedTick(tick: tick, date: other.date + (tick - other.tick), requested: requested)
  }

  /// The wall clock of this boot was set by so much: what was read from it is labelled by the new one. A moment before
  /// the boot (its tick is not positive) keeps its date, by which alone it is known.
  public mutating func clockStepped(by step: Duration) {
    if tick.nanoseconds > 0 { date = date + step }
  }
}
