import Control
import Testing

@testable import strapctl

struct DiagnosisStrapsTests {
  /// The findings on straps: those of GetStatus, and those that ListStraps adds.
  private func findings(_ linked: String, known: String = "") throws -> [Finding] {
    try Facts.findings { facts in
      let straps = try json("[\(known)]").asArray ?? []
      facts.daemon = .status(try Facts.status(#""straps":[\#(linked)]"#), known: straps)
    }.filter { $0.id.hasPrefix("strap") && $0.id != "strapd" }
  }

  @Test func aStrapIsInTrouble() throws {
    #expect(
      try findings(
        #"{"address":"F0:F1:F2:F3:F4:F6","link":"backingOff","trouble":"it sends nothing: wear it","batteryPercent":3}"#
      )
        == [
          Finding(
            "strap.F0:F1:F2:F3:F4:F6", .warning, "F0:F1:F2:F3:F4:F6: it sends nothing: wear it",
            advice: "'strapctl watch' shows whether it helps, and 'journalctl -u strapd' what has been tried")
        ])
  }

  @Test func theLastTroubleIsTold() throws {
    #expect(
      try findings(
        #"{"address":"A","name":"Demo HR","givenName":"Left","link":"standing","refusedPackets":2,"#
          + #""lastTrouble":"out of range","lastTroubleDate":"2026-11-30T11:03:04Z"}"#)
        == [
          Finding(
            "strap.A", .ok,
            "Left (A): not connected, 2 packets refused, last trouble at 2026-11-30 12:03:04: out of range")
        ])
  }

  @Test func noStrapIsKnown() throws {
    #expect(
      try findings("") == [
        Finding(
          "straps", .note, "strapd knows no strap yet",
          advice: "wear one, wet its electrodes, and run 'strapctl prepare'")
      ])
  }

  @Test func knownStrapsThatAreNotLinkedFollow() throws {
    let known =
      #"{"address":"A","name":"Left","batteryPercent":80},"#
      + #"{"address":"B","deviceName":"H10 1234","batteryPercent":80,"lastSeenDate":"2026-11-30T11:03:04Z"},"#
      + #"{"address":"C"}"#
    #expect(
      try findings(#"{"address":"A","link":"streaming"}"#, known: known) == [
        Finding("strap.A", .ok, "A: streaming"),
        Finding("strap.B", .ok, "H10 1234 (B): last connected at 2026-11-30 12:03, battery 80 %"),
        Finding("strap.C", .ok, "C: never connected"),
      ])
  }

  @Test func anEmptyBatteryIsToldInTime() throws {
    let advice = "put a new battery into it, or charge it, before the next workout"
    let text = "A: streaming, battery 10 %"
    #expect(
      try findings(#"{"address":"A","link":"streaming","batteryPercent":10}"#) == [
        Finding("strap.A", .warning, text, advice: advice)
      ])
    #expect(try findings(#"{"address":"A","link":"streaming","batteryPercent":11}"#).first?.severity == .ok)
    #expect(
      try findings(#"{"address":"A","link":"streaming","batteryPercent":10,"batteryUnreliable":true}"#) == [
        Finding("strap.A", .ok, text + " (not to be relied on)")
      ])
    #expect(
      try findings("", known: #"{"address":"A","batteryPercent":9}"#) == [
        Finding("strap.A", .warning, "A: never connected, battery 9 %", advice: advice)
      ])
  }

  /// What only a person can mend keeps workouts from being recorded with that strap, whether or not it is wanted now.
  @Test(arguments: [
    ("bondLost", "has lost its pairing with this host, and ends every connection", "strapctl pair --again A"),
    ("bondNeeded", "answers only paired hosts", "strapctl pair A"),
    ("noHeartRate", "has no Heart Rate Service", "strapctl forget A"),
  ])
  func aStrapThatCannotBeUsed(_ kind: String, _ text: String, _ advice: String) throws {
    let finding = try #require(
      try findings(#"{"address":"A","name":"H10","link":"standing","troubleKind":"\#(kind)","lastTrouble":"x"}"#).first)
    #expect(finding.severity == .problem)
    #expect(finding.text.contains("H10 (A)") && finding.text.contains(text), "\(finding.text)")
    #expect(finding.advice?.contains(advice) == true, "\(finding.advice ?? "")")
  }

  @Test(arguments: ["neverSubscribed", "endsEarly", "pairFailed", "noAdapter", "adapterBlocked"])
  func aWantedStrapThatIsKeptFromRecording(_ kind: String) throws {
    let wanted = #"{"address":"A","link":"backingOff","trouble":"so it is","troubleKind":"\#(kind)"}"#
    #expect(try findings(wanted).map(\.severity) == [.problem])
    #expect(try findings(wanted).first?.text == "A: so it is")
  }

  @Test(arguments: ["notAdvertising", "silentAfterSubscribing", "linkLost", "bluetoothdAbsent"])
  func oneThatOnlyHasToBeWorn(_ kind: String) throws {
    let wanted = #"{"address":"A","link":"backingOff","trouble":"wear it","troubleKind":"\#(kind)"}"#
    #expect(try findings(wanted).map(\.severity) == [.warning])
  }

  @Test func aSectionThatNamesAnAdapterThatThereIsNot() throws {
    let known =
      #"{"address":"A","name":"Left","adapter":"00:AA:01:00:00:43","configurationFile":"/etc/strapd/strapd.conf"},"#
      + #"{"address":"B","name":"Right","adapter":"00:AA:01:00:00:42","configurationFile":"/etc/strapd/strapd.conf"}"#
    func findings(_ status: String) throws -> [Finding] {
      try Facts.findings { facts in
        facts.daemon = .status(try Facts.status(status), known: try json("[\(known)]").asArray ?? [])
      }.filter { $0.id.hasPrefix("strap.") }
    }
    let adapters = #""adapters":[{"name":"hci0","address":"00:AA:01:00:00:42","powered":true}]"#
    let problem = Finding(
      "strap.A", .problem,
      "Left (A) is to be reached by the Bluetooth adapter 00:AA:01:00:00:43, which this machine has not; it has "
        + "00:AA:01:00:00:42",
      advice: "plug it in, or change 'adapter' in /etc/strapd/strapd.conf, and 'sudo systemctl reload strapd'")
    let linked = #"{"address":"A","givenName":"Left","link":"standing"}"#
    for straps in ["", linked] {
      let all = try findings(#"\#(adapters),"straps":[\#(straps)]"#)
      #expect(all.first == problem)
      #expect(all.map(\.severity) == [.problem, .ok])
    }
    // While bluetoothd shows none at all, that is what is wrong.
    #expect(try findings(#""adapters":[],"straps":[]"#).map(\.severity) == [.ok, .ok])
  }

  @Test func aKnownStrapThatIsConnectedNow() throws {
    let finding = try findings("", known: #"{"address":"A","connected":true}"#).first
    #expect(finding == Finding("strap.A", .ok, "A: connected now"))
  }
}
