/// What a person calls a strap: a short text that cannot be taken for an address.
///
/// Two names that differ in case only name the same strap; `key` is what they have in common.
public struct StrapName: Hashable, Sendable, CustomStringConvertible {
  /// The name as it was written.
  public let description: String

  /// What is allowed, for the person whose name was refused.
  public static let allowed = "\(PersonalText.allowed), and nothing that looks like an address"

  /// Takes 1 to 64 octets of UTF-8 without control characters, line breaks or blanks at the ends; nil for anything else,
  /// and for what looks like an address.
  public init?(_ text: some StringProtocol) {
    guard PersonalText.isAllowed(text), !Self.looksLikeAddress(text) else { return nil }
    description = String(text)
  }

  /// The same for every way of writing the name.
  public var key: String { description.lowercased() }

  /// Whether a text is meant as an address, though it may be none: hexadecimal digits with colons, or twelve of them with
  /// whatever separates the octets elsewhere.
  public static func looksLikeAddress(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    let digits = bytes.count { Hex.value(ofDigit: $0) != nil }
    let separators = bytes.count { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return digits + separators == bytes.count && (bytes.contains(UInt8(ascii: ":")) || digits == 12)
  }
}

/// What a person is called who wears straps: a short text.
public struct AthleteName: Hashable, Sendable, CustomStringConvertible {
  /// The name as it was written.
  public let description: String

  /// What is allowed, for the person whose name was refused.
  public static let allowed = PersonalText.allowed

  /// Takes 1 to 64 octets of UTF-8 without control characters, line breaks or blanks at the ends; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard PersonalText.isAllowed(text) else { return nil }
    description = String(text)
  }
}

/// What people may call things: it goes into the journal and onto terminals as it is.
enum PersonalText {
  static let allowed = allowed(longest: 64)

  static func allowed(longest: Int) -> String {
    "1 to \(longest) octets without control characters and without blanks at the ends"
  }

  static func isAllowed(_ text: some StringProtocol, longest: Int = 64) -> Bool {
    guard (1...longest).contains(text.utf8.count), text.first?.isWhitespace == false, text.last?.isWhitespace == false
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
  }
}
