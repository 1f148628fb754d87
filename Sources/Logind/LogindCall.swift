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

  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

  /// Asks for a user's object; logind says NoSuchUser of one who is not logged in.
  static func getUser(_ user: UInt32, serial: UInt32) -> BusMessage {
    BusMessage(
      .call(BusCall(path, manager, "GetUser", withoutActivation: true)), serial: serial, destination: service,
      body: [.uint32(user)])
  }

  /// Asks which graphical session a user has in front.
  static func getDisplay(of user: ObjectPath, serial: UInt32) -> BusMessage {
    get("org.freedesktop.login1.User", "Display", of: user, serial: serial)
  }

  /// Asks whether a session is locked.
  static func getLockedHint(of session: ObjectPath, serial: UInt32) -> BusMessage {
    get("org.freedesktop.login1.Session", "LockedHint", of: session, serial: serial)
  }

  private static func get(_ interface: String, _ property: String, of path: ObjectPath, serial: UInt32) -> BusMessage {
    BusMessage(
      .call(BusCall(path, properties, "Get", withoutActivation: true)), serial: serial, destination: service,
      body: [.string(interface), .string(property)])
  }

  /// What tells that a user's screen may have been locked or unlocked: logind's own signals, and its coming and going.
  public static let rules = [
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
      + "arg0='org.freedesktop.login1'",
    "type='signal',sender='org.freedesktop.login1',interface='org.freedesktop.login1.Manager'",
    "type='signal',sender='org.freedesktop.login1',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',path_namespace='/org/freedesktop/login1'",
  ]

  /// Whether a signal is logind's, or of its coming and going.
  public static func isOfLogind(_ message: BusMessage) -> Bool {
    guard case .signal(let path, let interface, let member) = message.kind else { return false }
    if interface == BusDaemon.interface, member == "NameOwnerChanged" {
      return message.body.first?.asString == service.description
    }
    return path == self.path || path.isBelow(self.path)
  }

  /// Whether after this signal of logind's another screen may be locked: a session or user came or went, was locked, or
  /// stands in front. The rest, such as how long nobody has touched the keyboard, comes often.
  public static func maySayLocked(_ message: BusMessage) -> Bool {
    guard case .signal(_, let interface, _) = message.kind, interface == properties, message.body.count >= 2 else {
      return true
    }
    let changed = message.body[1].asProperties.map { Array($0.keys) } ?? []
    let invalidated = message.body.count > 2 ? message.body[2].asStrings ?? [] : []
    return (changed + invalidated).contains { $0 == "LockedHint" || $0 == "Display" }
  }
}
