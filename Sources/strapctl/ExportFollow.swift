import ActivityFiles
import Control
import Glibc
import Measurements
import Workout

/// Drops a file for each workout as it is finished, until ^C; and for those that were finished while this did not run.
struct ExportFollow {
  let place: Place
  let output: Output
  let isJSON: Bool
  let wish: ExportWish
  let directory: String
  /// How long strapd may be away: it may be updated, or the board be starting.
  private static let pause = Duration.seconds(2)

  /// - Throws: `OutputError`, `WholeFileError`, `Refusal`.
  func run() throws {
    SignalPipe.redirect([SIGINT, SIGTERM])
    try WholeFile.makeDirectory(directory)
    var exported = try ExportedWorkouts(directory)
    var isAway = false
    while true {
      do {
        let connection = try Connection(to: place)
        isAway = false
        if try follow(connection, &exported) { return }
      } catch let error as ConnectionError {
        if !isAway { try Output(STDERR_FILENO).line("strapctl: \(error); it is tried again") }
        isAway = true
      }
      if Poll.wait(for: [.readable(SignalPipe.descriptor)], until: Deadline(after: Self.pause)).isEmpty == false {
        return
      }
    }
  }

  /// - Returns: whether it is to end.
  private func follow(_ watch: Connection, _ exported: inout ExportedWorkouts) throws -> Bool {
    try watch.send(Command.watchCall)
    // What was finished before, only a list tells; what is finished from here on, its event does.
    try exportAll(&exported)
    var left: [SessionID] = []
    while true {
      var ended: [SessionID] = []
      while let reply = try watch.nextReply() {
        if let refusal = Refusal(reply, to: Command.watchCall.method) { throw refusal }
        if let id = Self.ended(reply.parameters), !ended.contains(id) { ended.append(id) }
        if !reply.continues { return false }
      }
      if !ended.isEmpty { left = try export(left.filter { !ended.contains($0) } + ended, &exported) }
      let ready = Poll.wait(for: [.readable(watch.descriptor), .readable(SignalPipe.descriptor)])
      if ready.contains(SignalPipe.descriptor) { return true }
      try watch.receive()
    }
  }

  /// The session that has come to an end, or whose series after it has.
  private static func ended(_ event: JSON) -> SessionID? {
    let isEnd =
      switch event.text("kind") {
      case "transition": event.text("to") == "ended"
      case "postExerciseEnded": true
      default: false
      }
    return isEnd ? event.text("session").flatMap { SessionID($0) } : nil
  }

  /// - Returns: those of which there is no file yet, and may be one when something ends again.
  private func export(_ ids: [SessionID], _ exported: inout ExportedWorkouts) throws -> [SessionID] {
    let export = Export(connection: try Connection(to: place), output: output, isJSON: isJSON, wish: wish)
    var left: [SessionID] = []
    for id in ids where !exported.ids.contains(id) {
      switch try export.connection.isFinished(id) {
      case true?: if try !self.export(id, export, &exported) { left.append(id) }
      case false?: break
      case nil: left.append(id)
      }
    }
    // Sessions that ended before they began have no workout, however many there are.
    return left.suffix(Self.mostLeft)
  }

  private static let mostLeft = 16

  private func exportAll(_ exported: inout ExportedWorkouts) throws {
    let export = Export(connection: try Connection(to: place), output: output, isJSON: isJSON, wish: wish)
    for workout in try export.connection.workouts(since: exported.since).reversed() {
      guard let id = workout.text("id").flatMap({ SessionID($0) }), !exported.ids.contains(id),
        let end = workout.text("endDate").flatMap({ WallTime(rfc3339: $0) }), end >= exported.since
      else { continue }
      _ = try self.export(id, export, &exported)
    }
  }

  /// - Returns: whether it is done with: false where more is still coming.
  private func export(_ id: SessionID, _ export: Export, _ exported: inout ExportedWorkouts) throws -> Bool {
    if wish.format.hasPostExercise, try !export.connection.isSeriesComplete(id) { return false }
    do {
      try export.export(id, into: directory)
    } catch let error as ExportError {
      // The next ones are not kept from their files by one that cannot have any.
      try Output(STDERR_FILENO).line("strapctl: \(error)")
    }
    try exported.note(id)
    return true
  }
}

/// Which workouts have got their files, in a file beside them: what becomes of those is the owner's affair.
struct ExportedWorkouts {
  private let path: String
  /// Workouts that ended before were no matter of this.
  private(set) var since: WallTime
  private(set) var ids: Set<SessionID> = []

  private static let name = ".strapd-exported"

  init(_ directory: String) throws(WholeFileError) {
    path = directory + (directory.hasSuffix("/") ? "" : "/") + Self.name
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    since = WallTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000)
    guard let text = try WholeFile.text(of: path) else {
      try WholeFile.append("since \(since.rfc3339)\n", to: path)
      return
    }
    for line in text.split(separator: "\n") {
      if line.hasPrefix("since "), let date = WallTime(rfc3339: String(line.dropFirst(6))) { since = date }
      if let id = SessionID(String(line)) { ids.insert(id) }
    }
  }

  mutating func note(_ id: SessionID) throws(WholeFileError) {
    try WholeFile.append("\(id)\n", to: path)
    ids.insert(id)
  }
}

extension Connection {
  /// The finished workouts that may have ended at a date or later, the latest start first.
  fileprivate func workouts(since date: WallTime) throws -> [JSON] {
    // A workout takes two days at most, but for imported ones.
    let filter = HistoryFilter(since: (date - .seconds(32 * 86_400)).rfc3339)
    var workouts: [JSON] = []
    var page: String?
    repeat {
      let reply = try answer(Command.listWorkouts(ControlCall.largestPage, page: page, filter))
      workouts += reply.list("workouts")
      page = reply["nextPage"]?.asString
    } while page != nil
    return workouts
  }

  /// Whether a session that has ended is a workout now; nil where there is none of it, false where it is in the trash or part
  /// of another one.
  fileprivate func isFinished(_ id: SessionID) throws -> Bool? {
    let asked = Command.call("GetWorkout", nil, [JSON.Member("id", .string(id.description))])
    let reply = try call(asked)
    if reply.error == "\(Interface.name).NoSuchWorkout" { return nil }
    if reply.error == "\(Interface.name).WorkoutMerged" { return false }
    if let refusal = Refusal(reply, to: asked.method) { throw refusal }
    return reply.parameters["workout"]?.text("discardedDate") == nil
  }

  fileprivate func isSeriesComplete(_ id: SessionID) throws -> Bool {
    let reply = try answer(Command.call("GetPostExercise", nil, [JSON.Member("id", .string(id.description))]))
    return reply["complete"]?.asBool ?? true
  }
}

extension WallTime {
  fileprivate static func - (time: WallTime, span: Duration) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds - span.wholeNanoseconds)
  }
}
