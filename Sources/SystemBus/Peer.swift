import Bus
import CDBus

extension BusMessage {
  /// The answer to a call of org.freedesktop.DBus.Peer, nil for every other message.
  ///
  /// libdbus answers these itself, but in dbus_connection_dispatch() only, which pulling messages goes around.
  var replyOfPeer: BusMessage? {
    guard case .call(let call) = kind, call.interface == "org.freedesktop.DBus.Peer" else { return nil }
    var reply = BusMessage(.reply(to: serial), destination: sender)
    switch call.member.description {
    case "Ping":
      break
    case "GetMachineId":
      switch MachineID.read() {
      case .success(let id): reply.body = [.string(id)]
      case .failure(let error): reply.kind = .error(to: serial, error)
      }
    case let other:
      reply.kind = .error(
        to: serial,
        BusError(name: "org.freedesktop.DBus.Error.UnknownMethod", text: "org.freedesktop.DBus.Peer has no \(other)"))
    }
    return reply
  }
}

private enum MachineID {
  /// Not dbus_get_local_machine_id(), which aborts the process where there is no /etc/machine-id.
  static func read() -> Result<String, BusError> {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    if let id = dbus_try_get_local_machine_id(&error) {
      defer { dbus_free(id) }
      return .success(String(cString: id))
    }
    return .failure(
      BusError(
        name: "org.freedesktop.DBus.Error.FileNotFound", text: error.message.map { String(cString: $0) } ?? "no reason")
    )
  }
}
