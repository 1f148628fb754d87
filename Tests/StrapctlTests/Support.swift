import Control
import Glibc
import Measurements
import TestSupport

@testable import strapctl

/// A value out of its text.
func json(_ text: String) throws -> JSON {
  try JSON(parsing: text.utf8)
}

extension TextStyle {
  /// A clock one hour ahead of UTC, wherever the test runs.
  static func test(isUTF8: Bool = true) -> TextStyle {
    TextStyle(isUTF8: isUTF8) { time in
      var seconds = time_t(time.nanoseconds / 1_000_000_000 + 3600)
      var parts = tm()
      gmtime_r(&seconds, &parts)
      return LocalTime(parts, millisecond: Int(time.nanoseconds % 1_000_000_000 / 1_000_000))
    }
  }
}

/// A control socket behind which the test itself sits.
final class FakeDaemon {
  let path: String
  private let folder: TemporaryFolder
  private let listener: Int32

  init(backlog: Int32 = 5) throws {
    folder = try TemporaryFolder()
    path = folder.file("control.sock")
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard var address = sockaddr_un(path: path) else { throw TestSupportError("\(path) is too long") }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard result == 0, listen(listener, backlog) == 0 else { throw TestSupportError("cannot listen at \(path)") }
  }

  deinit {
    close(listener)
  }

  /// The next client.
  func accept() throws -> FakeConversation {
    let deadline = TestSupport.Deadline()
    deadline.wait(for: [(listener, POLLIN)])
    guard !deadline.isOver else { throw TestSupportError("nobody connects") }
    return FakeConversation(Glibc.accept(listener, nil, nil))
  }
}

/// The daemon's end of one connection.
final class FakeConversation {
  private let descriptor: Int32
  private var reader = MessageReader()

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    hangUp()
    close(descriptor)
  }

  /// The client's next call, as it stands on the wire.
  func call() throws -> String {
    let deadline = TestSupport.Deadline()
    while true {
      if let message = try reader.next() { return String(decoding: message, as: UTF8.self) }
      deadline.wait(for: [(descriptor, POLLIN)])
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0, !deadline.isOver else { throw TestSupportError("no call comes") }
      reader.append(chunk[..<count])
    }
  }

  /// Sends a reply and its NUL.
  func send(_ reply: String) {
    send(raw: Array(reply.utf8) + [0])
  }

  func send(raw bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Ends the connection at once. Not by close alone: a child that another test starts at this moment may hold a copy.
  func hangUp() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
