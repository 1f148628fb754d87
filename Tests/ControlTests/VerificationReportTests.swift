import Control
import Testing

@Suite struct VerificationReportTests {
  @Test(arguments: [
    (VerificationReport.finding("page 3 is none"), #"{"finding":"page 3 is none"}"#),
    (.done(isSound: true, "5 workouts"), #"{"sound":true,"summary":"5 workouts"}"#),
    (.done(isSound: false, "1 thing is wrong"), #"{"sound":false,"summary":"1 thing is wrong"}"#),
  ])
  func wire(_ report: VerificationReport, _ text: String) {
    let reply = ControlReply.verification(report).reply
    #expect(reply.parameters.text == text)
    #expect(reply.continues == !report.isLast)
  }
}
