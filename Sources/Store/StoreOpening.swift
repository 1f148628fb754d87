import CSQLite
import Glibc
import Workout

// Opening a file.
extension Store {
  /// A commit of one measurement writes a page, and 4096 octets a second cost a card half as much again (README has the
  /// measurements). A file keeps the size that it was made with.
  static let usualPageSize = 1024

  /// - Parameter pageSize: of a file that is new.
  static func prepare(_ connection: Connection, pageSize: Int = usualPageSize) throws(StoreError) {
    let version = try Schema.version(of: connection)
    if version == 0 { try connection.execute("PRAGMA page_size = \(pageSize)", for: .open, "setting up") }
    let mode = try connection.answer(to: "PRAGMA journal_mode = WAL", for: .open)
    guard mode == "wal" else {
      throw StoreError(
        operation: .open, code: SQLITE_OK,
        text: "\(connection.path) is where no write-ahead log is possible (journal mode '\(mode)'), a network perhaps")
    }
    // cache_size: KiB, where the default is 2 MB. wal_autocheckpoint: an automatic one would sync on the loop.
    // secure_delete: what is deleted is overwritten, whatever SQLite was built with.
    try connection.execute(
      """
      PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -256; PRAGMA mmap_size = 0;
      PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON;
      """, for: .open, "setting up")
    connection.countLogFrames()
    try Schema.migrate(connection, from: version)
  }

  /// Reads once through what a start and the end of a workout depend on: the small tables, and all rows of the sessions
  /// that go on. Damage there is found now, while the file can still be set aside, and not in mid-workout. What else there
  /// is, ten years of it perhaps, is not read for a start.
  ///
  /// A text that no row may have is no damage to the file: who reads that row leaves it out, and the others are sound.
  static func readWhatIsNeeded(_ connection: Connection) throws(StoreError) {
    try connection.execute("PRAGMA ignore_check_constraints = ON", for: .open, "setting up")
    for table in ["meta", "boot", "clock_step", "session", "anchor", "client_data", "strap", "workout", "workout_part"]
    {
      // One table of a sound file takes no longer than reading it (SQLite 3.33 and later).
      let found = try connection.answer(to: "PRAGMA integrity_check('\(table)')", for: .open)
      guard found == "ok" else {
        throw StoreError(.open, sqlite: SQLITE_CORRUPT, "checking the table \(table), \(connection.path): \(found)")
      }
    }
    try connection.execute("PRAGMA ignore_check_constraints = OFF", for: .open, "setting up")
    let contents = [
      ("event", "length(kind) + length(detail)"), ("sample", "length(payload) + length(rr)"),
      ("sample_piece", "length(octets)"),
    ]
    for (table, value) in contents {
      let live = "SELECT number FROM session WHERE state <> 'ended'"
      _ = try connection.answer(
        to: "SELECT count(*), max(\(value)) FROM \(table) WHERE session IN (\(live))", for: .open)
    }
  }

  static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// A new file is lost with a power cut as long as its name is not on the disk.
  static func syncDirectory(of path: String) throws(StoreError) {
    let directory = directory(of: path)
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.open, errno: errno, "opening the directory \(directory)") }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError(.open, errno: errno, "syncing the directory \(directory)") }
  }
}
