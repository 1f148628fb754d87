import Control
import Measurements
import Workout

/// What strapd.conf(5) says.
public struct Configuration: Hashable, Sendable {
  /// The file that has said it; nil where there is none, and everything is as it is by default.
  public var file: String?
  /// The strap that sessions use which name none, by its address; where this and `strapName` are nil, the choice is left
  /// to the strongest signal.
  public var strap: StrapAddress?
  /// The same by the name that a section or a person has given the strap.
  public var strapName: StrapName?
  /// The adapter that reaches straps of which nothing else is said; nil leaves the choice to the strongest signal.
  public var adapter: StrapAddress?
  /// Whether an adapter that is off is switched on when a session wants a strap.
  public var powersAdapter = true
  /// Whether a strap that answers bonded clients only is paired when a session wants it.
  public var pairsWhenNeeded = false
  /// How long a written sample may be lost to a power cut.
  public var syncInterval = Duration.seconds(1)
  /// How long sessions may be left alone.
  public var limits = Limits()
  /// How long the strap is held after a workout's stop date, and its heart rate kept with the workout.
  public var postExerciseLength = Duration.seconds(120)
  /// The zones of sessions for which no others are set.
  public var zones: HeartRateZones?
  /// Whether the samples of finished workouts are put into less room, in which only strapd reads them.
  public var compacts = true
  /// How old finished workouts become before they go to the trash; nil: as old as they like.
  public var retention: Duration?
  /// After how long without anything to do the daemon exits, where a connection starts it again; nil: never.
  public var idleLimit: Duration? = .seconds(30)
  /// Whether a client whose user's screen is locked sees no heart rate.
  public var redactsWhenLocked = false
  /// How workouts begin and end by themselves on straps that have a section, where that says nothing else.
  public var unattended = UnattendedRule()
  /// What is said of single straps.
  public var straps: [StrapAddress: StrapSection] = [:]

  /// The keys that are set above the sections, as they are written.
  private var texts: [String: String] = [:]

  public init() {}

  /// The adapter that reaches a strap; nil leaves the choice to the strongest signal.
  func adapter(of strap: StrapAddress) -> StrapAddress? {
    straps[strap]?.adapter ?? adapter
  }

  static let allowedZones = "where each heart-rate zone but the first begins, such as 120 140 160 180"

  /// The zones of a session on a strap, where a client sets no others: those of who wears it, else those of all.
  ///
  /// - Parameter athlete: who wears it, by the configuration or by what a person has said.
  func zones(ofSections strap: StrapAddress?, _ athlete: AthleteName?) -> HeartRateZones? {
    let own = strap.flatMap { straps[$0]?.zones }
    let sections = straps.values.filter { $0.zones != nil && $0.athlete == athlete }.sorted { $0.line < $1.line }
    return own ?? (athlete == nil ? nil : sections.first?.zones)
  }

  /// Every key that stands above the sections, with the text of its default and what is allowed.
  public static let keys: [Key] =
    [
      Key("strap", default: "", allows: "a Bluetooth address such as F0:F1:F2:F3:F4:F5, a strap's name, or nothing"),
      Key("adapter", default: "", allows: "a Bluetooth address such as 00:1A:7D:DA:71:13, or nothing"),
      Key("power_adapter", default: "yes", allows: "yes or no"),
      Key("pair_when_needed", default: "no", allows: "yes or no"),
      Key("sync_interval", default: "1", allows: "seconds, 0.1 to 3600"),
      Key("hold_limit", default: "20000", allows: "records, 1000 to 200000"),
      Key("compact", default: "yes", allows: "yes or no"),
      Key("retention", default: "0", allows: "days, 1 to 36500, where 0 means for ever"),
      Key("idle_exit", default: "30", allows: "seconds, 30 to 86400, or never"),
      Key("absence_limit", default: "1800", allows: "seconds, 0 to 86400, where 0 means never"),
      Key("prepare_limit", default: "1800", allows: "seconds, 1 to 86400"),
      Key("pause_limit", default: "43200", allows: "seconds, 1 to 604800"),
      Key("stopped_limit", default: "60", allows: "seconds, 1 to 86400"),
      Key("recovery_limit", default: "3600", allows: "seconds, 1 to 604800"),
      Key("post_exercise", default: "120", allows: "seconds, 0 to 120"),
      Key("redact_when_locked", default: "no", allows: "yes or no"),
      Key("zones", default: "", allows: allowedZones),
    ] + UnattendedRule.keys

  public struct Key: Hashable, Sendable {
    public var name: String
    /// The default, as it would be written.
    public var defaultText: String
    public var allowed: String

    init(_ name: String, default defaultText: String, allows allowed: String) {
      self.name = name
      self.defaultText = defaultText
      self.allowed = allowed
    }
  }
}

/// Why a configuration is refused.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name, as it was given.
  public var file: String
  /// Counted from 1.
  public var line: Int
  public var key: String
  public var problem: String

  public var description: String {
    "\(file), line \(line): \(key): \(problem)"
  }
}

// MARK: - Reading it again

extension Configuration {
  /// What is said otherwise than before, in words for the journal.
  func changes(since old: Configuration) -> [String] {
    let keys = Self.keys.compactMap { key -> String? in
      let (before, after) = (old.texts[key.name] ?? key.defaultText, texts[key.name] ?? key.defaultText)
      return before == after ? nil : "\(key.name) is '\(after)' and was '\(before)'"
    }
    let sections = Set(straps.keys).union(old.straps.keys).sorted().compactMap { strap -> String? in
      switch (old.straps[strap], straps[strap]) {
      case (nil, _?): "[strap \(strap)] is new"
      case (_?, nil): "[strap \(strap)] is gone"
      case (let before?, let after?): after.saysTheSame(as: before) ? nil : "[strap \(strap)] has changed"
      case (nil, nil): nil
      }
    }
    return keys + sections
  }
}

// MARK: - Reading

extension Configuration {
  /// Reads lines of `key = value` and sections of them; empty lines and lines that begin with # or ; are passed over.
  ///
  /// - Throws: for an unknown key or section, a key or section that stands twice, a line that is no assignment, or a value
  ///   that is not allowed: with the file, the line, the key and what is allowed.
  public init(parsing text: String, file: String) throws(ConfigurationError) {
    var reader = ConfigurationReader(file)
    self = try reader.read(text)
  }

  /// Sets a key that stands above the sections.
  ///
  /// - Returns: false where the value is not allowed.
  mutating func set(_ key: String, _ value: String) -> Bool {
    texts[key] = Self.keys.contains { $0.name == key && $0.defaultText == value } ? nil : value
    switch key {
    case "strap":
      if value.isEmpty { return true }
      strap = StrapAddress(device: value)
      if strap == nil { strapName = StrapName(value) }
      return strap != nil || strapName != nil
    case "adapter":
      if value.isEmpty { return true }
      guard let address = StrapAddress(device: value) else { return false }
      adapter = address
    case "power_adapter":
      guard let flag = ["yes": true, "no": false][value] else { return false }
      powersAdapter = flag
    case "pair_when_needed":
      guard let flag = ["yes": true, "no": false][value] else { return false }
      pairsWhenNeeded = flag
    case "compact":
      guard let flag = ["yes": true, "no": false][value] else { return false }
      compacts = flag
    case "retention":
      guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let days = Int(value), (0...36_500).contains(days)
      else { return false }
      retention = days == 0 ? nil : .seconds(days * 86_400)
    case "redact_when_locked":
      guard let flag = ["yes": true, "no": false][value] else { return false }
      redactsWhenLocked = flag
    case "sync_interval": return Self.set(&syncInterval, value, 0.1...3600)
    case "hold_limit":
      guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let records = Int(value),
        (1_000...200_000).contains(records)
      else { return false }
      limits.heldRecords = records
    case "idle_exit":
      if value == "never" {
        idleLimit = nil
        return true
      }
      var limit = Duration.zero
      guard Self.set(&limit, value, 30...86_400) else { return false }
      idleLimit = limit
    case "absence_limit":
      var limit = Duration.zero
      guard Self.set(&limit, value, 0...86_400) else { return false }
      limits.absence = limit == .zero ? nil : limit
    case "prepare_limit": return Self.set(&limits.prepare, value, 1...86_400)
    case "pause_limit": return Self.set(&limits.pause, value, 1...604_800)
    case "stopped_limit": return Self.set(&limits.stopped, value, 1...86_400)
    case "recovery_limit": return Self.set(&limits.recovery, value, 1...604_800)
    case "post_exercise": return Self.set(&postExerciseLength, value, 0...120)
    case "zones":
      if value.isEmpty { return true }
      zones = HeartRateZones(text: value)
      return zones != nil
    default: return unattended.set(key, value) ?? false
    }
    return true
  }

  static func set(_ duration: inout Duration, _ value: String, _ allowed: ClosedRange<Double>) -> Bool {
    // Double's own reading would take "nan", "1e3" and "0x1p3" as well.
    guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let seconds = Double(value),
      allowed.contains(seconds)
    else { return false }
    duration = .nanoseconds(Int64(seconds * 1e9))
    return true
  }
}
