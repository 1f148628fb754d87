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

  @Test func values() throws {
    let value = #"{"event":7,"date":"2026-11-30T09:00:02.250Z","seconds":2.25,"value":843.75}"#
    #expect(SampleText.value(try JSON(parsing: Array(value.utf8))) == "2026-11-30T09:00:02.250Z\t2.25\t843.75")
    let bucket =
      #"{"date":"2026-11-30T09:00:05Z","seconds":5.0,"count":4,"minimum":71.0,"mean":72.5,"maximum":74.0}"#
    #expect(
      SampleText.bucket(try JSON(parsing: Array(bucket.utf8)))
        == "2026-11-30T09:00:05Z\t5.0\t4\t71.0\t72.5\t74.0")
  }
}
