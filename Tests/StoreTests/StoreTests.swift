import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// Opening, committing and what a commit costs.
@Suite struct StoreTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func aNewStoreIsEmpty() throws {
    let store = try directory.open()
    #expect(store.nextSequence == 1)
    #expect(store.lastAlive == nil)
    #expect(try store.liveSessions() == [])
    #expect(try store.straps() == [])
    #expect(try store.workouts(before: nil, limit: 10) == [])
    #expect(try store.workout(.number(1)) == nil)
    #expect(try store.samples(of: .number(1), after: 0, limit: 10) == [])
    #expect(try store.events(of: .number(1)).isEmpty)
  }

  @Test func settingsAreAsTheyMustBe() throws {
    let store = try directory.open()
    let raw = try directory.raw()
    #expect(try raw.rows("PRAGMA journal_mode") == [["wal"]])
    #expect(try raw.rows("PRAGMA application_id") == [["1398035012"]])
    #expect(try raw.rows("PRAGMA user_version") == [["9"]])
    #expect(
      try raw.rows("SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'")
        == [])
    for (setting, value) in [
      ("synchronous", "1"), ("foreign_keys", "1"), ("cache_size", "-256"), ("mmap_size", "0"),
      ("wal_autocheckpoint", "0"), ("busy_timeout", "20"),
    ] {
      #expect(try store.connection.answer(to: "PRAGMA \(setting)", for: .read) == value, "\(setting)")
    }
  }

  /// A database in memory stands for a file system on which SQLite cannot keep a log.
  @Test func withoutALogThereIsNoStore() throws {
    let connection = try Connection(path: ":memory:", busyTimeout: .zero)
    let error = storeError { try Store.prepare(connection) }
    #expect(error?.text.contains("journal mode 'memory'") == true)
  }

  @Test func allRecordsOfACommitAreThereInWhateverOrder() throws {
    let store = try directory.open()
    let sample = try HeartRateSample.example(2)
    let event = EventRecord(sequence: 1, session: .number(1), at: .at(1), what: .linkLost)
    let workout = FinishedWorkout.example()
    try store.commit(
      [.workout(workout), .sample(sample, session: .number(1)), .event(event), .session(.example())], through: 2)
    #expect(try store.liveSessions() == [.example()])
    #expect(try store.events(of: .number(1)) == [event])
    #expect(try store.samples(of: .number(1), after: 0, limit: 10) == [sample])
    #expect(try store.workout(.number(1)) == workout)
  }

  @Test func theLastRecordOfASessionCounts() throws {
    let store = try directory.open()
    try store.commit([.session(.example(state: .running)), .session(.example(state: .paused))], through: 0)
    #expect(try store.liveSessions().map(\.state) == [.paused])
  }

  @Test func aCommitIsAllOrNothing() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    let records: [Record] = [
      .sample(try .example(1), session: .number(1)), .sample(try .example(2), session: .number(9)),
    ]
    let error = storeError { try store.commit(records, through: 2) }
    #expect(error?.operation == .commit)
    #expect(error?.text.contains("writing sample 2 of \(SessionID.number(9))") == true)
    #expect(error?.text.contains(directory.database) == true)
    #expect(try store.samples(of: .number(1), after: 0, limit: 10) == [])
    #expect(store.nextSequence == 1)
    #expect(!store.connection.isInTransaction)

    try store.commit([.session(.example(9))], through: 0)
    try store.commit(records, through: 2)
    #expect(try store.samples(of: .number(1), after: 0, limit: 10).map(\.sequence) == [1])
    #expect(try store.samples(of: .number(9), after: 0, limit: 10).map(\.sequence) == [2])
  }

  @Test func committingTheSameAgainChangesNothing() throws {
    let store = try directory.open()
    let records: [Record] = [
      .session(.example()), .sample(try .example(1), session: .number(1)),
      .event(EventRecord(sequence: 2, session: .number(1), at: .at(2), what: .linkLost)), .workout(.example()),
      .strap(StrapTableTests.full), .strapForgotten(StrapTableTests.b), .sequenceReserved(through: 5), .alive(.at(3)),
      .athlete(AthleteProfile(AthleteName("Anna")!)), .athleteForgotten(AthleteName("Ben")!), .session(.example(9)),
      .workoutEdited(
        WorkoutEdit(number: 3, kind: .trim, date: .boot, changes: [.saved(.example()), .removed(.number(9))])),
      .editUndone(3, .boot),
    ]
    try store.commit(records, through: 2)
    let raw = try directory.raw()
    let tables = [
      "meta", "boot", "session", "event", "sample", "workout", "strap", "athlete", "workout_edit", "workout_before",
      "workout_part_before", "workout_slice_before", "workout_part", "workout_slice",
    ]
    let before = try tables.map { try raw.rows("SELECT * FROM \($0)") }
    try store.commit(records, through: 2)
    for record in records { try store.commit([record], through: 2) }
    #expect(try tables.map { try raw.rows("SELECT * FROM \($0)") } == before)
  }

  @Test func nextSequenceIsBehindEverythingUsed() throws {
    var store = try directory.open()
    try store.commit([.session(.example(1)), .session(.example(2))], through: 0)
    try store.commit([.sample(try .example(7), session: .number(1))], through: 7)
    try store.close()
    store = try directory.open()
    #expect(store.nextSequence == 8, "by a sample of the first session")

    try store.commit([.sample(try .example(9), session: .number(2))], through: 9)
    try store.close()
    store = try directory.open()
    #expect(store.nextSequence == 10, "by a sample of the second session")

    try store.commit(
      [.event(EventRecord(sequence: 12, session: .number(1), at: .at(12), what: .linkLost))], through: 12)
    try store.close()
    store = try directory.open()
    #expect(store.nextSequence == 13, "by an event")

    try store.commit([.sequenceReserved(through: 20)], through: 14)
    try store.commit([.sequenceReserved(through: 18)], through: 14)
    try store.close()
    store = try directory.open()
    #expect(store.nextSequence == 21, "by a reservation, which a lower one does not lower")
  }

  /// One page of 1,024 octets and its frame header for a sample; a few more each time that a page is full.
  @Test func aSampleIsOnePageInTheLog() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    try store.commit([.sample(try .example(1), session: .number(1))], through: 1)
    let start = try directory.logSize()
    var sizes = [start]
    let began = clock()
    for sequence in Int64(2)...101 {
      try store.commit(
        [.sample(try .example(sequence, [0x16, 120, 0x20, 0x03]), session: .number(1))], through: sequence)
      sizes.append(try directory.logSize())
    }
    print("commit of one sample: \((clock() - began) * 1_000_000 / Int(CLOCKS_PER_SEC) / 100) µs of processor time")
    let growth = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
    #expect(growth.count { $0 == 1_048 } >= 85)
    #expect(growth.allSatisfy { $0 % 1_048 == 0 && $0 > 0 })
    #expect((sizes[100] - start) / 1_048 <= 140)
  }

  @Test func aCheckpointIsDueByTheGrowthOfTheLog() throws {
    let store = try directory.open(limits: Store.Limits(checkpointFrames: 50))
    try store.commit([.session(.example())], through: 0)
    var sequence: Int64 = 0
    func appendUntilDue() throws -> Int64 {
      let first = sequence + 1
      repeat {
        sequence += 1
        try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
      } while try !store.checkpointIfDue() && sequence < 1_000
      return sequence - first + 1
    }
    _ = try appendUntilDue()
    #expect(try store.checkpointIfDue() == false, "not twice for the same frames")
    let size = try directory.logSize()
    let second = try appendUntilDue()
    #expect((30...50).contains(second))
    #expect(try directory.logSize() == size || second > 45, "the log was used again from its beginning")
    #expect(try store.samples(of: .number(1), after: 0, limit: 1_000).count == Int(sequence))
  }

  @Test func aReaderHoldsNothingUpButTheLogsReuse() throws {
    let store = try directory.open(limits: Store.Limits(checkpointFrames: 20))
    try store.commit([.session(.example())], through: 0)
    let raw = try directory.raw()
    try raw.execute("BEGIN")
    #expect(try raw.rows("SELECT count(*) FROM sample") == [["0"]])
    var checkpoints = 0
    for sequence in Int64(1)...100 {
      try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
      if try store.checkpointIfDue() { checkpoints += 1 }
    }
    #expect((2...8).contains(checkpoints), "one per twenty frames, not one per commit: \(checkpoints)")
    #expect(try raw.rows("SELECT count(*) FROM sample") == [["0"]], "the reader's own moment")
    try raw.execute("COMMIT")
    #expect(try raw.rows("SELECT count(*) FROM sample") == [["100"]])
  }

  @Test func closingLeavesOneFile() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    try store.close()
    #expect(access(directory.database + "-wal", F_OK) != 0)
    let raw = try directory.raw()
    #expect(try raw.rows("SELECT state FROM session") == [["running"]])
    try store.close()  // once more is nothing
    let error = storeError { try store.commit([.sequenceReserved(through: 1)], through: 1) }
    #expect(error?.text.contains("closed") == true)
  }
}
