import Bus
import CDBus
import Glibc

/// A private connection to the system bus, pulled: nothing happens but inside `send` and `drain`, which never block.
///
/// The owner polls `fileDescriptor` for reading, and for writing while `wantsToWrite`, and drains after each wake-up and
/// before each wait, since sending may read as well.
public final class SystemBus {
  /// Messages that arrived and could not be expressed as values; they are dropped, and a caller gets an error.
  public private(set) var undecodable = 0

  /// What to poll; stays open until `close()`.
  ///
  /// It is a duplicate: libdbus closes its own descriptor as soon as the link breaks, in the middle of a send even, and
  /// the number would then be watched on behalf of whoever gets it next.
  public let fileDescriptor: Int32

  private var connection: OpaquePointer?
  private var writeWatch: OpaquePointer?
  /// Of what is answered below the core, far from the core's: where the caller has left, the bus answers the answer with an
  /// error, and the core would take one with a number of its own for the end of a call.
  private var serials = Serials(behind: 3 << 30)

  /// Opens the system bus: DBUS_SYSTEM_BUS_ADDRESS, else the address that every system uses.
  public convenience init() throws(SystemBusError) {
    // libdbus tells its compiled-in address to nobody; dbus_bus_get_private() would use it, and block.
    let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? ""
    try self.init(address: address.isEmpty ? "unix:path=/run/dbus/system_bus_socket" : address)
  }

  /// Opens the bus at a D-Bus server address ("unix:path=…"). Authentication goes on inside `send` and `drain`; `Hello`
  /// is the core's to send.
  public init(address: String) throws(SystemBusError) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let connection = dbus_connection_open_private(address, &error) else {
      throw SystemBusError(
        .open, address, code: error.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed",
        text: error.message.map { String(cString: $0) } ?? "no reason given")
    }
    var descriptor: Int32 = -1
    if dbus_connection_get_unix_fd(connection, &descriptor) != 0 {
      descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }
    guard descriptor >= 0 else {
      let text = String(cString: strerror(errno))
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
      throw SystemBusError(.open, address, code: "org.freedesktop.DBus.Error.Failed", text: "no descriptor: \(text)")
    }
    fileDescriptor = descriptor
    self.connection = connection
    dbus_connection_set_exit_on_disconnect(connection, 0)
    watchForWriting(connection)
  }

  deinit {
    close()
  }

  /// Whether something waits to be sent, so that `fileDescriptor` is to be polled for writing as well.
  ///
  /// Not dbus_connection_has_messages_to_send(): during authentication messages wait while the other side's answer is
  /// due, and polling a writable socket for writing would spin.
  public var wantsToWrite: Bool {
    writeWatch.map { dbus_watch_get_enabled($0) != 0 } ?? false
  }

  /// Queues a message and writes what can be written without blocking; its serial is kept, 0 leaves it to libdbus.
  ///
  /// - Throws: for what libdbus would abort on or the bus hang up on: a value that is not of its declared type, a text
  ///   with a NUL, an illegal signature, too deep a nesting, over 32 MiB, a bad descriptor; and when the link is gone.
  public func send(_ message: BusMessage) throws(SystemBusError) {
    do throws(Refusal) {
      guard let connection, dbus_connection_get_is_connected(connection) != 0 else { throw Refusal.disconnected }
      let check = try OutgoingCheck(message)
      if check.descriptors > 0, dbus_connection_can_send_type(connection, TypeCode.unixFD) == 0 {
        throw Refusal.descriptorsUnsupported
      }
      let encoded = try MessageEncoder.encode(message)
      defer { dbus_message_unref(encoded) }
      guard dbus_connection_send(connection, encoded, nil) != 0 else { throw Refusal.outOfMemory }
    } catch {
      throw SystemBusError(.send, message.subject, code: error.code, text: error.text)
    }
  }

  /// Reads and writes what is there without blocking and appends what has arrived.
  ///
  /// Returns false once the connection is gone; what came before is appended all the same. What is left of a flood after
  /// a megabyte stays in the socket, so that the owner gets its turn.
  public func drain(into messages: inout [BusMessage]) -> Bool {
    guard let connection else { return false }
    var rounds = 512
    repeat {
      rounds -= 1
      dbus_connection_read_write(connection, 0)
      while let arrived = dbus_connection_pop_message(connection) {
        take(arrived, into: &messages)
        dbus_message_unref(arrived)
      }
    } while dbus_connection_get_is_connected(connection) != 0 && rounds > 0 && isReady
    return dbus_connection_get_is_connected(connection) != 0
  }

  /// Closes the connection and the descriptor; what waits to be sent is lost.
  public func close() {
    guard let connection else { return }
    self.connection = nil
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    writeWatch = nil
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    Glibc.close(fileDescriptor)
  }

  // MARK: -

  private func take(_ arrived: OpaquePointer, into messages: inout [BusMessage]) {
    // Local.Disconnected is made by libdbus in this process; nobody can send it.
    guard dbus_message_is_signal(arrived, DBUS_INTERFACE_LOCAL, "Disconnected") == 0 else { return }
    do throws(Undecodable) {
      let message = try MessageDecoder.decode(arrived)
      if let reply = message.replyOfPeer {
        if dbus_message_get_no_reply(arrived) == 0 { answer(with: reply) }
      } else {
        messages.append(message)
      }
    } catch {
      undecodable += 1
      if let refusal = error.reply(to: arrived) { answer(with: refusal) }
    }
  }

  private func answer(with reply: BusMessage) {
    var reply = reply
    reply.serial = serials.next()
    do {
      try send(reply)
    } catch {
      // The caller left or the link broke: nobody is there to read it, and the drain under way says so.
    }
  }

  /// Whether the descriptor is ready for what is wanted of it. One read takes 2 KiB of a large message, and each step of
  /// the authentication wants a round of its own: without this the owner would wake up for each of them.
  private var isReady: Bool {
    var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    if wantsToWrite { entry.events |= Int16(POLLOUT) }
    return poll(&entry, 1, 0) > 0
  }

  /// Learns libdbus's own watch for writing and asks it in `wantsToWrite`; nothing is ever driven through it.
  private func watchForWriting(_ connection: OpaquePointer) {
    dbus_connection_set_watch_functions(
      connection,
      { watch, context in
        if let context, dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0 {
          Unmanaged<SystemBus>.fromOpaque(context).takeUnretainedValue().writeWatch = watch
        }
        return 1
      },
      { watch, context in
        guard let context else { return }
        let bus = Unmanaged<SystemBus>.fromOpaque(context).takeUnretainedValue()
        if bus.writeWatch == watch { bus.writeWatch = nil }
      },
      nil, Unmanaged.passUnretained(self).toOpaque(), nil)
  }
}
