/// The states of a workout session, by HealthKit's names (HKWorkoutSessionState); the names go on the wire and on disk.
public enum WorkoutState: String, Hashable, Sendable, CaseIterable {
  case notStarted, prepared, running, paused, stopped, ended

  /// Whether the session is still to be looked after: every state but ended.
  public var isLive: Bool { self != .ended }

  /// The calls that are not refused in this state, redundant ones included.
  public var allowedCalls: [SessionCall] {
    switch self {
    case .notStarted, .prepared: [.prepare, .start, .end]
    case .running, .paused: [.pause, .resume, .stop, .end]
    case .stopped: [.stop, .end]
    case .ended: [.end]
    }
  }
}

/// What a client may ask of a session.
public enum SessionCall: String, Hashable, Sendable, CaseIterable {
  case prepare, start, pause, resume, stop, end
}

/// Who or what made a transition happen.
public enum TransitionCause: String, Hashable, Sendable, CaseIterable {
  case user, auto, system, remote, recovered
}

/// Why a session has ended.
public enum EndReason: String, Hashable, Sendable, CaseIterable {
  case user, cancelled, sensorAbsent, superseded, prepareExpired, pauseExpired, staleRecovery, storageFull, handedOff
}
