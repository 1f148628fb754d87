import CSystemd
import Glibc

/// What another thread wakes the loop with; any number of rings before the loop looks are one (eventfd(2)).
public final class Bell: Sendable {
  let descriptor: Int32

  public init() throws(EventLoopError) {
    descriptor = strapd_eventfd()
    guard descriptor >= 0 else { throw EventLoopError(.create, "an eventfd", code: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Wakes the loop that watches this bell; may be called from any thread.
  public func ring() {
    var one: UInt64 = 1
    // The only refusal is EAGAIN, of a counter that is full and thus rung.
    _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
  }

  fileprivate func silence() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
  }
}

extension EventLoop {
  /// Runs an action in the loop after each ring, or once after several.
  public func watch(_ bell: Bell, _ action: @escaping () -> Void) throws(EventLoopError) -> FileWatch {
    try watch(bell.descriptor, for: .readable) { _ in
      bell.silence()
      action()
    }
  }
}
