/// Octets as text (RFC 4648, section 4), as varlink has no other way for them.
public enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func text(of octets: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((octets.count + 2) / 3 * 4)
    digits.withUnsafeBufferPointer { digits in
      octets.withUnsafeBufferPointer { octets in
        var index = 0
        while index < octets.count {
          let left = octets.count - index
          let second = left > 1 ? octets[index + 1] : 0
          let third = left > 2 ? octets[index + 2] : 0
          text.append(digits[Int(octets[index] >> 2)])
          text.append(digits[Int((octets[index] & 3) << 4 | second >> 4)])
          text.append(left > 1 ? digits[Int((second & 15) << 2 | third >> 6)] : 0x3D)
          text.append(left > 2 ? digits[Int(third & 63)] : 0x3D)
          index += 3
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// nil where the text is none, or not the one that `text(of:)` would have made.
  public static func octets(of text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 4 * 3)
    var (bits, count) = (UInt32(0), 0)
    for digit in text.dropLast(padding) {
      let value = values[Int(digit)]
      guard value < 64 else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // Bits that are no octet's have to be zero.
    return bits & (1 << UInt32(count) - 1) == 0 ? octets : nil
  }

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()
}
