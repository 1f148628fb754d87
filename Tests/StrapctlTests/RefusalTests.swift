import Control
import Measurements
import Testing
import Workout

@testable import strapctl

struct RefusalTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"
  private static let other = "0d9f0a1e-0000-4000-8000-000000000001"

  private static func refusal(_ error: ControlError, to method: String) throws -> Refusal {
    try #require(Refusal(error.reply, to: "io.strapd.\(method)"))
  }

  private static func session(_ text: String) throws -> SessionID {
    try #require(SessionID(text))
  }

  @Test func saysWhatItMeansForEveryErrorOfTheDaemon() throws {
    let (id, other) = (try Self.session(Self.id), try Self.session(Self.other))
    let strap = try #require(StrapAddress("F0:F1:F2:F3:F4:F5"))
    let (date, now) = (WallTime(nanoseconds: 3_600_000_000_000), WallTime(nanoseconds: 0))
    let texts: [(ControlError, String, String)] = [
      (
        .interfaceNotFound("io.strapd"), "Pause",
        "what answers at this socket does not know the interface io.strapd. Is it strapd's socket?"
      ),
      (
        .methodNotFound("io.strapd.Pause"), "Pause",
        "strapd does not know io.strapd.Pause: it is older than this strapctl. Update and restart it"
      ),
      (
        .invalidParameter("page"), "ListWorkouts",
        "strapd does not take the value of 'page' with list. "
          + "Check it; if it is right, strapd and strapctl are of different versions"
      ),
      (
        .expectedMore, "Watch",
        "strapd answers watch more than once, and this strapctl did not ask for that: they are of different versions"
      ),
      (
        .noSession(call: .pause), "Pause",
        "cannot pause: no session is live. Begin one with 'strapctl prepare --activity running'"
      ),
      (
        .sessionAmbiguous([id, other]), "Stop",
        "cannot stop: several sessions are live. Name one of them: \(Self.id), \(Self.other)"
      ),
      (
        .noSuchSession(id), "End",
        "cannot end: there is no session \(Self.id). "
          + "'strapctl status' shows those that live, 'strapctl list' the finished ones"
      ),
      (
        .refused(id, .notAllowed(state: .prepared, call: .pause, allowed: [.prepare, .start, .end])), "Pause",
        "cannot pause: the session \(Self.id) is prepared. Possible now: prepare, start, end"
      ),
      (
        .refused(id, .dateAhead(date, now: now)), "Start",
        "cannot start at 1970-01-01T01:00:00Z: strapd's clock says 1970-01-01T00:00:00Z, "
          + "and a date may be at most a second ahead of it"
      ),
      (
        .refused(id, .endBeforeStart(end: now, start: date)), "Stop",
        "cannot stop at 1970-01-01T00:00:00Z: the workout started at 1970-01-01T01:00:00Z. "
          + "Give a date since then, or none for now"
      ),
      (
        .strapInUse(strap, by: other), "Prepare",
        "the strap F0:F1:F2:F3:F4:F5 is used by the session \(Self.other). "
          + "End that one with 'strapctl end \(Self.other)' or --supersede, or name another strap with --strap"
      ),
      (
        .strapInUse(strap, by: other), "ForgetStrap",
        "cannot forget: the strap F0:F1:F2:F3:F4:F5 is used by the session \(Self.other). End that one first: "
          + "'strapctl end \(Self.other)'"
      ),
      (
        .noSuchAdapter(strap, existing: []), "Prepare",
        "this machine has no Bluetooth adapter F0:F1:F2:F3:F4:F5. It has: nothing"
      ),
      (
        .unknownStrap("Ana", known: [try #require(StrapName("Anna")), try #require(StrapName("Ben"))]), "Prepare",
        "no strap is known as 'Ana'. Known names: Anna, Ben. 'strapctl straps' shows the known straps, 'strapctl scan' "
          + "those that are near"
      ),
      (
        .nameTaken(try #require(StrapName("Anna")), by: strap), "NameStrap",
        "the strap F0:F1:F2:F3:F4:F5 is called 'Anna' already. Give another name, or rename that one: "
          + "strapctl name F0:F1:F2:F3:F4:F5 NAME"
      ),
      (
        .nameNotAllowed("F0:F1", parameter: "name", allowed: "1 to 64 octets"), "NameStrap",
        "'F0:F1' cannot be the name; allowed are 1 to 64 octets"
      ),
      (
        .setInConfiguration(strap, parameter: "name", file: "/etc/strapd/strapd.conf"), "NameStrap",
        "the name of F0:F1:F2:F3:F4:F5 is set in /etc/strapd/strapd.conf, which goes before: change it there, and "
          + "have it read again by 'systemctl reload strapd'"
      ),
      (
        .strapHeld(strap, by: .monitor, file: nil), "ForgetStrap",
        "cannot forget F0:F1:F2:F3:F4:F5: a client watches it ('strapctl monitor'). Try again when that has ended"
      ),
      (
        .strapHeld(strap, by: .unattended, file: "/etc/x.conf"), "ForgetStrap",
        "cannot forget F0:F1:F2:F3:F4:F5: strapd holds it, since its workouts begin by themselves. Set 'unattended = no' "
          + "in its section of /etc/x.conf, 'sudo systemctl reload strapd', and try again"
      ),
      (
        .strapHeld(strap, by: .postExercise, file: nil), "ForgetStrap",
        "cannot forget F0:F1:F2:F3:F4:F5: the heart rate after its workout is still being kept, for two minutes at "
          + "most. Try again then"
      ),
      (.unknownActivity("Runing"), "Create", "there is no activity 'Runing'. Is it running?"),
      (
        .unknownActivity("water"), "Create",
        "there is no activity 'water'. Is it waterFitness or waterPolo or waterSports?"
      ),
      (
        .strapAmbiguous([strap]), "Pair",
        "cannot pair: several straps are in sight. Name one with 'strapctl pair STRAP': F0:F1:F2:F3:F4:F5"
      ),
      (
        .strapAmbiguous([strap]), "ResetEnergy",
        "cannot reset-energy: several straps are connected. Name one with --strap: F0:F1:F2:F3:F4:F5"
      ),
      (
        .noStrap, "Pair",
        "cannot pair: no strap was named, none is configured, and none is in sight. Wear the strap, wet its electrodes, "
          + "and name it: 'strapctl scan' shows its address"
      ),
      (
        .noHeartRate(strap, name: nil), "Pair",
        "cannot pair F0:F1:F2:F3:F4:F5: it is known, and has no Heart Rate Service. Is it the strap's address? "
          + "'strapctl scan' shows those of straps"
      ),
      (
        .noHeartRate(strap, name: "Desk Mouse"), "Prepare",
        "cannot prepare F0:F1:F2:F3:F4:F5: 'Desk Mouse' is known, and has no Heart Rate Service. Is it the strap's "
          + "address? 'strapctl scan' shows those of straps"
      ),
      (
        .pairingFailed(strap, "pairing failed (org.bluez.Error.AuthenticationRejected: Authentication Rejected)"),
        "Pair",
        "the strap F0:F1:F2:F3:F4:F5 could not be paired: pairing failed (org.bluez.Error.AuthenticationRejected: "
          + "Authentication Rejected). If the strap wants a PIN or a number, pair it at a terminal, without --no-input; "
          + "if it is paired with another host, remove that pairing first"
      ),
      (
        .pairingFailed(strap, "the strap is not advertising: wear it"), "Pair",
        "the strap F0:F1:F2:F3:F4:F5 could not be paired: the strap is not advertising: wear it"
      ),
      (
        .pairingFailed(strap, "bluetoothd does not answer"), "Pair",
        "the strap F0:F1:F2:F3:F4:F5 could not be paired: bluetoothd does not answer. 'systemctl status bluetooth' says "
          + "whether it runs; try again when it does"
      ),
      (
        .nothingAsked(strap), "AnswerPairing",
        "the strap F0:F1:F2:F3:F4:F5 asks nothing like that now: the question was withdrawn, or has been answered"
      ),
      (
        .pairingBusy(strap), "Pair",
        "cannot pair: the strap F0:F1:F2:F3:F4:F5 is being paired, and one is paired at a time. Try again when that is done"
      ),
      (
        .noSuchWorkout(id), "GetWorkout",
        "there is no finished workout \(Self.id). 'strapctl list' shows them; a session becomes one by 'end'"
      ),
      (
        .stateChanged(id, state: .paused, expected: [.running]), "Stop",
        "cannot stop: the session \(Self.id) is paused by now, and not running"
      ),
      (
        .timeline(id, .lap, .outsideWorkout(now, start: date, end: nil)), "Lap",
        "cannot lap: 1970-01-01T00:00:00Z is not of the workout, which began at 1970-01-01T01:00:00Z"
      ),
      (
        .timeline(id, .marker, .outsideWorkout(now, start: date, end: date)), "Marker",
        "cannot mark: 1970-01-01T00:00:00Z is not of the workout, which began at 1970-01-01T01:00:00Z and ended at "
          + "1970-01-01T01:00:00Z"
      ),
      (
        .timeline(id, .lap, .endNotAfterStart(end: now, start: date)), "Lap",
        "cannot lap: the end 1970-01-01T00:00:00Z is not after the start 1970-01-01T01:00:00Z"
      ),
      (
        .timeline(id, .beginActivity, .activitiesOverlap(now, end: date)), "BeginActivity",
        "cannot begin-activity at 1970-01-01T00:00:00Z: the activity before it went on until 1970-01-01T01:00:00Z"
      ),
      (
        .timeline(id, .lap, .tooMany), "Lap", "cannot lap: the workout has 1000 of them, and may have no more"
      ),
      (
        .invalidZones(.count(2)), "SetZones",
        "cannot setZones: there are 2 zones. Allowed are \(HeartRateZonesError.allowed)"
      ),
      (
        .tooLarge(id, .blobTooLarge(70_000)), "SetMetadata",
        "cannot setMetadata: the blob would have 70000 octets, and may have 65536"
      ),
      (
        .storeFailed(StoreError(operation: .read, code: 10, text: "disk I/O error")), "ListWorkouts",
        "strapd's database failed (read, code 10): disk I/O error. "
          + "See whether its disk is full, and 'journalctl -u strapd'"
      ),
      (
        .backupBusy, "Backup",
        "cannot back up: strapd gives a backup to another client already, and makes one at a time. Try again when that is "
          + "done"
      ),
      (
        .verifyBusy, "Verify",
        "cannot verify: strapd checks its store for another client already. Try again when that is done"
      ),
      (
        .verifyFailed("no room"), "Verify",
        "the store could not be checked: no room. 'journalctl -u strapd' may tell more"
      ),
      (
        .screenLocked, "Backup",
        "cannot back up: your screen is locked, and strapd tells nobody's heart rate then (redact_when_locked). Unlock it, "
          + "and try again"
      ),
      (
        .shuttingDown, "Prepare",
        "cannot prepare: strapd is shutting down. Sessions are kept; try again when it runs"
      ),
    ]
    for (error, method, text) in texts {
      #expect(try Self.refusal(error, to: method).description == text)
    }
  }

  @Test func namesAllActivitiesWhereNoneIsAlike() throws {
    let text = try Self.refusal(.unknownActivity("moonwalk"), to: "Create").description
    #expect(text.hasPrefix("there is no activity 'moonwalk'. There are: americanFootball, archery, "))
    #expect(text.hasSuffix(", wrestling, yoga"))
  }

  /// Errors that are added to the interface need a text here.
  @Test func knowsEveryErrorOfTheInterface() throws {
    let own = Interface.description.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.first == "error" && words.count > 1 ? "io.strapd.\(words[1])" : nil
    }
    #expect(own.count >= 11)
    let service = [
      "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied",
      "ExpectedMore",
    ]
    for error in own + service.map({ "org.varlink.service.\($0)" }) {
      let refusal = try #require(Refusal(VarlinkReply(.object([]), error: error), to: "io.strapd.Start"))
      let text = try #require(refusal.knownText, "no text for \(error)")
      #expect(text.count > 20)
    }
  }

  @Test func showsAnErrorThatItDoesNotKnowAsItCame() throws {
    let reply = VarlinkReply(try json(#"{"count":3,"name":"a\u001bb"}"#), error: "io.strapd.TooManySessions")
    let refusal = try #require(Refusal(reply, to: "io.strapd.Create"))
    #expect(
      refusal.description == #"strapd refused create: io.strapd.TooManySessions {"count":3,"name":"a\u001Bb"}"#)
    #expect(
      refusal.json.text == #"{"error":"io.strapd.TooManySessions","parameters":{"count":3,"name":"a\u001Bb"}}"#)
  }

  @Test func isNothingWhereTheReplyIsNoError() {
    #expect(Refusal(VarlinkReply(.object([])), to: "io.strapd.Create") == nil)
  }
}
