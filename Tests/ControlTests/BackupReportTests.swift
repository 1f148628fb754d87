import Control
import Testing

@Suite struct BackupReportTests {
  @Test(arguments: [
    (BackupReport.copied(4096, of: 8192), #"{"phase":"copying","octets":4096,"of":8192}"#),
    (.checked(5, of: 8192), #"{"phase":"checking","octets":5,"of":8192}"#),
    (.piece([0x66, 0x6F], through: 7, of: 8192), #"{"phase":"sending","octets":7,"of":8192,"data":"Zm8="}"#),
    (.done(size: 8192, sha256: "e3b0"), #"{"phase":"done","octets":8192,"of":8192,"sha256":"e3b0"}"#),
  ])
  func wire(_ report: BackupReport, _ text: String) {
    let reply = ControlReply.backup(report).reply
    #expect(reply.parameters.text == text)
    #expect(reply.continues == !report.isLast)
  }

  @Test func aLockedScreenGetsNoOctets() {
    let reply = ControlReply.backup(.piece([1, 2, 3], through: 3, of: 3)).reply.redacted
    #expect(reply.parameters.text == #"{"phase":"sending","octets":3,"of":3}"#)
  }
}
