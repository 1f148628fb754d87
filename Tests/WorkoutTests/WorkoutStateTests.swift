import Testing
import Workout

@Suite struct WorkoutStateTests {
  /// The names are on the wire and on disk.
  @Test func namesAreHealthKits() {
    #expect(
      WorkoutState.allCases.map(\.rawValue) == ["notStarted", "prepared", "running", "paused", "stopped", "ended"])
    #expect(
      SessionCall.allCases.map(\.rawValue) == [
        "prepare", "start", "pause", "resume", "stop", "end", "cancelCountdown", "beginCollection", "endCollection",
        "finish", "discard", "lap", "marker", "segment", "beginActivity", "endActivity", "requestPauseOrResume",
        "setMetadata", "setZones", "setGoals", "setAlerts", "enableType", "disableType",
      ])
    #expect(CollectionPhase.allCases.map(\.rawValue) == ["open", "ended", "finished"])
    #expect(TransitionCause.allCases.map(\.rawValue) == ["user", "auto", "system", "remote", "recovered"])
    #expect(
      EndReason.allCases.map(\.rawValue) == [
        "user", "cancelled", "sensorAbsent", "superseded", "prepareExpired", "pauseExpired", "staleRecovery",
        "storageFull", "handedOff",
      ])
  }

  /// The calls that a state allows beside those of the table of states.
  @Test func otherCallsOfEachState() {
    let before: [SessionCall] = [
      .cancelCountdown, .discard, .setMetadata, .setZones, .setGoals, .setAlerts, .enableType, .disableType,
    ]
    let during: [SessionCall] = [
      .beginCollection, .discard, .lap, .marker, .segment, .beginActivity, .endActivity, .requestPauseOrResume,
      .setMetadata, .setGoals, .setAlerts, .enableType, .disableType,
    ]
    let others: [(WorkoutState, [SessionCall])] = [
      (.notStarted, before), (.prepared, before), (.running, during), (.paused, during),
      (.stopped, [.endCollection, .finish, .discard, .lap, .marker, .segment, .setMetadata]),
      (.ended, [.endCollection, .finish, .discard]),
    ]
    let changing: Set<SessionCall> = [.prepare, .start, .pause, .resume, .stop, .end]
    for (state, calls) in others {
      #expect(state.allowedCalls.filter { !changing.contains($0) } == calls, "\(state)")
    }
  }

  @Test func allButEndedAreLive() {
    #expect(WorkoutState.allCases.filter(\.isLive) == [.notStarted, .prepared, .running, .paused, .stopped])
  }
}
