import Measurements
import Workout

extension WorkoutFile {
  /// The beats that the workout counts as text: an interval a line, in milliseconds, exact and oldest first.
  ///
  /// Lines that begin with "#" are not of the series: `# start`, the moment at which the first interval begins, `# strap`, what
  /// measured, `# workout`, the id by which it is known again when it comes back, and `# gap`, with its length, wherever the next interval does not begin where the one before it ended: a
  /// pause, a lost link or packet, lost contact. No number could mark a gap, since to a program that knows of no marks it would be
  /// a beat. NumPy's loadtxt, R's read.table (and with it RHRV's LoadBeatRR), Octave and gnuplot pass over what begins with
  /// "#"; for a program that does not, the lines have to be taken out, and the gaps with them.
  public func rr() -> [UInt8] {
    let series = RRSeries(self)
    var octets: [UInt8] = []
    func line(_ text: String) {
      octets += text.utf8
      octets.append(UInt8(ascii: "\n"))
    }
    line("# \(RRText.unit)")
    if let start = series.start { line("# start \(date(of: start).rfc3339)") }
    if let name = device.name { line("# strap \(PrintableText.of(name))") }
    line("# workout \(workout.id)")
    for entry in series.entries {
      switch entry {
      case .interval(let interval): line(DecimalText.milliseconds(interval))
      case .gap(let length): line("# gap \(DecimalText.seconds(length)) s")
      }
    }
    return octets
  }
}

/// The beats that a workout counts, in their order, and where some are missing between them.
struct RRSeries {
  /// Two ticks of an interval, which is more than dates and intervals come to that were rounded to milliseconds. Where beats
  /// are missing there is room for one, and what is placed here leaves no room between beats that follow each other.
  static let leastGap = Duration.microseconds(1953)

  enum Entry: Hashable {
    case interval(RRInterval)
    /// The next interval does not begin where the last one ended but so much later, as far as is known; 0 where it is not.
    case gap(Duration)
  }

  private(set) var entries: [Entry] = []
  /// Where the first interval begins.
  private(set) var start: Tick?
  private var end: Tick?
  private var isRunning = false
  private var isCollecting = true
  /// Something happened since the last beat by which the next one need not be the one after it.
  private var isBroken = false

  init(_ file: WorkoutFile) {
    var marks = DatedMark.marks(of: file.events)[...]
    for sample in file.samples {
      while let mark = marks.first, mark.precedes(sample) { take(marks.removeFirst().mark) }
      take(sample)
    }
  }

  private mutating func take(_ mark: Mark) {
    switch mark {
    case .began, .resumed: isRunning = true
    case .paused, .ended:
      isRunning = false
      isBroken = true
    case .linkLost: isBroken = true
    case .collects(let types):
      isCollecting = types.contains(.heartRate)
      isBroken = isBroken || !isCollecting
    case .lapBegan, .lapEnded, .activityBegan, .activityEnded: break
    }
  }

  private mutating func take(_ sample: HeartRateSample) {
    guard isRunning, isCollecting else { return }
    if sample.measurement.contact == .notDetected {
      isBroken = true
      return
    }
    guard sample.beatCount > 0 else { return }
    let intervals = sample.measurement.rrIntervals.filter { $0.ticks1024 > 0 }
    let sum = intervals.reduce(0) { $0 + $1.nanoseconds }
    let lastBeat = sample.beats?.lastBeat ?? sample.tick
    let begin = lastBeat - .nanoseconds(sum)
    if sample.beats == nil { isBroken = true }
    if let end {
      let step = begin - end
      // By less than half an interval the beats were put back, so as not to lie behind their receipt (BeatTimeline).
      let isNext = step <= Self.leastGap && .zero - step < .nanoseconds(intervals[0].nanoseconds / 2)
      if isBroken || !isNext { entries.append(.gap(max(.zero, step))) }
    } else {
      start = begin
    }
    entries += intervals.map(Entry.interval)
    end = lastBeat
    // What there was no room for is no neighbour of anything.
    isBroken = sample.beats == nil
  }
}
