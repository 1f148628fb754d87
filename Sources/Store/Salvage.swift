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
  /// How many numbers are read at once; and how many are given up together where one of them cannot be read.
  private static let range: Int64 = 4096
  private static let smallestRange: Int64 = 16
  /// So many ranges that cannot be read are enough.
  private static let mostFailures = 2_000
  /// The daemon reserves numbers by the million, half of it ahead.
  private static let mostReserved = 2_000_000
  private let new: Connection
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
  /// - Parameter keepsUncountable: whether a session of which events are missing is taken as well: where its workout goes
  ///   on in memory, and not where it would have to be counted from them.
  /// - Throws: where nothing can be written.
  init(of path: String, into new: Connection, keepsUncountable: Bool, at now: Moment) throws(StoreError) {
    self.new = new
    old = try Connection(path: path, busyTimeout: .zero)
    defer { old.closeLeavingLog() }
    // The log of the damaged one stays as it is as well, for whoever can make more of it.
    new.keepLog(true)
    defer { new.keepLog(false) }
    // It lets SQLite go on where pages of the schema, or the end of the file, are not what they should be.
    for connection in [old, new] {
      try connection.execute("PRAGMA writable_schema = ON", for: .open, "opening a damaged database")
    }
    defer { do { try new.execute("PRAGMA writable_schema = OFF", for: .open, "setting up") } catch {} }
    guard reads("SELECT count(*) FROM sqlite_schema") else { return }
    try Statement(new, "ATTACH ? AS damaged").run([.text(path)], for: .open, "opening the damaged store \(path)")
    do {
      try new.execute("BEGIN", for: .open, "beginning to copy from the damaged store")
      try copy(keepsUncountable: keepsUncountable, now)
      try new.execute("COMMIT", for: .open, "copying from the damaged store")
    } catch {
      if new.isInTransaction { try new.execute("ROLLBACK", for: .open, "undoing a copy after: \(error)") }
      throw error
    }
    try new.execute("DETACH damaged", for: .open, "closing the damaged store")
  }

  private mutating func copy(keepsUncountable: Bool, _ now: Moment) throws(StoreError) {
    for table in ["boot", "clock_step", "strap"] { _ = try copy(table, "1") }
    straps = try number("SELECT count(*) FROM main.strap")
    // Other rows refer to all of the boots.
    if reads("SELECT * FROM boot") {
      let last = try number("SELECT coalesce(max(number), 0) FROM main.boot")
      for session in live(since: now.tick - Self.justEnded, inBoot: last) {
        try new.execute("SAVEPOINT one", for: .open, "copying a session")
        switch try copySession(session) {
        case .whole: sessions += 1
        case .cut: (sessions, incomplete) = (sessions + 1, incomplete + 1)
        case .uncountable where keepsUncountable: (sessions, incomplete) = (sessions + 1, incomplete + 1)
        case .uncountable, .unreadable:
          try new.execute("ROLLBACK TO one", for: .open, "undoing the copy of a session")
        }
        try new.execute("RELEASE one", for: .open, "copying a session")
      }
    }
    if try !copy("meta", "1") { try reserveNumbers() }
  }

  /// Which numbers were in use cannot be read: all that may have been are passed over.
  private func reserveNumbers() throws(StoreError) {
    let highest = max(
      try number("SELECT coalesce(max(sequence), 0) FROM main.event"),
      try number("SELECT coalesce(max(sequence), 0) FROM main.sample"))
    try new.execute(
      "INSERT OR REPLACE INTO main.meta (key, value) VALUES ('reservedSequence', \(highest + Self.mostReserved))",
      for: .open, "passing over numbers")
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

  private enum Copied {
    case whole
    /// Samples are missing.
    case cut
    /// Events are missing, without which nothing can be counted.
    case uncountable
    /// Not even its own row is there.
    case unreadable
  }

  private func copySession(_ session: Int64) throws(StoreError) -> Copied {
    guard try copy("session", "number = \(session)") else { return .unreadable }
    for table in ["client_data", "anchor", "imported", "workout", "workout_part", "sample_piece"] {
      _ = try copy(table, "session = \(session)")
    }
    let hasEvents = try copyRanges("event", session, "NOT INDEXED")
    let hasSamples = try copyRanges("sample", session, "")
    return !hasEvents ? .uncountable : hasSamples ? .whole : .cut
  }

  /// Copies a session's rows of a table, which has them by their numbers, range by range.
  ///
  /// - Returns: whether all of them could be read.
  private func copyRanges(_ table: String, _ session: Int64, _ how: String) throws(StoreError) -> Bool {
    func end(_ table: String, _ order: String) -> Int64?? {
      let how = table == "event" ? "NOT INDEXED" : ""
      return number(
        of: "SELECT sequence FROM \(table) \(how) WHERE session = \(session) ORDER BY sequence \(order) LIMIT 1")
    }
    // An end that cannot be read is looked for where the events and the reserved numbers have theirs.
    let ends = (first: end(table, "ASC"), last: end(table, "DESC"))
    if case (.some(nil), .some(nil)) = ends { return true }
    let reserved = number(of: "SELECT max(value) FROM meta WHERE key = 'reservedSequence'") ?? nil
    guard let first = (ends.first ?? end("event", "ASC")) ?? nil, let last = (ends.last ?? nil) ?? reserved else {
      return false
    }
    var (next, failures) = (first, 0)
    while next <= last, failures < Self.mostFailures {
      let end = min(next + Self.range - 1, last)
      let failed = try copyRange(table, session, how, next, end)
      failures += failed
      // Each start of the daemon leaves a million numbers out.
      let behind =
        "SELECT sequence FROM \(table) \(how) WHERE session = \(session) AND sequence > \(end) ORDER BY sequence LIMIT 1"
      let further: Int64?? = failed == 0 ? number(of: behind) : nil
      next = if let further { further ?? .max } else { end + 1 }
    }
    return ends.first != nil && ends.last != nil && failures == 0
  }

  /// Where it cannot be read as one, its halves are tried, and theirs.
  ///
  /// - Returns: how many small ranges were given up.
  private func copyRange(
    _ table: String, _ session: Int64, _ how: String, _ first: Int64, _ last: Int64
  ) throws(StoreError) -> Int {
    if try copy(table, "session = \(session) AND sequence BETWEEN \(first) AND \(last)", how) { return 0 }
    guard last - first >= Self.smallestRange else { return 1 }
    let middle = first + (last - first) / 2
    return try copyRange(table, session, how, first, middle) + copyRange(table, session, how, middle + 1, last)
  }

  /// A number in the damaged one; nil where it cannot be read, and nil within that where there is none.
  private func number(of select: String) -> Int64?? {
    do {
      let rows = try Statement(old, select, for: .read).rows([], "looking for rows") { (row: inout Row) in
        row.optionalInteger()
      }
      return .some(rows.first ?? nil)
    } catch {
      return nil
    }
  }

  /// - Returns: whether all rows could be read; else none is copied.
  private func copy(_ table: String, _ condition: String, _ how: String = "") throws(StoreError) -> Bool {
    // By their names: the damaged one may lack one.
    let columns = try new.answer(
      to: "SELECT group_concat(name, ', ') FROM pragma_table_info('\(table)', 'main')", for: .open)
    guard reads("SELECT \(columns) FROM main.\(table) \(how) WHERE \(condition)") else { return false }
    do {
      try new.execute(
        """
        INSERT OR IGNORE INTO main.\(table) (\(columns))
        SELECT \(columns) FROM damaged.\(table) \(how) WHERE \(condition)
        """, for: .open, "copying from the damaged store")
      return true
    } catch  where error.code & 0xFF == SQLITE_CONSTRAINT {
      // It can be read, and is not what was written: it refers to what there is not, or says what no row may.
      return false
    }
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
