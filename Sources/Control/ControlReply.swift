import Measurements
import Workout

/// What the engine answers to a call.
public enum ControlReply: Hashable, Sendable {
  case status(StatusSnapshot)
  case session(SessionSnapshot)
  /// A session whose workout is saved; nil where it has not been yet.
  case collected(SessionSnapshot, WorkoutSnapshot?)
  case sessionDetail(SessionDetail)
  case workouts(WorkoutList)
  case totals([WorkoutTotals])
  case timings(TimingsSnapshot)
  case workout(WorkoutSnapshot, ClientData, anchors: [Anchor] = [], events: [WorkoutEvent] = [])
  /// A workout that has been brought back.
  case restored(WorkoutSnapshot)
  /// Workouts as they are after an edit, the one that was named first.
  case revised(WorkoutSnapshot, second: WorkoutSnapshot? = nil)
  case undone(WorkoutEditRecord, [WorkoutSnapshot])
  case edits(WorkoutEdits)
  case athletes([AthleteProfile])
  case recording(RecordingSnapshot)
  /// An import has been begun under this id, in the place of one that came in by a file of that format.
  case importBegun(SessionID, replacing: String? = nil)
  /// So many events and samples have been taken since it was begun, or none is left of it.
  case importTaken(Int)
  case imported(WorkoutSnapshot)
  case events([WorkoutEvent], next: Int?)
  case postExercise(PostExerciseSnapshot)
  case samples(SamplesSnapshot)
  case done(strap: StrapAddress)
  case straps([KnownStrapSnapshot])
  case named(KnownStrapSnapshot)
  case forgotten(ForgottenStrap)
  case scan(ScanReport)
  case pairing(PairingReport)
  case backup(BackupReport)
  case verification(VerificationReport)
  case error(ControlError)

  public var reply: VarlinkReply {
    switch self {
    case .status(let status): VarlinkReply(status.json)
    case .session(let session): VarlinkReply(.object(session.members))
    case .collected(let session, let workout):
      VarlinkReply(.object(session.members + JSON.members(["workout": workout?.json])))
    case .sessionDetail(let detail): VarlinkReply(detail.json)
    case .workouts(let list): VarlinkReply(list.json)
    case .totals(let totals): VarlinkReply(.object(["totals": .array(totals.map(\.json))]))
    case .timings(let timings): VarlinkReply(timings.json)
    case .workout(let workout, let data, let anchors, let events):
      VarlinkReply(
        .object(
          JSON.members([
            "workout": workout.json, "laps": .array(workout.workout.laps.map { LapSnapshot($0).json }),
            "activities": .array(workout.workout.activities.map { ActivitySnapshot($0).json }),
            "anchors": .array(anchors.map(\.json)), "events": .array(events.map(\.json)),
          ]) + data.members))
    case .restored(let workout): VarlinkReply(.object(["workout": workout.json]))
    case .revised(let workout, let second):
      VarlinkReply(.object(["workout": workout.json, "second": second?.json]))
    case .undone(let edit, let workouts):
      VarlinkReply(
        .object([
          "kind": .string(edit.kind.rawValue), "editDate": .string(edit.date.rfc3339),
          "workouts": .array(workouts.map(\.json)),
        ]))
    case .edits(let edits): VarlinkReply(edits.json)
    case .recording(let recording): VarlinkReply(recording.json, continues: recording.continues)
    case .importBegun(let id, let format):
      VarlinkReply(.object(["id": .string(id.description), "replaces": format.map(JSON.string)]))
    case .importTaken(let count): VarlinkReply(.object(["count": .integer(Int64(count))]))
    case .imported(let workout): VarlinkReply(.object(["workout": workout.json]))
    case .athletes(let athletes): VarlinkReply(.object(["athletes": .array(athletes.map(\.json))]))
    case .postExercise(let series): VarlinkReply(series.json)
    case .samples(let samples): VarlinkReply(samples.json, continues: samples.continues)
    case .events(let events, let next):
      VarlinkReply(
        .object(["events": .array(events.map(\.json)), "next": next.map { .integer(Int64($0)) }]))
    case .done(let strap): VarlinkReply(.object(["strap": .string(strap.description)]))
    case .straps(let straps): VarlinkReply(.object(["straps": .array(straps.map(\.json))]))
    case .named(let strap): VarlinkReply(.object(["strap": strap.json]))
    case .forgotten(let forgotten): VarlinkReply(forgotten.json)
    case .pairing(let report): report.reply
    case .scan(let report): report.reply
    case .backup(let report): report.reply
    case .verification(let report): report.reply
    case .error(let error): error.reply
    }
  }
}

/// The first thing that a watcher is told: everything as it is, at one sequence number.
/// For one whose user's screen is locked, its status says so.
public struct WatchSnapshot: Hashable, Sendable {
  public var status: StatusSnapshot
  /// The events that follow begin behind this number, where the client had asked for those since one.
  public var replaysAfter: Int64?
  /// Whether there may have been others before them, since that one.
  public var hasMissed = false

  public init(_ status: StatusSnapshot) {
    self.status = status
  }

  public var message: [UInt8] {
    let reply = JSON.object([
      "sequence": .integer(status.sequence), "kind": .string("snapshot"), "date": .string(status.date.rfc3339),
      "sessions": .array(status.sessions.map(\.json)), "straps": .array(status.straps.map(\.json)),
      "replaysAfter": replaysAfter.map(JSON.integer), "missed": replaysAfter.map { _ in .bool(hasMissed) },
      "durableThrough": .integer(status.durableThrough),
    ])
    let told = VarlinkReply(reply, continues: true)
    return (status.isRedacted ? told.redactedForWatcher : told).message
  }
}

/// Tells one watcher which strap it monitors: once for each strap that it named, and, where it wanted any, each time
/// another one is tried.
public struct MonitorNotice: Hashable, Sendable {
  /// nil while one is being looked for.
  public var strap: StrapSnapshot?
  /// What keeps Bluetooth from being used, while one is being looked for.
  public var advice: String?
  /// The number of the last event before it: it is no event, and has none of its own.
  public var sequence: Int64
  public var date: WallTime
  public var durableThrough: Int64

  public init(strap: StrapSnapshot?, advice: String?, sequence: Int64, date: WallTime, durableThrough: Int64) {
    self.strap = strap
    self.advice = advice
    self.sequence = sequence
    self.date = date
    self.durableThrough = durableThrough
  }

  public var message: [UInt8] {
    let reply = JSON.object([
      "sequence": .integer(sequence), "kind": .string("monitoring"), "date": .string(date.rfc3339),
      "strap": strap.map { .string($0.address.description) }, "link": strap.map { .string($0.link) },
      "trouble": (strap?.trouble ?? advice).map(JSON.string),
      "batteryPercent": strap?.battery.map { .integer(Int64($0.percent)) },
      "batteryUnreliable": strap?.batteryDoubt,
      "adapter": strap?.adapter.map { .string($0.description) },
      "durableThrough": .integer(durableThrough),
    ])
    return VarlinkReply(reply, continues: true).message
  }
}
