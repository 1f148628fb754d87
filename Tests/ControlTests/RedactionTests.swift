import Testing

@testable import Control

/// What a client with a locked screen may not see.
@Suite struct RedactionTests {
  /// Everything that such a client may see, by its name. A member that is new must be decided on here. heartRate stays in
  /// what somebody has set, and where it says that a device has the service.
  private static let visible: Set<String> = [
    "activities", "activity", "activityCount", "adapter", "adapters", "address", "advice", "ageSeconds", "alerts",
    "athlete", "availability", "batteryPercent", "batteryUnreliable", "bluetooth", "bodySensorLocation",
    "bondRemoved", "bonded", "cancelled", "cause", "clients", "collectedTypes", "collection", "complete", "computing",
    "configurationFile", "connected", "contact", "countdownSeconds", "counted", "createdDate", "currentActivity",
    "date", "debounceSeconds", "deviceName", "devices", "discardedDate", "discovering", "durableThrough",
    "elapsedSeconds", "endDate", "endReason", "event", "events", "firmwareRevision", "from", "givenName", "goals",
    "gone", "hardwareRevision", "heartRate", "held", "id", "initialDelaySeconds", "jitterSeconds", "kilojoules",
    "kind", "known", "label", "lap", "lapCount", "laps", "lastAliveDate", "lastSeenDate", "lastTrouble",
    "lastTroubleDate", "link", "location", "locks", "lostBeats", "lower", "manufacturer", "mode", "model", "monitors",
    "name", "next", "nextPage", "oddSignals", "passkey", "periodSeconds", "pinCode", "postExercise", "powered",
    "progress", "protocolVersion", "quirks", "reconnects", "redacted", "refusedPackets", "remainingSeconds", "repeat",
    "repeats", "requestedDate", "requestedEndDate", "requestedStartDate", "rssi", "samples", "scanning", "seconds",
    "sequence",
    "serial", "session", "sessions", "sinceDate", "snapshot", "softwareRevision", "startDate", "startsAtFirstBeat",
    "state", "strap", "straps", "thresholdPercent", "to", "trouble", "troubleKind", "typesToCollect", "unprepared",
    "upper",
    "version", "wallSeconds", "watchers", "what", "workout", "workouts", "zones",
    "limits", "absenceSeconds", "prepareSeconds", "pauseSeconds", "stoppedSeconds", "recoverySeconds", "heldRecords",
    "working",
    "unattended", "dryRun", "phase", "startSeconds",
    "firstDay", "totals", "title", "second", "edit", "editDate", "edits", "undoneDate", "before", "after", "athletes",
    "default", "octets", "of", "sha256", "finding", "sound", "summary", "values", "buckets", "bucketSeconds",
    "provisional", "gapSeconds", "synchronised", "atDate", "requestedAtDate", "bootSeconds", "interruption",
    "stepNanoseconds",
    "previousGapNanoseconds", "gapNanoseconds", "boot", "types", "device", "count", "previousGapSeconds",
    "clockSynchronised", "calls", "method", "medianSeconds", "p99Seconds", "longestSeconds", "heartRates", "turns",
    "rebooted", "stepSeconds", "anchors",
    "replaysAfter", "missed", "coalesced", "firstSequence", "lastSequence",
  ]

  private static func names(_ json: JSON, _ names: inout Set<String>) {
    switch json {
    case .object(let members):
      for member in members {
        names.insert(member.name)
        Self.names(member.value, &names)
      }
    case .array(let elements): for element in elements { Self.names(element, &names) }
    case .null, .bool, .integer, .real, .string, .encoded: break
    }
  }

  private static var everything: [VarlinkReply] {
    get throws {
      let replies = Samples.replies.map(\.reply).filter { $0.error == nil }
      let events = try Samples.events.map { event, _ in
        try #require(VarlinkReply(event.message(held: true, durableThrough: 5).dropLast()))
      }
      let others =
        [Samples.replay.message, Samples.lag.message]
        + events.map {
          EncodedEvent.message($0.message, standingFor: 3)
        }
      return replies + events + (try others.map { try #require(VarlinkReply($0.dropLast())) })
    }
  }

  @Test func eachMemberWasDecidedOn() throws {
    var seen: Set<String> = []
    for reply in try Self.everything { Self.names(reply.redacted.parameters, &seen) }
    #expect(seen.subtracting(Self.visible) == [], "shown to whoever has a locked screen, and not decided on")
    #expect(Self.visible.subtracting(seen) == [], "not shown, or in no sample")
  }

  @Test func noHeartRateIsLeft() throws {
    // Samples measure 165 and 72; both would be found as numbers of their own.
    for reply in try Self.everything {
      let before = reply.parameters.text
      let after = reply.redacted.parameters.text
      for name in ["\"rrIntervals\"", "\"statistics\"", "\"mostRecent\"", "\"rrTicks\""] {
        #expect(!after.contains(name), "\(before)")
      }
      #expect(!after.contains(#""heartRate":165"#) && !after.contains(#""heartRate":72"#), "\(before)")
    }
  }

  @Test func whatIsSetIsNoHeartRate() throws {
    let json = try JSON(
      parsing: Array(
        #"{"alerts":[{"kind":"above","heartRate":160}],"zones":[{"upper":120}],"heartRate":150,"zone":2}"#.utf8))
    #expect(
      VarlinkReply(json).redacted.parameters.text
        == #"{"alerts":[{"kind":"above","heartRate":160}],"zones":[{"upper":120}]}"#)
  }

  @Test func aScanSaysWhatHasTheService() throws {
    let json = try JSON(parsing: Array(#"{"devices":[{"address":"x","heartRate":true}]}"#.utf8))
    #expect(VarlinkReply(json).redacted.parameters == json)
  }

  @Test func errorsStay() {
    let reply = ControlError.noSession(call: .pause).reply
    #expect(reply.redacted == reply)
  }
}
