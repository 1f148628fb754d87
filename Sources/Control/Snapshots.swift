import Measurements
import Workout

/// A strap as clients see it.
public struct StrapSnapshot: Hashable, Sendable {
  public var address: StrapAddress
  /// What it calls itself.
  public var name: String?
  /// What people call it.
  public var givenName: StrapName?
  public var athlete: AthleteName?
  /// Where the link stands, by the names of the link machine.
  public var link: String
  /// Why it does not stream, and what helps.
  public var trouble: String?
  /// What that is, by a name; what stays, such as a lost bond, also while nobody wants the strap.
  public var troubleKind: String?
  /// What kept it from streaming last, whether or not it does now, and when that was found.
  public var lastTrouble: String?
  public var lastTroubleDate: WallTime?
  public var availability = Availability.unknown
  public var last: LastMeasurement?
  public var battery: BatteryLevel?
  /// Whether straps of its kind are known to send a wrong battery level.
  public var isBatteryUnreliable = false
  public var location: BodySensorLocation?
  public var information = DeviceInformation()
  /// What straps of its kind are known to do otherwise than expected, by the quirks' ids.
  public var quirks: [String] = []
  /// Between measurements, and how much that varies; nil before it is learned.
  public var period: Duration?
  public var jitter: Duration?
  /// Beats that no measurement has told of; an estimate.
  public var lostBeats = 0
  public var reconnects = 0
  public var refusedPackets = 0
  public var repeats = 0
  /// Clients that watch it, which hold its link.
  public var monitors = 0
  /// The adapter by which it is reached; nil while none is chosen.
  public var adapter: StrapAddress?
  /// Where its workouts begin by themselves.
  public var unattended: UnattendedSnapshot?

  /// The last measurement that was decoded.
  public struct LastMeasurement: Hashable, Sendable {
    public var heartRate: UInt16
    public var contact: SensorContact
    public var age: Duration

    public init(heartRate: UInt16, contact: SensorContact, age: Duration) {
      self.heartRate = heartRate
      self.contact = contact
      self.age = age
    }
  }

  /// The member batteryUnreliable: of a level that was told, if that is not to be relied on.
  var batteryDoubt: JSON? { battery != nil && isBatteryUnreliable ? .bool(true) : nil }

  public init(address: StrapAddress, link: String) {
    self.address = address
    self.link = link
  }

  public var json: JSON {
    .object([
      "address": .string(address.description),
      "name": name.map(JSON.string),
      "givenName": givenName.map { .string($0.description) },
      "athlete": athlete.map { .string($0.description) },
      "link": .string(link),
      "trouble": trouble.map(JSON.string),
      "troubleKind": troubleKind.map(JSON.string),
      "lastTrouble": lastTrouble.map(JSON.string),
      "lastTroubleDate": lastTroubleDate.map { .string($0.rfc3339) },
      "availability": .string(availability.rawValue),
      "heartRate": last.flatMap { availability == .available ? .integer(Int64($0.heartRate)) : nil },
      "contact": last.map { .string($0.contact.rawValue) },
      "ageSeconds": last.map { .real($0.age.inSeconds) },
      "batteryPercent": battery.map { .integer(Int64($0.percent)) },
      "batteryUnreliable": batteryDoubt,
      "bodySensorLocation": location.map { .string($0.description) },
      "manufacturer": information.manufacturer.map(JSON.string),
      "model": information.model.map(JSON.string),
      "serial": information.serial.map(JSON.string),
      "hardwareRevision": information.hardwareRevision.map(JSON.string),
      "firmwareRevision": information.firmwareRevision.map(JSON.string),
      "softwareRevision": information.softwareRevision.map(JSON.string),
      "quirks": .array(quirks.map(JSON.string)),
      "periodSeconds": period.map { .real($0.inSeconds) },
      "jitterSeconds": jitter.map { .real($0.inSeconds) },
      "lostBeats": .integer(Int64(lostBeats)),
      "reconnects": .integer(Int64(reconnects)),
      "refusedPackets": .integer(Int64(refusedPackets)),
      "repeats": .integer(Int64(repeats)),
      "monitors": .integer(Int64(monitors)),
      "adapter": adapter.map { .string($0.description) },
      "unattended": unattended?.json,
    ])
  }
}

/// The whole daemon as clients see it.
public struct StatusSnapshot: Hashable, Sendable {
  public var sequence: Int64
  /// Events up to this number survive a power cut.
  public var durableThrough: Int64
  public var date: WallTime
  /// Whether Bluetooth can be used, by a name, and what to do if not.
  public var bluetooth: String
  public var advice: String?
  public var adapters: [Adapter]
  public var straps: [StrapSnapshot]
  public var sessions: [SessionSnapshot]
  /// What keeps the machine awake.
  public var locks: [LockSnapshot]
  public var limits: Limits
  public var watchers: Int
  /// Signals of bluetoothd that could not be understood.
  public var oddSignals: Int
  /// What the store could not write, while it cannot.
  public var held: StoreError?
  /// Whether it is for a client whose user's screen is locked.
  public var isRedacted = false
  /// Whether the wall clock is known to be right.
  public var isClockSure = true
  /// The file that the configuration was read from, if there is one.
  public var configurationFile: String?

  public struct Adapter: Hashable, Sendable {
    public var name: String
    public var address: StrapAddress?
    public var isPowered: Bool
    public var isDiscovering: Bool

    public init(name: String, address: StrapAddress?, isPowered: Bool, isDiscovering: Bool) {
      self.name = name
      self.address = address
      self.isPowered = isPowered
      self.isDiscovering = isDiscovering
    }

    var json: JSON {
      .object([
        "name": .string(name), "address": address.map { .string($0.description) }, "powered": .bool(isPowered),
        "discovering": .bool(isDiscovering),
      ])
    }
  }

  public init(
    sequence: Int64, durableThrough: Int64, date: WallTime, bluetooth: String, advice: String?, adapters: [Adapter],
    straps: [StrapSnapshot], sessions: [SessionSnapshot], locks: [LockSnapshot] = [],
    limits: Limits = Limits(), watchers: Int, oddSignals: Int, held: StoreError?, isRedacted: Bool = false
  ) {
    self.sequence = sequence
    self.durableThrough = durableThrough
    self.date = date
    self.bluetooth = bluetooth
    self.advice = advice
    self.adapters = adapters
    self.straps = straps
    self.sessions = sessions
    self.locks = locks
    self.limits = limits
    self.watchers = watchers
    self.oddSignals = oddSignals
    self.held = held
    self.isRedacted = isRedacted
  }

  public var json: JSON {
    .object([
      "version": .string(Interface.version),
      "protocolVersion": .integer(Interface.protocolVersion),
      "sequence": .integer(sequence),
      "durableThrough": .integer(durableThrough),
      "date": .string(date.rfc3339),
      "clockSynchronised": .bool(isClockSure),
      "bluetooth": .string(bluetooth),
      "advice": advice.map(JSON.string),
      "adapters": .array(adapters.map(\.json)),
      "straps": .array(straps.map(\.json)),
      "sessions": .array(sessions.map(\.json)),
      "locks": .array(locks.map(\.json)),
      "limits": limits.json,
      "configurationFile": configurationFile.map(JSON.string),
      "watchers": .integer(Int64(watchers)),
      "oddSignals": .integer(Int64(oddSignals)),
      "held": held.map { .string($0.description) },
      "redacted": isRedacted ? .bool(true) : nil,
    ])
  }
}
