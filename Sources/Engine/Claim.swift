import Measurements
import Workout

/// Why a strap's link is held. It is released when the last claim on it is given back.
enum Claim: Hashable, Sendable {
  /// A session from prepared until it has ended.
  case session(SessionID)
  /// The series after the exercise of a session that has ended.
  case postExercise(SessionID)
  /// A client that pairs the strap.
  case pairing(ClientID)
  /// A client that watches the strap's live values, for as long as it stays.
  case monitor(ClientID)
  /// The configuration wants the strap's workouts to begin by themselves.
  case unattended(StrapAddress)
}

extension Claim {
  /// Whether a claimant that wants any strap may be given one that is held by another claim: who only looks on takes
  /// nothing from anybody.
  func shares(with other: Claim) -> Bool {
    switch (self, other) {
    case (_, .pairing), (.pairing, _): false
    case (.session, .session): false
    case (.session, .monitor), (.monitor, .session), (.monitor, .monitor): true
    // It ends when another session begins to run.
    case (_, .postExercise), (.postExercise, _): true
    case (_, .unattended), (.unattended, _): true
    }
  }
}

/// Sessions go first where several want the same strap.
extension Claim: Comparable {
  static func < (a: Claim, b: Claim) -> Bool {
    switch (a, b) {
    case (.session(let x), .session(let y)), (.postExercise(let x), .postExercise(let y)): x < y
    case (.pairing(let x), .pairing(let y)), (.monitor(let x), .monitor(let y)): x < y
    case (.unattended(let x), .unattended(let y)): x < y
    case (.session, _), (.postExercise, _), (.pairing, _), (.monitor, _), (.unattended, _): a.rank < b.rank
    }
  }

  /// Those of a lower rank go first.
  var rank: Int {
    switch self {
    case .session: 0
    case .postExercise: 1
    case .pairing: 2
    case .monitor: 3
    case .unattended: 4
    }
  }
}
