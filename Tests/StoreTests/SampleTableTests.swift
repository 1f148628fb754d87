import Measurements
import Testing
import Workout

@testable import Store

@Suite struct SampleTableTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
    try store.commit([.session(.example(1)), .session(.example(2))], through: 0)
  }

  private static let payloads: [[UInt8]] = [
    [0x00, 60], [0x01, 0x2C, 0x01], [0x04, 70], [0x06, 80], [0x0E, 90, 0x34, 0x12], [0x10, 100, 0x00, 0x04],
    [0x1E, 110, 0xFF, 0xFF, 0x39, 0x03, 0x00, 0x00, 0xFF, 0xFF], [0xE0, 0], [0x10, 120], [0x10, 120, 0x00, 0x04, 0x7F],
    [0x02, 130, 1, 2, 3],
  ]

  @Test(arguments: [0, 1, 199, 200, 201, 399, 400, 401])
  func samplesSinceATickAreReadFromTheEnd(_ count: Int64) throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let all = try (1...Int64(401)).map { try HeartRateSample.example($0) }
    try store.commit([.session(.example())] + all.map { .sample($0, session: .number(1)) }, through: 1)
    #expect(try store.samples(of: .number(1), since: .at(402 - count)) == Array(all.suffix(Int(count))))
    #expect(try store.samples(of: .number(2), since: .at(0)) == [])
  }

  @Test func samplesSinceATickHaveTheirIntervalsAndWarnings() throws {
    let sample = try HeartRateSample.example(1, [0xF0, 100, 0x00, 0x04, 0x7F])
    #expect(sample.measurement.rrIntervals.count == 1 && !sample.measurement.warnings.isEmpty)
    try store.commit([.sample(sample, session: .number(1))], through: 1)
    #expect(try store.samples(of: .number(1), since: .at(0)) == [sample])
  }

  @Test func everyKindOfPacketComesBackAsItWasWritten() throws {
    var samples: [HeartRateSample] = []
    for (index, payload) in Self.payloads.enumerated() {
      var sample = try HeartRateSample.example(Int64(index + 1), payload)
      sample.isRepeat = index % 2 == 1
      if index % 3 == 0 { sample.beats = .init(lastBeat: .at(Int64(index)), uncertainty: .milliseconds(750)) }
      samples.append(sample)
    }
    try store.commit(samples.map { .sample($0, session: .number(1)) }, through: 20)
    #expect(try store.samples(of: .number(1), after: 0, limit: 100) == samples)
    #expect(try store.samples(of: .number(2), after: 0, limit: 100) == [])
  }

  @Test func rowsAreReadableForOthers() throws {
    var sample = try HeartRateSample.example(3, [0x1E, 110, 0xFF, 0xFF, 0x39, 0x03, 0x00, 0x00, 0x7F])
    sample.isRepeat = true
    sample.beats = .init(lastBeat: .at(2), uncertainty: .milliseconds(750))
    try store.commit([.sample(sample, session: .number(2))], through: 3)
    try store.commit([.sample(try .example(4, [0x00, 0]), session: .number(2))], through: 4)
    let raw = try directory.raw()
    #expect(
      try raw.rows("SELECT * FROM sample ORDER BY sequence") == [
        [
          "2", "3", "1", "3000000000", "110", "detected", "65535", "x'39030000'", "137", "1",
          "2000000000", "750000000", "x'1e6effff390300007f'",
        ],
        [
          "2", "4", "1", "4000000000", "0", "unknown", "NULL", "NULL", "64", "0", "NULL", "NULL",
          "x'0000'",
        ],
      ])
    #expect(
      try raw.rows("SELECT * FROM sample_dated WHERE sequence = 3") == [
        [
          "00000000-0000-4000-8000-000000000002", "3", "2026-11-30T08:00:03.000Z", "110", "detected", "65535",
          "39030000", "137", "1", "1E6EFFFF390300007F",
        ]
      ])
  }

  @Test func readingInStepsMissesAndRepeatsNothing() throws {
    let samples = try (1...50).map { try HeartRateSample.example(Int64($0 * 3)) }
    try store.commit(samples.map { .sample($0, session: .number(1)) }, through: 150)
    var read: [HeartRateSample] = []
    var steps = 0
    while true {
      let step = try store.samples(of: .number(1), after: read.last?.sequence ?? 0, limit: 7)
      if step.isEmpty { break }
      read += step
      steps += 1
    }
    #expect(read == samples)
    #expect(steps == 8)
  }

  @Test func aNumberIsUsedOnceInASession() throws {
    let sample = try HeartRateSample.example(1)
    try store.commit([.sample(sample, session: .number(1))], through: 1)
    let error = storeError {
      try store.commit([.sample(try .example(1, [0x06, 121]), session: .number(1))], through: 1)
    }
    #expect(error?.text.contains("another sample") == true)
    #expect(try store.samples(of: .number(1), after: 0, limit: 10) == [sample])
  }

  @Test func octetsThatAreNoMeasurementAreNamed() throws {
    try store.commit([.sample(try .example(1), session: .number(1))], through: 1)
    try directory.raw().execute("UPDATE sample SET payload = x'00'")
    let error = storeError { try store.samples(of: .number(1), after: 0, limit: 1) }
    #expect(error?.text.contains("heart rate measurement [00] ends after the flags") == true)
  }

  /// One step down the tree for each session, and none through the samples.
  @Test func theNewestIsFoundWithoutAScan() throws {
    let plan = try directory.raw().rows(
      "EXPLAIN QUERY PLAN SELECT number, (SELECT max(sequence) FROM sample WHERE session = number) FROM session"
    ).map { $0[3] }
    #expect(plan.contains("SEARCH sample USING PRIMARY KEY (session=?)"), "\(plan)")
    #expect(!plan.contains { $0.contains("SCAN sample") }, "\(plan)")
  }
}
