import Control
import Controllers
import Workout

/// The commands, each one conversation with strapd.
struct Commands {
  let invocation: Invocation
  let output: Output
  let style: TextStyle

  init(_ invocation: Invocation, output: Output, style: TextStyle) {
    self.invocation = invocation
    self.output = output
    self.style = style
  }

  /// - Returns: `done`; `refused` where doctor or verify has found a problem.
  /// - Throws: `Refusal`, `ConnectionError`, `OutputError`, and what stops the demo.
  func perform() throws -> ExitStatus {
    switch invocation.command {
    case .status: try status()
    case .create, .prepare, .start, .pause, .resume, .stop, .end, .cancel, .lap, .mark, .beginActivity, .endActivity,
      .discard:
      try callSession()
    case .watch(let wish):
      try follow(
        Command.watchCall(wish), MonitorFilter(isOn: false), as: wish.isCSV ? .csv : invocation.isJSON ? .json : .text)
    case .monitor(let straps, let adapter):
      try follow(
        Command.monitorCall(straps, adapter: adapter), MonitorFilter(isOn: true),
        as: invocation.isJSON ? .json : .text, by: adapter?.description)
    case .list(let limit, let filter): try list(limit, inTrash: false, filter)
    case .totals(let period, let filter):
      let totals = try connect().answer(Command.getTotals(period, filter)).list("totals")
      if invocation.isJSON {
        for total in totals { try output.line(total.text) }
      } else {
        try output.line(TotalsText.table(totals, period).joined(separator: "\n"))
      }
    case .trash(let limit): try list(limit, inTrash: true)
    case .show(let id):
      let workout = WorkoutText.joined(try connect().answer(Command.getWorkout(id.description)))
      try print(workout, WorkoutText.whole(workout, style))
    case .samples(let id, let wish): try samples(id, wish)
    case .athletes: try show(try connect().answer(Command.call("ListAthletes")).list("athletes"))
    case .athlete(let wish): try athlete(wish)
    case .revise(let revising): try revise(revising)
    case .history(let revising):
      let connection = try connect()
      var (edits, next): ([JSON], JSON?) = ([], nil)
      repeat {
        let reply = try connection.answer(revising.call(from: next))
        edits += reply.list("edits")
        next = reply["next"]
      } while next != nil
      if invocation.isJSON {
        for edit in edits { try output.line(edit.text) }
      } else {
        try output.line(EditText.table(edits, style).joined(separator: "\n"))
      }
    case .restore(let id):
      let workout = try connect().answer(Command.restore(id.description))["workout"] ?? .null
      try print(workout, WorkoutText.whole(workout, style))
    case .resetEnergy(let strap):
      let reply = try connect().answer(Command.resetEnergy(strap))
      try print(reply, ["the energy counter of \(reply.text("strap") ?? "?") is zero"])
    case .scan(let seconds, let all, let adapter):
      try Scan(
        connection: try connect(), output: output, isJSON: invocation.isJSON, seconds: seconds, includesAll: all,
        adapter: adapter
      ).run()
    case .straps: try straps()
    case .bridge: try Bridge(connection: try connect()).run()
    case .timings:
      let timings = try connect().answer(Command.call("GetTimings"))
      try print(timings, TimingsText.lines(timings))
    case .name(let strap, let name, let athlete):
      let strap = try connect().answer(Command.nameStrap(strap, name, athlete))["strap"] ?? .null
      try print(strap, [KnownStrapText.named(strap)])
    case .forget(let strap):
      let reply = try connect().answer(Command.forgetStrap(strap))
      try print(reply, [KnownStrapText.forgotten(reply)])
    case .pair(let strap, let again, let noInput): try pair(strap, again: again, noInput: noInput)
    case .demo: try Demo(output, style, isJSON: invocation.isJSON).run()
    case .backup(let target):
      if target == .standardOutput, output.isTerminal { throw BackupError.terminal }
      try Backup(connection: try connect(), output: output, isJSON: invocation.isJSON, target: target).run()
    case .export(let wish): try export(wish)
    case .importing(let wish):
      let isAll = try Import(connection: try connect(), output: output, isJSON: invocation.isJSON, wish: wish).run()
      return isAll ? .done : .refused
    case .verify:
      let isSound = try Verify(connection: try connect(), output: output, isJSON: invocation.isJSON).run()
      return isSound ? .done : .refused
    case .doctor: return try doctor()
    }
    return .done
  }

  private func doctor() throws(OutputError) -> ExitStatus {
    return try Doctor(socket: invocation.place.name, output, style, isJSON: invocation.isJSON).run() ? .done : .refused
  }

  private func pair(_ named: String?, again: Bool, noInput: Bool) throws {
    var strap = named
    if strap == nil, !noInput, Keyboard() != nil { strap = try PairChoice(try connect(), noInput: false).run() }
    var pairing = Pairing(
      try connect(), output, isJSON: invocation.isJSON, strap: strap, again: again, noInput: noInput)
    do { try pairing.run() } catch let refusal as Refusal where strap == nil && refusal.leavesChoice {
      // strapd knows of none to take, and somebody has to name one: programs read the refusal, people a list.
      if invocation.isJSON { throw refusal }
      _ = try PairChoice(try connect(), noInput: true).run()
    }
  }

  private func export(_ wish: ExportWish) throws {
    if wish.target == .standardOutput, output.isTerminal, !wish.format.isText { throw BackupError.terminal }
    if wish.which == .following, case .directory(let directory) = wish.target {
      return try ExportFollow(
        place: invocation.place, output: output, isJSON: invocation.isJSON, wish: wish, directory: directory
      ).run()
    }
    try Export(connection: try connect(), output: output, isJSON: invocation.isJSON, wish: wish).run()
  }

  private func connect() throws(ConnectionError) -> Connection {
    try Connection(to: invocation.place)
  }

  private func follow(
    _ call: VarlinkCall, _ filter: MonitorFilter, as format: Watch.Format, by adapter: String? = nil
  ) throws {
    let text = EventText(style, adapter: adapter)
    try Watch(try connect(), output, text, format).run(call, filter)
  }

  private func print(_ object: JSON, _ lines: [String]) throws(OutputError) {
    try output.line(invocation.isJSON ? object.text : lines.joined(separator: "\n"))
  }

  private func status() throws {
    let status = try connect().answer(Command.call("GetStatus"))
    if invocation.isJSON { return try output.line(status.text) }
    var text = StatusText(status: status, style: style)
    // The kernel that counts is the one over there.
    if invocation.host == nil, StatusText.wantsKernel(status) {
      do { text.kernel = .success(try KernelBluetooth.survey()) } catch { text.kernel = .failure(error) }
    }
    try output.line(text.lines.joined(separator: "\n"))
  }

  private func callSession() throws {
    guard let call = invocation.command.sessionCall else { return }
    let snapshot = try connect().answer(call)["snapshot"] ?? .null
    try print(snapshot, SessionText(snapshot: snapshot, style: style).lines)
  }

  private func straps() throws {
    let straps = try connect().answer(Command.call("ListStraps")).list("straps")
    if invocation.isJSON {
      for strap in straps { try output.line(strap.text) }
    } else {
      try output.line(KnownStrapText.table(straps, style).joined(separator: "\n"))
    }
  }

  private func show(_ athletes: [JSON]) throws(OutputError) {
    if invocation.isJSON {
      for athlete in athletes { try output.line(athlete.text) }
    } else {
      try output.line(AthleteText.table(athletes).joined(separator: "\n"))
    }
  }

  private func athlete(_ wish: AthleteWish) throws {
    let connection = try connect()
    let known = try connection.answer(Command.call("ListAthletes")).list("athletes")
    let own = known.first { $0.text("name") == wish.name }
    if wish.isQuestion {
      guard let own else { throw Refusal.unknownAthlete(wish.name, known.compactMap { $0.text("name") }) }
      return try show([own])
    }
    let athletes = try connection.answer(wish.call(own)).list("athletes")
    try show(wish.isToBeForgotten ? athletes : athletes.filter { $0.text("name") == wish.name })
  }

  private func revise(_ revising: Revising) throws {
    let reply = try connect().answer(revising.call)
    let workouts = reply.list("workouts") + [reply["workout"], reply["second"]].compactMap { $0 }
    if invocation.isJSON {
      for workout in workouts { try output.line(workout.text) }
    } else {
      try output.line(workouts.map { WorkoutText.whole($0, style).joined(separator: "\n") }.joined(separator: "\n\n"))
    }
  }

  private func print(_ elements: [JSON], _ line: (JSON) -> String) throws(OutputError) {
    for element in elements { try output.line(invocation.isJSON ? element.text : line(element)) }
  }

  private func samples(_ id: SessionID, _ wish: SamplesWish) throws {
    let connection = try connect()
    let call = Command.getSamples(id, wish)
    var reply = try connection.call(call)
    while true {
      if let refusal = Refusal(reply, to: call.method) { throw refusal }
      let told = reply.parameters
      try print(told.list("samples")) { SampleText.line($0) }
      try print(told.list("values")) { SampleText.value($0) }
      try print(told.list("buckets")) { SampleText.bucket($0) }
      guard reply.continues else { return }
      reply = try connection.reply()
    }
  }

  /// - Parameter limit: nil means all.
  private func list(_ limit: Int?, inTrash: Bool, _ filter: HistoryFilter = HistoryFilter()) throws {
    let connection = try connect()
    var workouts: [JSON] = []
    var count = 0
    var page: String?
    repeat {
      let size = min(limit.map { $0 - count } ?? .max, ControlCall.largestPage)
      let reply = try connection.answer(Command.listWorkouts(size, page: page, inTrash: inTrash, filter))
      let found = reply.list("workouts")
      count += found.count
      page = found.isEmpty ? nil : reply["nextPage"]?.asString
      if invocation.isJSON {
        for workout in found { try output.line(workout.text) }
      } else {
        workouts += found
      }
    } while page != nil && count < limit ?? .max
    if invocation.isJSON { return }
    var lines = inTrash && workouts.isEmpty ? ["the trash is empty"] : WorkoutText.table(workouts, style)
    if workouts.isEmpty, filter != HistoryFilter() { lines = ["no finished workout is like that"] }
    if page != nil { lines.append("there may be older ones: see --limit and --all") }
    try output.line(lines.joined(separator: "\n"))
  }
}

extension Connection {
  /// Calls and returns the reply's parameters.
  ///
  /// - Throws: `Refusal` where the reply is an error, and `ConnectionError`.
  func answer(_ call: VarlinkCall) throws -> JSON {
    let reply = try self.call(call)
    if let refusal = Refusal(reply, to: call.method) { throw refusal }
    return reply.parameters
  }
}
