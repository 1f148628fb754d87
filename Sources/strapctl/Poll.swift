import Glibc
import Measurements

/// The one door to poll(2), with the one policy on EINTR: go on waiting.
enum Poll {
  struct File {
    var descriptor: Int32
    var events: Int32

    static func readable(_ descriptor: Int32) -> File { File(descriptor: descriptor, events: POLLIN) }

    static func writable(_ descriptor: Int32) -> File { File(descriptor: descriptor, events: POLLOUT) }

    /// Ready when nobody can read any more what is written there.
    static func abandoned(_ descriptor: Int32) -> File { File(descriptor: descriptor, events: 0) }
  }

  /// Waits until a file is ready or the time is up.
  ///
  /// - Returns: the descriptors that are ready; none when the time was up.
  static func wait(for files: [File], until deadline: Deadline? = nil) -> [Int32] {
    var entries = files.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    while true {
      let count = poll(&entries, nfds_t(entries.count), deadline?.millisecondsLeft ?? -1)
      if count > 0 { return entries.filter { $0.revents != 0 }.map(\.fd) }
      if count == 0, deadline?.isOver ?? false { return [] }
    }
  }
}

/// A moment on the boot clock to wait for.
struct Deadline {
  private let tick: Tick

  init(after duration: Duration) {
    tick = Self.now + duration
  }

  var isOver: Bool { Self.now >= tick }

  /// For poll(2), rounded up, so that the deadline is over afterwards.
  var millisecondsLeft: Int32 {
    Int32(clamping: max(0, ((tick - Self.now).wholeNanoseconds + 999_999) / 1_000_000))
  }

  private static var now: Tick {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Tick(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
