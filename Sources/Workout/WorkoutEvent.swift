import Measurements

/// Something that happened within a workout, as it is saved with it (HKWorkoutEvent).
public struct WorkoutEvent: Hashable, Sendable {
  public var kind: Kind
  /// The number of the event in the store's one order.
  public var number: Int64
  public var start: DatedTick
  /// Only laps and segments last.
  public var end: DatedTick?
  /// The client's own words for it.
  public var label: String?
  /// A clock step's size.
  public var step: Duration?
  /// How long the daemon was away, of a recovery.
  public var away: Duration?
  /// Whether that rests on a clock that was not known to be right.
  public var isProvisional = false

  /// HealthKit's names (HKWorkoutEventType); from `gap` on they are ours.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case pause, resume, lap, marker, segment, motionPaused, motionResumed, pauseOrResumeRequest
    case gap, clockStep, recovered, sensorSwitched
  }

  public init(kind: Kind, number: Int64, start: DatedTick, end: DatedTick? = nil, label: String? = nil) {
    self.kind = kind
    self.number = number
    self.start = start
    self.end = end
    self.label = label
  }

  /// The workout's event that a session's event is; nil for those that are not of a workout.
  public init?(_ event: EventRecord) {
    let number = event.sequence
    switch event.what {
    case .transition(let transition):
      switch (transition.from, transition.to) {
      case (.running, .paused): self.init(kind: .pause, number: number, start: transition.at)
      case (.paused, .running): self.init(kind: .resume, number: number, start: transition.at)
      case (_, .notStarted), (_, .prepared), (_, .running), (_, .paused), (_, .stopped), (_, .ended): return nil
      }
    case .lap(let lap): self.init(.lap, number, lap)
    case .segment(let segment): self.init(.segment, number, segment)
    case .marker(let at, let label): self.init(kind: .marker, number: number, start: at, label: label)
    case .pauseOrResumeRequest: self.init(kind: .pauseOrResumeRequest, number: number, start: event.at)
    case .gap: self.init(kind: .gap, number: number, start: event.at)
    case .recovered(let lastAlive, let interruption):
      self.init(kind: .recovered, number: number, start: event.at)
      away = event.at.tick - lastAlive.tick
      isProvisional = interruption == .provisionalReboot
    case .clockStep(let size):
      self.init(kind: .clockStep, number: number, start: event.at)
      step = size
    case .availability, .linkLost, .gapFixed, .activityBegan, .activityEnded, .types, .alert, .goal, .failed, .host,
      .postExerciseEnded,
      .discarded, .restored:
      return nil
    }
  }

  /// The same event with the dates that go with another moment's.
  public func dated(along other: DatedTick) -> WorkoutEvent {
    var dated = self
    dated.start = start.dated(along: other)
    dated.end = end?.dated(along: other)
    return dated
  }

  private init(_ kind: Kind, _ number: Int64, _ interval: WorkoutInterval) {
    self.init(kind: kind, number: number, start: interval.start, end: interval.end, label: interval.label)
  }
}

extension WorkoutEvent {
  /// The events of a workout from its start to its end, ascending by their starts; an event that is not of that time is
  /// left out, and one that lasts beyond the end ends there. The first is never a resume, since what a resume ends is
  /// left out only with the resume.
  public static func list(
    _ events: some BidirectionalCollection<EventRecord>, from start: DatedTick, to end: DatedTick?
  ) -> [WorkoutEvent] {
    let fixed =
      events.last { if case .gapFixed(_, _, isProvisional: false) = $0.what { true } else { false } }?.sequence ?? 0
    var list = events.compactMap { WorkoutEvent($0) }.filter { event in
      event.start.tick >= start.tick && end.map { event.start.tick <= $0.tick } ?? true
    }
    for index in list.indices {
      if let end, let last = list[index].end, last.tick > end.tick { list[index].end = end }
      if list[index].number < fixed { list[index].isProvisional = false }
    }
    // Of a lap that began at an end that was dated into the past, nothing is left.
    list.removeAll { event in
      [.lap, .segment].contains(event.kind) && event.end.map { $0.tick <= event.start.tick } ?? false
    }
    list.sort { ($0.start.tick, $0.number) < ($1.start.tick, $1.number) }
    if let first = list.firstIndex(where: { $0.kind == .pause || $0.kind == .resume }), list[first].kind == .resume {
      list.remove(at: first)
    }
    return list
  }
}
