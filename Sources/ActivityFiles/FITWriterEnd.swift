import Measurements
import Workout

// The summaries: a lap where it ends, session and activity last.
extension FITWriter {
  mutating func write(_ lap: FITLaps.Lap, _ index: Int) {
    typealias Lap = FITProfile.Lap
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
    var developer = [offset(lap.end), Field(.isTaken, lap.isTaken ? 1 : 0)] + Self.developerTotals(lap.summary)
    if let label = lap.label { developer.append(Field(.label, text: label)) }
    encoder.add(Message.lap, fields, developer: developer)
    writeTimeInZones(lap.summary, of: Message.lap, index, at: lap.end)
  }

  mutating func writeEnd(secondsEastOfUTC: Int) {
    let workout = file.workout
    let end = workout.end.tick
    writeTimeInZones(workout.summary, of: Message.session, 0, at: end)
    writeSession()
    let local = Int64(seconds(end)) + Int64(clamping: secondsEastOfUTC)
    encoder.add(
      Message.activity,
      [
        stamp(end), Field(FITProfile.Activity.totalTimerTime, .uint32, UInt64(workout.elapsed.wholeMilliseconds)),
        Field(FITProfile.Activity.sessionCount, .uint16, 1),
        Field(FITProfile.Activity.type, .enumeration, FITProfile.Activity.manual),
        Field(FITProfile.Activity.event, .enumeration, FITProfile.Event.activity),
        Field(FITProfile.Activity.eventType, .enumeration, FITProfile.Event.stop),
        Field(FITProfile.Activity.localTimestamp, .uint32, UInt64(UInt32(clamping: local))),
      ])
  }

  private mutating func writeSession() {
    typealias Session = FITProfile.Session
    let workout = file.workout
    let start = workout.start
    var fields = [
      Field(FITProfile.messageIndex, .uint16, 0), stamp(workout.end.tick),
      Field(Session.event, .enumeration, FITProfile.Event.session),
      Field(Session.eventType, .enumeration, FITProfile.Event.stop),
      Field(Session.startTime, .uint32, seconds(start.tick)),
      Field(Session.sport, .enumeration, UInt64(sport.sport)),
      Field(Session.subSport, .enumeration, UInt64(sport.subSport)),
      Field(Session.totalElapsedTime, .uint32, UInt64(max(file.milliseconds(to: workout.end.tick), 1))),
      Field(Session.totalTimerTime, .uint32, UInt64(workout.elapsed.wholeMilliseconds)),
      Field(Session.firstLapIndex, .uint16, 0), Field(Session.lapCount, .uint16, UInt64(laps.count)),
      Field(Session.trigger, .enumeration, Session.activityEnd),
    ]
    fields += Self.totals(
      workout.summary,
      (Session.averageHeartRate, Session.maximumHeartRate, Session.minimumHeartRate, Session.totalCalories))
    let fraction = start.date - FITProfile.time(self.start)
    var developer = [
      Field(.id, text: workout.id.description), Field(.activity, text: workout.activity.rawValue),
      Field(.location, text: workout.location.rawValue),
      Field(.startFraction, UInt64(clamping: fraction.wholeNanoseconds)),
    ]
    if let title = workout.title { developer.append(Field(.title, text: title.description)) }
    encoder.add(Message.session, fields, developer: developer + Self.developerTotals(workout.summary))
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
