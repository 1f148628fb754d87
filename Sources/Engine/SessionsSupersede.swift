import Control
import Measurements
import Workout

/// A call that waits until the sessions have ended that it supersedes.
struct SupersedingCall: Sendable {
  var client: ClientID
  var call: ControlCall
  /// Those that are being saved.
  var others: Set<SessionID>
}

// One strap, one session: a second one is refused, or takes the place of the first.
extension Sessions {
  /// The strap of a session that has not started is made free for it.
  ///
  /// - Returns: false where the call waits for others to end.
  mutating func takeStrap(
    _ id: SessionID, _ supersedes: Bool, _ call: ControlCall, _ client: ClientID, _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> Bool {
    guard live[id]?.machine.state == .notStarted else { return true }
    if supersedes, live[id]?.strap == nil {
      let strap = try strapToTakeOver()
      live[id]?.strap = strap
    }
    return try makeWay(on: live[id]?.strap, for: id, supersedes, call, client, &ledger, now)
  }

  /// Makes the way free for a session that is to get this strap.
  ///
  /// - Parameters:
  ///   - id: the session; nil while it is yet to be made.
  ///   - supersedes: whether others on the strap are ended, or refuse it.
  /// - Returns: false where some are being saved first: the call is performed again when they have ended.
  mutating func makeWay(
    on strap: StrapAddress?, for id: SessionID?, _ supersedes: Bool, _ call: ControlCall, _ client: ClientID,
    _ ledger: inout Ledger, _ now: Moment
  ) throws(ControlError) -> Bool {
    if strap == nil, !supersedes { return true }
    let others = live.values.filter { $0.id != id && $0.strap == strap && (strap != nil || $0.wantsStrap) }
    // Where neither has a strap yet, they wait for the same one.
    if strap == nil, others.count > 1 { throw .sessionAmbiguous(others.map(\.id).sorted()) }
    if let strap, !supersedes {
      // One to which any strap will do is not pushed aside unasked.
      let trying = live.values.filter { $0.id != id && $0.tried == strap }
      if let other = (others + trying).first(where: \.wantsStrap) { throw .strapInUse(strap, by: other.id) }
      return true
    }
    // One that only tries the strap goes on to another one, once this one is wanted by name.
    for other in others.map(\.id).sorted() { try supersede(other, &ledger, now) }
    let saving = Set(others.map(\.id).filter { live[$0] != nil })
    if !saving.isEmpty { superseding.append(SupersedingCall(client: client, call: call, others: saving)) }
    return saving.isEmpty
  }

  /// Ends a session because another one takes its place; one that has started is stopped and saved first.
  private mutating func supersede(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) throws(ControlError) {
    try end(id, reason: .superseded, cause: .user, &ledger, now)
    if live[id]?.machine.state == .ended { live[id] = nil }
  }

  /// The strap that a session takes which names none and supersedes: that of the only session that uses one; where none
  /// does, the one that is being tried, if it is the only one.
  func strapToTakeOver() throws(ControlError) -> StrapAddress? {
    let wanting = live.values.filter(\.wantsStrap)
    let straps = wanting.compactMap(\.strap).sorted()
    if straps.count > 1 { throw .strapAmbiguous(straps) }
    let tried = Set(wanting.compactMap(\.tried))
    return straps.first ?? (tried.count == 1 ? tried.first : nil)
  }

  /// The strap that a call begins to want; nil where it wants none, any, or one that is wanted already.
  func strap(wantedBy call: ControlCall) -> StrapAddress? {
    let usual: StrapAddress? = if case .success(let strap) = defaultStrap { strap } else { nil }
    func made(_ id: SessionID?) -> StrapAddress? {
      id.flatMap { live[$0] }.flatMap { $0.machine.state == .notStarted ? $0.strap : nil }
    }
    switch call {
    case .create(let configuration): return configuration.strap ?? usual
    case .prepare(let target, let request, _):
      if let named = target.session { return made(named) }
      do { return try waiting(for: request).map { made($0) } ?? request.strap ?? usual } catch { return nil }
    case .start(let target, _, _): return made(target.session ?? (live.count == 1 ? live.keys.first : nil))
    case .pause, .resume, .stop, .end, .builder, .getSession, .getStatus, .watch, .listWorkouts, .getTotals,
      .getTimings,
      .getWorkout, .restore, .revise, .listEdits, .athlete, .importing, .getRecording,
      .listEvents, .getPostExercise, .getSamples, .resetEnergy, .pair, .answerPairing, .listStraps, .nameStrap,
      .forgetStrap, .scan, .backup, .verify:
      return nil
    }
  }

  /// Performs the calls whose sessions have got their way, in the order in which they came.
  mutating func goOnSuperseding(_ ledger: inout Ledger, at now: Moment) -> [SessionsEffect] {
    let calls = superseding
    superseding.removeAll()
    for waiting in calls {
      if waiting.others.contains(where: { live[$0] != nil }) {
        superseding.append(waiting)
      } else {
        perform(waiting.call, for: waiting.client, into: &ledger, at: now)
      }
    }
    return takeEffects()
  }
}
