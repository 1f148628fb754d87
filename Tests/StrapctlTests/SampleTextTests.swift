import Control
import Testing

@testable import strapctl

struct SampleTextTests {
  @Test(arguments: [
    (
      #"{"event":7,"date":"2026-11-30T09:00:02.250Z","seconds":2.25,"heartRate":71,"rrIntervals":[850.5859375,843.75]}"#,
      "2026-11-30T09:00:02.250Z\t2.25\t71\t850.5859375 843.75"
    ),
    (#"{"date":"2026-11-30T09:00:02Z","seconds":-1.0,"heartRate":0}"#, "2026-11-30T09:00:02Z\t-1.0\t0\t"),
  ])
  func line(_ sample: String, _ line: String) throws {
    #expect(SampleText.line(try JSON(parsing: Array(sample.utf8))) == line)
  }
}
