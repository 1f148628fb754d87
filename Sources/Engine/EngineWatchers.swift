import Control
import Measurements
import Workout

// What watchers are told. It is done when the effects are, since what they are told then is in the order of the numbers.
extension Engine {
  /// What comes of the effect `publish`: the event goes to whoever watches, its octets made once.
  public mutating func publish(_ event: Event, at now: Moment) -> [Effect] {
    let encoded = EncodedEvent(
      event, held: ledger.held != nil && isToBeWritten(event), durableThrough: ledger.durableThrough)
    return released(subscriptions.tell(encoded, ledger.durableThrough, at: now), now)
  }

  /// What comes of the effect `beginWatch`.
  public mutating func beginWatch(_ client: ClientID, _ snapshot: WatchSnapshot, at now: Moment) -> [Effect] {
    released(subscriptions.begin(client, snapshot), now)
  }

  /// What comes of the effect `tellDue`.
  public mutating func tellDue(at now: Moment) -> [Effect] {
    released(subscriptions.tellDue(ledger.durableThrough, at: now), now)
  }

  /// The adapter's word after each `write`: so many octets for the client are not sent.
  public mutating func wrote(to client: ClientID, unsent: Int) -> [Effect] {
    subscriptions.wrote(to: client, unsent: unsent) ? [.tellWhenDrained(client)] : []
  }

  /// Who a client is, for the journal.
  public func caller(_ client: ClientID) -> Caller? { subscriptions.caller(client) }

  /// Whether an event is one that the store keeps: of what straps send, what belongs to a session, up to hold_limit.
  private func isToBeWritten(_ event: Event) -> Bool {
    guard case .heartRate(_, _, _, let series) = event.what else { return event.session != nil }
    return !sessions.isStorageFull && (event.session ?? series) != nil
  }

  private mutating func released(_ told: [SubscriptionsEffect], _ now: Moment) -> [Effect] {
    route(told, now)
    deadlines.set(.watchers, subscriptions.nextTelling)
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }
}
