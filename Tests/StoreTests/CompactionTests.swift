import CSQLite
import Measurements
import Testing
import Workout

@testable import Store

/// Samples of sessions that are over move into pieces, and nobody who reads them sees it.
@Suite struct CompactionTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let most = SamplePiece.mostSamples

  /// Session 1 has ended at 4000 s and has so many samples.
  private func fill(_ count: Int, in store: Store, seriesIsOver: Bool = false) throws -> [HeartRateSample] {
    let samples = try Workouts.samples(count)
    try store.commit([.session(.example())] + samples.map { .sample($0, session: .number(1)) }, through: 1)
    try store.commit([.session(.ended(at: 4000))], through: 2)
    if seriesIsOver {
      let over = EventRecord(sequence: 900_000, session: .number(1), at: .at(4120), what: .postExerciseEnded)
      try store.commit([.event(over)], through: 3)
    }
    return samples
  }

  private func counts() throws -> [String] {
    try directory.raw().rows("SELECT (SELECT count(*) FROM sample), (SELECT count(*) FROM sample_piece)")[0]
  }

  /// Every way of reading them.
  private func isWhole(_ store: Store, _ samples: [HeartRateSample], _ id: SessionID = .number(1)) throws {
    #expect(try store.samples(of: id, after: 0, limit: .max) == samples)
    var stepped: [HeartRateSample] = []
    while case let step = try store.samples(of: id, after: stepped.last?.sequence ?? 0, limit: 97), !step.isEmpty {
      #expect(step.count == min(97, samples.count - stepped.count))
      stepped += step
    }
    #expect(stepped == samples)
    for index in stride(from: 0, to: samples.count, by: max(1, samples.count / 9)) {
      let (sequence, tick) = (samples[index].sequence, samples[index].tick)
      #expect(try store.samples(of: id, after: sequence - 1, limit: 1) == [samples[index]])
      #expect(try store.samples(of: id, since: tick) == Array(samples[index...]))
    }
    #expect(try store.samples(of: id, since: .at(1_000_000)) == [])
    #expect(try store.samples(of: id, after: samples.last?.sequence ?? 0, limit: 9) == [])
  }

  @Test func aSessionIsPackedStepByStep() throws {
    let store = try directory.open()
    let count = Self.most * 3 + 10
    let samples = try fill(count, in: store)
    try isWhole(store, samples)
    var (left, step) = (count, 0)
    while case .packed(.number(1), let packed, let octets) = try store.compact(at: .at(4300)) {
      (left, step) = (left - packed, step + 1)
      #expect(packed <= Self.most && (packed > Self.most / 2 || left == 0))
      #expect(octets < packed * 6 + 100 && octets <= SamplePiece.usualOctets)
      #expect(try counts() == ["\(left)", "\(step)"])
      try isWhole(store, samples)
    }
    #expect(left == 0 && (4...5).contains(step), "two pieces share a page")
    #expect(try store.compact(at: .at(4300)) == .rest(until: nil))
    #expect(try directory.raw().rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try directory.raw().rows("PRAGMA foreign_key_check") == [])
    try store.close()
    let reopened = try directory.open(at: .at(5000))
    #expect(reopened.nextSequence == samples[count - 1].sequence + 1)
    #expect(reopened.lastAlive?.tick == samples[count - 1].tick)
    try isWhole(reopened, samples)
  }

  /// Whichever bit of the columns there is, and a boot in the middle; rows are the same in both forms.
  @Test func rowsComeBackFromThePiece() throws {
    let store = try directory.open()
    _ = try fill(100, in: store)
    let raw = try directory.raw()
    try raw.execute(
      """
      INSERT INTO boot (number, boot_id, tick, wall) VALUES (7, 'boot B', 0, 0);
      UPDATE sample SET boot = 7, tick = tick - 150000000000 WHERE sequence > 60;
      UPDATE sample SET rr = NULL, warnings = warnings | 256 WHERE sequence % 9 = 0;
      UPDATE sample SET last_beat_tick = NULL, beat_uncertainty = NULL WHERE sequence % 7 = 0;
      """)
    let select = "SELECT \(StoredSample.columns) FROM sample ORDER BY sequence"
    let rows = try store.connection.stored(select)
    #expect(rows.count == 100)
    #expect(try store.compact(at: .at(4300)).samples == 100)
    #expect(try counts() == ["0", "1"])
    let octets = try Statement(store.connection, "SELECT octets FROM sample_piece").rows([], "") {
      (row: inout Row) in row.blob()
    }
    #expect(try SamplePiece.decode(octets[0]) == rows)
  }

  @Test func onlyWhatIsOver() throws {
    let store = try directory.open()
    _ = try fill(10, in: store)
    try store.commit([.session(.example(2)), .sample(try .example(5000), session: .number(2))], through: 4)
    #expect(try store.compact(at: .at(4200)) == .rest(until: .at(4300)))
    #expect(try store.compact(at: .at(4200)) == .rest(until: .at(4300)), "each time anew")
    let over = EventRecord(sequence: 6000, session: .number(1), at: .at(4120), what: .postExerciseEnded)
    try store.commit([.event(over)], through: 5)
    #expect(try store.compact(at: .at(4200)).samples == 10)
    #expect(try store.compact(at: .at(9000)) == .rest(until: nil), "the other one lives")
    // One that never began has no series.
    try store.commit([.session(.example(2, state: .ended))], through: 6)
    #expect(try store.compact(at: .at(4200)).samples == 1)
  }

  @Test func manySessions() throws {
    let store = try directory.open()
    var all: [UInt8: [HeartRateSample]] = [:]
    for number in UInt8(1)...9 {
      let samples = try Workouts.samples(300, first: Int64(number) * 50, seed: UInt64(number))
      all[number] = samples
      try store.commit(
        [.session(.example(number))] + samples.map { .sample($0, session: .number(number)) }, through: 1)
      if number % 3 > 0 { try store.commit([.session(.ended(number, at: 100))], through: 2) }
    }
    var steps: [CompactionStep] = []
    while case let step = try store.compact(at: .at(9000)), step != .rest(until: nil) { steps.append(step) }
    #expect(steps.compactMap(\.samples).reduce(0, +) == 6 * 300)
    #expect(try counts() == ["900", "6"])
    for (number, samples) in all { try isWhole(store, samples, .number(number)) }
    try store.close()
    #expect(
      try directory.open(at: .at(9001)).nextSequence == (all.values.compactMap { $0.last?.sequence }.max() ?? 0) + 1)
  }

  /// How long the machine was off is told anew when its clock comes to be right; pieces say what each boot counted, and
  /// move as rows do.
  @Test func bootsAreLaidAnewUnderPieces() throws {
    let old = try directory.open()
    let samples = try fill(700, in: old)
    try old.close()
    let store = try directory.open(
      bootID: "boot B", at: Moment(tick: .at(10), wall: .boot + .seconds(100_000), isSynchronised: false))
    let before = try store.samples(of: .number(1), after: 0, limit: 1000)
    #expect(before != samples && before.count == 700)
    #expect(try store.compact(at: .at(10_000)).samples ?? 700 < 700)
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000) == before, "half and half")
    #expect(try store.compact(at: .at(10_000)).samples != nil)
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000) == before)
    store.layBoots(at: Moment(tick: .at(20), wall: .boot + .seconds(200_000), isSynchronised: true))
    let laid = try store.samples(of: .number(1), after: 0, limit: 1000)
    #expect(laid[0].tick - before[0].tick == .seconds(-99_990))
    #expect(zip(laid, before).allSatisfy { $0.tick - $1.tick == .seconds(-99_990) })
  }

  // MARK: What keeps it from being done

  @Test(arguments: [
    "UPDATE sample SET heart_rate = 1 WHERE sequence = 5", "UPDATE sample SET contact = 'unknown' WHERE sequence = 5",
    "UPDATE sample SET energy_kilojoules = 1 WHERE sequence = 5",
    "UPDATE sample SET payload = x'00' WHERE sequence = 5",
    "UPDATE sample SET payload = zeroblob(40000) WHERE sequence = 5",
  ])
  func rowsThatAnotherProgramHasChangedStay(_ change: String) throws {
    let store = try directory.open()
    _ = try fill(10, in: store)
    try directory.raw().execute(change)
    guard case .refused(.number(1), let why) = try store.compact(at: .at(4300)) else {
      Issue.record("it is packed")
      return
    }
    #expect(why.contains("another program has changed sample 5"))
    #expect(try store.compact(at: .at(4300)) == .rest(until: nil), "it is not tried again and again")
    #expect(try counts() == ["10", "0"])
    #expect(!store.connection.isInTransaction)
  }

  /// Other programs may have their own triggers in the file: what they delete is not lost by a step that goes on.
  @Test func rowsThatGoMeanwhile() throws {
    let store = try directory.open()
    let samples = try fill(10, in: store)
    try directory.raw().execute(
      "CREATE TRIGGER t AFTER INSERT ON sample_piece BEGIN DELETE FROM sample WHERE sequence = 5; END")
    #expect(try store.compact(at: .at(4300)) == .refused(.number(1), "9 rows are there of 10"))
    #expect(try counts() == ["10", "0"])
    try isWhole(store, samples)
  }

  /// A sample that comes late, by whatever way, is read in its place and stays a row.
  @Test func rowsAmongPieces() throws {
    let store = try directory.open()
    let samples = try fill(20, in: store)
    #expect(try store.compact(at: .at(4300)).samples == 20)
    let late = try HeartRateSample.example(700_000)
    try store.commit([.sample(samples[4], session: .number(1)), .sample(late, session: .number(1))], through: 9)
    #expect(try store.samples(of: .number(1), after: 0, limit: 99) == samples + [late], "none of them twice")
    #expect(
      try store.samples(of: .number(1), since: samples[18].tick).map(\.sequence).prefix(2) == [
        samples[18].sequence, samples[19].sequence,
      ])
    guard case .refused = try store.compact(at: .at(4300)) else {
      Issue.record("it is packed")
      return
    }
  }

  @Test func aDamagedPieceIsNamedAndNothingElseIsHarmed() throws {
    let store = try directory.open()
    let samples = try fill(Self.most + 50, in: store)
    let packed = try #require(try store.compact(at: .at(4300)).samples)
    for change in ["x'01'", "x'0100000000'", "(SELECT substr(octets, 1, 300) FROM sample_piece)"] {
      let copy = try directory.copy()
      try copy.raw().execute("UPDATE sample_piece SET octets = \(change)")
      let opened = try copy.open(at: .at(5000))
      let error = storeError { try opened.samples(of: .number(1), after: 0, limit: 9) }
      #expect(
        error?.kind == .other && error?.text.contains("the piece is damaged") == true, "\(String(describing: error))")
      #expect(
        try opened.samples(of: .number(1), after: samples[packed - 1].sequence, limit: 999)
          == Array(samples.dropFirst(packed)))
      #expect(opened.nextSequence == samples[Self.most + 49].sequence + 1)
    }
    try directory.raw().execute("UPDATE sample_piece SET count = count + 1")
    #expect(storeError { try store.samples(of: .number(1), after: 0, limit: 9) }?.text.contains("another one") == true)
  }

  /// Another program that writes is met as by any commit, and the step is done when it has gone.
  @Test func aLockedStore() throws {
    let store = try directory.open()
    let samples = try fill(30, in: store)
    let raw = try directory.raw()
    try raw.execute("BEGIN IMMEDIATE")
    #expect(storeError { try store.compact(at: .at(4300)) }?.kind == .busy)
    #expect(!store.connection.isInTransaction)
    try raw.execute("ROLLBACK")
    #expect(try store.compact(at: .at(4300)).samples == 30)
    try isWhole(store, samples)
  }

  // MARK: Death in the middle

  @Test func aCopyTakenBetweenStepsHasAllOfThem() throws {
    let store = try directory.open(limits: Store.Limits(checkpointFrames: 20))
    let samples = try fill(Self.most * 4, in: store, seriesIsOver: true)
    while try store.compact(at: .at(4130)).samples != nil {
      try store.checkpointIfDue()
      let copy = try directory.copy()
      #expect(try copy.open(at: .at(5000)).samples(of: .number(1), after: 0, limit: .max) == samples)
      #expect(try copy.raw().rows("PRAGMA integrity_check") == [["ok"]])
    }
  }

  @Test func kill9AtAnyMoment() throws {
    var random = SeededRandom(state: 5)
    var steps = 0
    for round in 1...25 {
      let child = try Child.writer("compact", directory.database)
      #expect(child.line() == "open", "round \(round)")
      for _ in 0..<Int.random(in: 0...6, using: &random) { _ = child.line() }
      child.kill()
      steps += child.lines().count
      #expect(try directory.raw().rows("PRAGMA integrity_check") == [["ok"]])
      let raw = try directory.raw()
      for row in try raw.rows("SELECT number, id FROM session WHERE state = 'ended'") {
        let packed = try raw.rows("SELECT coalesce(sum(count), 0) FROM sample_piece WHERE session = \(row[0])")[0][0]
        let rows = try raw.rows("SELECT count(*) FROM sample WHERE session = \(row[0])")[0][0]
        #expect((Int(packed) ?? 0) + (Int(rows) ?? 0) == 2000, "round \(round): \(packed) in pieces and \(rows) rows")
      }
    }
    let store = try directory.open(bootID: "the boot of store-writer")
    let ids = try directory.raw().rows("SELECT id FROM session WHERE state = 'ended'").compactMap { SessionID($0[0]) }
    #expect(ids.count > 3)
    for id in ids {
      let samples = try store.samples(of: id, after: 0, limit: .max)
      let first = try #require(samples.first).sequence
      #expect(samples.map(\.sequence) == Array(first..<first + 2000))
      for sample in samples {
        let payload: [UInt8] = [0x10, UInt8(60 + sample.sequence % 100), UInt8(sample.sequence & 0xFF), 3]
        #expect(sample.payload == payload && sample.tick == .at(sample.sequence))
      }
    }
  }

  /// The room that a step needs is not there: the previous state stands, and it is done when there is room again.
  @Test func aFullDisk() throws {
    let lines = try Child.writer("starve-compact", directory.database).lines()
    #expect(lines.first?.contains("disk I/O error (File too large)") == true, "\(lines)")
    #expect(lines.dropFirst().first == "whole")
    #expect(lines.dropFirst(2).compactMap { Int($0) }.reduce(0, +) == 2000)
    #expect(lines.suffix(2).first == "whole")
    #expect(try counts()[0] == "0")
    #expect(try directory.raw().rows("SELECT sum(count) FROM sample_piece") == [["2000"]])
  }

  // MARK: Beside it

  @Test func whatIsSetAsideCountsThem() throws {
    let store = try directory.open()
    let samples = try fill(Self.most + 50, in: store)
    #expect(try store.compact(at: .at(4300)).samples != nil)
    try store.commit([.session(.example(2))], through: 9)
    let damage = StoreError(operation: .commit, code: SQLITE_CORRUPT, text: "malformed", kind: .damaged)
    // It has only just ended, and so goes on in the new one with all of them.
    let (new, setAside) = try store.begunAnew(after: damage, at: .at(4200))
    #expect(setAside.readable.contains("\(Self.most + 50) measurements"), "\(setAside.readable)")
    #expect(setAside.kept == "2 live sessions")
    try isWhole(new, samples)
    try new.close()
  }

  /// A file of an earlier version, too damaged to be migrated, has no pieces.
  @Test func whatIsSetAsideMayKnowNoPieces() throws {
    let store = try directory.open()
    _ = try fill(50, in: store)
    try store.commit([.session(.example(2)), .sample(try .example(400), session: .number(2))], through: 9)
    try directory.raw().execute("DROP TABLE sample_piece")
    let damage = StoreError(operation: .commit, code: SQLITE_CORRUPT, text: "malformed", kind: .damaged)
    let (new, setAside) = try store.begunAnew(after: damage, at: .at(9000))
    #expect(setAside.kept == "1 live session")
    #expect(setAside.readable.contains("51 measurements") && !setAside.readable.contains("first"))
    #expect(try new.samples(of: .number(2), after: 0, limit: 9).count == 1)
    try new.close()
  }

  /// Whoever opens the file with sqlite3 finds what is where.
  @Test func theViewSaysWhatIsWhere() throws {
    let store = try directory.open()
    _ = try fill(600, in: store)
    try store.commit([.session(.example(2)), .sample(try .example(9000), session: .number(2))], through: 9)
    let packed = try #require(try store.compact(at: .at(4300)).samples)
    let rows = try directory.raw().rows(
      "SELECT session, rows_in_sample, samples_in_pieces, pieces, octets > 0, first_in_pieces FROM sample_kept")
    #expect(
      rows == [
        ["\(SessionID.number(1))", "\(600 - packed)", "\(packed)", "1", "1", "1"],
        ["\(SessionID.number(2))", "1", "0", "0", "0", "NULL"],
      ])
  }

  /// However many sessions have been packed, looking for the next one is a step down the tree.
  @Test func theNextIsFoundWithoutAScan() throws {
    _ = try directory.open()
    let raw = try directory.raw()
    func plan(_ sql: String) throws -> [String] { try raw.rows("EXPLAIN QUERY PLAN " + sql).map { $0[3] } }
    let next = try plan("SELECT id FROM session WHERE number = (SELECT min(session) FROM sample WHERE session > 5)")
    #expect(next.contains("SEARCH sample USING PRIMARY KEY (session>?)"), "\(next)")
    let newest = try plan("SELECT last_sequence, last_boot FROM sample_piece ORDER BY last_sequence DESC LIMIT 1")
    #expect(newest == ["SCAN sample_piece USING INDEX sample_piece_by_last"])
  }
}

extension CompactionStep {
  fileprivate var samples: Int? {
    if case .packed(_, let samples, _) = self { samples } else { nil }
  }
}

extension Connection {
  fileprivate func stored(_ sql: String) throws -> [StoredSample] {
    try Statement(self, sql).rows([], "reading rows") { (row: inout Row) in row.storedSample() }
  }
}
