import Glibc
import Measurements
import TestSupport
import Testing

@testable import strapctl

struct TextStyleTests {
  private static let style = TextStyle.test()

  @Test func writesLocalTimes() {
    let date = "2026-11-30T23:10:11.256789Z"
    #expect(Self.style.dateAndTime(date) == "2026-12-01 00:10:11")
    #expect(Self.style.dateAndMinute(date) == "2026-12-01 00:10")
    #expect(Self.style.time(date) == "00:10:11")
    #expect(Self.style.timeWithMilliseconds(date) == "00:10:11.256")
    #expect(Self.style.timeWithMilliseconds("2026-11-30T23:10:11Z") == "00:10:11.000")
  }

  @Test func leavesWhatIsNoDate() {
    #expect(Self.style.time(nil) == nil)
    #expect(Self.style.time("at\u{7}noon") == "at\u{FFFD}noon")
  }

  @Test func hasSignsForBothKindsOfTerminal() {
    #expect(TextStyle.test(isUTF8: true).heart == "♥")
    #expect(TextStyle.test(isUTF8: true).arrow == "→")
    #expect(TextStyle.test(isUTF8: false).heart == "HR")
    #expect(TextStyle.test(isUTF8: false).arrow == "->")
  }

  /// The C library's own answer, whatever zone the test runs in.
  @Test(arguments: [0, 1_796_029_811_256_000_000, -1, -1_000_000_000, -1_000_000_001] as [Int64])
  func readsTheLocalClock(_ nanoseconds: Int64) {
    let time = LocalTime(WallTime(nanoseconds: nanoseconds))
    var parts = tm()
    parts.tm_year = Int32(time.year - 1900)
    parts.tm_mon = Int32(time.month - 1)
    (parts.tm_mday, parts.tm_hour) = (Int32(time.day), Int32(time.hour))
    (parts.tm_min, parts.tm_sec, parts.tm_isdst) = (Int32(time.minute), Int32(time.second), -1)
    #expect(Int64(mktime(&parts)) * 1000 + Int64(time.millisecond) == Int64((Double(nanoseconds) / 1e6).rounded(.down)))
  }

  @Test func padsNumbers() {
    #expect(padded(7, 3) == "007")
    #expect(padded(12345, 3) == "12345")
  }
}
