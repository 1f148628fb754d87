import Bus

/// systemd-timedated's one property that strapd asks for, as a message: what the kernel knows of the wall clock stands
/// behind it, and its own sandbox shuts strapd out from there (ProtectClock= refuses adjtimex(2), even for reading).
public enum TimedateCall {
  /// timedated's name on the bus, which starts it.
  public static let service: ConnectionName = "org.freedesktop.timedate1"
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  static let path: ObjectPath = "/org/freedesktop/timedate1"

  /// Asks whether a time server has set the clock right, whichever program speaks with it.
  public static func isSynchronised(serial: UInt32) -> BusMessage {
    BusMessage(
      .call(BusCall(path, properties, "Get")), serial: serial, destination: service,
      body: [.string(service.description), .string("NTPSynchronized")])
  }

  /// The answer; nil where it is none.
  public static func isSynchronised(_ reply: BusMessage) -> Bool? {
    guard case .variant(.boolean(let isSynchronised))? = reply.body.first else { return nil }
    return isSynchronised
  }
}
