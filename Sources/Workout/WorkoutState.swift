/// The states of a workout session, by HealthKit's names (HKWorkoutSessionState); the names go on the wire and on disk.
public enum WorkoutState: String, Hashable, Sendable, CaseIterable {
  case notStarted, prepared, running, paused, stopped, ended

  /// Whether the session is still to be looked after: every state but ended.
  public var isLive: Bool { self != .ended }

  /// The calls that are not refused in this state, redundant ones included.
  public var allowedCalls: [SessionCall] {
    switch self {
    case .notStarted, .prepared:
      [
        .prepare, .start, .end, .cancelCountdown, .discard, .setMetadata, .setZones, .setGoals, .setAlerts, .enableType,
        .disableType,
      ]
    case .running, .paused:
      [
        .pause, .resume, .stop, .end, .beginCollection, .discard, .lap, .marker, .segment, .beginActivity, .endActivity,
        .requestPauseOrResume, .setMetadata, .setGoals, .setAlerts, .enableType, .disableType,
      ]
    case .stopped: [.stop, .end, .endCollection, .finish, .discard, .lap, .marker, .segment, .setMetadata]
    case .ended: [.end, .endCollection, .finish, .discard]
    }
  }
}

/// How far the collecting of a session's workout has come (HKLiveWorkoutBuilder).
public enum CollectionPhase: String, Hashable, Sendable, CaseIterable {
  /// It begins with the start, and goes on until it is ended.
  case open
  /// No sample is added any more; laps, markers and metadata still are.
  case ended
  /// The workout is saved.
  case finished
}

/// What a client may ask of a session.
public enum SessionCall: String, Hashable, Sendable, CaseIterable {
  case prepare, start, pause, resume, stop, end
  case cancelCountdown
  case beginCollection, endCollection, finish, discard
  case lap, marker, segment, beginActivity, endActivity, requestPauseOrResume
  case setMetadata, setZones, setGoals, setAlerts, enableType, disableType
}

/// Who or what made a transition happen.
public enum TransitionCause: String, Hashable, Sendable, CaseIterable {
  case user, auto, system, remote, recovered
}

/// Why a session has ended.
public enum EndReason: String, Hashable, Sendable, CaseIterable {
  case user, cancelled, sensorAbsent, superseded, prepareExpired, pauseExpired, staleRecovery, storageFull, handedOff
}
