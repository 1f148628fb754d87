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

  func open() throws -> (store: Store, setAside: SetAside?) {
    try Store.open(
      path: directory.database, bootID: "boot A", at: .at(0), syncInterval: .seconds(3600), limits: Store.Limits())
  }

  /// A store with a session that runs and one that has ended, 400 measurements each.
  @discardableResult
  func fill(closing: Bool = true) throws -> Store {
    let store = try directory.open()
    try store.commit([.session(.example(1)), .session(.example(2, state: .ended))], through: 0)
    for sequence in Int64(1)...800 {
      try store.commit([.sample(try .example(sequence), session: .number(sequence <= 400 ? 1 : 2))], through: sequence)
    }
    if closing { try store.close() }
    return store
  }

  /// Writes octets into the file, as a bad card does.
  func bend(_ file: String, at offset: Int, _ octets: [UInt8]) throws {
    let descriptor = Glibc.open(file, O_WRONLY)
    defer { close(descriptor) }
    guard pwrite(descriptor, octets, octets.count, off_t(offset)) == octets.count else { throw SystemError("pwrite") }
  }

  func write(_ text: String) throws {
    let descriptor = Glibc.open(directory.database, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else { throw SystemError("write") }
  }

  func names() throws -> [String] {
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
      try test.bend(hit.database, at: page * Store.usualPageSize, [UInt8](repeating: 0xA5, count: Store.usualPageSize))
      let (store, setAside) = try test.open()
      if let setAside {
        // A session goes on with what can be read, and it is said where that is not all.
        let live = try store.liveSessions()
        for session in live {
          let samples = try store.samples(of: session.id, after: 0, limit: 1000).map(\.sequence)
          #expect(session == .example(1) && samples == samples.sorted() && Set(samples).isSubset(of: 1...400))
          #expect(setAside.kept.contains("1 live session"), "\(setAside.kept)")
          #expect(setAside.kept.contains("not whole") == (samples.count < 400), "page \(page)")
          goOn += samples.count == 400 ? 1 : 0
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
    #expect(truncate(directory.database, off_t(Store.usualPageSize * (try directory.pages() - 4))) == 0)
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
    #expect(log > Store.usualPageSize)
    try test.bend(
      crashed.database, at: Store.usualPageSize,
      [UInt8](repeating: 0, count: Store.usualPageSize * (try crashed.pages() - 1)))
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

  /// A bit that has flipped in the schema is another name of a column.
  @Test(arguments: ["DROP TABLE workout_part", "ALTER TABLE sample DROP COLUMN payload", "DROP TABLE clock_step"])
  func whatLacksATableOrAColumn(_ sql: String) throws {
    try fill()
    let raw = try directory.raw()
    for view in ["sample_dated", "event_dated", "workout_dated"] { try raw.execute("DROP VIEW \(view)") }
    try raw.execute(sql)
    let (store, setAside) = try open()
    #expect(setAside?.error.text.contains("lacks what strapd's stores have, or has it by another name") == true)
    try store.commit([.session(.example(9))], through: 1)
  }

  /// Tables that a start does not read: what is written into them at the end of a workout must find them sound.
  @Test(arguments: ["workout", "workout_part", "client_data"])
  func damageInATableThatIsOnlyWritten(_ table: String) throws {
    try fill()
    let root = try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0][0]
    try bend(
      directory.database, at: (Int(root)! - 1) * Store.usualPageSize,
      [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    let (store, setAside) = try open()
    #expect(setAside?.error.kind == .damaged)
    #expect(try store.liveSessions().map(\.id) == [.number(1)])
    try store.commit([.clientData(ClientData(), session: .number(1))], through: 1)
  }

  /// Without the numbers that were reserved, none is used twice, and no session is cut.
  @Test func theNumbersCannotBeRead() throws {
    let store = try fill(closing: false)
    try store.commit([.sequenceReserved(through: 5_000_000)], through: 900)
    try store.commit([.sample(try .example(4_000_001), session: .number(1))], through: 901)
    let root = try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'")[0][0]
    try store.close()
    try bend(
      directory.database, at: (Int(root)! - 1) * Store.usualPageSize,
      [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    let (new, setAside) = try open()
    #expect(setAside?.kept == "1 live session")
    #expect(try new.samples(of: .number(1), after: 0, limit: 1000).count == 401)
    #expect(new.nextSequence > 5_000_000)
  }

  /// A measurement that cannot be read takes those near it with it, and not the workout.
  @Test func aSessionThatIsCutGoesOn() throws {
    let store = try directory.open()
    try store.commit([.session(.example(1))], through: 0)
    for sequence in Int64(1)...9000 {
      try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
    }
    let leaves = try directory.raw().rows(
      "SELECT pageno FROM dbstat WHERE name = 'sample' AND pagetype = 'leaf' ORDER BY path")
    try store.close()
    let page = Int(leaves[leaves.count / 2][0])!
    try bend(
      directory.database, at: (page - 1) * Store.usualPageSize, [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    let (new, setAside) = try open()
    #expect(setAside?.kept == "1 live session, not whole")
    let numbers = try new.samples(of: .number(1), after: 0, limit: 10_000).map(\.sequence)
    #expect(numbers.first == 1 && numbers.last == 9000 && numbers.count > 4000 && numbers.count < 9000)
  }

  /// Wherever it is killed between the renames, the new store is found and the old one is whole beside it.
  @Test(arguments: [[], ["-wal"], ["-wal", "-shm"], ["-wal", "-shm", ""]])
  func killedBetweenTheOldAndTheNew(_ moved: [String]) throws {
    let running = try fill(closing: false)
    let crashed = try directory.copy()
    try Child.run("touch", crashed.database + "-shm")
    try running.close()
    try Child.run("cp", directory.database, crashed.database + ".new")
    let aside = crashed.database + ".damaged-20261130T070000Z"
    for ending in moved { #expect(rename(crashed.database + ending, aside + ending) == 0) }
    let (store, setAside) = try SetAsideTests(crashed).open()
    #expect(setAside?.description.contains("that was found by a strapd that ended meanwhile") == true)
    if !moved.isEmpty, moved.count < 3 { #expect(setAside?.newPath == aside) }
    #expect(try store.liveSessions().map(\.id) == [.number(1)])
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000).count == 400)
    #expect(access(crashed.database + ".new", F_OK) != 0)
    let beside = moved.count < 3 ? try #require(setAside).newPath : aside
    for ending in ["", "-wal"] { #expect(access(beside + ending, F_OK) == 0) }
    try store.close()
    // Killed before: what was begun is begun again.
    try Child.run("sh", "-c", "echo half > \(crashed.database).new; echo half > \(crashed.database).new-wal")
    #expect(try SetAsideTests(crashed).open().setAside == nil)
    #expect(access(crashed.database + ".new", F_OK) != 0 && access(crashed.database + ".new-wal", F_OK) != 0)
  }

  /// All of a store whose files were removed stood beside its place, and was to be moved there.
  @Test func killedWhileAStoreIsPutBack() throws {
    try fill()
    #expect(rename(directory.database, directory.database + ".copy") == 0)
    let (store, setAside) = try open()
    #expect(setAside == nil)
    #expect(try store.samples(of: .number(1), after: 0, limit: 1000).count == 400)
    try store.close()
    // One that is not finished is none.
    try Child.run(
      "sh", "-c", "mv \(directory.database) \(directory.database).copy; touch \(directory.database).copy-journal")
    #expect(try open().store.liveSessions() == [])
  }

  /// What refers to what cannot be read is left out, and is no reason not to start.
  @Test func whatIsReferredToCannotBeRead() throws {
    let store = try fill(closing: false)
    var workout = FinishedWorkout.example(1)
    workout.laps = [
      .init(number: 7, interval: WorkoutInterval(start: .at(10), end: .at(40)), summary: workout.summary)
    ]
    try store.commit([.workout(workout)], through: 900)
    try store.close()
    let raw = try directory.raw()
    try raw.execute("PRAGMA foreign_keys = OFF; UPDATE sample SET boot = 17 WHERE sequence = 7")
    let root = try raw.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'workout'")[0][0]
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try bend(
      directory.database, at: (Int(root)! - 1) * Store.usualPageSize,
      [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    let (new, setAside) = try open()
    #expect(setAside?.kept == "1 live session, not whole")
    let numbers = try new.samples(of: .number(1), after: 0, limit: 1000).map(\.sequence)
    #expect(!numbers.contains(7) && numbers.count > 370)
    try new.commit([.workout(workout)], through: 901)
  }

  /// An index is no data.
  @Test(arguments: ["event_of_session", "live_session", "workout_by_start"])
  func anIndexIsDamaged(_ index: String) throws {
    let store = try fill(closing: false)
    let event = EventRecord(sequence: 801, session: .number(1), at: .at(5), what: .linkLost)
    try store.commit([.event(event)], through: 900)
    try store.close()
    let root = try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(index)'")[0][0]
    try bend(
      directory.database, at: (Int(root)! - 1) * Store.usualPageSize,
      [UInt8](repeating: 0xA5, count: Store.usualPageSize))
    let (new, _) = try open()
    #expect(try new.liveSessions().map(\.id) == [.number(1)])
    #expect(try new.samples(of: .number(1), after: 0, limit: 1000).count == 400)
    #expect(try new.events(of: .number(1)).count == 1)
  }

  /// An address that is none.
  @Test func aStrapThatCannotBeOne() throws {
    let store = try fill(closing: false)
    let straps = ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6"].compactMap { StrapAddress($0) }
    try store.commit(straps.map { .strap(StrapRecord($0)) }, through: 900)
    try store.close()
    try directory.raw().execute("UPDATE strap SET address = 'F0:F1:F2*F3:F4:F5' WHERE address = 'F0:F1:F2:F3:F4:F5'")
    #expect(try open().store.straps().map(\.address) == [straps[1]])
  }

  /// Every moment at which the new one may fail to be made leaves the old one where it is.
  @Test func noRoomForTheNewOne() throws {
    let store = try fill(closing: false)
    let new = directory.database + ".new"
    #expect(mkdir(new, 0o700) == 0)
    let damage = StoreError(operation: .commit, code: 11, text: "malformed", kind: .damaged)
    #expect(storeError { _ = try store.begunAnew(after: damage, at: .at(900)) } != nil)
    #expect(try names() == [])
    try store.commit([.sample(try .example(801), session: .number(1))], through: 801)
    #expect(rmdir(new) == 0)
    let (other, setAside) = try store.begunAnew(after: damage, at: .at(900))
    #expect(setAside.kept == "1 live session")
    #expect(try other.samples(of: .number(1), after: 0, limit: 1000).count == 401)
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
  init(_ directory: TemporaryDirectory) {
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

  func pages() throws -> Int {
    var status = stat()
    guard stat(database, &status) == 0 else { throw SystemError("stat") }
    return Int(status.st_size) / Store.usualPageSize
  }

  fileprivate func isFilled(_ path: String, page: Int) throws -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY)
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: Store.usualPageSize)
    guard pread(descriptor, &octets, Store.usualPageSize, off_t(page * Store.usualPageSize)) == Store.usualPageSize
    else { throw SystemError("pread") }
    return octets.allSatisfy { $0 == 0xA5 }
  }
}
