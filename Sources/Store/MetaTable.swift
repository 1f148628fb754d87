import Workout

/// Table `meta`: what there is one of.
struct MetaTable {
  private let raise: Statement
  private let select: Statement

  private static let reserved = "reservedSequence"

  init(_ connection: Connection) throws(StoreError) {
    raise = try Statement(
      connection,
      """
      INSERT INTO meta (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)
      """)
    select = try Statement(connection, "SELECT value FROM meta WHERE key = ?")
  }

  /// Sequence numbers up to this one may be in use without a row that shows it.
  func reserveSequence(through sequence: Int64) throws(StoreError) {
    try raise.run([.text(Self.reserved), .integer(sequence)], "reserving sequence numbers through \(sequence)")
  }

  func reservedSequence() throws(StoreError) -> Int64 {
    try select.rows([.text(Self.reserved)], "reading the reserved sequence numbers") { (row: inout Row) in
      row.integer()
    }.first ?? 0
  }
}
