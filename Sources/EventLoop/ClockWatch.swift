import CSystemd
import Glibc

/// Wakes the loop when the wall clock is set, so that a step is seen when it is made and not with the next beat.
final class ClockWatch {
  private let descriptor: Int32
  private var watch: FileWatch?

  init(_ table: SourceTable, _ action: @escaping () -> Void) throws(EventLoopError) {
    descriptor = strapd_clock_watch(-1)
    guard descriptor >= 0 else { throw EventLoopError(.create, "a watch of the wall clock", code: errno) }
    watch = try FileWatch(table, descriptor, .readable) { [unowned self] _ in
      rearm()
      action()
    }
  }

  deinit {
    watch?.cancel()
    close(descriptor)
  }

  /// A read takes the news (ECANCELED) away; then the timer must be set again, or nothing more is told.
  private func rearm() {
    var expirations: UInt64 = 0
    _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
    let result = strapd_clock_watch(descriptor)
    precondition(result >= 0, "a watch of the wall clock cannot be set again: errno \(errno)")
  }
}
