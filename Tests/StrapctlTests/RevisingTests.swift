import Control
import Testing

@testable import strapctl

/// The commands that change finished workouts, and what they print.
@Suite struct RevisingTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"
  private static let other = "1d0c7b5a-93e2-4f6b-a8d4-6c5e7f8091a2"

  private func words(_ arguments: [String], _ values: [Option: String] = [:]) -> RevisionWords {
    RevisionWords(arguments: arguments, values: values)
  }

  @Test func callsOfTheInterface() throws {
    let edit = try words([Self.id], [.title: "Hill repeats", .athlete: "", .notes: "windy"]).edit()
    #expect(edit.call.method == "io.strapd.EditWorkout")
    #expect(edit.call.parameters.text == #"{"id":"\#(Self.id)","title":"Hill repeats","notes":"windy","athlete":""}"#)
    let trim = try words([Self.id], [.start: "1:30", .end: "2026-11-30T10:00:00Z"]).trim()
    #expect(trim.call.method == "io.strapd.TrimWorkout")
    #expect(
      trim.call.parameters.text == #"{"id":"\#(Self.id)","startSeconds":90.0,"endDate":"2026-11-30T10:00:00Z"}"#)
    #expect(try words([Self.id, Self.other]).merge().members.map(\.name) == ["id", "other"])
    #expect(try words([Self.id], [.at: "0:30:00"]).split().members.last == .init("seconds", .real(1800)))
    #expect(try words([Self.id]).undo().method == "UndoEdit")
    let history = try words([Self.id]).history()
    #expect(history.method == "ListEdits" && history.call(from: nil) == history.call)
    #expect(history.call(from: .integer(28)).parameters.text == #"{"id":"\#(Self.id)","from":28}"#)
  }

  static let times: [(text: String, seconds: Double?)] = [
    ("90", 90), ("90.5", 90.5), ("1:30", 90), ("1:02:30", 3750), ("0:00", 0), ("1:60", nil), ("1:", nil), ("", nil),
    ("-5", nil), ("1.5:00", nil), ("1e3", nil), ("1:2:3:4", nil), ("nan", nil),
  ]

  @Test(arguments: times)
  func timesSinceTheStart(_ text: String, _ seconds: Double?) {
    #expect(RevisionWords.seconds(text) == seconds)
  }

  @Test func wrongUse() {
    #expect(throws: UsageError.self) { try words([Self.id]).edit() }
    #expect(throws: UsageError.self) { try words([], [.title: "x"]).edit() }
    #expect(throws: UsageError.self) { try words(["x"], [.title: "x"]).edit() }
    #expect(throws: UsageError.self) { try words([Self.id], [.location: "moon"]).edit() }
    #expect(throws: UsageError.self) { try words([Self.id]).trim() }
    #expect(throws: UsageError.self) { try words([Self.id], [.end: "later"]).trim() }
    #expect(throws: UsageError.self) { try words([Self.id]).merge() }
    #expect(throws: UsageError.self) { try words([Self.id]).split() }
  }

  @Test func theHistoryForPeople() throws {
    let edits = try [
      #"""
      {"edit":1,"kind":"edit","date":"2026-11-30T11:00:00Z","workouts":[],
      "before":{"activity":"running"},"after":{"activity":"cycling","title":"Hills"}}
      """#,
      #"""
      {"edit":2,"kind":"trim","date":"2026-11-30T12:00:00Z","undoneDate":"2026-11-30T13:00:00Z","workouts":[],
      "before":{"activity":"cycling"}}
      """#,
      #"{"edit":3,"kind":"split","date":"2026-11-30T14:00:00Z","workouts":[],"after":{"activity":"cycling"}}"#,
    ].map { try json($0) }
    let lines = EditText.table(edits, .test())
    #expect(lines.count == 4)
    #expect(lines[1].hasSuffix("edit   title none to 'Hills', activity 'running' to 'cycling'"))
    #expect(lines[2].contains("trim   undone at "))
    #expect(lines[3].hasSuffix("split  it was made by this"))
    #expect(EditText.table([], .test()) == ["nothing has been changed"])
  }
}
