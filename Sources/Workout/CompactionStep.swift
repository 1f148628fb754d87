import Measurements

/// What one step of the compaction has come to: samples of sessions that are over are put into less room, a piece a step.
public enum CompactionStep: Hashable, Sendable {
  /// So many samples are in so many octets now; there may be more to do.
  case packed(SessionID, samples: Int, octets: Int)
  /// The samples of this session stay as they are, for this reason; there may be others.
  case refused(SessionID, String)
  /// Nothing is left to be done now; there will be something at this tick, if nothing makes it so before.
  case rest(until: Tick?)
}
