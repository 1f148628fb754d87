/// A lock of logind's as clients see it.
public struct LockSnapshot: Hashable, Sendable {
  /// What is kept from happening: "idle" or "sleep".
  public var operation: String
  /// "block" or "delay" while it is held.
  public var mode: String?
  /// Why it is not held although a session is under way, and what helps.
  public var trouble: String?

  public init(operation: String, mode: String?, trouble: String?) {
    self.operation = operation
    self.mode = mode
    self.trouble = trouble
  }

  var json: JSON {
    .object([
      "what": .string(operation), "held": .bool(mode != nil), "mode": mode.map(JSON.string),
      "trouble": trouble.map(JSON.string),
    ])
  }
}
