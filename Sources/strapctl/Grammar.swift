/// The commands by the names that are typed.
enum CommandName: String, CaseIterable {
  case status, create, prepare, start, pause, resume, stop, end, cancel, lap, mark, discard, trash, restore
  case edit, trim, merge, split, history, undo, athletes, athlete
  case watch, monitor, list, totals, show, samples, export, backup, verify, timings, demo, doctor, scan, straps, name,
    forget,
    pair
  case importing = "import"
  case beginActivity = "begin-activity"
  case endActivity = "end-activity"
  case resetEnergy = "reset-energy"
  case bridge

  static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Whether the command is about a session, which may be named.
  var takesSession: Bool {
    switch self {
    case .prepare, .start, .pause, .resume, .stop, .end, .cancel, .lap, .mark, .discard, .beginActivity, .endActivity:
      true
    case .status, .create, .watch, .monitor, .list, .totals, .show, .samples, .demo, .doctor, .scan, .straps, .name,
      .forget,
      .pair, .resetEnergy, .trash, .restore, .edit, .trim, .merge, .split, .history, .undo, .athletes, .athlete,
      .export, .importing, .backup, .verify, .timings, .bridge:
      false
    }
  }

  /// How many words may stand behind the command, besides a session's id.
  var mostArguments: Int {
    switch self {
    case .name, .merge: 2
    case .forget, .pair, .backup, .export, .edit, .trim, .split, .history, .undo, .athlete: 1
    case .monitor, .importing: .max
    case .status, .create, .prepare, .start, .pause, .resume, .stop, .end, .watch, .list, .totals, .show, .samples,
      .demo,
      .doctor,
      .scan, .straps, .cancel, .lap, .mark, .discard, .trash, .restore, .beginActivity, .endActivity, .resetEnergy,
      .athletes, .verify, .timings, .bridge:
      0
    }
  }
}

/// The options; the raw values are argp's keys, above every letter, so that none has a short form.
enum Option: Int32, CaseIterable {
  case activity = 256
  case location, strap, adapter, athlete, session, at, since, until, by, countdown, firstBeat, label, limit, all,
    supersede, seconds, again, force, title, notes, start, end, born, sex, mass, resting, maximum,
    zones, `default`, forget, series, from, to, every, buckets,
    format, directory, follow, btsnoop, kind, rate, csv
  case noInput, json, socket
  /// 'o': the one that everybody types short.
  case output = 111
  /// 'H', as systemctl has it.
  case host = 72

  var name: StaticString {
    switch self {
    case .activity: "activity"
    case .location: "location"
    case .strap: "strap"
    case .adapter: "adapter"
    case .athlete: "athlete"
    case .session: "session"
    case .at: "at"
    case .since: "since"
    case .until: "until"
    case .by: "by"
    case .countdown: "countdown"
    case .firstBeat: "first-beat"
    case .label: "label"
    case .limit: "limit"
    case .all: "all"
    case .supersede: "supersede"
    case .again: "again"
    case .force: "force"
    case .noInput: "no-input"
    case .seconds: "seconds"
    case .born: "born"
    case .sex: "sex"
    case .mass: "mass"
    case .resting: "resting"
    case .maximum: "maximum"
    case .zones: "zones"
    case .default: "default"
    case .forget: "forget"
    case .title: "title"
    case .notes: "notes"
    case .start: "start"
    case .end: "end"
    case .series: "series"
    case .from: "from"
    case .to: "to"
    case .every: "every"
    case .buckets: "buckets"
    case .format: "format"
    case .directory: "directory"
    case .follow: "follow"
    case .btsnoop: "btsnoop"
    case .kind: "kind"
    case .rate: "rate"
    case .csv: "csv"
    case .output: "output"
    case .json: "json"
    case .socket: "socket"
    case .host: "host"
    }
  }

  /// What the help calls the option's value behind a command; nil where it has none.
  func value(with command: CommandName?) -> StaticString? {
    switch self {
    case .session where command == .watch: "ID[,ID...]"
    case .strap where command == .watch: "STRAP[,STRAP...]"
    case .since where command == .watch: "N"
    case .kind: "KIND[,KIND...]"
    case .rate: "every|1s|5s|change"
    case .activity: "NAME"
    case .location: "indoor|outdoor"
    case .adapter: "ADDRESS"
    case .strap: "STRAP"
    case .athlete: "NAME"
    case .session: "ID"
    case .at, .since, .until, .from, .to: "DATE"
    case .series: "heartRate|rrIntervals|energyKilojoules|contact"
    case .every: "SECONDS"
    case .buckets: "N"
    case .format: "fit|tcx|csv|json|rr"
    case .directory: "DIR"
    case .output: "FILE"
    case .by: "week|month|year"
    case .countdown: "SECONDS"
    case .label, .title, .notes: "TEXT"
    case .start, .end: "DATE|TIME"
    case .born: "YEAR"
    case .sex: "female|male|other"
    case .mass: "KG"
    case .resting, .maximum: "BPM"
    case .zones: "'BPM ...'"
    case .seconds: "N"
    case .limit: "N"
    case .default, .forget, .follow, .btsnoop, .csv, .firstBeat, .all, .again, .force, .noInput, .supersede, .json: nil
    case .socket: "PATH"
    case .host: "[USER@]HOST"
    }
  }

  /// Accepted with every command, before and behind it.
  var isGeneral: Bool { self == .json || self == .socket || self == .host }
}

/// What may be written: before the command (nil), or behind one.
struct Grammar {
  var command: CommandName?
  /// How many workouts are listed where nothing is said.
  static let usualLimit = 100

  init(_ command: CommandName?) {
    self.command = command
  }

  var options: [Option] {
    let own: [Option] =
      switch command {
      case .create: [.activity, .location, .strap, .adapter]
      case .prepare: [.activity, .location, .strap, .adapter, .session, .supersede]
      case .monitor: [.adapter]
      case .start: [.at, .countdown, .firstBeat, .session, .supersede]
      case .stop: [.at, .session]
      case .lap, .mark: [.label, .session]
      case .beginActivity: [.activity, .location, .label, .session]
      case .pause, .resume, .end, .cancel, .discard, .endActivity: [.session]
      case .list: [.limit, .all, .activity, .athlete, .strap, .title, .since, .until]
      case .totals: [.by, .activity, .athlete, .strap, .title, .since, .until]
      case .edit: [.title, .notes, .activity, .location, .athlete]
      case .trim: [.start, .end]
      case .athlete: [.born, .sex, .mass, .resting, .maximum, .zones, .default, .forget]
      case .split: [.at]
      case .trash: [.limit, .all]
      case .resetEnergy: [.strap]
      case .pair: [.strap, .again, .noInput]
      case .name: [.athlete]
      case .backup: [.force]
      case .export:
        [
          .format, .output, .directory, .since, .until, .all, .follow, .force, .activity, .athlete, .strap, .title,
        ]
      case .importing: [.btsnoop, .athlete, .activity]
      case .scan: [.seconds, .all, .adapter]
      case .samples: [.series, .from, .to, .every, .buckets]
      case .watch: [.session, .strap, .kind, .since, .rate, .csv]
      case nil, .status, .timings, .bridge, .show, .demo, .doctor, .straps, .forget, .restore, .merge, .history, .undo,
        .athletes,
        .verify:
        []
      }
    return own + [.json, .socket, .host]
  }

  /// Whether the options say which of the finished workouts are meant.
  private var isOfHistory: Bool { command == .list || command == .totals || command == .export }

  var arguments: StaticString? {
    switch command {
    case nil: "COMMAND"
    case .prepare, .start, .pause, .resume, .stop, .end, .cancel, .lap, .mark, .discard, .beginActivity, .endActivity:
      "[ID]"
    case .show, .samples, .restore, .edit, .trim, .split, .history, .undo: "ID"
    case .merge: "ID ID"
    case .athlete: "NAME"
    case .name: "STRAP [NAME]"
    case .forget: "STRAP"
    case .backup: "FILE"
    case .export: "[ID]"
    case .importing: "FILE..."
    case .pair: "[STRAP]"
    case .monitor: "[STRAP...]"
    case .status, .timings, .bridge, .create, .watch, .list, .totals, .demo, .doctor, .scan, .straps, .resetEnergy,
      .trash,
      .athletes,
      .verify:
      nil
    }
  }

  func doc(of option: Option) -> StaticString {
    switch option {
    case .activity where isOfHistory: "Only workouts of this activity, by HealthKit's name: running, cycling, ..."
    case .activity where command == .importing: "What was done, in place of what the files say"
    case .activity where command == .edit: "What was done, by HealthKit's name: running, cycling, rowing, ..."
    case .activity: "What is done, by HealthKit's name: running, cycling, rowing, ... (default: other)"
    case .location: "Where it is done"
    case .strap:
      switch command {
      case .list, .totals, .export: "Only workouts with this strap, by its address or name"
      case .watch: "Only what is of this strap, by its address or name"
      case .resetEnergy: "The strap, by its address or name; may be left out when only one is connected"
      case .pair:
        "The strap, by its address or name, as an argument too (default: the configured one, or the only one in sight)"
      case .edit, .trim, .merge, .split, .history, .undo, .athletes, .athlete, nil, .status, .timings, .bridge, .create,
        .prepare, .start,
        .pause, .resume,
        .stop, .end, .monitor, .show, .samples,
        .demo,
        .doctor, .scan, .straps, .name, .forget, .cancel, .lap, .mark, .discard, .trash, .restore, .beginActivity,
        .endActivity, .importing, .backup, .verify:
        "The strap, by its address or name (default: the configured one, or the one with the strongest signal)"
      }
    case .adapter:
      "The Bluetooth adapter, by its address (default: the configured one, or the one that hears the strap best)"
    case .athlete:
      isOfHistory
        ? "Only workouts of this athlete"
        : command == .importing
          ? "Whose they are, where the files do not say; an empty one: nobody's"
          : command == .edit
            ? "Whose it is; an empty one takes that away" : "Who wears it; an empty one takes that away"
    case .title:
      isOfHistory ? "Only workouts with this in their title" : "What it is called; an empty one takes that away"
    case .notes: "What is to be noted about it, up to 16 KiB; an empty text takes that away"
    case .born: "The year of birth"
    case .sex: "The biological sex"
    case .mass: "The body's mass in kilograms"
    case .resting: "The resting heart rate"
    case .maximum: "The maximum heart rate"
    case .zones: "Where each heart-rate zone but the first begins, such as '110 130 150'"
    case .default: "Workouts are this athlete's where nobody is known to wear the strap"
    case .forget: "Remove the profile; workouts and straps keep the name"
    case .start: "Where it is to begin: a date as in RFC 3339, or the time since its start, as 1:02:30 or 90"
    case .end: "Where it is to end: a date as in RFC 3339, or the time since its start"
    case .since where command == .watch:
      "First what came after this sequence number, as far as strapd still knows it"
    case .since: "Only workouts that started at this date or later, as in RFC 3339, or a day as 2026-11-30"
    case .until: "Only workouts that started before this date or day"
    case .by: "Summed up by what (default: week)"
    case .session where command == .watch: "Only what is of this session"
    case .session: "The session, as an argument too; may be left out when only one is live"
    case .at where command == .split:
      "Where the second one begins: a date as in RFC 3339, or the time since the start, as 1:02:30 or 90"
    case .at:
      command == .stop
        ? "Stop at this date since the start, as in RFC 3339 (default: now)"
        : "Start at this past date, as in RFC 3339 (default: now)"
    case .countdown: "Start when so many seconds have run down"
    case .firstBeat: "Start with the first heart rate"
    case .label: "Your own words for it, up to 256 octets"
    case .limit: "At most the N newest (default: 100)"
    case .format: "What the file is to be (default: fit)"
    case .output: "The file (default, and -: the standard output)"
    case .directory: "Where the files go, each named by its date, activity and workout"
    case .follow: "Go on until ^C, and export each workout when it is finished"
    case .kind: "Only events of this kind: transition, heartRate, lap, ..."
    case .rate:
      "How often heart rates are printed: every one, the newest once in 1 or 5 s, or on change (default: every)"
    case .csv: "Print comma-separated values with a heading, one event a line"
    case .btsnoop: "The files are HCI logs, as btmon -w or an Android phone writes them"
    case .all: command == .scan ? "Devices without heart rate as well" : "All of them"
    case .seconds: "End after N seconds (default: scan until ^C)"
    case .series: "Only these values, each by itself (default with --every or --buckets: heartRate)"
    case .from: "From this date on, as in RFC 3339 (default where there are other options: the workout's start)"
    case .to: "Before this date (default then: the workout's end)"
    case .every: "Summed up in buckets of so many seconds: count, lowest, mean and highest value"
    case .buckets: "Summed up in N buckets of equal length, up to 10000"
    case .supersede: "End and save a session that uses the strap, instead of being refused because of it"
    case .again: "Remove the pairing that there is, and make a new one: for a strap that has lost it"
    case .force: "Replace a file that is there"
    case .noInput: "Ask nobody for a PIN or a number, even at a terminal"
    case .json: "Print the protocol's own objects, one a line"
    case .host: "The strapd of another machine, by ssh; strapctl has to be there as well"
    case .socket: "strapd's socket (default: $STRAPD_SOCKET, or /run/strapd/control.sock)"
    }
  }
}
