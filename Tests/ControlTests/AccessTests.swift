import Control
import Measurements
import Testing
import Workout

@Suite struct AccessTests {
  /// What the monitor's socket allows; every other method of the interface is refused there.
  static let reading: Set<String> = [
    "GetStatus", "Watch", "ListWorkouts", "GetTotals", "GetTimings", "ListTrash", "GetWorkout", "GetSession",
    "ListEvents",
    "GetPostExercise", "GetSamples", "GetRecording",
    "ListStraps", "ListEdits", "ListAthletes",
  ]

  @Test(arguments: InterfaceTests.calls)
  func theMonitorReads(_ call: ControlCall) {
    #expect(call.isReading == Self.reading.contains(call.method))
  }

  @Test func aWatchThatHoldsLinksIsMoreThanReading() {
    #expect(!ControlCall.watch(MonitorRequest(straps: [Samples.strap], wantsAny: false)).isReading)
    #expect(ControlCall.watch(nil, EventSelection(straps: [Samples.strap])).isReading)
  }

  @Test func refusedBeforeAnythingIsPerformed() {
    var conversation = Conversation(.monitor)
    conversation.received(#"{"method":"io.strapd.End"}"#.utf8 + [0])
    let refusal = ControlError.permissionDenied.reply.message
    #expect(conversation.next() == .write(refusal))
    conversation.received(#"{"method":"io.strapd.GetStatus"}"#.utf8 + [0])
    #expect(conversation.next() == .perform(.getStatus))
  }
}
