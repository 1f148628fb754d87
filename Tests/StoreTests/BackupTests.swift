import CSQLite
import Glibc
import Measurements
import Testing
import Workout

@testable import Store

/// A copy of the store, made while it is written on.
@Suite struct BackupTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var copyPath: String { Backup.path(of: directory.database) }

  private func names() throws -> Set<String> {
    let folder = try #require(opendir(directory.path))
    defer { closedir(folder) }
    var names: Set<String> = []
    while let entry = readdir(folder) {
      names.insert(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
    return names.filter { $0.contains("backup") }
  }

  private func fill(_ count: Int, in store: Store) throws -> [HeartRateSample] {
    let samples = try Workouts.samples(count)
    try store.commit([.session(.example())] + samples.map { .sample($0, session: .number(1)) }, through: 1)
    return samples
  }

  /// All steps, with something to do between them.
  private func run(_ store: Store, _ between: (BackupStep) throws -> Void = { _ in }) throws -> [UInt8] {
    var octets: [UInt8] = []
    try store.beginBackup()
    while true {
      let step = try store.stepBackup()
      if case .read(let piece, _) = step { octets += piece }
      if step == .over { return octets }
      try between(step)
    }
  }

  private func failure(_ body: () throws -> Void) -> StoreError? {
    do { try body() } catch { return error as? StoreError }
    return nil
  }

  /// The octets as the file of a store.
  private func put(_ octets: [UInt8]) throws -> TemporaryDirectory {
    let other = try TemporaryDirectory()
    let file = try #require(fopen(other.database, "w"))
    #expect(fwrite(octets, 1, octets.count, file) == octets.count)
    fclose(file)
    return other
  }

  @Test func theCopyIsTheStore() throws {
    let store = try directory.open()
    let samples = try fill(3000, in: store)
    try store.commit(
      [.session(.ended(at: 4000)), .strap(StrapRecord(StrapAddress("F0:F1:F2:F3:F4:F5")!))], through: 2)
    var (copied, checked, read) = (0, 0, 0)
    let octets = try run(store) { step throws in
      switch step {
      case .copied(let octets, let all):
        #expect(octets > copied && octets <= all && read == 0)
        copied = octets
      case .checked(let octets, let all):
        #expect(octets >= checked && octets <= all && read == 0)
        checked = octets
      case .read(let piece, let all):
        read += piece.count
        #expect(read <= all && piece.count <= Backup.Limits().readOctets)
        #expect(try names() == [], "it has no name any more")
      case .over: break
      }
    }
    #expect(copied == octets.count && checked == octets.count && read == octets.count)
    #expect(octets[18] == 1 && octets[19] == 1, "no log beside it is needed")
    let other = try put(octets)
    #expect(try other.raw().rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try other.raw().rows("PRAGMA foreign_key_check") == [])
    let restored = try other.open(at: .at(5000))
    #expect(try restored.samples(of: .number(1), after: 0, limit: .max) == samples)
    #expect(try restored.straps().count == 1)
    #expect(restored.nextSequence == samples[2999].sequence + 1)
    #expect(try store.samples(of: .number(1), after: 0, limit: .max) == samples, "and the store as it was")
  }

  /// Commits between all steps, and the compaction, and copying of the log: what was there when the last page was copied is
  /// in it, and all of it is sound.
  @Test func whatIsCommittedMeanwhile() throws {
    var limits = Store.Limits()
    limits.backup.copiedOctets = 2 * 1024
    limits.checkpointFrames = 20
    let store = try directory.open(limits: limits)
    let samples = try fill(1500, in: store)
    try store.commit([.session(.ended(at: 4000))], through: 2)
    try store.commit([.session(.example(2))], through: 3)
    let late = try Workouts.samples(3000, first: 100_000, seed: 9)
    var (count, last) = (0, 0)
    let octets = try run(store) { step throws in
      if case .read = step { return }
      if case .copied(let octets, let all) = step, octets == all {
        last = count
      } else if count < late.count {
        try store.commit([.sample(late[count], session: .number(2))], through: Int64(4 + count))
        count += 1
        if count % 3 == 0 { _ = try store.compact(at: .at(9000)) }
        try store.checkpointIfDue()
      }
    }
    #expect(last > 20, "\(last) commits while it was copied")
    #expect(count > last, "\(count)")
    let other = try put(octets)
    #expect(try other.raw().rows("PRAGMA integrity_check") == [["ok"]])
    let restored = try other.open(at: .at(9000))
    #expect(try restored.samples(of: .number(2), after: 0, limit: .max) == Array(late[..<last]))
    #expect(try restored.samples(of: .number(1), after: 0, limit: .max) == samples)
  }

  /// Another program's commit makes SQLite begin anew; the copy is whole, and has it.
  @Test func whatAnotherProgramCommitsMeanwhile() throws {
    var limits = Store.Limits()
    limits.backup.copiedOctets = 8 * 1024
    let store = try directory.open(limits: limits)
    let samples = try fill(1500, in: store)
    var (written, fell, last) = (0, 0, 0)
    let octets = try run(store) { step throws in
      guard case .copied(let octets, let all) = step else { return }
      if octets < last { fell += 1 }
      last = octets
      if octets > all / 2, octets < all, written < 3 {
        written += 1
        try directory.raw().execute(
          "INSERT INTO client_data VALUES (1, 'by hand', '\(written)') ON CONFLICT DO UPDATE "
            + "SET blob = excluded.blob")
      }
    }
    #expect(written == 3 && fell == 3)
    let other = try put(octets)
    #expect(try other.raw().rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try other.raw().rows("SELECT blob FROM client_data") == [["3"]])
    let restored = try other.open(at: .at(5000))
    #expect(try restored.samples(of: .number(1), after: 0, limit: .max) == samples)
  }

  @Test func nothingIsLeftWhereverItEnds() throws {
    var limits = Store.Limits()
    limits.backup.copiedOctets = 2 * 1024
    limits.backup.checkedOctets = 1000
    limits.backup.readOctets = 1000
    let store = try directory.open(limits: limits)
    _ = try fill(200, in: store)
    var all = 0
    _ = try run(store) { _ in all += 1 }
    #expect(all > 30)
    for steps in stride(from: 0, through: all, by: 7) {
      try store.beginBackup()
      for _ in 0..<steps { _ = try store.stepBackup() }
      store.endBackup()
      #expect(try names() == [], "after \(steps) steps")
      try store.commit([.sample(try .example(Int64(5000 + steps)), session: .number(1))], through: Int64(10 + steps))
    }
    try store.beginBackup()
    _ = try store.stepBackup()
    #expect(try names() != [])
    try store.close()
    #expect(try names() == [], "the store was closed over it")
    #expect(failure { try store.beginBackup() } != nil)
    #expect(failure { _ = try store.stepBackup() } != nil)
  }

  /// As a dead daemon leaves it; what somebody else has put beside it stays.
  /// The room that it took is given back bit by bit, and not when the last step is done.
  @Test func itsRoomIsGivenBackInSteps() throws {
    let store = try directory.open()
    try directory.raw().execute(
      """
      CREATE TABLE filler (number INTEGER PRIMARY KEY, octets BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO filler SELECT i, randomblob(4000) FROM n;
      """)
    for cut in [10, 100, .max] {
      try store.beginBackup()
      #expect(!store.wantsClearing)
      for _ in 0..<cut { if try store.stepBackup() == .over { break } }
      store.endBackup()
      #expect(store.wantsClearing)
      var steps = 0
      while store.wantsClearing, steps < 100 {
        store.clear()
        steps += 1
      }
      #expect(steps == (cut == 10 ? 1 : 5), "a step a megabyte, after \(cut)")
    }
    try store.beginBackup()
    store.endBackup()
    #expect(store.wantsClearing)
    try store.close()
    #expect(!store.wantsClearing)
  }

  @Test func whatADeadOneHasLeft() throws {
    try directory.open().close()
    for name in [copyPath, copyPath + "-wal", directory.database + ".backup"] {
      let file = try #require(fopen(name, "w"))
      fputs("left", file)
      fclose(file)
    }
    let store = try directory.open()
    #expect(try names() == ["strapd.db.backup"])
    #expect(try store.liveSessions().isEmpty)
  }

  @Test func nobodyElseMayReadIt() throws {
    let before = umask(0)
    defer { umask(before) }
    let store = try directory.open()
    _ = try fill(100, in: store)
    try store.beginBackup()
    _ = try store.stepBackup()
    var status = stat()
    #expect(stat(copyPath, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func tooLittleRoom() throws {
    var limits = Store.Limits()
    limits.backup.reserve = 1 << 60
    let store = try directory.open(limits: limits)
    let samples = try fill(100, in: store)
    let error = failure { try store.beginBackup() }
    #expect(error?.kind == .full && error?.operation == .backup)
    #expect(error?.text.contains("MiB") == true)
    #expect(try names() == [])
    #expect(try store.samples(of: .number(1), after: 0, limit: .max) == samples)
    try store.commit([.sample(try .example(9000), session: .number(1))], through: 9)
  }

  /// The file may grow no further than RLIMIT_FSIZE says; in a process of its own, since it goes for all files.
  @Test func theDiskFillsUpMeanwhile() throws {
    let store = try directory.open()
    _ = try fill(3000, in: store)
    try store.close()
    let writer = try Child.writer("starve-backup", directory.database, "100000")
    let lines = writer.lines()
    #expect(writer.wait() == 0, "\(lines)")
    #expect(lines.first?.hasPrefix("failed ") == true && lines.first?.contains("copying") == true, "\(lines)")
    #expect(lines.contains("nothing left") && lines.contains("committed"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("whole ") }, "\(lines)")
  }

  @Test func aDirectoryThatMayNotBeWritten() throws {
    let store = try directory.open()
    _ = try fill(10, in: store)
    // A directory stands where the copy is to be.
    #expect(mkdir(copyPath, 0o700) == 0)
    let error = failure { try store.beginBackup() }
    #expect(error?.operation == .backup)
    #expect(rmdir(copyPath) == 0)
    let octets = try run(store)
    #expect(!octets.isEmpty)
  }

  /// A page that is none any more is met by the look through the copy, or by copying it.
  @Test func aDamagedStoreIsNoBackup() throws {
    let store = try directory.open()
    _ = try fill(3000, in: store)
    try store.commit([.session(.ended(at: 4000))], through: 2)
    try store.close()
    let size = try #require(FileIdentity(directory.database)).size
    let file = try #require(fopen(directory.database, "r+"))
    // A leaf of the samples: their payloads begin so.
    let root = try #require(
      Int(try directory.raw().rows("SELECT rootpage FROM sqlite_schema WHERE name = 'sample'")[0][0]))
    let pageSize = Store.usualPageSize
    #expect(root * pageSize < size)
    var page = [UInt8](repeating: 0, count: pageSize)
    fseek(file, (root - 1) * pageSize, SEEK_SET)
    fread(&page, 1, pageSize, file)
    #expect(page[0] == 2 || page[0] == 5, "an inner page")
    // The leftmost page below it; the start reads the rightmost one.
    let cell = Int(page[12]) << 8 | Int(page[13])
    let leaf = page[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
    fseek(file, (leaf - 1) * pageSize, SEEK_SET)
    fwrite([UInt8](repeating: 0xFF, count: 100), 1, 100, file)
    fclose(file)
    let damaged = try directory.open()
    let error = failure { _ = try run(damaged) }
    #expect(error?.kind == .damaged, "\(String(describing: error))")
    #expect(try names() == [])
  }

  /// The files were moved away: the store that takes their place knows of no backup.
  @Test func anotherStoreInItsPlace() throws {
    let store = try directory.open()
    let samples = try fill(500, in: store)
    try store.beginBackup()
    _ = try store.stepBackup()
    for ending in ["", "-wal", "-shm"] { unlink(directory.database + ending) }
    let next = try store.backInPlace(at: .at(10))
    #expect(try names() == [])
    let error = failure { _ = try next.stepBackup() }
    #expect(error?.text.contains("another store") == true)
    let octets = try run(next)
    #expect(!octets.isEmpty)
    #expect(try next.samples(of: .number(1), after: 0, limit: .max) == samples)
  }
}
