import Measurements

/// Octets as HCI, L2CAP and ATT number them: from 0, the least significant octet of a number first.
struct LittleEndianOctets: Hashable, Sendable {
  private var slice: ArraySlice<UInt8>

  init(_ slice: ArraySlice<UInt8>) {
    self.slice = slice
  }

  var count: Int { slice.count }
  var array: [UInt8] { Array(slice) }

  /// nil behind the end.
  func octet(at offset: Int) -> UInt8? {
    offset < slice.count ? slice[slice.startIndex + offset] : nil
  }

  func number16(at offset: Int) -> UInt16? {
    guard offset + 2 <= slice.count else { return nil }
    let index = slice.startIndex + offset
    return UInt16(slice[index]) | UInt16(slice[index + 1]) << 8
  }

  /// As the headers of a log have it.
  func bigEndian32(at offset: Int) -> UInt32? {
    guard offset + 4 <= slice.count else { return nil }
    let index = slice.startIndex + offset
    let high = UInt32(slice[index]) << 24 | UInt32(slice[index + 1]) << 16
    return high | UInt32(slice[index + 2]) << 8 | UInt32(slice[index + 3])
  }

  func dropping(_ count: Int) -> LittleEndianOctets { LittleEndianOctets(slice.dropFirst(count)) }
  func keeping(_ count: Int) -> LittleEndianOctets { LittleEndianOctets(slice.prefix(count)) }

  /// A device address, whose last octet comes first; nil where the octets end before it does.
  func address(at offset: Int) -> StrapAddress? {
    guard offset + 6 <= slice.count else { return nil }
    let octets = dropping(offset).keeping(6).array.reversed()
    return StrapAddress(octets.map { Hex.text([$0]) }.joined(separator: ":"))
  }

  /// What is left of it as a UUID: the assigned number, and nil for one that is not of the Bluetooth SIG's.
  var assignedNumber: UInt16? {
    if count == 2 { return number16(at: 0) }
    guard count == 16, keeping(12).array == Self.baseUUID, octet(at: 14) == 0, octet(at: 15) == 0 else { return nil }
    return number16(at: 12)
  }

  /// 00000000-0000-1000-8000-00805F9B34FB without its first 32 bits (Core Specification, Vol 3, Part B, section 2.5.1).
  private static let baseUUID: [UInt8] = [
    0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00,
  ]
}
