import Control
import Measurements
import Testing
import Workout

@testable import strapctl

struct CallsTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"

  /// The message without its NUL.
  private static func text(_ call: VarlinkCall?) -> String? {
    call.map { String(decoding: $0.message.dropLast(), as: UTF8.self) }
  }

  // Here and not in the arguments of `@Test`, where Swift 6.0.3 crashes on an interpolation.
  private static let calls: [(Command, String)] = [
    (.create(Wish()), #"{"method":"io.strapd.Create","parameters":{}}"#),
    (
      .prepare(
        session: nil, Wish(activity: "running", location: .outdoor, strap: "F0:F1:F2:F3:F4:F5")),
      #"{"method":"io.strapd.Prepare","parameters":{"activity":"running","location":"outdoor","strap":"F0:F1:F2:F3:F4:F5"}}"#
    ),
    (
      .create(Wish(adapter: StrapAddress("00:aa:01:00:00:42"))),
      #"{"method":"io.strapd.Create","parameters":{"adapter":"00:AA:01:00:00:42"}}"#
    ),
    (.prepare(session: SessionID(id), Wish()), #"{"method":"io.strapd.Prepare","parameters":{"session":"\#(id)"}}"#),
    (
      .prepare(session: SessionID(id), Wish(), supersedes: true),
      #"{"method":"io.strapd.Prepare","parameters":{"session":"\#(id)","supersede":true}}"#
    ),
    (
      .start(session: nil, .countdown(seconds: 3), supersedes: true),
      #"{"method":"io.strapd.Start","parameters":{"countdownSeconds":3.0,"supersede":true}}"#
    ),
    (.start(session: nil, .now), #"{"method":"io.strapd.Start","parameters":{}}"#),
    (
      .start(session: nil, .at("2026-11-30T09:10:11+01:00")),
      #"{"method":"io.strapd.Start","parameters":{"date":"2026-11-30T09:10:11+01:00"}}"#
    ),
    (
      .start(session: SessionID(id), .countdown(seconds: 3)),
      #"{"method":"io.strapd.Start","parameters":{"session":"\#(id)","countdownSeconds":3.0}}"#
    ),
    (.pause(session: nil), #"{"method":"io.strapd.Pause","parameters":{}}"#),
    (.resume(session: SessionID(id)), #"{"method":"io.strapd.Resume","parameters":{"session":"\#(id)"}}"#),
    (.stop(session: nil, date: nil), #"{"method":"io.strapd.Stop","parameters":{}}"#),
    (
      .stop(session: nil, date: "2026-11-30T10:15:00Z"),
      #"{"method":"io.strapd.Stop","parameters":{"date":"2026-11-30T10:15:00Z"}}"#
    ),
    (.end(session: nil), #"{"method":"io.strapd.End","parameters":{}}"#),
    (.start(session: nil, .firstBeat), #"{"method":"io.strapd.Start","parameters":{"atFirstBeat":true}}"#),
    (.cancel(session: nil), #"{"method":"io.strapd.CancelCountdown","parameters":{}}"#),
    (.lap(session: nil, label: nil), #"{"method":"io.strapd.Lap","parameters":{}}"#),
    (
      .mark(session: SessionID(id), label: "hill"),
      #"{"method":"io.strapd.Marker","parameters":{"session":"\#(id)","label":"hill"}}"#
    ),
    (
      .beginActivity(session: nil, "cycling", .indoor, label: nil),
      #"{"method":"io.strapd.BeginActivity","parameters":{"activity":"cycling","location":"indoor"}}"#
    ),
    (.endActivity(session: nil), #"{"method":"io.strapd.EndActivity","parameters":{}}"#),
    (.discard(session: SessionID(id)), #"{"method":"io.strapd.Discard","parameters":{"session":"\#(id)"}}"#),
  ]

  @Test(arguments: calls)
  func makesTheCallOfEveryCommandOnASession(_ command: Command, _ message: String) {
    #expect(Self.text(command.sessionCall) == message)
  }

  @Test(
    arguments: [
      .status, .timings, .watch(), .monitor([], adapter: nil), .list(limit: nil), .totals(.week, HistoryFilter()),
      .resetEnergy(strap: nil),
      .scan(seconds: nil, all: false), .straps, .forget(strap: "a"), .pair(strap: nil, again: false, noInput: false),
      .demo, .doctor, .backup(.standardOutput), .verify,
    ]
      as [Command])
  func leavesTheOthersToTheirOwnWay(_ command: Command) {
    #expect(command.sessionCall == nil)
  }

  private static let wish = WatchWish(
    sessions: [SessionID(id)].compactMap { $0 }, straps: ["F0:F1:F2:F3:F4:F5"], kinds: [.lap, .heartRate], since: 7,
    rate: .change)
  private static let wishCall =
    #"{"method":"io.strapd.Watch","parameters":{"sessions":["\#(id)"],"ofStraps":["F0:F1:F2:F3:F4:F5"],"#
    + #""kinds":["lap","heartRate"],"since":7,"rate":"change"},"more":true}"#

  @Test func makesTheOtherCalls() throws {
    #expect(Self.text(Command.watchCall) == #"{"method":"io.strapd.Watch","parameters":{},"more":true}"#)
    #expect(Command.watchCall(WatchWish(isCSV: true)) == Command.watchCall)
    #expect(Self.text(Command.watchCall(Self.wish)) == Self.wishCall)
    #expect(
      Self.text(Command.monitorCall([], adapter: nil))
        == #"{"method":"io.strapd.Watch","parameters":{"anyStrap":true},"more":true}"#)
    let straps = ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6"]
    #expect(
      Self.text(Command.monitorCall(straps, adapter: StrapAddress("00:AA:01:00:00:42")))
        == #"{"method":"io.strapd.Watch","parameters":{"straps":["F0:F1:F2:F3:F4:F5","F0:F1:F2:F3:F4:F6"],"adapter":"00:AA:01:00:00:42"},"more":true}"#
    )
    #expect(
      Self.text(Command.getWorkout(Self.id)) == #"{"method":"io.strapd.GetWorkout","parameters":{"id":"\#(Self.id)"}}"#)
    #expect(
      Self.text(Command.nameStrap("left", "Right", nil))
        == #"{"method":"io.strapd.NameStrap","parameters":{"strap":"left","name":"Right"}}"#)
    #expect(
      Self.text(Command.nameStrap("left", nil, ""))
        == #"{"method":"io.strapd.NameStrap","parameters":{"strap":"left","athlete":""}}"#)
    #expect(
      Self.text(Command.forgetStrap("left")) == #"{"method":"io.strapd.ForgetStrap","parameters":{"strap":"left"}}"#)
    #expect(
      Self.text(Command.listWorkouts(5, page: nil)) == #"{"method":"io.strapd.ListWorkouts","parameters":{"limit":5}}"#)
    #expect(
      Self.text(Command.listWorkouts(5, page: "p"))
        == #"{"method":"io.strapd.ListWorkouts","parameters":{"page":"p","limit":5}}"#)
  }

  @Test func everyCallIsOneThatTheDaemonTakes() throws {
    let calls: [VarlinkCall?] = [
      Command.create(Wish(activity: "running", location: .indoor, strap: "F0:F1:F2:F3:F4:F5"))
        .sessionCall,
      Command.prepare(session: SessionID(Self.id), Wish()).sessionCall,
      Command.start(session: nil, .countdown(seconds: 0.5)).sessionCall,
      Command.stop(session: SessionID(Self.id), date: "2026-11-30T10:15:00Z").sessionCall,
      Command.end(session: nil).sessionCall, Command.watchCall, Command.watchCall(Self.wish),
      Command.getWorkout(Self.id), Command.backupCall,
      Command.verifyCall,
      Command.monitorCall([], adapter: nil), Command.monitorCall(["F0:F1:F2:F3:F4:F5"], adapter: nil),
      Command.listWorkouts(1000, page: "2026-11-30T10:15:00Z/\(Self.id)"), Command.call("ListStraps"),
      Command.scanCall(all: false), Command.scanCall(all: true),
      Command.scanCall(all: false, adapter: StrapAddress("00:AA:01:00:00:42")),
      Command.nameStrap("F0:F1:F2:F3:F4:F5", "Left", ""), Command.forgetStrap("F0:F1:F2:F3:F4:F5"),
      Command.resetEnergy("F0:F1:F2:F3:F4:F5"), Command.pair(nil, again: false, interactive: false),
      Command.pair("F0:F1:F2:F3:F4:F5", again: true, interactive: true),
      Command.answerPairing("F0:F1:F2:F3:F4:F5", .yes), Command.answerPairing("F0:F1:F2:F3:F4:F5", .no),
      Command.answerPairing("F0:F1:F2:F3:F4:F5", .passkey(999_999)),
      Command.answerPairing("F0:F1:F2:F3:F4:F5", .pinCode("1234567890123456")),
    ]
    for call in calls {
      let call = try #require(call)
      let name = try #require(call.parts?.name)
      #expect(throws: Never.self) { try ControlCall(call, method: name) }
    }
  }
}
