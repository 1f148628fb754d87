import Control
import Measurements
import Workout

extension WorkoutFile {
  /// Whether octets look like a Training Center Database: XML whose first element is called so, whatever its encoding.
  public static func isTCX(_ octets: [UInt8]) -> Bool {
    // The NULs of UTF-16 go, and with them the difference.
    let beginning = octets.prefix(4096).filter { $0 != 0 }
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    guard let first = beginning.first(where: { !marks.contains($0) && !XMLText.isBlank($0) }),
      first == UInt8(ascii: "<")
    else { return false }
    let name = Array("TrainingCenterDatabase".utf8)
    return beginning.indices.contains { beginning[$0...].starts(with: name) }
  }

  /// Reads a Garmin Training Center Database: a workout for each Activity that has a heart rate, in their order in the file.
  ///
  /// Energy of a foreign file is an estimate and not the strap's count, and is left out as are places and distances. A
  /// heart rate outside 1 to 255 is none. A workout that this project has written has its id again. Times without a zone are taken as UTC. Pauses are the time that the Laps'
  /// TotalTimeSeconds do not tell of: see `TCXActivity`.
  ///
  /// - Throws: for what is no such XML, declares a document type (and with it entities), has a time or number that is none, or has
  ///   no heart rate at all.
  public static func readTCX(_ octets: [UInt8]) throws(ActivityFileError) -> [WorkoutFile] {
    let reading = try TCXDocument.read(octets)
    var digest = SHA256()
    digest.update(octets)
    let whole = digest.octets
    var files: [WorkoutFile] = []
    for activity in reading.activities {
      let id =
        files.isEmpty
        ? SessionID(digest: whole) : SessionID(contentOf: whole + Array("Activity \(files.count + 1)".utf8))
      // Of two that were put into one file by hand only one can have it.
      let own = activity.id.flatMap { own in files.contains { $0.workout.id == own } ? nil : own }
      files.append(try activity.file(own ?? id))
    }
    if files.isEmpty { throw ActivityFileError(.tcx, "has no heart rate") }
    return files
  }
}

/// Collects what the elements of a Training Center Database say; all that it does not know is passed over with what is in it.
struct TCXReading {
  /// Those with a heart rate.
  private(set) var activities: [TCXActivity] = []
  private var activity = TCXActivity()
  private var lap = TCXActivity.Lap()
  private var point = TCXActivity.Point()
  private var hasTime = false
  private var beginsTrack = false
  private var count = 0
  private var path: [Element] = []

  /// Each becomes a workout, which takes more room than the shortest of them in the file.
  private static let mostActivities = 10_000

  /// What is wanted of an element.
  enum Interest {
    /// Nothing of it, nor of what is in it.
    case none
    /// The elements that are in it.
    case elements
    /// Its text, up to so many octets; more of it is cut off, or an error.
    case text(upTo: Int, isCut: Bool)
  }

  private enum Element {
    case database, activities, session, leg, activity, lap, track, trackpoint, heartRate
    case notes, lapNotes, totalTime, time, value
    case extensions, workoutID
  }

  private static func element(_ name: String, in parent: Element?) -> Element? {
    switch (parent, name) {
    case (nil, "TrainingCenterDatabase"): .database
    case (.database, "Activities"): .activities
    case (.activities, "MultiSportSession"): .session
    case (.session, "FirstSport"), (.session, "NextSport"): .leg
    case (.activities, "Activity"), (.leg, "Activity"): .activity
    case (.activity, "Lap"): .lap
    case (.activity, "Notes"): .notes
    case (.activity, "Extensions"): .extensions
    case (.extensions, TCXWorkoutID.element): .workoutID
    case (.lap, "TotalTimeSeconds"): .totalTime
    case (.lap, "Track"): .track
    case (.lap, "Notes"): .lapNotes
    case (.track, "Trackpoint"): .trackpoint
    case (.trackpoint, "Time"): .time
    case (.trackpoint, "HeartRateBpm"): .heartRate
    case (.heartRate, "Value"): .value
    default: nil
    }
  }

  /// An element begins that is in one of interest.
  ///
  /// - Parameter name: without the prefix of its namespace.
  mutating func begin(_ name: String, _ attributes: XMLAttributes) throws(XMLContentError) -> Interest {
    guard let element = Self.element(name, in: path.last) else {
      if path.isEmpty { throw XMLContentError("is XML of <\(PrintableText.of(String(name.prefix(64))))>") }
      return .none
    }
    // Another's element of that name says something else.
    if case .workoutID = element, attributes["xmlns"] != TCXWorkoutID.namespace { return .none }
    path.append(element)
    switch element {
    case .activity:
      guard activities.count < Self.mostActivities else {
        throw XMLContentError("has more than \(Self.mostActivities) activities")
      }
      activity = TCXActivity()
      activity.sport = attributes["Sport"] ?? ""
    case .lap:
      guard activity.laps.count < WorkoutTimeline.most else {
        throw XMLContentError("has more than \(WorkoutTimeline.most) laps")
      }
      lap = TCXActivity.Lap()
      lap.points = activity.points.count..<activity.points.count
      if let start = attributes["StartTime"] { lap.start = try Self.time(XMLText.trimmed(start)) }
    case .track: beginsTrack = true
    case .trackpoint:
      point = TCXActivity.Point()
      hasTime = false
    case .notes: return .text(upTo: FinishedWorkout.longestNotes, isCut: true)
    case .lapNotes: return .text(upTo: BuilderCall.longestLabel, isCut: true)
    case .totalTime, .time, .value: return .text(upTo: 64, isCut: false)
    case .workoutID: return .text(upTo: 64, isCut: true)
    case .database, .activities, .session, .leg, .heartRate, .extensions: break
    }
    return .elements
  }

  /// An element of interest ends, with its text, trimmed, where that was wanted.
  mutating func end(_ text: String) throws(XMLContentError) {
    switch path.popLast() {
    case .activity:
      if activity.hasHeartRate { activities.append(activity) }
    case .lap:
      lap.points = lap.points.lowerBound..<activity.points.count
      activity.laps.append(lap)
    case .trackpoint: try take(point)
    case .notes: activity.notes = text.isEmpty ? nil : text
    case .lapNotes: lap.notes = text.isEmpty ? nil : text
    case .totalTime: lap.total = try Self.duration(text)
    case .time:
      point.time = try Self.time(text)
      hasTime = true
    case .value: point.heartRate = try Self.heartRate(text)
    case .workoutID: activity.id = SessionID(text)
    case .database, .activities, .session, .leg, .track, .heartRate, .extensions, nil: break
    }
  }

  /// One without a time is no moment, and tells nothing.
  private mutating func take(_ point: TCXActivity.Point) throws(XMLContentError) {
    guard hasTime else { return }
    count += 1
    if count > WorkoutFile.mostSamples {
      throw XMLContentError("has more than \(WorkoutFile.mostSamples) Trackpoints")
    }
    var point = point
    point.beginsTrack = beginsTrack
    beginsTrack = false
    activity.points.append(point)
    if point.heartRate > 0 { activity.hasHeartRate = true }
  }
}

// MARK: - Values

extension TCXReading {
  private static func time(_ text: String) throws(XMLContentError) -> WallTime {
    // A zone may be missing from an xsd:dateTime.
    guard let time = WallTime(rfc3339: text) ?? WallTime(rfc3339: text + "Z") else {
      throw XMLContentError("has a time '\(PrintableText.of(text))'")
    }
    return time
  }

  private static func number(_ text: String, _ what: String) throws(XMLContentError) -> Double {
    guard let number = Double(text), number.isFinite else {
      throw XMLContentError("has \(what) '\(PrintableText.of(text))'")
    }
    return number
  }

  private static func duration(_ text: String) throws(XMLContentError) -> Duration? {
    let seconds = try number(text, "a TotalTimeSeconds")
    // 0 is what programs write that do not know it.
    return seconds > 0 ? .seconds(min(seconds, 1e9)) : nil
  }

  private static func heartRate(_ text: String) throws(XMLContentError) -> UInt8 {
    if text.isEmpty { return 0 }
    let number = try number(text, "a heart rate").rounded()
    return (1...255).contains(number) ? UInt8(number) : 0
  }
}
