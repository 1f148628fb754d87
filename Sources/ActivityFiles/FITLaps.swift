import Measurements
import Workout

/// A workout's laps as FIT wants them: from its start to its end without a hole, each of some length, at least one.
///
/// The profile's readers take the laps' sums for the session's. What lies between the laps that were taken is a lap too,
/// and says so in a developer field, by which it is left out when the file is read again.
struct FITLaps: Sendable {
  private(set) var laps: [Lap] = []
  private let runningIntervals: [(start: Tick, end: Tick)]
  private let cuts: [Tick]

  struct Lap: Sendable {
    var start: Tick
    var end: Tick
    var label: String?
    var isTaken: Bool
    /// Whether it is the rest of the one before it, which goes on in another session.
    var goesOn = false
    var summary: IntervalSummary?
    /// Milliseconds, of which those of all laps are the session's.
    var elapsed: UInt32
    var timer: UInt32
  }

  /// - Parameter cuts: where sessions begin; no lap is of two of them.
  init(_ file: WorkoutFile, cuts: [Tick] = []) {
    self.cuts = cuts
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
    layTimer(file)
    count(file)
  }

  /// No lap runs for longer than it takes, though both are rounded, and all of them run for as long as the session.
  private mutating func layTimer(_ file: WorkoutFile) {
    var told: UInt32 = 0
    for index in laps.indices {
      let upTo = timer(to: laps[index].end)
      laps[index].timer = min(upTo - min(told, upTo), laps[index].elapsed)
      told += laps[index].timer
    }
    var rest = timer(to: file.workout.end.tick) - told
    for index in laps.indices.reversed() where rest > 0 {
      let more = min(rest, laps[index].elapsed - laps[index].timer)
      laps[index].timer += more
      rest -= more
    }
  }

  private mutating func add(
    _ file: WorkoutFile, _ start: Tick, _ end: Tick, isTaken: Bool, _ lap: FinishedWorkout.Lap? = nil
  ) {
    let bounds = [start] + cuts.filter { $0 > start && $0 < end } + [end]
    var goesOn = false
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      let elapsed = file.milliseconds(to: end) - min(file.milliseconds(to: start), file.milliseconds(to: end))
      guard elapsed > 0 else { continue }
      laps.append(
        Lap(
          start: start, end: end, label: lap?.interval.label, isTaken: isTaken, goesOn: goesOn,
          summary: bounds.count == 2 ? lap?.summary : nil, elapsed: elapsed, timer: 0))
      goesOn = isTaken
    }
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
    let counted = file.summaries(of: laps.map { ($0.start, $0.end) })
    for index in laps.indices where laps[index].summary == nil { laps[index].summary = counted[index] }
  }
}
