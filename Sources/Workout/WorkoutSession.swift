import Measurements

/// The state machine of one workout session (HKWorkoutSession), without its data.
///
/// A call has one of three outcomes: a transition, nothing (it was redundant), or a typed error with the state unchanged.
public struct WorkoutSession: Equatable, Sendable {
  public let id: SessionID
  public let configuration: WorkoutConfiguration
  /// When the session was made.
  public private(set) var created: DatedTick
  /// The official start, once there is one.
  public private(set) var start: DatedTick?
  /// The official end, frozen at stopped.
  public private(set) var end: DatedTick?
  /// Started without having been prepared.
  public private(set) var isUnprepared = false
  public private(set) var collection = CollectionPhase.open
  private var phase: Phase

  private enum Phase: Equatable, Sendable {
    /// On disk, nothing wanted yet. Leaves to: prepared, running (unprepared), ended (cancelled).
    case notStarted
    /// The strap is being connected, nothing counts. Leaves to: running, ended (cancelled).
    case prepared
    /// Samples count. Leaves to: paused, stopped.
    case running
    /// Samples are kept and do not count. Leaves to: running, stopped.
    case paused
    /// The end date is frozen; `finishing` says why it is to end once the workout is saved. Leaves to: ended.
    case stopped(finishing: EndReason?)
    /// Leaves to: nothing.
    case ended(EndReason)
  }

  public init(id: SessionID, configuration: WorkoutConfiguration, at now: Moment) {
    self.id = id
    self.configuration = configuration
    created = DatedTick(at: now)
    phase = .notStarted
  }

  public var state: WorkoutState {
    switch phase {
    case .notStarted: .notStarted
    case .prepared: .prepared
    case .running: .running
    case .paused: .paused
    case .stopped: .stopped
    case .ended: .ended
    }
  }

  /// Why the session ended, or why it will once its workout is saved.
  public var endReason: EndReason? {
    switch phase {
    case .stopped(let reason): reason
    case .ended(let reason): reason
    case .notStarted, .prepared, .running, .paused: nil
    }
  }

  /// Whether the session waits for its workout to be saved, to end by `finished`.
  public var isFinishing: Bool {
    if case .stopped(.some) = phase { true } else { false }
  }
}

// MARK: - Calls

extension WorkoutSession {
  public mutating func prepare(cause: TransitionCause = .user, at now: Moment) throws(SessionError) -> Transition? {
    switch phase {
    case .notStarted: return enter(.prepared, cause, DatedTick(at: now))
    case .prepared: return nil
    case .running, .paused, .stopped, .ended: throw refused(.prepare)
    }
  }

  /// Starts at `date`, now where it is nil. A past date is legal; up to a second ahead is taken to mean now.
  public mutating func start(
    date: WallTime? = nil, cause: TransitionCause = .user, at now: Moment
  ) throws(SessionError) -> Transition? {
    switch phase {
    case .notStarted, .prepared:
      let official = try DatedTick(requested: date, at: now)
      isUnprepared = phase == .notStarted
      start = official
      return enter(.running, cause, official)
    case .running, .paused, .stopped, .ended: throw refused(.start)
    }
  }

  public mutating func pause(cause: TransitionCause = .user, at now: Moment) throws(SessionError) -> Transition? {
    switch phase {
    case .running: return enter(.paused, cause, DatedTick(at: now))
    case .paused: return nil
    case .notStarted, .prepared, .stopped, .ended: throw refused(.pause)
    }
  }

  public mutating func resume(cause: TransitionCause = .user, at now: Moment) throws(SessionError) -> Transition? {
    switch phase {
    case .paused: return enter(.running, cause, DatedTick(at: now))
    case .running: return nil
    case .notStarted, .prepared, .stopped, .ended: throw refused(.resume)
    }
  }

  /// Freezes the end date: `date`, now where it is nil.
  public mutating func stop(
    date: WallTime? = nil, cause: TransitionCause = .user, at now: Moment
  ) throws(SessionError) -> Transition? {
    switch phase {
    case .running, .paused:
      var official = try DatedTick(requested: date, at: now)
      if let start, official.tick < start.tick {
        throw .endBeforeStart(end: official.date, start: start.date)
      }
      // The clock may have been slewed back a little since the start, and no end is labelled before it.
      // The label of an earlier boot's clock is nothing to go by: that of this one may not be right yet.
      if let start, start.tick.nanoseconds > 0 { official.date = max(official.date, start.date) }
      end = official
      return enter(.stopped(finishing: nil), cause, official)
    case .stopped: return nil
    case .notStarted, .prepared, .ended: throw refused(.stop)
    }
  }

  /// Ends the session. One that has not started ends at once as cancelled; one that is running or paused goes through
  /// stopped, and stays there (`isFinishing`) until its workout is saved and `finished` is called.
  public mutating func end(
    reason: EndReason = .user, cause: TransitionCause = .user, at now: Moment
  ) throws(SessionError) -> Transition? {
    switch phase {
    case .notStarted, .prepared:
      return enter(.ended(reason == .user ? .cancelled : reason), cause, DatedTick(at: now))
    case .running, .paused:
      let transition = try stop(cause: cause, at: now)
      finishToEnd(reason)
      return transition
    case .stopped(nil):
      finishToEnd(reason)
      return nil
    case .stopped, .ended: return nil
    }
  }

  /// The workout is saved, and the save is on the disk itself: the session that waited for it ends.
  public mutating func finished(cause: TransitionCause, at now: Moment) -> Transition {
    guard case .stopped(let reason?) = phase else {
      preconditionFailure("finished() on a session that does not wait for it: \(phase)")
    }
    return enter(.ended(reason), cause, DatedTick(at: now))
  }

  private mutating func finishToEnd(_ reason: EndReason) {
    phase = .stopped(finishing: reason)
    if collection == .open { collection = .ended }
  }

  private func refused(_ call: SessionCall) -> SessionError {
    // What never started has no workout: a call that is about it is answered so, and nobody is sent there.
    let isCancelled = state == .ended && start == nil
    return .notAllowed(state: state, call: call, allowed: isCancelled ? [.end] : allowedCalls)
  }

  private mutating func enter(_ next: Phase, _ cause: TransitionCause, _ at: DatedTick) -> Transition {
    let from = state
    phase = next
    return Transition(from: from, to: state, at: at, cause: cause, endReason: state == .ended ? endReason : nil)
  }
}

// MARK: - Collection

extension WorkoutSession {
  /// The calls that are not refused now, redundant ones included.
  public var allowedCalls: [SessionCall] {
    guard state == .stopped else { return state.allowedCalls }
    let others: Set<SessionCall> =
      switch collection {
      case .open: [.finish]
      case .ended: []
      case .finished: [.lap, .marker, .segment, .setMetadata]
      }
    return state.allowedCalls.filter { !others.contains($0) }
  }

  /// Refuses a call that is not allowed now; for the calls that change no state.
  public func check(_ call: SessionCall) throws(SessionError) {
    guard allowedCalls.contains(call) else { throw refused(call) }
  }

  /// No sample is added any more.
  ///
  /// - Returns: whether that is new.
  public mutating func endCollection() throws(SessionError) -> Bool {
    try check(.endCollection)
    guard collection == .open else { return false }
    collection = .ended
    return true
  }

  /// The workout is saved, though the session may not have ended yet.
  public mutating func saved() {
    collection = .finished
  }
}

// MARK: - Time

extension WorkoutSession {
  /// The wall clock of this boot was set by so much; all that has been dated by it has moved.
  public mutating func clockStepped(by step: Duration) {
    created.clockStepped(by: step)
    start?.clockStepped(by: step)
    end?.clockStepped(by: step)
  }
}

// MARK: - To disk and back

extension WorkoutSession {
  /// The session as the store keeps it.
  public func record(strap: StrapAddress?, settings: SessionSettings = SessionSettings()) -> SessionRecord {
    SessionRecord(
      id: id, configuration: configuration, strap: strap, state: state, created: created, start: start, end: end,
      isUnprepared: isUnprepared, endReason: endReason, collection: collection, settings: settings)
  }

  /// The session as it was when the record was made.
  public init(_ record: SessionRecord) {
    id = record.id
    configuration = record.configuration
    created = record.created
    start = record.start
    end = record.end
    isUnprepared = record.isUnprepared
    collection = record.collection
    phase =
      switch record.state {
      case .notStarted: .notStarted
      case .prepared: .prepared
      case .running: .running
      case .paused: .paused
      case .stopped: .stopped(finishing: record.endReason)
      case .ended: .ended(record.endReason ?? .user)
      }
  }
}
