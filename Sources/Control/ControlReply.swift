import Measurements
import Workout

/// What the engine answers to a call.
public enum ControlReply: Hashable, Sendable {
  case status(StatusSnapshot)
  case session(SessionSnapshot)
  case workouts([WorkoutSnapshot], next: PageToken?)
  case workout(WorkoutSnapshot)
  case done(strap: StrapAddress)
  case pairing(PairingReport)
  case error(ControlError)

  public var reply: VarlinkReply {
    switch self {
    case .status(let status): VarlinkReply(status.json)
    case .session(let session):
      VarlinkReply(
        .object([
          "session": .string(session.record.id.description), "state": .string(session.record.state.rawValue),
          "sequence": .integer(session.sequence), "snapshot": session.json,
        ]))
    case .workouts(let workouts, let next):
      VarlinkReply(
        .object(["workouts": .array(workouts.map(\.json)), "nextPage": next.map { .string($0.text) }]))
    case .workout(let workout): VarlinkReply(.object(["workout": workout.json]))
    case .done(let strap): VarlinkReply(.object(["strap": .string(strap.description)]))
    case .pairing(let report): report.reply
    case .error(let error): error.reply
    }
  }
}

/// The first thing that a watcher is told: everything as it is, at one sequence number.
public struct WatchSnapshot: Hashable, Sendable {
  public var status: StatusSnapshot

  public init(_ status: StatusSnapshot) {
    self.status = status
  }

  public var message: [UInt8] {
    let reply = JSON.object([
      "sequence": .integer(status.sequence), "kind": .string("snapshot"), "date": .string(status.date.rfc3339),
      "sessions": .array(status.sessions.map(\.json)), "straps": .array(status.straps.map(\.json)),
      "durableThrough": .integer(status.durableThrough),
    ])
    return VarlinkReply(reply, continues: true).message
  }
}
