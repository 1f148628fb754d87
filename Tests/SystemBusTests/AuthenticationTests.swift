import Bus
import Glibc
import SystemBus
import TestSupport
import Testing

/// The handshake against a server that takes its time (D-Bus specification, "Authentication Protocol").
@Suite struct AuthenticationTests {
  @Test func itGoesOnStepByStepWithoutBlockingOrSpinning() throws {
    let server = try SlowServer()
    let bus = try SystemBus(address: server.address)
    try bus.send(BusDaemon.hello(serial: 1))
    try server.accept()
    try server.expect("\0AUTH EXTERNAL ", from: bus)
    #expect(!bus.wantsToWrite, "Hello waits, but the turn is the server's")
    // Byte by byte, as a loaded system may do it.
    for byte in "OK 1234deadbeef1234deadbeef1234dead\r\n".utf8 {
      try server.write([byte])
      #expect(server.isAlive(bus))
    }
    try server.expect("NEGOTIATE_UNIX_FD\r\n", from: bus)
    #expect(!bus.wantsToWrite)
    try server.write(Array("AGREE_UNIX_FD\r\n".utf8))
    try server.expect("BEGIN\r\n", from: bus)
    try server.expect("Hello", from: bus)
    #expect(!bus.wantsToWrite)
  }

  @Test func descriptorsNeedAnAuthenticatedConnection() throws {
    let server = try SlowServer()
    let bus = try SystemBus(address: server.address)
    let message = BusMessage(
      .signal(path: "/", interface: "a.b", member: "C"), body: [.unixFD(BusFileDescriptor(raw: 0))])
    var code = ""
    do throws(SystemBusError) {
      try bus.send(message)
    } catch {
      code = error.code
    }
    #expect(code == "org.freedesktop.DBus.Error.NotSupported")
  }

  @Test func aRefusedUserIsAnEnd() throws {
    let server = try SlowServer()
    let bus = try SystemBus(address: server.address)
    try bus.send(BusDaemon.hello(serial: 1))
    try server.accept()
    try server.expect("\0AUTH EXTERNAL ", from: bus)
    try server.write(Array("REJECTED\r\n".utf8))
    try server.expectEnd(of: bus)
  }

  @Test func aServerThatHangsUpIsAnEnd() throws {
    let server = try SlowServer()
    let bus = try SystemBus(address: server.address)
    try bus.send(BusDaemon.hello(serial: 1))
    try server.accept()
    try server.expect("\0AUTH EXTERNAL ", from: bus)
    server.hangUp()
    try server.expectEnd(of: bus)
  }

  /// A message that is none: libdbus hangs up.
  @Test func garbageIsAnEnd() throws {
    let server = try SlowServer()
    let bus = try server.authenticate()
    try server.write([UInt8](repeating: 0x78, count: 64))
    try server.expectEnd(of: bus)
  }

  @Test func aFullSocketIsWaitedFor() throws {
    let server = try SlowServer()
    let bus = try server.authenticate()
    var sent = 0
    while !bus.wantsToWrite, sent < 10_000 {
      try bus.send(
        BusMessage(
          .signal(path: "/", interface: "a.b", member: "Piece"), body: [.bytes([UInt8](repeating: 0, count: 4096))]))
      sent += 1
    }
    #expect(bus.wantsToWrite)
    var whole = 0
    let deadline = Deadline()
    while bus.wantsToWrite, !deadline.isOver {
      whole += try server.readAvailable().count
      #expect(server.isAlive(bus))
    }
    whole += try server.readAvailable().count
    #expect(!bus.wantsToWrite)
    #expect(whole > sent * 4096)
  }

  static let badAddresses: [(String, code: String)] = [
    ("", "org.freedesktop.DBus.Error.BadAddress"), ("nonsense", "org.freedesktop.DBus.Error.BadAddress"),
    ("unix:", "org.freedesktop.DBus.Error.BadAddress"), ("what:path=/x", "org.freedesktop.DBus.Error.BadAddress"),
    ("unix:path=/nonexistent/bus", "org.freedesktop.DBus.Error.FileNotFound"),
    ("unix:path=%zz", "org.freedesktop.DBus.Error.BadAddress"),
    ("ünix:path=/x", "org.freedesktop.DBus.Error.BadAddress"),
  ]

  @Test(arguments: badAddresses)
  func badAddress(address: String, code: String) {
    var thrown: SystemBusError?
    do throws(SystemBusError) {
      _ = try SystemBus(address: address)
    } catch {
      thrown = error
    }
    #expect(thrown?.operation == .open)
    #expect(thrown?.subject == address)
    #expect(thrown?.code == code)
    #expect(thrown?.description.hasPrefix("cannot open the message bus at \(address): ") == true)
  }
}

private final class SlowServer {
  let address: String
  private let folder: TemporaryFolder
  private let listener: Int32
  private var peer: Int32 = -1
  private var unread: [UInt8] = []

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("socket")
    address = "unix:path=\(path)"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 1) == 0 else { throw TestSupportError("cannot listen at \(path)") }
  }

  deinit {
    hangUp()
    close(listener)
  }

  func accept() throws {
    peer = Glibc.accept(listener, nil, nil)
    guard peer >= 0 else { throw TestSupportError("cannot accept") }
  }

  func hangUp() {
    if peer >= 0 { close(peer) }
    peer = -1
  }

  func write(_ bytes: [UInt8]) throws {
    guard send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw TestSupportError("cannot write")
    }
  }

  func readAvailable() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(peer, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Lets the bus work until the text has come; what came before it is passed over.
  func expect(_ text: String, from bus: SystemBus) throws {
    let deadline = Deadline()
    while true {
      unread += try readAvailable()
      if let range = unread.firstRange(of: Array(text.utf8)) {
        unread.removeSubrange(..<range.upperBound)
        return
      }
      guard isAlive(bus) else { throw TestSupportError("the bus went before \(text)") }
      if deadline.isOver { throw TestSupportError("no \(text) in \(unread)") }
      deadline.wait(for: [(peer, POLLIN), (bus.fileDescriptor, bus.wantsToWrite ? POLLIN | POLLOUT : POLLIN)])
    }
  }

  func isAlive(_ bus: SystemBus) -> Bool {
    var none: [BusMessage] = []
    return bus.drain(into: &none) && none.isEmpty
  }

  func expectEnd(of bus: SystemBus) throws {
    let deadline = Deadline()
    while isAlive(bus) {
      if deadline.isOver { throw TestSupportError("the bus goes on") }
      deadline.wait(for: [(bus.fileDescriptor, POLLIN)])
    }
  }

  func authenticate() throws -> SystemBus {
    let bus = try SystemBus(address: address)
    try bus.send(BusDaemon.hello(serial: 1))
    try accept()
    try expect("\0AUTH EXTERNAL ", from: bus)
    try write(Array("OK 1234deadbeef1234deadbeef1234dead\r\n".utf8))
    try expect("NEGOTIATE_UNIX_FD\r\n", from: bus)
    try write(Array("AGREE_UNIX_FD\r\n".utf8))
    try expect("Hello", from: bus)
    return bus
  }
}
