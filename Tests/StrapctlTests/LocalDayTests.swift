import Measurements
import Testing

@testable import strapctl

struct LocalDayTests {
  /// The zone is that of the machine: between 14 hours before and 12 behind the midnight of UTC.
  @Test func aDayBeginsAtItsMidnight() throws {
    let midnight = try #require(LocalDay.midnight("2026-11-30"))
    let utc = try #require(WallTime(rfc3339: "2026-11-30T00:00:00Z"))
    #expect(midnight >= utc + .seconds(-14 * 3600) && midnight <= utc + .seconds(12 * 3600))
    #expect(LocalDay.midnight("2028-02-29") != nil)
  }

  @Test(arguments: [
    "", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "20261130", "2026-11-30T", "2026/11/30",
    "2026-11-3x", "-026-11-30", "2026-11--1", "0026-11-30", "9999-01-01",
  ])
  func whatIsNoDay(_ text: String) {
    #expect(LocalDay.midnight(text) == nil)
  }
}
