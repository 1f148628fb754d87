import ActivityFiles
import Control
import Glibc
import Measurements
import Workout

/// What `strapctl import` is asked for.
struct ImportWish: Equatable {
  var paths: [String]
  /// Whose they are, where the files do not say: a name, or (empty) nobody's.
  var athlete: String?
  var activity: String?
  /// The files are HCI logs.
  var areLogs = false
}

/// Brings workouts in from files of other programs, one after the other; a file that cannot be read keeps no other from
/// coming in.
struct Import {
  let connection: Connection
  let output: Output
  let isJSON: Bool
  let wish: ImportWish
  private let errors = Output(STDERR_FILENO)

  /// - Returns: whether all of them are in the store now.
  /// - Throws: `ConnectionError`, `OutputError`.
  func run() throws -> Bool {
    var isAll = true
    for (number, path) in zip(1..., wish.paths) {
      try showProgress(number, path)
      do {
        let (format, workouts, notes) = try ImportFile(path).workouts(areLogs: wish.areLogs)
        for note in notes { try complain(path, note) }
        for workout in workouts where try !bringIn(workout, format, from: path) { isAll = false }
      } catch let error as ConnectionError {
        throw error
      } catch let error as OutputError {
        throw error
      } catch {
        isAll = false
        try complain(path, "\(error)")
      }
    }
    try endProgress()
    return isAll
  }

  /// - Returns: whether all that it says is in the store.
  private func bringIn(_ file: WorkoutFile, _ format: ActivityFormat, from path: String) throws -> Bool {
    let begun = try connection.call(Command.beginImport(file, format, wish))
    if begun.error == "\(Interface.name).WorkoutExists" {
      let skipped = SkippedImport(format, begun.parameters)
      try tell(path, file, skipped)
      return !skipped.saysMore
    }
    if let refusal = Refusal(begun, to: Command.importMethod("Begin")) { return try refuse(path, refusal) }
    for piece in ImportPieces(file) {
      let taken = try connection.call(Command.call("AppendImport", nil, piece))
      if let refusal = Refusal(taken, to: Command.importMethod("Append")) { return try refuse(path, refusal) }
    }
    let done = try connection.call(Command.call("CommitImport"))
    if let refusal = Refusal(done, to: Command.importMethod("Commit")) { return try refuse(path, refusal) }
    try tell(path, file, done.parameters["workout"] ?? .null, replaced: begun.parameters.text("replaces"))
    return true
  }

  private func refuse(_ path: String, _ refusal: Refusal) throws -> Bool {
    try complain(path, "\(refusal)")
    return false
  }

  // MARK: Telling

  private func complain(_ path: String, _ text: String) throws(OutputError) {
    try endProgress()
    try errors.line("strapctl: \(path.printable): \(text)")
  }

  private func tell(
    _ path: String, _ file: WorkoutFile, _ workout: JSON, replaced: String?
  ) throws(OutputError) {
    try endProgress()
    if isJSON {
      let told = JSON.object([
        "file": .string(path), "imported": .bool(true), "workout": workout,
        "samples": .integer(Int64(file.samples.count)), "replaced": replaced.map(JSON.string),
      ])
      return try output.line(told.text)
    }
    let (id, date) = (workout.text("id") ?? "?", file.workout.start.date.rfc3339)
    let place = replaced.map { ", in place of what came in by its \(SkippedImport.name(of: $0))" } ?? ""
    try output.line(
      "\(path.printable): workout \(id) of \(date), \(file.workout.activity.rawValue), \(file.samples.count) samples\(place)"
    )
  }

  private func tell(_ path: String, _ file: WorkoutFile, _ skipped: SkippedImport) throws(OutputError) {
    try endProgress()
    if isJSON {
      let told = JSON.object([
        "file": .string(path), "imported": .bool(false), "workout": .object(["id": skipped.parameters["id"]]),
        "inTrash": skipped.parameters["inTrash"], "into": skipped.parameters["into"],
        "format": skipped.parameters["format"], "edited": skipped.parameters["edited"],
        "saysMore": .bool(skipped.saysMore),
      ])
      try output.line(told.text)
    }
    let text = skipped.text(file.workout.id)
    if skipped.saysMore { return try complain(path, text) }
    if !isJSON { try output.line("\(path.printable): \(text)") }
  }

  private func showProgress(_ number: Int, _ path: String) throws(OutputError) {
    guard errors.isTerminal, !isJSON, wish.paths.count > 1 else { return }
    try errors.write("\r\(number) of \(wish.paths.count): \(path.printable)\u{1B}[K")
  }

  private func endProgress() throws(OutputError) {
    guard errors.isTerminal, !isJSON, wish.paths.count > 1 else { return }
    try errors.write("\r\u{1B}[K")
  }
}

/// Events and samples of a workout in pieces of a call each, in their one order.
struct ImportPieces: Sequence, IteratorProtocol {
  private let start: DatedTick
  private var events: ArraySlice<EventRecord>
  private var samples: ArraySlice<HeartRateSample>

  init(_ file: WorkoutFile) {
    start = file.workout.start
    events = file.events[...]
    samples = file.samples[...]
  }

  /// The parameters of the next call.
  mutating func next() -> [JSON.Member]? {
    if events.isEmpty, samples.isEmpty { return nil }
    var (happened, measured): ([JSON], [JSON]) = ([], [])
    while happened.count + measured.count < ImportCall.mostOfOneCall {
      let isEvent = events.first?.sequence ?? .max < samples.first?.sequence ?? .max
      if isEvent, let event = events.popFirst() {
        if let json = event.recorded(as: event.sequence, along: start) { happened.append(json) }
      } else if let sample = samples.popFirst() {
        measured.append(sample.recorded(as: sample.sequence, along: start))
      } else {
        break
      }
    }
    return [JSON.Member("events", .array(happened)), JSON.Member("samples", .array(measured))]
  }
}

extension Command {
  static func importMethod(_ name: String) -> String { "\(Interface.name).\(name)Import" }

  static func getRecording(_ id: SessionID) -> VarlinkCall {
    VarlinkCall("\(Interface.name).GetRecording", .object([.init("id", .string(id.description))]), more: true)
  }

  static func beginImport(_ file: WorkoutFile, _ format: ActivityFormat, _ wish: ImportWish) -> VarlinkCall {
    let workout = file.workout
    // What a file that is complete says nothing of, there is none of.
    let none: String? = file.isComplete ? "" : nil
    let zones: JSON? = workout.zones?.json ?? (file.isComplete ? .array([]) : nil)
    let athlete = wish.athlete ?? workout.athlete?.description ?? none
    let said: [(String, JSON?)] = [
      ("id", .string(workout.id.description)), ("format", .string(format.rawValue)),
      ("startDate", .string(workout.start.date.rfc3339)), ("endDate", .string(workout.end.date.rfc3339)),
      ("activity", .string(wish.activity ?? workout.activity.rawValue)),
      ("location", .string(workout.location.rawValue)), ("strap", workout.strap.map { .string($0.description) }),
      ("endReason", .string(workout.endReason.rawValue)), ("athlete", athlete.map(JSON.string)),
      ("title", (workout.title?.description ?? none).map(JSON.string)),
      ("notes", (workout.notes ?? none).map(JSON.string)),
      ("zones", zones), ("device", file.device.json), ("anchors", .array(file.anchors.map(\.json))),
      ("replaces", format.replaces.isEmpty ? nil : .array(format.replaces.map(JSON.string))),
    ]
    let members = said.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    return call("BeginImport", nil, members + file.clientData.exported)
  }
}
