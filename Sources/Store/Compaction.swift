import CSQLite
import Measurements
import Workout

/// Puts the samples of sessions that are over into pieces, a piece a step.
///
/// A piece takes the place of its rows in one transaction, so that whatever comes between leaves the one or the other; and
/// only when it has been read back, and is what the rows are. Ticks stay as their boot has counted them, so that a workout
/// of which it is not yet known how long the machine was off meanwhile can be packed like any other.
struct Compaction {
  private let transaction: Transactions
  private let selectNext: Statement
  private let selectEnded: Statement
  private let selectRows: Statement
  private let delete: Statement
  /// The sessions up to this one have been looked at since the last rest, and when the first of them is due that was not.
  private var passed: Int64 = 0
  private var due: Tick?
  /// Of these the samples stay as they are.
  private var refused: Set<Int64> = []

  /// When a session is over of which nothing says that the series after its end is. It takes 120 s at most.
  private static let longestSeries = Duration.seconds(300)

  private struct Session {
    var number: Int64
    var id: SessionID
    var isEnded: Bool
    /// nil where it ended without having begun.
    var end: Tick?
  }

  init(_ connection: Connection, _ transaction: Transactions) throws(StoreError) {
    self.transaction = transaction
    // One step down the tree, however many sessions there are that have no rows any more.
    selectNext = try Statement(
      connection,
      """
      SELECT number, id, state = 'ended', end_boot, end_tick FROM session
      WHERE number = (SELECT min(session) FROM sample WHERE session > ?)
      """)
    selectEnded = try Statement(
      connection,
      "SELECT 1 FROM event WHERE session = ? AND kind = 'postExerciseEnded' ORDER BY sequence DESC LIMIT 1")
    selectRows = try Statement(
      connection,
      """
      SELECT \(StoredSample.columns), heart_rate, contact, energy_kilojoules FROM sample
      WHERE session = ? ORDER BY sequence LIMIT \(SamplePiece.mostSamples)
      """)
    delete = try Statement(connection, "DELETE FROM sample WHERE session = ? AND sequence BETWEEN ? AND ?")
  }

  /// Packs the first samples of the first session that is over.
  mutating func step(_ pieces: SamplePieceTable, on axis: BootAxis, at now: Tick) throws(StoreError) -> CompactionStep {
    while let session = try next(on: axis) {
      if refused.contains(session.number) {
        passed = session.number
        continue
      }
      guard try isOver(session, at: now) else {
        if session.isEnded, let end = session.end {
          due = min(due ?? end + Self.longestSeries, end + Self.longestSeries)
        }
        passed = session.number
        continue
      }
      return try pack(session, pieces)
    }
    defer { (passed, due) = (0, nil) }
    return .rest(until: due)
  }

  private func next(on axis: BootAxis) throws(StoreError) -> Session? {
    try selectNext.rows([.integer(passed)], "looking for samples to compact") { (row: inout Row) throws(StoreError) in
      let (number, id, isEnded) = (row.integer(), try row.sessionID(), row.flag())
      return Session(number: number, id: id, isEnded: isEnded, end: row.isNull ? nil : try row.tick(on: axis))
    }.first
  }

  private func isOver(_ session: Session, at now: Tick) throws(StoreError) -> Bool {
    guard session.isEnded else { return false }
    guard let end = session.end, now - end < Self.longestSeries else { return true }
    return try !selectEnded.rows([.integer(session.number)], "looking for the end of a series", { _ in 0 }).isEmpty
  }

  private mutating func pack(_ session: Session, _ pieces: SamplePieceTable) throws(StoreError) -> CompactionStep {
    var packed: (samples: Int, octets: Int)?
    do {
      try transaction.run { () throws(StoreError) in
        let (samples, octets) = try Self.encode(try rows(of: session))
        guard let first = samples.first, let last = samples.last,
          try pieces.last(of: session.number) ?? .min < first.sequence
        else { throw Refusal.error("they lie among others that are packed already") }
        try pieces.write(octets, of: samples, session: session.number)
        let deleted = try delete.run(
          [.integer(session.number), .integer(first.sequence), .integer(last.sequence)],
          "deleting the rows of a piece")
        guard deleted == samples.count else { throw Refusal.error("\(deleted) rows are there of \(samples.count)") }
        packed = (samples.count, octets.count)
      }
    } catch  where error.code == Refusal.code {
      refused.insert(session.number)
      return .refused(session.id, error.text)
    }
    return .packed(session.id, samples: packed?.samples ?? 0, octets: packed?.octets ?? 0)
  }

  /// The first rows, as many as a piece takes.
  private func rows(of session: Session) throws(StoreError) -> [StoredSample] {
    let rows = try selectRows.rows([.integer(session.number)], "reading the samples of \(session.id)") {
      (row: inout Row) throws(StoreError) in
      let sample = row.storedSample()
      let (heartRate, contact, energy) = (row.integer(), row.text(), row.optionalInteger())
      guard sample.isFollowed(by: heartRate, contact, energy) else {
        throw Refusal.error("another program has changed sample \(sample.sequence)")
      }
      return sample
    }
    var octets = 0
    return Array(
      rows.prefix { sample in
        octets += sample.octetCount
        return octets <= SamplePiece.mostOctets
      })
  }

  private static func encode(
    _ rows: [StoredSample]
  ) throws(StoreError) -> (samples: [StoredSample], octets: [UInt8]) {
    do {
      let (samples, octets) = try SamplePiece.encodeFirst(of: rows)
      guard try SamplePiece.decode(octets) == samples else { throw SamplePieceError.contents("is not what was packed") }
      return (samples, octets)
    } catch {
      throw Refusal.error("\(error)")
    }
  }
}

/// Undoes a step because of what the samples are, and not because of the store.
private enum Refusal {
  static let code = SQLITE_ABORT

  static func error(_ why: String) -> StoreError {
    StoreError(operation: .commit, code: code, text: why)
  }
}

extension StoredSample {
  /// Whether the columns that are not kept are what the payload says.
  func isFollowed(by heartRate: Int64, _ contact: String, _ energy: Int64?) -> Bool {
    do {
      let measurement = try HeartRateMeasurement(payload)
      return Int64(measurement.heartRate) == heartRate && measurement.contact.rawValue == contact
        && measurement.energyKilojoules.map(Int64.init) == energy
    } catch {
      return false
    }
  }
}
