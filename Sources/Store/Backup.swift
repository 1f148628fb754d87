import CSQLite
import Glibc
import Workout

/// A copy of the store as one file, made while the store is written on, in steps that take 2 ms at most on a small board.
///
/// The copy stands beside the store until it is finished, and has no name any more while it is read, so that even a death
/// leaves nothing then; what an earlier one has left is removed by the next start.
final class Backup {
  private let path: String
  private let isOfStore: (Connection) throws(StoreError) -> Void
  private var state: State

  private enum State {
    /// Leaves to: checking, over.
    case copying(PageCopy, Connection)
    /// Every row of the copy is read once. Leaves to: reading, over.
    case checking(Connection, Check)
    /// Leaves to: over.
    case reading(Int32, at: Int, of: Int)
    case over
  }

  struct Limits {
    /// Octets of pages that a step copies.
    var copiedOctets = 64 << 10
    /// Octets of rows that a step looks through.
    var checkedOctets = 64 << 10
    /// Octets of the file that a step reads. What follows takes longer: the check value, base64 and JSON of 24 KiB took 1 ms
    /// on a server's core, measured, and so 3 ms on one that is a third as fast.
    var readOctets = 8 << 10
    /// Octets that have to stay free on the file system, for the workout that goes on.
    var reserve = 16 << 20
  }

  private let limits: Limits
  private let pageSize: Int

  static func path(of store: String) -> String { store + ".backup-in-progress" }

  /// - Throws: with kind `full` where the copy would not leave enough room; nothing is left of it then.
  init(of source: Connection, _ limits: Limits) throws(StoreError) {
    self.limits = limits
    let path = Self.path(of: source.path)
    self.path = path
    Store.remove(path)
    let identity = try Identity(of: source)
    isOfStore = { copy throws(StoreError) in try identity.compare(with: copy) }
    pageSize = identity.pageSize
    try Self.makeSure(of: identity.pages * pageSize + limits.reserve, beside: source.path)
    do {
      let target = try Self.makeTarget(path)
      state = .copying(try source.beginCopying(into: target), target)
    } catch {
      Store.remove(path)
      throw error
    }
  }

  deinit {
    _ = end()
  }

  /// Ends it wherever it stands; nothing of it has a name any more.
  ///
  /// - Returns: what still takes room.
  func end() -> Remains? {
    defer { state = .over }
    switch state {
    case .copying(let copy, let target):
      // What is wrong with a file that is thrown away is of no interest.
      do { try copy.finish() } catch {}
      target.close()
      return unnamed()
    case .checking(let target, _):
      target.close()
      return unnamed()
    case .reading(let descriptor, _, let size): return Remains(descriptor, size: size)
    case .over: return nil
    }
  }

  private func unnamed() -> Remains? {
    let size = FileIdentity(path)?.size ?? 0
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    Store.remove(path)
    return descriptor < 0 ? nil : Remains(descriptor, size: size)
  }

  /// - Throws: what keeps the copy from being finished; it is to be ended then.
  func step() throws(StoreError) -> BackupStep {
    switch state {
    case .copying(let copy, let target):
      let (left, all) = try copy.step(pages: Int32(clamping: max(1, limits.copiedOctets / pageSize)))
      if left == 0 {
        try copy.finish()
        try finish(target)
        state = .checking(target, try Check(target))
      }
      return .copied((all - left) * pageSize, of: all * pageSize)
    case .checking(let target, var check):
      let isOver = try check.step(limits.checkedOctets)
      state = .checking(target, check)
      guard isOver else { return .checked(min(check.octets, check.size), of: check.size) }
      target.close()
      state = try Self.opened(path, size: check.size)
      return .checked(check.size, of: check.size)
    case .reading(let descriptor, let offset, let size): return try read(descriptor, offset, size)
    case .over: return .over
    }
  }

  /// A file of its own, that nobody else may read.
  private static func makeTarget(_ path: String) throws(StoreError) -> Connection {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(.backup, errno: errno, "making \(path)") }
    close(descriptor)
    let target = try Connection(path: path, busyTimeout: .zero)
    // Nothing of it has to outlive anything: no journal, and no sync, which would keep the loop waiting. cache_size: KiB.
    try target.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -64;
      PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF;
      """, for: .backup, "setting up")
    return target
  }

  /// Makes the copy a file that needs no other beside it, and looks whether it is the store.
  private func finish(_ target: Connection) throws(StoreError) {
    let mode = try target.answer(to: "PRAGMA journal_mode = DELETE", for: .backup)
    guard mode == "delete" else {
      throw StoreError(operation: .backup, code: SQLITE_OK, text: "\(path) stays in journal mode '\(mode)'")
    }
    try isOfStore(target)
  }

  /// What is not on the file system cannot be taken from the workout.
  private static func makeSure(of octets: Int, beside store: String) throws(StoreError) {
    let directory = Store.directory(of: store)
    var system = statvfs()
    guard statvfs(directory, &system) == 0 else {
      throw StoreError(.backup, errno: errno, "looking for room in \(directory)")
    }
    let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
    guard free >= octets else {
      throw StoreError(
        .backup, sqlite: SQLITE_FULL,
        "a copy of \(store) needs \(octets >> 20) MiB in \(directory) for as long as it takes, and \(free >> 20) are free"
      )
    }
  }

  private static func opened(_ path: String, size: Int) throws(StoreError) -> State {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.backup, errno: errno, "opening \(path)") }
    unlink(path)
    return .reading(descriptor, at: 0, of: size)
  }

  private func read(_ descriptor: Int32, _ offset: Int, _ size: Int) throws(StoreError) -> BackupStep {
    var piece = [UInt8](repeating: 0, count: min(limits.readOctets, size - offset))
    if piece.isEmpty { return .over }
    let count = pread(descriptor, &piece, piece.count, off_t(offset))
    guard count > 0 else { throw StoreError(.backup, errno: count < 0 ? errno : EIO, "reading the copy \(path)") }
    piece.removeLast(piece.count - count)
    state = .reading(descriptor, at: offset + count, of: size)
    return .read(piece, of: size)
  }
}

extension Backup {
  /// A file without a name that is to be given back to the file system bit by bit: 100 MB at once take 33 ms, measured, and
  /// much more on a card.
  final class Remains {
    private let descriptor: Int32
    private var size: Int
    private static let step = 1 << 20

    init(_ descriptor: Int32, size: Int) {
      (self.descriptor, self.size) = (descriptor, size)
    }

    deinit {
      close(descriptor)
    }

    /// - Returns: whether something is left.
    func shrink() -> Bool {
      size = max(0, size - Self.step)
      // Where that is not possible, closing it does the same.
      return ftruncate(descriptor, off_t(size)) == 0 && size > 0
    }
  }
}

/// What a copy has in common with its store, whatever was written meanwhile.
private struct Identity: Equatable {
  var application: String
  var version: String
  var pages: Int
  var pageSize: Int

  init(of connection: Connection) throws(StoreError) {
    application = try connection.answer(to: "PRAGMA application_id", for: .backup)
    version = try connection.answer(to: "PRAGMA user_version", for: .backup)
    pages = Int(try connection.answer(to: "PRAGMA page_count", for: .backup)) ?? 0
    pageSize = Int(try connection.answer(to: "PRAGMA page_size", for: .backup)) ?? 0
  }

  func compare(with copy: Connection) throws(StoreError) {
    let other = try Identity(of: copy)
    guard other.application == application, other.version == version,
      other.pageSize == pageSize,
      FileIdentity(copy.path)?.size == other.pages * pageSize
    else {
      throw StoreError(.backup, sqlite: SQLITE_CORRUPT, "\(copy.path) is not what was copied into it")
    }
  }
}

extension Backup {
  /// Reads every row of every table once: SQLite says where a page of it cannot be one. Its own check of a database cannot be
  /// done in steps.
  fileprivate struct Check {
    private let connection: Connection
    private var tables: [String]
    private var statement: Statement?
    /// Octets of rows so far, and those of the file.
    private(set) var octets = 0
    let size: Int

    init(_ connection: Connection) throws(StoreError) {
      self.connection = connection
      tables = try Statement(
        connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", for: .backup
      ).rows([], for: .backup, "reading the tables") { (row: inout Row) in row.text() }
      size = FileIdentity(connection.path)?.size ?? 0
    }

    /// - Returns: whether there is nothing left to be read.
    mutating func step(_ most: Int) throws(StoreError) -> Bool {
      if statement == nil {
        guard let table = tables.popLast() else { return true }
        statement = try Statement(connection, "SELECT * FROM \"\(table)\"", for: .backup)
      }
      guard let statement else { return true }
      let (read, isOver) = try statement.readOn(atMost: most, for: .backup, "reading the copy")
      octets += read
      if isOver { self.statement = nil }
      return false
    }
  }
}
