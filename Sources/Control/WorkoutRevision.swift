import Measurements
import Workout

/// A call that changes finished workouts after the fact.
public enum WorkoutRevision: Hashable, Sendable {
  case edit(SessionID, WorkoutChanges)
  /// Without a start or an end: as it is.
  case trim(SessionID, start: WorkoutPlace?, end: WorkoutPlace?)
  /// The second one becomes part of the first.
  case merge(SessionID, SessionID)
  /// Without a place it is refused.
  case split(SessionID, at: WorkoutPlace?)
  case undo(SessionID)

  /// Its name on the wire.
  public var method: String {
    switch self {
    case .edit: "EditWorkout"
    case .trim: "TrimWorkout"
    case .merge: "MergeWorkouts"
    case .split: "SplitWorkout"
    case .undo: "UndoEdit"
    }
  }

  /// Whether it turns on how the moments of its workouts lie to each other.
  public var isOfMoments: Bool {
    switch self {
    case .trim, .merge, .split: true
    case .edit, .undo: false
    }
  }

  /// The workouts that it names.
  public var workouts: [SessionID] {
    switch self {
    case .edit(let id, _), .trim(let id, _, _), .split(let id, _), .undo(let id): [id]
    case .merge(let id, let other): [id, other]
    }
  }
}

/// What a person says of a workout anew.
public struct WorkoutChanges: Hashable, Sendable {
  public var activity: ActivityType?
  public var location: LocationType?
  public var title = Setting<WorkoutTitle>.keep
  public var notes = Setting<String>.keep
  public var athlete = Setting<AthleteName>.keep

  public init() {}

  /// The same workout with what has been said of it.
  public func applied(to workout: FinishedWorkout) -> FinishedWorkout {
    var workout = workout
    workout.activity = activity ?? workout.activity
    workout.location = location ?? workout.location
    title.apply(to: &workout.title)
    notes.apply(to: &workout.notes)
    athlete.apply(to: &workout.athlete)
    return workout
  }
}

extension Setting {
  /// Makes the value what is said of it.
  public func apply(to value: inout Value?) {
    switch self {
    case .keep: break
    case .remove: value = nil
    case .set(let new): value = new
    }
  }
}

/// A moment of a workout: a date, or so long after its start.
public enum WorkoutPlace: Hashable, Sendable {
  case date(WallTime)
  case elapsed(Duration)

  /// The moment, by the clock that the workout's start was dated by.
  public func moment(of workout: FinishedWorkout) -> DatedTick {
    let start = workout.start
    switch self {
    case .date(let date): return DatedTick(tick: start.tick + (date - start.date), date: date)
    case .elapsed(let span): return DatedTick(tick: start.tick + span, date: start.date + span)
    }
  }
}

// MARK: - Reading

extension WorkoutRevision {
  /// Reads the parameters of a method; nil where it is another kind of method.
  init?(_ method: Substring, _ reader: inout ParameterReader) throws(ControlError) {
    switch method {
    case "EditWorkout":
      let id = try reader.id()
      self = .edit(id, try reader.workoutChanges())
    case "TrimWorkout":
      let id = try reader.id()
      let start = try reader.place("startDate", "startSeconds")
      let end = try reader.place("endDate", "endSeconds")
      self = .trim(id, start: start, end: end)
    case "MergeWorkouts":
      self = .merge(try reader.id(), try reader.id("other"))
    case "SplitWorkout":
      let id = try reader.id()
      self = .split(id, at: try reader.place("date", "seconds"))
    case "UndoEdit": self = .undo(try reader.id())
    default: return nil
    }
  }
}

extension ParameterReader {
  fileprivate mutating func workoutChanges() throws(ControlError) -> WorkoutChanges {
    var changes = WorkoutChanges()
    changes.activity = try activity()
    changes.location = try location()
    if let text = try take("title", \.asString) {
      guard let title = text.isEmpty ? .some(nil) : WorkoutTitle(text).map(Optional.some) else {
        throw .nameNotAllowed(text, parameter: "title", allowed: WorkoutTitle.allowed)
      }
      changes.title = title.map(Setting.set) ?? .remove
    }
    let notes = try take("notes") { value in
      value.asString.flatMap { $0.utf8.count <= FinishedWorkout.longestNotes ? $0 : nil }
    }
    if let notes { changes.notes = notes.isEmpty ? .remove : .set(notes) }
    changes.athlete = try StrapSetting.athlete(try take("athlete", \.asString))
    return changes
  }

  /// A moment that is given as a date or as seconds since the workout's start.
  fileprivate mutating func place(_ dateName: String, _ secondsName: String) throws(ControlError) -> WorkoutPlace? {
    let date = try date(dateName)
    let seconds = try take(secondsName) { value in
      value.asReal.flatMap { abs($0) <= ControlCall.longestSpan ? Duration.nanoseconds(Int64($0 * 1e9)) : nil }
    }
    if date != nil, seconds != nil { throw .invalidParameter(secondsName) }
    return date.map(WorkoutPlace.date) ?? seconds.map(WorkoutPlace.elapsed)
  }
}

// MARK: - As JSON

extension WorkoutEditRecord {
  /// - Parameter after: the workout behind it, where it is known.
  func json(after: FinishedWorkout?) -> JSON {
    .object([
      "edit": .integer(number), "kind": .string(kind.rawValue), "date": .string(date.rfc3339),
      "undoneDate": undone.map { .string($0.rfc3339) },
      "workouts": .array(workouts.map { .string($0.description) }),
      "before": before.map { WorkoutSnapshot($0).json }, "after": after.map { WorkoutSnapshot($0).json },
      "sealed": isSealed && undone == nil ? .bool(true) : nil,
    ])
  }
}

extension WorkoutEdits {
  /// As clients see them.
  var json: JSON {
    .object([
      "edits": .array(
        edits.indices.map { index in
          // What an edit led to is what the next one that stands began with. What was undone is not known any more.
          let next = edits[(index + 1)...].first { $0.undone == nil }
          let after = next.map(\.before) ?? self.after
          return edits[index].json(after: edits[index].undone == nil ? after : nil)
        }), "next": next.map { .integer(Int64($0)) },
    ])
  }
}

/// Why a workout cannot be changed so; nothing has changed.
public enum RevisionError: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case outsideWorkout, endNotAfterStart, overlap, athletesDiffer, sameWorkout

  public var description: String {
    switch self {
    case .outsideWorkout: "that is outside of the workout"
    case .endNotAfterStart: "the workout would end before it has begun"
    case .overlap: "the two workouts overlap"
    case .sameWorkout: "that is one workout, and not two"
    case .athletesDiffer: "the two workouts are of different athletes: make them one's first"
    }
  }
}
