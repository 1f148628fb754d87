import Control
import Measurements
import Workout

/// Puts a workout together from what strapd says of it (GetRecording), or a JSON file repeats.
public struct Recording: Sendable {
  private var file: WorkoutFile

  /// - Parameter header: what is said of the workout: members workout, device, anchors, metadata and blob.
  public init(_ header: JSON) throws(RecordingError) {
    guard let json = header["workout"] else { throw RecordingError(nil, "has no workout") }
    file = WorkoutFile(try Self.workout(json), events: [], samples: [])
    if let device = header["device"] {
      guard let read = RecordedDevice(device) else { throw RecordingError(nil, "has no device that can be read") }
      file.device = read
    }
    for anchor in header["anchors"]?.asArray ?? [] {
      guard let read = Anchor(anchor) else { throw RecordingError(nil, "has an anchor that cannot be read") }
      file.anchors.append(read)
    }
    do {
      file.clientData = try ClientData(metadata: header["metadata"]?.text, blob: header["blob"]?.asString)
    } catch { throw RecordingError(nil, "has metadata or a blob of more than \(ClientData.largest) octets") }
    file.isComplete = true
  }

  /// Takes events, or samples, ascending by number.
  public mutating func take(event json: JSON) throws(RecordingError) {
    file.events.append(try EventRecord(recorded: json, of: file.workout.id, along: file.workout.start))
  }

  public mutating func take(sample json: JSON) throws(RecordingError) {
    if file.samples.count >= WorkoutFile.mostSamples {
      throw RecordingError(json["event"]?.asInteger, "is one sample more than \(WorkoutFile.mostSamples)")
    }
    file.samples.append(try HeartRateSample(recorded: json, along: file.workout.start))
  }

  /// The whole of it, counted.
  public func whole() throws(RecordingError) -> WorkoutFile {
    var file = file
    do { try file.count() } catch {
      throw RecordingError(nil, "has events in no order in which they can have happened: \(error)")
    }
    return file
  }

  private static func workout(_ json: JSON) throws(RecordingError) -> FinishedWorkout {
    func error(_ name: String) -> RecordingError {
      RecordingError(nil, "has no \(name) of the workout that can be read")
    }
    func date(_ name: String) throws(RecordingError) -> WallTime {
      guard let date = json[name]?.asString.flatMap({ WallTime(rfc3339: $0) }) else { throw error(name) }
      return date
    }
    func named<Value>(_ name: String, _ read: (String) -> Value?) throws(RecordingError) -> Value? {
      guard let value = json[name] else { return nil }
      guard let text = value.asString, let read = read(text) else { throw error(name) }
      return read
    }
    guard let id = try named("id", { SessionID($0) }) else { throw error("id") }
    guard let activity = try named("activity", { ActivityType(rawValue: $0) }) else { throw error("activity") }
    let location = try named("location") { LocationType(rawValue: $0) }
    let (startDate, endDate) = (try date("startDate"), try date("endDate"))
    guard endDate > startDate else { throw RecordingError(nil, "ends before it begins") }
    let start = DatedTick(tick: Tick(nanoseconds: 0), date: startDate)
    let end = DatedTick(tick: start.tick + (endDate - startDate), date: endDate)
    var workout = FinishedWorkout(
      id: id, activity: activity, location: location ?? .unknown, strap: try named("strap") { StrapAddress($0) },
      start: start, end: end, endReason: try named("endReason") { EndReason(rawValue: $0) } ?? .user,
      summary: IntervalSummary(elapsed: .zero, wall: .zero, heartRate: nil, rrCount: 0),
      athlete: try named("athlete") { AthleteName($0) })
    workout.title = try named("title") { WorkoutTitle($0) }
    workout.notes = try named("notes") { $0 }
    workout.isProvisional = json["provisional"]?.asBool ?? false
    if let zones = json["zones"] {
      guard let read = HeartRateZones(json: zones) else { throw error("zones") }
      workout.zones = read
    }
    return workout
  }
}
