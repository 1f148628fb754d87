/// What a client may do, by the socket that it came in by.
public enum Access: String, Hashable, Sendable {
  /// Everything.
  case control
  /// Reading, and nothing else: nothing that changes a session, a strap or a link, or keeps a scan on.
  case monitor
}

extension ControlCall {
  /// The method's name on the wire.
  public var method: String {
    switch self {
    case .getStatus: "GetStatus"
    case .create: "Create"
    case .prepare: "Prepare"
    case .start: "Start"
    case .pause: "Pause"
    case .resume: "Resume"
    case .stop: "Stop"
    case .end: "End"
    case .builder(_, let request): request.method
    case .getSession: "GetSession"
    case .watch: "Watch"
    case .listWorkouts(_, _, let filter): filter.isInTrash ? "ListTrash" : "ListWorkouts"
    case .getTotals: "GetTotals"
    case .getTimings: "GetTimings"
    case .getWorkout: "GetWorkout"
    case .restore: "Restore"
    case .revise(let revision): revision.method
    case .listEdits: "ListEdits"
    case .athlete(let request): request.method
    case .importing(let request): request.method
    case .getRecording: "GetRecording"
    case .listEvents: "ListEvents"
    case .getPostExercise: "GetPostExercise"
    case .getSamples: "GetSamples"
    case .resetEnergy: "ResetEnergy"
    case .pair: "Pair"
    case .answerPairing: "AnswerPairing"
    case .listStraps: "ListStraps"
    case .scan: "Scan"
    case .nameStrap: "NameStrap"
    case .forgetStrap: "ForgetStrap"
    case .backup: "Backup"
    case .verify: "Verify"
    }
  }

  /// Whether it is one of very many that belong together.
  public var isOneOfMany: Bool {
    if case .importing(.append) = self { true } else { false }
  }

  /// Whether it only reads, so that the monitor's socket allows it.
  public var isReading: Bool {
    switch self {
    case .getStatus, .getTimings, .listWorkouts, .getTotals, .getWorkout, .listEdits, .athlete(.list), .getSession,
      .listEvents,
      .getPostExercise, .getSamples, .getRecording, .listStraps, .watch(nil, _):
      true
    // A backup has all that anybody has recorded, and takes room on the disk; a check keeps the disk busy.
    // A watch that holds links makes the daemon connect to straps, and a scan keeps the adapters busy.
    case .watch(.some, _), .create, .prepare, .start, .pause, .resume, .stop, .end, .builder, .restore, .revise,
      .athlete(.set), .athlete(.forget), .importing, .resetEnergy, .pair, .answerPairing, .scan, .nameStrap,
      .forgetStrap, .backup, .verify:
      false
    }
  }
}
