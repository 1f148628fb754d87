import Measurements

/// What happens to a session that its statistics depend on.
public enum Mark: Hashable, Sendable, CustomStringConvertible {
  case began, paused, resumed, linkLost, ended
  /// A lap that does not begin where the one before it ends, by the number of its event.
  case lapBegan(Int64)
  /// The end of a lap; of one that has no beginning of its own, and so began where the one before it ended.
  case lapEnded(Int64)
  /// An activity, by the number of its event; one that is under way ends.
  case activityBegan(Int64)
  case activityEnded
  /// What is collected from here on.
  case collects(Set<CollectedType>)

  public var description: String {
    switch self {
    case .began: "began"
    case .paused: "paused"
    case .resumed: "resumed"
    case .linkLost: "linkLost"
    case .ended: "ended"
    case .lapBegan: "lapBegan"
    case .lapEnded: "lapEnded"
    case .activityBegan: "activityBegan"
    case .activityEnded: "activityEnded"
    case .collects: "collects"
    }
  }
}

extension Mark {
  /// Gives the lap or activity of the one number the other.
  public mutating func renumber(_ number: Int64, _ other: Int64) {
    switch self {
    case .lapBegan(number): self = .lapBegan(other)
    case .lapEnded(number): self = .lapEnded(other)
    case .activityBegan(number): self = .activityBegan(other)
    case .began, .paused, .resumed, .linkLost, .ended, .lapBegan, .lapEnded, .activityBegan, .activityEnded, .collects:
      break
    }
  }

  /// The mark that a transition makes, if it makes one.
  public init?(_ transition: Transition) {
    switch (transition.from, transition.to) {
    case (.paused, .running): self = .resumed
    case (_, .running): self = .began
    case (_, .paused): self = .paused
    case (_, .stopped): self = .ended
    case (_, .notStarted), (_, .prepared), (_, .ended): return nil
    }
  }

  /// Whether it stands before the samples of its tick. A workout that has begun by itself began with one of them.
  public func isFirst(of transition: Transition) -> Bool {
    transition.at.isRequested || self == .ended || (self == .began && transition.cause == .auto)
  }
}

/// A mark and its place among a session's samples.
public struct DatedMark: Hashable, Sendable {
  public var mark: Mark
  public var tick: Tick
  public var place: Place

  /// Where a mark stands among samples and marks of its tick.
  public enum Place: Hashable, Comparable, Sendable {
    /// What ends a lap or an activity: all samples of the tick are of the next one.
    case closing
    /// An end, and a mark with a date in the past: a sample at such a start counts, one at the end does not.
    case first
    /// What begins a lap or an activity.
    case opening
    /// By the number of its event.
    case event(Int64)
  }

  public init(_ mark: Mark, at tick: Tick, _ place: Place) {
    self.mark = mark
    self.tick = tick
    self.place = place
  }

  /// Whether it comes before a sample.
  public func precedes(_ sample: HeartRateSample) -> Bool {
    (tick, place) < (sample.tick, .event(sample.sequence))
  }
}

extension DatedMark {
  /// The marks that an event makes.
  public static func marks(of event: EventRecord) -> [DatedMark] {
    switch event.what {
    case .transition(let transition):
      guard let mark = Mark(transition) else { return [] }
      let isFirst = mark.isFirst(of: transition)
      return [DatedMark(mark, at: transition.at.tick, isFirst ? .first : .event(event.sequence))]
    case .linkLost: return [DatedMark(.linkLost, at: event.at.tick, .event(event.sequence))]
    case .recovered(let lastAlive, _):
      // What the daemon did not live to see is not known: the last value holds until it was last alive, and no longer.
      return [DatedMark(.linkLost, at: lastAlive.tick, .event(event.sequence))]
    case .lap(let lap):
      return [
        DatedMark(.lapBegan(event.sequence), at: lap.start.tick, .opening),
        DatedMark(.lapEnded(event.sequence), at: lap.end.tick, .closing),
      ]
    case .activityBegan(let activity):
      return [DatedMark(.activityBegan(event.sequence), at: activity.start.tick, .opening)]
    case .activityEnded(let end): return [DatedMark(.activityEnded, at: end.tick, .closing)]
    case .types(let types): return [DatedMark(.collects(Set(types)), at: event.at.tick, .event(event.sequence))]
    case .availability, .gap, .clockStep, .gapFixed, .marker, .segment, .alert, .goal, .pauseOrResumeRequest, .failed,
      .host,
      .postExerciseEnded, .discarded, .restored:
      return []
    }
  }

  /// All marks of a session's events, in the order in which a builder takes them.
  public static func marks(of events: some Sequence<EventRecord>) -> [DatedMark] {
    var marks = events.flatMap { event in Self.marks(of: event) }
    // What begins with the workout begins after it.
    if let place = marks.firstIndex(where: { $0.mark == .began }) {
      // An end at the very start comes before all samples, and after the start.
      if marks.contains(where: { $0.mark == .ended && $0.tick == marks[place].tick }) { marks[place].place = .first }
      let began = marks[place]
      for index in marks.indices where marks[index].tick == began.tick && marks[index].place == .opening {
        marks[index].place = began.place
      }
    }
    // By place in the list last of all, since a sort need not keep the order of equals.
    return marks.enumerated().sorted { a, b in
      (a.element.tick, a.element.place, a.offset) < (b.element.tick, b.element.place, b.offset)
    }.map(\.element)
  }
}

/// A call to the builder in the wrong order.
public struct BuilderError: Error, Hashable, Sendable, CustomStringConvertible {
  public var mark: Mark
  public var start: Tick?
  public var end: Tick?

  public var description: String {
    let phase = end != nil ? "has ended" : start != nil ? "is under way" : "has not begun"
    return "the workout builder cannot take '\(mark)' while its collection \(phase)"
  }
}
