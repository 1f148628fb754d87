import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// What `strapctl export --follow` asks for.
struct ExportFollowTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"

  @Test func listsAtTheStartAndThenAsksForWhatHasEnded() throws {
    let folder = try TemporaryFolder()
    let daemon = try FakeDaemon()
    let strapctl = try ChildProcess(
      try BuildFolder.program("strapctl"), ["export", "--follow", "--directory", folder.file("out")],
      environment: ["STRAPD_SOCKET": daemon.path, "TZ": "UTC"])
    let watch = try daemon.accept()
    #expect(try watch.call().contains(#""io.strapd.Watch""#))
    func answer(_ text: String, to method: String) throws {
      let conversation = try daemon.accept()
      let call = try conversation.call()
      #expect(call.contains(#""io.strapd.\#(method)""#), "\(call)")
      if method != "ListWorkouts" { #expect(call.contains(Self.id)) }
      conversation.send(text)
    }
    try answer(#"{"parameters":{"workouts":[]}}"#, to: "ListWorkouts")
    func happens(_ event: String) {
      watch.send(
        #"{"continues":true,"parameters":{"sequence":1,"date":"2026-12-01T10:00:00Z","session":"\#(Self.id)",\#(event)}}"#
      )
    }
    happens(#""kind":"transition","from":"running","to":"stopped","cause":"user""#)
    happens(#""kind":"transition","from":"stopped","to":"ended","cause":"user""#)
    // It is not saved yet.
    try answer(#"{"error":"io.strapd.NoSuchWorkout","parameters":{"id":"\#(Self.id)"}}"#, to: "GetWorkout")
    happens(#""kind":"postExerciseEnded""#)
    // Somebody has discarded it.
    let discarded = #"{"parameters":{"workout":{"id":"\#(Self.id)","discardedDate":"2026-12-01T10:00:00Z"}}}"#
    try answer(discarded, to: "GetWorkout")
    watch.hangUp()
    // Whatever it has missed meanwhile is in the list.
    let again = try daemon.accept()
    #expect(try again.call().contains(#""io.strapd.Watch""#))
    try answer(#"{"parameters":{"workouts":[]}}"#, to: "ListWorkouts")
    strapctl.signal(SIGTERM)
    #expect(try strapctl.wait() == .exited(0))
    #expect(try strapctl.outputText() == "")
  }
}
