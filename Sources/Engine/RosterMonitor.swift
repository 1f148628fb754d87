import Control
import Measurements

// Heart rate without a workout: a client that watches a strap holds its link.
extension Roster {
  /// Holds the links of the straps that a client watches, until `release`.
  mutating func monitor(_ request: MonitorRequest, for client: ClientID, at now: Moment) -> [RosterEffect] {
    let claim = Claim.monitor(client)
    var all: [RosterEffect] = []
    let wanted: [StrapAddress?] = request.wantsAny ? [usualStrap ?? onlyOneStreaming] : request.straps
    for strap in wanted {
      // The client is told before the strap's events come.
      effects.append(.event(.trying(claim, strap)))
      all += want(claim, strap, by: request.adapter, at: now)
    }
    return all
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
