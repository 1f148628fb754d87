import CSQLite
import Measurements
import Workout

/// What of a damaged database goes on in a new one: straps, boots, and the sessions that live or have only just ended.
/// Older workouts stay where they are.
struct Salvage {
  private(set) var sessions = 0
  /// Of how many of them rows are missing.
  private(set) var incomplete = 0
  private(set) var straps = 0

  /// How long ago a session may have ended whose series after the exercise is still being written.
  private static let justEnded = Duration.seconds(300)
  /// Rows that are given up together where one of them cannot be read.
  private static let range: Int64 = 4096
  private let new: Connection
  /// Not where it is of an earlier version, and too damaged to be migrated.
  private var hasPieces = false
  /// A connection of its own: a transaction in which one has met damage writes nothing any more.
  private let old: Connection

  /// For the journal.
  var words: String {
    var parts: [String] = []
    if sessions > 0 {
      parts.append("\(sessions) live session\(sessions == 1 ? "" : "s")" + (incomplete > 0 ? ", not whole" : ""))
    }
    if straps > 0 { parts.append("\(straps) strap\(straps == 1 ? "" : "s")") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  /// Copies what can be read of the file at a path into a new database.
  ///
  /// - Parameter keepsIncomplete: whether a session of which rows are missing is taken as well: where its workout goes on
  ///   in memory, and not where it would have to be counted from them.
  /// - Throws: where nothing can be written.
  init(of path: String, into new: Connection, keepsIncomplete: Bool, at now: Moment) throws(StoreError) {
    self.new = new
    old = try Connection(path: path, busyTimeout: .zero)
    defer { old.closeLeavingLog() }
    // The log of the damaged one stays as it is as well, for whoever can make more of it.
    new.keepLog(true)
    defer { new.keepLog(false) }
    guard reads("SELECT count(*) FROM sqlite_schema") else { return }
    hasPieces = reads("SELECT 1 FROM sample_piece LIMIT 0")
    try Statement(new, "ATTACH ? AS damaged").run([.text(path)], for: .open, "opening the damaged store \(path)")
    do {
      try new.execute("BEGIN", for: .open, "beginning to copy from the damaged store")
      try copy(keepsIncomplete: keepsIncomplete, now)
      try new.execute("COMMIT", for: .open, "copying from the damaged store")
    } catch {
      if new.isInTransaction { try new.execute("ROLLBACK", for: .open, "undoing a copy after: \(error)") }
      throw error
    }
    try new.execute("DETACH damaged", for: .open, "closing the damaged store")
  }

  private mutating func copy(keepsIncomplete: Bool, _ now: Moment) throws(StoreError) {
    for table in ["meta", "boot", "clock_step", "strap"] { _ = try copy(table, "1") }
    straps = try number("SELECT count(*) FROM main.strap")
    // Other rows refer to all of the boots.
    guard reads("SELECT * FROM boot") else { return }
    let last = try number("SELECT coalesce(max(number), 0) FROM main.boot")
    let through = Int64(try number("SELECT coalesce(max(value), 0) FROM main.meta WHERE key = 'reservedSequence'"))
    for session in live(since: now.tick - Self.justEnded, inBoot: last) {
      try new.execute("SAVEPOINT one", for: .open, "copying a session")
      if let isWhole = try copySession(session, through: through), isWhole || keepsIncomplete {
        sessions += 1
        if !isWhole { incomplete += 1 }
      } else {
        try new.execute("ROLLBACK TO one", for: .open, "undoing the copy of a session")
      }
      try new.execute("RELEASE one", for: .open, "copying a session")
    }
  }

  /// The sessions to copy, those that can be read.
  private func live(since tick: Tick, inBoot boot: Int) -> [Int64] {
    var found: [Int64] = []
    do {
      let select = try Statement(
        old, "SELECT number FROM session WHERE state <> 'ended' OR end_boot = ? AND end_tick >= ?", for: .read)
      _ = try select.rows([.integer(Int64(boot)), .integer(tick.nanoseconds)], "looking for live sessions") {
        (row: inout Row) in found.append(row.integer())
      }
    } catch {}  // what has come before it
    return found
  }

  /// - Returns: whether all could be read that its workout is counted from; nil where there is not even the session's own
  ///   row.
  private func copySession(_ session: Int64, through: Int64) throws(StoreError) -> Bool? {
    guard try copy("session", "number = \(session)") else { return nil }
    for table in ["client_data", "workout", "workout_part"] { _ = try copy(table, "session = \(session)") }
    var isWhole = try copy("anchor", "session = \(session)")
    if hasPieces { isWhole = try copy("sample_piece", "session = \(session)") && isWhole }
    for first in stride(from: 0, through: through, by: Int64.Stride(Self.range)) {
      let these = "session = \(session) AND sequence BETWEEN \(first) AND \(first + Self.range - 1)"
      isWhole = try copy("event", these, "NOT INDEXED") && isWhole
      isWhole = try copy("sample", these) && isWhole
    }
    return isWhole
  }

  /// - Returns: whether all rows could be read; else none is copied.
  private func copy(_ table: String, _ condition: String, _ how: String = "") throws(StoreError) -> Bool {
    guard reads("SELECT * FROM main.\(table) \(how) WHERE \(condition)") else { return false }
    try new.execute(
      "INSERT OR IGNORE INTO main.\(table) SELECT * FROM damaged.\(table) \(how) WHERE \(condition)", for: .open,
      "copying from the damaged store")
    return true
  }

  /// Whether all that a statement selects can be read.
  private func reads(_ select: String) -> Bool {
    do {
      let statement = try Statement(old, select, for: .read)
      _ = try statement.rows([], "reading a damaged store") { (row: inout Row) in row.readAll() }
      return true
    } catch {
      return false
    }
  }

  private func number(_ sql: String) throws(StoreError) -> Int {
    Int(try new.answer(to: sql, for: .open)) ?? 0
  }
}
