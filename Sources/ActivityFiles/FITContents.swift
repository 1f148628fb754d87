import Measurements

/// What one FIT file tells of heart rate and the time that it was taken in, before it is known what belongs together.
struct FITContents: Sendable {
  var type: UInt64?
  var received: [Received] = []
  /// Beats of devices that keep them for themselves: with times of their own, wherever they stand in the file.
  var beats = FITBeats()
  var timer: [TimerEvent] = []
  var losses: [Moment] = []
  var sessions: [Session] = []
  /// What this project's files tell of a workout whose activities are the sessions.
  var whole: Session?
  var notes: [Note] = []
  var laps: [Lap] = []
  var sport: FITSport?
  var workoutName: String?
  var device = FITStrap()
  var zoneBoundaries: [UInt64?] = []
  /// The index by which developer fields are this project's.
  private var developer: UInt8?
  /// Developer fields of records that are said to be what the profile's heart rate is.
  private var heartRateFields: [FITDescribedField] = []
  /// Intervals that no message with a time has followed yet.
  private var waiting: [RRInterval] = []
  /// The place of what the last record has told of.
  private var told: Int?

  /// A moment in whole seconds since FIT's epoch, and where this project wrote the file, in milliseconds since the start.
  struct Moment: Hashable, Sendable {
    var timestamp: UInt32
    var offset: UInt32?
  }

  struct Received: Sendable {
    var at: Moment
    var heartRate: UInt16
    var contact = SensorContact.unknown
    var energyCounter: UInt16?
    var intervals: [RRInterval] = []
  }

  struct TimerEvent: Sendable {
    var at: Moment
    var isStart: Bool
  }

  struct Session: Sendable {
    var timestamp: UInt32?
    var start: UInt32?
    /// Milliseconds.
    var elapsed: UInt64?
    var sport: FITSport?
    var calories: UInt64?
    var energy: UInt64?
    var startFraction: UInt64?
    var id: String?
    var title: String?
    var activity: String?
    var location: String?
    /// Of this project's, which have several in one workout: its end, what it is called, and whether it is an activity.
    var end: UInt32?
    var label: String?
    var isTaken: Bool?

    /// Milliseconds, by its end where it does not say.
    var length: UInt64? {
      guard elapsed == nil, let start, let timestamp else { return elapsed }
      return UInt64(timestamp) * 1000 - min(UInt64(start), UInt64(timestamp)) * 1000
    }
  }

  struct Lap: Sendable {
    var at: Moment
    var start: UInt32?
    /// Milliseconds.
    var elapsed: UInt64?
    /// nil where another program wrote the file.
    var isTaken: Bool?
    /// It is the rest of the one before it.
    var goesOn = false
    var label: String?
  }

  /// A marker, or a segment that ended here.
  struct Note: Sendable {
    var at: Moment
    /// Milliseconds.
    var span: UInt64?
    var label: String?
  }

  /// What a day of many sports has is a dozen.
  static let mostSessions = 100
  /// Each is looked for in every record.
  private static let mostHeartRateFields = 8
  private static let mostNotes = 10_000

  var withoutReceived: FITContents {
    var contents = self
    contents.received = []
    return contents
  }

  /// Reads all messages of one file.
  init(_ decoder: inout FITDecoder) throws(ActivityFileError) {
    while let message = try decoder.next() { try take(message) }
    leaveWaiting()
  }

  private mutating func take(_ message: FITMessage) throws(ActivityFileError) {
    typealias Message = FITProfile.Message
    switch message.definition.message {
    case Message.fileID: type = type ?? message.whole(FITProfile.FileID.type)
    case Message.developerDataID: takeDeveloper(message)
    case Message.fieldDescription: takeDescription(message)
    case Message.record: takeRecord(message)
    case Message.hrv: takeIntervals(message)
    case Message.heartRate: beats.takeHeartRate(message)
    case Message.rawBeats, Message.beatIntervals: beats.takeIntervals(message)
    case Message.event: takeEvent(message)
    case Message.lap: takeLap(message)
    case Message.session: sessions.append(session(message))
    case Message.activity: if message.ownText(.id, developer) != nil { whole = session(message) }
    case Message.deviceInfo: device.take(message, own: developer)
    case Message.sport: sport = FITSport(message, FITProfile.Sport.sport, FITProfile.Sport.subSport)
    case Message.workout: workoutName = message.text(FITProfile.Workout.name) ?? workoutName
    case Message.timeInZone: takeZones(message)
    default: break
    }
    guard received.count <= WorkoutFile.mostSamples, beats.count <= WorkoutFile.mostSamples else {
      throw ActivityFileError(
        .fit, at: message.offset, "holds more than \(WorkoutFile.mostSamples) heart rates, the most that are read")
    }
    guard sessions.count <= Self.mostSessions else {
      throw ActivityFileError(
        .fit, at: message.offset, "holds more than \(Self.mostSessions) sessions, the most that are read")
    }
  }

  // MARK: - In the order of time

  private mutating func takeRecord(_ message: FITMessage) {
    guard let timestamp = message.timestamp else { return }
    let at = Moment(timestamp: timestamp, offset: message.own(.offset, developer).flatMap { UInt32(exactly: $0) })
    let rate =
      message.own(.heartRate, developer) ?? message.whole(FITProfile.Record.heartRate)
      ?? heartRateFields.lazy.compactMap { message.whole($0) }.first
    let heartRate = rate.flatMap { UInt16(exactly: $0) } ?? 0
    var record = Received(at: at, heartRate: heartRate, contact: message.contact(developer))
    record.energyCounter = message.own(.energyCounter, developer).flatMap { UInt16(exactly: $0) }
    if let told, at.offset != nil, received[told].at.offset == at.offset {
      // In this project's files the same measurement is told of by a record each second for which it holds.
      received[told].energyCounter = record.energyCounter ?? received[told].energyCounter
      leaveWaiting(Moment(timestamp: timestamp))
      return
    }
    // Intervals stand between the records of the time in which they ended (Activity File, "hrv"), and so before the
    // first one that can have been told of them.
    record.intervals = waiting
    waiting = []
    guard heartRate > 0 || !record.intervals.isEmpty else { return }
    told = received.count
    received.append(record)
  }

  private mutating func takeIntervals(_ message: FITMessage) {
    let values = message.values(FITProfile.HRV.time)?.wholes ?? []
    waiting += values.compactMap { $0.flatMap { RRInterval(milliseconds: $0) } }
  }

  private mutating func takeEvent(_ message: FITMessage) {
    typealias Event = FITProfile.Event
    guard let timestamp = message.timestamp, let type = message.whole(Event.eventType) else { return }
    let at = Moment(timestamp: timestamp, offset: message.own(.offset, developer).flatMap { UInt32(exactly: $0) })
    switch message.whole(Event.event) {
    case Event.timer?:
      switch type {
      case Event.start: timer.append(TimerEvent(at: at, isStart: true))
      case Event.stop, Event.stopAll, Event.stopDisable, Event.stopDisableAll:
        leaveWaiting(at)
        timer.append(TimerEvent(at: at, isStart: false))
      default: break
      }
    case Event.userMarker? where notes.count < Self.mostNotes:
      notes.append(
        Note(at: at, span: message.own(.span, developer), label: message.ownText(.label, developer)))
    case Event.communicationTimeout? where at.offset != nil:
      leaveWaiting(at)
      if message.contact(developer) == .notDetected {
        received.append(Received(at: at, heartRate: 0, contact: .notDetected))
      } else {
        losses.append(at)
      }
    default: break
    }
  }

  /// Intervals that no record can take go to a moment of their own, as those behind the last record of a stretch to its
  /// end; at the file's end, to what was there last.
  private mutating func leaveWaiting(_ at: Moment? = nil) {
    guard !waiting.isEmpty else { return }
    if let at {
      received.append(Received(at: at, heartRate: 0, intervals: waiting))
    } else if !received.isEmpty {
      received[received.count - 1].intervals += waiting
    }
    waiting = []
  }

  // MARK: - Summaries

  private mutating func takeDeveloper(_ message: FITMessage) {
    typealias DeveloperData = FITProfile.DeveloperData
    guard let index = message.whole(DeveloperData.developerIndex).flatMap({ UInt8(exactly: $0) }) else { return }
    let isOwn = message.values(DeveloperData.applicationID)?.octets.elementsEqual(FITDeveloperField.application)
    if isOwn == true {
      developer = index
    } else if developer == index {
      developer = nil
    }
  }

  /// A field by the same numbers is described anew in a file that follows (FIT Protocol, "Field Description").
  private mutating func takeDescription(_ message: FITMessage) {
    typealias Description = FITProfile.FieldDescription
    guard let field = FITDescribedField(message), field.developer != developer else { return }
    heartRateFields.removeAll { ($0.developer, $0.number) == (field.developer, field.number) }
    // The message is left out by programs whose fields are of records alone.
    let native = message.whole(Description.message) ?? UInt64(FITProfile.Message.record)
    guard native == FITProfile.Message.record, message.whole(Description.field) == UInt64(FITProfile.Record.heartRate),
      heartRateFields.count < Self.mostHeartRateFields
    else { return }
    heartRateFields.append(field)
  }

  private mutating func takeLap(_ message: FITMessage) {
    guard let timestamp = message.timestamp else { return }
    let at = Moment(timestamp: timestamp, offset: message.own(.offset, developer).flatMap { UInt32(exactly: $0) })
    var lap = Lap(at: at)
    lap.start = message.whole(FITProfile.Lap.startTime).flatMap { UInt32(exactly: $0) }
    lap.elapsed = message.whole(FITProfile.Lap.totalElapsedTime)
    lap.isTaken = message.own(.isTaken, developer).map { $0 > 0 }
    lap.goesOn = message.own(.isTaken, developer) == 2
    lap.label = message.ownText(.label, developer)
    laps.append(lap)
  }

  private func session(_ message: FITMessage) -> Session {
    typealias Fields = FITProfile.Session
    var session = Session(timestamp: message.timestamp)
    if message.definition.message == FITProfile.Message.session {
      session.start = message.whole(Fields.startTime).flatMap { UInt32(exactly: $0) }
      session.elapsed = message.whole(Fields.totalElapsedTime)
      session.sport = FITSport(message, Fields.sport, Fields.subSport)
      session.calories = message.whole(Fields.totalCalories)
    }
    session.energy = message.own(.energy, developer)
    session.startFraction = message.own(.startFraction, developer)
    session.id = message.ownText(.id, developer)
    session.title = message.ownText(.title, developer)
    session.activity = message.ownText(.activity, developer)
    session.location = message.ownText(.location, developer)
    session.end = message.own(.offset, developer).flatMap { UInt32(exactly: $0) }
    session.label = message.ownText(.label, developer)
    session.isTaken = message.own(.isTaken, developer).map { $0 == 1 }
    return session
  }

  private mutating func takeZones(_ message: FITMessage) {
    typealias TimeInZone = FITProfile.TimeInZone
    guard message.whole(TimeInZone.referenceMessage) == UInt64(FITProfile.Message.session) else { return }
    zoneBoundaries = message.values(TimeInZone.highBoundaries)?.wholes ?? zoneBoundaries
  }
}

extension FITSport {
  /// nil where the message does not say.
  fileprivate init?(_ message: FITMessage, _ sport: UInt8, _ subSport: UInt8) {
    guard let number = message.whole(sport).flatMap({ UInt8(exactly: $0) }) else { return nil }
    self.init(number, message.whole(subSport).flatMap { UInt8(exactly: $0) } ?? 0)
  }
}
