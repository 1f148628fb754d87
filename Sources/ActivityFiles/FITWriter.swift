import Control
import Measurements
import Workout

extension WorkoutFile {
  /// The workout as a FIT activity file (FIT Protocol; Activity File, "summary last").
  ///
  /// There is a record for each whole second of running time in which a heart rate holds, by the rule of the statistics,
  /// and each interval that they count is there, in milliseconds. Intervals of pauses, and those that came while the
  /// strap touched no skin, are left out: `hrv` messages have no way to say so of them. So is what came after the
  /// workout's end, and people's notes, which may be longer than a field. What FIT has no field for is in
  /// developer fields. Times are whole seconds, rounded down, as devices write them; durations are exact to the
  /// millisecond.
  ///
  /// - Parameter secondsEastOfUTC: by how much local time was ahead; the file tells of it in its `activity` message.
  /// - Throws: where FIT cannot tell of the workout's dates, it is larger than a file can be, or what has been written does
  ///   not read as what was meant.
  public func fit(secondsEastOfUTC: Int = 0) throws(ActivityFileError) -> [UInt8] {
    guard let start = FITProfile.timestamp(workout.start.date), FITProfile.timestamp(date(of: workout.end.tick)) != nil
    else {
      throw ActivityFileError(
        .fit,
        "cannot hold a workout of \(workout.start.date.rfc3339): its dates go from 1998-07-03 to 2126-02-06")
    }
    var writer = FITWriter(self, start: start)
    writer.writeHead()
    writer.writeCourse()
    writer.writeEnd(secondsEastOfUTC: secondsEastOfUTC)
    guard let octets = writer.encoder.file() else {
      throw ActivityFileError(.fit, "cannot hold more than 4 GiB")
    }
    try FITSelfCheck(self, course: writer.course, laps: writer.laps, parts: writer.parts.parts).check(octets)
    return octets
  }
}

/// Writes the messages of one workout.
struct FITWriter: Sendable {
  typealias Field = FITEncoder.Field
  typealias Message = FITProfile.Message

  var encoder = FITEncoder()
  let file: WorkoutFile
  let course: FITCourse
  let laps: [FITLaps.Lap]
  let parts: FITParts
  let sport: FITSport
  /// Seconds since FIT's epoch.
  let start: UInt32

  init(_ file: WorkoutFile, start: UInt32) {
    self.file = file
    self.start = start
    course = FITCourse(file)
    var parts = FITParts(file)
    laps = FITLaps(file, cuts: parts.cuts).laps
    parts.take(laps, of: file)
    self.parts = parts
    sport = FITSport(file.workout.activity, file.workout.location)
  }

  func stamp(_ tick: Tick) -> Field {
    Field(FITProfile.timestamp, .uint32, seconds(tick))
  }

  func seconds(_ tick: Tick) -> UInt64 {
    UInt64(FITProfile.timestamp(file.date(of: tick)) ?? start)
  }

  func offset(_ tick: Tick) -> Field {
    Field(.offset, UInt64(file.milliseconds(to: tick)))
  }

  // MARK: - What happened

  mutating func writeCourse() {
    var interludes = interludes[...]
    for entry in course.entries {
      while let next = interludes.first, next.end < entry.tick || (next.end == entry.tick && !entry.isStop) {
        write(next)
        interludes.removeFirst()
      }
      write(entry)
    }
    for rest in interludes { write(rest) }
  }

  /// What stands among the records by its end.
  private struct Interlude {
    var end: Tick
    var what: What

    enum What {
      case lap(Int)
      case note(FITNote)
    }
  }

  private var interludes: [Interlude] {
    let all =
      FITNote.notes(of: file).map { Interlude(end: $0.end, what: .note($0)) }
      + laps.indices.map { Interlude(end: laps[$0].end, what: .lap($0)) }
    // By place last of all, since a sort need not keep the order of equals.
    return all.enumerated().sorted { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }.map(\.element)
  }

  private mutating func write(_ interlude: Interlude) {
    switch interlude.what {
    case .note(let note): write(note)
    case .lap(let index):
      write(laps[index], index)
      // A session stands behind the last of its laps.
      if let part = parts.index(ofLap: index), parts.parts[part].laps.last == index { writePart(part) }
    }
  }

  private mutating func write(_ note: FITNote) {
    var developer = [offset(note.end)]
    if let start = note.start {
      developer.append(Field(.span, UInt64(file.milliseconds(to: note.end)) - UInt64(file.milliseconds(to: start))))
    }
    if let label = note.label { developer.append(Field(.label, text: label)) }
    encoder.add(
      Message.event,
      [
        stamp(note.end), Field(FITProfile.Event.event, .enumeration, FITProfile.Event.userMarker),
        Field(FITProfile.Event.eventType, .enumeration, FITProfile.Event.marker),
      ], developer: developer)
  }

  private mutating func write(_ entry: FITCourse.Entry) {
    switch entry.what {
    case .timerStarted: writeTimer(FITProfile.Event.start, at: entry.tick)
    case .timerStopped: writeTimer(FITProfile.Event.stopAll, at: entry.tick)
    case .lost(let isContact):
      let developer = [offset(entry.tick)] + (isContact ? [Field(.contact, 0)] : [])
      encoder.add(
        Message.event,
        [
          stamp(entry.tick), Field(FITProfile.Event.event, .enumeration, FITProfile.Event.communicationTimeout),
          Field(FITProfile.Event.eventType, .enumeration, FITProfile.Event.marker),
          Field(FITProfile.Event.data, .uint32, FITProfile.Event.connectionLost),
        ], developer: developer)
    case .record(let held, let energyCounter): write(held, energyCounter, at: entry.tick)
    case .intervals(let intervals): write(intervals)
    }
  }

  private mutating func writeTimer(_ type: UInt64, at tick: Tick) {
    encoder.add(
      Message.event,
      [
        stamp(tick), Field(FITProfile.Event.event, .enumeration, FITProfile.Event.timer),
        Field(FITProfile.Event.eventType, .enumeration, type), Field(FITProfile.Event.eventGroup, .uint8, 0),
      ], developer: [offset(tick)])
  }

  private mutating func write(_ held: FITCourse.Held, _ energyCounter: UInt16?, at tick: Tick) {
    var fields = [stamp(tick)]
    var developer = [offset(held.tick)]
    if let octet = held.heartRate.fitOctet {
      fields.append(Field(FITProfile.Record.heartRate, .uint8, octet))
    } else {
      // The highest number stands for none.
      developer.append(Field(.heartRate, UInt64(min(held.heartRate, .max - 1))))
    }
    if held.hasContact { developer.append(Field(.contact, 1)) }
    // A counter that sticks has a value that stands for none here.
    if let energyCounter, energyCounter < .max { developer.append(Field(.energyCounter, UInt64(energyCounter))) }
    encoder.add(Message.record, fields, developer: developer)
  }

  /// Nothing but intervals: GoldenCheetah takes each single number of an `hrv` message for one, developer fields too
  /// (its FitRideFile.cpp, decodeHRV).
  private mutating func write(_ intervals: [RRInterval]) {
    let milliseconds = intervals.map { UInt64($0.wholeMilliseconds) }
    for start in stride(from: 0, to: milliseconds.count, by: FITProfile.HRV.most) {
      let part = Array(milliseconds[start..<min(start + FITProfile.HRV.most, milliseconds.count)])
      let padding = [UInt64](repeating: FITBaseType.uint16.invalid, count: FITProfile.HRV.most - part.count)
      encoder.add(Message.hrv, [Field(FITProfile.HRV.time, .uint16, array: part + padding)])
    }
  }
}

/// A marker or a segment, of which FIT has the one.
struct FITNote: Hashable, Sendable {
  /// Of a segment.
  var start: Tick?
  var end: Tick
  var label: String?

  /// Those of a workout, in the order in which they were made.
  static func notes(of file: WorkoutFile) -> [FITNote] {
    let (first, last) = (file.workout.start.tick, file.workout.end.tick)
    return file.events.compactMap { event in
      let note: FITNote
      switch event.what {
      case .marker(let at, let label): note = FITNote(end: at.tick, label: label)
      case .segment(let segment):
        note = FITNote(start: segment.start.tick, end: segment.end.tick, label: segment.label)
      case .transition, .availability, .linkLost, .gap, .recovered, .clockStep, .gapFixed, .lap, .activityBegan,
        .activityEnded, .types, .alert, .goal, .pauseOrResumeRequest, .failed, .host, .postExerciseEnded, .discarded,
        .restored:
        return nil
      }
      return (note.start ?? note.end) >= first && note.end <= last ? note : nil
    }
  }
}

extension FITCourse.Entry {
  fileprivate var isStop: Bool {
    switch what {
    case .timerStopped: true
    case .timerStarted, .lost, .record, .intervals: false
    }
  }
}

extension UInt16 {
  /// A heart rate that one octet holds; 255 stands for none.
  var fitOctet: UInt64? { self > 0 && self < 255 ? UInt64(self) : nil }
}

extension RRInterval {
  /// To the nearest millisecond.
  var wholeMilliseconds: UInt16 {
    let of128: UInt32 = UInt32(ticks1024) * 125 + 64
    return UInt16(of128 / 128)
  }

  /// nil for what is no interval, or longer than ticks can say.
  init?(milliseconds: UInt64) {
    guard milliseconds > 0, milliseconds < 64_000 else { return nil }
    let ticks = (milliseconds * 128 + 62) / 125
    guard let ticks = UInt16(exactly: ticks) else { return nil }
    self.init(ticks1024: ticks)
  }
}
