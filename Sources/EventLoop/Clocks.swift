import Glibc
import Measurements

/// The only place of the daemon that reads a clock. Both come from the vDSO, without a system call.
enum Clocks {
  static func read() -> Moment {
    let tick = nanoseconds(CLOCK_BOOTTIME)
    return Moment(tick: Tick(nanoseconds: tick), wall: WallTime(nanoseconds: nanoseconds(CLOCK_REALTIME)))
  }

  /// For systemd, which wants it beside RELOADING=1.
  static func monotonicMicroseconds() -> Int64 {
    nanoseconds(CLOCK_MONOTONIC) / 1000
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "clock_gettime refuses clock \(clock): errno \(errno)")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
