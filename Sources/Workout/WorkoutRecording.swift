import Measurements

/// The events of a finished workout's recording, with what says where each stands among the samples.
public struct RecordedEvents: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    /// It stands before the samples with greater numbers, and behind all others.
    public var place: Int64
    public var event: EventRecord
  }

  /// Ascending by place.
  public private(set) var entries: [Entry] = []
  /// What is collected at its end.
  public private(set) var types: Set<CollectedType>

  /// Of a workout that is the whole of its session: all that is a matter of it.
  public init(whole events: some Sequence<EventRecord>) {
    types = Set(CollectedType.allCases)
    entries = events.filter { !$0.isOfTheTrash }.map { Entry(place: $0.sequence, event: $0) }
  }

  /// Of a stretch of a session, as if nothing of the session had been but that; between two stretches it is paused.
  ///
  /// - Parameters:
  ///   - isFirst: whether the workout begins with it; else it goes on with it.
  ///   - isLast: whether the workout ends with it, for this reason.
  ///   - start: the workout's, by which all of it is dated.
  ///   - types: what is collected before it.
  public init(
    _ slice: WorkoutSlice, of events: [EventRecord], as workout: SessionID, isFirst: Bool, isLast: EndReason?,
    along start: DatedTick, collecting types: Set<CollectedType> = Set(CollectedType.allCases)
  ) {
    self.types = types
    let marks = slice.marks(of: events, isFirst: isFirst, isLast: isLast != nil)
    add(marks, from: isFirst ? .prepared : .paused, along: start, workout, isLast ?? .user)
    add(slice.timeline(of: events), workout)
    let kept = events.compactMap { $0.within(slice) ?? (isLast == nil ? nil : $0.endingSeries) }
    entries += kept.map { Entry(place: $0.sequence, event: $0.of(workout)) }
    // By their own order last of all, since a sort need not keep the order of equals.
    entries = entries.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element)
  }

  /// Transitions, and what else the statistics depend on but laps and activities.
  ///
  /// - Parameter state: what the workout is in before them.
  private mutating func add(
    _ marks: [DatedMark], from state: WorkoutState, along start: DatedTick, _ workout: SessionID,
    _ endReason: EndReason
  ) {
    var state = state
    var place: Int64 = 0
    for mark in marks {
      // Where it stands by a number of its own, that counts among the samples of its tick; else its date does. None stands
      // before the one before it, or a transition could come before the one that it follows.
      if case .event(let number) = mark.place { place = max(place, number) }
      let at = DatedTick(tick: mark.tick, date: start.date + (mark.tick - start.tick))
      func add(_ what: EventRecord.What) {
        entries.append(Entry(place: place, event: EventRecord(sequence: place, session: workout, at: at, what: what)))
      }
      func move(to next: WorkoutState, _ reason: EndReason? = nil) {
        var moment = at
        if mark.place == .first { moment.requested = at.date }
        add(.transition(Transition(from: state, to: next, at: moment, cause: .user, endReason: reason)))
        state = next
      }
      switch mark.mark {
      case .began: move(to: .running)
      case .resumed: if state == .paused { move(to: .running) }
      case .paused: if state == .running { move(to: .paused) }
      case .ended:
        move(to: .stopped)
        move(to: .ended, endReason)
      case .linkLost: add(.linkLost)
      case .collects(let types):
        if types == self.types { continue }
        self.types = types
        add(.types(CollectedType.allCases.filter(types.contains)))
      case .lapBegan, .lapEnded, .activityBegan, .activityEnded: break
      }
    }
  }

  private mutating func add(_ timeline: WorkoutTimeline, _ workout: SessionID) {
    func entry(_ number: Int64, _ at: DatedTick, _ what: EventRecord.What) -> Entry {
      let at = DatedTick(tick: at.tick, date: at.date)
      return Entry(place: number, event: EventRecord(sequence: number, session: workout, at: at, what: what))
    }
    entries += timeline.laps.map { entry($0.number, $0.interval.end, .lap($0.interval)) }
    for activity in timeline.activities {
      entries.append(entry(activity.number, activity.began.start, .activityBegan(activity.began)))
      if let end = activity.end { entries.append(entry(activity.number, end, .activityEnded(end))) }
    }
  }
}

extension EventRecord {
  /// Whether it is about the trash, where the workout was or is.
  fileprivate var isOfTheTrash: Bool {
    switch what {
    case .discarded, .restored: true
    case .transition, .availability, .linkLost, .gap, .recovered, .clockStep, .gapFixed, .lap, .segment, .marker,
      .activityBegan, .activityEnded, .types, .alert, .goal, .pauseOrResumeRequest, .failed, .host, .postExerciseEnded:
      false
    }
  }

  /// The event, if the series behind a workout is over with it.
  fileprivate var endingSeries: EventRecord? { what == .postExerciseEnded ? self : nil }

  fileprivate func of(_ workout: SessionID) -> EventRecord {
    var event = self
    event.session = workout
    return event
  }

  /// The event, if it is of this stretch and is not told by marks or as a lap or an activity; what lasts longer is cut.
  fileprivate func within(_ slice: WorkoutSlice) -> EventRecord? {
    switch what {
    case .marker, .segment, .availability, .gap, .recovered, .clockStep, .gapFixed, .alert, .goal,
      .pauseOrResumeRequest, .failed, .host:
      return happened(in: slice)
    case .transition, .linkLost, .lap, .activityBegan, .activityEnded, .types, .postExerciseEnded, .discarded,
      .restored:
      return nil
    }
  }
}
