import Control
import Measurements
import Testing
import Workout

@Suite struct ControlErrorTests {
  @Test(arguments: Samples.errors)
  func wire(_ error: ControlError, _ text: String) {
    #expect(String(decoding: error.reply.message.dropLast(), as: UTF8.self) == text)
    #expect(error.reply.message.last == 0)
    #expect(ControlReply.error(error).reply == error.reply)
  }

  /// Of the state's own calls, in the order of the states.
  @Test(arguments: [
    (WorkoutState.notStarted, ["prepare", "start", "end"]), (.prepared, ["prepare", "start", "end"]),
    (.running, ["pause", "resume", "stop", "end"]), (.paused, ["pause", "resume", "stop", "end"]),
    (.stopped, ["stop", "end"]), (.ended, ["end"]),
  ])
  func allowedCalls(_ state: WorkoutState, _ allowed: [String]) {
    let reply = ControlError.refused(Samples.id, .notAllowed(state: state, call: .pause)).reply
    #expect(reply.parameters["allowed"] == .array(allowed.map(JSON.string)))
    #expect(reply.parameters["state"] == .string(state.rawValue))
  }

  @Test func everyActivityIsNamed() {
    let allowed = ControlError.unknownActivity("dance").reply.parameters["allowed"]?.asArray
    #expect(allowed == ActivityType.allCases.map { .string($0.rawValue) })
  }
}
