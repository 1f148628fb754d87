import Measurements

/// Why a session refuses a call; its state is unchanged.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The state does not allow the call; these it allows.
  case notAllowed(state: WorkoutState, call: SessionCall, allowed: [SessionCall])
  /// The date lies more than a second ahead of the clock.
  case dateAhead(WallTime, now: WallTime)
  /// The end date lies before the start date.
  case endBeforeStart(end: WallTime, start: WallTime)

  public var description: String {
    switch self {
    case .notAllowed(let state, let call, let allowed):
      "\(call) is not possible while the session is \(state); possible: "
        + allowed.map(\.rawValue).joined(separator: ", ")
    case .dateAhead(let date, let now):
      "the date \(date.rfc3339) is more than a second ahead of this machine's clock (\(now.rfc3339))"
    case .endBeforeStart(let end, let start):
      "the end date \(end.rfc3339) is before the start date \(start.rfc3339)"
    }
  }
}
