import Measurements
import Workout

/// A session as clients see it, at one sequence number.
public struct SessionSnapshot: Hashable, Sendable {
  public var record: SessionRecord
  /// The number of the last event that this snapshot includes.
  public var sequence: Int64
  public var availability: Availability
  /// Why a session that takes any strap has none yet, and what helps.
  public var trouble: String?
  /// Beats a minute, while a value is available.
  public var heartRate: UInt16?
  /// Until the start, while a countdown runs.
  public var countdown: Duration?
  /// What has been counted.
  public var summary: IntervalSummary
  public var mostRecentDate: WallTime?
  /// What has been counted is being computed again from the store.
  public var isComputing = false
  /// The zone of the last counted value, counted from 1; nil where there are no zones, or no value is fresh.
  public var zone: Int?
  public var typesToCollect: [CollectedType] = []
  public var collectedTypes: [CollectedType] = []
  public var lapCount = 0
  /// The stretch since the last lap, while the workout is under way.
  public var lap: LapSnapshot?
  public var activityCount = 0
  /// The activity that is under way.
  public var activity: ActivitySnapshot?

  public init(
    record: SessionRecord, sequence: Int64, availability: Availability, heartRate: UInt16?, countdown: Duration?,
    summary: IntervalSummary, mostRecentDate: WallTime?
  ) {
    self.record = record
    self.sequence = sequence
    self.availability = availability
    self.heartRate = heartRate
    self.countdown = countdown
    self.summary = summary
    self.mostRecentDate = mostRecentDate
  }

  /// What every reply about a session has.
  var members: [JSON.Member] {
    JSON.members([
      "session": .string(record.id.description), "state": .string(record.state.rawValue),
      "sequence": .integer(sequence), "snapshot": json,
    ])
  }

  public var json: JSON {
    .object([
      "id": .string(record.id.description),
      "state": .string(record.state.rawValue),
      "sequence": .integer(sequence),
      "activity": .string(record.configuration.activity.rawValue),
      "location": .string(record.configuration.location.rawValue),
      "strap": record.strap.map { .string($0.description) },
      "adapter": record.configuration.adapter.map { .string($0.description) },
      "createdDate": .string(record.created.date.rfc3339),
      "startDate": record.start.map { .string($0.date.rfc3339) },
      "endDate": record.end.map { .string($0.date.rfc3339) },
      "requestedStartDate": record.start?.requested.map { .string($0.rfc3339) },
      "requestedEndDate": record.end?.requested.map { .string($0.rfc3339) },
      "unprepared": .bool(record.isUnprepared),
      "endReason": record.endReason.map { .string($0.rawValue) },
      "collection": .string(record.collection.rawValue),
      "elapsedSeconds": .real(summary.elapsed.inSeconds),
      "wallSeconds": .real(summary.wall.inSeconds),
      "provisional": .bool(record.isProvisional),
      "availability": .string(availability.rawValue),
      "trouble": trouble.map(JSON.string),
      "heartRate": heartRate.map { .integer(Int64($0)) },
      "countdownSeconds": countdown.map { .real($0.inSeconds) },
      "startsAtFirstBeat": .bool(record.settings.startsAtFirstBeat),
      "statistics": summary.statisticsJSON(mostRecentDate),
      "computing": isComputing ? .bool(true) : nil,
      "zones": record.settings.zones?.json,
      "zone": zone.map { .integer(Int64($0)) },
      "typesToCollect": .array(typesToCollect.map { .string($0.rawValue) }),
      "collectedTypes": .array(collectedTypes.map { .string($0.rawValue) }),
      "lapCount": .integer(Int64(lapCount)),
      "lap": lap?.json,
      "activityCount": .integer(Int64(activityCount)),
      "currentActivity": activity?.json,
      "goals": .array(record.settings.goals.map(\.json)),
      "alerts": .array(record.settings.alerts.map(\.json)),
      "athlete": record.settings.athlete.map { .string($0.description) },
      "unattended": record.settings.isUnattended ? .bool(true) : nil,
    ])
  }
}

/// A live session with what is too much for every reply.
public struct SessionDetail: Hashable, Sendable {
  public var session: SessionSnapshot
  public var laps: [LapSnapshot]
  public var activities: [ActivitySnapshot]
  public var clientData: ClientData
  /// The boots that it lived in.
  public var anchors: [Anchor]

  public init(
    _ session: SessionSnapshot, laps: [LapSnapshot], activities: [ActivitySnapshot], clientData: ClientData,
    anchors: [Anchor] = []
  ) {
    self.session = session
    self.laps = laps
    self.activities = activities
    self.clientData = clientData
    self.anchors = anchors
  }

  var json: JSON {
    .object(
      session.members
        + JSON.members([
          "laps": .array(laps.map(\.json)), "activities": .array(activities.map(\.json)),
          "anchors": .array(anchors.map(\.json)),
        ])
        + clientData.members)
  }
}

extension ClientData {
  /// The metadata with these members taken in, in place of those of the same name; null takes one away.
  public func metadata(with members: [JSON.Member]) -> String? {
    var kept: [JSON.Member] = []
    if let metadata, case .object(let old)? = JSON(object: metadata) { kept = old }
    for member in members {
      // By their octets: to Swift, names that look alike are the same.
      kept.removeAll { $0.name.utf8.elementsEqual(member.name.utf8) }
      if member.value != .null { kept.append(member) }
    }
    return kept.isEmpty ? nil : JSON.object(kept).text
  }

  /// Its members in an exported workout.
  public var exported: [JSON.Member] { members }

  var members: [JSON.Member] {
    JSON.members(["metadata": metadata.flatMap { JSON(object: $0) }, "blob": blob.map(JSON.string)])
  }
}

extension JSON {
  /// An object that was written by us; nil where it is none after all.
  fileprivate init?(object text: String) {
    do { self = try JSON(parsing: Array(text.utf8)) } catch { return nil }
    guard case .object = self else { return nil }
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
      "provisional": .bool(workout.isProvisional),
      "endReason": .string(workout.endReason.rawValue),
      "statistics": workout.summary.statisticsJSON(mostRecentDate),
      "zones": workout.zones?.json,
      "discardedDate": workout.discarded.map { .string($0.date.rfc3339) },
      "athlete": workout.athlete.map { .string($0.description) },
      "title": workout.title.map { .string($0.description) },
      "notes": workout.notes.map(JSON.string),
    ])
  }
}
