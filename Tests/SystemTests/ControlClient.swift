import Control
import Glibc
import TestSupport

/// A varlink client that knows nothing of strapctl: a socket, octets and JSON.
final class ControlClient {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects, and keeps trying while the daemon starts.
  init(_ path: String, before deadline: Deadline = Deadline()) throws {
    while true {
      let attempt = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(attempt, $0, size) }
      }
      if result == 0 {
        descriptor = attempt
        return
      }
      close(attempt)
      if deadline.isOver { throw TestSupportError("nobody listens on \(path)") }
      poll(nil, 0, 2)
    }
  }

  deinit {
    close(descriptor)
  }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestSupportError("the daemon closed the connection") }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ method: String, _ parameters: KeyValuePairs<String, JSON?> = [:], more: Bool = false) throws {
    try send(VarlinkCall(method, .object(parameters), more: more).message)
  }

  /// The next message, nil when the daemon has closed the connection.
  func receive(before deadline: Deadline = Deadline()) throws -> JSON? {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let message = buffer[..<end]
        defer { buffer.removeFirst(end + 1) }
        return try JSON(parsing: message)
      }
      deadline.wait(for: [(descriptor, POLLIN)])
      if deadline.isOver { throw TestSupportError("the daemon does not answer; there is \(buffer.count) octets") }
      var piece = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &piece, piece.count, 0)
      if count <= 0 { return nil }
      buffer += piece.prefix(count)
    }
  }

  /// A call of io.strapd with its reply.
  @discardableResult
  func call(_ method: String, _ parameters: KeyValuePairs<String, JSON?> = [:]) throws -> JSON {
    try send("io.strapd." + method, parameters)
    guard let reply = try receive() else { throw TestSupportError("the daemon closed the connection on \(method)") }
    return reply
  }

  /// Events of a Watch until one is the wanted one; all of them are returned.
  func events(before deadline: Deadline = Deadline(), until isLast: (JSON) -> Bool) throws -> [JSON] {
    var events: [JSON] = []
    while true {
      guard let event = try receive(before: deadline)?["parameters"] else {
        throw TestSupportError("the daemon closed the Watch after \(events.suffix(3))")
      }
      events.append(event)
      if isLast(event) { return events }
    }
  }
}
