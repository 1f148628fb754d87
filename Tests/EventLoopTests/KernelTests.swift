import Glibc
import Testing

@testable import EventLoop

struct KernelTests {
  @Test func bootIDsAreWrittenTheJournalsWay() {
    let digits = "e55e46f3c66847c68806526f2531a9ea"
    #expect(EventLoop.normalisedBootID(digits) == digits)
    #expect(EventLoop.normalisedBootID("E55E46F3-C668-47C6-8806-526F2531A9EA") == digits)
    for text in ["", "e55e", digits + "0", "g" + digits.dropFirst(), "é" + digits.dropFirst(2)] {
      #expect(EventLoop.normalisedBootID(text) == nil, "\(text)")
    }
  }

  @Test func randomOctetsAreAsManyAsAskedForAndDiffer() throws {
    #expect(try EventLoop.randomBytes(0).isEmpty)
    #expect(try EventLoop.randomBytes(1).count == 1)
    let (a, b) = (try EventLoop.randomBytes(1000), try EventLoop.randomBytes(1000))
    #expect(a.count == 1000)
    #expect(a != b)
    // Each of the four quarters has been filled.
    for start in stride(from: 0, to: 1000, by: 250) { #expect(Set(a[start..<start + 250]).count > 16) }
  }
}
