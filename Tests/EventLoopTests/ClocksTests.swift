import Glibc
import Measurements
import Testing

@testable import EventLoop

struct ClocksTests {
  @Test func bothClocksLieBetweenTwoReadingsOfTheKernels() {
    func nanoseconds(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let boot = nanoseconds(CLOCK_BOOTTIME)
    let moment = Clocks.read()
    #expect((boot...nanoseconds(CLOCK_BOOTTIME)).contains(moment.tick.nanoseconds))
    // The wall clock may be set meanwhile, but hardly by a day.
    #expect(abs(moment.wall.nanoseconds - nanoseconds(CLOCK_REALTIME)) < 86_400_000_000_000)

    let monotonic = nanoseconds(CLOCK_MONOTONIC) / 1000
    #expect((monotonic...).contains(Clocks.monotonicMicroseconds()))
  }

  @Test func theClockIsRightWhileItMayBeWrongByLessThan16Seconds() {
    #expect(Clocks.isSynchronised(error: 0))
    #expect(Clocks.isSynchronised(error: 15_999_999))
    #expect(!Clocks.isSynchronised(error: 16_000_000), "what the kernel says once it was set by hand")
    #expect(!Clocks.isSynchronised(error: -1), "a sandbox refuses the question")
  }
}
