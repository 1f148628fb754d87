import Bus

/// The errors that bluetoothd answers with, by its own texts (BlueZ's src/error.c).
extension BusError {
  static func failed(_ text: String) -> BusError { bluez("Failed", text) }
  static let inProgress = bluez("InProgress", "Operation already in progress")
  static let invalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
  static let notReady = bluez("NotReady", "Resource Not Ready")
  static let notSupported = bluez("NotSupported", "Operation is not supported")
  static let notConnected = bluez("NotConnected", "Not Connected")
  static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
  static let alreadyExists = bluez("AlreadyExists", "Already Exists")
  static let blocked = bluez("Blocked", "Blocked through rfkill")
  static let authenticationFailed = bluez("AuthenticationFailed", "Authentication Failed")
  static let authenticationCanceled = bluez("AuthenticationCanceled", "Authentication Canceled")
  static let connectionAttemptFailed = bluez("ConnectionAttemptFailed", "Page Timeout")
  static func notPermitted(_ text: String) -> BusError { bluez("NotPermitted", text) }

  static func noProperty(_ name: String) -> BusError { dbus("InvalidArgs", "No such property '\(name)'") }
  static func noInterface(_ name: String) -> BusError { dbus("InvalidArgs", "No such interface '\(name)'") }
  static func readOnly(_ name: String) -> BusError { dbus("PropertyReadOnly", "Property '\(name)' is not writable") }
  static let wrongType = dbus("InvalidSignature", "Invalid argument type")

  /// libdbus's own words for what no object answers; the line break is part of them.
  static func unknown(_ call: BusCall, _ body: [BusValue], isObject: Bool) -> BusError {
    let signature = BusSignature(body.map(\.type))
    let interface = call.interface?.description ?? "(null)"
    return dbus(
      isObject ? "UnknownMethod" : "UnknownObject",
      "Method \"\(call.member)\" with signature \"\(signature)\" on interface \"\(interface)\" doesn't exist\n")
  }

  private static func bluez(_ name: String, _ text: String) -> BusError {
    BusError(name: InterfaceName(unchecked: "org.bluez.Error.\(name)"), text: text)
  }

  private static func dbus(_ name: String, _ text: String) -> BusError {
    BusError(name: InterfaceName(unchecked: "org.freedesktop.DBus.Error.\(name)"), text: text)
  }
}
