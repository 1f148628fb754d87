import CSQLite
import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// The world breaks in the middle of a commit: nothing is half written, and the same commit works once it is whole again.
@Suite struct TransactionsTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func samples(_ count: Int64, from first: Int64 = 1) throws -> [Record] {
    try (first..<first + count).map { .sample(try .example($0), session: .number(1)) }
  }

  @Test func aFullDatabase() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    let pages = try #require(Int(try store.connection.answer(to: "PRAGMA page_count", for: .read)))
    _ = try store.connection.answer(to: "PRAGMA max_page_count = \(pages)", for: .read)
    for records in [try samples(1_000), try samples(1_000).reversed()] {
      let error = storeError { try store.commit(records, through: 1_000) }
      #expect(error?.kind == .full)
      #expect(error?.code == SQLITE_FULL)
      #expect(error?.operation == .commit)
      #expect(!store.connection.isInTransaction)
      #expect(try store.samples(of: .number(1), after: 0, limit: 10) == [])
      #expect(store.nextSequence == 1)
    }
    _ = try store.connection.answer(to: "PRAGMA max_page_count = 100000", for: .read)
    try store.commit(try samples(1_000), through: 1_000)
    #expect(try store.samples(of: .number(1), after: 0, limit: 2_000).count == 1_000)
    #expect(try directory.raw().rows("PRAGMA integrity_check") == [["ok"]])
  }

  /// A real file system without room, where the test may mount one.
  @Test(.enabled(if: geteuid() == 0, "only root may mount a small file system"))
  func aFullFileSystem() throws {
    let mounted = try TemporaryDirectory()
    do { try Child.run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", mounted.path) } catch {
      print("no file system can be mounted here, not even by root: \(error)")
      return
    }
    defer { do { try Child.run("umount", "-l", mounted.path) } catch { print("still mounted: \(mounted.path)") } }
    let store = try mounted.open()
    try store.commit([.session(.example())], through: 0)
    var sequence: Int64 = 0
    var failure: StoreError?
    while failure == nil, sequence < 10_000 {
      do {
        try store.commit(try samples(5, from: sequence + 1), through: sequence + 5)
        sequence += 5
      } catch let error as StoreError {
        failure = error
      }
    }
    #expect(failure?.kind == .full)
    #expect(try store.samples(of: .number(1), after: 0, limit: 20_000).count == Int(sequence))
    try Child.run("mount", "-o", "remount,size=8m", mounted.path)
    try store.commit(try samples(5, from: sequence + 1), through: sequence + 5)
    #expect(try store.samples(of: .number(1), after: 0, limit: 20_000).count == Int(sequence) + 5)
    #expect(try mounted.raw().rows("PRAGMA integrity_check") == [["ok"]])
    try store.close()
  }

  /// The limit on the size of files makes a write fail in a way that is neither full nor anything else: an I/O error.
  @Test func aFailingWrite() throws {
    let child = try Child.writer("starve", directory.database, "330000")
    let lines = child.lines()
    #expect(child.wait() == 0)
    let failed = try #require(lines.firstIndex { $0.hasPrefix("failed") })
    #expect(lines[failed].hasPrefix("failed other 778 writing sample"), "\(lines[failed])")
    #expect(lines[failed].contains("disk I/O error (File too large)"), "\(lines[failed])")
    let written = lines[..<failed].compactMap { Int64($0) }
    #expect(written.count > 10)
    let again = lines[(failed + 1)...].compactMap { Int64($0) }
    let next = try #require(written.last) + 1
    #expect(again == [next], "the same number, once there was room")
    let rows = try directory.raw().rows("SELECT sequence FROM sample ORDER BY sequence").compactMap { Int64($0[0]) }
    #expect(rows == written + again)
    #expect(try directory.raw().rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func anotherWriter() throws {
    let store = try directory.open(limits: Store.Limits(busyTimeout: .milliseconds(10)))
    try store.commit([.session(.example())], through: 0)
    let raw = try directory.raw()
    try raw.execute("BEGIN IMMEDIATE")
    for records in [try samples(1), try samples(2)] {
      let error = storeError { try store.commit(records, through: 2) }
      #expect(error?.kind == .busy)
      #expect(error?.text.contains("database is locked") == true)
      #expect(!store.connection.isInTransaction)
    }
    #expect(try store.liveSessions().count == 1, "reading goes on")
    try raw.execute("COMMIT")
    try store.commit(try samples(2), through: 2)
    #expect(try store.samples(of: .number(1), after: 0, limit: 10).count == 2)
  }

  @Test func aDatabaseThatMayNotBeWritten() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    try store.connection.execute("PRAGMA query_only = ON", for: .read, "forbidding to write")
    for records in [try samples(1), try samples(2)] {
      let error = storeError { try store.commit(records, through: 2) }
      #expect(error?.kind == .notWritable)
      #expect(error?.code == SQLITE_READONLY)
      #expect(!store.connection.isInTransaction)
    }
    try store.connection.execute("PRAGMA query_only = OFF", for: .read, "allowing it again")
    try store.commit(try samples(2), through: 2)
    #expect(try store.samples(of: .number(1), after: 0, limit: 10).count == 2)
  }
}
