import CSQLite
import Measurements
import Workout

/// Table `sample_piece`: samples of sessions that are over, in pieces that follow each other and do not overlap.
struct SamplePieceTable {
  private let connection: Connection
  private let insert: Statement
  private let selectAfter: Statement
  private let selectBefore: Statement
  private let selectLast: Statement
  private let selectNewest: Statement
  private let selectEnds: Statement
  /// The last one that was read: whoever reads in steps comes to it again.
  private let unpacked = UnpackedPiece()

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    insert = try Statement(
      connection,
      """
      INSERT INTO sample_piece (session, first_sequence, last_sequence, count, last_boot, last_tick, octets)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    let select = """
      SELECT first_sequence, last_sequence, count, octets FROM sample_piece
      WHERE session = (SELECT number FROM session WHERE id = ?1)
      """
    // The last piece that begins before the wanted samples may have the first of them.
    selectAfter = try Statement(
      connection,
      """
      \(select) AND last_sequence > ?2 AND first_sequence >= coalesce((
        SELECT max(first_sequence) FROM sample_piece
        WHERE session = (SELECT number FROM session WHERE id = ?1) AND first_sequence <= ?2), ?2)
      ORDER BY first_sequence LIMIT 1
      """)
    selectBefore = try Statement(
      connection, "\(select) AND first_sequence < ?2 ORDER BY first_sequence DESC LIMIT 1")
    selectLast = try Statement(
      connection, "SELECT last_sequence FROM sample_piece WHERE session = ? ORDER BY first_sequence DESC LIMIT 1")
    selectEnds = try Statement(
      connection,
      """
      SELECT last_sequence, last_boot, last_tick FROM sample_piece
      WHERE session = (SELECT number FROM session WHERE id = ?) ORDER BY first_sequence
      """)
    selectNewest = try Statement(
      connection,
      """
      SELECT last_sequence, last_boot, last_tick FROM sample_piece
      WHERE session NOT IN (SELECT session FROM imported) ORDER BY last_sequence DESC LIMIT 1
      """)
  }

  /// Writes samples of a session, given by its number, as a piece. To be run within a transaction.
  func write(_ octets: [UInt8], of samples: [StoredSample], session: Int64) throws(StoreError) {
    guard let first = samples.first, let last = samples.last else { return }
    try insert.run(
      [
        .integer(session), .integer(first.sequence), .integer(last.sequence), .integer(Int64(samples.count)),
        .integer(last.boot), .integer(last.tick), .blob(octets),
      ], "writing a piece of \(samples.count) samples")
  }

  /// At least `limit` samples behind a sequence number, or all that there are, in their order.
  func samples(of session: SessionID, after sequence: Int64, limit: Int) throws(StoreError) -> [StoredSample] {
    var found: [StoredSample] = []
    while found.count < limit, let piece = try piece(selectAfter, session, found.last?.sequence ?? sequence) {
      found += piece.drop { $0.sequence <= sequence }
    }
    return found
  }

  /// At least `limit` samples before a sequence number, or all that there are, the last one first.
  func samples(of session: SessionID, before sequence: Int64, limit: Int) throws(StoreError) -> [StoredSample] {
    var found: [StoredSample] = []
    while found.count < limit, let piece = try piece(selectBefore, session, found.last?.sequence ?? sequence) {
      found += piece.reversed().drop { $0.sequence >= sequence }
    }
    return found
  }

  /// The last sequence number of the pieces that end before a tick; 0 where none does. None of them is unpacked.
  func sequence(of session: SessionID, before tick: Tick, on axis: BootAxis) throws(StoreError) -> Int64 {
    let ends = try selectEnds.rows([.text(session.description)], "looking for a moment of \(session)") {
      (row: inout Row) throws(StoreError) in
      let sequence = row.integer()
      return (sequence: sequence, tick: try row.tick(on: axis))
    }
    return ends.prefix { $0.tick < tick }.last?.sequence ?? 0
  }

  /// The last sequence number that is in pieces of a session, given by its number.
  func last(of session: Int64) throws(StoreError) -> Int64? {
    try selectLast.rows([.integer(session)], "reading the last piece") { (row: inout Row) in row.integer() }.first
  }

  func newest() throws(StoreError) -> NewestRow? {
    try selectNewest.rows([], "reading the newest piece") { (row: inout Row) in
      let sequence = row.integer()
      return NewestRow(sequence: sequence, at: row.bootTick())
    }.first
  }

  private func piece(
    _ statement: Statement, _ session: SessionID, _ sequence: Int64
  ) throws(StoreError) -> [StoredSample]? {
    try statement.rows([.text(session.description), .integer(sequence)], "reading the samples of \(session)") {
      (row: inout Row) throws(StoreError) in
      let (first, last) = (row.integer(), row.integer())
      let count = row.integer()
      do {
        let samples = try unpacked.samples(of: row.blob())
        guard samples.first?.sequence == first, samples.last?.sequence == last, samples.count == count else {
          throw SamplePieceError.contents("is another one")
        }
        return samples
      } catch {
        // The rest of the file is as good as it was: it is not to be set aside for this.
        throw StoreError(
          operation: .read, code: SQLITE_CORRUPT,
          text: "reading the samples \(first) to \(last) of \(session), \(connection.path): \(error)")
      }
    }.first
  }
}

/// A piece as it was unpacked last.
private final class UnpackedPiece {
  private var octets: [UInt8] = []
  private var samples: [StoredSample] = []

  func samples(of octets: [UInt8]) throws(SamplePieceError) -> [StoredSample] {
    if octets.isEmpty || octets != self.octets {
      samples = try SamplePiece.decode(octets)
      self.octets = octets
    }
    return samples
  }
}
