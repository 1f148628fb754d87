import Measurements
import Testing
import Workout

@Suite struct SessionErrorTests {
  @Test func saysWhatWasTriedAndWhatIsPossible() {
    #expect(
      SessionError.notAllowed(state: .stopped, call: .resume, allowed: [.stop, .end]).description
        == "resume is not possible while the session is stopped; possible: stop, end")
    #expect(
      SessionError.dateAhead(.at(10), now: .at(5)).description
        == "the date 2026-11-30T08:00:10Z is more than a second ahead of this machine's clock (2026-11-30T08:00:05Z)")
    #expect(
      SessionError.endBeforeStart(end: .at(1), start: .at(2)).description
        == "the end date 2026-11-30T08:00:01Z is before the start date 2026-11-30T08:00:02Z")
  }
}
