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

  /// The calls that the error names, in their order.
  @Test(arguments: [
    (WorkoutState.notStarted, [SessionCall.prepare, .start, .end]), (.stopped, [.stop, .end, .finish]), (.ended, []),
  ])
  func allowedCalls(_ state: WorkoutState, _ allowed: [SessionCall]) {
    let reply = ControlError.refused(Samples.id, .notAllowed(state: state, call: .pause, allowed: allowed)).reply
    #expect(reply.parameters["allowed"] == .array(allowed.map { .string($0.rawValue) }))
    #expect(reply.parameters["state"] == .string(state.rawValue))
  }

  @Test func everyActivityIsNamed() {
    let allowed = ControlError.unknownActivity("dance").reply.parameters["allowed"]?.asArray
    #expect(allowed == ActivityType.allCases.map { .string($0.rawValue) })
  }
}
