/// Lays out the columns of a piece.
struct SamplePieceWriter {
  private var columns = [[UInt64]](repeating: [], count: SampleColumn.allCases.count)
  private var octets: [UInt8] = []
  private var expected: SamplePrediction
  private let first: StoredSample
  private let period: Int64
  private let spacing: UInt64
  private let count: Int

  /// - Parameters:
  ///   - samples: one at least.
  ///   - rhythm: how their ticks follow each other.
  init(_ samples: [StoredSample], _ rhythm: SampleRhythm) {
    first = samples[0]
    count = samples.count
    (period, spacing) = (rhythm.period, rhythm.spacing)
    expected = SamplePrediction(
      sequence: first.sequence, boot: first.boot, first: first.tick, period: period,
      spacing: Int64(spacing) * SamplePiece.spacingUnit)
    for sample in samples { add(sample) }
  }

  /// To be packed each by itself: columns of which most is alike, and what is noise already and packs no more.
  var parts: [[UInt8]] {
    var writer = ColumnWriter()
    var bits = BitWriter()
    writer.number(UInt64(count))
    for number in [first.sequence, first.boot, first.tick, period] { writer.number(UInt64(zigzag: number)) }
    writer.number(spacing)
    writer.number(UInt64(columns[SampleColumn.interval.rawValue].count))
    for column in SampleColumn.allCases {
      if column.isNoise { bits.column(columns[column.rawValue]) } else { writer.column(columns[column.rawValue]) }
    }
    bits.finish()
    writer.append(octets)
    return [writer.octets, bits.octets]
  }

  private mutating func write(_ column: SampleColumn, _ number: UInt64) {
    columns[column.rawValue].append(number)
  }

  private mutating func write(_ column: SampleColumn, _ value: Int64, from expected: Int64) {
    write(column, UInt64(zigzag: value &- expected))
  }

  private mutating func add(_ sample: StoredSample) {
    write(.sequence, sample.sequence, from: expected.sequence)
    expected.sequence = sample.sequence &+ 1
    write(.boot, sample.boot, from: expected.boot)
    expected.boot = sample.boot
    let events = expected.events(until: sample.tick)
    if spacing > 0 { write(.events, events, from: expected.events) }
    write(.tick, sample.tick, from: expected.tick(after: events))
    expected.take(tick: sample.tick, after: events)
    write(.warnings, UInt64(bitPattern: sample.warnings))
    var kind: SampleKind = sample.isRepeat ? .isRepeat : []
    expected.beginIntervals()
    if let fields = PayloadFields(sample.payload) {
      add(fields, sample.payload, at: sample.tick)
      addIntervals(sample.intervals, sample.payload[fields.intervals], &kind)
    } else {
      kind.insert(.isRaw)
      write(.rest, UInt64(sample.payload.count))
      octets += sample.payload
      addIntervals(sample.intervals, [], &kind)
    }
    addBeats(sample, &kind)
    write(.kind, UInt64(kind.rawValue))
  }

  private mutating func add(_ fields: PayloadFields, _ payload: [UInt8], at tick: Int64) {
    write(.flags, UInt64(fields.flags))
    write(.heartRate, Int64(fields.heartRate), from: Int64(expected.heartRate))
    expected.take(heartRate: fields.heartRate)
    if let energy = fields.energy {
      write(.energy, Int64(energy), from: Int64(expected.energy))
      expected.take(energy: energy)
    }
    let hasIntervals = PayloadFields.hasIntervals(fields.flags)
    if hasIntervals {
      write(.intervalCount, Int64(fields.intervals.count / 2), from: expected.beginPacket(at: tick))
    }
    for index in stride(from: fields.intervals.lowerBound, to: fields.intervals.upperBound, by: 2) {
      let interval = payload.number(at: index)
      write(.interval, Int64(interval), from: Int64(expected.interval))
      expected.take(interval: interval)
    }
    if hasIntervals { expected.endPacket() }
    let rest = payload[fields.intervals.upperBound...]
    write(.rest, UInt64(rest.count))
    if !rest.isEmpty { octets += rest }
  }

  /// Quirks leave intervals out of what the payload says; what else may stand in the column is written as it is.
  private mutating func addIntervals(_ stored: [UInt8]?, _ told: ArraySlice<UInt8>, _ kind: inout SampleKind) {
    if let stored, !stored.isEmpty, told.elementsEqual(stored) { return }
    if stored == nil, told.isEmpty { return }
    kind.insert(.hasOwnIntervals)
    if let stored, let kept = Self.kept(stored, of: told) { return write(.kept, kept) }
    write(.kept, 0)
    write(.others, stored.map { UInt64($0.count) + 1 } ?? 0)
    octets += stored ?? []
  }

  /// Which of the intervals are left, a bit each; nil where it is not some of them in their order.
  private static func kept(_ stored: [UInt8], of told: ArraySlice<UInt8>) -> UInt64? {
    guard told.count <= 128 else { return nil }
    var left = stored[...]
    var kept: UInt64 = 0
    for index in stride(from: 0, to: told.count, by: 2)
    where left.starts(with: told.dropFirst(index).prefix(2)) {
      left = left.dropFirst(2)
      kept |= 1 << UInt64(index / 2)
    }
    return left.isEmpty && kept != 0 ? kept : nil
  }

  private mutating func addBeats(_ sample: StoredSample, _ kind: inout SampleKind) {
    if let lastBeat = sample.lastBeat {
      kind.insert(.hasBeats)
      if lastBeat == expected.nextBeat {
        kind.insert(.beatsFollow)
      } else {
        write(.lastBeat, lastBeat, from: sample.tick)
      }
      expected.take(lastBeat: lastBeat)
    }
    guard let uncertainty = sample.uncertainty else { return }
    kind.insert(.hasUncertainty)
    if uncertainty == expected.uncertainty {
      kind.insert(.isAsUncertain)
    } else if uncertainty == sample.tick &- expected.lastBeat {
      kind.insert(.isUncertainByLag)
    } else {
      write(.uncertainty, uncertainty, from: expected.uncertainty)
    }
    expected.take(uncertainty: uncertainty)
  }
}
