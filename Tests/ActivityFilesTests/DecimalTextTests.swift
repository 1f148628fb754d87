import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct DecimalTextTests {
  @Test func everyTickComesBack() throws {
    let octets = (2...UInt16.max).map { DecimalText.milliseconds(RRInterval(ticks1024: $0)) + "\n" }.joined()
    let lines = octets.split(separator: "\n")
    for (ticks, line) in zip(2...UInt16.max, lines) {
      guard let milliseconds = Double(String(line)) else {
        Issue.record("\(line)")
        return
      }
      if UInt16((milliseconds * 1.024).rounded()) != ticks { Issue.record("\(ticks)") }
    }
    #expect(lines.count == 65_534)
    // 1/1024 s is less than a millisecond.
    #expect(DecimalText.milliseconds(RRInterval(ticks1024: 1)) == "0.9765625")
  }

  @Test(arguments: [
    (0, 9, "0"), (1, 9, "0.000000001"), (-1, 9, "-0.000000001"), (1_500_000_000, 9, "1.5"), (-60_000_000_000, 9, "-60"),
    (100, 2, "1"), (7, 0, "7"), (Int64.min, 9, "-9223372036.854775808"), (Int64.max, 9, "9223372036.854775807"),
  ])
  func scaled(value: Int64, decimals: Int, text: String) {
    #expect(DecimalText.scaled(value, decimals: decimals) == text)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_999_999, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-1_000_000_000, "1969-12-31T23:59:59.000Z"), (120_000_000, "1970-01-01T00:00:00.120Z"),
  ])
  func dates(nanoseconds: Int64, text: String) {
    #expect(DecimalText.milliseconds(WallTime(nanoseconds: nanoseconds)) == text)
  }
}
