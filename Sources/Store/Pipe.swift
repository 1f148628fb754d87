import Glibc
import Workout

/// A pipe that carries no data, only wake-ups; both ends are non-blocking and closed on exec.
///
/// An eventfd would be one descriptor, but Swift's Glibc module has neither it nor pipe2.
final class Pipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32

  init() throws(StoreError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw StoreError(.open, errno: errno, "making a pipe for the sync thread") }
    readEnd = ends[0]
    writeEnd = ends[1]
    for end in ends {
      guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0, fcntl(end, F_SETFL, O_NONBLOCK) == 0 else {
        throw StoreError(.open, errno: errno, "setting up a pipe for the sync thread")
      }
    }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Makes the read end readable. A full pipe is readable already, so the result does not matter.
  func signal() {
    var byte: UInt8 = 1
    while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Takes what is there, so that the read end is readable no more.
  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(readEnd, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < bytes.count { return }
    }
  }

  /// Waits until the read end is readable, at most some milliseconds; -1 is for ever.
  func wait(milliseconds: Int32) {
    var wanted = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, milliseconds) < 0, errno == EINTR {}
  }
}
