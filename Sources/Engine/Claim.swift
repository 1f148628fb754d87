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
    }
  }
}

/// Sessions go first where several want the same strap.
extension Claim: Comparable {
  static func < (a: Claim, b: Claim) -> Bool {
    switch (a, b) {
    case (.session(let x), .session(let y)), (.postExercise(let x), .postExercise(let y)): x < y
    case (.session, .postExercise), (.postExercise, .pairing), (.postExercise, .monitor): true
    case (.postExercise, .session), (.pairing, .postExercise), (.monitor, .postExercise): false
    case (.pairing(let x), .pairing(let y)), (.monitor(let x), .monitor(let y)): x < y
    case (.session, .pairing), (.session, .monitor), (.pairing, .monitor): true
    case (.pairing, .session), (.monitor, .session), (.monitor, .pairing): false
    }
  }
}
