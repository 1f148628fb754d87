import CSQLite
import Foundation
import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// Whose file it is, of which version, and whether it is one at all.
@Suite struct SchemaTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ bytes: [UInt8], at offset: Int = 0) throws {
    let file = open(directory.database, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0, pwrite(file, bytes, bytes.count, offset) == bytes.count else { throw SystemError("pwrite") }
    close(file)
  }

  private func refusal() -> StoreError? {
    storeError { try directory.open() }
  }

  @Test func anEmptyFileBecomesAStore() throws {
    try write([])
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    #expect(try directory.raw().rows("PRAGMA user_version") == [["9"]])
  }

  @Test func aFileOfThisVersionIsLeftAsItIs() throws {
    try directory.open().close()
    let before = try directory.raw().rows("SELECT * FROM sqlite_schema")
    try directory.open().close()
    #expect(try directory.raw().rows("SELECT * FROM sqlite_schema") == before)
    #expect(before.count > 10)
  }

  /// A file of each released version, as it was left by that version.
  @Test func aFileOfVersion1IsBroughtForward() throws {
    let path = #filePath.replacingOccurrences(of: "SchemaTests.swift", with: "Fixtures/version1.sql")
    try directory.raw().execute(try String(contentsOfFile: path, encoding: .utf8))
    let store = try directory.open(bootID: "boot B", at: Moment(tick: .at(10), wall: .boot + .seconds(210)))
    #expect(try directory.raw().rows("PRAGMA user_version") == [["9"]])
    #expect(try directory.raw().rows("PRAGMA foreign_key_check") == [])
    #expect(try directory.raw().rows("SELECT count(*) FROM pragma_index_info('workout_by_start')") == [["12"]])
    #expect(
      try directory.raw().rows("SELECT (SELECT count(*) FROM sample_kept) = (SELECT count(*) FROM session)") == [["1"]])
    #expect(store.nextSequence == 1001)
    #expect(store.bootReport.interruption == .provisionalReboot, "version 1 did not know whether its clock was right")
    let live = try #require(try store.liveSessions().first)
    #expect(live.id == .number(2) && live.isProvisional)
    #expect(live.start?.date == .boot + .seconds(31) && live.start?.requested == nil)
    #expect(try store.session(.number(1))?.start?.requested == .boot + .seconds(2))
    #expect(try store.anchors(of: .number(2)).map(\.boot) == ["boot A"])
    let events = try store.events(of: .number(2))
    #expect(events.map(\.sequence) == [5, 7])
    guard case .recovered(let lastAlive, .restart)? = events.last?.what else {
      Issue.record("\(events)")
      return
    }
    #expect(lastAlive.date == .boot + .seconds(40))
    #expect(try store.samples(of: .number(2), after: 0, limit: 9).map(\.measurement.heartRate) == [120])
    let workout = try #require(try store.workout(.number(1)))
    #expect(workout.elapsed == .seconds(18) && workout.laps.count == 1 && !workout.isProvisional)
    #expect(try store.straps().map(\.address.description) == ["F0:F1:F2:F3:F4:F5"])
    #expect(
      try directory.raw().rows("SELECT kind FROM event_dated")
        == ["transition", "lap", "transition", "transition", "transition", "recovered"].map { [$0] })
    var findings: [String] = []
    _ = try Verification.run(path: directory.database) { findings.append($0) }
    #expect(findings == [])
    // What was released never changes.
    let made = try TemporaryDirectory()
    let connection = try Connection(path: made.database, busyTimeout: .zero)
    try connection.execute(Schema.migrations[0], for: .open, "making version 1")
    let names = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
    let fixture = try TemporaryDirectory()
    try fixture.raw().execute(try String(contentsOfFile: path, encoding: .utf8))
    #expect(try made.raw().rows(names) == fixture.raw().rows(names))
    #expect(
      try made.raw().rows("SELECT sql FROM sqlite_schema WHERE name = 'session'")
        == fixture.raw().rows("SELECT sql FROM sqlite_schema WHERE name = 'session'"))
  }

  @Test func aNewerFileIsRefusedWithBothVersions() throws {
    try directory.open().close()
    try directory.raw().execute("PRAGMA user_version = 10")
    let error = refusal()
    #expect(error?.kind == .newer)
    #expect(error?.text == "\(directory.database) is of version 10, and this strapd knows versions up to 9")
    #expect(try directory.raw().rows("PRAGMA user_version") == [["10"]])
  }

  @Test(arguments: ["PRAGMA application_id = 5", "CREATE TABLE t (x)", "PRAGMA user_version = 1"])
  func aFileOfAnotherProgramIsRefusedAndLeftAlone(_ making: String) throws {
    try directory.raw().execute(making)
    let before = try directory.raw().rows("PRAGMA journal_mode") + directory.raw().rows("SELECT * FROM sqlite_schema")
    let error = refusal()
    #expect(error?.kind == .foreign)
    #expect(error?.description.contains(directory.database) == true)
    let after = try directory.raw().rows("PRAGMA journal_mode") + directory.raw().rows("SELECT * FROM sqlite_schema")
    #expect(after == before)
  }

  @Test func aFileThatIsNoDatabaseIsDamaged() throws {
    try write(Array("this is no database, whatever its name says\n".utf8) + [UInt8](repeating: 0x41, count: 8_192))
    let error = refusal()
    #expect(error?.kind == .damaged)
    #expect(error?.code == SQLITE_NOTADB)
    #expect(error?.operation == .open)
  }

  @Test func aBrokenFirstPageIsDamaged() throws {
    try directory.open().close()
    try write([UInt8](repeating: 0xFF, count: 3_900), at: 100)
    #expect(refusal()?.kind == .damaged)
  }

  @Test func aBrokenTableIsDamaged() throws {
    try directory.open().close()
    let root = try #require(
      Int(try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = 'boot'")[0][0]))
    try write([UInt8](repeating: 0xFF, count: 4_096), at: (root - 1) * 4_096)
    #expect(refusal()?.kind == .damaged)
  }

  @Test func aMigrationThatFailsLeavesNothing() throws {
    let connection = try Connection(path: directory.database, busyTimeout: .zero)
    try connection.execute("CREATE TABLE workout (x)", for: .open, "standing in the way")
    let error = storeError { try Schema.migrate(connection, from: 0) }
    #expect(error?.operation == .migrate)
    #expect(error?.text.contains("table workout already exists") == true)
    #expect(!connection.isInTransaction)
    #expect(try directory.raw().rows("SELECT name FROM sqlite_schema") == [["workout"]])
  }

  @Test func referencesMustExist() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    for table in ["event", "sample", "sample_piece", "workout", "session"] {
      let problems = try directory.raw().rows("SELECT \"table\", \"to\" FROM pragma_foreign_key_list('\(table)')")
      #expect(!problems.isEmpty, "\(table) refers to nothing")
    }
    let error = storeError {
      try store.connection.execute("DELETE FROM boot", for: .commit, "deleting a boot in use")
    }
    #expect(error?.text.contains("FOREIGN KEY") == true)
  }
}
