import Control
import Measurements
import Workout

// Who watches, and what they are told.
extension Subscriptions {
  /// The client's Watch begins with this snapshot; what it is told of then follows the snapshot.
  mutating func watch(_ id: ClientID, _ selection: EventSelection, from snapshot: WatchSnapshot)
    -> [SubscriptionsEffect]
  {
    guard startWatching(id) else { return [] }
    watchers[id] = Watcher(selection, after: snapshot.status.sequence)
    return [.beginWatch(id, snapshot)] + goOn(id)
  }

  /// The snapshot, and what is known since the number that the client has named.
  mutating func begin(_ id: ClientID, _ snapshot: WatchSnapshot) -> [SubscriptionsEffect] {
    guard var watcher = watchers[id] else { return [] }
    let isRedacted = isRedacted(id)
    var (snapshot, octets) = (snapshot, [UInt8]())
    if let since = watcher.selection.since {
      snapshot.replaysAfter = max(since, recent.knownAfter)
      snapshot.hasMissed = since < recent.knownAfter
      var last: Tick?
      for event in recent.after(since) where event.event.sequence <= watcher.after {
        if case .heartRate(let sample, _, _, _) = event.event.what { last = sample.tick }
        for told in watcher.take(event, isRedacted: isRedacted, at: last) { octets += message(of: told, isRedacted) }
      }
    }
    let whole = snapshot.message + octets
    watcher.write(atOnce: whole.count)
    watchers[id] = watcher
    return [.write(id, whole)]
  }

  /// Something that concerns this watcher alone.
  mutating func tell(_ id: ClientID, _ notice: MonitorNotice) -> [SubscriptionsEffect] {
    watchers[id] == nil ? [] : [.write(id, notice.message)]
  }

  /// Something has happened.
  mutating func tell(_ event: EncodedEvent, _ durableThrough: Int64, at now: Moment) -> [SubscriptionsEffect] {
    recent.add(event)
    var effects: [SubscriptionsEffect] = []
    for id in watchers.keys.sorted() {
      guard let after = watchers[id]?.after, after < event.event.sequence else { continue }
      let isRedacted = isRedacted(id)
      let told = watchers[id]?.take(event, isRedacted: isRedacted, at: now.tick) ?? []
      effects += write(told, to: id, durableThrough, now)
    }
    return effects
  }

  /// What has waited long enough, and what was left out for those who have caught up.
  mutating func tellDue(_ durableThrough: Int64, at now: Moment) -> [SubscriptionsEffect] {
    var effects: [SubscriptionsEffect] = []
    for id in watchers.keys.sorted() {
      let told = watchers[id]?.takeDue(at: now.tick) ?? []
      effects += write(told, to: id, durableThrough, now)
      if watchers[id]?.hasCaughtUp == true { effects += writeLag(to: id, durableThrough, now) }
    }
    return effects
  }

  /// When some of what waits is due.
  var nextTelling: Tick? { watchers.values.compactMap(\.pace.due).min() }

  /// So many octets for a client are not sent.
  ///
  /// - Returns: whether it is to be asked for when they are.
  mutating func wrote(to id: ClientID, unsent: Int) -> Bool { watchers[id]?.wrote(unsent: unsent) ?? false }

  private mutating func write(_ told: [WatchPace.Told], to id: ClientID, _ durableThrough: Int64, _ now: Moment)
    -> [SubscriptionsEffect]
  {
    var effects: [SubscriptionsEffect] = []
    for one in told {
      if watchers[id]?.leavesOut(one) == true { continue }
      effects += writeLag(to: id, durableThrough, now)
      effects += write(message(of: one, isRedacted(id)), to: id)
    }
    return effects
  }

  private mutating func writeLag(to id: ClientID, _ durableThrough: Int64, _ now: Moment) -> [SubscriptionsEffect] {
    watchers[id]?.takeLag(now.wall, durableThrough).map { write($0.message, to: id) } ?? []
  }

  private mutating func write(_ octets: [UInt8], to id: ClientID) -> [SubscriptionsEffect] {
    guard watchers[id] != nil else { return [] }
    if watchers[id]?.mayWrite(octets.count) == true { return [.write(id, octets)] }
    let text =
      "a watcher is cut off (\(caller(id) ?? Caller())): it does not read, and more than \(Watcher.mostUnsent) octets wait"
    gone(id)
    return [.drop(id, text)]
  }

  private mutating func message(of told: WatchPace.Told, _ isRedacted: Bool) -> [UInt8] {
    EncodedEvent.message(recent.message(of: told.event, isRedacted: isRedacted), standingFor: told.count)
  }
}
