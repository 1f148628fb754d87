import Measurements
import Workout

extension WorkoutFile {
  /// Whether octets look like a text of RR intervals: numbers, one a line, after comments and a heading at most.
  public static func isRR(_ octets: [UInt8]) -> Bool {
    var text = RRText(Array(octets.prefix(4096)), isCutOff: octets.count > 4096)
    do {
      while let entry = try text.next() {
        if case .interval = entry.what { return true }
      }
    } catch { return false }
    return false
  }

  /// Reads a text of RR intervals as `rr()` writes it, and as other programs do: an interval a line, in milliseconds or
  /// seconds (their median tells which), with a decimal point or comma; comments and blank lines between them, and a
  /// heading of up to three columns, of which one is of RR intervals. Where one is a date or timestamp, a gap is where that
  /// tells of ten seconds more than the interval does; it has no zone, and so does not tell when the workout was.
  ///
  /// The workout begins with the first interval. Intervals that end within one second are one sample, as a strap
  /// would send them, with the heart rate that their mean is. A workout that this project has written has its id again.
  ///
  /// - Parameter end: when it ended, for a text that does not say when it began: the date of the file.
  /// - Throws: for a line that is no number, and for an interval that is none or more than an `RRInterval` can be, each
  ///   with where it is; for a text without intervals.
  public static func readRR(_ octets: [UInt8], end: WallTime) throws(ActivityFileError) -> [WorkoutFile] {
    var text = RRText(octets)
    var entries: [RRText.Entry] = []
    var count = 0
    while let entry = try text.next() {
      entries.append(entry)
      if case .interval = entry.what { count += 1 }
      if entries.count > mostSamples { throw ActivityFileError(.rr, "has more than \(mostSamples) intervals") }
    }
    if count == 0 { throw ActivityFileError(.rr, "has no interval") }
    var reading = RRReading(scale: text.scale ?? scale(of: entries))
    for entry in entries { try reading.take(entry) }
    reading.endSample()
    if reading.length > longestRR { throw ActivityFileError(.rr, "is longer than 30 days") }
    let id = text.workout ?? SessionID(contentOf: octets)
    return [reading.file(start: text.start, end: end, strap: text.strap, id)]
  }

  private static let longestRR = Duration.seconds(30 * 86_400)

  /// Milliseconds to the unit: no heart beats for 20 s, nor fifty times a second.
  private static func scale(of entries: [RRText.Entry]) -> Double {
    let values = entries.compactMap { entry in
      if case .interval(let value, _) = entry.what { value } else { nil }
    }
    return values.sorted()[values.count / 2] < 20 ? 1000 : 1
  }
}

/// Lays the intervals of a text one behind the other.
private struct RRReading {
  let scale: Double
  /// Up to the last beat.
  private(set) var length = Duration.zero
  private var assembly = WorkoutAssembly(start: WallTime(nanoseconds: 0))
  private var intervals: [RRInterval] = []
  private var sampleLength = Duration.zero
  private var lastTime: WallTime?

  init(scale: Double) {
    self.scale = scale
  }

  mutating func take(_ entry: RRText.Entry) throws(ActivityFileError) {
    switch entry.what {
    case .gap(let gap): pass(gap)
    case .interval(let value, let time):
      let ticks = (value * scale * 1.024).rounded()
      guard ticks >= 1, ticks <= Double(UInt16.max) else {
        throw ActivityFileError(
          .rr, at: entry.offset, "has an interval of \(value * scale) ms in line \(entry.line); allowed are 1 to 63999")
      }
      let interval = RRInterval(ticks1024: UInt16(ticks))
      let span = Duration.nanoseconds(interval.nanoseconds)
      if let time, let last = lastTime {
        let missing = (time - last) - span
        // Less is the radio, which holds packets back.
        if missing > HeartRateStatistics.longestHold { pass(missing) }
      }
      lastTime = time ?? lastTime
      if sampleLength + span > .seconds(1) { endSample() }
      intervals.append(interval)
      sampleLength += span
      length += span
    }
  }

  private mutating func pass(_ gap: Duration) {
    endSample()
    // A strap that is lost is missed when the next second has nothing.
    assembly.addLoss(at: length + min(gap, .seconds(1)))
    length += gap
  }

  mutating func endSample() {
    guard !intervals.isEmpty else { return }
    let sum = intervals.reduce(0) { $0 + Int($1.ticks1024) }
    let rate = (60 * 1024 * Double(intervals.count) / Double(sum)).rounded()
    assembly.add(heartRate: UInt16(min(65_535, rate)), intervals: intervals, at: length, lastBeat: length)
    intervals.removeAll(keepingCapacity: true)
    sampleLength = .zero
  }

  func file(start: WallTime?, end: WallTime, strap: String?, _ id: SessionID) -> WorkoutFile {
    var assembly = assembly
    assembly.start = start ?? end + (.zero - length)
    // What comes at the very end does not count, and the last beat does.
    assembly.length = length + .milliseconds(1)
    assembly.device.name = strap
    return assembly.file(id)
  }
}
