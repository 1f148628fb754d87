import Control
import Measurements
import Workout

/// What the command line asks for.
struct Invocation: Equatable {
  /// The socket that was named; nil where none was.
  var socket: String?
  /// The machine that was named, for ssh; nil where it is this one.
  var host: String?
  /// The protocol's own objects instead of text for people.
  var isJSON = false
  var command: Command
}

extension Invocation {
  /// The strapd that is spoken to.
  var place: Place { Place(host: host, socket: socket) }
}

// MARK: - Reading

extension Invocation {
  /// Reads the words, the program's name first.
  ///
  /// - Parameter quietly: see `Argp.read`.
  /// - Returns: nil where they are wrong; only quietly, since argp ends the process otherwise.
  init?(_ words: [String], quietly: Bool) {
    guard let front = Argp.read(words, Grammar(nil), quietly: quietly, into: Draft(nil)), let name = front.chosen
    else { return nil }
    let rest = ["strapctl \(name.rawValue)"] + words.dropFirst(front.rest)
    var draft = Draft(name)
    (draft.socket, draft.host, draft.isJSON) = (front.socket, front.host, front.isJSON)
    guard let whole = Argp.read(rest, Grammar(name), quietly: quietly, into: draft), let command = whole.command
    else { return nil }
    self.init(socket: whole.socket, host: whole.host, isJSON: whole.isJSON, command: command)
  }
}

/// A command line while argp reads it: first what stands before the command, then what stands behind it.
struct Draft: Equatable {
  /// The command whose words are read; nil before it.
  let name: CommandName?
  var socket: String?
  var host: String?
  var isJSON = false
  /// The command that was found.
  private(set) var chosen: CommandName?
  /// Where the words behind the command begin.
  private(set) var rest = 0
  private(set) var command: Command?
  private(set) var values: [Option: String] = [:]
  private(set) var arguments: [String] = []
  private(set) var switches: Set<Option> = []

  init(_ name: CommandName?) {
    self.name = name
  }

  mutating func take(_ option: Option, _ value: String?) throws(UsageError) {
    switch option {
    case .json: isJSON = true
    case .all, .again, .noInput, .firstBeat, .supersede, .force, .default, .forget, .follow, .btsnoop, .csv:
      switches.insert(option)
    case .socket:
      if value == "" { throw UsageError("--socket needs a path") }
      socket = value
    case .host:
      guard let value, !value.isEmpty, !value.hasPrefix("-") else {
        throw UsageError("--host needs a machine, as ssh has it: pi@gym")
      }
      host = value
    case .activity, .location, .strap, .adapter, .athlete, .session, .at, .since, .until, .by, .countdown, .label,
      .limit, .seconds, .title, .notes, .start, .end, .born, .sex, .mass, .resting, .maximum, .zones, .series, .from,
      .to, .every, .buckets, .format, .directory, .output, .kind, .rate:
      if let old = values.updateValue(value ?? "", forKey: option), old != value {
        throw UsageError("--\(option.name) is given twice")
      }
    }
  }

  enum Next { case goOn, isTheLast }

  mutating func take(argument: String, next: Int) throws(UsageError) -> Next {
    guard let name else {
      guard let found = CommandName(rawValue: argument) else { throw UsageError("unknown command '\(argument)'") }
      chosen = found
      rest = next
      return .isTheLast
    }
    if name.mostArguments > arguments.count {
      arguments.append(argument)
      return .goOn
    }
    guard name.takesSession || name == .show || name == .samples || name == .restore else {
      throw UsageError("unexpected argument '\(argument)'")
    }
    if values[.session] != nil { throw UsageError("one id is enough: '\(argument)' is another one") }
    values[.session] = argument
    return .goOn
  }

  /// All words are read: makes the command of them.
  mutating func finish() throws(UsageError) {
    guard let name else {
      if chosen == nil { throw UsageError("which command? One of: \(CommandName.allNames)") }
      return
    }
    if host != nil, name == .demo || name == .doctor || name == .bridge {
      throw UsageError(
        "this is about the machine that it runs on: run it there, by 'ssh \(host ?? "") strapctl \(name.rawValue)'")
    }
    command = try makeCommand(name)
  }

  private func makeCommand(_ name: CommandName) throws(UsageError) -> Command {
    switch name {
    case .athletes: return .athletes
    case .athlete: return .athlete(try athlete())
    case .edit: return .revise(try revision.edit())
    case .trim: return .revise(try revision.trim())
    case .merge: return .revise(try revision.merge())
    case .split: return .revise(try revision.split())
    case .undo: return .revise(try revision.undo())
    case .history: return .history(try revision.history())
    case .status: return .status
    case .create: return .create(try wish())
    case .prepare:
      let (session, wish) = (try session(), try wish())
      if session != nil, wish != Wish() {
        throw UsageError("a session that is named has its activity, location, strap and adapter: leave them out")
      }
      return .prepare(session: session, wish, supersedes: switches.contains(.supersede))
    case .start: return .start(session: try session(), try startTime(), supersedes: switches.contains(.supersede))
    case .pause: return .pause(session: try session())
    case .resume: return .resume(session: try session())
    case .stop: return .stop(session: try session(), date: try date())
    case .end: return .end(session: try session())
    case .cancel: return .cancel(session: try session())
    case .lap: return .lap(session: try session(), label: try label())
    case .mark: return .mark(session: try session(), label: try label())
    case .beginActivity:
      let wish = try wish()
      guard let activity = wish.activity else {
        throw UsageError("which activity? Name it with --activity, such as --activity cycling")
      }
      return .beginActivity(session: try session(), activity, wish.location, label: try label())
    case .endActivity: return .endActivity(session: try session())
    case .discard: return .discard(session: try session())
    case .trash: return .trash(limit: try limit())
    case .restore:
      guard let id = try session() else { throw UsageError("which workout? 'strapctl trash' shows their ids") }
      return .restore(id)
    case .watch:
      return .watch(try WatchWords(values: values, switches: switches, isJSON: isJSON).wish(strap))
    case .monitor: return .monitor(try arguments.map(strap), adapter: try values[.adapter].map(adapter))
    case .list: return .list(limit: try limit(), try history())
    case .totals: return .totals(try period(), try history())
    case .show:
      guard let id = try session() else { throw UsageError("which workout? 'strapctl list' shows their ids") }
      return .show(id)
    case .samples:
      guard let id = try session() else { throw UsageError("which workout? 'strapctl list' shows their ids") }
      let wish = try SamplesWish(
        series: values[.series], from: values[.from], to: values[.to], every: values[.every],
        buckets: values[.buckets])
      return .samples(id, wish)
    case .resetEnergy: return .resetEnergy(strap: try wish().strap)
    case .doctor: return .doctor
    case .verify: return .verify
    case .backup: return .backup(try backupTarget())
    case .export:
      return .export(try ExportWords(arguments: arguments, values: values, switches: switches).wish(try history()))
    case .importing:
      if arguments.isEmpty { throw UsageError("which files?") }
      return .importing(
        ImportWish(
          paths: arguments, athlete: values[.athlete], activity: values[.activity], areLogs: switches.contains(.btsnoop)
        ))
    case .scan:
      let adapter = try values[.adapter].map(adapter)
      return .scan(seconds: try values[.seconds].map(scanTime), all: switches.contains(.all), adapter: adapter)
    case .straps: return .straps
    case .timings: return .timings
    case .bridge: return .bridge
    case .name: return try naming()
    case .forget: return .forget(strap: try namedStrap())
    case .pair: return try pair()
    case .demo:
      if socket != nil { throw UsageError("the demo starts a strapd of its own: leave out --socket") }
      return .demo
    }
  }

  private func session() throws(UsageError) -> SessionID? {
    guard let text = values[.session] else { return nil }
    guard let id = SessionID(text) else {
      throw UsageError("'\(text)' is no id; one looks like 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f")
    }
    return id
  }

  private func label() throws(UsageError) -> String? {
    guard let text = values[.label] else { return nil }
    guard text.utf8.count <= BuilderCall.longestLabel else {
      throw UsageError("the label has \(text.utf8.count) octets; allowed are \(BuilderCall.longestLabel)")
    }
    return text
  }

  private func wish() throws(UsageError) -> Wish {
    var wish = Wish(activity: values[.activity])
    if let text = values[.location] {
      guard let location = LocationType(rawValue: text) else {
        throw UsageError("'\(text)' is no location; there are indoor and outdoor")
      }
      wish.location = location
    }
    if let text = values[.strap] { wish.strap = try strap(text) }
    wish.adapter = try values[.adapter].map(adapter)
    return wish
  }

  private func adapter(_ text: String) throws(UsageError) -> StrapAddress {
    guard let address = StrapAddress(device: text) else {
      throw UsageError(
        "'\(text)' is no adapter's address, which looks like 00:1A:7D:DA:71:13; 'strapctl status' shows them")
    }
    return address
  }

  private func strap(_ text: String) throws(UsageError) -> String {
    if let address = StrapAddress(text) {
      guard address.isDevice else { throw UsageError("'\(text)' is an address that no device has") }
      return address.description
    }
    guard let name = StrapName(text) else {
      throw UsageError("'\(text)' is no Bluetooth address, which looks like F0:F1:F2:F3:F4:F5, and no name of a strap")
    }
    return name.description
  }

  private func namedStrap() throws(UsageError) -> String {
    guard let text = arguments.first else {
      throw UsageError("which strap? 'strapctl straps' shows the known ones, by their addresses and names")
    }
    return try strap(text)
  }

  private func naming() throws(UsageError) -> Command {
    let strap = try namedStrap()
    let (name, athlete) = (arguments.dropFirst().first, values[.athlete])
    if name == nil, athlete == nil { throw UsageError("what is it called? Give a NAME, or an --athlete, or both") }
    if let name, !name.isEmpty, StrapName(name) == nil {
      throw UsageError("'\(name)' cannot be a strap's name; allowed are \(StrapName.allowed)")
    }
    if let athlete, !athlete.isEmpty, AthleteName(athlete) == nil {
      throw UsageError("'\(athlete)' cannot be an athlete's name; allowed are \(AthleteName.allowed)")
    }
    return .name(strap: strap, name: name, athlete: athlete)
  }

  private func pair() throws(UsageError) -> Command {
    if let one = values[.strap], let other = arguments.first, one != other {
      throw UsageError("one strap is enough: '\(other)' is another one")
    }
    return .pair(
      strap: try (arguments.first ?? values[.strap]).map(strap), again: switches.contains(.again),
      noInput: switches.contains(.noInput))
  }

  private func backupTarget() throws(UsageError) -> BackupTarget {
    guard let path = arguments.first else { throw UsageError("into which file? '-' is the standard output") }
    if path == "-" { return .standardOutput }
    guard !path.isEmpty, !path.hasSuffix("/") else { throw UsageError("'\(path)' is no name of a file") }
    return .file(path, replaces: switches.contains(.force))
  }

  private func history() throws(UsageError) -> HistoryFilter {
    if let athlete = values[.athlete], AthleteName(athlete) == nil {
      throw UsageError("'\(athlete)' cannot be an athlete's name; allowed are \(AthleteName.allowed)")
    }
    return HistoryFilter(
      activity: values[.activity], athlete: values[.athlete], strap: try values[.strap].map(strap),
      title: values[.title],
      since: try day(.since), until: try day(.until))
  }

  /// A date, or a day, which begins at midnight of the local time here.
  private func day(_ option: Option) throws(UsageError) -> String? {
    guard let text = values[option] else { return nil }
    if WallTime(rfc3339: text) != nil { return text }
    guard let midnight = LocalDay.midnight(text) else {
      throw UsageError("'\(text)' is no date as in RFC 3339 (2026-11-30T09:10:11+01:00), and no day as 2026-11-30")
    }
    return midnight.rfc3339
  }

  private func period() throws(UsageError) -> CalendarPeriod {
    guard let text = values[.by] else { return .week }
    guard let period = CalendarPeriod(rawValue: text) else {
      throw UsageError("'\(text)' is no period; there are week, month and year")
    }
    return period
  }

  private func date() throws(UsageError) -> String? {
    guard let text = values[.at] else { return nil }
    guard WallTime(rfc3339: text) != nil else {
      throw UsageError("'\(text)' is no date as in RFC 3339; one looks like 2026-11-30T09:10:11+01:00")
    }
    return text
  }

  private func startTime() throws(UsageError) -> StartTime {
    let date = try date()
    if switches.contains(.firstBeat) {
      if date != nil || values[.countdown] != nil {
        throw UsageError("--first-beat goes with neither --at nor --countdown")
      }
      return .firstBeat
    }
    guard let text = values[.countdown] else { return date.map(StartTime.at) ?? .now }
    if date != nil { throw UsageError("either --at or --countdown") }
    guard let seconds = Self.seconds(text, 0...ControlCall.longestCountdown) else {
      throw UsageError("'\(text)' is no countdown; allowed are 0 to \(Int(ControlCall.longestCountdown)) seconds")
    }
    return .countdown(seconds: seconds)
  }

  private func scanTime(_ text: String) throws(UsageError) -> Double {
    guard let seconds = Self.seconds(text, 0.1...86_400) else {
      throw UsageError("'\(text)' is no time to scan; allowed are 0.1 to 86400 seconds")
    }
    return seconds
  }

  static func seconds(_ text: String, _ allowed: ClosedRange<Double>) -> Double? {
    // Double's own reading would take "nan", "1e3" and "0x1p3" as well.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let seconds = Double(text),
      allowed.contains(seconds)
    else { return nil }
    return seconds
  }

  private func limit() throws(UsageError) -> Int? {
    guard let text = values[.limit] else { return switches.contains(.all) ? nil : Grammar.usualLimit }
    if switches.contains(.all) { throw UsageError("either --limit or --all") }
    guard let limit = Int(text), limit > 0 else { throw UsageError("'\(text)' is no limit; allowed is 1 and more") }
    return limit
  }
}
