import Testing
import Workout

@Suite struct StoreErrorTests {
  @Test func saysWhatWasTriedWhatCameBackAndWhatToDo() {
    #expect(
      StoreError(operation: .commit, code: 13, text: "writing sample 7: database or disk is full", kind: .full)
        .description
        == "commit failed (13): writing sample 7: database or disk is full; make room on its file system")
    #expect(
      StoreError(operation: .read, code: 1, text: "reading").description == "read failed (1): reading",
      "nothing is advised where nothing is known")
  }

  @Test func everyKnownKindHasAdvice() {
    #expect(StoreError.Kind.allCases.filter { $0.advice == nil } == [.other])
  }
}
