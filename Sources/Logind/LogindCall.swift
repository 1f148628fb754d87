import Bus

/// What a lock keeps from happening, by the word that logind has for it (org.freedesktop.login1(5), "Inhibit()").
public enum InhibitedOperation: String, Hashable, Sendable, CaseIterable {
  /// Suspending because nobody is at the keyboard.
  case idle
  /// Suspending and hibernating.
  case sleep
}

/// How strong a lock is.
public enum InhibitorMode: String, Hashable, Sendable {
  /// As long as it is held, it does not happen.
  case block
  /// It happens a few seconds later.
  case delay
}

/// logind's methods as messages. They do not start it: where it does not run, that is to be seen.
public enum LogindCall {
  /// logind's name on the bus.
  public static let service: ConnectionName = "org.freedesktop.login1"
  static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  static let path: ObjectPath = "/org/freedesktop/login1"

  /// Asks for a lock, which lives as long as the descriptor in the answer.
  ///
  /// One operation at a time: `sleep:idle` in one request is refused on systemd 252 even where each alone is granted.
  public static func inhibit(
    _ operation: InhibitedOperation, _ mode: InhibitorMode, why: String, serial: UInt32
  ) -> BusMessage {
    BusMessage(
      .call(BusCall(path, manager, "Inhibit", withoutActivation: true)), serial: serial, destination: service,
      body: [.string(operation.rawValue), .string("strapd"), .string(why), .string(mode.rawValue)])
  }
}
