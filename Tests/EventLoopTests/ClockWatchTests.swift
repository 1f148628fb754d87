import CSystemd
import Glibc
import Measurements
import Testing

@testable import EventLoop

struct ClockWatchTests {
  /// Nobody but root may set the clock; that it wakes is shown in the virtual machine. Here: it watches, wakes nobody by
  /// itself, and can be set again.
  @Test func itIsSilentWhileNobodySetsTheClock() throws {
    let loop = try EventLoop()
    var isTold = false
    try loop.onClockSet { isTold = true }
    let timer = try loop.timer { loop.stop(7) }
    timer.arm(at: loop.now.tick + Duration.milliseconds(50))
    #expect(try loop.run() == 7)
    #expect(!isTold)
  }

  @Test func aWatchIsADescriptorThatIsNotDue() {
    let descriptor = strapd_clock_watch(-1)
    #expect(descriptor >= 0)
    defer { close(descriptor) }
    #expect(strapd_clock_watch(descriptor) == descriptor)
    var expirations: UInt64 = 0
    #expect(read(descriptor, &expirations, 8) == -1)
    #expect(errno == EAGAIN)
    #expect(strapd_clock_watch(1_000_000) == -1)
  }
}
