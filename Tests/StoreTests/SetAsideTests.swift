import CSQLite
import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// A damaged file does not keep the daemon from starting, and stays for whoever can read it.
@Suite struct SetAsideTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open() throws -> (store: Store, setAside: SetAside?) {
    try Store.open(
      path: directory.database, bootID: "boot A", at: .at(0), syncInterval: .seconds(3600), limits: Store.Limits())
  }

  /// A store with a session that runs and one that has ended, 400 measurements each.
  @discardableResult
  private func fill(closing: Bool = true) throws -> Store {
    let store = try directory.open()
    try store.commit([.session(.example(1)), .session(.example(2, state: .ended))], through: 0)
    for sequence in Int64(1)...800 {
      try store.commit([.sample(try .example(sequence), session: .number(sequence <= 400 ? 1 : 2))], through: sequence)
    }
    if closing { try store.close() }
    return store
  }

  /// Writes octets into the file, as a bad card does.
  private func bend(_ file: String, at offset: Int, _ octets: [UInt8]) throws {
    let descriptor = Glibc.open(file, O_WRONLY)
    defer { close(descriptor) }
    guard pwrite(descriptor, octets, octets.count, off_t(offset)) == octets.count else { throw SystemError("pwrite") }
  }

  private func write(_ text: String) throws {
    let descriptor = Glibc.open(directory.database, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else { throw SystemError("write") }
  }

  private func names() throws -> [String] {
    guard let folder = opendir(directory.path) else { throw SystemError("opendir") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0.contains("damaged") }.sorted()
  }

  @Test func aSoundStoreStays() throws {
    try fill()
    let (store, setAside) = try open()
    #expect(setAside == nil)
    #expect(try store.liveSessions().map(\.id) == [.number(1)])
    #expect(try names() == [])
  }

  @Test func noDatabaseAtAll() throws {
    try write(String(repeating: "this is no database, ", count: 20))
    let (store, setAside) = try open()
    let found = try #require(setAside)
    #expect(found.error.kind == .damaged)
    #expect(found.readable == "nothing")
    #expect(found.newPath == directory.database + ".damaged-20261130T080000Z")
    #expect(try store.liveSessions() == [])
    try store.commit([.session(.example(5))], through: 1)
    #expect("\(found)".contains("is set aside as \(found.newPath) with its -wal and -shm, and a new one is begun"))
  }

  /// Every page of the file, one after the other, is filled with what is none: whatever is hit, the daemon starts, and
  /// either nothing of what it needs was there or the file as it was lies beside the new one.
  @Test func whateverPageIsHit() throws {
    try fill()
    let original = try directory.copyOfClosed()
    let pages = try original.pages()
    var (kept, goOn) = (0, 0)
    for page in 0..<pages {
      let hit = try original.copyOfClosed()
      let test = SetAsideTests(hit)
      try test.bend(hit.database, at: page * 4096, [UInt8](repeating: 0xA5, count: 4096))
      let (store, setAside) = try test.open()
      if let setAside {
        // A session goes on that can be read to the last row, or none does.
        let live = try store.liveSessions()
        goOn += live.count
        for session in live {
          let samples = try store.samples(of: session.id, after: 0, limit: 1000)
          #expect(session == .example(1) && samples.map(\.sequence) == Array(1...400), "page \(page)")
          #expect(setAside.kept.contains("1 live session"), "\(setAside.kept)")
        }
        #expect(access(setAside.newPath, F_OK) == 0)
        #expect(try hit.isFilled(setAside.newPath, page: page), "left as it was found")
      } else {
        kept += 1
        let samples = try store.samples(of: .number(1), after: 0, limit: 1000)
        #expect(samples.count == 400, "page \(page)")
        #expect(try store.events(of: .number(1)) == [])
      }
      try store.commit([.session(.example(9))], through: 1)
    }
    print("of \(pages) pages, \(kept) could be hit without touching what a start needs; \(goOn) left the session whole")
    #expect(goOn > 0)
    #expect(kept > 0, "the workout that has ended has pages of its own")
    #expect(pages - kept > 5)
  }

  @Test func aFileCutShort() throws {
    try fill()
    #expect(truncate(directory.database, off_t(4096 * (try directory.pages() - 4))) == 0)
    let (_, setAside) = try open()
    let found = try #require(setAside)
    #expect(found.readable.contains("2 sessions, the first "), "\(found.readable)")
  }

  /// What the last daemon had committed and not copied is in the log alone.
  @Test func theLogGoesWithIt() throws {
    let running = try fill(closing: false)
    try running.connection.checkpoint()
    try running.commit([.session(.example(3))], through: 1000)
    let crashed = try directory.copy()
    try running.close()
    let test = SetAsideTests(crashed)
    let log = try crashed.logSize()
    #expect(log > 4096)
    try test.bend(crashed.database, at: 4096, [UInt8](repeating: 0, count: 4096 * (try crashed.pages() - 1)))
    let (_, setAside) = try test.open()
    let found = try #require(setAside)
    var status = stat()
    #expect(stat(found.newPath + "-wal", &status) == 0)
    #expect(Int(status.st_size) == log, "nothing was copied from it")
  }

  @Test func aSecondOneOverwritesNothing() throws {
    for round in 1...3 {
      try write(String(repeating: "x", count: 5000))
      let (store, setAside) = try open()
      #expect(setAside != nil)
      try store.close()
      #expect(try names().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.count == round)
    }
  }

  @Test(arguments: [
    ("PRAGMA application_id = 7", StoreError.Kind.foreign), ("PRAGMA user_version = 99", .newer),
  ])
  func whatIsNotOursIsLeftAlone(_ sql: String, _ kind: StoreError.Kind) throws {
    try fill()
    try directory.raw().execute(sql)
    #expect(storeError { try open() }?.kind == kind)
    #expect(try names() == [])
  }

  /// Other programs may read and write it, and change it so that it is no store of ours any more.
  @Test(arguments: ["DROP TABLE workout_part", "ALTER TABLE sample DROP COLUMN payload", "DROP TABLE clock_step"])
  func whatLacksATableOrAColumnIsLeftAlone(_ sql: String) throws {
    try fill()
    let raw = try directory.raw()
    for view in ["sample_dated", "event_dated", "workout_dated"] { try raw.execute("DROP VIEW \(view)") }
    try raw.execute(sql)
    let error = storeError { try open() }
    #expect(error?.kind == .foreign)
    #expect(error?.description.contains("lacks what strapd's stores have: another program has changed it") == true)
    #expect(try names() == [])
  }

  /// Tables that a start does not read: what is written into them at the end of a workout must find them sound.
  @Test(arguments: ["workout", "workout_part", "client_data"])
  func damageInATableThatIsOnlyWritten(_ table: String) throws {
    try fill()
    let root = try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0][0]
    try bend(directory.database, at: (Int(root)! - 1) * 4096, [UInt8](repeating: 0xA5, count: 4096))
    let (store, setAside) = try open()
    #expect(setAside?.error.kind == .damaged)
    #expect(try store.liveSessions().map(\.id) == [.number(1)])
    try store.commit([.clientData(ClientData(), session: .number(1))], through: 1)
  }

  // MARK: While it is in use

  @Test func damagedWhileItIsInUse() throws {
    let store = try fill(closing: false)
    try store.connection.checkpoint()
    // All that is not cached: what is read next is damaged.
    let pages = try directory.pages()
    let root = try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = 'workout'")[0][0]
    #expect(pages > 20)
    try bend(directory.database, at: (Int(root)! - 1) * 4096, [UInt8](repeating: 0xA5, count: 4096))
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
    try bend(directory.database, at: (page - 1) * 4096, [UInt8](repeating: 0xA5, count: 4096))
    let damage = StoreError(operation: .commit, code: 11, text: "malformed", kind: .damaged)
    let (new, setAside) = try store.begunAnew(after: damage, at: .at(900))
    #expect(setAside.kept == "1 live session, not whole")
    #expect(try new.liveSessions() == [.example(1)])
    try new.close()
  }

  @Test func aDaemonThatHasItIsLeftAlone() throws {
    try fill()
    let other = try Child.writer("append", directory.database)
    #expect(other.line() == "open")
    #expect(storeError { try open() }?.kind == .inUse)
    other.kill()
    #expect(try names() == [])
  }
}

extension SetAsideTests {
  private init(_ directory: TemporaryDirectory) {
    self.directory = directory
  }
}

extension TemporaryDirectory {
  /// A copy of a database that nobody has open, with the whole of it in one file.
  fileprivate func copyOfClosed() throws -> TemporaryDirectory {
    let copy = try TemporaryDirectory()
    try Child.run("cp", database, copy.path)
    return copy
  }

  fileprivate func pages() throws -> Int {
    var status = stat()
    guard stat(database, &status) == 0 else { throw SystemError("stat") }
    return Int(status.st_size) / 4096
  }

  fileprivate func isFilled(_ path: String, page: Int) throws -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY)
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 4096)
    guard pread(descriptor, &octets, 4096, off_t(page * 4096)) == 4096 else { throw SystemError("pread") }
    return octets.allSatisfy { $0 == 0xA5 }
  }
}
