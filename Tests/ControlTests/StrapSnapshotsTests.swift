import Control
import Testing

@Suite struct StrapSnapshotsTests {
  static let full =
    #"{"address":"F0:F1:F2:F3:F4:F5","name":"Anna's left","deviceName":"Chest \"1\"","athlete":"Anna","#
    + #""manufacturer":"Maker","model":"M1","firmwareRevision":"2.1","serial":"0007","batteryPercent":87,"batteryUnreliable":true,"rssi":-61,"#
    + #""connected":true,"bonded":true,"link":"streaming","session":"\#(Samples.id)","clients":2,"#
    + #""lastSeenDate":"2026-11-30T09:10:11.250Z","configurationFile":"/etc/strapd/strapd.conf","adapter":"00:AA:01:00:00:42","#
    + #""unattended":{"dryRun":false,"phase":"off","startSeconds":30.0,"absenceSeconds":300.0}}"#

  static let bare = #"{"address":"F0:F1:F2:F3:F4:F5","connected":false,"link":"standing","clients":0}"#

  @Test func knownStraps() {
    #expect(Samples.fullKnownStrap.json.text == Self.full)
    #expect(Samples.bareKnownStrap.json.text == Self.bare)
    #expect(
      ControlReply.straps([Samples.fullKnownStrap, Samples.bareKnownStrap]).reply.parameters.text
        == #"{"straps":["# + Self.full + "," + Self.bare + "]}")
    #expect(ControlReply.named(Samples.bareKnownStrap).reply.parameters.text == #"{"strap":"# + Self.bare + "}")
  }

  @Test func forgottenStraps() {
    let forgotten = ForgottenStrap(Samples.strap, isBondRemoved: false, configurationFile: "/f")
    #expect(
      ControlReply.forgotten(forgotten).reply.parameters.text
        == #"{"strap":"F0:F1:F2:F3:F4:F5","bondRemoved":false,"configurationFile":"/f"}"#)
    let unasked = ForgottenStrap(Samples.strap, isBondRemoved: nil, configurationFile: nil)
    #expect(ControlReply.forgotten(unasked).reply.parameters.text == #"{"strap":"F0:F1:F2:F3:F4:F5"}"#)
  }
}
