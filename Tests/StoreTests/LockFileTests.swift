import Glibc
import Testing
import Workout

@testable import Store

@Suite struct LockFileTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func aSecondDaemonIsRefusedAndToldWhoHasIt() throws {
    let first = try Child.writer("hold", directory.database)
    #expect(first.line() == "open")
    let error = storeError { try directory.open() }
    #expect(error?.kind == .inUse)
    #expect(error?.text.contains("process \(first.pid) has the store \(directory.database)") == true)

    first.endInput()
    #expect(first.line()?.hasPrefix("closed") == true)
    #expect(first.wait() == 0)
    try directory.open().close()
  }

  @Test func theLockDiesWithItsProcess() throws {
    let first = try Child.writer("hold", directory.database)
    #expect(first.line() == "open")
    first.kill()
    let store = try directory.open()
    let second = try Child.writer("open", directory.database)
    #expect(second.line()?.contains("process \(getpid()) has the store") == true)
    try store.close()
    let third = try Child.writer("open", directory.database)
    #expect(third.line() == "open")
  }

  @Test func readersAreNotKeptOut() throws {
    let store = try directory.open()
    try store.commit([.session(.example())], through: 0)
    #expect(try directory.raw().rows("SELECT count(*) FROM session") == [["1"]])
  }

  @Test func aMissingDirectoryIsSaidToBeMissing() throws {
    let error = storeError {
      try Store(path: directory.path + "/no/strapd.db", bootID: "b", at: .at(0), syncInterval: .seconds(1))
    }
    #expect(error?.kind == .notWritable)
    #expect(error?.code == ENOENT)
    #expect(
      error?.description
        == "open failed (2): making the lock file \(directory.path)/no/strapd.db.lock: No such file or directory "
        + "(errno); the directory must exist and belong to the user that strapd runs as, with all files in it")
  }

  /// As root the process is run as nobody, since nothing is unwritable for root.
  @Test func aDirectoryThatMayNotBeWrittenIsSaidToBe() throws {
    chmod(directory.path, 0o555)
    defer { chmod(directory.path, 0o755) }
    let child = try Child.writer("open", directory.database, "unprivileged")
    let line = child.line()
    #expect(line?.hasPrefix("error notWritable open failed (13): making the lock file") == true, "\(line ?? "nothing")")
    #expect(child.wait() == 1)
  }

  @Test func aFileThatMayNotBeWrittenIsSaidToBe() throws {
    try directory.open().close()
    chmod(directory.database, 0o444)
    chmod(directory.database + ".lock", 0o666)
    chmod(directory.path, 0o777)
    let child = try Child.writer("open", directory.database, "unprivileged")
    let line = child.line()
    #expect(
      line?.hasPrefix("error notWritable open failed (8): opening \(directory.database)") == true, "\(line ?? "")")
    #expect(child.wait() == 1)
  }
}
