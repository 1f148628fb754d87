/// What a step of emptying the trash has done.
public enum PurgeStep: Hashable, Sendable {
  /// This workout is old enough to go to the trash; the step has changed nothing.
  case aged(SessionID)
  /// This one is deleted for good.
  case deleted(SessionID)
  /// Something that a deleted one has left is deleted.
  case cleared
  /// There is nothing more to do.
  case rest
}
