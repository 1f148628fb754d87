import Measurements
import Workout

/// Which session a call means, and in which states alone it is to be performed.
public struct SessionTarget: Hashable, Sendable {
  /// nil where the only live one is meant.
  public var session: SessionID?
  /// nil where any state will do: so two clients cannot race.
  public var ifState: [WorkoutState]?

  public init(_ session: SessionID? = nil, ifState: [WorkoutState]? = nil) {
    self.session = session
    self.ifState = ifState
  }

  /// Refuses a state that was not expected.
  public func check(_ state: WorkoutState, of session: SessionID) throws(ControlError) {
    guard let ifState, !ifState.contains(state) else { return }
    throw .stateChanged(session, state: state, expected: ifState)
  }
}

/// When a session is to start.
public enum StartTime: Hashable, Sendable {
  case now
  /// A past date, or up to a second ahead.
  case at(WallTime)
  /// When so much time has run down.
  case countdown(Duration)
  /// With the first heart rate that is one.
  case firstBeat
}
