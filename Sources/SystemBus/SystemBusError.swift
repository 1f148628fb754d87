/// What the bus library or this one would not do.
public struct SystemBusError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable {
    case open, send
  }

  public var operation: Operation
  /// The address that was to be opened, or what was to be sent.
  public var subject: String
  /// A D-Bus error name, "org.freedesktop.DBus.Error.FileNotFound".
  public var code: String
  public var text: String

  init(_ operation: Operation, _ subject: String, code: String, text: String) {
    self.operation = operation
    self.subject = subject
    self.code = code
    self.text = text
  }

  public var description: String {
    switch operation {
    case .open:
      """
      cannot open the message bus at \(subject): \(text) (\(code)); \
      is dbus running, and does DBUS_SYSTEM_BUS_ADDRESS name it?
      """
    case .send: "cannot send \(subject): \(text) (\(code))"
    }
  }
}

/// Why a message is not sent, before it is said which one.
struct Refusal: Error, Hashable {
  var code: String
  var text: String

  static func invalid(_ text: String) -> Refusal {
    Refusal(code: "org.freedesktop.DBus.Error.InvalidArgs", text: text)
  }

  static func tooLarge(_ text: String) -> Refusal {
    Refusal(code: "org.freedesktop.DBus.Error.LimitsExceeded", text: text)
  }

  static let outOfMemory = Refusal(code: "org.freedesktop.DBus.Error.NoMemory", text: "libdbus is out of memory")
  static let disconnected = Refusal(
    code: "org.freedesktop.DBus.Error.Disconnected", text: "the connection to the bus is gone")
  static let descriptorsUnsupported = Refusal(
    code: "org.freedesktop.DBus.Error.NotSupported",
    text: "this connection does not pass file descriptors, or is not authenticated yet")
}
