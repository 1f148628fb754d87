import CSQLite
import Glibc
import Testing
import Workout

@testable import Store

@Suite struct SQLiteErrorTests {
  @Test(arguments: [
    (SQLITE_FULL, StoreError.Kind.full), (SQLITE_BUSY, .busy), (SQLITE_BUSY | 2 << 8, .busy),
    (SQLITE_READONLY, .notWritable),
    (SQLITE_READONLY | 4 << 8, .notWritable), (SQLITE_CANTOPEN, .notWritable), (SQLITE_CORRUPT, .damaged),
    (SQLITE_CORRUPT | 3 << 8, .damaged), (SQLITE_NOTADB, .damaged), (SQLITE_CONSTRAINT, .other),
    (SQLITE_IOERR | 3 << 8, .other),
  ])
  func kindOfAnErrorOfSQLite(_ code: Int32, _ kind: StoreError.Kind) {
    #expect(StoreError(.commit, sqlite: code, "trying").kind == kind)
  }

  @Test(arguments: [
    (ENOSPC, StoreError.Kind.full), (EDQUOT, .full), (EACCES, .notWritable), (EROFS, .notWritable),
    (ENOENT, .notWritable),
    (EIO, .other),
  ])
  func kindOfAnErrorOfTheSystem(_ code: Int32, _ kind: StoreError.Kind) {
    #expect(StoreError(.open, errno: code, "trying").kind == kind)
  }

  @Test func anIOErrorIsExplainedByTheSystem() {
    let error = StoreError(.commit, sqlite: SQLITE_IOERR | 3 << 8, systemError: EDQUOT, "writing: disk I/O error")
    #expect(error.kind == .full)
    #expect(error.text == "writing: disk I/O error (Disk quota exceeded)")
    #expect(error.code == 778)
    #expect(StoreError(.commit, sqlite: SQLITE_FULL, systemError: EIO, "writing").text == "writing")
  }
}
