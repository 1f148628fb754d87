import Measurements
import Testing
import Workout

@testable import Store

/// What is committed is there after the death of the process, at whatever moment.
@Suite struct CrashTests {
  @Test func aCopyTakenAtAnyMomentHasAllThatIsCommitted() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open(limits: Store.Limits(checkpointFrames: 15))
    try store.commit([.session(.example())], through: 0)
    var sequence: Int64 = 0
    for round in 1...12 {
      for _ in 0..<round * 3 {
        sequence += 1
        let event = EventRecord(sequence: sequence, session: .number(1), at: .at(sequence), what: .linkLost)
        try store.commit(
          sequence % 4 == 0 ? [.event(event)] : [.sample(try .example(sequence), session: .number(1))],
          through: sequence)
        try store.checkpointIfDue()
      }
      let copy = try directory.copy()
      let reopened = try copy.open()
      #expect(reopened.nextSequence == sequence + 1)
      #expect(try reopened.liveSessions() == [.example()])
      let samples = try reopened.samples(of: .number(1), after: 0, limit: 1_000)
      let original = try store.samples(of: .number(1), after: 0, limit: 1_000)
      #expect(samples == original)
      #expect(samples.count == Int(sequence - sequence / 4))
      #expect(try reopened.events(of: .number(1)).count == Int(sequence / 4))
      #expect(try copy.raw().rows("PRAGMA integrity_check") == [["ok"]])
    }
  }

  @Test func everyAcknowledgedSampleSurvivesKill9() throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(state: 20)
    var acknowledged: [Int64] = []
    for round in 1...25 {
      let child = try Child.writer("append", directory.database)
      #expect(child.line() == "open", "round \(round)")
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        acknowledged.append(try #require(child.line().flatMap { Int64($0) }))
      }
      child.kill()
      acknowledged += child.lines().compactMap { Int64($0) }

      let store = try directory.open(bootID: "the boot of store-writer")
      let session = try #require(try store.liveSessions().first).id
      let stored = try store.samples(of: session, after: 0, limit: 100_000).map(\.sequence)
      #expect(Set(acknowledged).isSubset(of: stored))
      #expect(stored.count - acknowledged.count <= round, "at most one a life was committed and not acknowledged")
      #expect(stored == stored.sorted())
      #expect(store.nextSequence == (stored.last ?? 0) + 1)
      #expect(try directory.raw().rows("PRAGMA integrity_check") == [["ok"]])
      try store.close()
    }
    #expect(acknowledged.count > 200)
  }
}
