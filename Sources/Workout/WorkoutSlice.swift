import Measurements

/// A stretch of a session's recording of which a finished workout is made: of one that was trimmed, split or merged.
public struct WorkoutSlice: Hashable, Sendable {
  public var session: SessionID
  public var start: DatedTick
  /// Behind the start.
  public var end: DatedTick

  public init(session: SessionID, start: DatedTick, end: DatedTick) {
    self.session = session
    self.start = start
    self.end = end
  }

  /// Whether a moment lies in it, its start and its end included.
  public func contains(_ tick: Tick) -> Bool { start.tick <= tick && tick <= end.tick }

  /// What a builder takes for this stretch, in its order; between two of them the workout is paused.
  ///
  /// - Parameters:
  ///   - events: all events of its session.
  ///   - isFirst: whether the workout begins with it; else it goes on with it.
  ///   - isLast: whether the workout ends with it.
  public func marks(of events: some Sequence<EventRecord>, isFirst: Bool, isLast: Bool) -> [DatedMark] {
    let all = DatedMark.marks(of: events)
    // The samples of the very tick of a start count as they did in the session.
    let began = all.firstIndex { $0.mark == .began && $0.tick == start.tick }
    let place = began.map { all[$0].place } ?? .first
    var state = State()
    var index = all.startIndex
    while index < all.endIndex, began.map({ index <= $0 }) ?? isBefore(all[index]) {
      state.take(all[index].mark)
      index += 1
    }
    // What the slice before it ended with is a matter of its session.
    var marks = [DatedMark(.collects(state.types), at: start.tick, .first)]
    if isFirst {
      marks.append(DatedMark(.began, at: start.tick, place))
      if !state.isRunning { marks.append(DatedMark(.paused, at: start.tick, place)) }
    } else if state.isRunning {
      marks.append(DatedMark(.resumed, at: start.tick, place))
    }
    marks += state.openings.map { DatedMark($0, at: start.tick, max(place, .opening)) }
    while index < all.endIndex, !isBehind(all[index]) {
      // Its own ends the workout, if it lies within at all.
      if all[index].mark != .ended {
        state.take(all[index].mark)
        marks.append(all[index])
      }
      index += 1
    }
    marks += state.closings.map { DatedMark($0, at: end.tick, .closing) }
    if isLast {
      marks.append(DatedMark(.ended, at: end.tick, .first))
    } else if state.isRunning {
      marks.append(DatedMark(.paused, at: end.tick, .first))
    }
    return marks
  }

  private func isBefore(_ mark: DatedMark) -> Bool {
    mark.tick < start.tick || mark.tick == start.tick && mark.place == .closing
  }

  private func isBehind(_ mark: DatedMark) -> Bool {
    mark.tick > end.tick || mark.tick == end.tick && mark.place != .closing
  }

  /// What is under way at one moment of a session.
  private struct State {
    var isRunning = false
    var types = Set(CollectedType.allCases)
    private var lap: Int64?
    private var activity: Int64?

    mutating func take(_ mark: Mark) {
      switch mark {
      case .began, .resumed: isRunning = true
      case .paused, .ended: isRunning = false
      case .lapBegan(let number): lap = number
      case .lapEnded: lap = nil
      case .activityBegan(let number): activity = number
      case .activityEnded: activity = nil
      case .collects(let types): self.types = types
      case .linkLost: break
      }
    }

    var openings: [Mark] { [lap.map(Mark.lapBegan), activity.map(Mark.activityBegan)].compactMap { $0 } }
    var closings: [Mark] { [lap.map(Mark.lapEnded), activity.map { _ in Mark.activityEnded }].compactMap { $0 } }
  }
}

extension EventRecord {
  /// The event, if it happened in this stretch of its session, whenever it was told; a lap or a segment that reaches over
  /// its bounds is cut.
  public func happened(in slice: WorkoutSlice) -> EventRecord? {
    func isWithin(_ tick: Tick) -> Bool { tick >= slice.start.tick && tick <= slice.end.tick }
    var event = self
    switch what {
    case .lap(let lap):
      guard let part = lap.within(slice) else { return nil }
      event.what = .lap(part)
    case .segment(let segment):
      guard let part = segment.within(slice) else { return nil }
      event.what = .segment(part)
    case .marker(let at, _): return isWithin(at.tick) ? self : nil
    case .transition(let transition): return isWithin(transition.at.tick) ? self : nil
    case .activityBegan(let began): return isWithin(began.start.tick) ? self : nil
    case .activityEnded(let end): return isWithin(end.tick) ? self : nil
    case .availability, .linkLost, .gap, .recovered, .clockStep, .gapFixed, .types, .alert, .goal,
      .pauseOrResumeRequest, .failed, .host, .postExerciseEnded, .discarded, .restored:
      return isWithin(at.tick) ? self : nil
    }
    return event
  }
}

extension WorkoutInterval {
  /// What of it lies in a stretch of its session.
  fileprivate func within(_ slice: WorkoutSlice) -> WorkoutInterval? {
    guard start.tick < slice.end.tick, end.tick > slice.start.tick else { return nil }
    var part = self
    if start.tick < slice.start.tick { part.start = slice.start }
    if end.tick > slice.end.tick { part.end = slice.end }
    return part
  }
}

extension WorkoutSlice {
  /// The laps and activities that its session had in this stretch.
  public func timeline(of events: some Sequence<EventRecord>) -> WorkoutTimeline {
    var timeline = WorkoutTimeline()
    for event in events { timeline.take(event) }
    return timeline.ended(at: end).begun(at: start)
  }
}
