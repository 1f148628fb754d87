/// What a field's octets mean (FIT Protocol, "Base Types"); raw values are as in a definition message.
enum FITBaseType: UInt8, Hashable, Sendable, CaseIterable {
  case enumeration = 0x00
  case sint8 = 0x01
  case uint8 = 0x02
  case string = 0x07
  case uint8z = 0x0A
  case byte = 0x0D
  case sint16 = 0x83
  case uint16 = 0x84
  case sint32 = 0x85
  case uint32 = 0x86
  case float32 = 0x88
  case float64 = 0x89
  case uint16z = 0x8B
  case uint32z = 0x8C
  case sint64 = 0x8E
  case uint64 = 0x8F
  case uint64z = 0x90

  /// Octets of one value.
  var width: Int {
    switch self {
    case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
    case .sint16, .uint16, .uint16z: 2
    case .sint32, .uint32, .uint32z, .float32: 4
    case .float64, .sint64, .uint64, .uint64z: 8
    }
  }

  /// What one value's bits are where there is no value.
  var invalid: UInt64 {
    switch self {
    case .enumeration, .uint8, .byte: 0xFF
    case .sint8: 0x7F
    case .string, .uint8z, .uint16z, .uint32z, .uint64z: 0
    case .sint16: 0x7FFF
    case .uint16: 0xFFFF
    case .sint32: 0x7FFF_FFFF
    case .uint32, .float32: 0xFFFF_FFFF
    case .sint64: 0x7FFF_FFFF_FFFF_FFFF
    case .float64, .uint64: .max
    }
  }

  /// The whole number of no less than 0 that a value's bits are; nil where they are another number, or none.
  func whole(_ bits: UInt64) -> UInt64? {
    guard bits != invalid else { return nil }
    switch self {
    case .enumeration, .uint8, .uint8z, .byte, .uint16, .uint16z, .uint32, .uint32z, .uint64, .uint64z: return bits
    case .sint8, .sint16, .sint32, .sint64: return bits < invalid ? bits : nil
    case .float32: return UInt64(exactly: Float(bitPattern: UInt32(truncatingIfNeeded: bits)).rounded())
    case .float64: return UInt64(exactly: Double(bitPattern: bits).rounded())
    case .string: return nil
    }
  }
}
