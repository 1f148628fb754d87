import Bus

/// A logind that grants locks, refuses them, or is not there.
struct SimulatedLogind {
  /// Each as "operation mode", by the descriptor that holds it.
  var held: [BusFileDescriptor: String] = [:]
  /// Every request, as "operation mode".
  var asked: [String] = []
  var isThere = true
  /// Requests that polkit does not allow.
  var refuses: Set<String> = []
  private var lastDescriptor: Int32 = 100

  mutating func take(_ message: BusMessage) -> [BusMessage] {
    guard isThere else {
      let error = BusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: "no such name")
      return [BusMessage(.error(to: message.serial, error), sender: "org.freedesktop.DBus")]
    }
    let request = [message.body[0], message.body[3]].compactMap(\.asString).joined(separator: " ")
    asked.append(request)
    guard !refuses.contains(request) else {
      let error = BusError(name: "org.freedesktop.DBus.Error.AccessDenied", text: "Permission denied")
      return [BusMessage(.error(to: message.serial, error), sender: ":1.2")]
    }
    lastDescriptor += 1
    let descriptor = BusFileDescriptor(raw: lastDescriptor)
    held[descriptor] = request
    return [BusMessage(.reply(to: message.serial), sender: ":1.2", body: [.unixFD(descriptor)])]
  }
}
