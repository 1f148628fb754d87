import Measurements
import TestSupport
import Workout

@testable import Store

/// A store of finished workouts of an hour each at 1 Hz with intervals, packed, spread over ten years.
///
/// A few hours are packed once; of each workout only the numbers at the head of its pieces are its own.
struct TenYears {
  static let firstDate = WallTime(nanoseconds: 1_451_606_400_000_000_000)  // 2016-01-01
  private static let seconds = 3600
  private static let activities: [ActivityType] = [.running, .cycling, .rowing, .yoga, .hiking]
  private static let athletes = ["Anna", "Ben", "Cleo"]
  private static let straps = ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6", "F0:F1:F2:F3:F4:F7", "F0:F1:F2:F3:F4:F8"]

  let count: Int

  static func id(_ number: Int) -> SessionID {
    SessionID(
      randomBytes: [UInt8](repeating: 0, count: 12) + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    )
  }

  func date(_ number: Int) -> WallTime {
    let span = Int64(3650) * 86_400 / Int64(count)
    return Self.firstDate + .seconds(Int64(number) * span)
  }

  /// Writes the file, which must not exist yet.
  func write(to path: String) throws {
    let now = Moment(tick: Tick(nanoseconds: 1_000_000_000), wall: Self.firstDate + .seconds(3651 * 86_400))
    try Store(path: path, bootID: "the boot that has made it", at: now, syncInterval: .seconds(1)).close()
    let connection = try Connection(path: path, busyTimeout: .seconds(1))
    defer { connection.close() }
    try connection.execute(
      """
      PRAGMA synchronous = OFF;
      BEGIN;
      INSERT INTO boot (number, boot_id, tick, wall, is_synchronised)
        VALUES (9, 'ten years', 0, \(Self.firstDate.nanoseconds), 1);
      """, for: .commit, "beginning")
    let hours = try (0..<4).map { try Self.hour(seed: UInt64($0)) }
    let rows = try Rows(connection)
    for number in 0..<count { try write(number, hours[number % hours.count], rows) }
    try connection.execute("COMMIT", for: .commit, "ending")
  }

  private struct Rows {
    let session: Statement
    let event: Statement
    let piece: Statement
    let workout: Statement

    init(_ connection: Connection) throws {
      session = try Statement(
        connection,
        """
        INSERT INTO session (number, id, state, activity, location, strap, athlete, is_unprepared, created_boot,
          created_tick, created_date, created_is_requested, start_boot, start_tick, start_date, start_is_requested,
          end_boot, end_tick, end_date, end_is_requested, end_reason, collection, starts_at_first_beat, is_discarded)
        VALUES (?1, ?2, 'ended', ?3, 'outdoor', ?4, ?5, 0, 9, ?6, ?7, 0, 9, ?6, ?7, 0, 9, ?8, ?9, 0, 'user', 'finished',
          0, 0)
        """)
      event = try Statement(
        connection,
        """
        INSERT INTO event (sequence, session, kind, boot, tick, date, is_requested, about_tick, about_date,
          about_is_requested, from_state, to_state, cause)
        VALUES (?1, ?2, 'transition', 9, ?3, ?4, 0, ?3, ?4, 0, ?5, ?6, 'user')
        """)
      piece = try Statement(connection, "INSERT INTO sample_piece VALUES (?, ?, ?, ?, 9, ?, ?)")
      workout = try Statement(
        connection,
        """
        INSERT INTO workout (session, activity, location, strap, athlete, boot, start_tick, start_date,
          start_is_requested, end_tick, end_date, end_is_requested, end_reason, elapsed_nanoseconds, wall_nanoseconds,
          rr_count, heart_rate_count, heart_rate_minimum, heart_rate_maximum, heart_rate_average,
          heart_rate_most_recent, heart_rate_most_recent_tick, heart_rate_covered_nanoseconds)
        VALUES (?1, ?2, 'outdoor', ?3, ?4, 9, ?5, ?6, 0, ?7, ?8, 0, 'user', 3600000000000, 3600000000000, 7200, 3600, 90,
          ?9, 130.5, 120, ?7, 3600000000000)
        """)
    }
  }

  private func write(_ number: Int, _ hour: [Piece], _ rows: Rows) throws {
    let (session, date) = (Int64(number + 1), date(number))
    let start = (date - Self.firstDate).wholeNanoseconds
    let end = start + Int64(Self.seconds) * 1_000_000_000
    let endDate = date + .seconds(Self.seconds)
    let sequence = Int64(number) * 4000 + 1
    let activity = SQLValue.text(Self.activities[number % Self.activities.count].rawValue)
    let strap = SQLValue.text(Self.straps[number % Self.straps.count])
    let athlete = SQLValue.text(Self.athletes[number % Self.athletes.count])
    try rows.session.run(
      [
        .integer(session), .text(Self.id(number).description), activity, strap, athlete, .integer(start),
        .integer(date.nanoseconds), .integer(end), .integer(endDate.nanoseconds),
      ], "")
    for (offset, tick, date, from, to) in [
      (0, start, date, "prepared", "running"), (3998, end, endDate, "running", "stopped"),
      (3999, end, endDate, "stopped", "ended"),
    ] {
      try rows.event.run(
        [
          .integer(sequence + Int64(offset)), .integer(session), .integer(tick), .integer(date.nanoseconds),
          .text(from), .text(to),
        ], "")
    }
    for piece in hour {
      try rows.piece.run(
        [
          .integer(session), .integer(sequence + piece.first.sequence), .integer(sequence + piece.last.sequence),
          .integer(Int64(piece.count)), .integer(start + piece.last.tick),
          .blob(try piece.octets(sequence: sequence, tick: start)),
        ], "")
    }
    try rows.workout.run(
      [
        .integer(session), activity, strap, athlete, .integer(start), .integer(date.nanoseconds), .integer(end),
        .integer(endDate.nanoseconds), .integer(Int64(150 + number % 40)),
      ], "")
  }

  // MARK: An hour

  private struct Piece {
    let count: Int
    let first: StoredSample
    let last: StoredSample
    /// Behind the four numbers of the head, and the bits.
    let rest: [UInt8]
    let bits: [UInt8]

    init(_ samples: [StoredSample]) {
      (count, first, last) = (samples.count, samples[0], samples[samples.count - 1])
      let parts = SamplePieceWriter(samples, SampleRhythm.candidates(samples)[0]).parts
      rest = Array(parts[0].dropFirst(Self.head(count, first, sequence: 0, tick: 0).count))
      bits = parts[1]
    }

    func octets(sequence: Int64, tick: Int64) throws -> [UInt8] {
      let head = Self.head(count, first, sequence: sequence, tick: tick)
      return [SamplePiece.version] + (try Zstd.pack([head + rest, bits]))
    }

    private static func head(_ count: Int, _ first: StoredSample, sequence: Int64, tick: Int64) -> [UInt8] {
      var writer = ColumnWriter()
      writer.number(UInt64(count))
      for number in [first.sequence + sequence, first.boot, first.tick + tick] {
        writer.number(UInt64(zigzag: number))
      }
      return writer.octets
    }
  }

  private static func hour(seed: UInt64) throws -> [Piece] {
    var random = SeededRandom(seed)
    var timeline = BeatTimeline()
    let samples = try (0..<seconds).map { index in
      let tick = Int64(index) * 1_000_020_000 + Int64.random(in: 0..<1_000_000, using: &random)
      let rate = 120 + (index / 40) % 40
      let interval = 61_440 / rate + Int.random(in: -12...12, using: &random)
      var payload: [UInt8] = [0x16, UInt8(rate)]
      for _ in 0..<2 { payload += [UInt8(interval & 0xFF), UInt8(interval >> 8)] }
      let measurement = try HeartRateMeasurement(payload)
      let beats = timeline.place(measurement.rrIntervals, isRepeat: false, at: Tick(nanoseconds: tick))
      return StoredSample(
        sequence: Int64(index + 1), boot: 9, tick: tick, isRepeat: false, lastBeat: beats?.lastBeat.nanoseconds,
        uncertainty: beats?.uncertainty.wholeNanoseconds, intervals: Array(payload.dropFirst(2)), warnings: 0,
        payload: payload)
    }
    var pieces: [Piece] = []
    var rest = samples[...]
    while !rest.isEmpty {
      let taken = try SamplePiece.encodeFirst(of: Array(rest.prefix(SamplePiece.mostSamples))).samples
      pieces.append(Piece(taken))
      rest = rest.dropFirst(taken.count)
    }
    return pieces
  }
}
