import CSQLite
import Measurements
import Workout

/// A look through a whole store, beside a daemon or without one: nothing in it is changed, and no lock keeps anybody out.
public struct Verification {
  /// What there is.
  public struct Summary: Hashable, Sendable, CustomStringConvertible {
    public var workouts = 0
    public var sessions = 0
    public var samples = 0
    public var pieces = 0
    public var events = 0
    /// Also those behind `mostFindings`, which are not told.
    public var findings = 0

    public var description: String {
      let all = "\(workouts) workouts, \(sessions) sessions, \(samples) samples (\(pieces) pieces), \(events) events: "
      switch findings {
      case 0: return all + "nothing is wrong"
      case 1: return all + "1 thing is wrong"
      case ...Verification.mostFindings: return all + "\(findings) things are wrong"
      default: return all + "\(findings) things are wrong, of which the first \(Verification.mostFindings) are told"
      }
    }
  }

  /// How many are told.
  public static let mostFindings = 1000

  let connection: Connection
  private let tell: (String) -> Void
  private var summary = Summary()

  /// Checks a store: what SQLite says of its file, and what strapd knows of its contents. A possible value against which
  /// nothing else in the store stands (a title, an average, a clock's date) is taken as it is.
  ///
  /// - Parameter tell: gets each finding, a line in words.
  /// - Throws: what keeps it from being checked: no file, one of another program or version, no access.
  public static func run(path: String, tell: @escaping (String) -> Void) throws(StoreError) -> Summary {
    var verification = Verification(connection: try Connection(reading: path, busyTimeout: .seconds(10)), tell: tell)
    defer { verification.connection.closeLeavingLog() }
    if try verification.isOurs() { try verification.check() }
    return verification.summary
  }

  private init(connection: Connection, tell: @escaping (String) -> Void) {
    (self.connection, self.tell) = (connection, tell)
  }

  mutating func found(_ text: String) {
    summary.findings += 1
    if summary.findings <= Self.mostFindings { tell(text) }
  }

  /// What cannot be read is a finding, and no reason to leave the rest unread; all else is one.
  ///
  /// - Parameter what: what is being read, in words.
  mutating func noting(
    _ what: String? = nil, _ body: (inout Verification) throws(StoreError) -> Void
  ) throws(StoreError) {
    do {
      try body(&self)
    } catch  where error.kind == .damaged || error.code == SQLITE_CORRUPT || error.code == SQLITE_MISMATCH {
      found((what.map { "\($0): " } ?? "") + error.text)
    }
  }

  /// - Returns: false where it is no database at all, which is a finding.
  private mutating func isOurs() throws(StoreError) -> Bool {
    var version: Int?
    try noting { this throws(StoreError) in version = try Schema.version(of: this.connection) }
    guard let version else { return false }
    guard version == Schema.migrations.count else {
      throw StoreError(
        operation: .open, code: SQLITE_OK,
        text: "\(connection.path) is of version \(version), and is checked when strapd has brought it to version "
          + "\(Schema.migrations.count): start it once")
    }
    return true
  }

  private mutating func check() throws(StoreError) {
    try noting { this throws(StoreError) in try this.checkFile() }
    try noting { this throws(StoreError) in try this.checkSchema() }
    try noting { this throws(StoreError) in try this.checkReferences() }
    var readers: Readers?
    try noting { this throws(StoreError) in
      let all = try Readers(this.connection)
      readers = all
      try this.checkPeople(all)
      try this.checkNumbers()
      try this.checkEdits(all)
    }
    var sessions: [(number: Int64, id: String)] = []
    try noting { this throws(StoreError) in
      sessions = try this.rows("SELECT number, id FROM session ORDER BY number", "reading the sessions") {
        (row: inout Row) in
        (row.integer(), row.text())
      }
      this.summary.workouts = Int(try this.connection.answer(to: "SELECT count(*) FROM workout", for: .read)) ?? 0
      this.summary.events = Int(try this.connection.answer(to: "SELECT count(*) FROM event", for: .read)) ?? 0
    }
    summary.sessions = sessions.count
    for session in sessions {
      // One transaction a session: what the daemon writes or compacts meanwhile is seen whole or not at all, and its log is
      // not held up for longer.
      try connection.execute("BEGIN", for: .read, "reading session \(session.id)")
      try noting { this throws(StoreError) in try this.checkSession(session.number, session.id) }
      if let readers { try check(session.number, session.id, readers) }
      // A page that is none any more may have ended it already, and nothing was written.
      if connection.isInTransaction { try connection.execute("ROLLBACK", for: .read, "reading session \(session.id)") }
    }
  }

  func rows<Value>(
    _ sql: String, with values: [SQLValue] = [], _ doing: String, _ read: (inout Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    try Statement(connection, sql, for: .read).rows(values, doing, read)
  }

  /// What SQLite finds: pages, indices, constraints.
  private mutating func checkFile() throws(StoreError) {
    let answers = try rows("PRAGMA integrity_check(\(Self.mostFindings))", "checking the file") { (row: inout Row) in
      row.text()
    }
    for answer in answers where answer != "ok" { found("the file \(connection.path): \(answer)") }
  }

  private mutating func checkReferences() throws(StoreError) {
    let broken = try rows("PRAGMA foreign_key_check", "checking references") { (row: inout Row) in
      let table = row.text()
      row.skip(1)
      return (table, row.text())
    }
    var counts: [String: Int] = [:]
    for (table, parent) in broken { counts["of table \(table) refer to rows of \(parent)", default: 0] += 1 }
    for (first, second, session) in try shared() {
      found("workouts \(first) and \(second) are made of the same samples of session \(session)")
    }
    // They have no FOREIGN KEY, since they outlive the rows of which they are copies.
    for (table, key) in [
      ("workout_before", "session"), ("workout_part_before", "session"), ("workout_slice_before", "workout"),
    ] {
      let lost = try connection.answer(
        to: "SELECT count(*) FROM \(table) WHERE \(key) NOT IN (SELECT number FROM session)", for: .read)
      if let lost = Int(lost), lost > 0 { counts["of table \(table) refer to rows of session"] = lost }
    }
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) { found("\(count) rows \(what) that are not there") }
  }
}

extension Verification {
  /// Pairs of workouts of which both have a stretch of one recording; a workout without slices has all of its own. By the
  /// ticks of boots: dates may be by several clocks.
  private func shared() throws(StoreError) -> [(String, String, String)] {
    try rows(
      """
      WITH part AS (
        SELECT workout, session, start_boot, start_tick, end_boot, end_tick FROM workout_slice
        UNION ALL SELECT number, number, start_boot, start_tick, end_boot, end_tick FROM session
        WHERE EXISTS (SELECT 1 FROM workout WHERE workout.session = number)
          AND NOT EXISTS (SELECT 1 FROM workout_slice WHERE workout = number)
      )
      SELECT DISTINCT a.id, b.id, recording.id FROM workout_slice
      JOIN part ON part.session = workout_slice.session AND part.workout <> workout_slice.workout
        AND (part.workout < workout_slice.workout
          OR NOT EXISTS (SELECT 1 FROM workout_slice AS own WHERE own.workout = part.workout))
      JOIN session AS a ON a.number = part.workout JOIN session AS b ON b.number = workout_slice.workout
      JOIN session AS recording ON recording.number = part.session
      WHERE (part.start_boot, part.start_tick) < (workout_slice.end_boot, workout_slice.end_tick)
        AND (workout_slice.start_boot, workout_slice.start_tick) < (part.end_boot, part.end_tick)
      """, "comparing what workouts are made of"
    ) { (row: inout Row) in (row.text(), row.text(), row.text()) }
  }
}

// MARK: - What strapd knows

extension Verification {
  /// A session's samples, in pieces and rows, against each other and against its workout.
  private mutating func checkSession(_ number: Int64, _ id: String) throws(StoreError) {
    var order = SampleOrder()
    var isWhole = true
    let pieces = try rows(
      """
      SELECT first_sequence, last_sequence, count, last_boot, last_tick, octets FROM sample_piece WHERE session = ?
      ORDER BY first_sequence
      """, with: [.integer(number)], "reading the pieces of session \(id)"
    ) { (row: inout Row) in
      let (first, last) = (row.integer(), row.integer())
      return (first: first, last: last, count: row.integer(), end: row.bootTick(), octets: row.blob())
    }
    for piece in pieces {
      let name = "session \(id), samples \(piece.first) to \(piece.last)"
      do {
        let samples = try SamplePiece.decode(piece.octets)
        if samples.first?.sequence != piece.first || samples.last?.sequence != piece.last
          || samples.count != piece.count || samples.last?.boot != piece.end.boot
          || samples.last?.tick != piece.end.tick.nanoseconds
        {
          found("\(name): the piece has others than it says")
        }
        check(samples, id, &order)
      } catch {
        isWhole = false
        found("\(name): \(error)")
      }
    }
    summary.pieces += pieces.count
    // Some at a time: a day of a strap is a hundred thousand.
    var last = Int64.min
    while true {
      let (samples, columns) = try rowsOfSamples(number, id, after: last)
      guard let newest = samples.last else { break }
      last = newest.sequence
      check(samples, id, &order)
      for (sample, columns) in zip(samples, columns)
      where !sample.isFollowed(by: columns.rate, columns.contact, columns.energy) {
        found("session \(id), sample \(sample.sequence): its columns are not what its octets say")
      }
    }
    summary.samples += order.count
    if isWhole { try checkWorkout(number, id, order) }
  }

  private typealias Columns = (rate: Int64, contact: String, energy: Int64?)

  private func rowsOfSamples(
    _ number: Int64, _ id: String, after sequence: Int64
  ) throws(StoreError) -> (samples: [StoredSample], columns: [Columns]) {
    let found = try rows(
      """
      SELECT \(StoredSample.columns), heart_rate, contact, energy_kilojoules FROM sample
      WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT 10000
      """, with: [.integer(number), .integer(sequence)], "reading the samples of session \(id)"
    ) { (row: inout Row) in
      let sample = row.storedSample()
      let columns: Columns = (row.integer(), row.text(), row.optionalInteger())
      return (sample, columns)
    }
    return (found.map(\.0), found.map(\.1))
  }

  private mutating func check(_ samples: [StoredSample], _ id: String, _ order: inout SampleOrder) {
    for sample in samples {
      if let wrong = order.take(sample) { found("session \(id), sample \(sample.sequence): \(wrong)") }
    }
  }

  /// A workout counts some of the session's samples, and none that is not there. One that people have split or merged may
  /// be of other sessions.
  private mutating func checkWorkout(_ number: Int64, _ id: String, _ order: SampleOrder) throws(StoreError) {
    let counts = try rows(
      """
      SELECT heart_rate_count, rr_count, heart_rate_minimum, heart_rate_maximum FROM workout
      WHERE session = ?1 AND NOT EXISTS (SELECT 1 FROM workout_slice WHERE workout = ?1)
      """,
      with: [.integer(number)], "reading workout \(id)"
    ) { (row: inout Row) in (row.optionalInteger() ?? 0, row.integer(), row.optionalInteger(), row.optionalInteger()) }
    guard let (rates, intervals, minimum, maximum) = counts.first else { return }
    if rates > order.rates {
      found("workout \(id): it counts \(rates) heart rates, and \(order.rates) are there")
    }
    if intervals > order.intervals {
      found("workout \(id): it counts \(intervals) RR intervals, and \(order.intervals) are there")
    }
    let all = order.lowest...max(order.lowest, order.highest)
    if let minimum, let maximum, order.rates > 0, !all.contains(minimum) || !all.contains(maximum) {
      found("workout \(id): its lowest and highest heart rate are not among its samples")
    }
  }
}

/// How the samples of a session follow each other, and what they come to.
private struct SampleOrder {
  private(set) var count = 0
  /// Those with a heart rate, and the intervals of all.
  private(set) var rates: Int64 = 0
  private(set) var intervals: Int64 = 0
  private(set) var lowest = Int64.max
  private(set) var highest: Int64 = 0
  private var last: (sequence: Int64, boot: Int64, tick: Int64)?

  /// - Returns: what is wrong with the next one.
  mutating func take(_ sample: StoredSample) -> String? {
    count += 1
    intervals += Int64((sample.intervals?.count ?? 0) / 2)
    let before = last
    last = (sample.sequence, sample.boot, sample.tick)
    do {
      let rate = Int64(try HeartRateMeasurement(sample.payload).heartRate)
      if rate > 0 { (rates, lowest, highest) = (rates + 1, min(lowest, rate), max(highest, rate)) }
    } catch {
      return "its octets are no measurement (\(error))"
    }
    guard let before else { return nil }
    if sample.sequence <= before.sequence { return "it comes behind sample \(before.sequence)" }
    if sample.boot < before.boot || sample.boot == before.boot && sample.tick < before.tick {
      return "it was received before sample \(before.sequence)"
    }
    return nil
  }
}
