import Glibc
import Testing

@testable import EventLoop

struct EventLoopErrorTests {
  @Test func saysWhatWasTriedOnWhatWhatCameBackAndWhatToDo() {
    let error = EventLoopError(.listenOn, "/run/strapd/control.sock", code: ENOENT, advice: "make its folder first")
    #expect(
      error.description
        == "cannot listen on /run/strapd/control.sock: No such file or directory (errno 2); make its folder first")
    #expect(error.code == ENOENT)
  }

  @Test func anErrorOfOurOwnHasNoCode() {
    let error = EventLoopError(.read, "STRAPD_BOOT_ID=x", code: 0, advice: "it must have 32 hexadecimal digits")
    #expect(error.description == "cannot read STRAPD_BOOT_ID=x: it must have 32 hexadecimal digits")
  }
}
