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
}
