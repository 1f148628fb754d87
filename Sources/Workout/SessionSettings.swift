import Measurements

/// What goes for a session besides its configuration, most of it set by a client.
public struct SessionSettings: Hashable, Sendable {
  /// The zones that its time is told by; set before collection only.
  public var zones: HeartRateZones?
  /// A client has set them, or that there are none.
  public var areZonesByHand = false
  /// The types to collect, once one has been enabled or disabled by hand.
  public var typesByHand: Set<CollectedType>?
  public var goals: [WorkoutGoal] = []
  public var alerts: [WorkoutAlert] = []
  /// When a countdown comes to zero, while one runs.
  public var countdownEnd: DatedTick?
  /// It starts with the first valid beat.
  public var startsAtFirstBeat = false
  /// Its workout goes to the trash.
  public var isDiscarded = false
  /// Who wears the strap.
  public var athlete: AthleteName?
  /// It has begun by itself, with the strap having been worn.
  public var isUnattended = false

  public init() {}
}

/// What a client keeps with a workout for itself; the daemon reads nothing of it.
public struct ClientData: Hashable, Sendable {
  /// A JSON object's text.
  public private(set) var metadata: String?
  /// Any text; octets that are none go in base 64 (RFC 4648).
  public private(set) var blob: String?

  /// The most octets of UTF-8 that either may have.
  public static let largest = 65_536

  public init() {}

  /// - Throws: where one of them is larger than `largest`.
  public init(metadata: String?, blob: String?) throws(ClientDataError) {
    if let metadata, metadata.utf8.count > Self.largest { throw .metadataTooLarge(metadata.utf8.count) }
    if let blob, blob.utf8.count > Self.largest { throw .blobTooLarge(blob.utf8.count) }
    self.metadata = metadata
    self.blob = blob
  }

  public var isEmpty: Bool { metadata == nil && blob == nil }
}

/// What is larger than it may be, in octets of UTF-8.
public enum ClientDataError: Error, Hashable, Sendable {
  case metadataTooLarge(Int)
  case blobTooLarge(Int)
}
