import Measurements
import Workout

/// Why a strap's link is held. It is released when the last claim on it is given back.
enum Claim: Hashable, Sendable {
  /// A session from prepared until it has ended.
  case session(SessionID)
  /// A client that pairs the strap.
  case pairing(ClientID)
}
