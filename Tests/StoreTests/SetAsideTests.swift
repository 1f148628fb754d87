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
    var kept = 0
    for page in 0..<pages {
      let hit = try original.copyOfClosed()
      let test = SetAsideTests(hit)
      try test.bend(hit.database, at: page * 4096, [UInt8](repeating: 0xA5, count: 4096))
      let (store, setAside) = try test.open()
      if let setAside {
        #expect(try store.liveSessions() == [], "page \(page)")
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
    print("of \(pages) pages, \(kept) could be hit without touching what a start needs")
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
