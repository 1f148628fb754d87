import CTimex
import Glibc
import Measurements

/// The only place of the daemon that reads a clock. Both come from the vDSO; whether the wall clock is right is a system
/// call, of less than a microsecond.
enum Clocks {
  static func read() -> Moment {
    let tick = tick()
    let wall = nanoseconds(CLOCK_REALTIME)
    return Moment(
      tick: tick, wall: WallTime(nanoseconds: wall),
      isSynchronised: isSynchronised(error: strapd_clock_error()))
  }

  static func tick() -> Tick { Tick(nanoseconds: nanoseconds(CLOCK_BOOTTIME)) }

  /// As systemd's timedated judges it: the clock may be wrong by less than 16 s. Setting it by hand makes the kernel's
  /// estimate 16 s. STA_UNSYNC is not asked, since it is also set to keep the kernel from writing the RTC.
  ///
  /// - Parameter error: in microseconds, or -errno where a sandbox refuses adjtimex(2): then timedated is to be asked.
  static func isSynchronised(error: Int) -> Bool {
    (0..<16_000_000).contains(error)
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
