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
    var exported = try ExportedWorkouts(directory, wish.format)
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
      var (ended, hasMoved): ([SessionID], Bool) = ([], false)
      while let reply = try watch.nextReply() {
        if let refusal = Refusal(reply, to: Command.watchCall.method) { throw refusal }
        if let id = Self.ended(reply.parameters), !ended.contains(id) { ended.append(id) }
        hasMoved = hasMoved || Self.movesDates(reply.parameters)
        if !reply.continues { return false }
      }
      // The clock was set, and with it the dates of what was recorded by the wrong one.
      if hasMoved { try exportAll(&exported) }
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

  private static func movesDates(_ event: JSON) -> Bool {
    ["clockStep", "gapFixed", "restored"].contains(event.text("kind"))
  }

  /// - Returns: those of which there is no file yet, and may be one when something ends again.
  private func export(_ ids: [SessionID], _ exported: inout ExportedWorkouts) throws -> [SessionID] {
    let export = Export(connection: try Connection(to: place), output: output, isJSON: isJSON, wish: wish)
    var left: [SessionID] = []
    for id in ids where !exported.has(id) {
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
      guard let id = workout.text("id").flatMap({ SessionID($0) }), !exported.has(id, as: workout.bounds),
        let end = workout.text("endDate").flatMap({ WallTime(rfc3339: $0) }), end >= exported.since
      else { continue }
      _ = try self.export(id, export, &exported)
    }
  }

  /// - Returns: whether it is done with: false where more is still coming.
  private func export(_ id: SessionID, _ export: Export, _ exported: inout ExportedWorkouts) throws -> Bool {
    if wish.format.hasPostExercise, try !export.connection.isSeriesComplete(id) { return false }
    do {
      // Asked before: what changes while it is read is seen afterwards.
      let bounds = try export.connection.bounds(of: id)
      do {
        try export.export(id, into: directory)
      } catch let error as ExportError {
        // The next ones are not kept from their files by one that cannot have any.
        try Output(STDERR_FILENO).line("strapctl: \(error)")
      }
      try exported.note(id, as: bounds)
    } catch let refusal as Refusal where refusal.isOfNoWorkout {
      // Somebody has discarded it since, or merged it.
    }
    return true
  }
}

/// Which workouts have got their files of a format, in a file beside them: what becomes of those is the owner's affair.
///
/// Each with its dates, since a workout that is dated otherwise now (the clock was wrong, or somebody has trimmed it) gets
/// its file anew.
struct ExportedWorkouts {
  private let path: String
  /// Workouts that ended before were no matter of this.
  private(set) var since: WallTime
  private var bounds: [SessionID: String] = [:]

  private static let name = ".strapd-exported"

  init(_ directory: String, _ format: ActivityFormat) throws(WholeFileError) {
    path = directory + (directory.hasSuffix("/") ? "" : "/") + Self.name + "." + format.rawValue
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    since = WallTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000)
    try WholeFile.lock(path)
    guard let text = try WholeFile.text(of: path), !text.isEmpty else {
      try WholeFile.append("since \(since.rfc3339)\n", to: path)
      return
    }
    for line in text.split(separator: "\n") {
      if line.hasPrefix("since "), let date = WallTime(rfc3339: String(line.dropFirst(6))) { since = date }
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2, let id = SessionID(String(words[0])) { bounds[id] = String(words[1]) }
    }
  }

  func has(_ id: SessionID) -> Bool { bounds[id] != nil }

  func has(_ id: SessionID, as dates: String) -> Bool { bounds[id] == dates }

  mutating func note(_ id: SessionID, as dates: String) throws(WholeFileError) {
    try WholeFile.append("\(id) \(dates)\n", to: path)
    bounds[id] = dates
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

  /// When a workout started and ended, as it is told now.
  fileprivate func bounds(of id: SessionID) throws -> String {
    let reply = try answer(Command.call("GetWorkout", nil, [JSON.Member("id", .string(id.description))]))
    return (reply["workout"] ?? .null).bounds
  }

  fileprivate func isSeriesComplete(_ id: SessionID) throws -> Bool {
    let reply = try answer(Command.call("GetPostExercise", nil, [JSON.Member("id", .string(id.description))]))
    return reply["complete"]?.asBool ?? true
  }
}

extension JSON {
  /// A workout's.
  fileprivate var bounds: String { "\(text("startDate") ?? "?") \(text("endDate") ?? "?")" }
}

extension WallTime {
  fileprivate static func - (time: WallTime, span: Duration) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds - span.wholeNanoseconds)
  }
}
