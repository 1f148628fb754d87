import ActivityFiles
import Control
import Glibc
import Measurements
import Workout

/// What `strapctl export` is asked for.
struct ExportWish: Equatable {
  var format: ActivityFormat
  var which: Which
  var target: Target
  var replaces = false

  enum Which: Equatable {
    case one(SessionID)
    case all(HistoryFilter)
    /// Each as it is finished, and those that were since the last time.
    case following
  }

  enum Target: Equatable {
    case standardOutput
    case file(String)
    case directory(String)
  }
}

/// Writes finished workouts into files that other programs read.
struct Export {
  let connection: Connection
  let output: Output
  let isJSON: Bool
  let wish: ExportWish

  /// - Throws: `Refusal`, `ConnectionError`, `OutputError`, `WholeFileError`, `ActivityFileError`, `ExportError`.
  func run() throws {
    switch wish.which {
    case .one(let id): try export(id)
    case .all(let filter):
      guard case .directory(let directory) = wish.target else { return }
      try WholeFile.makeDirectory(directory)
      try export(try ids(filter), into: directory)
    case .following: break
    }
  }

  private func export(_ id: SessionID) throws {
    switch wish.target {
    case .standardOutput: try output.write(try octets(of: read(id)))
    case .file(let path):
      if !wish.replaces { try WholeFile.refuseExisting(path) }
      try write(try read(id), to: path)
    case .directory(let directory):
      try WholeFile.makeDirectory(directory)
      try export(id, into: directory)
    }
  }

  /// One workout that cannot have a file does not keep the others from theirs.
  private func export(_ ids: [SessionID], into directory: String) throws {
    var earlier = try ExportedFiles(directory)
    var failed = 0
    for id in ids {
      do { try export(id, into: directory, &earlier) } catch let error as ExportError {
        failed += 1
        try Output(STDERR_FILENO).line("strapctl: \(error)")
      } catch let refusal as Refusal where refusal.isOfNoWorkout {
        // Somebody has discarded or merged it since it was listed.
      }
    }
    if failed > 0 { throw ExportShortfall(failed: failed, of: ids.count) }
  }

  func export(_ id: SessionID, into directory: String) throws {
    var earlier = try ExportedFiles(directory)
    try export(id, into: directory, &earlier)
  }

  private func export(_ id: SessionID, into directory: String, _ earlier: inout ExportedFiles) throws {
    let file = try read(id)
    let name = file.fileName(wish.format)
    // What was exported before is the same workout, perhaps before an edit, which may have given it another name.
    try write(file, to: earlier.path(name), replacing: true)
    try earlier.remove(of: file, but: name, wish.format)
  }

  private func write(_ workout: WorkoutFile, to path: String, replacing: Bool? = nil) throws {
    let octets = try octets(of: workout)
    let file = try WholeFile(path, mode: 0o644)
    try file.write(octets)
    try file.putInPlace(replacing: replacing ?? wish.replaces)
    if isJSON {
      let told = JSON.object([
        "file": .string(path), "workout": .string(workout.workout.id.description),
        "format": .string(wish.format.rawValue),
        "octets": .integer(Int64(octets.count)),
      ])
      try output.line(told.text)
    } else {
      try output.line("\(path.printable): \(workout.samples.count) samples, \(octets.count) octets")
    }
  }

  private func octets(of workout: WorkoutFile) throws -> [UInt8] {
    let offset = LocalDay.secondsEastOfUTC(at: workout.workout.start.date)
    do { return try workout.octets(as: wish.format, secondsEastOfUTC: offset) } catch {
      throw ExportError(id: workout.workout.id, text: "\(error)")
    }
  }

  // MARK: From strapd

  private func ids(_ filter: HistoryFilter) throws -> [SessionID] {
    var ids: [SessionID] = []
    var page: String?
    repeat {
      let reply = try connection.answer(Command.listWorkouts(ControlCall.largestPage, page: page, filter))
      ids += reply.list("workouts").compactMap { $0.text("id").flatMap { SessionID($0) } }
      page = reply["nextPage"]?.asString
    } while page != nil
    return ids
  }

  private func read(_ id: SessionID) throws -> WorkoutFile {
    let call = Command.getRecording(id)
    var reply = try connection.call(call)
    if let refusal = Refusal(reply, to: call.method) { throw refusal }
    do {
      var recording = try Recording(reply.parameters)
      while reply.continues {
        reply = try connection.reply()
        if let refusal = Refusal(reply, to: call.method) { throw refusal }
        for event in reply.parameters.list("events") { try recording.take(event: event) }
        for sample in reply.parameters.list("samples") { try recording.take(sample: sample) }
      }
      return try recording.whole()
    } catch let error as RecordingError {
      // What follows of it is not the answer to the next call.
      while reply.continues { reply = try connection.reply() }
      throw ExportError(id: id, text: "what strapd tells of it \(error)")
    }
  }
}

/// Some workouts have no file; why, was said of each.
struct ExportShortfall: Error, Equatable, CustomStringConvertible {
  var failed: Int
  var of: Int

  var description: String { "\(failed) of \(of) workouts could not be exported" }
}

/// Why a workout could not be made a file.
struct ExportError: Error, Equatable, CustomStringConvertible {
  var id: SessionID
  var text: String

  var description: String { "workout \(id) cannot be exported: \(text)" }
}

extension WorkoutFile {
  /// When and what, and by which workout: names sort by date, and no two are the same.
  func fileName(_ format: ActivityFormat) -> String {
    let date = WallTime(nanoseconds: workout.start.date.nanoseconds / 1_000_000_000 * 1_000_000_000).rfc3339
    let stamp = String(date.map { $0 == ":" ? "-" : $0 })
    return "\(stamp)-\(workout.activity.rawValue)-\(workout.id.description.prefix(8)).\(format.fileExtension)"
  }
}

extension ActivityFormat {
  /// Those that are written.
  static let written = ActivityFormat.allCases.filter { $0 != .btsnoop }

  var fileExtension: String { self == .rr ? "rr.txt" : rawValue }

  /// Whether a terminal can show it.
  var isText: Bool { self != .fit && self != .btsnoop }

  /// Whether the series after a workout's end is in it.
  var hasPostExercise: Bool { self == .json || self == .csv }
}
