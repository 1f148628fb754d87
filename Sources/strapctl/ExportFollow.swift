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
    var isDue = true
    while true {
      while let reply = try watch.nextReply() {
        if let refusal = Refusal(reply, to: Command.watchCall.method) { throw refusal }
        if Self.endsSomething(reply.parameters) { isDue = true }
        if !reply.continues { return false }
      }
      if isDue { try exportAll(&exported) }
      isDue = false
      let ready = Poll.wait(for: [.readable(watch.descriptor), .readable(SignalPipe.descriptor)])
      if ready.contains(SignalPipe.descriptor) { return true }
      try watch.receive()
    }
  }

  private static func endsSomething(_ event: JSON) -> Bool {
    switch event.text("kind") {
    case "transition": event.text("to") == "ended"
    case "postExerciseEnded": true
    default: false
    }
  }

  private func exportAll(_ exported: inout ExportedWorkouts) throws {
    let export = Export(connection: try Connection(to: place), output: output, isJSON: isJSON, wish: wish)
    for workout in try export.connection.workouts(since: exported.since).reversed() {
      guard let id = workout.text("id").flatMap({ SessionID($0) }), !exported.ids.contains(id),
        let end = workout.text("endDate").flatMap({ WallTime(rfc3339: $0) }), end >= exported.since
      else { continue }
      if wish.format.hasPostExercise, try !export.connection.isSeriesComplete(id) { continue }
      do {
        try export.export(id, into: directory)
      } catch let error as ExportError {
        // The next ones are not kept from their files by one that cannot have any.
        try Output(STDERR_FILENO).line("strapctl: \(error)")
      }
      try exported.note(id)
    }
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
