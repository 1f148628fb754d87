import Bus
import Testing

@Suite struct BusMessageTests {
  @Test func errorsDescribeThemselves() {
    #expect(BusError(name: "org.bluez.Error.Failed", text: "").description == "org.bluez.Error.Failed")
    #expect(
      BusError(name: "org.bluez.Error.Failed", text: "br-connection-canceled").description
        == "org.bluez.Error.Failed: br-connection-canceled")
  }

  @Test func callsStartAndWantAReplyUnlessTold() {
    let call = BusCall("/", nil, "Ping")
    #expect(!call.withoutActivation)
    #expect(!call.withoutReply)
  }
}
