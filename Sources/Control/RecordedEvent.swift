import Measurements
import Workout

// Events and samples of a recording as they are exported and imported: dates in place of ticks, and numbers that say their
// order and nothing else. Both ways, without loss.

/// What of a recording cannot be read.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its number in the recording, where it has one.
  public var number: Int64?
  /// What is wrong, to stand behind that.
  public var text: String

  public init(_ number: Int64?, _ text: String) {
    self.number = number
    self.text = text
  }

  public var description: String { (number.map { "number \($0) " } ?? "a part without a number ") + text }
}

extension EventRecord {
  /// The event as it is exported; nil for what is no matter of the recording.
  ///
  /// - Parameters:
  ///   - number: its place in the one order of events and samples.
  ///   - start: the workout's, by which all of it is dated.
  public func recorded(as number: Int64, along start: DatedTick) -> JSON? {
    guard let (kind, members) = what.recorded(along: start) else { return nil }
    let place: [JSON.Member] = [.init("event", .integer(number)), .init("kind", .string(kind))]
    // When it was written down is nothing that a client gave.
    return .object(place + [.init("date", .string(at.dated(along: start).date.rfc3339))] + members)
  }

  /// Reads an event that was exported.
  ///
  /// - Parameter start: the workout's, from which its ticks count.
  public init(recorded json: JSON, of session: SessionID, along start: DatedTick) throws(RecordingError) {
    let number = json["event"]?.asInteger
    var reader = RecordedReader(json, start)
    guard let number, let kind = json["kind"]?.asString else { throw RecordingError(number, "has no number or kind") }
    reader.number = number
    var at = try reader.moment("date")
    at.requested = nil
    guard let what = try What(recorded: kind, &reader) else {
      throw RecordingError(number, "is of no known kind: \(kind)")
    }
    self.init(sequence: number, session: session, at: at, what: what)
  }
}

extension EventRecord.What {
  fileprivate func recorded(along start: DatedTick) -> (kind: String, members: [JSON.Member])? {
    switch self {
    case .transition(let transition):
      let states: [JSON.Member] = [
        .init("from", .string(transition.from.rawValue)), .init("to", .string(transition.to.rawValue)),
        .init("cause", .string(transition.cause.rawValue)),
      ]
      let reason = JSON.members(["endReason": transition.endReason.map { .string($0.rawValue) }])
      return ("transition", states + reason + transition.at.members("atDate", along: start))
    case .availability(let availability):
      return ("availability", [.init("availability", .string(availability.rawValue))])
    case .linkLost: return ("linkLost", [])
    case .gap(let since): return ("gap", since.members("sinceDate", along: start))
    case .recovered(let lastAlive, let interruption):
      let members = lastAlive.members("lastAliveDate", along: start)
      return ("recovered", members + [.init("interruption", .string(interruption.rawValue))])
    case .clockStep(let size): return ("clockStep", [.init("stepNanoseconds", .integer(size.wholeNanoseconds))])
    case .gapFixed(let was, let now, let isProvisional):
      return (
        "gapFixed",
        [
          .init("previousGapNanoseconds", .integer(was.wholeNanoseconds)),
          .init("gapNanoseconds", .integer(now.wholeNanoseconds)),
          .init("provisional", .bool(isProvisional)),
        ]
      )
    case .lap(let lap): return ("lap", lap.members(along: start))
    case .segment(let segment): return ("segment", segment.members(along: start))
    case .marker(let at, let label):
      return ("marker", at.members("atDate", along: start) + JSON.members(["label": label.map(JSON.string)]))
    case .activityBegan(let began):
      let members = JSON.members([
        "activity": .string(began.activity.rawValue), "location": .string(began.location.rawValue),
        "label": began.label.map(JSON.string),
      ])
      return ("activityBegan", began.start.members("startDate", along: start) + members)
    case .activityEnded(let end): return ("activityEnded", end.members("endDate", along: start))
    case .types(let types): return ("types", [.init("types", .array(types.map { .string($0.rawValue) }))])
    case .alert(let alert, let isOn): return ("alert", [.init("alert", alert.json), .init("active", .bool(isOn))])
    case .goal(let goal): return ("goal", [.init("goal", goal.json)])
    case .pauseOrResumeRequest: return ("pauseOrResumeRequest", [])
    case .failed(let reason): return ("failed", [.init("endReason", .string(reason.rawValue))])
    case .host(let isWorking): return ("host", [.init("working", .bool(isWorking))])
    case .postExerciseEnded: return ("postExerciseEnded", [])
    case .discarded, .restored: return nil
    }
  }

  /// nil where the kind is none.
  fileprivate init?(recorded kind: String, _ reader: inout RecordedReader) throws(RecordingError) {
    switch kind {
    case "transition":
      self = .transition(
        Transition(
          from: try reader.name("from"), to: try reader.name("to"), at: try reader.moment("atDate"),
          cause: try reader.name("cause"), endReason: try reader.optionalName("endReason")))
    case "availability": self = .availability(try reader.name("availability"))
    case "linkLost": self = .linkLost
    case "gap": self = .gap(since: try reader.moment("sinceDate"))
    case "recovered":
      self = .recovered(lastAlive: try reader.moment("lastAliveDate"), try reader.name("interruption"))
    case "clockStep": self = .clockStep(try reader.span("stepNanoseconds"))
    case "gapFixed":
      self = .gapFixed(
        was: try reader.span("previousGapNanoseconds"), now: try reader.span("gapNanoseconds"),
        isProvisional: try reader.flag("provisional"))
    case "lap": self = .lap(try reader.interval())
    case "segment": self = .segment(try reader.interval())
    case "marker": self = .marker(try reader.moment("atDate"), label: try reader.label())
    case "activityBegan":
      self = .activityBegan(
        ActivityStart(
          activity: try reader.name("activity"), location: try reader.name("location"),
          start: try reader.moment("startDate"), label: try reader.label()))
    case "activityEnded": self = .activityEnded(try reader.moment("endDate"))
    case "types": self = .types(try reader.types())
    case "alert": self = .alert(try reader.alert(), isOn: try reader.flag("active"))
    case "goal": self = .goal(try reader.goal())
    case "pauseOrResumeRequest": self = .pauseOrResumeRequest
    case "failed": self = .failed(try reader.name("endReason"))
    case "host": self = .host(isWorking: try reader.flag("working"))
    case "postExerciseEnded": self = .postExerciseEnded
    default: return nil
    }
  }
}

extension DatedTick {
  /// The date of the tick, and as a client gave it where it did.
  fileprivate func members(_ name: String, along start: DatedTick) -> [JSON.Member] {
    let date = [JSON.Member(name, .string(dated(along: start).date.rfc3339))]
    guard let requested else { return date }
    return date + [JSON.Member(Self.requestedName(name), .string(requested.rfc3339))]
  }

  /// "requestedStartDate" for "startDate".
  fileprivate static func requestedName(_ name: String) -> String {
    "requested" + name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension WorkoutInterval {
  fileprivate func members(along start: DatedTick) -> [JSON.Member] {
    self.start.members("startDate", along: start) + end.members("endDate", along: start)
      + JSON.members(["label": label.map(JSON.string)])
  }
}

/// Reads the members of one event.
private struct RecordedReader {
  let json: JSON
  let start: DatedTick
  var number: Int64?

  init(_ json: JSON, _ start: DatedTick) {
    (self.json, self.start) = (json, start)
  }

  private func error(_ name: String) -> RecordingError {
    RecordingError(number, "has no \(name) that can be read")
  }

  func moment(_ name: String) throws(RecordingError) -> DatedTick {
    guard let date = json[name]?.asString.flatMap({ WallTime(rfc3339: $0) }) else { throw error(name) }
    var requested: WallTime?
    let requestedName = DatedTick.requestedName(name)
    if let value = json[requestedName] {
      guard let date = value.asString.flatMap({ WallTime(rfc3339: $0) }) else { throw error(requestedName) }
      requested = date
    }
    return DatedTick(tick: start.tick + (date - start.date), date: date, requested: requested)
  }

  func name<Name: RawRepresentable>(_ name: String) throws(RecordingError) -> Name where Name.RawValue == String {
    guard let value: Name = try optionalName(name) else { throw error(name) }
    return value
  }

  func optionalName<Name: RawRepresentable>(
    _ name: String
  ) throws(RecordingError) -> Name? where Name.RawValue == String {
    guard let value = json[name] else { return nil }
    guard let text = value.asString, let known = Name(rawValue: text) else { throw error(name) }
    return known
  }

  func span(_ name: String) throws(RecordingError) -> Duration {
    guard let nanoseconds = json[name]?.asInteger else { throw error(name) }
    return .nanoseconds(nanoseconds)
  }

  func flag(_ name: String) throws(RecordingError) -> Bool {
    guard let flag = json[name]?.asBool else { throw error(name) }
    return flag
  }

  func label() throws(RecordingError) -> String? {
    guard let value = json["label"] else { return nil }
    guard let text = value.asString, text.utf8.count <= BuilderCall.longestLabel, !value.hasNUL else {
      throw error("label")
    }
    return text
  }

  func interval() throws(RecordingError) -> WorkoutInterval {
    let (start, end) = (try moment("startDate"), try moment("endDate"))
    guard end.tick > start.tick else { throw RecordingError(number, "does not end after it begins") }
    return WorkoutInterval(start: start, end: end, label: try label())
  }

  func types() throws(RecordingError) -> [CollectedType] {
    let types = json["types"]?.asArray?.map { $0.asString.flatMap { CollectedType(rawValue: $0) } }
    guard let types, !types.contains(nil) else { throw error("types") }
    return types.compactMap { $0 }
  }

  func alert() throws(RecordingError) -> WorkoutAlert {
    guard let value = json["alert"] else { throw error("alert") }
    do { return try WorkoutAlert(value) } catch { throw RecordingError(number, "has an alert that is none: \(error)") }
  }

  func goal() throws(RecordingError) -> WorkoutGoal {
    guard let goal = json["goal"].flatMap({ WorkoutGoal($0) }) else { throw error("goal") }
    return goal
  }
}
