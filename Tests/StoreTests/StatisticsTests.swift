import Measurements
import Testing
import Workout

@testable import Store

/// The statistics of a workout are the same live, from the store, and by SQL alone.
@Suite struct StatisticsTests {
  private static let end = Int64(4_000)

  /// A workout of random packets, pauses and lost links, fed to a live builder and to the store.
  private func record(_ seed: UInt64, into store: Store) throws -> LiveBuilder {
    var random = SeededRandom(state: seed)
    var builder = LiveBuilder()
    var session = WorkoutSession(id: .number(1), configuration: WorkoutConfiguration(), at: .at(0))
    try store.commit([.session(session.record(strap: nil))], through: 0)
    var sequence: Int64 = 0
    var nanoseconds: Int64 = 1_000_000_000
    func now() -> Moment {
      let tick = Tick(nanoseconds: nanoseconds)
      return Moment(tick: tick, wall: .boot + (tick - .at(0)))
    }
    func take(_ transition: Transition?) throws {
      guard let transition else { return }
      sequence += 1
      if let mark = Mark(transition) { try builder.take(mark, at: transition.at.tick) }
      let event = EventRecord(sequence: sequence, session: .number(1), at: .at(0), what: .transition(transition))
      try store.commit([.event(event), .session(session.record(strap: nil))], through: sequence)
    }
    try take(session.start(at: now()))
    while nanoseconds < Self.end * 1_000_000_000 {
      // Often the same tick: several inputs of one wake-up.
      nanoseconds +=
        Int64.random(in: 0...3, using: &random) == 0 ? 0 : Int64.random(in: 0...15_000_000_000, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0: try take(session.pause(at: now()))
      case 1, 2: try take(session.resume(at: now()))
      case 3:
        sequence += 1
        try builder.take(.linkLost, at: now().tick)
        let event = EventRecord(sequence: sequence, session: .number(1), at: DatedTick(at: now()), what: .linkLost)
        try store.commit([.event(event)], through: sequence)
      default:
        sequence += 1
        let sample = try self.sample(sequence, at: now().tick, &random)
        builder.add(sample)
        try store.commit([.sample(sample, session: .number(1))], through: sequence)
      }
    }
    nanoseconds += 1  // a sample of the very tick of the end does not count
    try take(session.stop(at: now()))
    return builder
  }

  private func sample(_ sequence: Int64, at tick: Tick, _ random: inout SeededRandom) throws -> HeartRateSample {
    var payload: [UInt8] = [[0x00, 0x04, 0x06, 0x06, 0x16].randomElement(using: &random) ?? 0]
    payload.append(Int.random(in: 0..<10, using: &random) == 0 ? 0 : UInt8.random(in: 40...220, using: &random))
    if payload[0] & 0x10 != 0 { payload += [UInt8.random(in: 0...255, using: &random), 3] }
    return HeartRateSample(
      sequence: sequence, tick: tick, measurement: try HeartRateMeasurement(payload), payload: payload,
      isRepeat: Int.random(in: 0..<10, using: &random) == 0)
  }

  /// As a recovered session's builder is fed: marks and samples by tick, then by number, samples in steps.
  private func rebuild(from store: Store) throws -> LiveBuilder {
    var builder = LiveBuilder()
    var marks = DatedMark.marks(of: try store.events(of: .number(1)))[...]
    var last: Int64 = 0
    while true {
      let samples = try store.samples(of: .number(1), after: last, limit: 7)
      for sample in samples {
        while let mark = marks.first, mark.precedes(sample) {
          try builder.take(mark.mark, at: mark.tick)
          marks.removeFirst()
        }
        builder.add(sample)
        last = sample.sequence
      }
      if samples.isEmpty { break }
    }
    for mark in marks { try builder.take(mark.mark, at: mark.tick) }
    return builder
  }

  @Test(arguments: UInt64(1)...8)
  func areTheSameFromTheStoreAndBySQL(_ seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let live = try record(seed, into: store)
    let end = try #require(live.end)
    let summary = try #require(HeartRateSummary(live.heartRate, at: end))
    #expect(summary.count > 100)
    #expect(try rebuild(from: store) == live)

    try store.close()
    let reopened = try directory.open()
    #expect(try rebuild(from: reopened) == live, "and after a restart")

    let row = try directory.raw().rows(Self.statistics)[0]
    #expect(row[0] == String(summary.count))
    #expect(row[1] == String(summary.minimum))
    #expect(row[2] == String(summary.maximum))
    #expect(row[3] == String(summary.covered.wholeNanoseconds))
    let weighted = try #require(Int64(row[4]))
    #expect(Double(weighted) / Double(summary.covered.wholeNanoseconds) == summary.average)
    #expect(row[5] == String(live.elapsed(at: end).wholeNanoseconds))
  }

  /// Each value holds until the next thing that counts or cuts, at most ten seconds.
  private static let statistics = """
    WITH happened AS (
      SELECT tick, sequence, 'sample' AS kind, heart_rate, contact, 0 AS runs FROM sample
      UNION ALL
      SELECT coalesce(about_tick, tick), sequence, kind, NULL, NULL, (to_state IS 'running') - (from_state IS 'running')
      FROM event WHERE kind = 'linkLost' OR to_state IN ('running', 'paused', 'stopped')
    ),
    counted AS (
      SELECT *, sum(runs) OVER (ORDER BY tick, sequence) AS is_running FROM happened
    ),
    held AS (
      SELECT *, lead(tick) OVER (ORDER BY tick, sequence) - tick AS span FROM counted
      WHERE kind <> 'sample' OR is_running AND (heart_rate > 0 OR contact = 'notDetected')
    ),
    ran AS (
      SELECT is_running * (lead(tick) OVER (ORDER BY tick, sequence) - tick) AS span FROM counted WHERE runs <> 0
    )
    SELECT count(*), min(heart_rate), max(heart_rate), sum(min(span, 10000000000)),
      sum(min(span, 10000000000) * heart_rate), (SELECT sum(span) FROM ran)
    FROM held WHERE kind = 'sample' AND heart_rate > 0 AND contact <> 'notDetected'
    """
}
