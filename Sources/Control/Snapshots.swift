import Measurements
import Workout

/// A session as clients see it, at one sequence number.
public struct SessionSnapshot: Hashable, Sendable {
  public var record: SessionRecord
  /// The number of the last event that this snapshot includes.
  public var sequence: Int64
  public var elapsed: Duration
  public var wall: Duration
  public var availability: Availability
  /// Beats a minute, while a value is available.
  public var heartRate: UInt16?
  /// Until the start, while a countdown runs.
  public var countdown: Duration?
  public var statistics: HeartRateSummary?
  public var mostRecentDate: WallTime?
  public var rrCount: Int
  public var energyKilojoules: Int?

  public init(
    record: SessionRecord, sequence: Int64, elapsed: Duration, wall: Duration, availability: Availability,
    heartRate: UInt16?, countdown: Duration?, statistics: HeartRateSummary?, mostRecentDate: WallTime?, rrCount: Int,
    energyKilojoules: Int? = nil
  ) {
    self.record = record
    self.sequence = sequence
    self.elapsed = elapsed
    self.wall = wall
    self.availability = availability
    self.heartRate = heartRate
    self.countdown = countdown
    self.statistics = statistics
    self.mostRecentDate = mostRecentDate
    self.rrCount = rrCount
    self.energyKilojoules = energyKilojoules
  }

  public var json: JSON {
    .object([
      "id": .string(record.id.description),
      "state": .string(record.state.rawValue),
      "sequence": .integer(sequence),
      "activity": .string(record.configuration.activity.rawValue),
      "location": .string(record.configuration.location.rawValue),
      "strap": record.strap.map { .string($0.description) },
      "createdDate": .string(record.created.date.rfc3339),
      "startDate": record.start.map { .string($0.date.rfc3339) },
      "endDate": record.end.map { .string($0.date.rfc3339) },
      "requestedStartDate": record.start.flatMap { $0.isRequested ? .string($0.date.rfc3339) : nil },
      "requestedEndDate": record.end.flatMap { $0.isRequested ? .string($0.date.rfc3339) : nil },
      "unprepared": .bool(record.isUnprepared),
      "endReason": record.endReason.map { .string($0.rawValue) },
      "elapsedSeconds": .real(elapsed.inSeconds),
      "wallSeconds": .real(wall.inSeconds),
      "availability": .string(availability.rawValue),
      "heartRate": heartRate.map { .integer(Int64($0)) },
      "countdownSeconds": countdown.map { .real($0.inSeconds) },
      "statistics": statisticsJSON(
        statistics, mostRecentDate: mostRecentDate, rrCount: rrCount, energyKilojoules: energyKilojoules),
    ])
  }
}

/// A finished workout as clients see it.
public struct WorkoutSnapshot: Hashable, Sendable {
  public var workout: FinishedWorkout
  /// When the most recent value was received, as a date.
  public var mostRecentDate: WallTime?

  public init(_ workout: FinishedWorkout) {
    self.workout = workout
    mostRecentDate = workout.heartRate.map { workout.end.date + ($0.mostRecentTick - workout.end.tick) }
  }

  public var json: JSON {
    .object([
      "id": .string(workout.id.description),
      "activity": .string(workout.activity.rawValue),
      "location": .string(workout.location.rawValue),
      "strap": workout.strap.map { .string($0.description) },
      "startDate": .string(workout.start.date.rfc3339),
      "endDate": .string(workout.end.date.rfc3339),
      "elapsedSeconds": .real(workout.elapsed.inSeconds),
      "wallSeconds": .real(workout.wall.inSeconds),
      "endReason": .string(workout.endReason.rawValue),
      "statistics": statisticsJSON(
        workout.heartRate, mostRecentDate: mostRecentDate, rrCount: workout.rrCount,
        energyKilojoules: workout.energyKilojoules),
    ])
  }
}

private func statisticsJSON(
  _ heartRate: HeartRateSummary?, mostRecentDate: WallTime?, rrCount: Int, energyKilojoules: Int?
) -> JSON {
  .object([
    "heartRate": heartRate.map { heartRate in
      .object([
        "count": .integer(Int64(heartRate.count)),
        "minimum": .integer(Int64(heartRate.minimum)),
        "maximum": .integer(Int64(heartRate.maximum)),
        "average": .real(heartRate.average),
        "mostRecent": .integer(Int64(heartRate.mostRecent)),
        "mostRecentDate": mostRecentDate.map { .string($0.rfc3339) },
        "coveredSeconds": .real(heartRate.covered.inSeconds),
      ])
    },
    "rrCount": .integer(Int64(rrCount)),
    "energyKilojoules": energyKilojoules.map { .integer(Int64($0)) },
  ])
}

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
  public var watchers: Int
  /// Signals of bluetoothd that could not be understood.
  public var oddSignals: Int
  /// What the store could not write, while it cannot.
  public var held: StoreError?

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
    watchers: Int, oddSignals: Int, held: StoreError?
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
    self.watchers = watchers
    self.oddSignals = oddSignals
    self.held = held
  }

  public var json: JSON {
    .object([
      "version": .string(Interface.version),
      "protocolVersion": .integer(Interface.protocolVersion),
      "sequence": .integer(sequence),
      "durableThrough": .integer(durableThrough),
      "date": .string(date.rfc3339),
      "bluetooth": .string(bluetooth),
      "advice": advice.map(JSON.string),
      "adapters": .array(adapters.map(\.json)),
      "straps": .array(straps.map(\.json)),
      "sessions": .array(sessions.map(\.json)),
      "locks": .array(locks.map(\.json)),
      "watchers": .integer(Int64(watchers)),
      "oddSignals": .integer(Int64(oddSignals)),
      "held": held.map { .string($0.description) },
    ])
  }
}
