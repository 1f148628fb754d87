/// What is known of one series (heart rate, …) at the moment, whatever the session's state.
public enum Availability: String, Hashable, Sendable, CaseIterable {
  /// Wanted, and the strap is being found or has not sent anything yet.
  case acquiring
  /// Fresh values arrive.
  case available
  /// Values have stopped, or the strap sends that it has none.
  case unavailable
  /// The strap says that it touches no skin.
  case noContact
  /// Nobody has asked for the series.
  case unknown
}
