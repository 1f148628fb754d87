import Measurements
import Workout

/// What an event is, as the columns of its row have it: its kind and what that kind has, NULL for the rest.
struct EventColumns {
  let kind: Kind
  /// A moment, or when something began.
  private var about: DatedTick?
  private var until: DatedTick?
  private var from: WorkoutState?
  private var to: WorkoutState?
  private var cause: TransitionCause?
  private var endReason: EndReason?
  private var availability: Availability?
  private var activity: ActivityType?
  private var location: LocationType?
  private var detail: String?

  /// The names of `EventRecord.What` on disk.
  enum Kind: String {
    case transition, availability, linkLost, gap, recovered, clockStep, gapFixed
    case lap, segment, marker, activityBegan, activityEnded, types, alertOn, alertOff, goal
    case pauseOrResumeRequest, failed, hostFailed, hostWorks, postExerciseEnded, discarded, restored
  }

  init(_ what: EventRecord.What) {
    switch what {
    case .transition(let transition):
      kind = .transition
      about = transition.at
      (from, to) = (transition.from, transition.to)
      (cause, endReason) = (transition.cause, transition.endReason)
    case .availability(let availability):
      kind = .availability
      self.availability = availability
    case .linkLost: kind = .linkLost
    case .gap(let since):
      kind = .gap
      about = since
    case .recovered(let lastAlive, let interruption):
      kind = .recovered
      about = lastAlive
      detail = interruption.rawValue
    case .clockStep(let size):
      kind = .clockStep
      detail = String(size.wholeNanoseconds)
    case .gapFixed(let was, let now, let isProvisional):
      kind = .gapFixed
      detail = "\(was.wholeNanoseconds) \(now.wholeNanoseconds)\(isProvisional ? " provisional" : "")"
    case .lap(let interval):
      kind = .lap
      (about, until, detail) = (interval.start, interval.end, interval.label)
    case .segment(let interval):
      kind = .segment
      (about, until, detail) = (interval.start, interval.end, interval.label)
    case .marker(let moment, let label):
      kind = .marker
      (about, detail) = (moment, label)
    case .activityBegan(let began):
      kind = .activityBegan
      (about, detail) = (began.start, began.label)
      (activity, location) = (began.activity, began.location)
    case .activityEnded(let end):
      kind = .activityEnded
      about = end
    case .types(let types):
      kind = .types
      detail = types.text
    case .alert(let alert, let isOn):
      kind = isOn ? .alertOn : .alertOff
      detail = alert.text
    case .goal(let goal):
      kind = .goal
      detail = goal.text
    case .pauseOrResumeRequest: kind = .pauseOrResumeRequest
    case .failed(let reason):
      kind = .failed
      endReason = reason
    case .host(let isWorking): kind = isWorking ? .hostWorks : .hostFailed
    case .postExerciseEnded: kind = .postExerciseEnded
    case .discarded: kind = .discarded
    case .restored: kind = .restored
    }
  }

  /// From `kind` on.
  func values(on axis: BootAxis) -> [SQLValue] {
    [.text(kind.rawValue)] + .moment(about, on: axis) + .moment(until, on: axis) + [
      .optional(from?.rawValue), .optional(to?.rawValue), .optional(cause?.rawValue), .optional(endReason?.rawValue),
      .optional(availability?.rawValue), .optional(activity?.rawValue), .optional(location?.rawValue),
      .optional(detail),
    ]
  }

  init(_ row: inout Row, written: BootTick, on axis: BootAxis) throws(StoreError) {
    kind = try row.name()
    about = try row.optionalDatedTick(written: written, on: axis)
    until = try row.optionalDatedTick(written: written, on: axis)
    from = try row.optionalName()
    to = try row.optionalName()
    cause = try row.optionalName()
    endReason = try row.optionalName()
    availability = try row.optionalName()
    activity = try row.optionalName()
    location = try row.optionalName()
    detail = row.optionalText()
  }

  /// nil where a column is NULL that the kind must have, or holds what is none.
  var what: EventRecord.What? {
    switch kind {
    case .transition:
      guard let from, let to, let about, let cause else { return nil }
      return .transition(Transition(from: from, to: to, at: about, cause: cause, endReason: endReason))
    case .availability: return availability.map(EventRecord.What.availability)
    case .linkLost: return .linkLost
    case .gap: return about.map { .gap(since: $0) }
    case .recovered:
      guard let about else { return nil }
      // Before there were reboots in it, there was nothing.
      guard let interruption = detail.map(Interruption.init(rawValue:)) ?? .restart else { return nil }
      return .recovered(lastAlive: about, interruption)
    case .clockStep:
      guard let size = spans.first, spans.count == 1 else { return nil }
      return .clockStep(size)
    case .gapFixed:
      guard spans.count == 2 else { return nil }
      let isProvisional = detail?.hasSuffix("provisional") == true
      return .gapFixed(was: spans[0], now: spans[1], isProvisional: isProvisional)
    case .lap: return interval.map(EventRecord.What.lap)
    case .segment: return interval.map(EventRecord.What.segment)
    case .marker: return about.map { .marker($0, label: detail) }
    case .activityBegan:
      guard let about, let activity, let location else { return nil }
      return .activityBegan(ActivityStart(activity: activity, location: location, start: about, label: detail))
    case .activityEnded: return about.map(EventRecord.What.activityEnded)
    case .types: return detail.flatMap { [CollectedType](text: $0) }.map(EventRecord.What.types)
    case .alertOn: return detail.flatMap { WorkoutAlert(text: $0) }.map { .alert($0, isOn: true) }
    case .alertOff: return detail.flatMap { WorkoutAlert(text: $0) }.map { .alert($0, isOn: false) }
    case .goal: return detail.flatMap { WorkoutGoal(text: $0) }.map(EventRecord.What.goal)
    case .pauseOrResumeRequest: return .pauseOrResumeRequest
    case .failed: return endReason.map(EventRecord.What.failed)
    case .hostFailed: return .host(isWorking: false)
    case .hostWorks: return .host(isWorking: true)
    case .postExerciseEnded: return .postExerciseEnded
    case .discarded: return .discarded
    case .restored: return .restored
    }
  }

  /// Nanoseconds, as the detail has them.
  private var spans: [Duration] {
    (detail ?? "").split(separator: " ").compactMap { Int64($0).map { .nanoseconds($0) } }
  }

  private var interval: WorkoutInterval? {
    guard let about, let until else { return nil }
    return WorkoutInterval(start: about, end: until, label: detail)
  }
}
