import Glibc

/// When a test stops waiting: a condition that does not come is a failure, not a hang.
public struct Deadline {
  private let nanoseconds: UInt64

  public init(seconds: Double = 30) {
    nanoseconds = Self.now + UInt64(seconds * 1e9)
  }

  public var isOver: Bool {
    Self.now >= nanoseconds
  }

  /// For poll(2).
  public var millisecondsLeft: Int32 {
    let now = Self.now
    return now >= nanoseconds ? 0 : Int32(clamping: (nanoseconds - now) / 1_000_000 + 1)
  }

  /// Waits until one of the descriptors is ready for what it is watched for, or the deadline is over.
  public func wait(for descriptors: [(fd: Int32, events: Int32)]) {
    var entries = descriptors.map { pollfd(fd: $0.fd, events: Int16($0.events), revents: 0) }
    poll(&entries, nfds_t(entries.count), millisecondsLeft)
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Why a test's surroundings could not be had.
public struct TestSupportError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }

  static func errno(_ what: String) -> TestSupportError {
    TestSupportError("\(what): \(String(cString: strerror(Glibc.errno)))")
  }
}
