import Control
import Testing

@testable import strapctl

struct ClockTextTests {
  @Test(arguments: [
    (#"{"kind":"clockStep","stepSeconds":-3600.0}"#, "the clock was set back by 1 h 0 min 0 s"),
    (#"{"kind":"clockStep","stepSeconds":0.25}"#, "the clock was set forward by 0.25 s"),
    (#"{"kind":"clockStep","stepSeconds":1796029000.0}"#, "the clock was set forward by 20787 days"),
    (
      #"{"kind":"gapFixed","gapSeconds":3621.0,"previousGapSeconds":20.0,"provisional":false}"#,
      "the machine was off for 1 h 0 min 21 s, not 20.0 s"
    ),
  ]) func words(_ event: String, _ expected: String) throws {
    let style = TextStyle.ofThisProcess
    #expect(ClockText.words(try JSON(parsing: Array(event.utf8)), style) == expected)
  }
}
