import Testing
import Workout

@Suite struct WorkoutStateTests {
  /// The names are on the wire and on disk.
  @Test func namesAreHealthKits() {
    #expect(
      WorkoutState.allCases.map(\.rawValue) == ["notStarted", "prepared", "running", "paused", "stopped", "ended"])
    #expect(SessionCall.allCases.map(\.rawValue) == ["prepare", "start", "pause", "resume", "stop", "end"])
    #expect(TransitionCause.allCases.map(\.rawValue) == ["user", "auto", "system", "remote", "recovered"])
    #expect(
      EndReason.allCases.map(\.rawValue) == [
        "user", "cancelled", "sensorAbsent", "superseded", "prepareExpired", "pauseExpired", "staleRecovery",
        "storageFull", "handedOff",
      ])
  }

  @Test func allButEndedAreLive() {
    #expect(WorkoutState.allCases.filter(\.isLive) == [.notStarted, .prepared, .running, .paused, .stopped])
  }
}
