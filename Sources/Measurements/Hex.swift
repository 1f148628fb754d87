/// Octets as hexadecimal text and back.
public enum Hex {
  /// Two digits an octet, no separator.
  public static func text(_ bytes: some Collection<UInt8>, uppercase: Bool = false) -> String {
    let digits = uppercase ? Array("0123456789ABCDEF".utf8) : Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an even number of digits (either case); nil for anything else.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = value(ofDigit: character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  static func value(ofDigit character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
