import Measurements
import Workout

/// Reads what has been written, before anybody gets it, and compares it with what was meant.
struct FITSelfCheck {
  private let file: WorkoutFile
  private let course: FITCourse
  private let laps: [FITLaps.Lap]
  private let parts: [FITParts.Part]

  init(_ file: WorkoutFile, course: FITCourse, laps: [FITLaps.Lap], parts: [FITParts.Part] = []) {
    self.file = file
    self.course = course
    self.laps = laps
    self.parts = parts
  }

  /// - Throws: where checksums, records, intervals, pauses, laps or totals differ.
  func check(_ octets: [UInt8]) throws(ActivityFileError) {
    var read = Told()
    // The decoder checks both checksums.
    var decoder = try FITDecoder(octets)
    while let message = try decoder.next() { read.take(message) }
    let meant = meant()
    try compare(decoder.end, octets.count, "octets")
    try compare(read.records.count, meant.records.count, "records")
    try compare(read.records, meant.records, "records' times or heart rates")
    try compare(read.intervals, meant.intervals, "intervals")
    try compare(read.timer, meant.timer, "timer events")
    try compare(read.laps, meant.laps, "laps")
    try compare(read.sessions, meant.sessions, "session totals")
  }

  private func compare<Value: Equatable>(
    _ read: Value, _ meant: Value, _ what: String
  ) throws(ActivityFileError) {
    guard read == meant else {
      throw ActivityFileError(.fit, "was written wrong, and is not given out: its \(what) read as something else")
    }
  }

  private struct Told: Equatable {
    var records: [Record] = []
    /// Milliseconds.
    var intervals: [UInt16] = []
    var timer: [[UInt64]] = []
    /// Elapsed and timer time.
    var laps: [[UInt64]] = []
    var sessions: [[UInt64]] = []

    struct Record: Equatable {
      var time: UInt32
      /// 0 where there is none.
      var heartRate: UInt8

      init(_ time: UInt64, _ heartRate: UInt64) {
        (self.time, self.heartRate) = (UInt32(clamping: time), UInt8(clamping: heartRate))
      }
    }

    mutating func take(_ message: FITMessage) {
      typealias Message = FITProfile.Message
      func whole(_ number: UInt8) -> UInt64 { message.whole(number) ?? 0 }
      switch message.definition.message {
      case Message.record: records.append(Record(whole(FITProfile.timestamp), whole(FITProfile.Record.heartRate)))
      case Message.hrv:
        for value in message.values(FITProfile.HRV.time)?.wholes ?? [] {
          if let value { intervals.append(UInt16(clamping: value)) }
        }
      case Message.event where whole(FITProfile.Event.event) == FITProfile.Event.timer:
        timer.append([whole(FITProfile.timestamp), whole(FITProfile.Event.eventType)])
      case Message.lap:
        laps.append([whole(FITProfile.Lap.totalElapsedTime), whole(FITProfile.Lap.totalTimerTime)])
      case Message.session:
        sessions.append([whole(FITProfile.Session.totalElapsedTime), whole(FITProfile.Session.totalTimerTime)])
      default: break
      }
    }
  }

  private func meant() -> Told {
    var meant = Told()
    for entry in course.entries {
      let time = UInt64(FITProfile.timestamp(file.date(of: entry.tick)) ?? 0)
      switch entry.what {
      case .timerStarted: meant.timer.append([time, FITProfile.Event.start])
      case .timerStopped: meant.timer.append([time, FITProfile.Event.stopAll])
      case .record(let held, _): meant.records.append(Told.Record(time, held.heartRate.fitOctet ?? 0))
      case .intervals(let intervals): meant.intervals += intervals.map(\.wholeMilliseconds)
      case .lost: break
      }
    }
    meant.laps = laps.map { [UInt64($0.elapsed), UInt64($0.timer)] }
    let wall = max(file.milliseconds(to: file.workout.end.tick), 1)
    let whole = [UInt64(wall), UInt64(file.workout.elapsed.wholeMilliseconds)]
    meant.sessions = parts.isEmpty ? [whole] : parts.map { [$0.elapsed, $0.timer] }
    return meant
  }
}
