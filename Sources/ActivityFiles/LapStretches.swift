import Measurements
import Workout

/// A lap of a workout, or what lies before, between and behind its laps, with what was counted in it.
public struct LapStretch: Hashable, Sendable {
  public var interval: WorkoutInterval
  public var summary: IntervalSummary
  /// Whether somebody has made it a lap.
  public var isLap: Bool

  public init(interval: WorkoutInterval, summary: IntervalSummary, isLap: Bool) {
    self.interval = interval
    self.summary = summary
    self.isLap = isLap
  }
}

extension WorkoutFile {
  /// The whole workout in laps, ascending and without a gap, for formats in which all time is some lap's: what no lap covers
  /// is a stretch of its own, and a workout without laps is one.
  public var lapStretches: [LapStretch] {
    var stretches: [LapStretch] = []
    var covered = workout.start
    func fill(to end: DatedTick) {
      guard end.tick > covered.tick else { return }
      // Found in the second step.
      let unknown = IntervalSummary(elapsed: .zero, wall: end.tick - covered.tick, heartRate: nil, rrCount: 0)
      stretches.append(
        LapStretch(interval: WorkoutInterval(start: covered, end: end), summary: unknown, isLap: false))
    }
    for lap in workout.laps.sorted(by: { $0.interval.start.tick < $1.interval.start.tick }) {
      var interval = lap.interval
      if interval.start.tick < covered.tick { interval.start = covered }
      if interval.end.tick > workout.end.tick { interval.end = workout.end }
      guard interval.end.tick > interval.start.tick else { continue }
      fill(to: interval.start)
      stretches.append(LapStretch(interval: interval, summary: lap.summary, isLap: true))
      covered = interval.end
    }
    if stretches.isEmpty {
      let whole = WorkoutInterval(start: workout.start, end: workout.end)
      return [LapStretch(interval: whole, summary: workout.summary, isLap: false)]
    }
    fill(to: workout.end)
    count(&stretches)
    return stretches
  }

  /// Counts what is in the stretches that are no laps, as if they were.
  private func count(_ stretches: inout [LapStretch]) {
    let unknown = stretches.indices.filter { !stretches[$0].isLap }
    if unknown.isEmpty { return }
    var events = events.filter { event in
      if case .lap = event.what { false } else { true }
    }
    for index in unknown {
      events.append(
        EventRecord(
          sequence: -1 - Int64(index), session: workout.id, at: workout.end, what: .lap(stretches[index].interval)))
    }
    var builder = LiveBuilder()
    // A mark out of order counts for nothing here, as it did when it was recorded.
    func take(_ mark: DatedMark) {
      do { try builder.take(mark.mark, at: mark.tick) } catch { return }
    }
    var marks = DatedMark.marks(of: events)[...]
    for sample in samples {
      while let mark = marks.first, mark.precedes(sample) { take(marks.removeFirst()) }
      builder.add(sample)
    }
    for mark in marks { take(mark) }
    for index in unknown {
      guard let counted = builder.laps[-1 - Int64(index)] else { continue }
      stretches[index].summary = counted.summary(at: workout.end.tick)
    }
  }
}
