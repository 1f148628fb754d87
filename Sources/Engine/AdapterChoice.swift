import Measurements

/// By which adapter a strap is reached, where nobody has said it: by the one that hears it best, and after a failure by
/// another one.
struct AdapterChoice: Equatable, Sendable {
  /// The adapter that was chosen; nil while none is.
  private(set) var adapter: StrapAddress?
  /// Until when those that may yet hear the strap are waited for; nil while nothing is to be decided.
  private(set) var decision: Tick?
  /// Adapters by which it went wrong since the strap was last received, the one whose turn it is longest first.
  private var failures: [StrapAddress] = []
  /// The chosen one is among them by what has happened since it was chosen.
  private var hasFailed = false

  /// An adapter of this machine, and what it knows of the strap.
  struct Candidate: Equatable, Sendable {
    var adapter: StrapAddress
    var isPowered = true
    /// It has an object for the strap.
    var isKnowing = false
    var isConnected = false
    /// It has keys of the strap, which the others have not.
    var isBonded = false
    /// Signal strength in dBm, while it is heard.
    var signal: Int16?
  }

  /// How long the others may take to hear what one has heard.
  static let comparing = Duration.seconds(1)
  /// How long a strap that is known may not be heard before it is tried all the same.
  static let listening = Duration.seconds(3)

  /// Something went wrong by the chosen one.
  mutating func fail() {
    guard let adapter else { return }
    failures.removeAll { $0 == adapter }
    failures.append(adapter)
    hasFailed = true
  }

  /// Measurements come by the chosen one.
  mutating func succeed() {
    failures = []
    hasFailed = false
  }

  /// The strap is wanted from now on: whoever hears it best now is to be found out.
  mutating func begin() {
    take(nil)
    failures = []
  }

  /// Somebody has said which adapter it is to be.
  mutating func fix(_ adapter: StrapAddress) {
    take(adapter)
  }

  /// Chooses anew.
  ///
  /// - Parameter now: nil while nobody wants the strap, so that no scan may be waited for.
  mutating func choose(among candidates: [Candidate], wantedAt now: Tick?) {
    let ready = candidates.filter(\.isPowered)
    let known = ready.filter(\.isKnowing)
    if let connected = known.first(where: { $0.isConnected && $0.adapter == adapter })
      ?? known.first(where: \.isConnected)
    {
      take(connected.adapter)
    } else if ready.count <= 1 {
      // Where all are off, it stays with the one that it had, which may come on again.
      let only = ready.first ?? (candidates.count == 1 ? candidates.first : nil)
      take(only?.adapter ?? candidates.first { $0.adapter == adapter }?.adapter)
    } else if let next = other(than: adapter, of: known) {
      if next.adapter != adapter { take(next.adapter) }
    } else {
      listen(to: ready, known, now)
    }
  }

  /// Where it goes from an adapter that it has: nowhere, unless that has failed and another one hears the strap.
  private func other(than adapter: StrapAddress?, of known: [Candidate]) -> Candidate? {
    guard let current = known.first(where: { $0.adapter == adapter }) else { return nil }
    guard hasFailed else { return current }
    return inTurn(known.filter { $0.adapter != adapter && $0.signal != nil }).first ?? current
  }

  private mutating func listen(to ready: [Candidate], _ known: [Candidate], _ now: Tick?) {
    let heard = inTurn(known.filter { $0.signal != nil })
    let first = heard.first ?? inTurn(known).first
    guard let now, let first else { return take(first?.adapter) }
    adapter = nil
    let latest = now + (heard.isEmpty ? Self.listening : Self.comparing)
    let limit = min(decision ?? latest, latest)
    if heard.count == ready.count || limit <= now { take(first.adapter) } else { decision = limit }
  }

  private mutating func take(_ adapter: StrapAddress?) {
    self.adapter = adapter
    decision = nil
    hasFailed = false
  }

  /// Those that have not failed first, among them those that are bonded, then the strongest; then those whose failure is
  /// longest ago.
  private func inTurn(_ candidates: [Candidate]) -> [Candidate] {
    candidates.sorted { a, b in
      let turns = (failures.firstIndex(of: a.adapter) ?? -1, failures.firstIndex(of: b.adapter) ?? -1)
      if turns.0 != turns.1 { return turns.0 < turns.1 }
      if a.isBonded != b.isBonded { return a.isBonded }
      return (a.signal ?? .min, b.adapter) > (b.signal ?? .min, a.adapter)
    }
  }
}
