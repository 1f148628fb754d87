import Measurements
import Workout

// The tables as such: that all are there, and what one says of another.
extension Verification {
  /// Tables, indices, views and triggers are those of a store that is made now.
  mutating func checkSchema() throws(StoreError) {
    let made = try Connection(path: ":memory:", busyTimeout: .zero)
    defer { made.close() }
    try Schema.migrate(made, from: 0)
    let wanted = try Self.objects(of: made)
    let there = try Self.objects(of: connection)
    for (name, sql) in wanted.sorted(by: { $0.key < $1.key }) {
      guard let own = there[name] else {
        found("the \(name) is not there")
        continue
      }
      if own != sql { found("the \(name) is another one than strapd makes") }
    }
    for name in there.keys.sorted() where wanted[name] == nil { found("the \(name) is none of strapd's") }
  }

  /// What they were made with, without comments and spaces, by their kinds and names. SQLite's own are left out.
  private static func objects(of connection: Connection) throws(StoreError) -> [String: String] {
    let rows = try Statement(
      connection,
      "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'",
      for: .read
    ).rows([], "reading the schema") { (row: inout Row) in (name: row.text(), sql: row.text()) }
    var objects: [String: String] = [:]
    for (name, sql) in rows {
      let lines = sql.split(separator: "\n").map { line in
        line.indices.first { line[$0...].hasPrefix("--") }.map { line[..<$0] } ?? line
      }
      objects[name] = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }
    return objects
  }

  /// No number that is in use is given again.
  mutating func checkNumbers() throws(StoreError) {
    let numbers = try rows(
      """
      SELECT max(coalesce((SELECT max(sequence) FROM event), 0), coalesce((SELECT max(sequence) FROM sample), 0),
          coalesce((SELECT max(last_sequence) FROM sample_piece), 0), coalesce((SELECT max(number) FROM workout_edit), 0)),
        (SELECT value FROM meta WHERE key = 'reservedSequence')
      """, "reading which numbers are reserved"
    ) { (row: inout Row) in (used: row.integer(), reserved: row.optionalInteger()) }
    guard let (used, reserved) = numbers.first, used > reserved ?? 0 else { return }
    found("numbers up to \(used) are in use, and \(reserved.map { "only those up to \($0)" } ?? "none") are reserved")
  }

  /// Edits and the workouts as they were before them.
  mutating func checkEdits(_ readers: Readers) throws(StoreError) {
    let edits = try rows(
      """
      SELECT number, kind IN ('merge', 'split'), is_sealed, (SELECT count(*) FROM workout_before WHERE edit = number)
      FROM workout_edit ORDER BY number
      """, "reading the edits"
    ) { (row: inout Row) in (number: row.integer(), isOfTwo: row.flag(), isSealed: row.flag(), count: row.integer()) }
    for edit in edits {
      // Of one that is sealed, what was deleted for good is not there any more.
      let least: Int64 = edit.isOfTwo && !edit.isSealed ? 2 : 1
      if edit.count < least { found("edit \(edit.number): of what it has changed, not all is there as it was before") }
    }
    for (table, key) in [("workout_part_before", "session"), ("workout_slice_before", "workout")] {
      let lost = try connection.answer(
        to: """
          SELECT count(*) FROM \(table) AS part WHERE NOT EXISTS (
            SELECT 1 FROM workout_before AS whole
            WHERE whole.edit = part.edit AND whole.session = part.\(key) AND existed = 1)
          """, for: .read)
      if lost != "0" { found("\(lost) rows of table \(table) are of no workout as it was before an edit") }
    }
    for error in try readers.unreadableBefore(connection) { found(error.text) }
  }
}
