import Measurements
import Workout

// The summaries: a lap where it ends, session and activity last.
extension FITWriter {
  mutating func write(_ lap: FITLaps.Lap, _ index: Int) {
    typealias Lap = FITProfile.Lap
    let sport = parts.index(ofLap: index).map { parts.parts[$0].sport } ?? sport
    var fields = [
      Field(FITProfile.messageIndex, .uint16, UInt64(index)), stamp(lap.end),
      Field(Lap.event, .enumeration, FITProfile.Event.lap),
      Field(Lap.eventType, .enumeration, FITProfile.Event.stop),
      Field(Lap.startTime, .uint32, seconds(lap.start)),
      Field(Lap.totalElapsedTime, .uint32, UInt64(lap.elapsed)), Field(Lap.totalTimerTime, .uint32, UInt64(lap.timer)),
      Field(Lap.trigger, .enumeration, index + 1 == laps.count ? Lap.sessionEnd : Lap.manual),
      Field(Lap.sport, .enumeration, UInt64(sport.sport)), Field(Lap.subSport, .enumeration, UInt64(sport.subSport)),
    ]
    fields += Self.totals(
      lap.summary,
      (Lap.averageHeartRate, Lap.maximumHeartRate, Lap.minimumHeartRate, Lap.totalCalories))
    var developer =
      [offset(lap.end), Field(.isTaken, lap.isTaken ? (lap.goesOn ? 2 : 1) : 0)] + Self.developerTotals(lap.summary)
    if let label = lap.label { developer.append(Field(.label, text: label)) }
    encoder.add(Message.lap, fields, developer: developer)
    writeTimeInZones(lap.summary, of: Message.lap, index, at: lap.end)
  }

  mutating func writeEnd(secondsEastOfUTC: Int) {
    let workout = file.workout
    let end = workout.end.tick
    let isMultisport = !parts.parts.isEmpty
    if !isMultisport {
      writeTimeInZones(workout.summary, of: Message.session, 0, at: end)
      writeSession()
    }
    let local = Int64(seconds(end)) + Int64(clamping: secondsEastOfUTC)
    typealias Activity = FITProfile.Activity
    encoder.add(
      Message.activity,
      [
        stamp(end), Field(Activity.totalTimerTime, .uint32, UInt64(workout.elapsed.wholeMilliseconds)),
        Field(Activity.sessionCount, .uint16, UInt64(max(parts.parts.count, 1))),
        Field(Activity.type, .enumeration, parts.parts.count > 1 ? Activity.multisport : Activity.manual),
        Field(Activity.event, .enumeration, FITProfile.Event.activity),
        Field(Activity.eventType, .enumeration, FITProfile.Event.stop),
        Field(Activity.localTimestamp, .uint32, UInt64(UInt32(clamping: local))),
      ], developer: isMultisport ? developerWorkout : [])
  }

  private mutating func writeSession() {
    let workout = file.workout
    writeSession(
      0, (workout.start.tick, workout.end.tick), sport, laps.indices, isLast: true,
      elapsed: UInt64(max(file.milliseconds(to: workout.end.tick), 1)),
      timer: UInt64(workout.elapsed.wholeMilliseconds), workout.summary, developer: developerWorkout)
  }

  /// What the workout is, by which it is known again.
  private var developerWorkout: [Field] {
    let workout = file.workout
    let fraction = workout.start.date - FITProfile.time(self.start)
    var developer = [
      Field(.id, text: workout.id.description), Field(.activity, text: workout.activity.rawValue),
      Field(.location, text: workout.location.rawValue),
      Field(.startFraction, UInt64(clamping: fraction.wholeNanoseconds)),
    ]
    if let title = workout.title { developer.append(Field(.title, text: title.description)) }
    return developer + Self.developerTotals(workout.summary)
  }

  /// The session of an activity of the workout, or of what lies between.
  mutating func writePart(_ index: Int) {
    let part = parts.parts[index]
    writeTimeInZones(part.summary, of: Message.session, index, at: part.end)
    var developer = [
      Field(.activity, text: part.kind.rawValue), Field(.location, text: part.location.rawValue), offset(part.end),
      Field(.isTaken, part.activity == nil ? 0 : 1),
    ]
    if let label = part.activity?.began.label { developer.append(Field(.label, text: label)) }
    writeSession(
      index, (part.start, part.end), part.sport, part.laps, isLast: index + 1 == parts.parts.count,
      elapsed: part.elapsed, timer: part.timer, part.summary, developer: developer + Self.developerTotals(part.summary))
  }

  private mutating func writeSession(
    _ index: Int, _ bounds: (start: Tick, end: Tick), _ sport: FITSport, _ laps: Range<Int>, isLast: Bool,
    elapsed: UInt64, timer: UInt64, _ summary: IntervalSummary?, developer: [Field]
  ) {
    typealias Session = FITProfile.Session
    var fields = [
      Field(FITProfile.messageIndex, .uint16, UInt64(index)), stamp(bounds.end),
      Field(Session.event, .enumeration, FITProfile.Event.session),
      Field(Session.eventType, .enumeration, FITProfile.Event.stop),
      Field(Session.startTime, .uint32, seconds(bounds.start)),
      Field(Session.sport, .enumeration, UInt64(sport.sport)),
      Field(Session.subSport, .enumeration, UInt64(sport.subSport)),
      Field(Session.totalElapsedTime, .uint32, elapsed), Field(Session.totalTimerTime, .uint32, timer),
      Field(Session.firstLapIndex, .uint16, UInt64(laps.lowerBound)),
      Field(Session.lapCount, .uint16, UInt64(laps.count)),
      Field(Session.trigger, .enumeration, isLast ? Session.activityEnd : Session.manual),
    ]
    fields += Self.totals(
      summary,
      (Session.averageHeartRate, Session.maximumHeartRate, Session.minimumHeartRate, Session.totalCalories))
    encoder.add(Message.session, fields, developer: developer)
  }

  private mutating func writeTimeInZones(_ summary: IntervalSummary?, of message: UInt16, _ index: Int, at tick: Tick) {
    typealias TimeInZone = FITProfile.TimeInZone
    guard let zones = file.workout.zones else { return }
    var times = summary?.heartRate?.timeInZones ?? []
    // Where there was no heart rate, no time was in any zone.
    if times.count != zones.count { times = [Duration](repeating: .zero, count: zones.count) }
    var fields = [
      stamp(tick), Field(TimeInZone.referenceMessage, .uint16, UInt64(message)),
      Field(TimeInZone.referenceIndex, .uint16, UInt64(index)),
      Field(TimeInZone.timeInHeartRateZone, .uint32, array: times.map { UInt64($0.wholeMilliseconds) }),
      Field(TimeInZone.calculation, .enumeration, TimeInZone.custom),
    ]
    // The highest heart rate of each zone but the last, which is open.
    let boundaries = zones.bounds.compactMap { ($0 - 1).fitOctet }
    if boundaries.count == zones.bounds.count {
      fields.append(Field(TimeInZone.highBoundaries, .uint8, array: boundaries))
    }
    encoder.add(Message.timeInZone, fields)
  }

  /// Heart rates that one octet holds, and energy; the numbers are those of average, maximum, minimum and calories.
  private static func totals(_ summary: IntervalSummary?, _ numbers: (UInt8, UInt8, UInt8, UInt8)) -> [Field] {
    var fields: [Field] = []
    if let heartRate = summary?.heartRate {
      let average = UInt16(exactly: heartRate.average.rounded()) ?? 0
      let rates = [(numbers.0, average), (numbers.1, heartRate.maximum), (numbers.2, heartRate.minimum)]
      for (number, rate) in rates {
        if let octet = rate.fitOctet { fields.append(Field(number, .uint8, octet)) }
      }
    }
    // 1 kcal is 4.184 kJ.
    if let energy = summary?.energyKilojoules, (0...270_000).contains(energy) {
      let calories = (energy * 1000 + 2092) / 4184
      fields.append(Field(numbers.3, .uint16, UInt64(calories)))
    }
    return fields
  }

  private static func developerTotals(_ summary: IntervalSummary?) -> [Field] {
    var fields = [Field(.intervalCount, UInt64(clamping: summary?.rrCount ?? 0))]
    if let energy = summary?.energyKilojoules { fields.append(Field(.energy, UInt64(clamping: energy))) }
    return fields
  }
}
