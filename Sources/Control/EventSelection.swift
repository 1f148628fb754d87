import Measurements
import Workout

/// Which events a client of Watch wants, and how often.
public struct EventSelection: Hashable, Sendable {
  /// Only of these sessions; nil means of all.
  public var sessions: Set<SessionID>?
  /// Only of these straps; nil means of all.
  public var straps: Set<StrapAddress>?
  /// Only of these kinds; nil means of all.
  public var kinds: Set<EventKind>?
  /// Those with a higher number than this that are still known come first.
  public var since: Int64?
  /// How often measurements are told.
  public var rate: WatchRate

  public init(
    sessions: Set<SessionID>? = nil, straps: Set<StrapAddress>? = nil, kinds: Set<EventKind>? = nil,
    since: Int64? = nil, rate: WatchRate = .every
  ) {
    self.sessions = sessions
    self.straps = straps
    self.kinds = kinds
    self.since = since
    self.rate = rate
  }

  /// Whether an event is of the sessions and straps that are wanted. What is of no session and no strap concerns
  /// everybody.
  public func concerns(_ event: Event) -> Bool {
    if event.session == nil, event.strap == nil { return true }
    if let straps {
      guard let strap = event.strap, straps.contains(strap) else { return false }
    }
    guard let sessions else { return true }
    if let session = event.session, sessions.contains(session) { return true }
    guard case .heartRate(_, _, _, let series?) = event.what else { return false }
    return sessions.contains(series)
  }

  /// Whether events of this kind are wanted.
  public func takes(_ kind: EventKind) -> Bool { kinds?.contains(kind) ?? true }

  /// The sessions and straps whose events are wanted: a session with its strap, a strap with its session.
  public func narrowed(_ status: StatusSnapshot) -> StatusSnapshot {
    var status = status
    status.sessions.removeAll { session in
      let isWanted = sessions?.contains(session.record.id) ?? true
      let isOnWanted = straps.map { straps in session.record.strap.map(straps.contains) ?? false } ?? true
      return !isWanted || !isOnWanted
    }
    let used = Set(status.sessions.compactMap(\.record.strap))
    status.straps.removeAll { strap in
      let isWanted = straps?.contains(strap.address) ?? true
      return !isWanted || (sessions != nil && !used.contains(strap.address))
    }
    return status
  }
}

/// How often a watcher is told of measurements.
public enum WatchRate: String, CaseIterable, Hashable, Sendable {
  /// Of every one.
  case every
  /// Of the newest one of each strap and session, once a second at most.
  case second
  /// The same, once in five seconds.
  case fiveSeconds
  /// Of those that tell another heart rate, contact or availability, or count where the one before did not.
  case change

  /// The time between two; nil where it is not time that decides.
  public var interval: Duration? {
    switch self {
    case .every, .change: nil
    case .second: .seconds(1)
    case .fiveSeconds: .seconds(5)
    }
  }
}

/// The kinds of events, by their names on the wire.
public enum EventKind: String, CaseIterable, Hashable, Sendable {
  case transition, heartRate, availability, gap, link, battery, countdown, recovered, clockStep, gapFixed, lap, segment,
    marker, activityBegan, activityEnded, pauseOrResumeRequest, types, zone, alert, goal, session, failed, host,
    unattended, postExerciseEnded, discarded, restored
}

extension ParameterReader {
  /// What a watcher wants to be told.
  mutating func selection() throws(ControlError) -> EventSelection {
    let sessions = try list("sessions") { $0.asString.flatMap { SessionID($0) } }
    let kinds = try list("kinds") { $0.asString.flatMap { EventKind(rawValue: $0) } }
    let straps = try strapList("ofStraps")
    let since = try take("since") { $0.asInteger.flatMap { $0 >= 0 ? $0 : nil } }
    let rate = try take("rate") { $0.asString.flatMap { WatchRate(rawValue: $0) } }
    return EventSelection(
      sessions: sessions.map { Set($0) }, straps: straps.map { Set($0) }, kinds: kinds.map { Set($0) }, since: since,
      rate: rate ?? .every)
  }

  /// A list with something in it; nil where it is absent or null.
  private mutating func list<T>(_ name: String, _ read: (JSON) -> T?) throws(ControlError) -> [T]? {
    try take(name) { value -> [T]? in
      guard let elements = value.asArray, !elements.isEmpty else { return nil }
      let read = elements.compactMap(read)
      return read.count == elements.count ? read : nil
    }
  }

  /// Straps by their addresses or names, each once.
  mutating func strapList(_ name: String) throws(ControlError) -> [StrapAddress]? {
    guard let texts = try list(name, \.asString) else { return nil }
    var straps: [StrapAddress] = []
    for text in texts {
      guard let strap = try strap(called: text) else { throw .invalidParameter(name) }
      if !straps.contains(strap) { straps.append(strap) }
    }
    return straps
  }
}
