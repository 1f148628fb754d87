/// A row of table `sample` as it is written, but for the columns that follow from the payload alone.
struct StoredSample: Hashable {
  var sequence: Int64
  var boot: Int64
  /// By the count of that boot, as is `lastBeat`.
  var tick: Int64
  var isRepeat: Bool
  var lastBeat: Int64?
  var uncertainty: Int64?
  /// The column rr: what the payload says, or what was left of it.
  var intervals: [UInt8]?
  var warnings: Int64
  var payload: [UInt8]

  /// Of what has no bounds of its own.
  var octetCount: Int { payload.count + (intervals?.count ?? 0) }
}

/// Where the fields of a Heart Rate Measurement lie, as far as pieces are coded by them. All octets are in one of them, so
/// that they come out as they went in.
///
/// It is not `HeartRateMeasurement`, which may come to read oddities otherwise: what is on disk depends on this, so it
/// stays as it is for as long as there are pieces of version 1.
struct PayloadFields {
  var flags: UInt8
  var heartRate: UInt16
  var energy: UInt16?
  /// The octets of the intervals, two each; what follows is the rest.
  var intervals: Range<Int>

  static func hasWideHeartRate(_ flags: UInt8) -> Bool { flags & 0x01 != 0 }
  static func hasEnergy(_ flags: UInt8) -> Bool { flags & 0x08 != 0 }
  static func hasIntervals(_ flags: UInt8) -> Bool { flags & 0x10 != 0 }

  /// nil where a field is cut short.
  init?(_ payload: [UInt8]) {
    guard let flags = payload.first else { return nil }
    self.flags = flags
    let isWide = Self.hasWideHeartRate(flags)
    var end = isWide ? 3 : 2
    guard payload.count >= end else { return nil }
    heartRate = isWide ? payload.number(at: 1) : UInt16(payload[1])
    if Self.hasEnergy(flags) {
      guard payload.count >= end + 2 else { return nil }
      energy = payload.number(at: end)
      end += 2
    }
    let octets = Self.hasIntervals(flags) ? (payload.count - end) / 2 * 2 : 0
    intervals = end..<end + octets
  }
}

extension [UInt8] {
  /// Two octets, the less significant first.
  func number(at index: Int) -> UInt16 {
    UInt16(self[index]) | UInt16(self[index + 1]) << 8
  }

  mutating func append(number: UInt16) {
    append(UInt8(truncatingIfNeeded: number))
    append(UInt8(number >> 8))
  }
}
