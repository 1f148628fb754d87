/// The message bus's own methods and signals (D-Bus specification, "Message Bus Messages").
public enum BusDaemon {
  public static let name: ConnectionName = "org.freedesktop.DBus"
  public static let path: ObjectPath = "/org/freedesktop/DBus"
  public static let interface: InterfaceName = "org.freedesktop.DBus"

  /// Registers the connection; nothing else may be sent before it.
  public static func hello(serial: UInt32) -> BusMessage {
    call("Hello", [], serial: serial)
  }

  /// Asks for signals that a rule such as `type='signal',sender='org.bluez'` describes.
  public static func addMatch(_ rule: String, serial: UInt32) -> BusMessage {
    call("AddMatch", [.string(rule)], serial: serial)
  }

  /// Asks who owns a name; answered by NameHasNoOwner where nobody does.
  public static func getNameOwner(_ name: ConnectionName, serial: UInt32) -> BusMessage {
    call("GetNameOwner", [.string(name.description)], serial: serial)
  }

  /// Asks to own a name; replaces nobody and does not queue (flag 4, DBUS_NAME_FLAG_DO_NOT_QUEUE).
  public static func requestName(_ name: ConnectionName, serial: UInt32) -> BusMessage {
    call("RequestName", [.string(name.description), .uint32(4)], serial: serial)
  }

  /// Gives a name back.
  public static func releaseName(_ name: ConnectionName, serial: UInt32) -> BusMessage {
    call("ReleaseName", [.string(name.description)], serial: serial)
  }

  private static func call(_ member: MemberName, _ body: [BusValue], serial: UInt32) -> BusMessage {
    BusMessage(.call(BusCall(path, interface, member)), serial: serial, destination: name, body: body)
  }
}
