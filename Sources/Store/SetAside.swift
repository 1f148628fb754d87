import CSQLite
import Glibc
import Measurements
import Workout

/// A damaged database that was moved out of the way, so that the daemon starts and nothing of it is lost for good.
public struct SetAside: Hashable, Sendable, CustomStringConvertible {
  /// Where the database file was.
  public let path: String
  /// Where it is now, its -wal and -shm beside it.
  public let newPath: String
  /// What was found.
  public let error: StoreError
  /// What of it can still be read.
  public let readable: String
  /// What of it goes on in the new one.
  public let kept: String

  /// One line for the journal: what happened, what is left, what to do.
  public var description: String {
    "the store \(path) is damaged (\(error.text)); it is set aside as \(newPath) with its -wal and -shm, and a new one is "
      + "begun, in which go on: \(kept); readable in the old one: \(readable); \"sqlite3 \(newPath) .recover\" may get "
      + "more out of it"
  }
}

extension Store {
  /// Opens or creates a database file as `init` does; a damaged one is set aside and a new one made, in which what can be
  /// read of the live sessions goes on.
  ///
  /// - Throws: with kind `inUse`, `notWritable`, `foreign` or `newer` where that is the reason.
  public static func open(
    path: String, bootID: String, at now: Moment, syncInterval: Duration
  ) throws(StoreError) -> (store: Store, setAside: SetAside?) {
    try open(path: path, bootID: bootID, at: now, syncInterval: syncInterval, limits: Limits())
  }

  static func open(
    path: String, bootID: String, at now: Moment, syncInterval: Duration, limits: Limits
  ) throws(StoreError) -> (store: Store, setAside: SetAside?) {
    // One lock for all tries: no other daemon may come between.
    let lock = try LockFile(for: path)
    var setAside = try finishInterrupted(path, at: now)
    if setAside == nil { setAside = try setAsideLogAlone(path, at: now) }
    let connection = try Connection(path: path, busyTimeout: limits.openTimeout)
    let damage: StoreError
    do throws(StoreError) {
      if let damage = LogHeader.damage(of: path) { throw damage }
      let store = try Store(
        lock, connection, bootID: bootID, at: now, syncInterval: syncInterval, limits: limits)
      return (store, setAside)
    } catch  where error.kind == .damaged {
      damage = error
    } catch  where error.code & 0xFF == SQLITE_ERROR {
      let text = "\(path) lacks what strapd's stores have, or has it by another name (\(error.text))"
      damage = StoreError(operation: .open, code: error.code, text: text, kind: .damaged)
    }
    setAside = try Self.setAside(connection, damage, keepsUncountable: false, at: now)
    connection.closeLeavingLog()
    let store = try Store(
      lock, try Connection(path: path, busyTimeout: limits.openTimeout), bootID: bootID, at: now,
      syncInterval: syncInterval, limits: limits)
    return (store, setAside)
  }

  /// Sets aside a database that is found to be damaged while it is in use, and begins a new one, in which the live
  /// sessions go on with what can be read of them.
  ///
  /// - Parameter damage: what a commit has thrown, with kind `damaged`.
  /// - Returns: the store to use from now on; nothing is left of this one.
  /// - Throws: what keeps the new one from being made; this one is to be used on.
  public func begunAnew(after damage: StoreError, at now: Moment) throws(StoreError) -> (
    store: Store, setAside: SetAside
  ) {
    if let setAside = successor?.setAside { return (try replaced(at: now), setAside) }
    let setAside = try Self.setAside(connection, damage, keepsUncountable: true, at: now)
    successor = (FileIdentity(connection.path), setAside)
    return (try replaced(at: now), setAside)
  }

  /// Puts a new database with what goes on in the place of a damaged one. The new one is finished, and on the disk, before
  /// the old one is moved: whatever comes between, one of them is there.
  private static func setAside(
    _ connection: Connection, _ damage: StoreError, keepsUncountable: Bool, at now: Moment
  ) throws(StoreError) -> SetAside {
    let path = connection.path
    // Cut to nothing while it was open: whoever opens it now would remove its log.
    if FileIdentity(path)?.size == 0 { try giveFirstPage(path) }
    let readable = Readable.description(of: connection)
    let new = path + ".new"
    remove(new)
    let kept: String
    do {
      let connection = try Connection(path: new, busyTimeout: .zero)
      defer { connection.close() }
      try prepare(connection)
      try connection.execute("PRAGMA synchronous = FULL", for: .open, "setting up")
      kept = try Salvage(of: path, into: connection, keepsUncountable: keepsUncountable, at: now).words
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", for: .open, "copying the log")
    } catch {
      remove(new)
      throw error
    }
    remove(new, ["-wal", "-shm"])
    let newPath: String
    do { newPath = try move(path, to: unusedPath(path, at: now.wall)) } catch {
      // Finished, it would be put in the place of the old one by the next start.
      remove(new)
      throw error
    }
    try put(new, at: path)
    return SetAside(path: path, newPath: newPath, error: damage, readable: readable, kept: kept)
  }

  static func remove(_ path: String, _ endings: [String] = ["-journal", "-wal", "-shm", ""]) {
    for ending in endings { unlink(path + ending) }
  }

  static func put(_ file: String, at path: String) throws(StoreError) {
    guard rename(file, path) == 0 else { throw StoreError(.open, errno: errno, "moving \(file) to \(path)") }
    try syncDirectory(of: path)
  }

  /// What the last daemon had begun when it ended: a new store that is finished, beside a damaged one that was to be moved
  /// or a part of it; or all of a store whose files were removed, which was to be put in their place.
  private static func finishInterrupted(_ path: String, at now: Moment) throws(StoreError) -> SetAside? {
    let (new, copy) = (path + ".new", path + ".copy")
    if access(path, F_OK) != 0, access(copy, F_OK) == 0, access(copy + "-journal", F_OK) != 0 {
      try put(copy, at: path)
    }
    guard access(new, F_OK) == 0, access(new + "-wal", F_OK) != 0 else {
      remove(new)
      return nil
    }
    let newPath = try move(path, to: try halfMoved(path) ?? unusedPath(path, at: now.wall))
    try put(new, at: path)
    let error = StoreError(.open, sqlite: SQLITE_CORRUPT, "that was found by a strapd that ended meanwhile")
    return SetAside(
      path: path, newPath: newPath, error: error, readable: "not looked at again",
      kept: "what could be read of live sessions and straps")
  }

  /// The name to which a part of the files has been moved already.
  private static func halfMoved(_ path: String) throws(StoreError) -> String? {
    let directory = directory(of: path)
    let prefix = path.split(separator: "/").last.map { "\($0).damaged-" } ?? ""
    guard let folder = opendir(directory) else {
      throw StoreError(.open, errno: errno, "reading the directory \(directory)")
    }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasPrefix(prefix), name.hasSuffix("-wal") || name.hasSuffix("-shm") else { continue }
      let base = "\(directory)/\(name.dropLast(4))"
      if access(base, F_OK) != 0 { return base }
    }
    return nil
  }

  /// A log without its database, which is empty or gone: SQLite would take it for one of an earlier database, and remove it.
  /// With a first page, whatever is in that, it reads what is in the log.
  private static func setAsideLogAlone(_ path: String, at now: Moment) throws(StoreError) -> SetAside? {
    guard FileIdentity(path)?.size ?? 0 == 0, let log = FileIdentity(path + "-wal"), log.size > 32 else { return nil }
    let newPath = unusedPath(path, at: now.wall)
    try Files.copy(path + "-wal", to: newPath + "-wal")
    try giveFirstPage(path)
    let error = StoreError(
      .open, sqlite: SQLITE_CORRUPT, "it is empty or gone, and its log of \(log.size) octets is there")
    return SetAside(
      path: path, newPath: newPath, error: error, readable: "what the log has, of which this is a copy",
      kept: "what the log has")
  }

  /// Makes an empty file the beginning of a store.
  private static func giveFirstPage(_ path: String) throws(StoreError) {
    let other = path + ".page"
    remove(other)
    defer { remove(other) }
    let connection = try Connection(path: other, busyTimeout: .zero)
    // What is in the log is of the size that the log says.
    let pageSize = LogHeader.pageSize(of: path) ?? usualPageSize
    try prepare(connection, pageSize: pageSize)
    connection.close()
    try Files.copy(other, to: path, most: pageSize)
  }

  private static func unusedPath(_ path: String, at now: WallTime) -> String {
    // A colon in a name is a trouble to other programs, and a second is fine enough: what is there is not overwritten.
    let date = now.rfc3339.prefix { $0 != "." && $0 != "Z" }.filter { $0 != ":" && $0 != "-" }
    var newPath = "\(path).damaged-\(date)Z"
    var number = 1
    while ["", "-wal", "-shm"].contains(where: { access(newPath + $0, F_OK) == 0 }) {
      number += 1
      newPath = "\(path).damaged-\(date)Z-\(number)"
    }
    return newPath
  }

  /// The log goes first: a database without its log is an older state of itself, a log without its database is nothing
  /// that SQLite would take for another file's.
  ///
  /// - Returns: the database's new path.
  private static func move(_ path: String, to newPath: String) throws(StoreError) -> String {
    for ending in ["-wal", "-shm", ""] {
      guard rename(path + ending, newPath + ending) != 0 else { continue }
      // Which of them are there depends on how the last daemon ended, and on what has happened since.
      if errno == ENOENT { continue }
      throw StoreError(.open, errno: errno, "setting aside \(path + ending) as \(newPath + ending)")
    }
    try syncDirectory(of: path)
    return newPath
  }
}

/// What can be read of a damaged database.
private enum Readable {
  /// What a person has lost or not, and the table that it stands in.
  private static let tables = [
    ("workouts", "workout"), ("sessions", "session"), ("measurements", "sample"), ("events", "event"),
    ("straps", "strap"),
  ]

  static func description(of connection: Connection) -> String {
    // It lets SQLite read a file that is shorter than its header says (`lockBtree` in its btree.c). Where it fails, there
    // is nothing that the rest could read.
    do { try connection.execute("PRAGMA writable_schema = ON", for: .read, "opening a damaged database") } catch {
      return "nothing"
    }
    let found = tables.compactMap { name, table in
      // There may be no pieces, by the version of the file.
      let packed = table == "sample" ? count("sample_piece", in: connection) : nil
      let counts = [packed, count(table, in: connection)].compactMap { $0 }
      if counts.isEmpty { return nil as String? }
      return (counts.allSatisfy(\.isAll) ? "" : "the first ") + "\(counts.reduce(0) { $0 + $1.rows }) \(name)"
    }
    return found.isEmpty ? "nothing" : found.joined(separator: ", ")
  }

  /// The rows of a table that come before the first unreadable one; nil where there is no such table to be found.
  private static func count(_ table: String, in connection: Connection) -> (rows: Int, isAll: Bool)? {
    var rows = 0
    do {
      // NOT INDEXED: rows are to be read and not the index, which is smaller and may be whole.
      let columns = table == "sample_piece" ? "count, octets" : "*"
      let statement = try Statement(connection, "SELECT \(columns) FROM \(table) NOT INDEXED", for: .read)
      _ = try statement.rows([], "counting what is readable") { (row: inout Row) in
        rows += table == "sample_piece" ? row.countOfPiece() : 1
      }
      return (rows, true)
    } catch {
      return rows == 0 ? nil : (rows, false)
    }
  }
}

extension Row {
  /// The columns count and octets of a piece, read as far as its octets go.
  fileprivate mutating func countOfPiece() -> Int {
    let count = Int(truncatingIfNeeded: integer())
    _ = blob()
    return max(0, count)
  }
}
