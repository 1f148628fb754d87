import Measurements

/// Something that was done to finished workouts after the fact, in one transaction; it can be undone.
public struct WorkoutEdit: Hashable, Sendable {
  /// Its place in the store's one order, by which it is known.
  public var number: Int64
  public var kind: Kind
  public var date: WallTime
  /// What the workouts are from then on.
  public var changes: [Change]

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Another activity, location, title, athlete, or other notes.
    case edit
    /// Another start or end.
    case trim
    /// Another workout was taken in.
    case merge
    /// The rest became a workout of its own.
    case split
  }

  public enum Change: Hashable, Sendable {
    indirect case saved(FinishedWorkout)
    /// It is part of another one.
    case removed(SessionID)

    public var workout: SessionID {
      switch self {
      case .saved(let workout): workout.id
      case .removed(let id): id
      }
    }
  }

  public init(number: Int64, kind: Kind, date: WallTime, changes: [Change]) {
    self.number = number
    self.kind = kind
    self.date = date
    self.changes = changes
  }
}

/// An edit as the store knows it, as seen from one of its workouts.
public struct WorkoutEditRecord: Hashable, Sendable {
  public var number: Int64
  public var kind: WorkoutEdit.Kind
  public var date: WallTime
  /// When it was undone, if it was.
  public var undone: WallTime?
  /// All whose workout it changed, made or took away.
  public var workouts: [SessionID]
  /// The workout before it; nil where there was none.
  public var before: FinishedWorkout?
  /// It cannot be undone any more, since a workout that had to do with it is deleted for good.
  public var isSealed = false

  public init(
    number: Int64, kind: WorkoutEdit.Kind, date: WallTime, undone: WallTime? = nil, workouts: [SessionID],
    before: FinishedWorkout? = nil
  ) {
    self.number = number
    self.kind = kind
    self.date = date
    self.undone = undone
    self.workouts = workouts
    self.before = before
  }
}

/// Some of the edits of a workout, oldest first.
public struct WorkoutEdits: Hashable, Sendable {
  public var edits: [WorkoutEditRecord]
  /// The workout behind them; nil where it is part of another one, or was not there.
  public var after: FinishedWorkout?
  /// The place of the next one, where there are more.
  public var next: Int?

  public init(edits: [WorkoutEditRecord], after: FinishedWorkout?, next: Int? = nil) {
    self.edits = edits
    self.after = after
    self.next = next
  }
}

/// What an undo would do.
public struct WorkoutUndo: Hashable, Sendable {
  public var edit: WorkoutEditRecord
  /// The workouts as they will be again.
  public var workouts: [FinishedWorkout]
  /// One of them that was changed since then, which has to be undone before.
  public var obstacle: SessionID?
  /// One of them that is in the trash.
  public var discarded: SessionID?

  public init(
    edit: WorkoutEditRecord, workouts: [FinishedWorkout], obstacle: SessionID?, discarded: SessionID? = nil
  ) {
    self.discarded = discarded
    self.edit = edit
    self.workouts = workouts
    self.obstacle = obstacle
  }
}
