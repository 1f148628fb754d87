/// Some hundred samples of a session in few octets, without loss.
///
/// The first octet is the version; then follows one frame of zstd (RFC 8878) with its check value. In it are
/// - seven numbers (`ColumnWriter.number`): how many samples there are, and of the first one the sequence number, the boot and
///   the tick, and the period, these four by zigzag, and how far the connection's events are apart in 1.25 ms, or 0,
///   and how many intervals there are;
/// - the columns of `SampleColumn` in their order, but for those that are noise (`ColumnWriter.column`);
/// - the octets that `rest` and `others` count, sample by sample;
/// - the columns that are noise (`BitWriter.column`).
/// A value that is expected (`SamplePrediction`) is written as its difference from that, by zigzag.
enum SamplePiece {
  static let version: UInt8 = 1
  /// Samples of one piece at most: more of them would take longer than a step may.
  static let mostSamples = 512
  /// Octets of a piece as a rule: with its other columns it fills two overflow pages of 1024, or half of a page of 4096.
  /// (One of 2.4 kB would have that to itself, and leave the rest of it empty.)
  static let usualOctets = 1980
  /// A piece of so few samples may be larger.
  private static let fewSamples = 64
  /// Octets of their payloads at most; a measurement has 20 at most, or 512 where the link allows long ones.
  static let mostOctets = 32_768
  /// Connection intervals are multiples of this, in nanoseconds, and have so many of them at most (Core 5.4, volume 6, part
  /// B, 4.5.1).
  static let spacingUnit: Int64 = 1_250_000
  static let mostSpacing: UInt64 = 3200
  /// What can be in a frame then, columns for all samples with eight octets a number included.
  static let mostUnpacked = 1 << 20

  /// - Throws: `tooLarge` for more than a piece takes, or `packer`.
  static func encode(_ samples: [StoredSample]) throws(SamplePieceError) -> [UInt8] {
    let octets = samples.reduce(0) { $0 + $1.octetCount }
    guard !samples.isEmpty, samples.count <= mostSamples, octets <= mostOctets else { throw .tooLarge }
    var best: [UInt8]?
    for rhythm in SampleRhythm.candidates(samples) {
      let octets = try Zstd.pack(SamplePieceWriter(samples, rhythm).parts)
      if octets.count < best?.count ?? .max { best = octets }
    }
    return [version] + (best ?? [])
  }

  /// As many of the first samples as a piece of usual size takes.
  ///
  /// - Throws: as `encode`.
  static func encodeFirst(
    of samples: [StoredSample]
  ) throws(SamplePieceError) -> (samples: [StoredSample], octets: [UInt8]) {
    var taken = samples
    while true {
      let octets = try encode(taken)
      if octets.count <= usualOctets || taken.count <= fewSamples { return (taken, octets) }
      // Noise is everywhere the same, and some octets are needed anyway.
      let fitting = taken.count * usualOctets / octets.count - 4
      taken = Array(taken.prefix(max(min(fitting, taken.count - 1), fewSamples)))
    }
  }

  /// - Throws: `version` or `damaged` or `contents`, for whatever octets.
  static func decode(_ octets: [UInt8]) throws(SamplePieceError) -> [StoredSample] {
    guard octets.first == version else { throw .version(octets.first) }
    var reader = SamplePieceReader(try Zstd.unpack(octets.dropFirst(), limit: mostUnpacked))
    return try reader.samples()
  }
}

/// Why samples make no piece, or octets are none.
enum SamplePieceError: Error, Hashable, CustomStringConvertible {
  case tooLarge
  /// zstd could not pack.
  case packer(String)
  /// Of a version that is not known; nil where there is no octet at all.
  case version(UInt8?)
  /// The frame is not what was written.
  case damaged(String)
  /// The frame is whole, and what is in it is no piece.
  case contents(String)

  var description: String {
    switch self {
    case .tooLarge: "no samples, or more than a piece takes"
    case .packer(let why): "zstd: \(why)"
    case .version(let version): "the piece is of version \(version.map { "\($0)" } ?? "none")"
    case .damaged(let why): "the piece is damaged: \(why)"
    case .contents(let why): "the piece \(why)"
    }
  }
}

/// The columns of a piece, in their order.
enum SampleColumn: Int, CaseIterable {
  /// Of each sample.
  case kind, sequence, boot, warnings
  /// Of each, where the connection's events are seen.
  case events
  /// Of each whose payload has fields, and of those that have intervals or energy.
  case flags, intervalCount, energy
  /// Of each sample: how many octets follow the fields, or are all that there is.
  case rest
  /// Where they are not as expected.
  case lastBeat, uncertainty
  /// Which of the payload's intervals are in the column rr, a bit each; how many octets are, where they are others (1 more,
  /// and 0 for NULL).
  case kept, others
  /// Of each sample; of each whose payload has fields; of each interval.
  case tick, heartRate, interval

  /// Whether hardly any of its numbers is as expected: these stand as bits behind all others.
  var isNoise: Bool {
    switch self {
    case .tick, .heartRate, .interval: true
    case .kind, .sequence, .boot, .warnings, .events, .flags, .intervalCount, .energy, .rest, .lastBeat, .uncertainty,
      .kept,
      .others:
      false
    }
  }
}

/// What is unusual about a sample: one octet, mostly the same.
struct SampleKind: OptionSet {
  let rawValue: UInt8

  static let isRepeat = SampleKind(rawValue: 1 << 0)
  /// The payload is kept as it is, since it would not come out the same by its fields.
  static let isRaw = SampleKind(rawValue: 1 << 1)
  static let hasBeats = SampleKind(rawValue: 1 << 2)
  static let hasUncertainty = SampleKind(rawValue: 1 << 3)
  /// The last beat lies where the intervals put it; else it is told from the sample's tick.
  static let beatsFollow = SampleKind(rawValue: 1 << 4)
  /// The uncertainty is the one before, or as long as it took from the last beat to the tick.
  static let isAsUncertain = SampleKind(rawValue: 1 << 5)
  static let isUncertainByLag = SampleKind(rawValue: 1 << 6)
  /// The column rr is not what the payload says.
  static let hasOwnIntervals = SampleKind(rawValue: 1 << 7)
}
