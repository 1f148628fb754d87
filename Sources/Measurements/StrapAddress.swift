/// A Bluetooth device address of six octets (Core Specification, Vol 6, Part B, section 1.3).
///
/// Straps and adapters are known by it; `hciN` names and object paths change under it.
public struct StrapAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The address as a number, first octet of its text highest.
  private let bits: UInt64

  /// Reads "F0:F1:F2:F3:F4:F5" (either case); nil for anything else.
  public init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard bytes.count == 17 else { return nil }
    var bits: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      if index % 3 == 2 {
        guard byte == UInt8(ascii: ":") else { return nil }
      } else {
        guard let digit = Hex.value(ofDigit: byte) else { return nil }
        bits = bits << 4 | UInt64(digit)
      }
    }
    self.bits = bits
  }

  /// The same, of addresses that a device may have.
  public init?(device text: some StringProtocol) {
    self.init(text)
    if !isDevice { return nil }
  }

  /// The address in the form that BlueZ uses: upper-case octets with colons.
  public var description: String {
    stride(from: 40, through: 0, by: -8)
      .map { Hex.text([UInt8(truncatingIfNeeded: bits >> UInt64($0))], uppercase: true) }
      .joined(separator: ":")
  }

  /// Whether a device may have it: all zeros stand for no address, and no device has all ones (Core Specification, Vol 6,
  /// Part B, section 1.3).
  public var isDevice: Bool { bits != 0 && bits != 0xFFFF_FFFF_FFFF }

  /// Whether a random address of this value is a resolvable private one, which its owner changes every quarter of an hour
  /// or so (Core Specification, Vol 6, Part B, section 1.3.2.2).
  public var isResolvablePrivate: Bool {
    bits >> 46 == 0b01
  }

  public static func < (a: StrapAddress, b: StrapAddress) -> Bool {
    a.bits < b.bits
  }
}
