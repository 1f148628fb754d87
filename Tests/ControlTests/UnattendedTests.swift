import Control
import Measurements
import Testing

@Suite struct UnattendedTests {
  @Test func newsInWords() {
    let anna = AthleteName("Anna")
    #expect(
      "\(UnattendedNews.started(Samples.date, athlete: anna))"
        == "a workout of Anna has begun at 2026-11-30T09:10:11.250Z")
    #expect(
      "\(UnattendedNews.wouldStart(Samples.date, athlete: nil))"
        == "a workout would have begun at 2026-11-30T09:10:11.250Z")
    #expect(
      "\(UnattendedNews.wouldEnd(start: Samples.date, end: Samples.later, athlete: anna))"
        == "the workout of Anna that would have begun at 2026-11-30T09:10:11.250Z would have ended at "
        + "2026-11-30T09:11:41.250Z")
  }
}
