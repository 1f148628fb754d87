import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// Files that are moved or removed while they are open: nothing goes where nobody finds it.
@Suite struct StorePlaceTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func filled() throws -> Store {
    let store = try directory.open()
    try store.commit([.session(.example(1))], through: 1)
    for sequence in Int64(1)...100 {
      try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence + 1)
    }
    return store
  }

  /// A commit finds it out; in its place again the store goes on as if nothing had been.
  private func goesOn(_ store: Store) throws {
    let failed = storeError { try store.commit([.sample(try .example(101), session: .number(1))], through: 102) }
    #expect(failed?.kind == .moved)
    let new = try store.backInPlace(at: .at(900))
    #expect(try new.liveSessions() == [.example(1)])
    try new.commit([.sample(try .example(101), session: .number(1))], through: 102)
    new.requestSync()
    // As another process sees it.
    #expect(try directory.raw().rows("SELECT count(*) FROM sample") == [["101"]])
    let other = try Child.writer("append", directory.database)
    #expect(other.line() != "open", "the lock is in its place as well")
    try new.close()
    #expect(try directory.raw().rows("SELECT count(*) FROM sample") == [["101"]])
    #expect(access(directory.database + ".copy", F_OK) != 0)
  }

  /// A released version has made files with other pages.
  @Test(arguments: [512, 1024, 4096, 65_536])
  func ofWhateverPageSize(_ size: Int) throws {
    try directory.raw().execute("PRAGMA page_size = \(size); CREATE TABLE t (x); DROP TABLE t")
    let store = try filled()
    #expect(store.pageSize == size)
    #expect(try directory.raw().rows("PRAGMA page_size") == [["\(size)"]])
    #expect(unlink(directory.database) == 0)
    try goesOn(store)
    #expect(try directory.raw().rows("PRAGMA page_size") == [["\(size)"]])
    #expect(try directory.raw().rows("PRAGMA integrity_check") == [["ok"]])
    // Its log alone is left, by a power cut or by somebody.
    let again = try directory.open(at: .at(950))
    try again.commit([.sample(try .example(102), session: .number(1))], through: 1)
    let copy = try directory.copy()
    #expect(truncate(copy.database, 0) == 0)
    #expect(LogHeader.pageSize(of: copy.database) == size)

  }

  @Test(arguments: [
    ["strapd.db"], ["strapd.db", "strapd.db-wal", "strapd.db-shm"], ["strapd.db-wal"], ["strapd.db-shm"],
  ])
  func removed(_ names: [String]) throws {
    let store = try filled()
    for name in names { #expect(unlink(directory.path + "/" + name) == 0) }
    try goesOn(store)
  }

  @Test func removedWithEverythingAndItsDirectory() throws {
    let store = try filled()
    try Child.run("rm", "-rf", directory.path)
    let failed = storeError { try store.commit([.sample(try .example(101), session: .number(1))], through: 102) }
    #expect(failed?.kind == .moved)
    let why = storeError { try store.backInPlace(at: .at(900)) }
    #expect(why?.kind == .moved)
    #expect(why?.description.contains("move it back, or make its directory again") == true, "\(why?.text ?? "?")")
    #expect(mkdir(directory.path, 0o700) == 0)
    try goesOn(store)
  }

  @Test func movedAway() throws {
    let store = try filled()
    #expect(rename(directory.path, directory.path + ".old") == 0)
    #expect(mkdir(directory.path, 0o700) == 0)
    try goesOn(store)
    try Child.run("rm", "-rf", directory.path + ".old")
  }

  @Test func movedAwayAndBack() throws {
    let store = try filled()
    #expect(rename(directory.path, directory.path + ".old") == 0)
    let failed = storeError { try store.commit([.sample(try .example(101), session: .number(1))], through: 102) }
    #expect(failed?.kind == .moved)
    #expect(storeError { try store.backInPlace(at: .at(900)) }?.kind == .moved)
    #expect(rename(directory.path + ".old", directory.path) == 0)
    try store.commit([.sample(try .example(101), session: .number(1))], through: 102)
    try store.close()
    #expect(try directory.raw().rows("SELECT count(*) FROM sample") == [["101"]])
  }

  /// Somebody's copy of an earlier time, perhaps: it is not ours to write over.
  @Test func anotherFileIsInItsPlace() throws {
    let store = try filled()
    #expect(unlink(directory.database) == 0)
    try Child.run("sh", "-c", "echo theirs > \(directory.database)")
    let why = storeError { try store.backInPlace(at: .at(900)) }
    #expect(why?.kind == .moved)
    #expect(
      why?.text == "\(directory.database) is another file than strapd has open, which is not touched: move it away")
    #expect(unlink(directory.database) == 0)
    try goesOn(store)
  }

  /// Backups by hard links, and a person who tidies up.
  @Test func theLogIsMovedOrHasAnotherName() throws {
    let store = try filled()
    #expect(link(directory.database + "-wal", directory.path + "/copy") == 0)
    #expect(unlink(directory.database + "-wal") == 0)
    try goesOn(store)
    let other = try TemporaryDirectory()
    let second = try StorePlaceTests(other).filled()
    #expect(rename(other.database + "-wal", other.path + "/elsewhere") == 0)
    try StorePlaceTests(other).goesOn(second)
  }

  @Test(arguments: ["", "-wal"])
  func cutShort(_ ending: String) throws {
    let store = try filled()
    #expect(truncate(directory.database + ending, 0) == 0)
    let failed = storeError { try store.commit([.sample(try .example(101), session: .number(1))], through: 102) }
    #expect(failed?.kind == .damaged)
    let (new, _) = try store.begunAnew(after: try #require(failed), at: .at(900))
    try new.commit([.session(.example(1)), .sample(try .example(101), session: .number(1))], through: 102)
    #expect(try new.samples(of: .number(1), after: 100, limit: 10).count == 1)
    // The log had everything.
    if ending.isEmpty { #expect(try new.samples(of: .number(1), after: 0, limit: 200).count == 101) }
  }

  /// What was put in its place cannot be opened yet: it is ours all the same, and opened later.
  @Test(arguments: [false, true])
  func whatIsInItsPlaceCannotBeOpenedYet(isDamaged: Bool) throws {
    let store = try filled()
    let log = directory.database + "-wal"
    if !isDamaged { for ending in ["", "-wal", "-shm"] { #expect(unlink(directory.database + ending) == 0) } }
    let damage = StoreError(operation: .commit, code: 11, text: "malformed", kind: .damaged)
    func next() throws -> Store {
      isDamaged ? try store.begunAnew(after: damage, at: .at(900)).store : try store.backInPlace(at: .at(900))
    }
    // A lock that another one has is as good a reason as a full disk.
    #expect(unlink(directory.database + ".lock") == 0)
    #expect(mkdir(directory.database + ".lock", 0o700) == 0)
    #expect(storeError { _ = try next() } != nil)
    let failed = storeError { try store.commit([.sample(try .example(101), session: .number(1))], through: 102) }
    #expect(failed?.kind == (isDamaged ? .damaged : .moved))
    #expect(storeError { _ = try next() } != nil)
    #expect(rmdir(directory.database + ".lock") == 0)
    let new = try next()
    #expect(access(log, F_OK) == 0)
    try new.commit([.sample(try .example(101), session: .number(1))], through: 102)
    #expect(try new.samples(of: .number(1), after: 0, limit: 200).count == 101)
    try new.close()
  }

  /// Without its file the lock is no more for those who come; with the directory's they are kept out all the same.
  @Test func theLockFileIsRemoved() throws {
    let store = try filled()
    #expect(unlink(directory.database + ".lock") == 0)
    var other = try Child.writer("append", directory.database)
    #expect(other.line() != "open")
    // The next commit makes it again.
    try store.commit([.sample(try .example(101), session: .number(1))], through: 102)
    #expect(access(directory.database + ".lock", F_OK) == 0)
    other = try Child.writer("append", directory.database)
    #expect(other.line() != "open")
  }
}

extension StorePlaceTests {
  private init(_ directory: TemporaryDirectory) {
    self.directory = directory
  }
}
