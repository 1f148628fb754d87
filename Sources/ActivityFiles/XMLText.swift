/// Text as it may stand in an XML 1.0 document (fifth edition, sections 2.2 and 2.4).
enum XMLText {
  /// Escaped for an element's content and for an attribute in quotation marks; characters that XML cannot hold, whether
  /// escaped or not, are left out.
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      // "]]>" may not stand in content.
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      // As itself it would be read as a line feed.
      case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
      case "\t", "\n": escaped.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Whether an octet is white space (section 2.3).
  static func isBlank(_ octet: UInt8) -> Bool {
    octet == 0x20 || octet == 0x09 || octet == 0x0D || octet == 0x0A
  }

  /// Without white space at its ends.
  static func trimmed(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var octets = octets
    while let last = octets.last, isBlank(last) { octets.removeLast() }
    while let first = octets.first, isBlank(first) { octets.removeFirst() }
    return octets
  }

  /// Without white space at its ends.
  static func trimmed(_ text: String) -> String {
    String(decoding: trimmed(Array(text.utf8)[...]), as: UTF8.self)
  }

  /// The text up to so many octets, without a part of a character at its end.
  static func cut(_ octets: [UInt8], to most: Int) -> String {
    guard octets.count > most else { return String(decoding: octets, as: UTF8.self) }
    var end = most
    while end > 0, octets[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: octets[..<end], as: UTF8.self)
  }
}
