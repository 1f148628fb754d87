import BlueZ
import Control
import Measurements
import Workout

/// Why somebody who wants any strap has none yet, and what helps.
struct SearchTrouble: Hashable, Sendable {
  var text: String
  var kind: Kind

  enum Kind: Hashable, Sendable {
    /// This machine cannot look for straps.
    case host
    /// None is there that is free.
    case sight
    /// One was tried, which holds until another one has shown to be better.
    case trial
  }
}

// What is told to those who want any strap, while they have none.
extension Roster {
  /// Tells it, if it is news.
  mutating func note(_ claim: Claim, _ trouble: SearchTrouble?) {
    guard searchTroubles[claim] != trouble else { return }
    searchTroubles[claim] = trouble
    effects.append(.event(.searching(claim, why: trouble?.text)))
  }

  /// It is this machine that keeps straps from being found, or was and is no more.
  mutating func noteHost(for claim: Claim) {
    if isWorking(for: claim, nil) == false, let advice = advice(for: claim, nil) {
      note(claim, SearchTrouble(text: advice, kind: .host))
    } else if searchTroubles[claim]?.kind == .host {
      note(claim, nil)
    }
  }

  /// No strap is there to be tried.
  func whyNoneIsFree(for claim: Claim) -> String {
    var users: [StrapAddress: String] = [:]
    for (strap, link) in links {
      let other = link.claims.sorted().first { !claim.shares(with: $0) }
      guard let other, mirror.tree.devices.values.contains(where: { $0.address == link.address }) else { continue }
      users[strap] =
        switch other {
        case .session(let id): "\(name(of: strap)) by the session \(id)"
        case .pairing: "\(name(of: strap)) is being paired"
        case .postExercise, .monitor, .unattended: "\(name(of: strap)) by a client"
        }
    }
    guard !users.isEmpty else {
      return
        "no strap is in sight: wear it and wet the electrodes; if it is worn, it is probably held by another central "
        + "(a watch, a phone)"
    }
    let list = users.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
    let end = users.count == 1 ? "end that session" : "end one of those sessions"
    return "every strap in sight is in use: \(list); wear another one and wet its electrodes, or \(end)"
  }
}
