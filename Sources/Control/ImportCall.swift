import Measurements
import Workout

/// A call that brings a finished workout in that was recorded elsewhere: begin, append as often as it takes, commit.
public enum ImportCall: Hashable, Sendable {
  case begin(ImportedWorkout)
  /// Events and samples as they were exported, each ascending by number.
  case append(events: [JSON], samples: [JSON])
  case commit
  case abort

  /// Its name on the wire.
  public var method: String {
    switch self {
    case .begin: "BeginImport"
    case .append: "AppendImport"
    case .commit: "CommitImport"
    case .abort: "AbortImport"
    }
  }

  /// The most events and samples that one call may bring.
  public static let mostOfOneCall = 200
  /// How far outside of the workout a sample or an event may lie.
  public static let mostOutside = Duration.seconds(86_400)
}

/// What is said of a workout that is brought in.
public struct ImportedWorkout: Hashable, Sendable {
  public var id: SessionID
  /// What kind of file it came in, by the name of its format.
  public var format: String
  public var activity = ActivityType.other
  public var location = LocationType.unknown
  public var strap: StrapAddress?
  public var start: WallTime
  /// Behind the start.
  public var end: WallTime
  public var endReason = EndReason.user
  /// Kept where nothing is said: those of the workout whose place it takes, and none where it takes none.
  public var title = Setting<WorkoutTitle>.keep
  public var notes = Setting<String>.keep
  /// Kept where nothing is said: that of the workout whose place it takes, else the default one; and the zones are that one's.
  public var athlete = Setting<AthleteName>.keep
  public var zones = Setting<HeartRateZones>.keep
  public var device = RecordedDevice()
  public var clientData = ClientData()
  /// What led to dates where it was recorded.
  public var anchors: [Anchor] = []
  /// Formats of files in whose place this one comes, where the workout of its id came in by one.
  public var replaces: [String] = []

  /// The longest that one may take, in seconds.
  public static let longest = Duration.seconds(31 * 86_400)
  public static let longestFormat = 16

  public init(id: SessionID, format: String, start: WallTime, end: WallTime) {
    self.id = id
    self.format = format
    self.start = start
    self.end = end
  }

  /// What is kept of where it was recorded, as JSON.
  public var origin: String { JSON.object(["device": device.json, "anchors": .array(anchors.map(\.json))]).text }
}

/// What measured, as far as it is known.
public struct RecordedDevice: Hashable, Sendable {
  public var address: StrapAddress?
  /// What it calls itself.
  public var name: String?
  public var information = DeviceInformation()
  public var battery: BatteryLevel?

  public init() {}

  public init(_ strap: StrapRecord) {
    address = strap.address
    name = strap.deviceName
    information = strap.information
    battery = strap.battery
  }

  public var json: JSON {
    .object([
      "address": address.map { .string($0.description) }, "name": name.map(JSON.string),
      "manufacturer": information.manufacturer.map(JSON.string), "model": information.model.map(JSON.string),
      "serial": information.serial.map(JSON.string), "hardwareRevision": information.hardwareRevision.map(JSON.string),
      "firmwareRevision": information.firmwareRevision.map(JSON.string),
      "softwareRevision": information.softwareRevision.map(JSON.string),
      "batteryPercent": battery.map { .integer(Int64($0.percent)) },
    ])
  }

  /// nil where it has not the form of a device.
  public init?(_ json: JSON) {
    guard case .object(let members) = json, !json.hasNUL else { return nil }
    for member in members where member.value != .null {
      let text = member.value.asString
      switch member.name {
      case "address":
        guard let address = text.flatMap({ StrapAddress($0) }) else { return nil }
        self.address = address
      case "name": name = text
      case "manufacturer": information.manufacturer = text
      case "model": information.model = text
      case "serial": information.serial = text
      case "hardwareRevision": information.hardwareRevision = text
      case "firmwareRevision": information.firmwareRevision = text
      case "softwareRevision": information.softwareRevision = text
      case "batteryPercent":
        guard let percent = member.value.asInteger.flatMap({ UInt8(exactly: $0) }),
          let level = BatteryLevel(percent: percent)
        else { return nil }
        battery = level
        continue
      default: return nil
      }
      guard let text, text.utf8.count <= Self.longestText else { return nil }
    }
  }

  /// The most octets of each text.
  public static let longestText = 256
}

extension Anchor {
  /// nil where it has not the form of one.
  public init?(_ json: JSON) {
    guard let boot = json["boot"]?.asString, boot.utf8.count <= RecordedDevice.longestText,
      let seconds = json["bootSeconds"].flatMap({ Duration(json: $0) }),
      let date = json["date"]?.asString.flatMap({ WallTime(rfc3339: $0) }), let isSure = json["synchronised"]?.asBool
    else { return nil }
    let tick = Tick(nanoseconds: 0) + seconds
    self.init(boot: boot, clocks: Moment(tick: tick, wall: date, isSynchronised: isSure))
  }
}

// MARK: - Reading a call

extension ImportCall {
  /// Reads the parameters of a method; nil where it is another kind of method.
  init?(_ method: Substring, _ reader: inout ParameterReader) throws(ControlError) {
    switch method {
    case "BeginImport": self = .begin(try reader.importedWorkout())
    case "AppendImport":
      let events = try reader.take("events", \.asArray) ?? []
      let samples = try reader.take("samples", \.asArray) ?? []
      if events.count > Self.mostOfOneCall { throw .invalidParameter("events") }
      if samples.count > Self.mostOfOneCall { throw .invalidParameter("samples") }
      self = .append(events: events, samples: samples)
    case "CommitImport": self = .commit
    case "AbortImport": self = .abort
    default: return nil
    }
  }
}

extension ParameterReader {
  fileprivate mutating func importedWorkout() throws(ControlError) -> ImportedWorkout {
    let id = try id()
    func isFormat(_ text: String) -> Bool { 1...ImportedWorkout.longestFormat ~= text.utf8.count }
    let format = try take("format") { value in value.asString.flatMap { isFormat($0) ? $0 : nil } }
    guard let format else { throw .invalidParameter("format") }
    guard let start = try date("startDate") else { throw .invalidParameter("startDate") }
    guard let end = try date("endDate"), end > start, end - start <= ImportedWorkout.longest else {
      throw .invalidParameter("endDate")
    }
    var workout = ImportedWorkout(id: id, format: format, start: start, end: end)
    workout.activity = try activity() ?? .other
    workout.location = try location() ?? .unknown
    // It need not be one that is known here.
    workout.strap = try take("strap") { $0.asString.flatMap { StrapAddress($0) } }
    workout.endReason = try take("endReason") { $0.asString.flatMap { EndReason(rawValue: $0) } } ?? .user
    let title = try take("title") { value -> Setting<WorkoutTitle>? in
      guard let text = value.asString else { return nil }
      return text.isEmpty ? .remove : WorkoutTitle(text).map { .set($0) }
    }
    workout.title = title ?? .keep
    let notes = try take("notes") { value in
      value.asString.flatMap { $0.utf8.count <= FinishedWorkout.longestNotes ? $0 : nil }
    }
    workout.notes = notes.map { $0.isEmpty ? .remove : .set($0) } ?? .keep
    workout.athlete = try StrapSetting.athlete(try take("athlete", \.asString))
    if isEmptyList("zones") {
      _ = try take("zones", \.asArray)
      workout.zones = .remove
    } else if let zones = try zones() {
      workout.zones = .set(zones)
    }
    workout.device = try take("device") { RecordedDevice($0) } ?? RecordedDevice()
    let anchors = try take("anchors") { value -> [Anchor]? in
      let read = value.asArray?.prefix(1000).map { Anchor($0) }
      return read?.contains(nil) == false ? read?.compactMap { $0 } : nil
    }
    workout.anchors = anchors ?? []
    workout.clientData = try clientData(of: id)
    let replaces = try take("replaces") { value -> [String]? in
      let texts = value.asArray?.compactMap { $0.asString }.filter(isFormat)
      return texts.flatMap { $0.count == value.asArray?.count && $0.count <= 16 ? $0 : nil }
    }
    workout.replaces = replaces ?? []
    return workout
  }

  private mutating func clientData(of id: SessionID) throws(ControlError) -> ClientData {
    let metadata = try take("metadata") { value -> String? in
      guard case .object = value else { return nil }
      return value.text
    }
    let blob = try take("blob", \.asString)
    do { return try ClientData(metadata: metadata, blob: blob) } catch { throw .tooLarge(id, error) }
  }
}

/// What is kept of where an imported workout was recorded (`ImportedWorkout.origin`).
public struct RecordedOrigin: Hashable, Sendable {
  public var device: RecordedDevice
  public var anchors: [Anchor]

  /// nil where it was not written by us.
  public init?(_ text: String) {
    let json: JSON
    do { json = try JSON(parsing: Array(text.utf8)) } catch { return nil }
    guard let device = json["device"].flatMap({ RecordedDevice($0) }), let list = json["anchors"]?.asArray else {
      return nil
    }
    self.device = device
    anchors = list.compactMap { Anchor($0) }
  }
}
