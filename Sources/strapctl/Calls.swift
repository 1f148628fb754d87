import Control
import Measurements
import Workout

extension Command {
  /// The call that a command on a session makes; nil for the others, which have a way of their own.
  var sessionCall: VarlinkCall? {
    switch self {
    case .create(let wish): Self.call("Create", nil, wish.members)
    case .prepare(let session, let wish, let supersedes):
      Self.call("Prepare", session, wish.members + Self.superseding(supersedes))
    case .start(let session, let time, let supersedes):
      Self.call("Start", session, time.members + Self.superseding(supersedes))
    case .pause(let session): Self.call("Pause", session)
    case .resume(let session): Self.call("Resume", session)
    case .stop(let session, let date): Self.call("Stop", session, date.map { [.init("date", .string($0))] } ?? [])
    case .end(let session): Self.call("End", session)
    case .cancel(let session): Self.call("CancelCountdown", session)
    case .lap(let session, let label): Self.call("Lap", session, Self.labelled(label))
    case .mark(let session, let label): Self.call("Marker", session, Self.labelled(label))
    case .beginActivity(let session, let activity, let location, let label):
      Self.call(
        "BeginActivity", session,
        [.init("activity", .string(activity))] + (location.map { [.init("location", .string($0.rawValue))] } ?? [])
          + Self.labelled(label))
    case .endActivity(let session): Self.call("EndActivity", session)
    case .discard(let session): Self.call("Discard", session)
    case .status, .watch, .monitor, .list, .totals, .show, .samples, .revise, .history, .athletes, .athlete,
      .resetEnergy, .scan, .straps, .timings, .bridge,
      .pair,
      .name,
      .forget, .trash,
      .restore,
      .demo,
      .doctor, .backup, .export, .importing, .verify:
      nil
    }
  }

  private static func superseding(_ supersedes: Bool) -> [JSON.Member] {
    supersedes ? [.init("supersede", .bool(true))] : []
  }

  private static func labelled(_ label: String?) -> [JSON.Member] {
    label.map { [.init("label", .string($0))] } ?? []
  }

  static func call(_ method: String, _ session: SessionID? = nil, _ members: [JSON.Member] = []) -> VarlinkCall {
    let named = session.map { [JSON.Member("session", .string($0.description))] } ?? []
    return VarlinkCall("\(Interface.name).\(method)", .object(named + members))
  }

  static let watchCall = VarlinkCall("\(Interface.name).Watch", more: true)

  static func watchCall(_ wish: WatchWish) -> VarlinkCall {
    VarlinkCall(watchCall.method, wish.parameters, more: true)
  }

  static let verifyCall = VarlinkCall("\(Interface.name).Verify", more: true)

  static let backupCall = VarlinkCall("\(Interface.name).Backup", more: true)

  /// - Parameter straps: none means any.
  static func monitorCall(_ straps: [String], adapter: StrapAddress?) -> VarlinkCall {
    let wanted: JSON.Member =
      straps.isEmpty
      ? .init("anyStrap", .bool(true)) : .init("straps", .array(straps.map(JSON.string)))
    let chosen = adapter.map { [JSON.Member("adapter", .string($0.description))] } ?? []
    return VarlinkCall(watchCall.method, .object([wanted] + chosen), more: true)
  }

  static func getWorkout(_ id: String) -> VarlinkCall {
    call("GetWorkout", nil, [.init("id", .string(id))])
  }

  static func getSamples(_ id: SessionID, _ wish: SamplesWish) -> VarlinkCall {
    VarlinkCall(
      "\(Interface.name).GetSamples", .object([.init("id", .string(id.description))] + wish.members), more: true)
  }

  static func resetEnergy(_ strap: String?) -> VarlinkCall {
    call("ResetEnergy", nil, strap.map { [.init("strap", .string($0))] } ?? [])
  }

  /// - Parameter interactive: a person is there to be asked.
  static func pair(_ strap: String?, again: Bool, interactive: Bool) -> VarlinkCall {
    let members: [JSON.Member?] = [
      strap.map { .init("strap", .string($0)) }, again ? .init("again", .bool(true)) : nil,
      interactive ? .init("interactive", .bool(true)) : nil,
    ]
    return VarlinkCall("\(Interface.name).Pair", .object(members.compactMap { $0 }), more: true)
  }

  static func answerPairing(_ strap: String, _ answer: PairingAnswer) -> VarlinkCall {
    let accept = JSON.Member("accept", .bool(answer != .no))
    let value: JSON.Member? =
      switch answer {
      case .yes, .no: nil
      case .pinCode(let text): .init("pinCode", .string(text))
      case .passkey(let number): .init("passkey", .integer(Int64(number)))
      }
    return call("AnswerPairing", nil, [.init("strap", .string(strap)), accept] + (value.map { [$0] } ?? []))
  }

  static func scanCall(all: Bool, adapter: StrapAddress? = nil) -> VarlinkCall {
    let chosen = adapter.map { [JSON.Member("adapter", .string($0.description))] } ?? []
    return VarlinkCall(
      "\(Interface.name).Scan", .object((all ? [.init("all", .bool(true))] : []) + chosen), more: true)
  }

  static func nameStrap(_ strap: String, _ name: String?, _ athlete: String?) -> VarlinkCall {
    let said = [name.map { JSON.Member("name", .string($0)) }, athlete.map { .init("athlete", .string($0)) }]
    return call("NameStrap", nil, [.init("strap", .string(strap))] + said.compactMap { $0 })
  }

  static func forgetStrap(_ strap: String) -> VarlinkCall {
    call("ForgetStrap", nil, [.init("strap", .string(strap))])
  }

  static func restore(_ id: String) -> VarlinkCall {
    call("Restore", nil, [.init("id", .string(id))])
  }

  /// The finished workouts, or those in the trash.
  static func listWorkouts(
    _ limit: Int, page: String?, inTrash: Bool = false, _ filter: HistoryFilter = HistoryFilter()
  ) -> VarlinkCall {
    call(
      inTrash ? "ListTrash" : "ListWorkouts", nil,
      (page.map { [.init("page", .string($0))] } ?? []) + [.init("limit", .integer(Int64(limit)))] + filter.members)
  }

  static func getTotals(_ period: CalendarPeriod, _ filter: HistoryFilter) -> VarlinkCall {
    call("GetTotals", nil, [.init("by", .string(period.rawValue))] + filter.members)
  }
}

extension StartTime {
  fileprivate var members: [JSON.Member] {
    switch self {
    case .now: []
    case .at(let date): [.init("date", .string(date))]
    case .countdown(let seconds): [.init("countdownSeconds", .real(seconds))]
    case .firstBeat: [.init("atFirstBeat", .bool(true))]
    }
  }
}

extension HistoryFilter {
  fileprivate var members: [JSON.Member] {
    [
      ("activity", activity), ("athlete", athlete), ("strap", strap), ("title", title), ("since", since),
      ("until", until),
    ].compactMap {
      name, value in value.map { JSON.Member(name, .string($0)) }
    }
  }
}

extension Wish {
  fileprivate var members: [JSON.Member] {
    [
      activity.map { .init("activity", .string($0)) }, location.map { .init("location", .string($0.rawValue)) },
      strap.map { .init("strap", .string($0)) },
      adapter.map { .init("adapter", .string($0.description)) },
    ].compactMap { $0 }
  }
}
