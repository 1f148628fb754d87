import Measurements
import Workout

/// A workout's laps as FIT wants them: from its start to its end without a hole, each of some length, at least one.
///
/// The profile's readers take the laps' sums for the session's. What lies between the laps that were taken is a lap too,
/// and says so in a developer field, by which it is left out when the file is read again.
struct FITLaps: Sendable {
  private(set) var laps: [Lap] = []
  private let runningIntervals: [(start: Tick, end: Tick)]

  struct Lap: Sendable {
    var start: Tick
    var end: Tick
    var label: String?
    var isTaken: Bool
    var summary: IntervalSummary?
    /// Milliseconds, of which those of all laps are the session's.
    var elapsed: UInt32
    var timer: UInt32
  }

  init(_ file: WorkoutFile) {
    runningIntervals = file.runningIntervals
    let (start, end) = (file.workout.start.tick, file.workout.end.tick)
    var done = start
    for lap in file.workout.laps {
      let (from, to) = (max(lap.interval.start.tick, done), min(lap.interval.end.tick, end))
      guard file.milliseconds(to: to) > file.milliseconds(to: from) else { continue }
      add(file, done, from, isTaken: false)
      add(file, from, to, isTaken: true, lap)
      done = to
    }
    add(file, done, end, isTaken: false)
    if laps.isEmpty {
      // Of a workout of less than half a millisecond, a lap of one: none may be of no length.
      laps = [Lap(start: start, end: end, isTaken: false, summary: file.workout.summary, elapsed: 1, timer: 0)]
    }
    count(file)
  }

  private mutating func add(
    _ file: WorkoutFile, _ start: Tick, _ end: Tick, isTaken: Bool, _ lap: FinishedWorkout.Lap? = nil
  ) {
    let elapsed = file.milliseconds(to: end) - min(file.milliseconds(to: start), file.milliseconds(to: end))
    guard elapsed > 0 else { return }
    let (before, after) = (timer(to: start), timer(to: end))
    laps.append(
      Lap(
        start: start, end: end, label: lap?.interval.label, isTaken: isTaken, summary: lap?.summary, elapsed: elapsed,
        timer: after - min(before, after)))
  }

  /// The running time up to a tick, in milliseconds.
  private func timer(to tick: Tick) -> UInt32 {
    runningIntervals.reduce(Duration.zero) { sum, interval in
      sum + max(.zero, min(interval.end, tick) - interval.start)
    }.wholeMilliseconds
  }

  /// Counts what no lap of the workout has counted.
  private mutating func count(_ file: WorkoutFile) {
    if laps.count == 1, laps[0].summary == nil { laps[0].summary = file.workout.summary }
    guard laps.contains(where: { $0.summary == nil }) else { return }
    var events = file.events.filter { event in
      if case .lap = event.what { false } else { true }
    }
    for (index, lap) in laps.enumerated() {
      let (start, end) = (file.dated(lap.start), file.dated(lap.end))
      // No event of the workout has a number below 1.
      events.append(
        EventRecord(
          sequence: -1 - Int64(index), session: file.workout.id, at: end,
          what: .lap(WorkoutInterval(start: start, end: end))))
    }
    var builder = LiveBuilder(zones: file.workout.zones)
    var marks = DatedMark.marks(of: events)[...]
    // The order is the store's, and a mark that does not fit it counts for nothing.
    func take(_ mark: DatedMark) {
      do { try builder.take(mark.mark, at: mark.tick) } catch { return }
    }
    for sample in file.samples {
      while let mark = marks.first, mark.precedes(sample) { take(marks.removeFirst()) }
      builder.add(sample)
    }
    for mark in marks { take(mark) }
    for index in laps.indices where laps[index].summary == nil {
      laps[index].summary = builder.laps[-1 - Int64(index)]?.summary(at: file.workout.end.tick)
    }
  }
}

extension WorkoutFile {
  fileprivate func dated(_ tick: Tick) -> DatedTick {
    DatedTick(tick: tick, date: date(of: tick))
  }
}
