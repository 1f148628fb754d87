import Testing

@testable import strapctl

struct EventRowTests {
  private static func row(_ event: String, _ words: String = "words") throws -> String {
    EventRow.text(try json(event), words)
  }

  @Test func aMeasurement() throws {
    #expect(
      try Self.row(
        #"""
        {"sequence":7,"kind":"heartRate","date":"2026-11-30T11:03:04.512345Z","session":"a","strap":"F0:F1:F2:F3:F4:F5",
        "heartRate":72,"contact":"detected","rrIntervals":[833.0078125,831.5],"rrTicks":[853,851],"energyKilojoules":12,
        "availability":"available","counted":true,"coalesced":10,"durableThrough":5}
        """#)
        == "2026-11-30T11:03:04.512345Z,7,heartRate,a,F0:F1:F2:F3:F4:F5,72,yes,833.0078125 831.5,12,available,yes,10,")
    #expect(
      try Self.row(
        #"""
        {"sequence":8,"kind":"heartRate","date":"2026-11-30T11:03:05Z","heartRate":0,"contact":"notDetected",
        "rrIntervals":[],"availability":"noContact","counted":false}
        """#) == "2026-11-30T11:03:05Z,8,heartRate,,,,no,,,noContact,no,1,", "0 is no reading")
    #expect(
      try Self.row(#"{"sequence":9,"kind":"heartRate","date":"2026-11-30T11:03:05Z","redacted":true}"#)
        == "2026-11-30T11:03:05Z,9,heartRate,,,,,,,,,1,")
  }

  @Test func anotherEventHasItsWords() throws {
    #expect(
      try Self.row(#"{"sequence":9,"kind":"lap","date":"2026-11-30T11:03:05Z","session":"a"}"#, "lap \"up, down\"")
        == "2026-11-30T11:03:05Z,9,lap,a,,,,,,,,,\"lap \"\"up, down\"\"\"")
  }

  @Test func nothingIsCalculated() throws {
    for words in ["=1+1", "+1", "-1", "@SUM(A1)"] {
      #expect(try Self.row(#"{"kind":"marker"}"#, words) == ",,marker,,,,,,,,,,'\(words)")
    }
  }

  @Test func eachRowHasTheFieldsOfTheHeading() throws {
    let count = EventRow.heading.split(separator: ",", omittingEmptySubsequences: false).count
    for event in [#"{"kind":"later"}"#, "{}", #"{"kind":"heartRate","heartRate":70}"#] {
      let fields = try Self.row(event).split(separator: ",", omittingEmptySubsequences: false)
      #expect(fields.count == count)
    }
  }
}
