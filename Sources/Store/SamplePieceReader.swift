/// Reads the columns of a piece. The octets may be anything: each count is held against what a piece may have before
/// anything is made of it.
struct SamplePieceReader {
  private var reader: ColumnReader
  private var columns = [[UInt64]](repeating: [], count: SampleColumn.allCases.count)
  /// How far each is read.
  private var taken = [Int](repeating: 0, count: SampleColumn.allCases.count)
  private var octets: ArraySlice<UInt8> = []
  private var hasEvents = false
  private var intervalCount = 0

  init(_ octets: [UInt8]) {
    reader = ColumnReader(octets)
  }

  mutating func samples() throws(SamplePieceError) -> [StoredSample] {
    let count = try reader.number()
    guard (1...UInt64(SamplePiece.mostSamples)).contains(count) else { throw .contents("has \(count) samples") }
    let sequence = try reader.number().difference
    let boot = try reader.number().difference
    let first = try reader.number().difference
    let period = try reader.number().difference
    let spacing = try reader.number()
    guard spacing <= SamplePiece.mostSpacing else { throw .contents("has a connection interval of \(spacing)") }
    hasEvents = spacing > 0
    let intervals = try reader.number()
    guard intervals <= SamplePiece.mostOctets / 2 else { throw .contents("has \(intervals) intervals") }
    intervalCount = Int(intervals)
    try readColumns(Int(count))
    var expected = SamplePrediction(
      sequence: sequence, boot: boot, first: first, period: period, spacing: Int64(spacing) * SamplePiece.spacingUnit)
    var samples: [StoredSample] = []
    samples.reserveCapacity(Int(count))
    for _ in 0..<count { samples.append(try sample(&expected)) }
    guard octets.isEmpty, zip(columns, taken).allSatisfy({ $0.count == $1 }) else {
      throw .contents("has more than its samples")
    }
    return samples
  }

  private mutating func readColumns(_ count: Int) throws(SamplePieceError) {
    for column in SampleColumn.allCases where !column.isNoise {
      columns[column.rawValue] = try reader.column(try length(of: column, count))
    }
    let others = columns[SampleColumn.others.rawValue].count { $0 > 0 }
    octets = try reader.octets(sum(of: .rest) + sum(of: .others) - others)
    var bits = BitReader(reader.rest)
    for column in SampleColumn.allCases where column.isNoise {
      columns[column.rawValue] = try bits.column(try length(of: column, count))
    }
    guard bits.isAtEnd else { throw .contents("has more than its columns") }
  }

  /// How many numbers a column has, by those that were read before it.
  private func length(of column: SampleColumn, _ count: Int) throws(SamplePieceError) -> Int {
    switch column {
    case .kind, .sequence, .boot, .tick, .warnings, .rest: return count
    case .events: return hasEvents ? count : 0
    case .flags, .heartRate: return kinds { !$0.contains(.isRaw) }
    case .intervalCount: return flags(PayloadFields.hasIntervals)
    case .energy: return flags(PayloadFields.hasEnergy)
    case .lastBeat: return kinds { $0.contains(.hasBeats) && !$0.contains(.beatsFollow) }
    case .uncertainty:
      return kinds { $0.contains(.hasUncertainty) && $0.isDisjoint(with: [.isAsUncertain, .isUncertainByLag]) }
    case .kept: return kinds { $0.contains(.hasOwnIntervals) }
    case .others: return columns[SampleColumn.kept.rawValue].count { $0 == 0 }
    case .interval:
      return intervalCount
    }
  }

  private func kinds(_ isMeant: (SampleKind) -> Bool) -> Int {
    columns[SampleColumn.kind.rawValue].count { isMeant(SampleKind(rawValue: UInt8(truncatingIfNeeded: $0))) }
  }

  private func flags(_ isMeant: (UInt8) -> Bool) -> Int {
    columns[SampleColumn.flags.rawValue].count { isMeant(UInt8(truncatingIfNeeded: $0)) }
  }

  /// Of a column; or more than a piece can have.
  private func sum(of column: SampleColumn) -> Int {
    columns[column.rawValue].reduce(0) { sum, number in
      number > UInt64(SamplePiece.mostOctets) ? SamplePiece.mostUnpacked : sum + Int(number)
    }
  }

  private mutating func next(_ column: SampleColumn) throws(SamplePieceError) -> UInt64 {
    let index = taken[column.rawValue]
    guard index < columns[column.rawValue].count else { throw .contents("has too few of \(column)") }
    taken[column.rawValue] = index + 1
    return columns[column.rawValue][index]
  }

  private mutating func next(_ column: SampleColumn, from expected: Int64) throws(SamplePieceError) -> Int64 {
    expected &+ (try next(column)).difference
  }

  private mutating func take(_ count: UInt64) throws(SamplePieceError) -> ArraySlice<UInt8> {
    guard count <= UInt64(octets.count) else { throw .contents("has too few octets") }
    defer { octets = octets.dropFirst(Int(count)) }
    return octets.prefix(Int(count))
  }

  // MARK: One sample

  private mutating func sample(_ expected: inout SamplePrediction) throws(SamplePieceError) -> StoredSample {
    let kind = SampleKind(rawValue: UInt8(truncatingIfNeeded: try next(.kind)))
    let sequence = try next(.sequence, from: expected.sequence)
    expected.sequence = sequence &+ 1
    let boot = try next(.boot, from: expected.boot)
    expected.boot = boot
    let events = hasEvents ? try next(.events, from: expected.events) : 0
    let tick = try next(.tick, from: expected.tick(after: events))
    expected.take(tick: tick, after: events)
    let warnings = Int64(bitPattern: try next(.warnings))
    expected.beginIntervals()
    var payload: [UInt8] = []
    var told = 0..<0
    if kind.contains(.isRaw) {
      payload = Array(try takeRest())
    } else {
      told = try readFields(into: &payload, at: tick, &expected)
    }
    let intervals = try intervals(payload[told], kind)
    var lastBeat: Int64?
    if kind.contains(.hasBeats) {
      let beat = kind.contains(.beatsFollow) ? expected.nextBeat : try next(.lastBeat, from: tick)
      expected.take(lastBeat: beat)
      lastBeat = beat
    }
    let uncertainty = try uncertainty(kind, tick, &expected)
    return StoredSample(
      sequence: sequence, boot: boot, tick: tick, isRepeat: kind.contains(.isRepeat), lastBeat: lastBeat,
      uncertainty: uncertainty, intervals: intervals, warnings: warnings, payload: payload)
  }

  /// - Returns: where the intervals are in the payload.
  private mutating func readFields(
    into payload: inout [UInt8], at tick: Int64, _ expected: inout SamplePrediction
  ) throws(SamplePieceError) -> Range<Int> {
    let flags = UInt8(truncatingIfNeeded: try next(.flags))
    payload.reserveCapacity(20)
    payload.append(flags)
    let heartRate = UInt16(truncatingIfNeeded: try next(.heartRate, from: Int64(expected.heartRate)))
    expected.take(heartRate: heartRate)
    if PayloadFields.hasWideHeartRate(flags) {
      payload.append(number: heartRate)
    } else {
      payload.append(UInt8(truncatingIfNeeded: heartRate))
    }
    if PayloadFields.hasEnergy(flags) {
      let energy = UInt16(truncatingIfNeeded: try next(.energy, from: Int64(expected.energy)))
      expected.take(energy: energy)
      payload.append(number: energy)
    }
    let start = payload.count
    if PayloadFields.hasIntervals(flags) {
      let count = try next(.intervalCount, from: expected.beginPacket(at: tick))
      guard (0...Int64(SamplePiece.mostOctets)).contains(count) else { throw .contents("has \(count) intervals") }
      for _ in 0..<count {
        let interval = UInt16(truncatingIfNeeded: try next(.interval, from: Int64(expected.interval)))
        expected.take(interval: interval)
        payload.append(number: interval)
      }
      expected.endPacket()
    }
    let end = payload.count
    payload += try takeRest()
    return start..<end
  }

  private mutating func takeRest() throws(SamplePieceError) -> ArraySlice<UInt8> {
    try take(try next(.rest))
  }

  private mutating func intervals(_ told: ArraySlice<UInt8>, _ kind: SampleKind) throws(SamplePieceError) -> [UInt8]? {
    guard kind.contains(.hasOwnIntervals) else { return told.isEmpty ? nil : Array(told) }
    let kept = try next(.kept)
    guard kept == 0 else {
      var left: [UInt8] = []
      for (index, octet) in told.enumerated() where kept >> UInt64(index / 2) & 1 == 1 { left.append(octet) }
      return left
    }
    let count = try next(.others)
    return count == 0 ? nil : Array(try take(count - 1))
  }

  private mutating func uncertainty(
    _ kind: SampleKind, _ tick: Int64, _ expected: inout SamplePrediction
  ) throws(SamplePieceError) -> Int64? {
    guard kind.contains(.hasUncertainty) else { return nil }
    let uncertainty: Int64
    if kind.contains(.isAsUncertain) {
      uncertainty = expected.uncertainty
    } else if kind.contains(.isUncertainByLag) {
      uncertainty = tick &- expected.lastBeat
    } else {
      uncertainty = try next(.uncertainty, from: expected.uncertainty)
    }
    expected.take(uncertainty: uncertainty)
    return uncertainty
  }
}
