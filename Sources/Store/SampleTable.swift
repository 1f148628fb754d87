import CSQLite
import Measurements
import Workout

/// Table `sample`: every received measurement. It is clustered by session and sequence, so that a new one changes one page.
///
/// When a session is over its samples move into the table `sample_piece`, the first ones first; whoever reads them does not
/// see in which of both they are.
struct SampleTable {
  let pieces: SamplePieceTable
  private let insert: Statement
  private let select: Statement
  private let selectBack: Statement
  private let selectNewest: Statement

  init(_ connection: Connection) throws(StoreError) {
    pieces = try SamplePieceTable(connection)
    insert = try Statement(
      connection,
      """
      INSERT INTO sample (session, sequence, boot, tick, heart_rate, contact, energy_kilojoules, rr, warnings,
        is_repeat, last_beat_tick, beat_uncertainty, payload)
      VALUES ((SELECT number FROM session WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (session, sequence) DO NOTHING
      """)
    select = try Statement(
      connection,
      """
      SELECT \(StoredSample.columns) FROM sample
      WHERE session = (SELECT number FROM session WHERE id = ?) AND sequence > ? ORDER BY sequence LIMIT ?
      """)
    selectBack = try Statement(
      connection,
      """
      SELECT \(StoredSample.columns) FROM sample
      WHERE session = (SELECT number FROM session WHERE id = ?) AND sequence < ? ORDER BY sequence DESC LIMIT ?
      """)
    // The highest of each session is one step down its end of the tree; the highest of the table would be a scan.
    selectNewest = try Statement(
      connection,
      """
      SELECT sequence, boot, tick FROM
        (SELECT number, (SELECT max(sequence) FROM sample WHERE session = number) AS newest
         FROM session WHERE number NOT IN (SELECT session FROM imported) ORDER BY newest DESC LIMIT 1)
        JOIN sample ON sample.session = number AND sample.sequence = newest
      """)
  }

  /// Writes a sample; the same sample once more changes nothing, so that a commit can be tried again.
  func write(_ sample: HeartRateSample, of session: SessionID, on axis: BootAxis) throws(StoreError) {
    let measurement = sample.measurement
    let written = try insert.run(
      [
        .text(session.description), .integer(sample.sequence), .integer(axis.current),
        .integer(sample.tick.nanoseconds), .integer(Int64(measurement.heartRate)),
        .text(measurement.contact.rawValue), .optional(measurement.energyKilojoules.map(Int64.init)),
        .intervals(measurement.rrIntervals), .integer(Int64(measurement.warnings.rawValue)),
        .flag(sample.isRepeat), .optional(sample.beats?.lastBeat.nanoseconds),
        .optional(sample.beats?.uncertainty.wholeNanoseconds), .blob(sample.payload),
      ], "writing sample \(sample.sequence) of \(session)")
    if written == 0, try samples(of: session, after: sample.sequence - 1, limit: 1, on: axis) != [sample] {
      throw StoreError(
        .commit, sqlite: SQLITE_CONSTRAINT,
        "writing sample \(sample.sequence) of \(session): another sample has that sequence number")
    }
  }

  /// The samples behind a sequence number, in their order, decoded from their octets; what was known of the strap, and
  /// left intervals out, stands in their columns.
  func samples(
    of session: SessionID, after sequence: Int64, limit: Int, on axis: BootAxis
  ) throws(StoreError) -> [HeartRateSample] {
    let rows = try read(select, session, sequence, limit)
    let packed = try pieces.samples(of: session, after: sequence, limit: limit)
    return try Self.merge(packed, rows, limit) { $0 < $1 }.map { sample throws(StoreError) in
      try sample.heartRateSample(on: axis)
    }
  }

  /// The samples of a session from a tick on, in their order; read from its end, where few of them are.
  func samples(of session: SessionID, since tick: Tick, on axis: BootAxis) throws(StoreError) -> [HeartRateSample] {
    var found: [HeartRateSample] = []
    while true {
      let before = found.last?.sequence ?? .max
      let rows = try read(selectBack, session, before, 200)
      let packed = try pieces.samples(of: session, before: before, limit: 200)
      let piece = try Self.merge(packed, rows, 200) { $0 > $1 }.map { sample throws(StoreError) in
        try sample.heartRateSample(on: axis)
      }
      found += piece.prefix { $0.tick >= tick }
      if piece.count < 200 || found.last != piece.last { return found.reversed() }
    }
  }

  private func read(
    _ statement: Statement, _ session: SessionID, _ sequence: Int64, _ limit: Int
  ) throws(StoreError) -> [StoredSample] {
    try statement.rows(
      [.text(session.description), .integer(sequence), .integer(Int64(limit))], "reading the samples of \(session)"
    ) { (row: inout Row) in row.storedSample() }
  }

  /// The first ones of both, each in their order.
  private static func merge(
    _ packed: [StoredSample], _ rows: [StoredSample], _ limit: Int, _ comesFirst: (Int64, Int64) -> Bool
  ) -> [StoredSample] {
    if packed.isEmpty { return rows }
    var merged: [StoredSample] = []
    var rows = rows[...]
    for sample in packed.prefix(limit) {
      while let row = rows.first, !comesFirst(sample.sequence, row.sequence) {
        rows.removeFirst()
        // What is in a piece already is not told twice.
        if row.sequence != sample.sequence { merged.append(row) }
      }
      merged.append(sample)
    }
    return Array((merged + rows).prefix(limit))
  }

  /// The sample with the highest sequence number, of those that came from straps.
  func newest() throws(StoreError) -> NewestRow? {
    let row = try selectNewest.rows([], "reading the newest sample") { (row: inout Row) in
      let sequence = row.integer()
      return NewestRow(sequence: sequence, at: row.bootTick())
    }.first
    return [row, try pieces.newest()].compactMap { $0 }.max { $0.sequence < $1.sequence }
  }
}

extension SQLValue {
  /// Two octets an interval, the less significant first; NULL where there is none.
  fileprivate static func intervals(_ intervals: [RRInterval]) -> SQLValue {
    if intervals.isEmpty { return .null }
    return .blob(intervals.flatMap { [UInt8(truncatingIfNeeded: $0.ticks1024), UInt8($0.ticks1024 >> 8)] })
  }
}

extension StoredSample {
  static let columns = "sequence, boot, tick, is_repeat, last_beat_tick, beat_uncertainty, rr, warnings, payload"

  /// The sample, decoded from its octets; what was known of the strap, and left intervals out, stands in its columns.
  fileprivate func heartRateSample(on axis: BootAxis) throws(StoreError) -> HeartRateSample {
    var measurement: HeartRateMeasurement
    do { measurement = try HeartRateMeasurement(payload) } catch { throw unreadable("\(error)") }
    let told = intervals ?? []
    measurement.rrIntervals = stride(from: 0, to: told.count - 1, by: 2).map {
      RRInterval(ticks1024: told.number(at: $0))
    }
    measurement.warnings = HeartRateMeasurementWarnings(rawValue: UInt16(truncatingIfNeeded: warnings))
    var beats: BeatTimeline.Placement?
    if let lastBeat {
      beats = .init(lastBeat: try place(lastBeat, on: axis), uncertainty: .nanoseconds(uncertainty ?? 0))
    }
    return HeartRateSample(
      sequence: sequence, tick: try place(tick, on: axis), measurement: measurement, payload: payload,
      isRepeat: isRepeat, beats: beats)
  }

  private func place(_ tick: Int64, on axis: BootAxis) throws(StoreError) -> Tick {
    guard let tick = axis.tick(Tick(nanoseconds: tick), of: boot) else { throw unreadable("there is no boot \(boot)") }
    return tick
  }

  private func unreadable(_ why: String) -> StoreError {
    StoreError(
      .read, sqlite: SQLITE_MISMATCH, "reading sample \(sequence), which another program must have written: \(why)")
  }
}

extension Row {
  /// The columns of `StoredSample`.
  mutating func storedSample() -> StoredSample {
    let (sequence, boot, tick) = (integer(), integer(), integer())
    let isRepeat = flag()
    let (lastBeat, uncertainty) = (optionalInteger(), optionalInteger())
    let intervals = optionalBlob()
    let warnings = integer()
    return StoredSample(
      sequence: sequence, boot: boot, tick: tick, isRepeat: isRepeat, lastBeat: lastBeat, uncertainty: uncertainty,
      intervals: intervals, warnings: warnings, payload: blob())
  }
}
