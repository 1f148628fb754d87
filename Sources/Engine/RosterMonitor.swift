import Control
import Measurements

// Heart rate without a workout: a client that watches a strap holds its link.
extension Roster {
  /// Holds the links of the straps that a client watches, until `release`.
  mutating func monitor(_ request: MonitorRequest, for client: ClientID, at now: Moment) -> [RosterEffect] {
    let claim = Claim.monitor(client)
    var all: [RosterEffect] = []
    for strap in request.straps { all += monitor(strap, for: claim, at: now) }
    if request.wantsAny { all += monitor(usualStrap ?? onlyOneStreaming, for: claim, at: now) }
    return all
  }

  private mutating func monitor(_ strap: StrapAddress?, for claim: Claim, at now: Moment) -> [RosterEffect] {
    // The client is told before the strap's events come.
    effects.append(.event(.trying(claim, strap)))
    return want(claim, strap, at: now)
  }

  /// A strap that streams already needs no search; among several the strongest is taken like any other.
  private var onlyOneStreaming: StrapAddress? {
    let streaming = links.filter { $0.value.machine.status == .streaming }.keys
    return streaming.count == 1 ? streaming.first : nil
  }

  /// How many clients watch a strap.
  func monitors(of strap: StrapAddress) -> Int {
    links[strap]?.claims.count { if case .monitor = $0 { true } else { false } } ?? 0
  }
}
