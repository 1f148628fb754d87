import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// What is wrong with a store is found, and nothing else.
@Suite struct VerificationTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func verify() throws -> (findings: [String], summary: Verification.Summary) {
    var findings: [String] = []
    let summary = try Verification.run(path: directory.database) { findings.append($0) }
    return (findings, summary)
  }

  private func failure() -> StoreError? {
    do { _ = try verify() } catch { return error as? StoreError }
    return nil
  }

  /// Session 1 has ended and is packed but for some rows, session 2 lives.
  private func fill() throws -> Store {
    let store = try directory.open()
    let samples = try Workouts.samples(SamplePiece.mostSamples + 100)
    try store.commit([.session(.example())] + samples.map { .sample($0, session: .number(1)) }, through: 1)
    var workout = FinishedWorkout.example(1, start: .at(2))
    workout.end = .at(4000)
    (workout.summary.wall, workout.summary.elapsed) = (.seconds(3998), .seconds(3998))
    workout.summary.rrCount = 50
    workout.summary.heartRate?.count = 60
    let rates = samples.map { Int($0.measurement.heartRate) }
    workout.summary.heartRate?.minimum = UInt16(rates.min() ?? 0)
    workout.summary.heartRate?.maximum = UInt16(rates.max() ?? 0)
    try store.commit(
      [.session(.ended(at: 4000)), .workout(workout), .sequenceReserved(through: 2_000_000)]
        + SessionRecord.transitions(from: 800_000, endedAt: 4000), through: 2)
    let over = EventRecord(sequence: 900_000, session: .number(1), at: .at(4120), what: .postExerciseEnded)
    try store.commit([.event(over)], through: 3)
    guard case .packed = try store.compact(at: .at(9000)) else { throw SystemError("no piece") }
    let live = try Workouts.samples(50, first: 950_000, seed: 3)
    try store.commit([.session(.example(2))] + live.map { .sample($0, session: .number(2)) }, through: 4)
    return store
  }

  @Test func nothingIsWrong() throws {
    let store = try fill()
    let all = SamplePiece.mostSamples + 150
    let text = "1 workouts, 2 sessions, \(all) samples (1 pieces), 5 events: nothing is wrong"
    // Beside the store that is in use, and without it.
    for _ in 0..<2 {
      let (findings, summary) = try verify()
      #expect(findings == [] && "\(summary)" == text)
      try store.close()
    }
    let again = try directory.open(at: .at(9500))
    #expect(try again.liveSessions().count == 1, "and it is opened as before")
    try again.commit([.sample(try .example(990_000), session: .number(2))], through: 9)
  }

  @Test func anEmptyStore() throws {
    try directory.open().close()
    #expect(try "\(verify().summary)" == "0 workouts, 0 sessions, 0 samples (0 pieces), 0 events: nothing is wrong")
  }

  /// What another program has done to it, and what is said.
  private static let damages: [(sql: String, text: String)] = [
    ("UPDATE sample_piece SET octets = zeroblob(30)", "the piece is of version 0"),
    ("UPDATE sample_piece SET octets = substr(octets, 1, 60)", "the piece is damaged"),
    (
      "UPDATE sample_piece SET octets = CAST(substr(octets, 1, 100) || x'00FF' || substr(octets, 103) AS BLOB)",
      "the piece is damaged"
    ),
    ("UPDATE sample_piece SET count = count - 1", "the piece has others than it says"),
    (
      "UPDATE sample SET heart_rate = 250 WHERE session = 2 AND sequence = (SELECT max(sequence) FROM sample)",
      "its columns"
    ),
    (
      "UPDATE sample SET payload = x'' WHERE sequence = (SELECT max(sequence) FROM sample)",
      "its octets are no measurement"
    ),
    (
      "UPDATE sample SET tick = 1 WHERE sequence = (SELECT max(sequence) FROM sample)", "it was received before sample"
    ),
    ("DELETE FROM sample WHERE session = 1; DELETE FROM sample_piece", "it counts 60 heart rates, and 0 are there"),
    ("UPDATE workout SET rr_count = 9999999", "it counts 9999999 RR intervals, and"),
    ("UPDATE workout SET heart_rate_maximum = 299", "its lowest and highest heart rate are not among its samples"),
    ("PRAGMA foreign_keys = OFF; DELETE FROM boot", "of table sample refer to rows of boot that are not there"),
    (
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'start_date, session', 'end_date, session') "
        + "WHERE name = 'workout_by_start'", "the file"
    ),
  ]

  @Test(arguments: damages.indices)
  func isFound(_ index: Int) throws {
    try fill().close()
    let (sql, text) = Self.damages[index]
    try directory.raw().execute(sql)
    let (findings, summary) = try verify()
    #expect(findings.contains { $0.contains(text) }, "\(findings)")
    #expect(summary.findings == findings.count && "\(summary)".contains("wrong"))
  }

  /// One that was split has its parts, and never the same twice.
  @Test func twoWorkoutsOfTheSameSamples() throws {
    let store = try fill()
    try store.commit([.session(.example(3)), .session(.example(4))], through: 5)
    var (first, second) = (FinishedWorkout.example(3), FinishedWorkout.example(4))
    (first.summary.rrCount, second.summary.rrCount) = (0, 0)
    (first.summary.heartRate, second.summary.heartRate) = (nil, nil)
    func slice(_ start: Int64, _ end: Int64) -> WorkoutSlice {
      WorkoutSlice(session: .number(2), start: .at(start), end: .at(end))
    }
    first.slices = [slice(10, 40)]
    second.slices = [slice(40, 90)]
    try store.commit([.workout(first), .workout(second)], through: 6)
    #expect(try verify().findings == [])
    second.slices = [slice(39, 90)]
    try store.commit([.workout(second)], through: 7)
    let text = "are made of the same samples of session \(SessionID.number(2))"
    #expect(try verify().findings == ["workouts \(SessionID.number(3)) and \(SessionID.number(4)) \(text)"])
    // And of one that has all of its session.
    let whole = FinishedWorkout.example(1)
    second.slices = [WorkoutSlice(session: .number(1), start: whole.start, end: whole.end)]
    try store.commit([.workout(second)], through: 8)
    let all = "workouts \(SessionID.number(1)) and \(SessionID.number(4)) are made of the same samples of session "
    #expect(try verify().findings == [all + "\(SessionID.number(1))"])
  }

  @Test func manyFindingsAreCounted() throws {
    let store = try directory.open()
    let samples = try Workouts.samples(1200)
    try store.commit(
      [.session(.example()), .sequenceReserved(through: 2_000_000)]
        + samples.map { .sample($0, session: .number(1)) }, through: 1)
    try store.close()
    try directory.raw().execute("UPDATE sample SET heart_rate = 251")
    let (findings, summary) = try verify()
    #expect(findings.count == 1000 && summary.findings == 1200)
    #expect("\(summary)".hasSuffix("1200 things are wrong, of which the first 1000 are told"))
  }

  /// A page that is none any more; the rest is read all the same.
  @Test func aDamagedPage() throws {
    try fill().close()
    let root = try #require(
      Int(try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = 'event'")[0][0]))
    let file = try #require(fopen(directory.database, "r+"))
    let size = Store.usualPageSize
    fseek(file, (root - 1) * size, SEEK_SET)
    fwrite([UInt8](repeating: 0xFF, count: size), 1, size, file)
    fclose(file)
    let (findings, summary) = try verify()
    #expect(findings.contains { $0.contains("page \(root)") || $0.contains("malformed") }, "\(findings)")
    #expect(summary.samples == SamplePiece.mostSamples + 150)
  }

  @Test func whatIsNoDatabase() throws {
    let file = try #require(fopen(directory.database, "w"))
    fputs(String(repeating: "no database ", count: 1000), file)
    fclose(file)
    let (findings, _) = try verify()
    #expect(findings.count == 1 && findings[0].contains("not a database"), "\(findings)")
  }

  @Test func whatCannotBeChecked() throws {
    #expect(failure()?.kind == .notWritable, "there is none")
    try directory.open().close()
    try directory.raw().execute("PRAGMA user_version = 3")
    #expect(failure()?.text.contains("start it once") == true)
    try directory.raw().execute("PRAGMA user_version = 99")
    #expect(failure()?.kind == .newer)
    try directory.raw().execute("PRAGMA application_id = 7")
    #expect(failure()?.kind == .foreign)
  }

  @Test func theLockIsNotTaken() throws {
    try directory.open().close()
    _ = try verify()
    #expect(try directory.open().liveSessions().isEmpty)
    let store = try fill()
    _ = try verify()
    try store.commit([.sample(try .example(990_000), session: .number(2))], through: 9)
    #expect(store.syncFailure == nil)
  }
}
