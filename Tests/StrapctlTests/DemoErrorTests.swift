import Glibc
import Testing

@testable import strapctl

struct DemoErrorTests {
  @Test(
    arguments: [
      (.missing("/x/strapd", "build it"), "the demo needs /x/strapd: build it"),
      (.folder("/x", code: ENOSPC), "the demo cannot make /x (No space left on device): is there room?"),
      (.cannotStart("/x", code: ENOEXEC), "the demo cannot start /x (Exec format error)"),
      (
        .ended("strapd", "exit status 78", log: "one\ntwo"),
        "strapd ended in the middle of the demo (exit status 78); it said:\n  one\n  two"
      ),
      (
        .notReady("strap-sim", .seconds(10), log: ""), "strap-sim is not ready after 10 s, without a word"
      ),
      (.late("a heart rate", .seconds(30)), "a heart rate did not come within 30 s"),
      (.nothingCounted, "the workout was saved without a single counted sample"),
      (.interrupted, "the demo was interrupted, and has left nothing behind"),
    ] as [(DemoError, String)])
  func saysWhatHappened(_ error: DemoError, _ text: String) {
    #expect(error.description == text)
  }
}
