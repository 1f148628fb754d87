import Control
import Glibc

/// A connection to strapd's control socket, closed with the value.
final class Connection {
  let place: Place
  /// What people call the place.
  var path: String { place.name }
  /// For poll(2): readable means `receive` has something to do.
  let descriptor: Int32
  /// What carries the octets to another machine.
  private let shell: RemoteShell?
  private let patience: Patience
  private var reader = MessageReader()
  private var lastMethod = ""

  /// How long the daemon is waited for.
  struct Patience {
    var connect = Duration.seconds(5)
    var call = Duration.seconds(30)
    /// End is answered when the workout is on the disk itself, and a slow card takes its time.
    var end = Duration.seconds(60)
  }

  convenience init(to path: String, _ patience: Patience = Patience()) throws(ConnectionError) {
    try self.init(to: Place.socket(path), patience)
  }

  init(to place: Place, _ patience: Patience = Patience()) throws(ConnectionError) {
    self.place = place
    self.patience = patience
    switch place {
    case .socket(let path):
      shell = nil
      descriptor = try Self.connected(to: path, patience)
    case .host(let host, let socket):
      let (end, remote) = try RemoteShell.start(host, socket: socket)
      (descriptor, shell) = (end, remote)
    }
  }

  private static func connected(to path: String, _ patience: Patience) throws(ConnectionError) -> Int32 {
    guard var address = sockaddr_un(path: path) else { throw ConnectionError(.connect, path, .longPath) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ConnectionError(.connect, path, .system(errno)) }
    // A unix socket whose queue is full makes connect(2) wait, and only this ends the waiting (unix(7), socket(7)).
    var limit = timeval(patience.connect)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var result: Int32
    repeat {
      result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    } while result != 0 && errno == EINTR
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw ConnectionError(.connect, path, code == EAGAIN ? .timedOut(patience.connect) : .system(code))
    }
    return descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Calls and waits for the one reply, which may be an error of the protocol.
  func call(_ call: VarlinkCall) throws(ConnectionError) -> VarlinkReply {
    try send(call)
    // What supersedes another session waits for its end.
    let waitsForEnd = call.method == "\(Interface.name).End" || call.parameters["supersede"] == .bool(true)
    return try reply(within: waitsForEnd ? patience.end : patience.call)
  }

  /// Waits for the next reply to a call that has several.
  func reply() throws(ConnectionError) -> VarlinkReply { try reply(within: patience.call) }

  private func reply(within limit: Duration) throws(ConnectionError) -> VarlinkReply {
    let deadline = Deadline(after: limit)
    while true {
      if let reply = try nextReply() { return reply }
      if Poll.wait(for: [.readable(descriptor)], until: deadline).isEmpty { throw failure(.receive, .timedOut(limit)) }
      try receive()
    }
  }

  func send(_ call: VarlinkCall) throws(ConnectionError) {
    lastMethod = call.method
    var rest = call.message[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        throw failure(.send, .timedOut(patience.connect))
      } else if errno == EPIPE || errno == ECONNRESET {
        throw failure(.send, .closed)
      } else if errno != EINTR {
        throw failure(.send, .system(errno))
      }
    }
  }

  /// Takes in what has arrived; waits where nothing has.
  func receive() throws(ConnectionError) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 {
      reader.append(chunk[..<count])
    } else if count == 0 || errno == ECONNRESET {
      throw failure(.receive, .closed)
    } else if errno != EINTR {
      throw failure(.receive, .system(errno))
    }
  }

  /// The next reply that has arrived as a whole; nil where `receive` has to come first.
  func nextReply() throws(ConnectionError) -> VarlinkReply? {
    let message: ArraySlice<UInt8>?
    do { message = try reader.next() } catch { throw failure(.receive, .nonsense) }
    guard let message else { return nil }
    guard let reply = VarlinkReply(message) else { throw failure(.receive, .nonsense) }
    return reply
  }

  private func failure(_ operation: ConnectionError.Operation, _ cause: ConnectionError.Cause) -> ConnectionError {
    guard cause == .closed, let shell else { return ConnectionError(operation, path, cause, method: lastMethod) }
    return ConnectionError(operation, shell.host, .shellEnded(shell.end()), method: lastMethod)
  }
}

extension sockaddr_un {
  /// nil where the path is longer than the 107 octets that the kernel takes.
  init?(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    let isCopied = withUnsafeMutableBytes(of: &sun_path) { room in
      guard octets.count < room.count, !octets.contains(0) else { return false }
      room.copyBytes(from: octets)
      return true
    }
    if !isCopied { return nil }
  }
}

extension timeval {
  fileprivate init(_ duration: Duration) {
    let microseconds = duration.components.attoseconds / 1_000_000_000_000
    self.init(tv_sec: Int(duration.components.seconds), tv_usec: suseconds_t(microseconds))
  }
}
