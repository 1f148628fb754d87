import Measurements
import Workout

/// The sessions of a workout of several activities, as multisport watches write them: one for each activity, and one for what
/// lies before, between and behind them, one behind the other from the workout's start to its end.
struct FITParts: Sendable {
  /// None where the workout has no activities, or more than readers are asked to take: it is one session then.
  private(set) var parts: [Part] = []

  struct Part: Sendable {
    var start: Tick
    var end: Tick
    /// nil for what is none.
    var activity: FinishedWorkout.Activity?
    var kind: ActivityType
    var location: LocationType
    /// nil where it is not counted yet.
    var summary: IntervalSummary?
    /// Its laps, and what they come to in milliseconds.
    var laps = 0..<0
    var elapsed: UInt64 = 0
    var timer: UInt64 = 0

    var sport: FITSport { FITSport(kind, location) }
  }

  init(_ file: WorkoutFile) {
    var done = file.workout.start.tick
    let end = file.workout.end.tick
    for activity in file.workout.activities {
      let (from, to) = (max(activity.began.start.tick, done), min(activity.end?.tick ?? end, end))
      // No session is of no length.
      guard file.milliseconds(to: to) > file.milliseconds(to: from) else { continue }
      add(file, done, from, nil)
      add(file, done, to, activity)
      done = to
    }
    if parts.isEmpty { return }
    add(file, done, end, nil)
    parts[parts.count - 1].end = end
    if parts.count > FITContents.mostSessions { parts = [] }
  }

  /// Where one session ends and another one begins.
  var cuts: [Tick] { parts.dropLast().map(\.end) }

  /// - Parameter start: what lies between it and the start of a part of no length is told with the next one.
  private mutating func add(
    _ file: WorkoutFile, _ start: Tick, _ end: Tick, _ activity: FinishedWorkout.Activity?
  ) {
    let from = parts.last?.end ?? start
    guard file.milliseconds(to: end) > file.milliseconds(to: from) else { return }
    // Between the sports of a triathlon it is what its watches call so.
    let isTriathlon = file.workout.activity == .swimBikeRun
    parts.append(
      Part(
        start: from, end: end, activity: activity,
        kind: activity?.began.activity ?? (isTriathlon ? .transition : file.workout.activity),
        location: activity?.began.location ?? file.workout.location, summary: activity?.summary))
  }

  /// Takes the laps, of which none is of two parts.
  mutating func take(_ laps: [FITLaps.Lap], of file: WorkoutFile) {
    var next = laps.startIndex
    for index in parts.indices {
      let first = next
      while next < laps.endIndex, laps[next].start < parts[index].end { next += 1 }
      parts[index].laps = first..<next
      parts[index].elapsed = laps[first..<next].reduce(0) { $0 + UInt64($1.elapsed) }
      parts[index].timer = laps[first..<next].reduce(0) { $0 + UInt64($1.timer) }
    }
    guard parts.contains(where: { $0.summary == nil }) else { return }
    let counted = file.summaries(of: parts.map { ($0.start, $0.end) })
    for index in parts.indices where parts[index].summary == nil { parts[index].summary = counted[index] }
  }

  func index(ofLap lap: Int) -> Int? { parts.firstIndex { $0.laps.contains(lap) } }
}

extension WorkoutFile {
  /// What is counted in stretches of which none is in another one, as if they were the laps.
  func summaries(of stretches: [(start: Tick, end: Tick)]) -> [IntervalSummary?] {
    var events = events.filter { event in
      if case .lap = event.what { false } else { true }
    }
    for (index, stretch) in stretches.enumerated() {
      let (start, end) = (dated(stretch.start), dated(stretch.end))
      // No event of the workout has a number below 1.
      events.append(
        EventRecord(
          sequence: -1 - Int64(index), session: workout.id, at: end,
          what: .lap(WorkoutInterval(start: start, end: end))))
    }
    var builder = LiveBuilder(zones: workout.zones)
    var marks = DatedMark.marks(of: events)[...]
    // The order is the store's, and a mark that does not fit it counts for nothing.
    func take(_ mark: DatedMark) {
      do { try builder.take(mark.mark, at: mark.tick) } catch { return }
    }
    for sample in samples {
      while let mark = marks.first, mark.precedes(sample) { take(marks.removeFirst()) }
      builder.add(sample)
    }
    for mark in marks { take(mark) }
    return stretches.indices.map { builder.laps[-1 - Int64($0)]?.summary(at: workout.end.tick) }
  }

  private func dated(_ tick: Tick) -> DatedTick {
    DatedTick(tick: tick, date: date(of: tick))
  }
}
