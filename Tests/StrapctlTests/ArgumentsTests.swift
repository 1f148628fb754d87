import Measurements
import Testing
import Workout

@testable import strapctl

struct ArgumentsTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"
  private static let session = SessionID(id)
  private static let strap = "F0:F1:F2:F3:F4:F5"

  private static func read(_ line: String) -> Invocation? {
    Invocation(["/usr/bin/strapctl"] + line.split(separator: " ").map(String.init), quietly: true)
  }

  // Here and not in the arguments of `@Test`, where Swift 6.0.3 crashes on an interpolation.
  private static let commands: [(String, Command)] = [
    ("status", .status),
    ("create", .create(Wish())),
    ("create --activity running", .create(Wish(activity: "running"))),
    (
      "create --activity=rowing --location indoor --strap f0:f1:f2:f3:f4:f5",
      .create(Wish(activity: "rowing", location: .indoor, strap: strap))
    ),
    ("create --location unknown", .create(Wish(location: .unknown))),
    // The daemon knows which activities there are.
    ("create --activity moonwalk", .create(Wish(activity: "moonwalk"))),
    ("prepare", .prepare(session: nil, Wish())),
    (
      "prepare --activity running --location outdoor",
      .prepare(session: nil, Wish(activity: "running", location: .outdoor))
    ),
    ("prepare --session \(id)", .prepare(session: session, Wish())),
    ("prepare \(id)", .prepare(session: session, Wish())),
    ("prepare \(id) --supersede", .prepare(session: session, Wish(), supersedes: true)),
    ("prepare --supersede --strap left", .prepare(session: nil, Wish(strap: "left"), supersedes: true)),
    ("start --supersede", .start(session: nil, .now, supersedes: true)),
    ("start", .start(session: nil, .now)),
    ("start --countdown 3", .start(session: nil, .countdown(seconds: 3))),
    ("start \(id) --countdown 0.5", .start(session: session, .countdown(seconds: 0.5))),
    ("start --countdown 0", .start(session: nil, .countdown(seconds: 0))),
    ("start --countdown 3600", .start(session: nil, .countdown(seconds: 3600))),
    ("start --at 2026-11-30T09:10:11+01:00", .start(session: nil, .at("2026-11-30T09:10:11+01:00"))),
    ("pause", .pause(session: nil)),
    ("pause \(id)", .pause(session: session)),
    // argp takes an option behind an argument, and the beginning of an option's name.
    ("pause --sess \(id)", .pause(session: session)),
    ("resume", .resume(session: nil)),
    ("resume --session=\(id)", .resume(session: session)),
    ("stop", .stop(session: nil, date: nil)),
    ("stop \(id) --at 2026-11-30T10:15:00Z", .stop(session: session, date: "2026-11-30T10:15:00Z")),
    ("end", .end(session: nil)),
    ("end \(id.uppercased())", .end(session: session)),
    ("start --first-beat", .start(session: nil, .firstBeat)),
    ("cancel \(id)", .cancel(session: session)),
    ("lap", .lap(session: nil, label: nil)),
    ("lap --label up \(id)", .lap(session: session, label: "up")),
    ("mark --label=", .mark(session: nil, label: "")),
    (
      "begin-activity --activity cycling --location indoor --label one",
      .beginActivity(session: nil, "cycling", .indoor, label: "one")
    ),
    ("end-activity", .endActivity(session: nil)),
    ("discard", .discard(session: nil)),
    ("discard \(id)", .discard(session: session)),
    ("trash", .trash(limit: 100)),
    ("trash --all", .trash(limit: nil)),
    ("restore \(id)", .restore(SessionID(id) ?? SessionID(randomBytes: [UInt8](repeating: 0, count: 16)))),
    ("watch", .watch()),
    ("watch --csv --kind heartRate,transition", .watch(WatchWish(kinds: [.heartRate, .transition], isCSV: true))),
    (
      "watch --session \(id) --strap left,f0:f1:f2:f3:f4:f5 --since 0 --rate 5s",
      .watch(WatchWish(sessions: [session].compactMap { $0 }, straps: ["left", strap], since: 0, rate: .fiveSeconds))
    ),
    ("watch --rate every", .watch(WatchWish(rate: .every))), ("watch --rate 1s", .watch(WatchWish(rate: .second))),
    ("watch --rate change", .watch(WatchWish(rate: .change))),
    ("monitor", .monitor([], adapter: nil)),
    ("monitor f0:f1:f2:f3:f4:f5", .monitor([strap], adapter: nil)),
    ("monitor F0:F1:F2:F3:F4:F5 F0:F1:F2:F3:F4:F5", .monitor([strap, strap], adapter: nil)),
    ("monitor left f0:f1:f2:f3:f4:f5", .monitor(["left", strap], adapter: nil)),
    ("monitor --adapter 00:AA:01:00:00:42", .monitor([], adapter: StrapAddress("00:AA:01:00:00:42"))),
    ("prepare --adapter 00:aa:01:00:00:42", .prepare(session: nil, Wish(adapter: StrapAddress("00:AA:01:00:00:42")))),
    ("list", .list(limit: 100)),
    ("list --limit 7", .list(limit: 7)),
    ("list --limit 5000", .list(limit: 5000)),
    ("list --all", .list(limit: nil)),
    (
      "list --activity running --athlete Ann --strap mine --since 2026-11-01T00:00:00Z",
      .list(
        limit: 100,
        HistoryFilter(activity: "running", athlete: "Ann", strap: "mine", since: "2026-11-01T00:00:00Z"))
    ),
    ("timings", .timings), ("totals", .totals(.week, HistoryFilter())),
    ("totals --by month --athlete Ann", .totals(.month, HistoryFilter(athlete: "Ann"))),
    ("show \(id)", .show(SessionID(id) ?? SessionID(randomBytes: [UInt8](repeating: 0, count: 16)))),
    ("demo", .demo),
    ("doctor", .doctor),
    ("verify", .verify), ("backup -", .backup(.standardOutput)),
    ("backup /a/b.db", .backup(.file("/a/b.db", replaces: false))),
    ("backup --force b.db", .backup(.file("b.db", replaces: true))),
    ("reset-energy", .resetEnergy(strap: nil)),
    ("pair", .pair(strap: nil, again: false, noInput: false)),
    ("pair f0:f1:f2:f3:f4:f5 --again", .pair(strap: strap, again: true, noInput: false)),
    ("pair --no-input --strap left", .pair(strap: "left", again: false, noInput: true)),
    ("pair left --strap left", .pair(strap: "left", again: false, noInput: false)),
    ("reset-energy --strap f0:f1:f2:f3:f4:f5", .resetEnergy(strap: strap)),
    // The daemon knows what straps are called.
    ("create --strap Anna's", .create(Wish(strap: "Anna's"))),
    ("prepare --strap H10", .prepare(session: nil, Wish(strap: "H10"))),
    ("scan", .scan(seconds: nil, all: false)),
    ("scan --seconds 10", .scan(seconds: 10, all: false)),
    (
      "scan --adapter 00:AA:01:00:00:42",
      .scan(seconds: nil, all: false, adapter: StrapAddress("00:AA:01:00:00:42"))
    ),
    ("scan --all --seconds=0.5", .scan(seconds: 0.5, all: true)),
    ("straps", .straps),
    ("name f0:f1:f2:f3:f4:f5 Left", .name(strap: strap, name: "Left", athlete: nil)),
    ("name left --athlete Anna", .name(strap: "left", name: nil, athlete: "Anna")),
    ("name --athlete=Anna left Right", .name(strap: "left", name: "Right", athlete: "Anna")),
    ("name left --athlete=", .name(strap: "left", name: nil, athlete: "")),
    ("forget f0:f1:f2:f3:f4:f5", .forget(strap: strap)),
    ("forget left", .forget(strap: "left")),
  ]

  @Test(arguments: commands)
  func readsEveryCommand(_ line: String, _ command: Command) {
    #expect(Self.read(line) == Invocation(socket: nil, isJSON: false, command: command))
  }

  @Test(arguments: [
    "--json --socket /s/k pause", "pause --json --socket /s/k", "--socket=/s/k pause --json",
    "--json pause --socket=/s/k",
    "--socket /other pause --socket /s/k --json",
  ])
  func takesGeneralOptionsBeforeAndBehindTheCommand(_ line: String) {
    #expect(Self.read(line) == Invocation(socket: "/s/k", isJSON: true, command: .pause(session: nil)))
  }

  private static let wrongUse = [
    "", "--json", "--socket", "--socket=", "frobnicate", "Status", "--frobnicate", "--frobnicate status",
    "status --frobnicate", "status now", "status --session \(id)", "status --all",
    "create \(id)", "create --session \(id)", "create --location moon", "create --strap F0:F1:F2:F3:F4",
    "create --activity", "create --activity running --activity rowing",
    "prepare \(id) --activity running", "prepare --session \(id) --strap F0:F1:F2:F3:F4:F5",
    "prepare --at 2026-11-30T10:15:00Z",
    "start --countdown", "start --countdown -1", "start --countdown 3600.5", "start --countdown nan",
    "start --countdown 1e3", "start --countdown three", "start --at yesterday", "start --at 2026-11-30",
    "start --at 2026-11-30T10:15:00", "start --at 2026-11-30T10:15:00Z --countdown 3",
    "pause 17", "pause \(id) \(id)", "pause --session \(id) \(id)", "pause --at 2026-11-30T10:15:00Z",
    "pause --supersede", "create --supersede", "resume 17", "resume --countdown 3", "stop --at 10:15",
    "stop --countdown 3", "end 17", "end --all",
    "watch \(id)", "monitor --adapter hci0", "prepare \(id) --adapter 00:AA:01:00:00:42",
    "prepare --strap 00:00:00:00:00:00", "pair ff:ff:ff:ff:ff:ff", "watch --adapter 00:AA:01:00:00:42",
    "monitor F0:F1:F2:F3:F4", "monitor --strap F0:F1:F2:F3:F4:F5",
    "watch --limit 3", "watch --kind laps", "watch --kind lap,", "watch --kind=", "watch --rate 2s", "watch --rate=",
    "watch --since -1", "watch --since 1.5", "watch --since 2026-11-30", "watch --since 9223372036854775808",
    "watch --session 17", "watch --session \(id),", "watch --strap F0:F1", "watch --csv --json", "--json watch --csv",
    "watch --kind lap --kind gap", "status --csv", "monitor --csv", "list --rate 1s", "show --kind lap",
    "list --since yesterday", "list --until 2026-11-31", "list --by week", "totals 3", "totals --by day",
    "totals --limit 3",
    "trash --activity running", "list 3", "list --limit 0", "list --limit -3", "list --limit many",
    "list --limit 3 --all", "list --limit 3 --limit 4", "show", "show 17", "show \(id) \(id)", "show --all \(id)",
    "pair F0:F1", "pair left right", "pair left --strap right", "pair --all", "pair --limit 3", "status --again",
    "prepare --no-input",
    "demo \(id)", "demo --socket /s/k", "--socket /s/k demo", "demo --limit 3", "doctor now", "verify strapd.db",
    "verify --all", "backup", "backup a b",
    "backup a/", "backup --all a", "status --force",
    "doctor --strap F0:F1:F2:F3:F4:F5",
    "reset-energy F0:F1:F2:F3:F4:F5",
    "reset-energy --strap F0:", "resetEnergy", "scan left", "scan --seconds 0", "scan --seconds -1",
    "scan --seconds 86401", "scan --seconds nan", "scan --limit 3",
    "straps left", "straps --all", "name", "name left",
    "name --athlete Anna",
    "name F0:F1 Left", "name left F0:F1", "name left Right more", "name left --strap Right", "forget",
    "forget left right", "forget F0:F1:F2:F3:F4", "forget left --all",
  ]

  @Test(arguments: wrongUse)
  func refusesWrongUse(_ line: String) {
    #expect(Self.read(line) == nil)
  }

  /// An empty argument takes the name away.
  @Test func takesAnEmptyName() {
    let invocation = Invocation(["strapctl", "name", "left", ""], quietly: true)
    #expect(invocation?.command == .name(strap: "left", name: "", athlete: nil))
  }

  @Test func saysWhatIsWrong() {
    func problem(_ name: CommandName, _ change: (inout Draft) throws(UsageError) -> Void) -> String? {
      var draft = Draft(name)
      do throws(UsageError) {
        try change(&draft)
        try draft.finish()
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      problem(.start) { (draft) throws(UsageError) in try draft.take(.countdown, "4000") }
        == "'4000' is no countdown; allowed are 0 to 3600 seconds")
    #expect(
      problem(.stop) { (draft) throws(UsageError) in try draft.take(.at, "noon") }
        == "'noon' is no date as in RFC 3339; one looks like 2026-11-30T09:10:11+01:00")
    #expect(
      problem(.create) { (draft) throws(UsageError) in try draft.take(.strap, "F0:F1") }
        == "'F0:F1' is no Bluetooth address, which looks like F0:F1:F2:F3:F4:F5, and no name of a strap")
    #expect(
      problem(.create) { (draft) throws(UsageError) in try draft.take(.location, "moon") }
        == "'moon' is no location; there are indoor and outdoor")
    #expect(
      problem(.list) { (draft) throws(UsageError) in try draft.take(.limit, "0") }
        == "'0' is no limit; allowed is 1 and more")
    #expect(
      problem(.forget) { (_) throws(UsageError) in }
        == "which strap? 'strapctl straps' shows the known ones, by their addresses and names")
    #expect(
      problem(.name) { (draft) throws(UsageError) in _ = try draft.take(argument: "left", next: 2) }
        == "what is it called? Give a NAME, or an --athlete, or both")
    #expect(
      problem(.name) { (draft) throws(UsageError) in
        _ = try draft.take(argument: "left", next: 2)
        _ = try draft.take(argument: "a\u{1B}", next: 3)
      }
        == "'a\u{1B}' cannot be a strap's name; allowed are 1 to 64 octets without control characters and without blanks "
        + "at the ends, and nothing that looks like an address")
    #expect(
      problem(.name) { (draft) throws(UsageError) in
        _ = try draft.take(argument: "left", next: 2)
        try draft.take(.athlete, " ")
      }
        == "' ' cannot be an athlete's name; allowed are 1 to 64 octets without control characters and without blanks at "
        + "the ends")
    #expect(problem(.show) { (_) throws(UsageError) in } == "which workout? 'strapctl list' shows their ids")
    #expect(
      problem(.end) { (draft) throws(UsageError) in _ = try draft.take(argument: "17", next: 2) }
        == "'17' is no id; one looks like 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f")
  }
}
