import Glibc
import Measurements
import Testing
import Workout

@testable import Store

// Damage that is found while the store is in use, and that of its log.
extension SetAsideTests {
  // MARK: While it is in use

  @Test func damagedWhileItIsInUse() throws {
    let store = try fill(closing: false)
    try store.connection.checkpoint()
    // All that is not cached: what is read next is damaged.
    let pages = try directory.pages()
    let root = try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = 'workout'")[0][0]
    #expect(pages > 20)
    try bend(
      directory.database, at: (Int(root)! - 1) * Store.usualPageSize,
      [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    try store.connection.execute("PRAGMA shrink_memory", for: .read, "forgetting pages")
    let failed = storeError { try store.commit([.workout(.example(1))], through: 801) }
    let damage = try #require(failed)
    #expect(damage.kind == .damaged)
    let (new, setAside) = try store.begunAnew(after: damage, at: .at(900))
    #expect(setAside.kept == "1 live session" && access(setAside.newPath, F_OK) == 0)
    #expect(try new.liveSessions() == [.example(1)])
    #expect(try new.samples(of: .number(1), after: 0, limit: 1000).map(\.sequence) == Array(1...400))
    try new.commit([.workout(.example(1))], through: 802)
    #expect(try new.workouts(before: nil, limit: 10).map(\.id) == [.number(1)])
    new.requestSync()
    // The lock is the new one's.
    let other = try Child.writer("append", directory.database)
    #expect(other.line() != "open")
    try new.close()
  }

  @Test func damagedWhileItIsInUseAndTheSessionIsNotWhole() throws {
    let store = try fill(closing: false)
    try store.connection.checkpoint()
    // The middle of the measurements.
    let leaves = try directory.raw().rows(
      "SELECT pageno FROM dbstat WHERE name = 'sample' AND pagetype = 'leaf' ORDER BY path")
    let page = Int(leaves[leaves.count / 4][0])!
    try bend(
      directory.database, at: (page - 1) * Store.usualPageSize, [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    let damage = StoreError(operation: .commit, code: 11, text: "malformed", kind: .damaged)
    let (new, setAside) = try store.begunAnew(after: damage, at: .at(900))
    #expect(setAside.kept == "1 live session, not whole", "\(setAside)")
    #expect(try new.liveSessions() == [.example(1)])
    try new.close()
  }

  // MARK: The log

  /// SQLite would remove the log of a database that is empty or gone, and all is in it.
  @Test(arguments: [false, true])
  func aLogWithoutItsDatabase(isEmpty: Bool) throws {
    let running = try fill(closing: false)
    let crashed = try directory.copy()
    try running.close()
    let log = try crashed.logSize()
    #expect(unlink(crashed.database) == 0)
    if isEmpty { try Child.run("touch", crashed.database) }
    let (store, setAside) = try SetAsideTests(crashed).open()
    let found = try #require(setAside)
    #expect(found.description.contains("it is empty or gone, and its log of \(log) octets is there"))
    var status = stat()
    #expect(stat(found.newPath + "-wal", &status) == 0 && Int(status.st_size) == log)
    #expect(try store.liveSessions().map(\.id) == [.number(1)])
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000).count == 400)
  }

  /// SQLite passes over a log whose beginning is none, and writes over it.
  @Test func theBeginningOfTheLogIsDamaged() throws {
    let running = try fill(closing: false)
    try running.connection.checkpoint()
    for sequence in Int64(801)...900 {
      try running.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
    }
    let crashed = try directory.copy()
    try running.close()
    let test = SetAsideTests(crashed)
    let log = try crashed.logSize()
    try test.bend(crashed.database + "-wal", at: 4, [1, 2, 3])
    let (store, setAside) = try test.open()
    let found = try #require(setAside)
    #expect(found.error.text.contains("the beginning of") && found.kept == "1 live session")
    var status = stat()
    #expect(stat(found.newPath + "-wal", &status) == 0 && Int(status.st_size) == log)
    // What was copied from the log before is there.
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000).count == 400)
  }

  @Test func headersOfLogs() throws {
    let store = try fill(closing: false)
    defer { withExtendedLifetime(store) {} }
    let descriptor = Glibc.open(directory.database + "-wal", O_RDONLY)
    var header = [UInt8](repeating: 0, count: 32)
    #expect(read(descriptor, &header, 32) == 32)
    close(descriptor)
    #expect(LogHeader.isSound(header))
    #expect(LogHeader.isSound([UInt8](repeating: 0, count: 32)))
    for index in header.indices {
      var bent = header
      bent[index] ^= 0x10
      #expect(!LogHeader.isSound(bent), "octet \(index)")
    }
  }
}
