/// What is known of the id under which a workout is to come in.
public struct ImportPlace: Hashable, Sendable {
  public var id: SessionID
  /// The finished workout of that id.
  public var workout: FinishedWorkout?
  /// The workout that it has become part of.
  public var merged: SessionID?
  /// Whether anything is there under it.
  public var isTaken = false
  /// The kind of file by which it came in; nil where it was recorded here.
  public var format: String?
  /// Whether an edit of it stands.
  public var isEdited = false

  public init(id: SessionID) {
    self.id = id
  }
}
