import Measurements
import Workout

/// What every watcher is told, in the order of the sequence numbers.
public struct Event: Hashable, Sendable {
  public var sequence: Int64
  public var date: WallTime
  public var what: What
  public var session: SessionID?
  public var strap: StrapAddress?

  public enum What: Hashable, Sendable {
    case transition(Transition)
    /// A measurement of a strap, `counted` where it counts in the session's statistics.
    /// Where it belongs to the series after a workout's end, that is told of it as well.
    case heartRate(HeartRateSample, availability: Availability, counted: Bool, postExercise: SessionID? = nil)
    /// A series became available or ceased to be.
    case availability(Availability)
    /// No measurement has come for too long; the last one came then.
    case gap(since: WallTime)
    /// A strap's link changed.
    case link(StrapSnapshot)
    /// Whole seconds to the start; nil where the countdown, or the wait for the first beat, was cancelled.
    case countdown(remaining: Int?)
    /// A strap's battery has come down to one of the levels that are worth a word (`LowBattery.thresholds`).
    case battery(BatteryLevel, threshold: UInt8, isUnreliable: Bool)
    /// The session was found live when the daemon started, which had been away since `lastAlive`.
    case recovered(lastAlive: WallTime?, gap: Gap? = nil)
    /// The wall clock was set by so much.
    case clockStep(Duration)
    /// The gap across a reboot was taken to be `was`, and is told by the right clock now.
    case gapFixed(was: Duration, now: Duration, isProvisional: Bool)
    case lap(LapSnapshot)
    case segment(WorkoutInterval)
    case marker(DatedTick, label: String?)
    case activityBegan(ActivitySnapshot)
    case activityEnded(ActivitySnapshot)
    /// Somebody wants the workout to be paused or resumed, and leaves that to whoever leads it.
    case pauseOrResumeRequest
    /// What is collected from here on.
    case types([CollectedType])
    /// The heart rate is in another zone than the value before.
    case zone(Int, previous: Int?)
    /// An alert went on or off.
    case alert(WorkoutAlert, isOn: Bool)
    case goal(WorkoutGoal)
    /// Something about the session has changed that has no event of its own.
    case session(SessionSnapshot)
    /// The session is being stopped by an error; the transitions follow.
    case failed(EndReason)
    /// Whether this machine can receive from a strap has changed, with what to do where it cannot.
    case host(isWorking: Bool, advice: String?)
    /// What has come, or would have, of a strap's having been worn.
    case unattended(UnattendedNews)
    /// The series after the workout's end is over.
    case postExerciseEnded
    /// The workout went to the trash.
    case discarded
    /// The workout came back from the trash.
    case restored
  }

  public init(sequence: Int64, date: WallTime, what: What, session: SessionID? = nil, strap: StrapAddress? = nil) {
    self.sequence = sequence
    self.date = date
    self.what = what
    self.session = session
    self.strap = strap
  }

  /// The name of the event's kind on the wire.
  public var kind: String { what.kind.rawValue }

  /// The event as a reply to Watch, the same octets for every watcher.
  ///
  /// - Parameters:
  ///   - held: the store could not write it yet, so it would not survive the daemon's death.
  ///   - durableThrough: events up to this number survive a power cut.
  ///   - redacted: for watchers whose users' screens are locked.
  public func message(held: Bool, durableThrough: Int64, redacted: Bool = false) -> [UInt8] {
    var members: [JSON.Member] = [
      .init("sequence", .integer(sequence)), .init("kind", .string(kind)), .init("date", .string(date.rfc3339)),
    ]
    if let session { members.append(.init("session", .string(session.description))) }
    if let strap { members.append(.init("strap", .string(strap.description))) }
    members += detail
    members.append(.init("durableThrough", .integer(durableThrough)))
    if held { members.append(.init("held", .bool(true))) }
    let reply = VarlinkReply(.object(members), continues: true)
    return (redacted ? reply.redactedForWatcher : reply).message
  }

  private var detail: [JSON.Member] {
    switch what {
    case .transition(let transition):
      var members: [JSON.Member] = [
        .init("from", .string(transition.from.rawValue)), .init("to", .string(transition.to.rawValue)),
        .init("cause", .string(transition.cause.rawValue)),
      ]
      if let date = transition.at.requested { members.append(.init("requestedDate", .string(date.rfc3339))) }
      if let reason = transition.endReason { members.append(.init("endReason", .string(reason.rawValue))) }
      return members
    case .heartRate(let sample, let availability, let counted, let postExercise):
      return sample.members(at: date)
        + JSON.members([
          "availability": .string(availability.rawValue), "counted": .bool(counted),
          "postExercise": postExercise.map { .string($0.description) },
        ])
    case .availability(let availability): return [.init("availability", .string(availability.rawValue))]
    case .gap(let since): return [.init("sinceDate", .string(since.rfc3339))]
    case .link(let strap):
      var members: [JSON.Member] = [.init("link", .string(strap.link))]
      if let trouble = strap.trouble { members.append(.init("trouble", .string(trouble))) }
      if let battery = strap.battery {
        members.append(.init("batteryPercent", .integer(Int64(battery.percent))))
        if let doubt = strap.batteryDoubt { members.append(.init("batteryUnreliable", doubt)) }
      }
      return members
    case .battery(let level, let threshold, let isUnreliable):
      let members: [JSON.Member] = [
        .init("batteryPercent", .integer(Int64(level.percent))), .init("thresholdPercent", .integer(Int64(threshold))),
      ]
      return members + (isUnreliable ? [.init("batteryUnreliable", .bool(true))] : [])
    case .countdown(let remaining?): return [.init("remainingSeconds", .integer(Int64(remaining)))]
    case .countdown(nil): return [.init("cancelled", .bool(true))]
    case .recovered(let lastAlive, let gap):
      return JSON.members([
        "lastAliveDate": lastAlive.map { .string($0.rfc3339) }, "gapSeconds": gap.map { .real($0.duration.inSeconds) },
        "rebooted": gap.map { .bool($0.isReboot) }, "provisional": gap.map { .bool($0.isProvisional) },
      ])
    case .clockStep(let step): return [.init("stepSeconds", .real(step.inSeconds))]
    case .gapFixed(let was, let now, let isProvisional):
      return [
        .init("gapSeconds", .real(now.inSeconds)), .init("previousGapSeconds", .real(was.inSeconds)),
        .init("provisional", .bool(isProvisional)),
      ]
    case .lap(let lap): return [.init("lap", lap.json)]
    case .segment(let segment):
      return JSON.members([
        "startDate": .string(segment.start.date.rfc3339), "endDate": .string(segment.end.date.rfc3339),
        "label": segment.label.map(JSON.string),
      ])
    case .marker(let moment, let label):
      return JSON.members(["startDate": .string(moment.date.rfc3339), "label": label.map(JSON.string)])
    case .activityBegan(let activity), .activityEnded(let activity): return [.init("activity", activity.json)]
    case .types(let types): return [.init("typesToCollect", .array(types.map { .string($0.rawValue) }))]
    case .zone(let zone, let previous):
      return JSON.members(["zone": .integer(Int64(zone)), "previousZone": previous.map { .integer(Int64($0)) }])
    case .alert(let alert, let isOn): return [.init("alert", alert.json), .init("active", .bool(isOn))]
    case .goal(let goal): return [.init("goal", goal.json)]
    case .session(let session): return [.init("snapshot", session.json)]
    case .failed(let reason): return [.init("endReason", .string(reason.rawValue))]
    case .host(let isWorking, let advice):
      return JSON.members(["working": .bool(isWorking), "advice": advice.map(JSON.string)])
    case .unattended(let news): return news.members
    case .pauseOrResumeRequest, .postExerciseEnded, .discarded, .restored: return []
    }
  }
}

extension Event.What {
  public var kind: EventKind {
    switch self {
    case .transition: .transition
    case .heartRate: .heartRate
    case .availability: .availability
    case .gap: .gap
    case .link: .link
    case .battery: .battery
    case .countdown: .countdown
    case .recovered: .recovered
    case .clockStep: .clockStep
    case .gapFixed: .gapFixed
    case .lap: .lap
    case .segment: .segment
    case .marker: .marker
    case .activityBegan: .activityBegan
    case .activityEnded: .activityEnded
    case .pauseOrResumeRequest: .pauseOrResumeRequest
    case .types: .types
    case .zone: .zone
    case .alert: .alert
    case .goal: .goal
    case .session: .session
    case .failed: .failed
    case .host: .host
    case .unattended: .unattended
    case .postExerciseEnded: .postExerciseEnded
    case .discarded: .discarded
    case .restored: .restored
    }
  }
}
