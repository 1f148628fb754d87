import EventLoop
import Glibc
import Measurements
import Testing

/// A loop that runs until a condition holds, and gives up after a time that no working test comes near.
final class Bench {
  let loop: EventLoop
  /// How often the loop was about to wait.
  private(set) var turns = 0
  private var isDone: () -> Bool = { false }
  private var limit: DeadlineTimer?

  init() throws {
    loop = try EventLoop()
    loop.beforeWaiting { [unowned self] in
      turns += 1
      if isDone() { loop.stop(0) }
    }
    limit = try loop.timer { [unowned self] in loop.stop(99) }
  }

  /// Runs turns until the condition holds at the end of one; false where it never did.
  func run(until condition: @escaping () -> Bool) throws -> Bool {
    isDone = condition
    limit?.arm(at: loop.now.tick + .seconds(60))
    defer { limit?.arm(at: nil) }
    return try loop.run() == 0
  }
}

extension Bench {
  /// How often the loop wakes in a span in which nothing happens.
  func turnsDuring(_ span: Duration) throws -> Int {
    let before = turns
    var hasPassed = false
    let timer = try loop.timer { hasPassed = true }
    timer.arm(at: loop.now.tick + span)
    #expect(try run { hasPassed })
    return turns - before
  }

  /// Runs a turn in which all that is ready is dispatched, though nothing may be.
  func passATurn() throws {
    var hasPassed = false
    let timer = try loop.timer { hasPassed = true }
    timer.arm(at: Tick(nanoseconds: 0))
    #expect(try run { hasPassed })
  }
}

/// The error with which a call is refused; nil where it is not.
func refusal<Result>(of call: () throws -> Result) -> EventLoopError? {
  do {
    _ = try call()
  } catch let error as EventLoopError {
    return error
  } catch {
    Issue.record(error)
  }
  return nil
}

struct SystemCallFailed: Error {
  var name: String
  var code: Int32
}

@discardableResult
func check<Number: SignedInteger>(_ result: Number, _ name: String) throws -> Number {
  guard result >= 0 else { throw SystemCallFailed(name: name, code: errno) }
  return result
}

/// Two connected unix stream sockets; the second is the test's own, non-blocking and closed at the end.
func connectedSockets() throws -> (Int32, Descriptor) {
  var pair: [Int32] = [0, 0]
  let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  try check(socketpair(AF_UNIX, type, 0, &pair), "socketpair")
  return (pair[0], Descriptor(pair[1]))
}

/// A pipe's reading and writing end, both non-blocking.
func pipeEnds() throws -> (reader: Descriptor, writer: Descriptor) {
  var pair: [Int32] = [0, 0]
  try check(pipe(&pair), "pipe")
  for end in pair { try check(fcntl(end, F_SETFL, O_NONBLOCK), "fcntl") }
  return (Descriptor(pair[0]), Descriptor(pair[1]))
}

/// A descriptor of the test's, closed once: by hand or when it is let go of.
final class Descriptor {
  let number: Int32
  private var isOpen = true

  init(_ number: Int32) { self.number = number }
  deinit { close() }

  func close() {
    if isOpen { Glibc.close(number) }
    isOpen = false
  }

  /// Another descriptor of the same thing, for whoever wants to own one.
  func duplicate() throws -> Int32 {
    defer { withExtendedLifetime(self) {} }
    return try check(dup(number), "dup")
  }

  /// Sends what fits; gives the number of octets.
  @discardableResult
  func send(_ bytes: [UInt8]) throws -> Int {
    try check(write(number, bytes, bytes.count), "write")
  }

  /// Reads what is there; nil where nothing is yet, empty at the end.
  func receive(atMost most: Int = 65536) throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: most)
    let count = read(number, &bytes, most)
    if count < 0 && errno == EAGAIN { return nil }
    return Array(bytes.prefix(try check(count, "read")))
  }

  func waitUntilReadable() throws -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return try check(poll(&request, 1, 20_000), "poll") == 1
  }
}

/// A folder of its own, removed with what is in it at the end.
final class Folder {
  let path: String
  private var files: Set<String> = []

  init() throws {
    var template = Array("/tmp/strapd-loop-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallFailed(name: "mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  func file(_ name: String) -> String {
    let file = "\(path)/\(name)"
    files.insert(file)
    return file
  }
}

/// Runs a body with the address of a unix socket at a path.
func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}

/// A unix socket bound to a path: of type SOCK_STREAM and listening, or SOCK_DGRAM.
func boundSocket(_ path: String, datagrams: Bool = false) throws -> Descriptor {
  let type = datagrams ? SOCK_DGRAM : SOCK_STREAM
  let socket = Descriptor(
    try check(Glibc.socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0), "socket"))
  try check(withUnixAddress(path) { bind(socket.number, $0, $1) }, "bind")
  if !datagrams { try check(listen(socket.number, 5), "listen") }
  return socket
}

/// A non-blocking client connected to a path.
func connectedClient(_ path: String) throws -> Descriptor {
  let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  let client = Descriptor(try check(socket(AF_UNIX, type, 0), "socket"))
  try check(withUnixAddress(path) { connect(client.number, $0, $1) }, "connect")
  return client
}
