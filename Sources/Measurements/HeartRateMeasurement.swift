/// One Heart Rate Measurement, characteristic 0x2A37 (HRS 1.0, section 3.1).
public struct HeartRateMeasurement: Hashable, Sendable {
  /// Beats a minute as sent, 0 to 65535; 0 means that the strap has no reading.
  public var heartRate: UInt16
  /// Skin contact.
  public var contact: SensorContact
  /// Energy in kilojoules since its last reset, sticking at 65535; nil where this packet does not carry it,
  /// which does not mean a reset.
  public var energyKilojoules: UInt16?
  /// Intervals between beats, oldest first.
  public var rrIntervals: [RRInterval]
  /// What was odd about the packet and has been read all the same.
  public var warnings: HeartRateMeasurementWarnings
  /// Octets behind the heart rate and energy that no flag announces, or the odd last octet of the intervals.
  public var trailingOctets: Int

  /// Decodes a packet by the decoder policy: what can be read without guessing is read, with a warning.
  ///
  /// The flags may differ from packet to packet, and no total length is wrong by itself: straps send both.
  /// - Throws: where the heart rate is missing or a field is cut short, so that the rest would be a guess.
  public init(_ payload: [UInt8]) throws(HeartRateMeasurementError) {
    guard let flags = payload.first.map(Flags.init(rawValue:)) else { throw .init(.empty, payload) }
    var warnings: HeartRateMeasurementWarnings = []
    if !flags.isDisjoint(with: .reserved) { warnings.insert(.reservedFlagBits) }

    var offset = 1
    let width = flags.contains(.heartRateIsUInt16) ? 2 : 1
    guard payload.count >= offset + width else {
      throw .init(payload.count == 1 ? .flagsOnly : .heartRateCutShort, payload)
    }
    heartRate = width == 2 ? payload.uint16(at: offset) : UInt16(payload[offset])
    if heartRate == 0 { warnings.insert(.heartRateZero) }
    offset += width

    if flags.contains(.contactSupported) {
      contact = flags.contains(.contactDetected) ? .detected : .notDetected
    } else {
      contact = .unknown
      if flags.contains(.contactDetected) { warnings.insert(.contactBitWithoutSupport) }
    }

    if flags.contains(.energyPresent) {
      guard payload.count >= offset + 2 else { throw .init(.energyCutShort, payload) }
      let energy = payload.uint16(at: offset)
      if energy == .max { warnings.insert(.energySaturated) }
      energyKilojoules = energy
      offset += 2
    } else {
      energyKilojoules = nil
    }

    rrIntervals = []
    if flags.contains(.rrPresent) {
      rrIntervals.reserveCapacity((payload.count - offset) / 2)
      while offset + 2 <= payload.count {
        let interval = RRInterval(ticks1024: payload.uint16(at: offset))
        if interval.ticks1024 == 0 { warnings.insert(.rrZero) }
        rrIntervals.append(interval)
        offset += 2
      }
      if offset < payload.count { warnings.insert(.oddRROctet) }
      if rrIntervals.isEmpty { warnings.insert(.rrFlagWithoutRR) }
    } else if offset < payload.count {
      warnings.insert(.trailingOctets)
    }
    trailingOctets = payload.count - offset
    self.warnings = warnings
  }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let heartRateIsUInt16 = Flags(rawValue: 1 << 0)
    static let contactDetected = Flags(rawValue: 1 << 1)
    static let contactSupported = Flags(rawValue: 1 << 2)
    static let energyPresent = Flags(rawValue: 1 << 3)
    static let rrPresent = Flags(rawValue: 1 << 4)
    static let reserved = Flags(rawValue: 0b1110_0000)
  }
}

/// Why a payload is no Heart Rate Measurement, with the payload.
public struct HeartRateMeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case empty, flagsOnly, heartRateCutShort, energyCutShort
  }

  public var reason: Reason
  public var payload: [UInt8]

  init(_ reason: Reason, _ payload: [UInt8]) {
    self.reason = reason
    self.payload = payload
  }

  public var description: String {
    let what =
      switch reason {
      case .empty: "is empty"
      case .flagsOnly: "ends after the flags"
      case .heartRateCutShort: "ends inside the heart rate"
      case .energyCutShort: "ends inside the energy field"
      }
    return "heart rate measurement [\(Hex.text(payload))] \(what)"
  }
}

/// Oddities of a packet that was read all the same; the raw value is kept with the stored sample. The packet itself tells
/// of most; `shortInterval` and `unsteady` are found by what is known of its strap.
public struct HeartRateMeasurementWarnings: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// One octet was left behind the last whole RR interval.
  public static let oddRROctet = Self(rawValue: 1 << 0)
  /// The flags announce RR intervals and there are none.
  public static let rrFlagWithoutRR = Self(rawValue: 1 << 1)
  /// Octets follow that no flag announces.
  public static let trailingOctets = Self(rawValue: 1 << 2)
  /// An RR interval is 0, which is no beat.
  public static let rrZero = Self(rawValue: 1 << 3)
  /// Contact is said to be detected by a strap that says it cannot tell.
  public static let contactBitWithoutSupport = Self(rawValue: 1 << 4)
  /// A flag bit of 5 to 7 is set.
  public static let reservedFlagBits = Self(rawValue: 1 << 5)
  /// The heart rate is 0: no reading.
  public static let heartRateZero = Self(rawValue: 1 << 6)
  /// The energy counter sticks at 65535 until it is reset.
  public static let energySaturated = Self(rawValue: 1 << 7)
  /// An interval that is no beat's was taken out; the octets have it.
  public static let shortInterval = Self(rawValue: 1 << 8)
  /// The heart rate has jumped as no heart does, from a strap that is known to send such off the skin.
  public static let unsteady = Self(rawValue: 1 << 9)

  /// The names of the warnings, in the order of their bits, as they go on the wire.
  public var names: [String] {
    Self.all.compactMap { contains($0.0) ? $0.1 : nil }
  }

  /// The warning of a name; nil where there is none.
  public init?(name: String) {
    guard let known = Self.all.first(where: { $0.1 == name }) else { return nil }
    self = known.0
  }

  private static let all: [(Self, String)] = [
    (.oddRROctet, "oddRROctet"), (.rrFlagWithoutRR, "rrFlagWithoutRR"), (.trailingOctets, "trailingOctets"),
    (.rrZero, "rrZero"), (.contactBitWithoutSupport, "contactBitWithoutSupport"),
    (.reservedFlagBits, "reservedFlagBits"), (.heartRateZero, "heartRateZero"), (.energySaturated, "energySaturated"),
    (.shortInterval, "shortInterval"), (.unsteady, "unsteady"),
  ]
}

extension [UInt8] {
  /// Two octets, least significant first, as all fields of GATT are sent.
  fileprivate func uint16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }
}
