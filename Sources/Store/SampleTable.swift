import CSQLite
import Measurements
import Workout

/// Table `sample`: every received measurement. It is clustered by session and sequence, so that a new one changes one page.
struct SampleTable {
  private let insert: Statement
  private let select: Statement
  private let selectBack: Statement
  private let selectNewest: Statement

  init(_ connection: Connection) throws(StoreError) {
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
      SELECT sequence, boot, tick, is_repeat, boot, last_beat_tick, beat_uncertainty, payload, rr, warnings FROM sample
      WHERE session = (SELECT number FROM session WHERE id = ?) AND sequence > ? ORDER BY sequence LIMIT ?
      """)
    selectBack = try Statement(
      connection,
      """
      SELECT sequence, boot, tick, is_repeat, boot, last_beat_tick, beat_uncertainty, payload FROM sample
      WHERE session = (SELECT number FROM session WHERE id = ?) AND sequence < ? ORDER BY sequence DESC LIMIT ?
      """)
    // The highest of each session is one step down its end of the tree; the highest of the table would be a scan.
    selectNewest = try Statement(
      connection,
      """
      SELECT sequence, boot, tick FROM
        (SELECT number, (SELECT max(sequence) FROM sample WHERE session = number) AS newest
         FROM session ORDER BY newest DESC LIMIT 1)
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
    try read(select, session, sequence, limit, on: axis)
  }

  /// The samples of a session from a tick on, in their order; read from its end, where few of them are.
  func samples(of session: SessionID, since tick: Tick, on axis: BootAxis) throws(StoreError) -> [HeartRateSample] {
    var found: [HeartRateSample] = []
    while true {
      let piece = try read(selectBack, session, found.last?.sequence ?? .max, 200, on: axis)
      found += piece.prefix { $0.tick >= tick }
      if piece.count < 200 || found.last != piece.last { return found.reversed() }
    }
  }

  private func read(
    _ statement: Statement, _ session: SessionID, _ sequence: Int64, _ limit: Int, on axis: BootAxis
  ) throws(StoreError) -> [HeartRateSample] {
    try statement.rows(
      [.text(session.description), .integer(sequence), .integer(Int64(limit))], "reading the samples of \(session)"
    ) { (row: inout Row) throws(StoreError) in
      let sequence = row.integer()
      let tick = try row.tick(on: axis)
      let isRepeat = row.flag()
      let beats = try row.beats(on: axis)
      let payload = row.blob()
      var measurement = try row.measurement(payload)
      measurement.rrIntervals = row.intervals()
      measurement.warnings = HeartRateMeasurementWarnings(rawValue: UInt16(truncatingIfNeeded: row.integer()))
      return HeartRateSample(
        sequence: sequence, tick: tick, measurement: measurement, payload: payload,
        isRepeat: isRepeat, beats: beats)
    }
  }

  /// The sample with the highest sequence number.
  func newest() throws(StoreError) -> NewestRow? {
    try selectNewest.rows([], "reading the newest sample") { (row: inout Row) in
      let sequence = row.integer()
      return NewestRow(sequence: sequence, at: row.bootTick())
    }.first
  }
}

extension SQLValue {
  /// Two octets an interval, the less significant first; NULL where there is none.
  fileprivate static func intervals(_ intervals: [RRInterval]) -> SQLValue {
    if intervals.isEmpty { return .null }
    return .blob(intervals.flatMap { [UInt8(truncatingIfNeeded: $0.ticks1024), UInt8($0.ticks1024 >> 8)] })
  }
}

extension Row {
  /// The column rr.
  fileprivate mutating func intervals() -> [RRInterval] {
    let octets = blob()
    return stride(from: 0, to: octets.count - 1, by: 2).map {
      RRInterval(ticks1024: UInt16(octets[$0]) | UInt16(octets[$0 + 1]) << 8)
    }
  }

  /// The columns boot, last_beat_tick, beat_uncertainty.
  fileprivate mutating func beats(on axis: BootAxis) throws(StoreError) -> BeatTimeline.Placement? {
    let boot = integer()
    guard !isNull else {
      skip(2)
      return nil
    }
    let lastBeat = try tick(of: boot, on: axis)
    return BeatTimeline.Placement(lastBeat: lastBeat, uncertainty: .nanoseconds(integer()))
  }

  fileprivate func measurement(_ payload: [UInt8]) throws(StoreError) -> HeartRateMeasurement {
    do {
      return try HeartRateMeasurement(payload)
    } catch {
      throw unreadable("\(error)")
    }
  }
}
