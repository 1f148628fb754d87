import Measurements
import Workout

extension WorkoutFile {
  /// All measurements as comma-separated values (RFC 4180, in UTF-8): a heading with the units, and a row for each of them,
  /// those of pauses and behind the end as well.
  ///
  /// Dates are ISO 8601 in UTC, numbers have a decimal point, and all of them are exact. A field is empty where there is
  /// nothing to tell. Several RR intervals of one measurement stand in one field with blanks between them, so that a row stays
  /// a measurement and a column a kind of value; so do the octets of the payload, which a spreadsheet would else take
  /// for a number where all digits are decimal, or all but an e. A label that begins as a formula does gets an apostrophe before it.
  public func csv() -> [UInt8] {
    var octets: [UInt8] = []
    func row(_ fields: [String]) {
      octets += fields.joined(separator: ",").utf8
      octets += [0x0D, 0x0A]
    }
    row(CSVRows.heading)
    var rows = CSVRows(self)
    for sample in samples { row(rows.fields(of: sample)) }
    return octets
  }
}

private struct CSVRows {
  static let heading = [
    "date (UTC)", "time since start (s)", "state", "lap", "lap label", "heart rate (bpm)", "skin contact",
    "RR intervals (ms)", "last beat since start (s)", "energy (kJ)", "repeat", "payload (hex)",
  ]

  private let file: WorkoutFile
  private let laps: [FinishedWorkout.Lap]
  private var marks: ArraySlice<DatedMark>
  private var state = "prepared"
  private var lap = 0

  init(_ file: WorkoutFile) {
    self.file = file
    laps = file.workout.laps.sorted { $0.interval.start.tick < $1.interval.start.tick }
    marks = DatedMark.marks(of: file.events)[...]
  }

  mutating func fields(of sample: HeartRateSample) -> [String] {
    while let mark = marks.first, mark.precedes(sample) { take(marks.removeFirst().mark) }
    while lap < laps.count, laps[lap].interval.end.tick <= sample.tick { lap += 1 }
    let isInLap = lap < laps.count && laps[lap].interval.start.tick <= sample.tick
    let measurement = sample.measurement
    return [
      file.date(of: sample.tick).rfc3339,
      seconds(sample.tick),
      state,
      isInLap ? String(lap + 1) : "",
      isInLap ? CSVField.text(laps[lap].interval.label ?? "") : "",
      measurement.heartRate > 0 ? String(measurement.heartRate) : "",
      Self.words(measurement.contact),
      measurement.rrIntervals.map(DecimalText.milliseconds).joined(separator: " "),
      sample.beats.map { seconds($0.lastBeat) } ?? "",
      measurement.energyKilojoules.map { String($0) } ?? "",
      sample.isRepeat ? "yes" : "",
      sample.payload.map { Hex.text([$0]) }.joined(separator: " "),
    ]
  }

  private mutating func take(_ mark: Mark) {
    switch mark {
    case .began, .resumed: state = "running"
    case .paused: state = "paused"
    case .ended: state = "ended"
    case .linkLost, .lapBegan, .lapEnded, .activityBegan, .activityEnded, .collects: break
    }
  }

  private func seconds(_ tick: Tick) -> String {
    DecimalText.seconds(tick - file.workout.start.tick)
  }

  /// Empty where the strap cannot tell.
  private static func words(_ contact: SensorContact) -> String {
    switch contact {
    case .detected: "yes"
    case .notDetected: "no"
    case .unknown: ""
    }
  }
}
